//! Reports rejected items: one line for each on standard error, with its position in the manifests.

use underlay_client::GraphqlError;

use crate::batch::{BatchAnswer, MAX_BATCH_ITEMS};
use crate::exit::Exit;
use crate::kinds::unfit;
use crate::manifest::ManifestItem;
use underlay_error::Code;
use underlay_inventory::Registry;
use underlay_kit::{ManifestError, printable};

/// The maximum number of errors to print; nobody reads more.
const ERROR_LINES: usize = 1_000;

/// Prints why manifests cannot be read.
pub(crate) fn unreadable(errors: &[ManifestError]) -> Exit {
    print(errors.iter().cloned());
    eprintln!("nothing was sent to the server: correct the files and run the command again");
    Exit::Failed
}

/// Prints the lines that cannot be read and were left out, while the others were written.
pub(super) fn left_out(errors: &[ManifestError]) -> Exit {
    print(errors.iter().cloned());
    eprintln!("these lines were left out: correct them and run the command again");
    Exit::Failed
}

/// The operation that cannot be done with more objects than a batch takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TooMany {
    /// Writing the objects together.
    Written,
    /// Trying to write each object, as a dry run.
    Tried,
    /// Comparing the objects with the inventory.
    Compared,
}

/// Prints that there are more objects than a batch takes.
pub(crate) fn too_many(count: usize, wanted: TooMany) -> Exit {
    match wanted {
        TooMany::Written => eprintln!(
            "error: the files hold {count} objects; at most {MAX_BATCH_ITEMS} can be written together: apply fewer at \
             a time, first those that others refer to, or write each by itself with --per-item"
        ),
        TooMany::Tried => eprintln!(
            "error: the files hold {count} objects; at most {MAX_BATCH_ITEMS} can be tried with --dry-run: more are \
             written in several batches, and a dry run of one does not see what the batch before it would have written"
        ),
        TooMany::Compared => eprintln!(
            "error: the files hold {count} objects; at most {MAX_BATCH_ITEMS} can be compared together: compare fewer \
             at a time, together with those that they refer to"
        ),
    }
    eprintln!("nothing was sent to the server");
    Exit::Failed
}

/// Prints the items that were rejected.
pub(crate) fn items(items: &[ManifestItem], payload: &BatchAnswer, per_item: bool, registry: &Registry) -> Exit {
    let refused = items.iter().zip(&payload.results).filter_map(|(item, result)| Some((item, result.error.as_ref()?)));
    print(refused.clone().map(|(item, error)| {
        let field = error.field.as_deref();
        // The kind knows which values are allowed; the reader of items checks only the type.
        let known = (error.code == Code::Invalid.as_str()).then(|| reason(item, field, registry)).flatten();
        let message = known.as_deref().unwrap_or(&error.message);
        item.refuse(field, &format!("{message} ({})", error.code))
    }));
    let (refused, all) = (refused.count(), items.len());
    match per_item {
        true => eprintln!("the server refused {refused} of {all} objects; the others are not affected"),
        false => eprintln!("nothing was written: the server refused {refused} of {all} objects"),
    }
    Exit::Failed
}

/// Prints why the server rejected the whole request. Usually an item has a value of the wrong type.
pub(crate) fn input(errors: &[GraphqlError], items: &[ManifestItem], registry: &Registry) -> Exit {
    for error in errors {
        let code = error.code().map(|code| format!(" ({code})")).unwrap_or_default();
        match misfit(error, items) {
            Some((item, field)) => {
                let reason = reason(item, field, registry).unwrap_or_else(|| sentence(&error.message).to_owned());
                print([item.refuse(field, &format!("{reason}{code}"))]);
            }
            None => {
                eprintln!("error: the server rejected the request: {}", printable(&format!("{}{code}", error.message)))
            }
        }
    }
    eprintln!("nothing was written");
    Exit::Failed
}

fn print(errors: impl IntoIterator<Item = ManifestError>) {
    let mut errors = errors.into_iter();
    for error in errors.by_ref().take(ERROR_LINES) {
        eprintln!("error: {error}");
    }
    let more = errors.count();
    if more > 0 {
        eprintln!("error: and {more} more");
    }
}

/// Returns the item that an error in the variables is about, and its field: `input.items.3.rack.heightU`.
fn misfit<'a>(error: &'a GraphqlError, items: &'a [ManifestItem]) -> Option<(&'a ManifestItem, Option<&'a str>)> {
    let at = error.field()?.strip_prefix("input.items.")?;
    let mut steps = at.splitn(3, '.');
    let item = items.get(steps.next()?.parse::<usize>().ok()?)?;
    Some((item, steps.nth(1)))
}

/// Returns the reason from the kind, which knows the allowed values; the reader of items checks only the type.
fn reason(item: &ManifestItem, field: Option<&str>, registry: &Registry) -> Option<String> {
    let (kind, fields) = item.item.as_object()?.iter().next()?;
    let name = field?.split(['.', '[']).next()?;
    let description = registry.named(kind)?;
    let unfit = unfit(description, name, fields.get(name)?)?;
    Some(format!("{} {}", unfit.field, unfit.reason))
}

/// Returns the server's message without the position of the item, which is printed separately.
pub(super) fn sentence(message: &str) -> &str {
    let rest = message.strip_prefix("item ").and_then(|rest| rest.split_once(": "));
    rest.map_or(message, |(_, rest)| rest)
}
