//! The GraphQL inputs, filters and sort orders of profiles.

use underlay_entity::profile::{Model, ProfileImage, ProfileMethod, ProfilePurpose};
use underlay_entity::text::Url;

use crate::grammar::enum_name;
use crate::host::{Host, HostListFilter};
use crate::{filter, inputs, order};
use underlay_read::enum_filter;
use underlay_read::{BooleanFilter, TextFilter};

enum_filter!(ProfilePurposeFilter, ProfilePurpose);
enum_filter!(ProfileMethodFilter, ProfileMethod);

inputs! {
    Profile as profile;
    input ProfileInput;
    patch ProfilePatch;
    payload ProfilePayload;

    reference ProfileRef {
        /// The name of the profile.
        profile: String;
    }

    fixed {}

    fields {
        /// The purpose for which the profile is booted. Required to create a profile.
        purpose: ProfilePurpose;
        /// The way in which the system is installed. Required for the purpose INSTALL, and for no other.
        method: ProfileMethod;
        /// The kernel to boot: an http or https URL.
        kernel: Url;
        /// The first file system in memory, for the kernel: an http or https URL. Requires a kernel.
        initrd: Url;
        /// The repository that the system is installed from: an http or https URL. Required for the methods
        /// KICKSTART_RPM and KICKSTART_OSTREE.
        repository: Url;
        /// The image that the system is installed from. Required for the methods KICKSTART_IMAGE and DISK_IMAGE. A profile
        /// has a repository or an image, not both. A write replaces the whole object.
        image: ProfileImage;
        /// The arguments of the kernel: at most 256, each of 1 to 1,000 characters. A write replaces the whole list.
        arguments: Vec<String>;
        /// True opens the booted system for debugging: SSH, and the remote desktop that the installer has, which is VNC,
        /// from RHEL 10 on RDP. Defaults to false.
        debug: bool;
    }
}

filter! {
    Profile: Model;
    filter ProfileFilter, ProfileListFilter;

    values {
        purpose: ProfilePurposeFilter = |profile| Some(profile.purpose);
        method: ProfileMethodFilter = |profile| profile.method;
        repository: TextFilter = |profile| profile.repository.as_deref();
        debug: BooleanFilter = |profile| Some(profile.debug);
    }

    references {}

    lists {
        hosts: HostListFilter => Host, Host::WANTED;
    }

    more {}
}

order! {
    Profile: Model;
    order ProfileOrder, ProfileOrderBy;

    values {
        Purpose as "purpose": "the purpose" = |profile| Some(enum_name(profile.purpose));
    }
}
