//! The validation rules of profiles.

use underlay_entity::profile::{ProfileMethod, ProfilePurpose};

use super::kind::Profile;
use underlay_inventory::{Checked, Problems};

/// Checks that a profile has a method if it installs, and only then.
pub fn method(checked: &Checked<'_>, problems: &mut Problems) {
    for (_, profile) in checked.written::<Profile>() {
        let installs = profile.purpose == ProfilePurpose::Install;
        if installs && profile.method.is_none() {
            problems.invalid(profile.id, "method", "is required for the purpose INSTALL");
        } else if !installs && profile.method.is_some() {
            problems.invalid(profile.id, "method", "must be absent unless the purpose is INSTALL");
        }
    }
}

/// Checks that a profile has the repository or image that its method needs, not both, and a kernel for its initrd.
pub fn origin(checked: &Checked<'_>, problems: &mut Problems) {
    use ProfileMethod::{DiskImage, KickstartImage, KickstartOstree, KickstartRpm};
    for (_, profile) in checked.written::<Profile>() {
        if profile.repository.is_some() && profile.image.is_some() {
            problems.invalid(profile.id, "image", "must be absent if the profile has a repository");
            continue;
        }
        match profile.method {
            Some(KickstartRpm | KickstartOstree) if profile.repository.is_none() => {
                let reason = "is required for the methods KICKSTART_RPM and KICKSTART_OSTREE";
                problems.invalid(profile.id, "repository", reason);
            }
            Some(KickstartImage | DiskImage) if profile.image.is_none() => {
                problems.invalid(profile.id, "image", "is required for the methods KICKSTART_IMAGE and DISK_IMAGE");
            }
            _ => {}
        }
        if profile.initrd.is_some() && profile.kernel.is_none() {
            problems.invalid(profile.id, "kernel", "is required with an initrd");
        }
    }
}
