//! The names of managers in the database. A manager of fields is a source, a user or a controller.

/// The prefix of the name of a manager that is a source.
pub const SOURCE: &str = "source:";
/// The prefix of the name of a manager that is a user.
pub const USER: &str = "user:";
/// The prefix of the name of a manager that is a controller.
pub const CONTROLLER: &str = "controller:";

/// A manager of fields, as its stored name says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manager<'a> {
    /// An outside system, on whose behalf a synchronizer writes.
    Source(&'a str),
    /// A caller that may write everything.
    User(&'a str),
    /// A caller that may only set what became of existing machines. It follows the inventory, and keeps no object in
    /// it.
    Controller(&'a str),
}

impl<'a> Manager<'a> {
    /// Reads the stored name of a manager. A name without a prefix is that of a user.
    pub fn read(stored: &'a str) -> Self {
        if let Some(source) = stored.strip_prefix(SOURCE) {
            return Self::Source(source);
        }
        match stored.strip_prefix(CONTROLLER) {
            Some(actor) => Self::Controller(actor),
            None => Self::User(stored.strip_prefix(USER).unwrap_or(stored)),
        }
    }

    /// Returns the name that clients see.
    pub fn name(self) -> &'a str {
        match self {
            Self::Source(name) | Self::User(name) | Self::Controller(name) => name,
        }
    }

    /// Returns the name that is stored.
    pub fn stored(self) -> String {
        match self {
            Self::Source(source) => format!("{SOURCE}{source}"),
            Self::User(actor) => format!("{USER}{actor}"),
            Self::Controller(actor) => format!("{CONTROLLER}{actor}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_names_are_read_back() {
        for manager in [Manager::Source("nb"), Manager::User("ann"), Manager::Controller("hosts"), Manager::User("a:b")]
        {
            assert_eq!(Manager::read(&manager.stored()), manager);
        }
        assert_eq!(Manager::read("somebody"), Manager::User("somebody"));
    }
}
