//! The row of a profile: a system that is booted on a host, to discover, install or wipe it.

use async_graphql::{Enum, InputObject, SimpleObject};
use sea_orm::FromJsonQueryResult;
use sea_orm::entity::prelude::*;
use serde::{Deserialize, Serialize};

use crate::common::Texts;
use crate::text::Url;

crate::row::kind_row! {
    /// One profile in the table `profile`.
    table "profile" {
        pub purpose: ProfilePurpose,
        /// The way in which the system is installed. Set for the purpose INSTALL alone.
        pub method: Option<ProfileMethod>,
        pub kernel: Option<String>,
        pub initrd: Option<String>,
        /// The repository that the system is installed from. A profile has a repository or an image, never both.
        pub repository: Option<String>,
        pub image: Option<ProfileImage>,
        /// The arguments of the kernel.
        pub arguments: Texts,
        pub debug: bool,
    }
}

crate::choice::choice! {
    /// The purpose for which a profile is booted.
    pub enum ProfilePurpose {
        /// Finds out the hardware of the host.
        Discover,
        /// Installs a system on the host.
        Install,
        /// Erases the disks of the host.
        Wipe,
    }
}

crate::choice::choice! {
    /// The way in which a system is installed.
    pub enum ProfileMethod {
        /// The installer of a Linux distribution installs packages of a repository.
        KickstartRpm,
        /// The installer of a Linux distribution deploys an OSTree commit of a repository.
        KickstartOstree,
        /// The installer of a Linux distribution unpacks an image.
        KickstartImage,
        /// An image is written to the root disk as it is.
        DiskImage,
    }
}

/// The format of a disk image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Enum)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[graphql(name = "ImageFormat")]
pub enum ImageFormat {
    /// The bytes of the disk.
    Raw,
    /// The format of QEMU, version 2.
    #[graphql(name = "QCOW2")]
    Qcow2,
}

/// An image that a system is installed from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, FromJsonQueryResult, SimpleObject, InputObject)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[graphql(name = "ProfileImage", input_name = "ProfileImageInput")]
pub struct ProfileImage {
    /// The address of the image: an http or https URL of at most 2,048 characters.
    pub url: Url,
    /// The digest of the image: `sha256:` or `sha512:`, then the digest in hexadecimal digits.
    pub checksum: String,
    /// The format of the image.
    pub format: ImageFormat,
}
