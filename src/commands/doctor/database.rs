//! Checks the database: that it answers, has the migrations of this version, is undamaged, and drops old changes.

use std::path::Path;

use chrono::{DateTime, TimeDelta, Utc};

use super::report::{Check, Finding};
use underlay_engine::store::{ClockJump, DatabaseUrl, Retention, Store, StoreError};

/// The advice for a database that something other than Underlay changed.
pub(super) const RESTORE: &str = "something other than Underlay wrote to the database, or the disk lost data: stop the \
                                  server, find out what, and restore a backup";
/// The advice for a database that does not answer.
pub(super) const REACH: &str = "check that the database runs, and that --database is correct";
/// The time for which expired changes may remain. The server looks for them every few minutes.
const MAX_SWEEP_DELAY: TimeDelta = TimeDelta::hours(2);

/// Opens the database read-only, and reports its type and version.
pub(super) async fn open(url: &DatabaseUrl) -> Result<(Store, Finding), Finding> {
    let check = Check::Database;
    let file = url.sqlite_file().map_err(|error| Finding::problem(check, error.to_string(), REACH))?;
    match &file {
        None if !url.is_shared() => {
            let message = "the database is only in the memory of the process that made it";
            return Err(Finding::problem(check, message, "name a file with --database or --data-dir"));
        }
        Some(file) if !file.exists() => {
            let message = format!("there is no database at {}", file.display());
            let advice = "name it with --data-dir DIR or --database URL, as for serve, which creates one";
            return Err(Finding::problem(check, message, advice));
        }
        _ => {}
    }
    let opened = Store::open_to_look(url, underlay_kinds::tables()).await;
    let store = opened.map_err(|error| unreachable(&error))?;
    match store.version().await {
        Ok(version) => {
            let finding = Finding::ok(check, what(&version, file.as_deref()));
            Ok((store, finding))
        }
        Err(error @ StoreError::TooOld { .. }) => {
            Err(Finding::problem(check, error.to_string(), "upgrade it with pg_upgrade, or with a dump"))
        }
        Err(error) => Err(unreachable(&error)),
    }
}

fn unreachable(error: &StoreError) -> Finding {
    Finding::problem(Check::Database, format!("the database cannot be reached: {error}"), REACH)
}

fn what(version: &str, file: Option<&Path>) -> String {
    match file {
        Some(file) => format!("{} is read by SQLite {version}", file.display()),
        None => format!("PostgreSQL {version} answers"),
    }
}

/// Checks that the tables have the migrations of this version.
pub(super) async fn migrations(store: &Store) -> Vec<Finding> {
    let check = Check::Migrations;
    let migrations = match store.migrations().await {
        Ok(migrations) => migrations,
        Err(error) => return vec![Finding::problem(check, format!("they cannot be read: {error}"), RESTORE)],
    };
    let mut findings = Vec::new();
    if migrations.applied.is_empty() {
        let message = "this is not a database of Underlay: no migration was ever run on it";
        return vec![Finding::problem(check, message, "name the right one with --data-dir DIR or --database URL")];
    }
    if !migrations.unknown.is_empty() {
        let message = format!("not known to this version: {}", migrations.unknown.join(", "));
        findings.push(Finding::problem(check, message, "use the newer version of Underlay that ran them"));
    }
    if !migrations.missing.is_empty() {
        let message = format!("missing: {}", migrations.missing.join(", "));
        findings.push(Finding::problem(check, message, "start the server of this version once: it runs them"));
    }
    if findings.is_empty() {
        findings.push(match store.check_format().await {
            Ok(()) => {
                Finding::ok(check, format!("up to date with {}", migrations.applied.last().map_or("", String::as_str)))
            }
            Err(error) => Finding::problem(check, error.to_string(), "use the version of Underlay that wrote it"),
        });
    }
    findings
}

/// Checks an SQLite file for damage.
pub(super) async fn damages(store: &Store) -> Option<Finding> {
    if store.is_shared() {
        return None;
    }
    let check = Check::Integrity;
    Some(match store.damages().await {
        Ok(damages) => match damages.first() {
            None => Finding::ok(check, "every page and every index of the file is sound"),
            Some(first) => {
                let message = format!("the file is damaged in {} places at least, such as: {first}", damages.len());
                Finding::problem(check, message, "check the disk, and restore a backup")
            }
        },
        Err(error) => {
            Finding::problem(check, format!("the file cannot be read: {error}"), "check the disk, and restore a backup")
        }
    })
}

/// Checks that old changes are dropped.
pub(super) async fn retention(store: &Store, retention: Retention) -> Finding {
    let ends = match store.ends().await {
        Ok(ends) => ends,
        Err(error) => return Finding::problem(Check::Retention, format!("it cannot be looked at: {error}"), REACH),
    };
    let (Some(oldest), Some(newest)) = (ends.oldest, ends.newest) else {
        return Finding::ok(Check::Retention, "nothing was written yet");
    };
    let kept = match retention {
        Retention::ForEver => None,
        Retention::For(time) => TimeDelta::from_std(time).ok(),
    };
    match store.clock_jump().await {
        Ok(None) => {}
        Ok(Some(jump)) => return jumped(jump),
        Err(error) => return Finding::problem(Check::Retention, format!("it cannot be looked at: {error}"), REACH),
    }
    // The newest revision is kept, whatever its age.
    let oldest_at = (oldest.revision < newest.revision).then_some(oldest.at);
    judge(kept, oldest.revision, oldest_at, ends.dropped_changes, Utc::now())
}

/// The way to accept the clock after a jump.
const ACCEPT: &str = "if the clock is wrong, set it right; if it is right, because no server ran for example, accept it at \
    a running server: echo 'mutation { acceptClock { clockJump { seconds } } }' | underlay query -";

fn jumped(jump: ClockJump) -> Finding {
    let message = format!(
        "the clock went ahead by {} until {}: changes that became old by it are kept",
        time(jump.by),
        jump.seen_at.format("%Y-%m-%d %H:%M UTC")
    );
    Finding::warning(Check::Retention, message, ACCEPT)
}

fn judge(
    kept: Option<TimeDelta>,
    oldest: i64,
    oldest_at: Option<DateTime<Utc>>,
    dropped: u64,
    now: DateTime<Utc>,
) -> Finding {
    let since = oldest_at.map_or_else(String::new, |at| format!(" of {}", at.format("%Y-%m-%d")));
    let held = format!("changes are held from revision {oldest}{since} on");
    let Some(kept) = kept else { return Finding::ok(Check::Retention, format!("{held}, for ever")) };
    let rest = if dropped > 0 { format!(", {dropped} are being dropped") } else { String::new() };
    let message = format!("{held}; those older than {} are dropped{rest}", time(kept));
    match oldest_at.is_some_and(|at| now - at > kept + MAX_SWEEP_DELAY) {
        true => {
            let message = format!("{held}, though those older than {} are to be dropped{rest}", time(kept));
            let advice = "a running server drops them: check that one runs, and look for old changes in its log";
            Finding::warning(Check::Retention, message, advice)
        }
        false => Finding::ok(Check::Retention, message),
    }
}

/// Formats a duration as in the configuration.
fn time(time: TimeDelta) -> String {
    match time.num_hours() {
        hours if hours % 24 == 0 => format!("{}d", hours / 24),
        hours => format!("{hours}h"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::report::Level;
    use super::*;

    #[test]
    fn expired_changes_may_be_a_little_late_and_the_newest_may_be_old() {
        let now = Utc::now();
        let level = |kept: Option<i64>, age: Option<i64>| {
            judge(kept.map(TimeDelta::hours), 3, age.map(|age| now - TimeDelta::hours(age)), 0, now).level
        };
        assert_eq!(level(Some(24), Some(25)), Level::Ok);
        assert_eq!(level(Some(24), Some(27)), Level::Warning);
        assert_eq!((level(None, Some(9_999)), level(Some(24), None)), (Level::Ok, Level::Ok));
    }
}
