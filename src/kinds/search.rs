//! One box for everything: objects of all kinds by a part of what they are called.

use async_graphql::{Context, Enum, Object, Result, SimpleObject};

use super::Node;
use super::errors::{internal, named_kinds, unreadable};
use super::request::Request;
use crate::read::{MOST, Paced, Rank, ReadError, search};

/// How many objects are found when nobody says.
const USUAL: usize = 50;
/// The longest text that is searched for, in characters: names are not longer.
const LONGEST: usize = 253;

/// How well an object fits what is searched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum)]
pub enum SearchRank {
    /// The text is just that, but for upper and lower case.
    Exact,
    /// The text begins with it.
    Prefix,
    /// The text has it somewhere.
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
    /// The object.
    node: Node,
    /// The kind of the object.
    kind: &'static str,
    /// The way to the object as a person would write it: `rack/ams1/A14`.
    path: String,
    /// The field that it was found by: its name, or a serial, an address and the like.
    field: &'static str,
    /// What stands in the field.
    text: String,
    /// How well it fits.
    rank: SearchRank,
}

/// The root field that searches.
#[derive(Debug, Default)]
pub struct SearchRoots;

/// The root field that searches.
#[Object]
impl SearchRoots {
    /// The objects that have a text in their names, labels of cables, serials, asset tags, MAC addresses (however these
    /// are written), addresses or circuit ids; upper and lower case are the same. Exact hits come first, then those
    /// that begin with the text, then those that have it somewhere.
    async fn search(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "What to look for: 1 to 253 characters.")] text: String,
        #[graphql(desc = "Of which kinds, such as `Device`; default: of all.")] kinds: Option<Vec<String>>,
        #[graphql(desc = "The worst rank that is looked for; default: CONTAINS. The others are found in an index.")]
        down_to: Option<SearchRank>,
        #[graphql(desc = "At most so many: 0 to 1000, default 50.")] first: Option<i32>,
    ) -> Result<Option<Vec<Paced<SearchHit>>>> {
        let snapshot = Request::of(context).snapshot();
        let argument = |argument, reason| unreadable(&ReadError::Argument { argument, reason });
        let most = usize::try_from(first.unwrap_or(USUAL as i32)).ok().filter(|most| *most <= MOST);
        let most = most.ok_or_else(|| argument("first", format!("must be from 0 to {MOST}")))?;
        if text.trim().is_empty() || text.chars().count() > LONGEST {
            return Err(argument("text", format!("must be 1 to {LONGEST} characters, not only spaces")));
        }
        let kinds = match kinds {
            Some(names) => named_kinds(&snapshot, &names)?,
            None => snapshot.registry().kinds().collect(),
        };
        let worst = down_to.unwrap_or(SearchRank::Contains).into();
        let mut found = Vec::new();
        for hit in search(&snapshot, &text, &kinds, worst, most).await {
            let node = Node::at(&snapshot, hit.place).ok_or_else(|| internal("a search found what is not there"))?;
            found.push(Paced(SearchHit {
                node,
                kind: snapshot.kind(hit.place.kind).name,
                path: snapshot.path(hit.place),
                field: hit.field,
                text: hit.text,
                rank: hit.rank.into(),
            }));
        }
        Ok(Some(found))
    }
}
