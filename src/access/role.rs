//! The roles, as tokens name them.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// What a token lets its bearer do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Reads.
    Viewer,
    /// Reads and writes.
    Operator,
    /// Reads, and writes in batches as the source of its token.
    Synchronizer,
    /// Reads, and writes what became of a machine: its status, and what it is assigned to.
    Reconciler,
    /// Reports what a machine says of itself.
    Agent,
    /// Reads credentials.
    SecretsReader,
    /// All of it.
    Admin,
}

impl Role {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Viewer,
        Self::Operator,
        Self::Synchronizer,
        Self::Reconciler,
        Self::Agent,
        Self::SecretsReader,
        Self::Admin,
    ];

    /// What it is called in tokens.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Viewer => "viewer",
            Self::Operator => "operator",
            Self::Synchronizer => "synchronizer",
            Self::Reconciler => "reconciler",
            Self::Agent => "agent",
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

/// A text is no role.
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

/// Roles that one caller has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Roles(u8);

impl Roles {
    /// Whether one of these is among them.
    pub fn any(self, roles: &[Role]) -> bool {
        roles.iter().any(|role| self.0 & role.bit() != 0)
    }

    /// All of them, in the order of [`Role::ALL`].
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
        let said = "Admin".parse::<Role>().expect_err("as written only").to_string();
        assert!(said.contains("\"Admin\"") && said.contains("secrets-reader"), "{said}");
        assert_eq!(Roles::default().to_string(), "none");
    }
}
