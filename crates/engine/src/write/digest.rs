//! Computes the digest of a batch, which shows that a repeated request has the same content.

use serde::Serialize;
use serde_json::Value as Json;
use sha2::{Digest as _, Sha256};

use super::batch::{Batch, Cascade, Conflicts, Intent, Item, Mode, Origin, Release};

/// Returns the SHA-256 digest of the items of a batch and of its options, as hexadecimal digits. The order of the
/// fields in an item does not matter.
pub fn digest(batch: &Batch) -> String {
    let mut digest = Sha256::new();
    let mut text = Vec::new();
    let mode = match batch.mode {
        Mode::Atomic => "atomic",
        Mode::PerItem => "per item",
    };
    let conflicts = match batch.conflicts {
        Conflicts::Skip => "skip",
        Conflicts::Fail => "fail",
        Conflicts::Force => "force",
    };
    add(&mut digest, &mut text, &(mode, conflicts, &batch.author.source));
    if let Origin::Decision(decision) = &batch.origin {
        add(&mut digest, &mut text, &("decided", decision.request()));
    }
    for item in &batch.items {
        match item {
            Item::Write { kind, intent, fields, if_version } => {
                let intent = match intent {
                    Intent::Apply => "apply",
                    Intent::Create => "create",
                    Intent::Update => "update",
                };
                let mut fields: Vec<(&str, &Json)> = fields.iter().collect();
                fields.sort_unstable_by_key(|(name, _)| *name);
                add(&mut digest, &mut text, &(intent, kind.name, if_version, fields));
            }
            Item::Delete { kind, object, cascade, if_version } => {
                let what = match cascade {
                    Cascade::No => "delete",
                    Cascade::Contained => "delete with contents",
                };
                add(&mut digest, &mut text, &(what, kind.map(|kind| kind.name), if_version, object));
            }
            Item::Release { kind, object, what } => {
                let kind = kind.map(|kind| kind.name);
                match what {
                    Release::Fields(fields) => add(&mut digest, &mut text, &("release", kind, object, fields)),
                    Release::HeldBy(manager) => add(&mut digest, &mut text, &("release of", kind, object, manager)),
                }
            }
            Item::Refused { input, .. } => add(&mut digest, &mut text, &("refused", input)),
        }
    }
    digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Adds a value as a line of JSON, so that two different batches never give the same text.
fn add(digest: &mut Sha256, text: &mut Vec<u8>, part: &impl Serialize) {
    text.clear();
    // Texts, numbers and JSON values can always be written as JSON.
    if serde_json::to_writer(&mut *text, part).is_ok() {
        text.push(b'\n');
        digest.update(&*text);
    }
}
