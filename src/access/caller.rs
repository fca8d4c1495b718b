//! Who asks, and what that lets them do. The one place where it is decided.

use std::time::SystemTime;

use thiserror::Error;

use super::role::{Role, Roles};

/// Whoever asks for something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// Who it is: what the change log says.
    pub(super) actor: String,
    pub(super) roles: Roles,
    /// In whose name it writes in batches.
    pub(super) source: Option<String>,
    /// Of which tenant it is, if it is of one.
    pub(super) tenant: Option<String>,
    /// Until when its token is good, with the time that clocks may differ by; for ever, where there is none.
    pub(super) until: Option<SystemTime>,
}

/// What somebody may not do.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Forbidden {
    #[error("reading needs one of the roles {}; this token has: {has}", names(&READING))]
    Read { has: Roles },
    #[error("{what} needs one of the roles {}; this token has: {has}", names(needs))]
    Write { what: &'static str, needs: &'static [Role], has: Roles },
    #[error("a token of a tenant only reads; this one is of {0:?}")]
    TenantWrites(String),
    #[error("{what} is of all tenants together, and not answered to a token of one; this one is of {tenant:?}")]
    OfAllTenants { what: &'static str, tenant: String },
    #[error("a synchronizer writes as the source of its token, and this token has none")]
    NoSource,
    #[error("a synchronizer writes as the source of its token, {own:?}, and not as {other:?}")]
    OtherSource { own: String, other: String },
    #[error("a reconciler sets {} of objects that are there, and not {field}", allowed.join(", "))]
    Field { field: String, allowed: &'static [&'static str] },
    #[error("a reconciler sets fields of objects that are there; it neither creates nor deletes any")]
    NotAField,
}

fn names(roles: &[Role]) -> String {
    roles.iter().map(|role| role.name()).collect::<Vec<_>>().join(", ")
}

/// Who reads the inventory.
const READING: [Role; 5] = [Role::Viewer, Role::Operator, Role::Synchronizer, Role::Reconciler, Role::Admin];
/// Who writes whatever they want.
const WRITING: [Role; 2] = [Role::Operator, Role::Admin];
/// Who changes single objects.
const CHANGING: [Role; 3] = [Role::Operator, Role::Reconciler, Role::Admin];
/// Who writes batches.
const APPLYING: [Role; 4] = [Role::Operator, Role::Synchronizer, Role::Reconciler, Role::Admin];

/// A way to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way<'a> {
    /// Creating or deleting an object.
    Single,
    /// Changing fields of an object.
    Update,
    /// A batch, in the name of a source or in one's own.
    Apply { source: Option<&'a str> },
    /// Letting go of fields.
    Release,
}

impl Way<'_> {
    fn what(self) -> &'static str {
        match self {
            Self::Single => "creating and deleting objects",
            Self::Update => "changing objects",
            Self::Apply { .. } => "writing batches",
            Self::Release => "letting go of fields",
        }
    }

    fn needs(self) -> &'static [Role] {
        match self {
            Self::Single | Self::Release => &WRITING,
            Self::Update => &CHANGING,
            Self::Apply { .. } => &APPLYING,
        }
    }
}

/// That somebody may write in some way. Only [`Caller::permit`] makes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Permit {
    actor: String,
    source: Option<String>,
    scope: Scope,
}

/// What may be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Everything.
    All,
    /// External references of its own source only, and everything else.
    OwnSource,
    /// What became of machines that are there.
    Assignments,
}

impl Permit {
    /// Who writes.
    pub fn actor(&self) -> &str {
        &self.actor
    }

    /// In whose name.
    pub fn source(&self) -> Option<&str> {
        self.source.as_deref()
    }

    /// What may be written.
    pub fn scope(&self) -> Scope {
        self.scope
    }
}

impl Caller {
    /// Whoever reaches a server that asks nobody who they are.
    pub fn anybody() -> Self {
        let roles = Role::ALL.into_iter().collect();
        Self { actor: "local".to_owned(), roles, source: None, tenant: None, until: None }
    }

    /// Somebody of this name who may do everything.
    #[cfg(test)]
    pub fn named(actor: &str) -> Self {
        Self { actor: actor.to_owned(), ..Self::anybody() }
    }

    /// Who it is.
    pub fn actor(&self) -> &str {
        &self.actor
    }

    /// Of which tenant it is, if it is of one.
    pub fn tenant(&self) -> Option<&str> {
        self.tenant.as_deref()
    }

    /// Until when it is who it is; for ever, where there is none.
    pub fn until(&self) -> Option<SystemTime> {
        self.until
    }

    /// That it may read.
    ///
    /// # Errors
    /// When it may not.
    pub fn reads(&self) -> Result<(), Forbidden> {
        match self.roles.any(&READING) {
            true => Ok(()),
            false => Err(Forbidden::Read { has: self.roles }),
        }
    }

    /// That it may read what cannot be told apart by tenant.
    ///
    /// # Errors
    /// When it is of a tenant.
    pub fn reads_of_all(&self, what: &'static str) -> Result<(), Forbidden> {
        match &self.tenant {
            None => Ok(()),
            Some(tenant) => Err(Forbidden::OfAllTenants { what, tenant: tenant.clone() }),
        }
    }

    /// That it may write in a way.
    ///
    /// # Errors
    /// When it may not.
    pub fn permit(&self, way: Way<'_>) -> Result<Permit, Forbidden> {
        if let Some(tenant) = &self.tenant {
            return Err(Forbidden::TenantWrites(tenant.clone()));
        }
        if !self.roles.any(way.needs()) {
            return Err(Forbidden::Write { what: way.what(), needs: way.needs(), has: self.roles });
        }
        let permit = |source: Option<&str>, scope| {
            Ok(Permit { actor: self.actor.clone(), source: source.map(str::to_owned), scope })
        };
        match way {
            Way::Apply { source } if self.roles.any(&WRITING) => permit(source, Scope::All),
            Way::Apply { source } if self.roles.any(&[Role::Synchronizer]) => {
                let own = self.source.as_deref().ok_or(Forbidden::NoSource)?;
                match source {
                    Some(other) if other != own => {
                        Err(Forbidden::OtherSource { own: own.to_owned(), other: other.to_owned() })
                    }
                    _ => permit(Some(own), Scope::OwnSource),
                }
            }
            Way::Apply { source: Some(other) } => {
                Err(Forbidden::OtherSource { own: String::new(), other: other.to_owned() })
            }
            _ if self.roles.any(&WRITING) => permit(None, Scope::All),
            _ => permit(None, Scope::Assignments),
        }
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
        let apply = |source| Way::Apply { source };
        let ways = [Way::Single, Way::Update, apply(None), apply(Some("s")), apply(Some("t")), Way::Release];
        // What each may do in each of these ways: all, its own source, assignments, nothing.
        for (roles, expected) in [
            (&[Role::Viewer][..], "......"),
            (&[Role::Operator], "AAAAAA"),
            (&[Role::Synchronizer], "..SS.."),
            (&[Role::Reconciler], ".rr..."),
            (&[Role::Agent], "......"),
            (&[Role::SecretsReader], "......"),
            (&[Role::Admin], "AAAAAA"),
            (&[Role::Synchronizer, Role::Reconciler], ".rSS.."),
            (&[Role::Viewer, Role::Operator], "AAAAAA"),
            (&[], "......"),
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
        let permit = one.permit(Way::Apply { source: None }).expect("its own");
        assert_eq!(permit.source(), Some("dcim"));
        let none = caller(&[Role::Synchronizer], None, None);
        assert_eq!(none.permit(Way::Apply { source: Some("dcim") }), Err(Forbidden::NoSource));
    }

    #[test]
    fn tenants_only_read_whatever_their_roles() {
        let one = caller(&Role::ALL, Some("s"), Some("blue"));
        for way in [Way::Single, Way::Update, Way::Apply { source: Some("s") }, Way::Release] {
            assert_eq!(one.permit(way), Err(Forbidden::TenantWrites("blue".to_owned())));
        }
        assert_eq!(one.reads(), Ok(()));
        let refused = Forbidden::OfAllTenants { what: "the change log", tenant: "blue".to_owned() };
        assert_eq!(one.reads_of_all("the change log"), Err(refused));
        assert!(caller(&[], None, Some("blue")).reads().is_err(), "to be of a tenant is no role");
    }

    #[test]
    fn reading_needs_a_role_that_reads() {
        let reads = Role::ALL.map(|role| caller(&[role], None, None).reads().is_ok());
        assert_eq!(reads, [true, true, true, true, false, false, true]);
        assert!(caller(&[], None, None).reads().is_err());
    }
}
