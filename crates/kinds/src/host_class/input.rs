//! The GraphQL inputs, filters and sort orders of host classes.

use underlay_entity::host_class::{HostMatch, Model};

use crate::host::{Host, HostListFilter};
use crate::{filter, inputs, order};
use underlay_read::TextFilter;

inputs! {
    HostClass as host_class;
    input HostClassInput;
    patch HostClassPatch;
    payload HostClassPayload;

    reference HostClassRef {
        /// The name of the host class.
        host_class: String;
    }

    fixed {}

    fields {
        /// A readable name for people. It need not be unique.
        title: String;
        /// The conditions under which a host that is discovered gets the class. Without them no host gets it by itself. A
        /// write replaces the whole object.
        r#match: HostMatch;
    }
}

filter! {
    HostClass: Model;
    filter HostClassFilter, HostClassListFilter;

    values {
        title: TextFilter = |class| class.title.as_deref();
    }

    references {}

    lists {
        hosts: HostListFilter => Host, Host::CLASS;
    }

    more {}
}

order! {
    HostClass: Model;
    order HostClassOrder, HostClassOrderBy;

    values {
        Title as "title": "the title" = |class| class.title.as_deref();
    }
}
