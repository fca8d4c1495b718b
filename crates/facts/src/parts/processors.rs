//! The processors.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A processor in a socket.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Processor {
    /// The number of the socket, from 0.
    pub socket: u32,
    /// The model, such as `AMD EPYC 9654 96-Core Processor`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The number of cores that are on.
    pub cores: u32,
    /// The number of threads that are on.
    pub threads: u32,
    /// The version of the microcode, as the kernel writes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub microcode: Option<String>,
    /// Members of a later format.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}
