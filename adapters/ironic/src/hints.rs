//! The nodes that changed lately, which give hints.
//!
//! Ironic is asked every few seconds for the nodes that changed last and those that were created last. A page is read as
//! long as it has something new, so that a change that was committed late is not missed. Ironic does not say that a node
//! was deleted, nor that a port changed; the next full scan sees that.

use std::time::Duration;

use tokio::time::sleep;
use underlay_kit::sync::{AdapterError, ExternalId, Hint, HintSender};

use crate::client::{Client, Entry, Listing};
use crate::map::{HOST, has_our_mark};
use crate::memory::Memory;

/// The number of nodes that is asked for at a time.
const NODES_PER_PAGE: usize = 50;
/// The maximum number of pages of a look. A full scan is cheaper than more looks at single nodes.
const MAX_PAGES: usize = 20;
/// The number of wrong answers one after the other after which there are no hints any more. A proxy can say for some
/// minutes that Ironic is being upgraded.
const MAX_WRONG_ANSWERS: usize = 60;

/// Gives hints until the receiver is gone. Before the first complete scan there are none.
///
/// # Errors
/// Returns an error if Ironic refuses access, or if its answers break the contract again and again.
pub async fn follow(client: &Client, memory: &Memory, pause: Duration, hints: &HintSender) -> Result<(), AdapterError> {
    let mut wrong = 0;
    loop {
        sleep(pause).await;
        if !memory.is_complete() {
            continue;
        }
        match news(client, memory, hints).await {
            Ok(()) => wrong = 0,
            Err(error) if error.is_passing() => {}
            Err(AdapterError::WrongAnswer { .. }) if wrong < MAX_WRONG_ANSWERS => wrong += 1,
            Err(error) => return Err(error),
        }
    }
}

/// Sends a hint for each node that changed since the last look or scan.
async fn news(client: &Client, memory: &Memory, hints: &HintSender) -> Result<(), AdapterError> {
    for key in ["updated_at", "created_at"] {
        let mut listing = Listing::nodes(NODES_PER_PAGE).with("sort_key", key).with("sort_dir", "desc");
        for page in 0.. {
            if page == MAX_PAGES {
                return hints.send(Hint::Everything).await;
            }
            let Some(batch) = listing.next(client).await? else { break };
            let mut has_news = false;
            for entry in &batch.entries {
                if is_news(memory, entry) {
                    has_news = true;
                    if !has_our_mark(entry.fields().members()) {
                        hints.send(Hint::Changed(ExternalId::new(HOST, &*entry.uuid))).await?;
                    }
                }
            }
            if !has_news {
                break;
            }
        }
    }
    Ok(())
}

fn is_news(memory: &Memory, entry: &Entry) -> bool {
    // A time of a wrong type is no news; the scan reports it.
    entry.fields().text("updated_at").is_ok_and(|changed| memory.is_news(&entry.uuid, changed.as_deref()))
}
