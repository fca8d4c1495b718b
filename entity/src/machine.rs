//! What devices and virtual machines have in common: addresses, disks, processors and memory.

use async_graphql::{Enum, InputObject, SimpleObject};
use sea_orm::FromJsonQueryResult;
use serde::{Deserialize, Serialize};

use crate::long::Long;

/// What an address is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Enum)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[graphql(name = "AddressType")]
pub enum AddressType {
    /// An IP address inside the own network.
    Internal,
    /// An IP address that the outside reaches.
    External,
    /// A name instead of an IP address.
    Hostname,
    /// Where the machine is managed.
    Management,
}

/// An address of a machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, SimpleObject, InputObject)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[graphql(input_name = "AddressInput")]
pub struct Address {
    /// What it is for.
    pub r#type: AddressType,
    /// The IP address or name itself.
    pub address: String,
}

/// All addresses of a machine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, FromJsonQueryResult)]
#[serde(transparent)]
pub struct Addresses(pub Box<[Address]>);

/// How a disk is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Enum)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[graphql(name = "DiskType")]
pub enum DiskType {
    /// Flash behind SATA or SAS.
    Ssd,
    /// Rotating.
    Hdd,
    /// Flash behind NVMe.
    Nvme,
}

/// A disk of a machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, SimpleObject, InputObject)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[graphql(input_name = "DiskInput")]
pub struct Disk {
    /// What the machine calls it, such as `nvme0n1`.
    pub name: String,
    /// The size in bytes, at least 1.
    pub size_bytes: Long,
    /// How it is built.
    pub r#type: DiskType,
}

/// The instruction set of a processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Enum)]
#[graphql(name = "CpuArchitecture")]
pub enum CpuArchitecture {
    /// 64-bit x86.
    #[serde(rename = "AMD64")]
    #[graphql(name = "AMD64")]
    Amd64,
    /// 64-bit ARM.
    #[serde(rename = "ARM64")]
    #[graphql(name = "ARM64")]
    Arm64,
    /// Any other.
    #[serde(rename = "OTHER")]
    #[graphql(name = "OTHER")]
    Other,
}

/// What a device is built of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, FromJsonQueryResult, SimpleObject, InputObject)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[graphql(input_name = "HardwareInput")]
pub struct Hardware {
    /// The number of processor cores, at least 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_cores: Option<i32>,
    /// The instruction set of the processors.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_architecture: Option<CpuArchitecture>,
    /// The memory in bytes, at least 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_bytes: Option<Long>,
    /// The disks. Default none.
    #[serde(default)]
    #[graphql(default)]
    pub disks: Vec<Disk>,
}

/// What a virtual machine is given of its host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, FromJsonQueryResult, SimpleObject, InputObject)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[graphql(input_name = "AllocationInput")]
pub struct Allocation {
    /// The number of virtual processors, at least 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vcpus: Option<i32>,
    /// The memory in bytes, at least 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_bytes: Option<Long>,
    /// The disks. Default none.
    #[serde(default)]
    #[graphql(default)]
    pub disks: Vec<Disk>,
}
