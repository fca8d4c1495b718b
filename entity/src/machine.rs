//! Column types that devices and virtual machines share: addresses, disks, processors and memory.

use async_graphql::{Enum, InputObject, SimpleObject};
use sea_orm::FromJsonQueryResult;
use sea_orm::entity::prelude::*;
use serde::{Deserialize, Serialize};

use crate::long::Long;

/// The purpose of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Enum)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[graphql(name = "AddressType")]
pub enum AddressType {
    /// An IP address inside the organization's own network.
    Internal,
    /// An IP address that external networks can reach.
    External,
    /// A name instead of an IP address.
    Hostname,
    /// The address at which the machine is managed.
    Management,
}

/// An address of a machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, SimpleObject, InputObject)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[graphql(input_name = "AddressInput")]
pub struct Address {
    /// The purpose of the address.
    pub r#type: AddressType,
    /// The IP address or name itself.
    pub address: String,
}

/// The list of all addresses of a machine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, FromJsonQueryResult)]
#[serde(transparent)]
pub struct Addresses(pub Box<[Address]>);

/// The technology of a disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Enum)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[graphql(name = "DiskType")]
pub enum DiskType {
    /// Flash with a SATA or SAS interface.
    Ssd,
    /// A disk with rotating platters.
    Hdd,
    /// Flash with an NVMe interface.
    Nvme,
}

/// A disk of a machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, SimpleObject, InputObject)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[graphql(input_name = "DiskInput")]
pub struct Disk {
    /// The name of the disk on the machine, such as `nvme0n1`.
    pub name: String,
    /// The size in bytes, at least 1.
    pub size_bytes: Long,
    /// The technology of the disk.
    pub r#type: DiskType,
}

/// The instruction set of a processor.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, EnumIter, DeriveActiveEnum, Enum,
)]
#[sea_orm(rs_type = "String", db_type = "Text")]
#[graphql(name = "CpuArchitecture")]
pub enum CpuArchitecture {
    /// The 64-bit x86 architecture.
    #[sea_orm(string_value = "AMD64")]
    #[serde(rename = "AMD64")]
    #[graphql(name = "AMD64")]
    Amd64,
    /// The 64-bit ARM architecture.
    #[sea_orm(string_value = "ARM64")]
    #[serde(rename = "ARM64")]
    #[graphql(name = "ARM64")]
    Arm64,
    /// Any other instruction set.
    #[sea_orm(string_value = "OTHER")]
    #[serde(rename = "OTHER")]
    #[graphql(name = "OTHER")]
    Other,
}

/// The processors, memory and disks of a device.
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
    /// The disks. Defaults to an empty list.
    #[serde(default)]
    #[graphql(default)]
    pub disks: Vec<Disk>,
}

/// The resources of its host that a virtual machine is allocated.
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
    /// The disks. Defaults to an empty list.
    #[serde(default)]
    #[graphql(default)]
    pub disks: Vec<Disk>,
}
