//! The validation rules of credentials.

use underlay_address::{Address, AllowedHost, allows};
use underlay_entity::common::ExternalRefs;
use underlay_entity::credential::Model;
use uuid::Uuid;

use super::node::Credential;
use crate::kinds::appliance::Appliance;
use crate::kinds::host::Host;
use underlay_inventory::{Checked, Kind, Problems, ReferenceId};

/// An object that uses a credential beside an address.
struct User<'a> {
    id: Uuid,
    /// The field that refers to the credential.
    field: &'static str,
    /// The credential, by its id.
    credential: Option<Uuid>,
    address: Option<&'a str>,
    external_refs: &'a ExternalRefs,
}

/// Checks the credentials of appliances that were written: a credential that a source wrote is used by objects of that
/// source only, and a credential is allowed for the host of the address that it is beside.
pub fn of_appliances(checked: &Checked<'_>, problems: &mut Problems) {
    for (_, appliance) in checked.written::<Appliance>() {
        check_user(checked, &of_appliance(appliance), problems);
    }
}

/// Checks the credentials of hosts that were written, as [`of_appliances`] does.
pub fn of_hosts(checked: &Checked<'_>, problems: &mut Problems) {
    for (_, host) in checked.written::<Host>() {
        check_user(checked, &of_host(host), problems);
    }
}

/// Checks credentials that were written against the objects that use them already, by the same rules.
pub fn users(checked: &Checked<'_>, problems: &mut Problems) {
    for (_, credential) in checked.written::<Credential>() {
        check_credential::<Host>(checked, credential, (Host::BMC_CREDENTIAL, of_host), problems);
        check_credential::<Appliance>(checked, credential, (Appliance::CREDENTIAL, of_appliance), problems);
    }
}

fn of_appliance(appliance: &underlay_entity::appliance::Model) -> User<'_> {
    User {
        id: appliance.id,
        field: "credential",
        credential: appliance.credential_id,
        address: appliance.url.as_deref(),
        external_refs: &appliance.external_refs,
    }
}

fn of_host(host: &underlay_entity::host::Model) -> User<'_> {
    User {
        id: host.id,
        field: "bmcCredential",
        credential: host.bmc_credential_id,
        address: host.bmc_url.as_deref(),
        external_refs: &host.external_refs,
    }
}

fn check_user(checked: &Checked<'_>, user: &User<'_>, problems: &mut Problems) {
    let credential = user.credential.and_then(|id| checked.after.get::<Credential>(id));
    if let Some(reason) = credential.and_then(|credential| reason(credential, user)) {
        problems.incompatible(user.id, user.field, reason);
    }
}

/// Checks a credential that was written against the objects that use it already.
fn check_credential<K: Kind>(
    checked: &Checked<'_>,
    credential: &Model,
    (reference, user): (ReferenceId, fn(&K::Row) -> User<'_>),
    problems: &mut Problems,
) {
    let written = |id: Uuid| checked.written::<K>().any(|(_, row)| underlay_entity::row::Row::common(row).id == id);
    for row in checked.after.referrers::<K>(credential.id, reference) {
        let user = user(row);
        if let Some(reason) = reason(credential, &user).filter(|_| !written(user.id)) {
            let field =
                if sources(&credential.external_refs).next().is_some() { "externalRefs" } else { "allowedHosts" };
            problems.incompatible(
                credential.id,
                field,
                format!("{reason}, and {} {} uses it", K::describe().name, user.id),
            );
            return;
        }
    }
}

fn sources(refs: &ExternalRefs) -> impl Iterator<Item = &str> {
    refs.0.iter().map(|it| it.source.as_str())
}

/// Returns the reason why an object must not use a credential.
fn reason(credential: &Model, user: &User<'_>) -> Option<String> {
    let name = &credential.name;
    if let Some(source) = sources(&credential.external_refs).next()
        && !sources(user.external_refs).any(|own| sources(&credential.external_refs).any(|other| own == other))
    {
        return Some(format!("the credential {name} is of the source {source}, for the objects of that source only"));
    }
    let address = Address::parse(user.address?).ok()?;
    let allowed: Vec<AllowedHost> = credential.allowed_hosts.0.iter().filter_map(|text| text.parse().ok()).collect();
    let refused = address.scheme.connects() && allows(&allowed, &address.host) == Some(false);
    refused.then(|| format!("the credential {name} is not allowed for the host {}", address.host))
}
