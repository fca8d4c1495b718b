//! The invariants of `tests/README.md` that are about more than one feature: of snapshots, of the schema, of the layers
//! of the code, of the documents.

mod bulk;
mod console;
mod crates;
mod database_schema;
mod dependencies;
mod errors;
mod field_numbers;
mod grammar;
mod history;
mod identity;
mod layers;
pub mod metrics;
mod migrations;
mod order;
mod paths;
mod roles;
mod schema;
pub mod sdl;
mod setters;
mod sleeps;
mod snapshot;
pub mod source;
mod statements;
mod stored_numbers;
mod tenants;

/// Writes a table anew that is made from the code, if `.ci/task renew` runs. The test then compares it with the one that
/// was built in, so the next build passes.
pub fn renew(file: &str, text: &str) {
    if std::env::var_os("UNDERLAY_RENEW").is_some() {
        std::fs::write(source::repository().join(file), text).expect("write the table");
    }
}
