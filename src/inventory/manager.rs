//! The names of managers, as the database knows them: fields are held by sources and by users.

/// The beginning of the names of managers that are sources.
pub const SOURCE: &str = "source:";
/// The beginning of the names of managers that are users.
pub const USER: &str = "user:";

/// The name of the manager of what an actor writes: the source in whose name a synchronizer writes, else the actor.
pub fn manager_name(actor: &str, source: Option<&str>) -> String {
    match source {
        Some(source) => format!("{SOURCE}{source}"),
        None => format!("{USER}{actor}"),
    }
}
