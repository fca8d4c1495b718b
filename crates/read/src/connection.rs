//! Lists in the form of the Relay specification: edges with cursors, nodes, page info, and the total count if it is
//! selected.

use std::borrow::Cow;

use async_graphql::{Object, OutputType, Result, SimpleObject, TypeName};

use super::facets::{Facet, facets};
use super::listing::{Listed, Listing};
use super::pace::Paced;
use super::page::Page;
use underlay_inventory::Held;

/// A page of a list of objects.
pub struct Connection<K: Listed> {
    listing: Listing<K>,
    page: Page<K>,
}

/// An object in a list, with its cursor.
pub struct Edge<K: Listed> {
    cursor: String,
    held: Held<K>,
}

/// The position of a page in its list.
#[derive(Clone, Debug, SimpleObject)]
pub struct PageInfo {
    /// True if there are more objects after this page.
    pub has_next_page: bool,
    /// True if there are more objects before this page.
    pub has_previous_page: bool,
    /// The cursor of the first object on this page.
    pub start_cursor: Option<String>,
    /// The cursor of the last object on this page.
    pub end_cursor: Option<String>,
}

impl<K: Listed> Connection<K> {
    /// Creates a page of a list.
    pub fn new(listing: Listing<K>, page: Page<K>) -> Self {
        Self { listing, page }
    }
}

impl<K: Listed + OutputType> TypeName for Connection<K> {
    fn type_name() -> Cow<'static, str> {
        format!("{}Connection", <K as OutputType>::type_name()).into()
    }
}

impl<K: Listed + OutputType> TypeName for Edge<K> {
    fn type_name() -> Cow<'static, str> {
        format!("{}Edge", <K as OutputType>::type_name()).into()
    }
}

/// A page of a list of objects.
#[Object(name_type)]
impl<K: Listed + OutputType> Connection<K> {
    /// The objects of this page, each with its cursor.
    async fn edges(&self) -> Vec<Paced<Edge<K>>> {
        let edge = |held: &Held<K>| Paced(Edge { cursor: self.listing.cursor(held), held: held.clone() });
        self.page.objects.iter().map(edge).collect()
    }

    /// The objects of this page.
    async fn nodes(&self) -> Vec<Paced<K>> {
        self.page.objects.iter().cloned().map(K::of).map(Paced).collect()
    }

    /// The position of this page in the list.
    async fn page_info(&self) -> PageInfo {
        let cursor = |held: Option<&Held<K>>| held.map(|held| self.listing.cursor(held));
        PageInfo {
            has_next_page: self.page.has_next,
            has_previous_page: self.page.has_previous,
            start_cursor: cursor(self.page.objects.first()),
            end_cursor: cursor(self.page.objects.last()),
        }
    }

    /// The number of objects in the whole list. It is computed only if it is selected.
    async fn total_count(&self) -> Result<usize> {
        self.listing.count().await.map_err(|error| error.shown(error.to_string()))
    }

    /// The number of objects of the whole list for each value of these fields and labels, in the same order. It is
    /// computed only if it is selected.
    async fn facets(
        &self,
        #[graphql(
            desc = "At most 10 names of fields with single values, such as `status`, or of labels, such as `labels.env`. An error names the fields that are allowed."
        )]
        by: Vec<String>,
    ) -> Result<Option<Vec<Facet>>> {
        facets(&self.listing, by).await.map(Some).map_err(|error| error.shown(error.to_string()))
    }
}

/// An object in a list, with its cursor.
#[Object(name_type)]
impl<K: Listed + OutputType> Edge<K> {
    /// The position of the object in the list. Pass it as `after` or `before` to continue from it.
    async fn cursor(&self) -> &str {
        &self.cursor
    }

    /// The object at this position.
    async fn node(&self) -> K {
        K::of(self.held.clone())
    }
}
