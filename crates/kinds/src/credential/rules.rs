//! The validation rules of credentials: which objects may refer to a credential, and which sources may change it.

use underlay_address::{Address, AllowedHost, NotPermitted, Permission, allows, permits};
use underlay_entity::credential::Model;
use underlay_entity::row::Row;
use uuid::Uuid;

use super::kind::Credential;
use super::user::{User, is_of, names, sources};
use crate::appliance::Appliance;
use crate::host::Host;
use underlay_inventory::{Checked, Kind, Problems, ReferenceId, Refusal, Writer};

/// Checks the credentials of appliances that were written: a credential that a source wrote is used by objects of that
/// source only, a credential is allowed for the host of the address that it is beside, and a source refers only to the
/// credentials that it may use.
pub fn of_appliances(checked: &Checked<'_>, problems: &mut Problems) {
    for (before, appliance) in checked.written::<Appliance>() {
        check_user(checked, (before.map(User::from), appliance.into()), problems);
    }
}

/// Checks the credentials of hosts that were written, as [`of_appliances`] does.
pub fn of_hosts(checked: &Checked<'_>, problems: &mut Problems) {
    for (before, host) in checked.written::<Host>() {
        check_user(checked, (before.map(User::from), host.into()), problems);
    }
}

/// Checks credentials that were written against the objects that use them already, by the same rules.
pub fn users(checked: &Checked<'_>, problems: &mut Problems) {
    for written in checked.written::<Credential>() {
        check_credential::<Host>(checked, written, (Host::BMC_CREDENTIAL, |host| host.into()), problems);
        check_credential::<Appliance>(checked, written, (Appliance::CREDENTIAL, |it| it.into()), problems);
    }
}

/// Checks that a source changes only credentials that it wrote. Otherwise it could make one of an operator its own, and
/// refer to it.
pub fn written_by_sources(checked: &Checked<'_>, problems: &mut Problems) {
    let Some(source) = checked.writer.source() else { return };
    for (before, _) in checked.written::<Credential>() {
        if let Some(before) = before.filter(|before| !is_of(before, source)) {
            let reason =
                format!("the source {source} did not write the credential {}, so it cannot change it", before.name);
            problems.add(before.id, Refusal::Forbidden(reason));
        }
    }
}

fn check_user(checked: &Checked<'_>, (before, user): (Option<User<'_>>, User<'_>), problems: &mut Problems) {
    let credential = user.credential.and_then(|id| checked.after.get::<Credential>(id));
    let Some(credential) = credential else { return };
    let is_new = checked.writer != Writer::Nobody && before.is_none_or(|before| user.differs(&before));
    let reason = unfit(credential, &user)
        .or_else(|| is_new.then(|| unlisted_transport(credential, &user)).flatten())
        .or_else(|| is_new.then(|| not_for_sources(credential, &user, checked.writer.source())).flatten());
    if let Some(reason) = reason {
        problems.incompatible(user.id, user.field, reason);
    }
}

/// Checks a credential that was written against the objects that use it already.
fn check_credential<'a, K: Kind>(
    checked: &Checked<'a>,
    (before, credential): (Option<&Model>, &Model),
    (reference, user): (ReferenceId, fn(&'a K::Row) -> User<'a>),
    problems: &mut Problems,
) {
    let written = |id: Uuid| checked.written::<K>().any(|(_, row)| row.common().id == id);
    let lost = |user: &User<'_>| {
        let reasons = |it: &Model| [unlisted_transport(it, user), not_for_sources(it, user, None)];
        // A reference that was there before there were such rules stays.
        let mut pairs = reasons(credential).into_iter().zip(reasons(before?));
        pairs.find_map(|(now, before)| now.filter(|_| before.is_none()))
    };
    for row in checked.after.referrers::<K>(credential.id, reference) {
        let user = user(row);
        let reason = unfit(credential, &user).or_else(|| lost(&user)).filter(|_| !written(user.id));
        if let Some(reason) = reason {
            let field = changed_field(before, credential);
            let reason = format!("{reason}, and {} {} uses it", K::describe().name, user.id);
            problems.incompatible(credential.id, field, reason);
            return;
        }
    }
}

/// Returns the field of a credential whose change makes it unfit for its users.
fn changed_field(before: Option<&Model>, credential: &Model) -> &'static str {
    match before {
        Some(before) if before.sources != credential.sources => "sources",
        _ if sources(&credential.external_refs).next().is_some() => "externalRefs",
        _ => "allowedHosts",
    }
}

/// Returns the reason why an object must not use a credential.
fn unfit(credential: &Model, user: &User<'_>) -> Option<String> {
    let name = &credential.name;
    if let Some(source) = sources(&credential.external_refs).next()
        && !user.sources().any(|own| is_of(credential, own) || names(credential, own))
    {
        return Some(format!("the credential {name} is of the source {source}, for the objects of that source only"));
    }
    let address = Address::parse(user.connection.address?).ok()?;
    let refused = address.scheme.connects() && allows(&allowed_hosts(credential), &address.host) == Some(false);
    refused.then(|| format!("the credential {name} {}", NotPermitted::Host(address.host)))
}

/// Returns the reason why a credential must not be sent over the transport of an object's address.
fn unlisted_transport(credential: &Model, user: &User<'_>) -> Option<String> {
    let address = Address::parse(user.connection.address?).ok()?;
    let refused = permits(&allowed_hosts(credential), &address).err()?;
    matches!(refused, NotPermitted::PlainHttp(_)).then(|| format!("the credential {} {refused}", credential.name))
}

/// Returns the reason why the secrets of a credential are not sent to the address of an object that refers to it.
pub fn refused_address(credential: &Model, user: &User<'_>) -> Option<String> {
    unfit(credential, user).or_else(|| unlisted_transport(credential, user))
}

/// Returns the reason why the objects of sources must not use a credential. It must name each source that knows the object,
/// and the one that writes it, and the host of the address, which the source may have chosen.
fn not_for_sources(credential: &Model, user: &User<'_>, writer: Option<&str>) -> Option<String> {
    let name = &credential.name;
    // A credential of a source is for the objects of that source, regardless of the other sources that know them.
    let is_of_a_source = sources(&credential.external_refs).next().is_some();
    let of_object = user.sources().filter(|_| !is_of_a_source);
    let mut others = of_object.chain(writer).filter(|source| !is_of(credential, source)).peekable();
    others.peek()?;
    if let Some(source) = others.find(|source| !names(credential, source)) {
        return Some(format!(
            "the credential {name} is not for the source {source}: an operator permits it by adding {source} to sources \
             of the credential, and the host to allowedHosts"
        ));
    }
    let Some(address) = user.connection.address.and_then(|text| Address::parse(text).ok()) else {
        return Some(format!("the credential {name} is for objects of sources only beside an address"));
    };
    match permits(&allowed_hosts(credential), &address) {
        Ok(Permission::Listed) => None,
        Ok(Permission::Unlisted | Permission::ByItsAddresses) => Some(format!(
            "the credential {name} is for objects of sources only if allowedHosts names the host {}",
            address.host
        )),
        Err(refused) => Some(format!("the credential {name} {refused}")),
    }
}

fn allowed_hosts(credential: &Model) -> Vec<AllowedHost> {
    credential.allowed_hosts.0.iter().filter_map(|text| text.parse().ok()).collect()
}
