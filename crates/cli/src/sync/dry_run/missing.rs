//! Lists what a source does not have any more, as a run would find it.

use std::collections::HashSet;

use anstyle::{AnsiColor, Style};
use serde::Deserialize;
use serde_json::{Value, json};
use underlay_client::{Client, ClientError, Pages, Total};
use underlay_inventory::Description;
use underlay_kit::sync::Prune;

use super::digest;
use crate::object::{ObjectPath, kinds, listing, selection};

const SOURCE: &str = "query($name: String!) { source(name: $name) { prune } }";
/// The attribute of an object that its source retired, and the member of it that names the source.
const RETIRED_FROM: &str = "retiredFrom";
const SOURCE_MEMBER: &str = "source";

/// The effect of a run on what is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    Delete,
    Retire,
    Release,
}

/// The objects that a source does not have any more.
#[derive(Debug)]
pub(super) struct Gone {
    /// The effect of a run on them.
    pub(super) what: What,
    /// The paths of the objects.
    pub(super) paths: Vec<String>,
}

#[derive(Deserialize)]
struct Found {
    source: Option<Settings>,
}

#[derive(Deserialize)]
struct Settings {
    prune: Setting,
}

/// The setting of a source for what is gone.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
enum Setting {
    Retire,
    Delete,
    Release,
    Keep,
}

impl Gone {
    /// Finds what carries the reference of a source and was not seen. `prune` is what the source gets if it is not
    /// there yet.
    pub(super) async fn of(
        client: &Client,
        source: &str,
        prune: Prune,
        seen: &HashSet<u64>,
    ) -> Result<Self, ClientError> {
        let Found { source: found } = client.query(SOURCE, json!({ "name": source })).await?;
        let setting = found.map_or_else(|| new(prune), |found| found.prune);
        let what = match setting {
            Setting::Delete => What::Delete,
            Setting::Retire => What::Retire,
            Setting::Release => What::Release,
            Setting::Keep => return Ok(Self { what: What::Release, paths: Vec::new() }),
        };
        let mut gone = Self { what, paths: Vec::new() };
        for kind in kinds().kinds() {
            gone.add(client, source, kind, seen).await?;
        }
        Ok(gone)
    }

    async fn add(
        &mut self,
        client: &Client,
        source: &str,
        kind: &'static Description,
        seen: &HashSet<u64>,
    ) -> Result<(), ClientError> {
        // Only a source that retires objects has retired ones.
        let retired = if self.what == What::Retire { "attributes" } else { "" };
        let filter = json!({ "externalRef": { "source": source } });
        let selection = format!("{} {retired} externalRefs {{ source externalId }}", selection(kind));
        let listing = listing(kind, filter, selection, None);
        let mut pages = Pages::of(client, listing, Total::NotCounted);
        while let Some(page) = pages.next().await? {
            let is_gone = |object: &&Value| {
                let own = object["externalRefs"].as_array().into_iter().flatten().find(|it| it["source"] == source);
                let id = own.and_then(|reference| reference["externalId"].as_str()).unwrap_or_default();
                let is_retired = object["attributes"][RETIRED_FROM][SOURCE_MEMBER] == source;
                !is_retired && !seen.contains(&digest(&[kind.singular, id]))
            };
            let paths = page.nodes.iter().filter(is_gone).map(|object| ObjectPath::read(kind, object).to_string());
            self.paths.extend(paths);
        }
        Ok(())
    }

    /// Returns the lines that show them.
    pub(super) fn lines(&self) -> impl Iterator<Item = (Style, String)> {
        let color = |color: AnsiColor| Style::new().fg_color(Some(color.into()));
        self.paths.iter().map(move |path| match self.what {
            What::Delete => (color(AnsiColor::Red), format!("- {path}")),
            What::Retire => (color(AnsiColor::Red), format!("- {path}  retired")),
            What::Release => (color(AnsiColor::Yellow), format!("~ {path}  released")),
        })
    }
}

/// The setting of a source that its synchronizer creates.
const fn new(prune: Prune) -> Setting {
    match prune {
        Prune::Delete => Setting::Delete,
        Prune::Retire => Setting::Retire,
        Prune::Keep => Setting::Keep,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_request_is_read() {
        underlay_testing::graphql::assert_valid(SOURCE);
    }
}
