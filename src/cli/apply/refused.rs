//! What was refused, for people: each refusal in a line of its own on standard error, with the place in the manifests.

use underlay_client::GraphqlError;

use crate::cli::batch::{MOST_ITEMS, Payload};
use crate::cli::exit::Exit;
use crate::cli::kinds::unfit;
use crate::cli::manifest::ManifestItem;
use underlay_inventory::Registry;
use underlay_kit::{ManifestError, printable};

/// The code of a value that is not allowed.
const INVALID: &str = "INVALID";
/// More lines than anyone reads.
const MOST_LINES: usize = 1_000;

/// Says why manifests cannot be read.
pub(in crate::cli) fn unreadable(errors: &[ManifestError]) -> Exit {
    print(errors.iter().cloned());
    eprintln!("nothing was sent to the server: correct the files and run the command again");
    Exit::Failed
}

/// Says which lines were left out because they cannot be read, when the others were written one by one.
pub(super) fn left_out(errors: &[ManifestError]) -> Exit {
    print(errors.iter().cloned());
    eprintln!("these lines were left out: correct them and run the command again");
    Exit::Failed
}

/// What cannot be done with more objects than a batch takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) enum TooMany {
    /// Writing them together.
    Written,
    /// Trying each by itself.
    Tried,
    /// Comparing them with what is there.
    Compared,
}

/// Says that there is more than one batch can take.
pub(in crate::cli) fn too_many(count: usize, wanted: TooMany) -> Exit {
    match wanted {
        TooMany::Written => eprintln!(
            "error: the files hold {count} objects; at most {MOST_ITEMS} can be written together: apply fewer at a \
             time, first those that others refer to, or write each by itself with --per-item"
        ),
        TooMany::Tried => eprintln!(
            "error: the files hold {count} objects; at most {MOST_ITEMS} can be tried with --dry-run: more are written \
             in several batches, and a dry run of one does not see what the batch before it would have written"
        ),
        TooMany::Compared => eprintln!(
            "error: the files hold {count} objects; at most {MOST_ITEMS} can be compared together: compare fewer at a \
             time, together with those that they refer to"
        ),
    }
    eprintln!("nothing was sent to the server");
    Exit::Failed
}

/// Says which items were refused.
pub(in crate::cli) fn items(items: &[ManifestItem], payload: &Payload, per_item: bool, registry: &Registry) -> Exit {
    let refused = items.iter().zip(&payload.results).filter_map(|(item, result)| Some((item, result.error.as_ref()?)));
    print(refused.clone().map(|(item, error)| {
        let field = error.field.as_deref();
        // The kind knows what is allowed; the reader of items knows only the type.
        let known = (error.code == INVALID).then(|| reason(item, field, registry)).flatten();
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

/// Says why the server refused the request as a whole: mostly a value of the wrong type in one of the items.
pub(in crate::cli) fn input(errors: &[GraphqlError], items: &[ManifestItem], registry: &Registry) -> Exit {
    for error in errors {
        let code = error.code().map(|code| format!(" ({code})")).unwrap_or_default();
        match misfit(error, items) {
            Some((item, field)) => {
                let reason = reason(item, field, registry).unwrap_or_else(|| sentence(&error.message).to_owned());
                print([item.refuse(field, &format!("{reason}{code}"))]);
            }
            None => eprintln!("error: the server refuses: {}", printable(&format!("{}{code}", error.message))),
        }
    }
    eprintln!("nothing was written");
    Exit::Failed
}

fn print(errors: impl IntoIterator<Item = ManifestError>) {
    let mut errors = errors.into_iter();
    for error in errors.by_ref().take(MOST_LINES) {
        eprintln!("error: {error}");
    }
    let more = errors.count();
    if more > 0 {
        eprintln!("error: and {more} more");
    }
}

/// The item that an error in the variables is about, and its field: `input.items.3.rack.heightU`.
fn misfit<'a>(error: &'a GraphqlError, items: &'a [ManifestItem]) -> Option<(&'a ManifestItem, Option<&'a str>)> {
    let place = error.field()?.strip_prefix("input.items.")?;
    let mut steps = place.splitn(3, '.');
    let item = items.get(steps.next()?.parse::<usize>().ok()?)?;
    Some((item, steps.nth(1)))
}

/// Gives the reason of the kind, which knows what is allowed; the reader of items knows only the type.
fn reason(item: &ManifestItem, field: Option<&str>, registry: &Registry) -> Option<String> {
    let (kind, fields) = item.item.as_object()?.iter().next()?;
    let name = field?.split(['.', '[']).next()?;
    let description = registry.named(kind)?;
    let unfit = unfit(description, name, fields.get(name)?)?;
    Some(format!("{} {}", unfit.field, unfit.reason))
}

/// Gives the message of the server without the place of the item, which is said already.
pub(super) fn sentence(message: &str) -> &str {
    let said = message.strip_prefix("item ").and_then(|rest| rest.split_once(": "));
    said.map_or(message, |(_, said)| said)
}
