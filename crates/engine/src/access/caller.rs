//! This module decides what a caller may read and write. Authorization is decided nowhere else.

use std::sync::Arc;
use std::time::SystemTime;

use thiserror::Error;

use super::channel::Channel;
use super::needs::{CALLING, READING, READING_SECRETS, READING_STRAYS, WRITING, WriteKind};
use underlay_error::Code;
use underlay_error::{Role, Roles};

/// The authenticated caller of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// The name of the caller, which the change log records.
    pub(super) actor: String,
    pub(super) roles: Roles,
    /// The source in whose name the caller writes batches.
    pub(super) source: Option<String>,
    /// The tenant to which the caller belongs, if there is one.
    pub(super) tenant: Option<String>,
    /// The time until which the token is valid, including the allowed clock difference. `None` means that it never
    /// expires.
    pub(super) until: Option<SystemTime>,
}

/// The identity of a caller, by which its use of the server is counted. Two tenants can have actors of the same name.
/// Cloning is cheap.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CallerKey(Arc<(Option<String>, String)>);

/// A reason why the caller may not do something.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Forbidden {
    #[error("reading requires one of the roles {}; this token has: {has}", names(&READING))]
    Read { has: Roles },
    #[error("reading strays requires one of the roles {}; this token has: {has}", names(&READING_STRAYS))]
    Strays { has: Roles },
    #[error("reading secrets requires the role secrets-reader; this token has: {has}")]
    Secrets { has: Roles },
    #[error(
        "secrets are not sent over plain HTTP: use https, a client on the same machine, or a proxy that \
         http.trustedProxies names and that says X-Forwarded-Proto: https"
    )]
    PlainHttp,
    #[error("{what} requires one of the roles {}; this token has: {has}", names(needs))]
    Write { what: &'static str, needs: &'static [Role], has: Roles },
    #[error("a token of a tenant cannot write; this token is of tenant {0:?}")]
    TenantWrites(String),
    #[error("{what} covers all tenants, so a token of a tenant cannot use it; this token is of tenant {tenant:?}")]
    OfAllTenants { what: &'static str, tenant: String },
    #[error("the role `synchronizer` writes as the source of its token, and this token has no source")]
    NoSource,
    #[error("the role `synchronizer` writes as the source of its token, {own:?}; it cannot write as {other:?}")]
    OtherSource { own: String, other: String },
    #[error("a synchronizer changes its own source, {own:?}; it cannot change the source {other:?}")]
    AnotherSource { own: String, other: String },
    #[error("a synchronizer {0}: the server removes what a complete full run of the source did not see")]
    NotForSynchronizers(&'static str),
    #[error("the role `reconciler` can only update existing objects; it cannot create or delete them")]
    NotAField,
}

impl Forbidden {
    /// Returns the error code for clients.
    pub fn code(&self) -> Code {
        Code::Forbidden
    }
}

fn names(roles: &[Role]) -> String {
    roles.iter().map(|role| role.name()).collect::<Vec<_>>().join(", ")
}

/// The permission of a caller to write in one way. Only [`Caller::permit`] creates it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WritePermit {
    actor: String,
    source: Option<String>,
    roles: Roles,
    scope: Scope,
}

/// The part of the inventory that a permit covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The caller may write everything.
    All,
    /// The caller may write everything except the external references of other sources.
    OwnSource,
    /// The caller may set only the fields of existing objects that are assigned by one of its roles.
    Assignments,
}

impl WritePermit {
    /// Returns the name of the caller that writes.
    pub fn actor(&self) -> &str {
        &self.actor
    }

    /// Returns the source in whose name the caller writes.
    pub fn source(&self) -> Option<&str> {
        self.source.as_deref()
    }

    /// Returns the roles of the caller.
    pub fn roles(&self) -> Roles {
        self.roles
    }

    /// Returns the part of the inventory that the caller may write.
    pub fn scope(&self) -> Scope {
        self.scope
    }
}

impl Caller {
    /// Returns the caller of every request to a server without authentication. It has all roles.
    pub fn anybody() -> Self {
        let roles = Role::ALL.into_iter().collect();
        Self { actor: "local".to_owned(), roles, source: None, tenant: None, until: None }
    }

    /// Returns a caller of a tenant, or of none, with this name.
    pub fn of_tenant(tenant: Option<&str>, actor: &str) -> Self {
        Self { tenant: tenant.map(str::to_owned), ..Self::named(actor) }
    }

    /// Returns a caller with this name that may do everything.
    pub fn named(actor: &str) -> Self {
        Self { actor: actor.to_owned(), ..Self::anybody() }
    }

    /// Returns the identity by which the caller's use of the server is counted.
    pub fn key(&self) -> CallerKey {
        CallerKey(Arc::new((self.tenant.clone(), self.actor.clone())))
    }

    /// Returns the name of the caller.
    pub fn actor(&self) -> &str {
        &self.actor
    }

    /// Returns the roles of the caller.
    pub fn roles(&self) -> Roles {
        self.roles
    }

    /// Returns the source in whose name the caller writes, if its token names one.
    pub fn source(&self) -> Option<&str> {
        self.source.as_deref()
    }

    /// Returns the tenant to which the caller belongs, if there is one.
    pub fn tenant(&self) -> Option<&str> {
        self.tenant.as_deref()
    }

    /// Returns the time until which the caller is authenticated. `None` means that this never expires.
    pub fn until(&self) -> Option<SystemTime> {
        self.until
    }

    /// Checks that the caller may read.
    ///
    /// # Errors
    /// Returns an error if the caller has no role that may read.
    pub fn reads(&self) -> Result<(), Forbidden> {
        match self.roles.any(&READING) {
            true => Ok(()),
            false => Err(Forbidden::Read { has: self.roles }),
        }
    }

    /// Checks that the caller may read, or has a mutation that it may call without reading.
    ///
    /// # Errors
    /// Returns an error if the caller has no such role.
    pub fn calls(&self) -> Result<(), Forbidden> {
        match self.roles.any(&CALLING) {
            true => Ok(()),
            false => self.reads(),
        }
    }

    /// Checks that the caller may read data that cannot be separated by tenant.
    ///
    /// # Errors
    /// Returns an error if the caller belongs to a tenant.
    pub fn reads_of_all(&self, what: &'static str) -> Result<(), Forbidden> {
        match &self.tenant {
            None => Ok(()),
            Some(tenant) => Err(Forbidden::OfAllTenants { what, tenant: tenant.clone() }),
        }
    }

    /// Checks that the caller may read what exists outside and is not in the inventory.
    ///
    /// # Errors
    /// Returns an error if the caller is neither an operator nor an admin, or belongs to a tenant.
    pub fn reads_strays(&self) -> Result<(), Forbidden> {
        self.reads_of_all("strays")?;
        match self.roles.any(&READING_STRAYS) {
            true => Ok(()),
            false => Err(Forbidden::Strays { has: self.roles }),
        }
    }

    /// Checks that the caller may read the errors of the runs of a source, which repeat what stands in its system.
    ///
    /// # Errors
    /// Returns an error if the caller may not run the source.
    pub fn reads_run_errors(&self, source: &str) -> Result<(), Forbidden> {
        self.permit(WriteKind::Run { source: Some(source) }).map(drop)
    }

    /// Checks that the caller may read secrets on a connection.
    ///
    /// # Errors
    /// Returns an error if the caller may not, or if others may read what is sent on the connection.
    pub fn reads_secrets(&self, channel: Channel) -> Result<(), Forbidden> {
        self.reads_of_all("secrets")?;
        match self.roles.any(&READING_SECRETS) {
            true => protected(channel),
            false => Err(Forbidden::Secrets { has: self.roles }),
        }
    }

    /// Checks that the caller may set secrets on a connection, and returns the permit.
    ///
    /// # Errors
    /// Returns an error if the caller may not, or if others may read what is sent on the connection.
    pub fn sets_secrets(&self, channel: Channel) -> Result<WritePermit, Forbidden> {
        let permit = self.permit(WriteKind::SetSecrets)?;
        protected(channel).map(|()| permit)
    }

    /// Checks that the caller may get tokens for agents on a connection.
    ///
    /// # Errors
    /// Returns an error if the caller may not, or if others may read what is sent on the connection.
    pub fn issues_agent_tokens(&self, channel: Channel) -> Result<WritePermit, Forbidden> {
        let permit = self.permit(WriteKind::IssueAgentTokens)?;
        protected(channel).map(|()| permit)
    }

    /// Checks that the caller may write in this way, and returns the permit.
    ///
    /// # Errors
    /// Returns an error if the caller may not.
    pub fn permit(&self, kind: WriteKind<'_>) -> Result<WritePermit, Forbidden> {
        if let Some(tenant) = &self.tenant {
            return Err(Forbidden::TenantWrites(tenant.clone()));
        }
        if !self.roles.any(kind.needs()) {
            return Err(Forbidden::Write { what: kind.what(), needs: kind.needs(), has: self.roles });
        }
        let permit = |source: Option<&str>, scope| {
            Ok(WritePermit { actor: self.actor.clone(), source: source.map(str::to_owned), roles: self.roles, scope })
        };
        match kind {
            WriteKind::Apply { source } | WriteKind::Run { source } if self.roles.any(&WRITING) => {
                permit(source, Scope::All)
            }
            WriteKind::Apply { source } | WriteKind::Run { source } if self.roles.any(&[Role::Synchronizer]) => {
                let own = self.source.as_deref().ok_or(Forbidden::NoSource)?;
                match source {
                    Some(other) if other != own => {
                        Err(Forbidden::OtherSource { own: own.to_owned(), other: other.to_owned() })
                    }
                    _ => permit(Some(own), Scope::OwnSource),
                }
            }
            WriteKind::Apply { source: Some(other) } => {
                Err(Forbidden::OtherSource { own: String::new(), other: other.to_owned() })
            }
            _ if self.roles.any(&WRITING) => permit(None, Scope::All),
            WriteKind::SetSecrets => {
                let own = self.source.as_deref().ok_or(Forbidden::NoSource)?;
                permit(Some(own), Scope::OwnSource)
            }
            _ => permit(None, Scope::Assignments),
        }
    }
}

fn protected(channel: Channel) -> Result<(), Forbidden> {
    match channel {
        Channel::Protected => Ok(()),
        Channel::Plain => Err(Forbidden::PlainHttp),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn caller(roles: &[Role], source: Option<&str>, tenant: Option<&str>) -> Caller {
        Caller {
            actor: "a".to_owned(),
            roles: roles.iter().copied().collect(),
            source: source.map(str::to_owned),
            tenant: tenant.map(str::to_owned),
            until: None,
        }
    }

    #[test]
    fn each_role_writes_its_own_way() {
        let apply = |source| WriteKind::Apply { source };
        let run = |source| WriteKind::Run { source };
        let ways = [
            WriteKind::Single,
            WriteKind::Update,
            apply(None),
            apply(Some("s")),
            apply(Some("t")),
            WriteKind::Release,
            run(None),
            run(Some("s")),
            run(Some("t")),
            WriteKind::Decide,
            WriteKind::Lease,
            WriteKind::Order,
            WriteKind::Override,
            WriteKind::Report,
            WriteKind::Resume,
            WriteKind::Boot,
        ];
        // Each letter is the scope of one way: `A` is all, `S` its own source, `r` assignments, and `.` nothing.
        for (roles, expected) in [
            (&[Role::Viewer][..], "................"),
            (&[Role::Operator], "AAAAAAAAAA.A...."),
            (&[Role::Synchronizer], "..SS..SS........"),
            (&[Role::Reconciler], ".rr.......r..r.."),
            (&[Role::Agent], "................"),
            (&[Role::BootServer], "...............r"),
            (&[Role::SecretsReader], "................"),
            (&[Role::Admin], "AAAAAAAAAAAAAAAA"),
            (&[Role::Synchronizer, Role::Reconciler], ".rSS..SS..r..r.."),
            (&[Role::Viewer, Role::Operator], "AAAAAAAAAA.A...."),
            (&[], "................"),
        ] {
            let caller = caller(roles, Some("s"), None);
            let may = ways.map(|way| match caller.permit(way).map(|permit| permit.scope()) {
                Ok(Scope::All) => 'A',
                Ok(Scope::OwnSource) => 'S',
                Ok(Scope::Assignments) => 'r',
                Err(_) => '.',
            });
            assert_eq!(may.iter().collect::<String>(), expected, "{roles:?}");
        }
    }

    #[test]
    fn a_synchronizer_is_its_source_whether_it_says_so_or_not() {
        let one = caller(&[Role::Synchronizer], Some("dcim"), None);
        let permit = one.permit(WriteKind::Apply { source: None }).expect("its own");
        assert_eq!(permit.source(), Some("dcim"));
        let none = caller(&[Role::Synchronizer], None, None);
        assert_eq!(none.permit(WriteKind::Apply { source: Some("dcim") }), Err(Forbidden::NoSource));
    }

    #[test]
    fn tenants_only_read_whatever_their_roles() {
        let one = caller(&Role::ALL, Some("s"), Some("blue"));
        for way in [WriteKind::Single, WriteKind::Update, WriteKind::Apply { source: Some("s") }, WriteKind::Release] {
            assert_eq!(one.permit(way), Err(Forbidden::TenantWrites("blue".to_owned())));
        }
        assert_eq!(one.reads(), Ok(()));
        let refused = Forbidden::OfAllTenants { what: "the change log", tenant: "blue".to_owned() };
        assert_eq!(one.reads_of_all("the change log"), Err(refused));
        assert!(caller(&[], None, Some("blue")).reads().is_err(), "to be of a tenant is no role");
    }

    #[test]
    fn only_a_boot_server_calls_without_reading() {
        let calls =
            |role: Role| (caller(&[role], None, None).calls().is_ok(), caller(&[role], None, None).reads().is_ok());
        for role in Role::ALL {
            let (calls, reads) = calls(role);
            assert_eq!(calls, reads || role == Role::BootServer, "{role}");
        }
        assert!(caller(&[], None, None).calls().is_err());
    }

    #[test]
    fn only_operators_and_admins_read_strays() {
        let may = Role::ALL.map(|role| caller(&[role], None, None).reads_strays().is_ok());
        assert_eq!(may, [false, true, false, false, false, false, false, true]);
        let refused = caller(&[Role::Admin], None, Some("blue")).reads_strays();
        assert!(matches!(refused, Err(Forbidden::OfAllTenants { .. })));
    }

    #[test]
    fn the_errors_of_runs_are_for_those_who_run_the_source() {
        let reads = |role, source| caller(&[role], Some(source), None).reads_run_errors("s").is_ok();
        assert_eq!(Role::ALL.map(|role| reads(role, "s")), [false, true, true, false, false, false, false, true]);
        assert_eq!(Role::ALL.map(|role| reads(role, "t")), [false, true, false, false, false, false, false, true]);
        assert!(caller(&[Role::Admin], None, Some("blue")).reads_run_errors("s").is_err());
    }

    #[test]
    fn only_a_secrets_reader_reads_secrets_and_only_on_a_protected_connection() {
        let reads = |roles: &[Role], tenant| caller(roles, None, tenant).reads_secrets(Channel::Protected);
        let may = Role::ALL.map(|role| reads(&[role], None).is_ok());
        assert_eq!(may, [false, false, false, false, false, false, true, false]);
        let both = [Role::Reconciler, Role::SecretsReader];
        assert_eq!(reads(&both, None), Ok(()));
        assert!(matches!(reads(&both, Some("blue")), Err(Forbidden::OfAllTenants { .. })));
        assert_eq!(caller(&both, None, None).reads_secrets(Channel::Plain), Err(Forbidden::PlainHttp));
        let operator = caller(&[Role::Operator], None, None);
        assert_eq!(operator.sets_secrets(Channel::Plain), Err(Forbidden::PlainHttp));
        assert!(operator.sets_secrets(Channel::Protected).is_ok());
        let refused = caller(&[Role::Viewer], None, None).sets_secrets(Channel::Plain);
        assert!(matches!(refused, Err(Forbidden::Write { .. })), "the role is judged first");
        let ways = [WriteKind::SetSecrets, WriteKind::RotateSecrets];
        for (roles, expected) in [
            (&[Role::Viewer][..], ".."),
            (&[Role::Operator], "A."),
            (&[Role::Synchronizer], "S."),
            (&[Role::Reconciler], ".."),
            (&[Role::SecretsReader], ".."),
            (&[Role::Admin], "AA"),
        ] {
            let caller = caller(roles, Some("s"), None);
            let may = ways.map(|way| match caller.permit(way).map(|permit| permit.scope()) {
                Ok(Scope::All) => 'A',
                Ok(Scope::OwnSource) => 'S',
                Ok(Scope::Assignments) => 'r',
                Err(_) => '.',
            });
            assert_eq!(may.iter().collect::<String>(), expected, "{roles:?}");
        }
        let without_source = caller(&[Role::Synchronizer], None, None);
        assert_eq!(without_source.sets_secrets(Channel::Protected), Err(Forbidden::NoSource));
    }

    #[test]
    fn reading_needs_a_role_that_reads() {
        let reads = Role::ALL.map(|role| caller(&[role], None, None).reads().is_ok());
        assert_eq!(reads, [true, true, true, true, false, false, false, true]);
        assert!(caller(&[], None, None).reads().is_err());
    }
}
