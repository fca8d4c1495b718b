//! Search over the whole inventory: finds objects of all kinds by a part of their name or of another searched field.

use async_graphql::{Context, Enum, Object, Result, SimpleObject};

use super::Node;
use super::errors::{internal, named_kinds, unreadable};
use super::request::Request;
use underlay_read::{MAX_PAGE_OBJECTS, Paced, Rank, ReadError, search};

/// The default maximum number of hits.
const DEFAULT_HITS: usize = 50;
/// The maximum length of the search text in characters: names are not longer.
const MAX_TEXT_CHARACTERS: usize = 253;

/// The rank of a hit: the way in which the field matches the search text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum)]
pub enum SearchRank {
    /// The field equals the search text, ignoring upper and lower case.
    Exact,
    /// The field begins with the search text.
    Prefix,
    /// The field contains the search text.
    Contains,
}

impl From<Rank> for SearchRank {
    fn from(rank: Rank) -> Self {
        match rank {
            Rank::Exact => Self::Exact,
            Rank::Prefix => Self::Prefix,
            Rank::Contains => Self::Contains,
        }
    }
}

impl From<SearchRank> for Rank {
    fn from(rank: SearchRank) -> Self {
        match rank {
            SearchRank::Exact => Self::Exact,
            SearchRank::Prefix => Self::Prefix,
            SearchRank::Contains => Self::Contains,
        }
    }
}

/// An object that a search found.
#[derive(Clone, Debug, SimpleObject)]
pub struct SearchHit {
    /// The object that was found.
    node: Node,
    /// The kind of the object, such as `Rack`.
    kind: &'static str,
    /// The path of the object as a person would write it, such as `rack/ams1/A14`.
    path: String,
    /// The name of the field that matched, such as the name, a serial or an address.
    field: &'static str,
    /// The text of the field that matched.
    text: String,
    /// The rank of the hit.
    rank: SearchRank,
}

/// The root field `search`.
#[derive(Debug, Default)]
pub struct SearchRoots;

/// The root field `search`.
#[Object]
impl SearchRoots {
    /// Finds objects by a text in their names, labels of cables, serials, asset tags, MAC addresses (in any notation),
    /// addresses or circuit ids. Upper and lower case are the same. Exact hits come first, then fields that begin with
    /// the text, then fields that contain it.
    async fn search(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The text to look for: 1 to 253 characters.")] text: String,
        #[graphql(desc = "The kinds to search, such as `Device`. Defaults to all.")] kinds: Option<Vec<String>>,
        #[graphql(desc = "The worst rank to look for. Defaults to CONTAINS. The other ranks are served by an index.")]
        down_to: Option<SearchRank>,
        #[graphql(desc = "The maximum number of entries: 0 to 1000. Defaults to 50.")] first: Option<i32>,
    ) -> Result<Option<Vec<Paced<SearchHit>>>> {
        let snapshot = Request::of(context).snapshot();
        let argument = |argument, reason| unreadable(&ReadError::Argument { argument, reason });
        let most = usize::try_from(first.unwrap_or(DEFAULT_HITS as i32)).ok().filter(|most| *most <= MAX_PAGE_OBJECTS);
        let most = most.ok_or_else(|| argument("first", format!("must be from 0 to {MAX_PAGE_OBJECTS}")))?;
        if text.trim().is_empty() || text.chars().count() > MAX_TEXT_CHARACTERS {
            return Err(argument("text", format!("must be 1 to {MAX_TEXT_CHARACTERS} characters, not only spaces")));
        }
        let kinds = match kinds {
            Some(names) => named_kinds(&snapshot, &names)?,
            None => snapshot.registry().kinds().collect(),
        };
        let worst = down_to.unwrap_or(SearchRank::Contains).into();
        let mut found = Vec::new();
        for hit in search(&snapshot, &text, &kinds, worst, most).await {
            let node = Node::at(&snapshot, hit.object).ok_or_else(|| internal("a search found what is not there"))?;
            found.push(Paced(SearchHit {
                node,
                kind: snapshot.kind(hit.object.kind).name,
                path: snapshot.path(hit.object),
                field: hit.field,
                text: hit.text,
                rank: hit.rank.into(),
            }));
        }
        Ok(Some(found))
    }
}
