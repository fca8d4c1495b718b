//! The names of managers in the database. A manager of fields is a source or a user.

/// The prefix of the name of a manager that is a source.
pub const SOURCE: &str = "source:";
/// The prefix of the name of a manager that is a user.
pub const USER: &str = "user:";

/// Returns the name of the manager for a write: the source, if a synchronizer writes on behalf of one, otherwise the
/// actor.
pub fn manager_name(actor: &str, source: Option<&str>) -> String {
    match source {
        Some(source) => format!("{SOURCE}{source}"),
        None => format!("{USER}{actor}"),
    }
}
