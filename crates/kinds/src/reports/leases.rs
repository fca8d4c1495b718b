//! The leases of hosts and appliances. The controllers without a site divide `hosts/00` to `hosts/63`, and those of a
//! site divide leases with the id of the site: `hosts/SITE/00` to `hosts/SITE/63`. The two kinds exclude each other
//! (`crates/engine/src/store/lease_names.rs`), so no host has two controllers.

use uuid::Uuid;

use super::invalid;
use crate::appliance::{Appliance, appliance_site};
use crate::host::{Host, host_site};
use underlay_inventory::{Refusal, Snapshot};

/// The beginning of the names of all leases of hosts.
pub const HOST_LEASE_PREFIX: &str = "hosts/";
/// The number of leases that hosts are divided over.
const HOST_LEASES: u8 = 64;

/// The leases that a host or an appliance belongs to.
#[derive(Debug, PartialEq, Eq)]
pub struct LeasesOf {
    /// The lease of the controllers without a site.
    pub general: String,
    /// The lease of the controllers of its site.
    pub of_site: Option<String>,
}

impl LeasesOf {
    /// Returns the leases of a host; `None` if there is no such host.
    pub fn host(snapshot: &Snapshot, id: Uuid) -> Option<Self> {
        snapshot.get::<Host>(id).map(|host| Self::of(id, host_site(snapshot, host)))
    }

    /// Returns the leases of an appliance; `None` if there is no such appliance.
    pub fn appliance(snapshot: &Snapshot, id: Uuid) -> Option<Self> {
        snapshot.get::<Appliance>(id).map(|appliance| Self::of(id, appliance_site(snapshot, appliance)))
    }

    /// Controllers compute the same, so this never changes.
    fn of(id: Uuid, site: Option<Uuid>) -> Self {
        // The last byte of an id is random, whatever its version.
        let number = id.as_bytes()[15] % HOST_LEASES;
        let of_site = site.map(|site| format!("{HOST_LEASE_PREFIX}{site}/{number:02}"));
        Self { general: format!("{HOST_LEASE_PREFIX}{number:02}"), of_site }
    }

    /// Checks that a lease is one of these.
    ///
    /// # Errors
    /// Returns a sentence with these leases.
    pub fn check(&self, lease: &str) -> Result<(), Refusal> {
        let Self { general, of_site } = self;
        if lease == general || of_site.as_deref() == Some(lease) {
            return Ok(());
        }
        let of_site = of_site.as_ref().map(|name| format!(" or {name}")).unwrap_or_default();
        Err(invalid("lease", format!("must be {general}{of_site}, the lease of this object, not {lease}")))
    }
}

/// Returns the id of the site in the lease of a provisioner, if it has one. Controllers without a site have other
/// provisioners than those of a site, and each site has its own, even if they have one name.
///
/// # Errors
/// Returns a sentence with the leases of the provisioner.
pub fn site_of_provisioner(lease: &str, provisioner: &str) -> Result<Option<Uuid>, Refusal> {
    let number = provisioner.bytes().fold(0, u8::wrapping_add) % HOST_LEASES;
    let wrong = || {
        let reason = format!(
            "must be {HOST_LEASE_PREFIX}{number:02} or {HOST_LEASE_PREFIX}SITE/{number:02}, a lease of this provisioner"
        );
        invalid("lease", reason)
    };
    let rest = lease
        .strip_prefix(HOST_LEASE_PREFIX)
        .and_then(|rest| rest.strip_suffix(&format!("{number:02}")))
        .ok_or_else(wrong)?;
    match rest.strip_suffix('/') {
        None if rest.is_empty() => Ok(None),
        None => Err(wrong()),
        // Only the form that ids are written in names a lease.
        Some(site) => site.parse().ok().filter(|id: &Uuid| id.to_string() == site).map(Some).ok_or_else(wrong),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lease_of_a_host_never_changes() {
        for (id, lease) in [(0, "hosts/00"), (63, "hosts/63"), (64, "hosts/00"), (255, "hosts/63"), (256, "hosts/00")] {
            assert_eq!(LeasesOf::of(Uuid::from_u128(id), None).general, lease, "{id}");
        }
        let site = Uuid::from_u128(0xab);
        let of_site = LeasesOf::of(Uuid::from_u128(7), Some(site)).of_site;
        assert_eq!(of_site.as_deref(), Some("hosts/00000000-0000-0000-0000-0000000000ab/07"));
    }

    #[test]
    fn the_leases_of_a_provisioner_never_change() {
        let site = Uuid::from_u128(0xab);
        let long = "z".repeat(253);
        for (name, number) in [("simulated", "08"), ("ironic", "04"), (&long, "18")] {
            let leases = [
                (format!("hosts/{number}"), Some(None)),
                (format!("hosts/{site}/{number}"), Some(Some(site))),
                ("hosts/63".to_owned(), None),
                (format!("hosts//{number}"), None),
                (format!("hosts/{}/{number}", site.simple()), None),
                (format!("hosts/x{number}"), None),
            ];
            for (lease, found) in leases {
                assert_eq!(site_of_provisioner(&lease, name).ok(), found, "{name} {lease}");
            }
        }
    }

    #[test]
    fn a_lease_of_another_number_or_site_is_refused() {
        let (here, there) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let leases = LeasesOf::of(Uuid::from_u128(7), Some(here));
        for (lease, is_right) in [
            ("hosts/07".to_owned(), true),
            (format!("hosts/{here}/07"), true),
            ("hosts/08".to_owned(), false),
            (format!("hosts/{here}/08"), false),
            (format!("hosts/{there}/07"), false),
        ] {
            assert_eq!(leases.check(&lease).is_ok(), is_right, "{lease}");
        }
        assert!(LeasesOf::of(Uuid::from_u128(7), None).check(&format!("hosts/{here}/07")).is_err(), "it has no site");
    }
}
