//! The GraphQL root fields that read and write devices.

use super::input::{DeviceInput, DevicePatch, DevicePayload};
use super::node::Device;
use crate::roots;

roots! {
    Device;
    query DeviceQuery {
        device(
            /// The name of the device's site.
            site: String,
        ),
        devices
    }
    mutation DeviceMutation { create_device, update_device, delete_device }
    with DeviceInput, DevicePatch, DevicePayload { device }
}
