//! The GraphQL root fields that read and write sources.

use super::input::{SourceInput, SourcePatch, SourcePayload};
use super::node::Source;
use crate::roots;

roots! {
    Source;
    query SourceQuery { source(), sources }
    mutation SourceMutation { create_source, update_source, delete_source }
    with SourceInput, SourcePatch, SourcePayload { source }
}
