//! The texts that a machine boots and works by, made of the profile and of the host.
//!
//! Guarantees: a value stays within its quotes. Each text that works on a machine begins with a check of the machine.

use underlay_boot::{Program, Start, check_argument, start};
use underlay_entity::boot_attempt::BootPurpose;
use underlay_entity::host::Model as Host;
use underlay_entity::profile::{Model as Profile, ProfilePurpose};
use underlay_inventory::{Kind, Snapshot, cast};

use super::refusal::WhyDisk;
use crate::profile::Profile as ProfileKind;

/// The name of the profile that discovers hosts, if there are several for this purpose.
const DISCOVERY: &str = "discovery";
/// The text by which a machine finds out its hardware.
const DISCOVER: &str = include_str!("discover.sh");
/// The media type of shell scripts.
pub const SHELL: &str = "text/x-shellscript";

/// A file that a machine may fetch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// The name by which the machine asks for it.
    pub name: &'static str,
    /// The URL where the boot server gets it.
    pub url: String,
}

/// Returns the profile that is booted on a host for a purpose.
///
/// # Errors
/// Returns the reason why there is none.
pub fn profile_for<'a>(snapshot: &'a Snapshot, host: &Host, purpose: BootPurpose) -> Result<&'a Profile, WhyDisk> {
    let nothing =
        |reason: &str| WhyDisk::NothingToBoot { host: host.name.to_string(), purpose, reason: reason.to_owned() };
    if purpose != BootPurpose::Discover {
        return Err(nothing("the provisioner direct can only discover"));
    }
    let all = snapshot.table(ProfileKind::ID).rows(0).map(|(_, row)| cast::<Profile>(row.as_ref()));
    let fitting: Vec<&Profile> = all.filter(|profile| profile.purpose == ProfilePurpose::Discover).collect();
    let found = match fitting.as_slice() {
        [] => return Err(nothing("there is no profile for the purpose DISCOVER")),
        [only] => only,
        several => several.iter().find(|profile| &*profile.name == DISCOVERY).ok_or_else(|| {
            nothing("there are several profiles for the purpose DISCOVER, and none is named discovery")
        })?,
    };
    if found.kernel.is_none() {
        return Err(nothing("its profile has no kernel"));
    }
    for argument in &found.arguments.0 {
        check_argument(argument).map_err(|error| nothing(&error.to_string()))?;
    }
    Ok(found)
}

/// Returns the files of a profile.
pub fn files(profile: &Profile) -> Vec<File> {
    let file = |name, url: &Option<_>| Some(File { name, url: Option::<&String>::cloned(url.as_ref())? });
    [file("kernel", &profile.kernel), file("initrd", &profile.initrd)].into_iter().flatten().collect()
}

/// Returns the script that starts the kernel of a profile. `url` is that of the boot server.
///
/// # Errors
/// Returns a sentence if a value of the profile cannot be written.
pub fn script(profile: &Profile, program: Program, url: &str, token: &str, reason: &str) -> Result<String, String> {
    let text = format!("underlay.text={url}/boot/text/{token}");
    let arguments: Vec<&str> = profile.arguments.0.iter().map(AsRef::as_ref).chain([text.as_str()]).collect();
    let initrd = profile.initrd.as_ref().map(|_| format!("{url}/boot/f/{token}/initrd"));
    let kernel_url = &format!("{url}/boot/f/{token}/kernel");
    let started = Start { kernel_url, initrd_url: initrd.as_deref(), arguments: &arguments, reason };
    start(program, &started).map_err(|error| error.to_string())
}

/// Returns the text by which the machine of a host finds out its hardware.
pub fn discovery(host: &Host, url: &str, token: &str) -> String {
    let seen = host.seen_identity.as_ref();
    let uid = host.uid.as_deref();
    let is_uuid = |text: &&str| text.parse::<uuid::Uuid>().is_ok();
    let uuid = seen.and_then(|it| it.uuid.as_deref()).or(uid.filter(is_uuid)).unwrap_or_default();
    let serial = host.serial.as_deref().or(uid.filter(|text| !is_uuid(text))).unwrap_or_default();
    with_values([("url", url), ("token", token), ("expected_uuid", uuid), ("expected_serial", serial)])
}

/// Returns the text with variables of the shell. They are put in at once, so that no value is searched for the place of
/// another one.
fn with_values(values: [(&str, &str); 4]) -> String {
    let assigned = values.map(|(name, value)| format!("{name}={}", shell_word(value)));
    DISCOVER.replacen("{values}", &assigned.join("\n"), 1)
}

/// Returns a text as one word of a shell.
fn shell_word(text: &str) -> String {
    let visible: String = text.chars().filter(|letter| !letter.is_control()).collect();
    format!("'{}'", visible.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_stays_within_its_quotes() {
        for evil in ["it's", "$(reboot)", "`reboot`", "{values}", "a\nreboot", "\\'; reboot #"] {
            let text =
                with_values([("url", evil), ("token", "t"), ("expected_uuid", "{values}"), ("expected_serial", evil)]);
            let quoted = shell_word(evil);
            let head = format!("url={quoted}\ntoken='t'\nexpected_uuid='{{values}}'\nexpected_serial={quoted}\n");
            assert!(text.contains(&head), "{text}");
            assert!(!quoted.contains('\n') && quoted.starts_with('\'') && quoted.ends_with('\''), "{quoted}");
        }
        assert_eq!(shell_word("it's"), "'it'\\''s'");
    }
}
