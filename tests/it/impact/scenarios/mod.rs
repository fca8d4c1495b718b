//! The expectations of a network engineer. Ports and cables are left out, except if a query begins with `*`.

mod network;
mod physical;
mod pod;
mod services;

use super::Fleet;

/// A failure, and its expected effects.
#[track_caller]
fn expect(fleet: &str, table: &[(&str, &str)]) {
    let fleet = Fleet::of(fleet);
    let mut wrong = Vec::new();
    for (of, expected) in table {
        let found = match of.strip_prefix('*') {
            Some(of) => fleet.fails_in_full(of),
            None => fleet.fails(of),
        };
        let expected: Vec<&str> = expected.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        if found != expected {
            wrong.push(format!("== {of}\n{}", found.join("\n")));
        }
    }
    assert!(wrong.is_empty(), "\n{}\n== ", wrong.join("\n"));
}
