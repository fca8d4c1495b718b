//! Describes a profile to the inventory: its fields, key and rules.

use std::sync::Arc;

use serde_json::Value as Json;
use underlay_entity::profile::{Model, ProfileMethod, ProfilePurpose};

use super::node::Profile;
use super::rules;
use super::topology::TOPOLOGY;
use crate::bounds::{ListBounds, texts};
use crate::common::{TEXTS, URL, member, url, words};
use crate::ids;
use crate::{blank, fields};
use underlay_inventory::{Audience, Description, Echo, Field, Key, Kind, KindId, Shape, Unfit, shorten_text};
use underlay_inventory::{field, searched};

const IMAGE: Shape = Shape::Structure("an object with url, checksum and format");
/// The bounds of the list of kernel arguments.
const ARGUMENTS: ListBounds = ListBounds { entries: 256, characters: 1_000 };

/// The numbers of the fields. Number 13 is reserved for the field `template`, which comes with the booting of hosts by the
/// server's own endpoints.
const FIELDS: &[Field] = fields![
    field!(6, Model.purpose, "purpose", Shape::Choice(words::<ProfilePurpose>)).required(),
    field!(7, Model.method, "method", Shape::Choice(words::<ProfileMethod>)),
    field!(8, Model.kernel, "kernel", URL).normalised(url),
    field!(9, Model.initrd, "initrd", URL).normalised(url),
    field!(10, Model.repository, "repository", URL).normalised(url),
    field!(11, Model.image, "image", IMAGE).normalised(image),
    field!(12, Model.arguments, "arguments", TEXTS).normalised(|value| texts(value, ARGUMENTS)),
    field!(14, Model.debug, "debug", Shape::Boolean),
];

/// The description of profiles in the registry.
pub static DESCRIPTION: Description = Description {
    id: ids::PROFILE,
    name: "Profile",
    singular: "profile",
    fields: FIELDS,
    key: Key { parents: &[], family: None, name_member: "profile" },
    blank: || Arc::new(blank()),
    rules: &[rules::method, rules::origin],
    parts: &[],
    on_loss: None,
    on_write: None,
    unnamed: None,
    unique: &[],
    audience: Audience::Operators,
    echo: Echo::Values,
    reserves: None,
    protection: None,
    arrival: None,
    searched: searched!(Model {
        "kernel" => |profile| &profile.kernel,
        "repository" => |profile| &profile.repository,
        "image" => |profile| profile.image.as_ref().map(|image| &image.url.0),
    }),
    packed_state: |row| TOPOLOGY.packed_state(row),
};

impl Kind for Profile {
    type Row = Model;
    const ID: KindId = ids::PROFILE;

    fn describe() -> &'static Description {
        &DESCRIPTION
    }
}

blank!(Model {
    purpose: ProfilePurpose::Install,
    method: None,
    kernel: None,
    initrd: None,
    repository: None,
    image: None,
    arguments: Default::default(),
    debug: false,
});

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
