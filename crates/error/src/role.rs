//! The roles of callers, with their names in tokens. Only `access` decides what a role may do; the description of a
//! field names the roles that may set it.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// A role, which defines what the bearer of a token may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The role may read.
    Viewer,
    /// The role may read and write.
    Operator,
    /// The role may read, and may write batches as the source of its token.
    Synchronizer,
    /// The role may read, and may set the status and the assignments of existing machines.
    Reconciler,
    /// The role may report what a machine observes about itself.
    Agent,
    /// The role may ask what machines boot from the network, and pass on what they report.
    BootServer,
    /// The role may read credentials.
    SecretsReader,
    /// The role may do everything.
    Admin,
}

impl Role {
    /// All roles, in the order in which they are listed.
    pub const ALL: [Self; 8] = [
        Self::Viewer,
        Self::Operator,
        Self::Synchronizer,
        Self::Reconciler,
        Self::Agent,
        Self::BootServer,
        Self::SecretsReader,
        Self::Admin,
    ];

    /// Returns the name of the role in tokens.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Viewer => "viewer",
            Self::Operator => "operator",
            Self::Synchronizer => "synchronizer",
            Self::Reconciler => "reconciler",
            Self::Agent => "agent",
            Self::BootServer => "boot-server",
            Self::SecretsReader => "secrets-reader",
            Self::Admin => "admin",
        }
    }

    const fn bit(self) -> u8 {
        1 << self as u8
    }
}

impl fmt::Display for Role {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

/// The error for a text that is not a role.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("there is no role {role:?}; allowed: {}", Role::ALL.map(Role::name).join(", "))]
pub struct UnknownRole {
    role: String,
}

impl FromStr for Role {
    type Err = UnknownRole;

    fn from_str(text: &str) -> Result<Self, UnknownRole> {
        Self::ALL.into_iter().find(|role| role.name() == text).ok_or_else(|| UnknownRole { role: text.to_owned() })
    }
}

/// The set of roles of one caller.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Roles(u8);

impl Roles {
    /// The set without a role.
    pub const NONE: Self = Self(0);
    /// The roles that write objects in their own name.
    pub const OPERATING: Self = Self::NONE.with(Role::Operator).with(Role::Admin);
    /// The roles that write objects: they set every field that is not reserved for others.
    pub const WRITING: Self = Self::OPERATING.with(Role::Synchronizer);

    /// Returns the set with one more role.
    pub const fn with(self, role: Role) -> Self {
        Self(self.0 | role.bit())
    }

    /// Returns the roles that are in at least one of the two sets.
    pub const fn or(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    /// Returns true if both sets have a role in common.
    pub const fn meets(self, others: Self) -> bool {
        self.0 & others.0 != 0
    }

    /// Returns true if at least one of these roles is in the set.
    pub fn any(self, roles: &[Role]) -> bool {
        roles.iter().any(|role| self.0 & role.bit() != 0)
    }

    /// Returns the roles in the set, in the order of [`Role::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Role> {
        Role::ALL.into_iter().filter(move |role| self.any(&[*role]))
    }
}

impl FromIterator<Role> for Roles {
    fn from_iter<I: IntoIterator<Item = Role>>(roles: I) -> Self {
        Self(roles.into_iter().fold(0, |bits, role| bits | role.bit()))
    }
}

impl fmt::Display for Roles {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.iter().map(Role::name).collect::<Vec<_>>() {
            names if names.is_empty() => out.write_str("none"),
            names => out.write_str(&names.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_are_named_as_they_are_read() {
        for role in Role::ALL {
            assert_eq!(role.name().parse(), Ok(role));
            let alone: Roles = [role].into_iter().collect();
            assert_eq!(alone.iter().collect::<Vec<_>>(), [role]);
        }
        let message = "Admin".parse::<Role>().expect_err("as written only").to_string();
        assert!(message.contains("\"Admin\"") && message.contains("secrets-reader"), "{message}");
        assert_eq!(Roles::default().to_string(), "none");
    }
}
