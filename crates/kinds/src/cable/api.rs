//! The GraphQL root fields that read and write cables.

use super::input::{CableInput, CablePatch, CablePayload};
use super::node::Cable;
use crate::roots;

roots! {
    Cable;
    query CableQuery {
        cable(),
        cables
    }
    mutation CableMutation { create_cable, update_cable, delete_cable }
    with CableInput, CablePatch, CablePayload { cable }
}
