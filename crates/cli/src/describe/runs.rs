//! Shows the runs of a source: a table of the last runs, the errors of the last full and of the last partial one, and
//! what the guard holds.

use std::io::{self, Write};

use serde_json::Value;

use super::history::{table, text};
use crate::sdl::sdl;
use crate::show::{Cell, of_word, time};
use underlay_inventory::Description;

/// The number of errors and held objects that are shown.
const SHOWN_ROWS: usize = 20;
/// The number of runs of which is shown what they hold.
const HOLDING_RUNS: usize = 10;

/// Returns the GraphQL selection for an object of a kind, which is empty if the kind has no runs.
pub(super) fn selection(kind: &Description) -> String {
    match sdl().field(kind.name, "runs") {
        None => String::new(),
        Some(_) => format!(
            "runs(first: 10) {{ totalCount nodes {{ id state mode startedAt seen created updated retired deleted released \
             failed heldCount }} }} \
             lastFull: lastEndedRun(mode: FULL) {{ errors {{ externalId code message }} }} \
             lastPartial: lastEndedRun(mode: PARTIAL) {{ errors {{ externalId code message }} }} \
             holdingRuns(first: {HOLDING_RUNS}) {{ id heldCount held(first: {SHOWN_ROWS}) {{ kind name externalId \
             field reason value }} }}"
        ),
    }
}

/// Prints the runs of an object.
pub(super) fn print(object: &Value, out: &mut dyn Write) -> io::Result<()> {
    let runs = nodes(&object["runs"]);
    let rows: Vec<Vec<Cell>> = runs.iter().map(run).collect();
    let headings = ["STATE", "MODE", "STARTED", "SEEN", "CREATED", "UPDATED", "GONE", "ERRORS"];
    table("Runs", headings.map(str::to_owned).to_vec(), &rows, out)?;
    rest(object["runs"]["totalCount"].as_u64(), runs.len(), out)?;

    // Partial runs come often, and must not hide why full runs fail.
    for (run, title) in [("lastFull", "Errors of the last full run"), ("lastPartial", "Errors of the last partial run")]
    {
        let errors = list(&object[run]["errors"]);
        let rows: Vec<Vec<Cell>> =
            errors.iter().take(SHOWN_ROWS).map(|error| cells(error, ["externalId", "code", "message"])).collect();
        let headings = ["EXTERNAL-ID", "CODE", "MESSAGE"].map(str::to_owned).to_vec();
        table(title, headings, &rows, out)?;
        rest(Some(errors.len() as u64), rows.len(), out)?;
    }

    for holding in list(&object["holdingRuns"]) {
        let held = list(&holding["held"]);
        let rows: Vec<Vec<Cell>> =
            held.iter().map(|held| cells(held, ["kind", "name", "externalId", "field", "reason", "value"])).collect();
        let headings = ["KIND", "NAME", "EXTERNAL-ID", "FIELD", "REASON", "VALUE"].map(str::to_owned).to_vec();
        table(&format!("Held with run {}", text(&holding["id"])), headings, &rows, out)?;
        rest(holding["heldCount"].as_u64(), rows.len(), out)?;
    }
    Ok(())
}

fn nodes(connection: &Value) -> &[Value] {
    list(&connection["nodes"])
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

fn run(run: &Value) -> Vec<Cell> {
    let state = text(&run["state"]);
    let gone: u64 = ["retired", "deleted", "released"].iter().filter_map(|count| run[count].as_u64()).sum();
    let counts = ["seen", "created", "updated"].map(|count| Cell::plain(run[count].to_string()));
    let first = [
        Cell { style: of_word(&state), text: state },
        Cell::plain(text(&run["mode"])),
        Cell::plain(time(&run["startedAt"])),
    ];
    let last = [Cell::plain(gone.to_string()), Cell::plain(run["failed"].to_string())];
    first.into_iter().chain(counts).chain(last).collect()
}

fn cells<const N: usize>(row: &Value, fields: [&str; N]) -> Vec<Cell> {
    let shown = |field: &str| if row[field].is_null() { String::new() } else { text(&row[field]) };
    fields.map(|field| Cell::plain(shown(field))).to_vec()
}

fn rest(total: Option<u64>, shown: usize, out: &mut dyn Write) -> io::Result<()> {
    match total.unwrap_or_default().saturating_sub(shown as u64) {
        0 => Ok(()),
        more => writeln!(out, "  and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::object::kinds;

    #[test]
    fn runs_errors_and_what_is_held_are_tables() {
        let run = |state: &str, mode: &str, seen: u64| {
            json!({"id": "r", "state": state, "mode": mode, "startedAt": "2026-11-20T12:25:33.123456Z", "seen": seen,
                "created": 1, "updated": 2, "retired": 3, "deleted": 4, "released": 0, "failed": 21, "heldCount": 0})
        };
        let error = json!({"externalId": null, "code": "BAD", "message": "cannot be\nread"});
        let held = json!({"kind": "Region", "name": "r29", "externalId": "29", "field": null, "reason": "GONE"});
        let replaced = json!({"kind": "Region", "name": "r7", "externalId": "7", "field": "labels.a",
            "reason": "REPLACED", "value": "none"});
        let object = json!({
            "runs": {"totalCount": 5, "nodes": [run("HELD", "FULL", 5), run("SUCCEEDED", "PARTIAL", 30)]},
            "lastFull": {"errors": vec![error.clone(); 21]},
            "lastPartial": {"errors": [error]},
            "holdingRuns": [
                {"id": "r", "heldCount": 2, "held": [held]}, {"id": "q", "heldCount": 1, "held": [replaced]},
            ],
        });
        let mut out = anstream::StripStream::new(Vec::new());
        print(&object, &mut out).expect("print");
        let shown = String::from_utf8(out.into_inner()).expect("text");
        let errors = "  -            BAD   cannot be\\u{a}read\n".repeat(20);
        let expected = format!(
            "
Runs
  STATE      MODE     STARTED                  SEEN  CREATED  UPDATED  GONE  ERRORS
  HELD       FULL     2026-11-20 12:25:33 UTC  5     1        2        7     21
  SUCCEEDED  PARTIAL  2026-11-20 12:25:33 UTC  30    1        2        7     21
  and 3 more

Errors of the last full run
  EXTERNAL-ID  CODE  MESSAGE
{errors}  and 1 more

Errors of the last partial run
  EXTERNAL-ID  CODE  MESSAGE
  -            BAD   cannot be\\u{{a}}read

Held with run r
  KIND    NAME  EXTERNAL-ID  FIELD  REASON  VALUE
  Region  r29   29           -      GONE    -
  and 1 more

Held with run q
  KIND    NAME  EXTERNAL-ID  FIELD     REASON    VALUE
  Region  r7    7            labels.a  REPLACED  none
"
        );
        assert_eq!(shown, expected);
    }

    #[test]
    fn only_a_kind_with_runs_is_asked_for_them() {
        let of = |name: &str| selection(kinds().named(name).expect("a kind"));
        assert_eq!(of("rack"), "");
        let query = format!("{{ sources(first: 1) {{ nodes {{ {} }} }} }}", of("source"));
        underlay_testing::graphql::assert_valid(query);
    }
}
