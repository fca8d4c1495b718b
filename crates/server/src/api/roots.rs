//! The root types of the schema, each merged from the roots of several areas.

use async_graphql::{Context, ID, MergedObject, Object, Result};
use uuid::Uuid;

use super::viewer::ViewerRoots;
use underlay_kinds::apply::ApplyMutation;
use underlay_kinds::changes::ChangeRoots;
use underlay_kinds::diff::DiffRoots;
use underlay_kinds::erased::Erased;
use underlay_kinds::errors::unreadable;
use underlay_kinds::graph::GraphRoots;
use underlay_kinds::impact::ImpactRoots;
use underlay_kinds::path::PathRoots;
use underlay_kinds::request::Request;
use underlay_kinds::scalars::Revision;
use underlay_kinds::search::SearchRoots;
use underlay_kinds::trace::TraceRoots;
use underlay_kinds::{
    ComputeMutation, ComputeQuery, HostsMutation, HostsQuery, Node, OutsideMutation, OutsideQuery, PlacesMutation,
    PlacesQuery, SourcesMutation, SourcesQuery, ThingsMutation, ThingsQuery,
};
use underlay_read::{MAX_PAGE_OBJECTS, Paced, ReadError};

/// The root of all queries.
#[derive(Default, MergedObject)]
pub struct Query(
    Erased<ObjectRoots>,
    Erased<ViewerRoots>,
    Erased<PlacesQuery>,
    Erased<ThingsQuery>,
    Erased<OutsideQuery>,
    Erased<ComputeQuery>,
    Erased<SourcesQuery>,
    Erased<HostsQuery>,
    Erased<ChangeRoots>,
    Erased<DiffRoots>,
    Erased<SearchRoots>,
    Erased<TraceRoots>,
    Erased<PathRoots>,
    Erased<ImpactRoots>,
    Erased<GraphRoots>,
);

/// The root of all mutations.
#[derive(Default, MergedObject)]
pub struct Mutation(
    Erased<PlacesMutation>,
    Erased<ThingsMutation>,
    Erased<OutsideMutation>,
    Erased<ComputeMutation>,
    Erased<SourcesMutation>,
    Erased<HostsMutation>,
    Erased<ApplyMutation>,
);

/// Root fields that read objects of any kind.
#[derive(Debug, Default)]
struct ObjectRoots;

/// Root fields that read objects of any kind.
#[Object]
impl ObjectRoots {
    /// The object with this ID. Null if there is none.
    async fn node(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The id of an object of any kind.")] id: ID,
    ) -> Option<Node> {
        find(context, &id)
    }

    /// The objects with these IDs, in the same order. An entry is null if no object has its ID.
    async fn nodes(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The ids: at most 1000.")] ids: Vec<ID>,
    ) -> Result<Vec<Paced<Option<Node>>>> {
        if ids.len() > MAX_PAGE_OBJECTS {
            let reason = format!("has {} entries; at most {MAX_PAGE_OBJECTS} are allowed", ids.len());
            return Err(unreadable(&ReadError::Argument { argument: "ids", reason }));
        }
        Ok(ids.iter().map(|id| Paced(find(context, id))).collect())
    }

    /// The revision of the inventory that this answer was read from.
    async fn revision(&self, context: &Context<'_>) -> Revision {
        Revision(Request::of(context).snapshot().revision())
    }
}

fn find(context: &Context<'_>, id: &ID) -> Option<Node> {
    let snapshot = Request::of(context).snapshot();
    let object = snapshot.find(Uuid::parse_str(id).ok()?)?;
    Node::at(&snapshot, object)
}
