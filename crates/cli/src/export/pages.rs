//! Reads the inventory page by page, all of one revision.

use serde::Deserialize;
use serde_json::{Map, Value, json};
use underlay_client::{Client, ClientError};

use super::lines::ExportedObject;
use super::order::Stage;
use crate::object::plural;

/// The number of objects on a page.
const OBJECTS_PER_PAGE: usize = 500;
/// The maximum number of objects of a kind that contain each other. The server allows fewer.
pub(super) const NESTING_LEVELS: usize = 100;

/// The inventory at a revision that the server keeps.
pub(super) struct Pinned<'a> {
    client: &'a Client,
    /// The revision that all pages are of.
    pub(super) revision: i64,
    /// The number of objects of each kind, in the order of the request.
    pub(super) counts: Vec<u64>,
}

/// A page of a list.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Page {
    /// The objects.
    pub(super) nodes: Vec<ExportedObject>,
    page_info: PageInfo,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct PageInfo {
    has_next_page: bool,
    end_cursor: Option<String>,
}

impl Page {
    /// Returns the cursor of the next page, if there is one.
    pub(super) fn next(&self) -> Option<String> {
        self.page_info.end_cursor.clone().filter(|_| self.page_info.has_next_page)
    }
}

/// A list of objects to read.
pub(super) struct ObjectList<'s> {
    /// The kind.
    pub(super) stage: &'s Stage,
    /// The number of objects of the same kind that contain each object; `None` for all objects.
    pub(super) level: Option<usize>,
}

impl<'a> Pinned<'a> {
    /// Pins the current revision.
    pub(super) async fn current(client: &'a Client, stages: &[Stage]) -> Result<Self, ClientError> {
        let count = |stage: &Stage| format!("{}(first: 0, pin: true) {{ totalCount }}", plural(stage.kind));
        let counts = stages.iter().map(count).collect::<Vec<_>>().join(" ");
        let answer: Map<String, Value> = client.query(&format!("{{ revision {counts} }}"), json!({})).await?;
        let number = |name: &str| answer.get(name).and_then(Value::as_i64);
        let count = |stage: &Stage| answer.get(&plural(stage.kind)).and_then(|list| list["totalCount"].as_u64());
        Ok(Self {
            client,
            revision: number("revision").unwrap_or_default(),
            counts: stages.iter().map(|stage| count(stage).unwrap_or_default()).collect(),
        })
    }

    /// Returns a page of a list.
    pub(super) async fn page(&self, asked: &ObjectList<'_>, after: Option<&str>) -> Result<Page, ClientError> {
        #[derive(Deserialize)]
        struct Data {
            list: Page,
        }
        let (list, kind) = (plural(asked.stage.kind), asked.stage.kind.name);
        let query = format!(
            "query($filter: {kind}Filter, $after: String, $revision: Revision) {{
               list: {list}(filter: $filter, first: {OBJECTS_PER_PAGE}, after: $after, atRevision: $revision) {{
                 nodes {{ item(references: ID) managers {{ field type manager }} }}
                 pageInfo {{ hasNextPage endCursor }}
               }}
             }}"
        );
        let filter = asked.level.zip(asked.stage.nested).map(|(level, field)| within(field, level));
        let variables = json!({"filter": filter, "after": after, "revision": self.revision});
        let data: Data = self.client.query(&query, variables).await?;
        Ok(data.list)
    }

    /// Uses the revision, so that the server keeps it.
    pub(super) async fn hold(&self, stage: &Stage) -> Result<(), ClientError> {
        let list = plural(stage.kind);
        let query =
            format!("query($revision: Revision) {{ {list}(first: 0, atRevision: $revision) {{ totalCount }} }}");
        self.client.query::<Value>(&query, json!({"revision": self.revision})).await.map(drop)
    }
}

/// Returns the filter for objects that this number of objects of the kind contain.
fn within(field: &str, level: usize) -> Value {
    (0..level).fold(json!({ field: {"isNull": true} }), |inner, _| json!({ field: inner }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_filter_counts_containers() {
        assert_eq!(within("parent", 0), json!({"parent": {"isNull": true}}));
        assert_eq!(within("parent", 2), json!({"parent": {"parent": {"parent": {"isNull": true}}}}));
    }
}
