//! Lists as Relay has them: edges with cursors, nodes, page info, and the count when it is asked for.

use std::borrow::Cow;

use async_graphql::{Object, OutputType, SimpleObject, TypeName};

use super::pace::Paced;
use super::page::{Listed, Listing, Page};
use underlay_inventory::Held;

/// A part of a list of objects.
pub struct Connection<K: Listed> {
    listing: Listing<K>,
    page: Page<K>,
}

/// An object in a list, with its place in it.
pub struct Edge<K: Listed> {
    cursor: String,
    held: Held<K>,
}

/// Where a page stands in its list.
#[derive(Clone, Debug, SimpleObject)]
pub struct PageInfo {
    /// Whether there is more after this page.
    pub has_next_page: bool,
    /// Whether there is more before this page.
    pub has_previous_page: bool,
    /// The cursor of the first object on this page.
    pub start_cursor: Option<String>,
    /// The cursor of the last object on this page.
    pub end_cursor: Option<String>,
}

impl<K: Listed> Connection<K> {
    /// A page of a list.
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

/// A part of a list of objects.
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

    /// Where this page stands in the list.
    async fn page_info(&self) -> PageInfo {
        let cursor = |held: Option<&Held<K>>| held.map(|held| self.listing.cursor(held));
        PageInfo {
            has_next_page: self.page.has_next,
            has_previous_page: self.page.has_previous,
            start_cursor: cursor(self.page.objects.first()),
            end_cursor: cursor(self.page.objects.last()),
        }
    }

    /// How many objects the whole list has. Worked out only when it is selected.
    async fn total_count(&self) -> usize {
        self.listing.count().await
    }
}

/// An object in a list, with its place in it.
#[Object(name_type)]
impl<K: Listed + OutputType> Edge<K> {
    /// The place of the object in the list, to go on from.
    async fn cursor(&self) -> &str {
        &self.cursor
    }

    /// The object.
    async fn node(&self) -> K {
        K::of(self.held.clone())
    }
}
