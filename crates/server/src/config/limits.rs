//! The table `[limits]`: each limit with the values that are allowed.

use std::time::Duration;

use serde::Deserialize;

use super::value::{count, flag, seconds};
use crate::http::Limits;
use underlay_engine::write::MAX_BATCH_ITEMS;

/// The highest limit of bytes and of parts of a document.
const MAX_LIMIT: usize = u32::MAX as usize;
/// The greatest depth of nested fields that the limit allows.
const MAX_DEPTH: usize = 64;
/// The most requests, connections or subscriptions at a time.
const MAX_CONCURRENCY: usize = 1_000_000;

/// Describes how [`Limits`] are written. Its fields are those of [`Limits`], which the compiler checks.
#[derive(Deserialize)]
#[serde(remote = "Limits", rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct LimitsTable {
    #[serde(deserialize_with = "count::<MAX_LIMIT, _>")]
    body: usize,
    #[serde(deserialize_with = "count::<MAX_LIMIT, _>")]
    apply_body: usize,
    #[serde(deserialize_with = "count::<MAX_LIMIT, _>")]
    bodies: usize,
    #[serde(deserialize_with = "count::<MAX_LIMIT, _>")]
    answer: usize,
    #[serde(deserialize_with = "count::<MAX_LIMIT, _>")]
    answers: usize,
    #[serde(deserialize_with = "count::<MAX_LIMIT, _>")]
    tokens: usize,
    #[serde(deserialize_with = "count::<MAX_DEPTH, _>")]
    depth: usize,
    #[serde(deserialize_with = "count::<MAX_LIMIT, _>")]
    fields: usize,
    #[serde(deserialize_with = "count::<MAX_LIMIT, _>")]
    values: usize,
    #[serde(deserialize_with = "count::<MAX_LIMIT, _>")]
    steps: usize,
    #[serde(deserialize_with = "count::<MAX_LIMIT, _>")]
    objects: usize,
    #[serde(deserialize_with = "count::<MAX_LIMIT, _>")]
    aliases: usize,
    #[serde(deserialize_with = "count::<MAX_LIMIT, _>")]
    directives: usize,
    #[serde(deserialize_with = "count::<MAX_BATCH_ITEMS, _>")]
    items: usize,
    #[serde(deserialize_with = "seconds")]
    timeout: Duration,
    #[serde(deserialize_with = "count::<MAX_CONCURRENCY, _>")]
    requests: usize,
    #[serde(deserialize_with = "count::<MAX_CONCURRENCY, _>")]
    connections: usize,
    #[serde(deserialize_with = "count::<MAX_CONCURRENCY, _>")]
    subscriptions: usize,
    #[serde(deserialize_with = "flag")]
    introspection: bool,
}
