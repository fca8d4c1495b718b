//! Strays: machines that exist at provisioners and are no hosts. Controllers report them, people see them, and nothing
//! is ever removed.
//!
//! Guarantees: strays make no revision, and only operators and admins see them. A machine that became a host since the
//! last look is not listed.

use std::collections::{BTreeSet, HashSet};

use async_graphql::{Context, ID, InputObject, Object, Result, SimpleObject};
use chrono::{DateTime, TimeDelta, Utc};
use underlay_entity::host::Model as HostRow;
use underlay_entity::long::Long;
use underlay_entity::stray::{Model, Stray};
use uuid::Uuid;

use super::invalid;
use super::leases::site_of_provisioner;
use super::write::{MAX_SENTENCE_CHARACTERS, check_text};
use crate::control::unanswered;
use crate::errors::{forbidden, refused};
use crate::host::Host;
use crate::request::Request;
use crate::site::Site;
use underlay_engine::access::WriteKind;
use underlay_engine::store::{Fence, LeasesAt, MAX_STRAYS, SeenStrays};
use underlay_engine::write::check_name;
use underlay_inventory::{Kind, Refusal, Snapshot, cast, parse_id};

/// The maximum length of a name, in characters.
const MAX_NAME_CHARACTERS: usize = 253;
/// The time after which a look says nothing any more.
const LOOK_LIFETIME: TimeDelta = TimeDelta::days(1);

/// The machines at a provisioner that are no hosts.
#[derive(Clone, Debug, InputObject)]
pub struct ReportStraysInput {
    /// The controller, by the name with which it took its leases.
    pub holder: String,
    /// The lease of the provisioner: `hosts/NN` of a controller without a site, or `hosts/SITE/NN` of one of a site. NN is the
    /// sum of the bytes of the provisioner's name modulo 64, in two digits, and SITE is the id of the site.
    pub lease: String,
    /// The epoch under which the controller holds the lease.
    pub epoch: Long,
    /// The name of the provisioner.
    pub provisioner: String,
    /// The strays: at most 1,000, each name once. They take the place of those that were reported before.
    pub strays: Vec<StrayInput>,
    /// The number of all strays of the provisioner, of which the list can have a part.
    pub total: i32,
}

/// A machine that is registered at a provisioner and is no host.
#[derive(Clone, Debug, InputObject)]
pub struct StrayInput {
    /// The name under which the provisioner has it: 1 to 253 characters.
    pub name: String,
    /// The id of the host for which a controller registered it. Absent: somebody else did.
    pub host: Option<ID>,
    /// The address of the machine, at most 2,000 characters.
    pub address: Option<String>,
    /// The UUID or serial number by which the machine identifies itself: at most 253 characters.
    pub uid: Option<String>,
}

/// The result of `reportStrays`.
#[derive(Clone, Debug, SimpleObject)]
pub struct ReportStraysPayload {
    /// The number of strays that are no hosts now.
    pub total: i32,
}

/// The machines at a provisioner that are no hosts, as a controller saw them at its last look.
#[derive(Clone, Debug, SimpleObject)]
pub struct ProvisionerStrays {
    /// The name of the provisioner.
    pub provisioner: String,
    /// The site whose controllers have this provisioner. Null: they serve all sites, or the site was deleted.
    pub site: Option<Site>,
    /// The controller that looked.
    pub by: String,
    /// The time of the look.
    pub seen_at: DateTime<Utc>,
    /// The number of all strays. More than 1,000 are not listed.
    pub total: i32,
    /// The strays, in the order of their names.
    pub strays: Vec<HostStray>,
}

/// A machine that is registered at a provisioner and is no host. It is never removed by a controller.
#[derive(Clone, Debug, SimpleObject)]
pub struct HostStray {
    /// The name under which the provisioner has it.
    pub name: String,
    /// The id of the host for which a controller registered it. There is no such host, or it has another provisioner. Null:
    /// somebody else registered it.
    pub host: Option<ID>,
    /// The address of the machine.
    pub address: Option<String>,
    /// The UUID or serial number by which the machine identifies itself.
    pub uid: Option<String>,
    /// The time when a controller first saw it.
    pub since: DateTime<Utc>,
}

impl From<Stray> for HostStray {
    fn from(Stray { name, host, address, uid, since }: Stray) -> Self {
        Self { name, host: host.map(ID::from), address, uid, since }
    }
}

/// The root field that lists strays.
#[derive(Debug, Default)]
pub struct StrayRoots;

/// The root field that lists strays.
#[Object]
impl StrayRoots {
    /// The machines at provisioners that are no hosts, in the order of their names, as controllers saw them at their last
    /// looks within a day. They look every ten minutes, also while they may only observe, and remove nothing.
    async fn strays(&self, context: &Context<'_>) -> Result<Option<Vec<ProvisionerStrays>>> {
        let request = Request::of(context);
        let store = request.strays_to_read().map_err(|it| forbidden(&it))?;
        let rows = Box::pin(store.strays()).await.map_err(|it| unanswered(&it))?;
        let (snapshot, now) = (request.snapshot(), store.clock().now());
        let known = Known::of(&snapshot);
        let site_of = |row: &Model| {
            let object = snapshot.find(row.place.parse().ok()?)?;
            snapshot.hold(object).map(Site)
        };
        let recent = rows.into_iter().filter(|row| row.seen_at + LOOK_LIFETIME > now);
        Ok(Some(recent.map(|row| shown(&known, site_of(&row), row)).collect()))
    }
}

/// The root field by which strays are reported.
#[derive(Debug, Default)]
pub struct StrayMutation;

/// The root field by which strays are reported.
#[Object]
impl StrayMutation {
    /// Reports what exists at a provisioner and is no host, in the place of what was reported before. Controllers call it at
    /// each look at all hosts. The server leaves out what is a host by now, and logs each stray once.
    async fn report_strays(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The strays of a provisioner.")] input: ReportStraysInput,
    ) -> Result<Option<ReportStraysPayload>> {
        let request = Request::of(context);
        let handle = request.handle(WriteKind::Report).map_err(|it| forbidden(&it))?;
        let site = check(&input).map_err(|it| refused(&it, None, None))?;
        let fence = Fence { lease: input.lease.clone(), holder: input.holder.clone(), epoch: input.epoch.0 };
        let store = request.sources().store();
        let leases = Box::pin(store.named_leases(std::iter::once(fence.lease.as_str()))).await;
        let leases = leases.map_err(|it| unanswered(&it))?;
        check_lease(&fence, &leases).map_err(|it| refused(&it, None, None))?;
        let snapshot = request.snapshot();
        let known = Known::of(&snapshot);
        let mut seen = seen(input, &known, handle.author().actor, leases.now).map_err(|it| refused(&it, None, None))?;
        seen.place = site.map(|site| site.to_string()).unwrap_or_default();
        let (provisioner, total) = (seen.lister.clone(), seen.total);
        let new = Box::pin(store.store_strays(seen, leases.now)).await.map_err(|it| unanswered(&it))?;
        for stray in new {
            // These texts come from outside, so they are quoted.
            let Stray { name, host, address, .. } = stray;
            tracing::warn!(%provisioner, ?name, ?host, ?address, "a machine at a provisioner is no host; it is left alone");
        }
        Ok(Some(ReportStraysPayload { total }))
    }
}

/// The hosts of a snapshot, as far as they are found at provisioners.
struct Known<'a> {
    snapshot: &'a Snapshot,
    addresses: HashSet<&'a str>,
    uids: HashSet<String>,
}

impl<'a> Known<'a> {
    fn of(snapshot: &'a Snapshot) -> Self {
        let (mut addresses, mut uids) = (HashSet::new(), HashSet::new());
        for (_, row) in snapshot.table(Host::ID).rows(0) {
            let host = cast::<HostRow>(row.as_ref());
            addresses.extend(host.bmc_url.as_deref());
            uids.extend(host.uid.as_deref().map(str::to_lowercase));
        }
        Self { snapshot, addresses, uids }
    }

    /// Returns true if a machine at a provisioner is a host: the one for which it was registered, or else one with its
    /// address or identity.
    fn has(&self, provisioner: &str, stray: &Stray) -> bool {
        match stray.host {
            Some(host) => {
                self.snapshot.get::<Host>(host).is_some_and(|host| host.provisioner.as_deref() == Some(provisioner))
            }
            None => {
                stray.address.as_deref().is_some_and(|address| self.addresses.contains(address))
                    || stray.uid.as_deref().is_some_and(|uid| self.uids.contains(&uid.to_lowercase()))
            }
        }
    }
}

/// Returns the strays of a provisioner without those that are hosts by now.
fn shown(known: &Known<'_>, site: Option<Site>, row: Model) -> ProvisionerStrays {
    let Model { provisioner, by, seen_at, total, listed, .. } = row;
    let before = listed.0.len();
    let strays: Vec<HostStray> =
        listed.0.into_iter().filter(|stray| !known.has(&provisioner, stray)).map(HostStray::from).collect();
    let total = total - i32::try_from(before - strays.len()).unwrap_or_default();
    ProvisionerStrays { provisioner, site, by, seen_at, total, strays }
}

/// Checks strays on their own. Returns the id of the site of their provisioner.
fn check(input: &ReportStraysInput) -> std::result::Result<Option<Uuid>, Refusal> {
    check_name("holder", Some(&input.holder))?;
    check_text("provisioner", &input.provisioner, MAX_NAME_CHARACTERS)?;
    let site = site_of_provisioner(&input.lease, &input.provisioner)?;
    let count = input.strays.len();
    if count > MAX_STRAYS {
        return Err(invalid("strays", format!("has {count} entries; at most {MAX_STRAYS} are allowed")));
    }
    if usize::try_from(input.total).is_ok_and(|total| total < count) || input.total < 0 {
        return Err(invalid("total", format!("must be at least {count}, the number of entries, not {}", input.total)));
    }
    let mut names = BTreeSet::new();
    for (at, stray) in input.strays.iter().enumerate() {
        check_text(&format!("strays[{at}].name"), &stray.name, MAX_NAME_CHARACTERS)?;
        if !names.insert(&stray.name) {
            return Err(invalid(format!("strays[{at}].name"), "is in the list already"));
        }
        let texts = [("address", &stray.address, MAX_SENTENCE_CHARACTERS), ("uid", &stray.uid, MAX_NAME_CHARACTERS)];
        for (field, text, most) in texts {
            text.as_deref().map_or(Ok(()), |text| check_text(&format!("strays[{at}].{field}"), text, most))?;
        }
    }
    Ok(site)
}

/// Checks that the lease of a provisioner is held.
pub(super) fn check_lease(fence: &Fence, LeasesAt { leases, now }: &LeasesAt) -> std::result::Result<(), Refusal> {
    let Fence { lease, holder, epoch } = fence;
    let is_held = |it: &underlay_entity::lease::Model| {
        it.name == *lease && it.holder == *holder && it.epoch == *epoch && it.until > *now
    };
    match leases.iter().any(is_held) {
        true => Ok(()),
        false => Err(Refusal::LeaseLost { lease: lease.clone(), epoch: *epoch }),
    }
}

/// Returns strays as they are stored, without those that are hosts by now.
fn seen(
    input: ReportStraysInput,
    known: &Known<'_>,
    by: String,
    now: DateTime<Utc>,
) -> std::result::Result<SeenStrays, Refusal> {
    let ReportStraysInput { provisioner, strays, mut total, .. } = input;
    let mut listed = Vec::with_capacity(strays.len());
    for (at, StrayInput { name, host, address, uid }) in strays.into_iter().enumerate() {
        let host = host.map(|host| parse_id(&format!("strays[{at}].host"), &host)).transpose()?;
        let stray = Stray { name, host, address, uid, since: now };
        match known.has(&provisioner, &stray) {
            true => total -= 1,
            false => listed.push(stray),
        }
    }
    Ok(SeenStrays { lister: provisioner, place: String::new(), by, listed, total })
}
