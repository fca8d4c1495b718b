//! The GraphQL object of a host class.

use underlay_entity::host_class::{HostMatch, Model};

use underlay_entity::host::{self, HostState};

use crate::host::{Host, is_claimable};
use crate::object;

object! {
    /// A host class: hosts that are alike enough to stand in for each other.
    HostClass: Model;

    own {
        /// A readable name for people. It need not be unique.
        title: Option<&str> = |class| class.title.as_deref();
        /// The conditions under which a host that is discovered gets the class. Null: no host gets it by itself.
        r#match: Option<&HostMatch> = |class| class.criteria.as_ref();
    }

    requires {}

    refers {}

    lists {
        /// The hosts of the class.
        hosts: Host by Host::CLASS;
    }

    more {
        /// The number of hosts of the class.
        async fn total(&self) -> usize {
            self.count(|_| true)
        }

        /// The number of hosts of the class that can be acquired: they are AVAILABLE and in no maintenance, their machine
        /// is ACTIVE or STAGED, and nothing failed.
        async fn available(&self) -> usize {
            self.0.referrers::<Host>(Host::CLASS).filter(is_claimable).count()
        }

        /// The number of hosts of the class that belong to somebody: from ACQUIRED until they are AVAILABLE again.
        async fn acquired(&self) -> usize {
            self.count(|host| host.state.is_taken())
        }

        /// The number of hosts of the class that are FAILED.
        async fn failed(&self) -> usize {
            self.count(|host| host.state == HostState::Failed)
        }
    }
}

impl HostClass {
    /// Counts the hosts of the class that fit.
    fn count(&self, fits: fn(&host::Model) -> bool) -> usize {
        self.0.referrers::<Host>(Host::CLASS).filter(|host| fits(&host.row)).count()
    }
}
