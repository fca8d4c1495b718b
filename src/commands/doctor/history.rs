//! Checks the revisions, the rules for all objects, and the rows against the change log.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::database::{REACH, RESTORE};
use super::report::{self, Check, Finding};
use underlay_address::{Exceptions, MachineSettings};
use underlay_engine::feed::{self, Audit, Flaw, FollowError};
use underlay_engine::store::{Counted, Ends, Loaded, Store, StoreError, Stretch};
use underlay_inventory::{Registry, Snapshot, check_all, twins};
use underlay_kinds::host::shared_machines;

/// The number of revisions that are read at a time.
const REVISIONS_PER_PAGE: u64 = 1_000;
/// The number of duplicate identities after which the search stops.
const DUPLICATES_REPORTED: usize = 1_000;
/// The number of examples in a message.
const EXAMPLES: usize = 3;

/// Checks that the revisions have no gap, and that no revision lacks changes.
pub(super) async fn revisions(store: &Store) -> Vec<Finding> {
    let check = Check::Revisions;
    let looked = async {
        let ends = store.ends().await?;
        let mut chain = Chain::new(&ends);
        while chain.at < chain.up_to {
            let stretch = store.stretch(chain.at, chain.up_to, REVISIONS_PER_PAGE).await?;
            if !chain.take(&stretch) {
                break;
            }
        }
        Ok::<_, StoreError>((ends, chain))
    };
    let (ends, chain) = match looked.await {
        Ok(looked) => looked,
        Err(error) => return vec![Finding::problem(check, format!("they cannot be read: {error}"), REACH)],
    };
    let mut wrong = wrong_ends(&ends);
    wrong.extend(chain.wrong());
    match (wrong.is_empty(), ends.oldest) {
        (true, None) => vec![Finding::ok(check, "nothing was written yet")],
        (true, Some(oldest)) => {
            let message =
                format!("{} to {} are complete, with all {} changes", oldest.revision, chain.up_to, chain.changes);
            vec![Finding::ok(check, message)]
        }
        (false, _) => wrong.into_iter().map(|message| Finding::problem(check, message, RESTORE)).collect(),
    }
}

/// Returns what is wrong with the first and last revisions.
fn wrong_ends(ends: &Ends) -> Vec<String> {
    let mut wrong = Vec::new();
    match (ends.counted, ends.newest) {
        (None, _) => wrong.push("the row that counts revisions is missing".to_owned()),
        (Some(counted), None) if counted.revision > 0 => {
            wrong.push(format!("the revision counter is {}, but there is no batch", counted.revision));
        }
        (Some(counted), Some(newest)) if counted != newest => {
            wrong.push(match counted.revision == newest.revision {
                true => format!(
                    "the newest revision, {}, was written by another batch than the revision counter says",
                    newest.revision
                ),
                false => {
                    format!(
                        "the newest batch wrote revision {}, but the revision counter is {}",
                        newest.revision, counted.revision
                    )
                }
            });
        }
        _ => {}
    }
    if ends.beyond > 0 {
        wrong.push(format!("{} changes belong to revisions without a batch", ends.beyond));
    }
    wrong
}

/// The chain of revisions, as far as it was checked.
#[derive(Debug, Default)]
struct Chain {
    /// The last revision that was checked.
    at: i64,
    up_to: i64,
    changes: i64,
    /// The ranges of missing revisions.
    gaps: Examples,
    /// The revisions that lack changes.
    holes: Examples,
}

impl Chain {
    fn new(ends: &Ends) -> Self {
        let before_oldest = ends.oldest.map_or(0, |end| end.revision - 1);
        Self { at: before_oldest, up_to: ends.newest.map_or(0, |end| end.revision), ..Self::default() }
    }

    /// Adds the next part of the chain. Returns true if there can be more.
    fn take(&mut self, stretch: &Stretch) -> bool {
        // Old revisions can be dropped meanwhile.
        self.at = self.at.max(stretch.oldest - 1);
        let mut changes = stretch.changes.iter().peekable();
        for revision in stretch.revisions.iter().copied() {
            if revision > self.at + 1 {
                self.gaps.add(|| range(self.at + 1, revision - 1));
            }
            self.at = revision;
            while changes.next_if(|counted| counted.revision < revision).is_some() {}
            match changes.next_if(|counted| counted.revision == revision) {
                None => self.holes.add(|| format!("{revision} has no changes")),
                Some(counted) => {
                    self.changes += counted.count;
                    if let Some(what) = hole(counted) {
                        self.holes.add(|| format!("{revision} {what}"));
                    }
                }
            }
        }
        !stretch.revisions.is_empty()
    }

    fn wrong(&self) -> Vec<String> {
        let gaps = self.gaps.sentence("gaps in the revisions; these are missing:");
        gaps.into_iter().chain(self.holes.sentence("revisions without all of their changes:")).collect()
    }
}

fn range(first: i64, last: i64) -> String {
    if first == last { format!("{first}") } else { format!("{first} to {last}") }
}

/// Describes the changes that a revision lacks.
fn hole(counted: &Counted) -> Option<String> {
    let positions = i64::from(counted.last) + 1;
    match counted.first == 0 && positions == counted.count {
        true => None,
        false => Some(format!("has {} of at least {positions}", counted.count)),
    }
}

/// Checks that the rows make a snapshot that keeps all rules, and agree with the change log.
pub(super) async fn snapshot_and_rows(store: &Store, settings: MachineSettings) -> Vec<Finding> {
    // A value that a server's configuration allowed when it was written is no fault of the database.
    let settings = MachineSettings { allowed_addresses: Exceptions::everything(), ..settings };
    let registry = Arc::new(underlay_kinds::registry().with_settings(settings));
    let loaded = match feed::load_rows(store).await {
        Ok(loaded) => loaded,
        Err(error) => {
            let failed = Finding::problem(Check::Snapshot, format!("it cannot be loaded: {error}"), REACH);
            return vec![
                failed,
                Finding::skipped(Check::Rows, Check::Snapshot),
                Finding::skipped(Check::Log, Check::Snapshot),
            ];
        }
    };
    // These checks need no snapshot, so they run even if the rows make none.
    let mut duplicates = Examples::default();
    for twins in twins(&registry, &loaded.rows, DUPLICATES_REPORTED) {
        duplicates.add(|| twins.to_string());
    }
    let miscounted = counts(store, &registry, &loaded).await;
    let mut findings = Vec::new();
    let problem = |message| Finding::problem(Check::Snapshot, message, RESTORE);
    findings.extend(duplicates.sentence("identities are used twice:").map(problem));
    match feed::build(registry, loaded) {
        Ok(snapshot) => {
            let snapshot = Arc::new(snapshot);
            if findings.is_empty() {
                findings.push(rules(&snapshot));
            }
            findings.extend(machines(&snapshot));
            let rows = rows(store, &snapshot).await;
            // A flaw that names its row is more informative than a count.
            let named = report::is_bad(&rows);
            let miscounted = miscounted.filter(|_| !named);
            let are_sound = !named && miscounted.is_none();
            findings.extend(miscounted);
            findings.extend(rows);
            // Rows that the log contradicts cannot be undone.
            findings.extend(match are_sound {
                true => log(store, &snapshot).await,
                false => vec![Finding::skipped(Check::Log, Check::Rows)],
            });
        }
        Err(error) => {
            findings.push(problem(format!("it cannot be loaded: {error}")));
            match miscounted {
                None => findings.push(Finding::skipped(Check::Rows, Check::Snapshot)),
                Some(miscounted) => findings.push(miscounted),
            }
            findings.push(Finding::skipped(Check::Log, Check::Snapshot));
        }
    }
    findings
}

/// Compares the number of rows of each table with the number of objects that the log leaves. Returns `None` if they
/// agree.
async fn counts(store: &Store, registry: &Registry, loaded: &Loaded) -> Option<Finding> {
    let revision = loaded.revision.as_ref().map_or(0, |row| row.number);
    let tally = match store.tally(revision).await {
        Ok(tally) => tally,
        Err(error) => return Some(Finding::problem(Check::Rows, format!("the log cannot be counted: {error}"), REACH)),
    };
    let mut wrong = Examples::default();
    for (kind, rows) in registry.kinds().zip(&loaded.rows) {
        let left = tally.created.get(kind.name).copied().unwrap_or_default();
        let rows = i64::try_from(rows.len()).unwrap_or(i64::MAX);
        // If the beginning of the log was dropped, only a lower bound is known, because older objects can exist too.
        let agrees = if tally.is_whole { rows == left } else { rows >= left };
        if !agrees {
            wrong.add(|| format!("{} has {rows} where the log leaves {left}", kind.name));
        }
    }
    let message = wrong.sentence("tables do not have the number of rows that the change log says:")?;
    Some(Finding::problem(Check::Rows, message, RESTORE))
}

fn rules(snapshot: &Snapshot) -> Finding {
    let mut broken = Examples::default();
    for (object, refusal) in check_all(snapshot) {
        let path = || snapshot.find(object).map_or_else(|| object.to_string(), |found| snapshot.path(found));
        broken.add(|| format!("{}: {refusal}", path()));
    }
    match broken.sentence("objects break a rule:") {
        None => {
            let message = format!("{} objects of revision {} follow all rules", snapshot.len(), snapshot.revision());
            Finding::ok(Check::Snapshot, message)
        }
        Some(message) => {
            let advice = "if something else wrote to the database, correct the objects with apply or edit; otherwise report a \
                          bug";
            Finding::problem(Check::Snapshot, message, advice)
        }
    }
}

/// Looks for hosts that are one machine: an older server let them be.
fn machines(snapshot: &Snapshot) -> Option<Finding> {
    let mut shared = Examples::default();
    for it in shared_machines(snapshot) {
        shared.add(|| format!("host/{} and host/{} (by {})", it.host, it.other, it.by));
    }
    let advice = "correct the BMC address, uid, serial or boot MAC of one of them, or delete it; identities that vendors gave \
                  to several machines belong into hosts.ignoredIdentities";
    let message = shared.sentence("hosts are the machine of another host too, and get no orders:")?;
    Some(Finding::warning(Check::Hosts, message, advice))
}

async fn rows(store: &Store, snapshot: &Arc<Snapshot>) -> Vec<Finding> {
    audit_findings(Check::Rows, "the rows agree with {} changes", feed::audit(store, snapshot).await)
}

/// The migration since which cables are contained in the containers of their ends. Older entries of the log have
/// containers by other rules.
const CONTAINERS_OF_CABLES: &str = "m20261123_000004_ports_of_virtual_machines";

async fn log(store: &Store, snapshot: &Arc<Snapshot>) -> Vec<Finding> {
    let checked = async {
        let since = store.migrated_at(CONTAINERS_OF_CABLES).await?.unwrap_or(DateTime::<Utc>::MIN_UTC);
        feed::recheck(store, snapshot, since).await
    };
    audit_findings(Check::Log, "names, containers, authors and times of {} changes follow from the rows", checked.await)
}

/// Returns the findings of an audit. `sound` is the message without flaws; it gets the number of changes.
fn audit_findings(check: Check, sound: &str, audit: Result<Audit, FollowError>) -> Vec<Finding> {
    let audit = match audit {
        Ok(audit) => audit,
        Err(error) => return vec![Finding::problem(check, format!("the log cannot be read: {error}"), REACH)],
    };
    if audit.count == 0 {
        return vec![Finding::ok(check, sound.replace("{}", &audit.changes.to_string()))];
    }
    let mut findings: Vec<Finding> = audit.flaws.iter().map(|flaw| finding(check, flaw)).collect();
    if audit.count > audit.flaws.len() as u64 {
        let message = format!("{} more rows and changes disagree", audit.count - audit.flaws.len() as u64);
        findings.push(Finding::problem(check, message, RESTORE));
    }
    findings
}

fn finding(check: Check, flaw: &Flaw) -> Finding {
    let advice = match flaw {
        Flaw::Unreadable { .. } => "use the version of Underlay that wrote it",
        _ => RESTORE,
    };
    Finding::problem(check, flaw.to_string(), advice)
}

/// A problem that occurs many times: the count, and the first examples.
#[derive(Debug, Default)]
struct Examples {
    count: u64,
    first: Vec<String>,
}

impl Examples {
    fn add(&mut self, example: impl FnOnce() -> String) {
        self.count += 1;
        if self.first.len() < EXAMPLES {
            self.first.push(example());
        }
    }

    /// Returns a sentence, or `None` if the problem does not occur.
    fn sentence(&self, what: &str) -> Option<String> {
        let more = self.count.saturating_sub(self.first.len() as u64);
        let more = if more > 0 { format!(", and {more} more") } else { String::new() };
        (self.count > 0).then(|| format!("{} {what} {}{more}", self.count, self.first.join(", ")))
    }
}
