//! `underlay delete`: deletes objects and, with `--cascade`, the objects that they contain.
//!
//! In a terminal the command first shows what a dry run would delete, and asks for confirmation. In a script it deletes
//! without asking, like kubectl. The objects are deleted together or not at all, and only if nobody changed them since
//! they were found.

use std::io::{self, BufRead, IsTerminal, Write};

use clap::Args;
use clap_complete::ArgValueCompleter;
use serde_json::{Value, json};
use underlay_client::Client;

use super::batch::{self, BatchAnswer, Change, Detail, Input, MAX_BATCH_ITEMS, Operation};
use super::complete;
use super::exit::Exit;
use super::object::{FindError, Object, ObjectName, find};
use super::server;
use super::target::ServerAccess;
use underlay_error::Code;
use underlay_kit::{line, printable};

/// The number of objects that are listed before the question.
const OBJECTS_LISTED: usize = 30;

#[derive(Debug, Args)]
pub struct Arguments {
    /// The objects to delete: rack/ams1/A14, port/leaf-3/Ethernet1, or an id. Parents that are not needed to identify
    /// the object can be left out.
    #[arg(required = true, value_name = "OBJECT", add = ArgValueCompleter::new(complete::objects))]
    objects: Vec<ObjectName>,
    /// Also delete what the objects contain, and the cables that are left without an end.
    #[arg(long)]
    cascade: bool,
    /// Show what would be deleted, without deleting anything.
    #[arg(long)]
    dry_run: bool,
    /// Do not ask for confirmation.
    #[arg(short = 'y', long)]
    yes: bool,
}

pub(super) fn run(arguments: Arguments, server: ServerAccess) -> Exit {
    if arguments.objects.len() > MAX_BATCH_ITEMS {
        eprintln!("error: at most {MAX_BATCH_ITEMS} objects can be deleted together");
        return Exit::Usage;
    }
    server::talk(server, async |client| delete(&client, &arguments).await)
}

async fn delete(client: &Client, arguments: &Arguments) -> Exit {
    let objects = match find_all(client, &arguments.objects).await {
        Ok(objects) => objects,
        Err(error) => return error.explain(),
    };
    let items: Vec<Value> = objects.iter().map(|object| item(object, arguments)).collect();
    let is_asked = !arguments.yes && io::stdin().is_terminal() && io::stderr().is_terminal();
    if arguments.dry_run || is_asked {
        let input = Input { dry_run: true, ..Input::of(&items) };
        let payload = match batch::apply(client, &input, Detail::Changes).await {
            Ok(payload) => payload,
            Err(error) => return server::explain(&error),
        };
        if is_refused(&objects, &payload, arguments) {
            return Exit::Failed;
        }
        if arguments.dry_run {
            print(&payload.changes, " (dry run)");
            return Exit::Done;
        }
        if !is_confirmed(&payload.changes) {
            eprintln!("nothing was deleted");
            return Exit::Failed;
        }
    }
    let payload = match batch::apply(client, &Input::of(&items), Detail::Changes).await {
        Ok(payload) => payload,
        Err(error) => return server::explain(&error),
    };
    if is_refused(&objects, &payload, arguments) {
        return Exit::Failed;
    }
    print(&payload.changes, "");
    Exit::Done
}

async fn find_all(client: &Client, names: &[ObjectName]) -> Result<Vec<Object>, FindError> {
    let mut objects = Vec::with_capacity(names.len());
    for name in names {
        objects.push(find(client, name).await?);
    }
    Ok(objects)
}

fn item(object: &Object, arguments: &Arguments) -> Value {
    json!({"delete": {"ref": {"id": object.id}, "cascade": arguments.cascade, "ifVersion": object.version}})
}

/// Prints the reasons if the server rejected the deletion. Returns true if it did.
fn is_refused(objects: &[Object], payload: &BatchAnswer, arguments: &Arguments) -> bool {
    let refused =
        objects.iter().zip(&payload.results).filter_map(|(object, result)| Some((object, result.error.as_ref()?)));
    let mut any = false;
    for (object, error) in refused {
        any = true;
        let path = object.path.to_string();
        // Most messages already begin with the object.
        let prefix = if error.message.starts_with(&path) { String::new() } else { format!("{path}: ") };
        eprintln!("error: {}", printable(&format!("{prefix}{} ({})", error.message, error.code)));
        match (error.code.parse(), arguments.cascade) {
            (Ok(Code::InUse), true) => {
                eprintln!(
                    "hint: these are not contained in the object, but refer to it or to its contents: change or delete them \
                     first"
                )
            }
            (Ok(Code::InUse), false) => eprintln!(
                "hint: --cascade also deletes what an object contains; other objects that refer to it must be changed \
                 first"
            ),
            _ => {}
        }
    }
    if any {
        eprintln!("nothing was deleted");
    }
    any
}

/// Describes the change of an object.
fn describe(change: &Change) -> String {
    let word = match change.operation {
        Operation::Deleted => "deleted",
        // Deleting an object can clear references of other objects.
        Operation::Updated => "updated",
        Operation::Created => "created",
    };
    line(&format!("{word} {}", change.path))
}

fn print(changes: &[Change], after: &str) {
    let text: String = changes.iter().map(|change| format!("{}{after}\n", describe(change))).collect();
    // The reader may be gone; the objects are deleted nevertheless.
    let _ = io::stdout().write_all(text.as_bytes());
}

fn is_confirmed(changes: &[Change]) -> bool {
    for change in changes.iter().take(OBJECTS_LISTED) {
        eprintln!("  {}", line(&change.path));
    }
    if changes.len() > OBJECTS_LISTED {
        eprintln!("  and {} more", changes.len() - OBJECTS_LISTED);
    }
    let deleted = changes.iter().filter(|change| change.operation == Operation::Deleted).count();
    eprint!("Delete {deleted} objects? [y/N] ");
    let mut answer = String::new();
    let read = io::stdin().lock().read_line(&mut answer);
    read.is_ok() && ["y", "yes"].contains(&answer.trim().to_lowercase().as_str())
}
