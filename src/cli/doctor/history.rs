//! The revisions, the value that the rows make, and the rows against the change log.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::database::{REACH, RESTORE};
use super::report::{self, Check, Finding};
use crate::feed::{self, Audit, Flaw, FollowError};
use crate::kinds;
use crate::store::{Counted, Ends, Loaded, Store, StoreError, Stretch};
use underlay_inventory::{Registry, Snapshot, check_all, twins};

/// How many revisions are read at a time.
const PAGE: u64 = 1_000;
/// The number of identities held twice after which no more are looked for.
const MOST_TWINS: usize = 1_000;
/// How many examples are given of what is wrong many times.
const EXAMPLES: usize = 3;

/// Whether the revisions are a chain without a gap, each with all its changes.
pub(super) async fn revisions(store: &Store) -> Vec<Finding> {
    let check = Check::Revisions;
    let looked = async {
        let ends = store.ends().await?;
        let mut chain = Chain::new(&ends);
        while chain.at < chain.up_to {
            let stretch = store.stretch(chain.at, chain.up_to, PAGE).await?;
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
            let message = format!(
                "{} to {} follow on each other, with all {} changes",
                oldest.revision, chain.up_to, chain.changes
            );
            vec![Finding::ok(check, message)]
        }
        (false, _) => wrong.into_iter().map(|message| Finding::problem(check, message, RESTORE)).collect(),
    }
}

/// What is wrong with the ends of the chain.
fn wrong_ends(ends: &Ends) -> Vec<String> {
    let mut wrong = Vec::new();
    match (ends.counted, ends.newest) {
        (None, _) => wrong.push("the row that counts revisions is missing".to_owned()),
        (Some(counted), None) if counted.revision > 0 => {
            wrong.push(format!("{} revisions were counted, and no batch is there", counted.revision));
        }
        (Some(counted), Some(newest)) if counted != newest => {
            wrong.push(match counted.revision == newest.revision {
                true => format!("the newest revision, {}, was made by another batch than was counted", newest.revision),
                false => {
                    format!("the newest batch made revision {}, but {} were counted", newest.revision, counted.revision)
                }
            });
        }
        _ => {}
    }
    if ends.beyond > 0 {
        wrong.push(format!("{} changes are of revisions that no batch made", ends.beyond));
    }
    wrong
}

/// The chain of revisions, as far as it was looked at.
#[derive(Debug, Default)]
struct Chain {
    /// The last revision that was looked at.
    at: i64,
    up_to: i64,
    changes: i64,
    /// Ranges that are missing.
    gaps: Examples,
    /// Revisions of which changes are missing.
    holes: Examples,
}

impl Chain {
    fn new(ends: &Ends) -> Self {
        let before_oldest = ends.oldest.map_or(0, |end| end.revision - 1);
        Self { at: before_oldest, up_to: ends.newest.map_or(0, |end| end.revision), ..Self::default() }
    }

    /// Takes the next piece; gives whether there may be more.
    fn take(&mut self, stretch: &Stretch) -> bool {
        // Old ones may be dropped meanwhile.
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
        let gaps = self.gaps.told("gaps in the revisions: missing are");
        gaps.into_iter().chain(self.holes.told("revisions without all of their changes:")).collect()
    }
}

fn range(first: i64, last: i64) -> String {
    if first == last { format!("{first}") } else { format!("{first} to {last}") }
}

/// What is missing of the changes of a revision.
fn hole(counted: &Counted) -> Option<String> {
    let places = i64::from(counted.last) + 1;
    match counted.first == 0 && places == counted.count {
        true => None,
        false => Some(format!("has {} of at least {places}", counted.count)),
    }
}

/// Whether the rows make a value that keeps all rules, and are what the change log says.
pub(super) async fn value_and_rows(store: &Store) -> Vec<Finding> {
    let registry = Arc::new(kinds::registry());
    let loaded = match feed::load_rows(store).await {
        Ok(loaded) => loaded,
        Err(error) => {
            let failed = Finding::problem(Check::Value, format!("it cannot be loaded: {error}"), REACH);
            return vec![
                failed,
                Finding::skipped(Check::Rows, Check::Value),
                Finding::skipped(Check::Log, Check::Value),
            ];
        }
    };
    // These need no value: they are looked at even if the rows make none.
    let mut twice = Examples::default();
    for twins in twins(&registry, &loaded.rows, MOST_TWINS) {
        twice.add(|| twins.to_string());
    }
    let miscounted = counts(store, &registry, &loaded).await;
    let mut findings = Vec::new();
    let problem = |message| Finding::problem(Check::Value, message, RESTORE);
    findings.extend(twice.told("identities are held twice:").map(problem));
    match feed::build(registry, loaded) {
        Ok(value) => {
            let value = Arc::new(value);
            if findings.is_empty() {
                findings.push(rules(&value));
            }
            let rows = rows(store, &value).await;
            // A flaw that names its row says more than a count.
            let named = report::is_bad(&rows);
            let miscounted = miscounted.filter(|_| !named);
            let are_sound = !named && miscounted.is_none();
            findings.extend(miscounted);
            findings.extend(rows);
            // What the rows do not bear out cannot be undone.
            findings.extend(match are_sound {
                true => log(store, &value).await,
                false => vec![Finding::skipped(Check::Log, Check::Rows)],
            });
        }
        Err(error) => {
            findings.push(problem(format!("it cannot be loaded: {error}")));
            match miscounted {
                None => findings.push(Finding::skipped(Check::Rows, Check::Value)),
                Some(miscounted) => findings.push(miscounted),
            }
            findings.push(Finding::skipped(Check::Log, Check::Value));
        }
    }
    findings
}

/// Compares how many rows each table has with how many objects the change log leaves in it; `None` if they agree.
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
        // Of a log whose beginning was dropped only a bound is known: objects from before it may be there as well.
        let agrees = if tally.is_whole { rows == left } else { rows >= left };
        if !agrees {
            wrong.add(|| format!("{} has {rows} where the log leaves {left}", kind.name));
        }
    }
    let message = wrong.told("tables have another number of rows than the change log says:")?;
    Some(Finding::problem(Check::Rows, message, RESTORE))
}

fn rules(value: &Snapshot) -> Finding {
    let mut broken = Examples::default();
    for (object, refusal) in check_all(value) {
        let path = || value.find(object).map_or_else(|| object.to_string(), |place| value.path(place));
        broken.add(|| format!("{}: {refusal}", path()));
    }
    match broken.told("objects break a rule:") {
        None => {
            let message = format!("{} objects of revision {} keep all rules", value.len(), value.revision());
            Finding::ok(Check::Value, message)
        }
        Some(message) => {
            let advice = "if it was written to past Underlay, put it right with apply or edit; else it is a bug to be \
                          reported";
            Finding::problem(Check::Value, message, advice)
        }
    }
}

async fn rows(store: &Store, value: &Arc<Snapshot>) -> Vec<Finding> {
    told(Check::Rows, "they are what {} changes say", feed::audit(store, value).await)
}

/// The migration of the version since which cables stand in what their ends stand in. Containers in the log from before
/// are those of other rules.
const CONTAINERS_OF_CABLES: &str = "m20261123_000004_ports_of_virtual_machines";

async fn log(store: &Store, value: &Arc<Snapshot>) -> Vec<Finding> {
    let checked = async {
        let since = store.migrated_at(CONTAINERS_OF_CABLES).await?.unwrap_or(DateTime::<Utc>::MIN_UTC);
        feed::recheck(store, value, since).await
    };
    told(Check::Log, "names, containers, authors and times of {} changes follow from the rows", checked.await)
}

/// The findings of an audit; `sound` with the number of changes if there is no flaw.
fn told(check: Check, sound: &str, audit: Result<Audit, FollowError>) -> Vec<Finding> {
    let audit = match audit {
        Ok(audit) => audit,
        Err(error) => return vec![Finding::problem(check, format!("the log cannot be read: {error}"), REACH)],
    };
    if audit.count == 0 {
        return vec![Finding::ok(check, sound.replace("{}", &audit.changes.to_string()))];
    }
    let mut findings: Vec<Finding> = audit.flaws.iter().map(|flaw| finding(check, flaw)).collect();
    if audit.count > audit.flaws.len() as u64 {
        let message = format!("{} more rows and changes do not agree", audit.count - audit.flaws.len() as u64);
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

/// What is wrong many times: how often, and the first of them.
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

    /// As a sentence; `None` when there is nothing.
    fn told(&self, what: &str) -> Option<String> {
        let more = self.count.saturating_sub(self.first.len() as u64);
        let more = if more > 0 { format!(", and {more} more") } else { String::new() };
        (self.count > 0).then(|| format!("{} {what} {}{more}", self.count, self.first.join(", ")))
    }
}
