//! The GraphQL object of a profile.

use underlay_entity::profile::{Model, ProfileImage, ProfileMethod, ProfilePurpose};
use underlay_entity::text::Url;

use crate::host::Host;
use crate::object;

object! {
    /// A profile: a system that is booted on a host, to discover, install or wipe it. Tokens of tenants see no profiles.
    Profile: Model;

    own {
        /// The purpose for which the profile is booted.
        purpose: ProfilePurpose = |profile| profile.purpose;
        /// The way in which the system is installed. Null unless the purpose is INSTALL.
        method: Option<ProfileMethod> = |profile| profile.method;
        /// The kernel to boot.
        kernel: Option<Url> = |profile| profile.kernel.clone().map(Url);
        /// The first file system in memory, for the kernel.
        initrd: Option<Url> = |profile| profile.initrd.clone().map(Url);
        /// The repository that the system is installed from.
        repository: Option<Url> = |profile| profile.repository.clone().map(Url);
        /// The image that the system is installed from.
        image: Option<&ProfileImage> = |profile| profile.image.as_ref();
        /// The arguments of the kernel.
        arguments: &[String] = |profile| &profile.arguments.0;
        /// True if the booted system is open for debugging: SSH, and the remote desktop that the installer has.
        debug: bool = |profile| profile.debug;
    }

    requires {}

    refers {}

    lists {
        /// The hosts whose order, or last order, boots the profile.
        hosts: Host by Host::WANTED;
    }

    more {}
}
