//! Declares a profile.

use serde_json::Value as Json;
use underlay_entity::profile::{Model, ProfileImage, ProfileMethod, ProfilePurpose};
use underlay_entity::text::Url;
use underlay_inventory::{Audience, Shape, Unfit, shorten_text};
use underlay_kind_derive::{kind, resolvers};
use underlay_read::{TextFilter, enum_filter};

use super::rules;
use super::topology::TOPOLOGY;
use crate::bounds::{ListBounds, texts};
use crate::common::{TEXTS, URL, member, url};
use crate::grammar::enum_name;
use crate::host::{Host, HostListFilter};

enum_filter!(ProfilePurposeFilter, ProfilePurpose);
enum_filter!(ProfileMethodFilter, ProfileMethod);

const IMAGE: Shape = Shape::Structure("an object with url, checksum and format");

/// The bounds of the list of kernel arguments.
const ARGUMENTS: ListBounds = ListBounds { entries: 256, characters: 1_000 };

/// A profile: a system that is booted on a host, to discover, install or wipe it. Tokens of tenants see no profiles.
#[kind(
    id = PROFILE,
    row = Model,
    reference(profile = "The name of the profile."),
    rules = &[rules::method, rules::origin],
    audience = Audience::Operators,
    searched(kernel, repository, image => |row| row.image.as_ref().map(|image| &image.url.0)),
)]
pub struct Profile {
    // The number 13 is reserved for the field `template`, which comes with the booting of hosts by the server's own
    // endpoints.
    /// The purpose for which the profile is booted.
    #[written = "Required to create a profile."]
    #[field(
        6,
        default = ProfilePurpose::Install,
        filter,
        order("the purpose", |row| Some(enum_name(row.purpose))),
        required,
    )]
    purpose: ProfilePurpose,

    /// The way in which the system is installed. Null unless the purpose is INSTALL.
    #[input = "The way in which the system is installed. Required for the purpose INSTALL, and for no other."]
    #[field(7, filter)]
    method: Option<ProfileMethod>,

    /// The kernel to boot.
    #[input = "The kernel to boot: an http or https URL."]
    #[field(8, shape = URL, output(Option<Url>, |row| row.kernel.clone().map(Url)), normalised(url))]
    kernel: Option<Url>,

    /// The first file system in memory, for the kernel.
    #[input = "The first file system in memory, for the kernel: an http or https URL. Requires a kernel."]
    #[field(9, shape = URL, output(Option<Url>, |row| row.initrd.clone().map(Url)), normalised(url))]
    initrd: Option<Url>,

    /// The repository that the system is installed from.
    #[input = "The repository that the system is installed from: an http or https URL. Required for the methods \
        KICKSTART_RPM and KICKSTART_OSTREE."]
    #[field(
        10,
        shape = URL,
        output(Option<Url>, |row| row.repository.clone().map(Url)),
        filter(TextFilter, |row| row.repository.as_deref()),
        normalised(url),
    )]
    repository: Option<Url>,

    /// The image that the system is installed from.
    #[written = "Required for the methods KICKSTART_IMAGE and DISK_IMAGE. A profile has a repository or an image, not \
        both. A write replaces the whole object."]
    #[field(11, shape = IMAGE, borrowed, normalised(image))]
    image: Option<ProfileImage>,

    /// The arguments of the kernel.
    #[input = "The arguments of the kernel: at most 256, each of 1 to 1,000 characters. A write replaces the whole \
        list."]
    #[field(12, shape = TEXTS, normalised(|value| texts(value, ARGUMENTS)))]
    arguments: Vec<String>,

    /// True if the booted system is open for debugging: SSH, and the remote desktop that the installer has.
    #[input = "True opens the booted system for debugging: SSH, and the remote desktop that the installer has, which \
        is VNC, from RHEL 10 on RDP. Defaults to false."]
    #[field(14, filter)]
    debug: bool,

    /// The hosts whose order, or last order, boots the profile.
    #[list(Host::WANTED, filter)]
    hosts: Vec<Host>,
}

#[resolvers]
impl Profile {}

/// Checks the address and the digest of an image.
fn image(value: Json) -> Result<Json, Unfit> {
    let value = member(value, "url", |it| {
        match it.as_str().is_some_and(|text| text.chars().count() <= underlay_address::MAX_CHARACTERS) {
            true => url(it),
            false => Err(Unfit::new("", "must be an http or https URL of at most 2048 characters")),
        }
    })?;
    member(value, "checksum", checksum)
}

fn checksum(value: Json) -> Result<Json, Unfit> {
    let text = value.as_str().unwrap_or_default();
    let is_hexadecimal = |digest: &str| digest.bytes().all(|byte| byte.is_ascii_hexdigit());
    let fits = match text.split_once(':') {
        Some(("sha256", digest)) => digest.len() == 64 && is_hexadecimal(digest),
        Some(("sha512", digest)) => digest.len() == 128 && is_hexadecimal(digest),
        _ => false,
    };
    match fits {
        true => Ok(Json::String(text.to_ascii_lowercase())),
        false => {
            let shown = shorten_text(text);
            let reason = format!("must be sha256: and 64 hexadecimal digits, or sha512: and 128, not {shown:?}");
            Err(Unfit::new("", reason))
        }
    }
}
