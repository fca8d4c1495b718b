//! The GraphQL root fields that read and write links.

use super::input::{LinkInput, LinkPatch, LinkPayload};
use super::node::Link;
use crate::roots;

roots! {
    Link;
    query LinkQuery {
        link(),
        links
    }
    mutation LinkMutation { create_link, update_link, delete_link }
    with LinkInput, LinkPatch, LinkPayload { link }
}
