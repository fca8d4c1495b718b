//! Hints that files changed.
//!
//! A hint says only that something changed: many files change together when a branch is checked out, and to compare all
//! of them costs little.

use std::path::{Component, Path, PathBuf};

use notify::{Event, EventKind, RecursiveMode, Watcher as _, recommended_watcher};
use tokio::sync::mpsc;
use underlay_kit::sync::{AdapterError, Hint, HintSender};

/// Watches files and folders, and passes a hint on whenever something changed in them.
///
/// # Errors
/// Returns an error if the system cannot watch them, as where its limit of watches is reached.
pub async fn gather(paths: Vec<PathBuf>, hints: HintSender) -> Result<(), AdapterError> {
    // One place is enough: a hint that waits already says all that another one would.
    let (changed, mut changes) = mpsc::channel(1);
    let roots = paths.clone();
    let refused = |error: notify::Error| AdapterError::Refused {
        call: "watch the files".to_owned(),
        reason: format!("{error}; changes come with the next full scan"),
    };
    let mut watcher = recommended_watcher(move |event: notify::Result<Event>| {
        // After an error, such as a full queue, something may have changed.
        if event.map_or(true, |event| matters(&roots, &event)) {
            // A full channel holds a hint already.
            let _ = changed.try_send(());
        }
    })
    .map_err(refused)?;
    for path in &paths {
        watcher.watch(path, RecursiveMode::Recursive).map_err(refused)?;
    }
    while changes.recv().await.is_some() {
        hints.send(Hint::Everything).await?;
    }
    Ok(())
}

/// Returns true if an event can change what the files say. To read them does not, and hidden files are left out.
pub fn matters(roots: &[PathBuf], event: &Event) -> bool {
    if matches!(event.kind, EventKind::Access(_)) {
        return false;
    }
    let is_seen = |path: &PathBuf| {
        let below = roots.iter().find_map(|root| path.strip_prefix(root).ok()).unwrap_or(Path::new(""));
        !below.components().any(|part| match part {
            Component::Normal(name) => name.as_encoded_bytes().starts_with(b"."),
            _ => false,
        })
    };
    event.paths.is_empty() || event.paths.iter().any(is_seen)
}
