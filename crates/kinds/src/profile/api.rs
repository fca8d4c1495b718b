//! The GraphQL root fields that read and write profiles.

use super::input::{ProfileInput, ProfilePatch, ProfilePayload};
use super::node::Profile;
use crate::roots;

roots! {
    Profile;
    query ProfileQuery { profile(), profiles }
    mutation ProfileMutation { create_profile, update_profile, delete_profile }
    with ProfileInput, ProfilePatch, ProfilePayload { profile }
}
