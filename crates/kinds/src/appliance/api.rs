//! The GraphQL root fields that read and write appliances.

use super::input::{ApplianceInput, AppliancePatch, AppliancePayload};
use super::node::Appliance;
use crate::roots;

roots! {
    Appliance;
    query ApplianceQuery { appliance(), appliances }
    mutation ApplianceMutation { create_appliance, update_appliance, delete_appliance }
    with ApplianceInput, AppliancePatch, AppliancePayload { appliance }
}
