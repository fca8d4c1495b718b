//! Decides which manager owns which field of an object, and who may set it.
//!
//! Ownership is grouped by manager and revision, each with a bit set of fields, so that an object that one source wrote
//! in one batch has a single short entry. Labels, attributes and external references are owned entry by entry.

use underlay_entity::common::{Holding, Managers};

use super::batch::Conflicts;
use underlay_inventory::SOURCE;

/// Something that one manager can own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hold<'a> {
    /// A field, by its stored number.
    Field(u8),
    /// An entry of a map, such as `labels.env`.
    Entry(&'a str),
}

impl Hold<'_> {
    fn is_in(self, holding: &Holding) -> bool {
        match self {
            Self::Field(number) => holding.fields & (1 << number) != 0,
            Self::Entry(key) => holding.keys.iter().any(|held| held == key),
        }
    }
}

/// Returns the manager that owns something.
pub fn holder(managers: &Managers, what: Hold<'_>) -> Option<i32> {
    managers.0.iter().find(|holding| what.is_in(holding)).map(|holding| holding.manager)
}

/// Makes a manager the owner of something, as of a revision.
pub fn take(managers: &mut Managers, what: Hold<'_>, manager: i32, revision: i64) {
    release(managers, what);
    let holdings = managers.holdings_mut();
    let at = match holdings.iter().position(|it| it.manager == manager && it.since == revision) {
        Some(at) => at,
        None => {
            holdings.push(Holding { manager, since: revision, fields: 0, keys: Vec::new() });
            holdings.len() - 1
        }
    };
    match what {
        Hold::Field(number) => holdings[at].fields |= 1 << number,
        Hold::Entry(key) => holdings[at].keys.push(key.to_owned()),
    }
}

/// Removes the owner of something.
pub fn release(managers: &mut Managers, what: Hold<'_>) {
    if holder(managers, what).is_none() {
        return;
    }
    let holdings = managers.holdings_mut();
    for holding in &mut *holdings {
        match what {
            Hold::Field(number) => holding.fields &= !(1 << number),
            Hold::Entry(key) => holding.keys.retain(|held| held != key),
        }
    }
    holdings.retain(|holding| holding.fields != 0 || !holding.keys.is_empty());
}

/// Removes the owners of all entries of a map.
pub fn release_entries(managers: &mut Managers, map: &str) {
    let is_entry = |key: &String| key.strip_prefix(map).is_some_and(|rest| rest.starts_with('.'));
    let holdings = managers.holdings_mut();
    for holding in &mut *holdings {
        holding.keys.retain(|key| !is_entry(key));
    }
    holdings.retain(|holding| holding.fields != 0 || !holding.keys.is_empty());
}

/// Removes everything that a manager owns.
pub fn release_all(managers: &mut Managers, manager: i32) {
    managers.holdings_mut().retain(|holding| holding.manager != manager);
}

/// The permitted effect on a value that has an owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Write,
    Skip,
    Refuse,
}

/// Decides whether `writer` may change a value that `holder` owns. Users may overrule each other. Between a source and
/// any other manager, the conflict mode of the batch decides.
pub fn decide(conflicts: Conflicts, writer: &str, holder: Option<&str>) -> Verdict {
    let Some(holder) = holder else { return Verdict::Write };
    let users = !writer.starts_with(SOURCE) && !holder.starts_with(SOURCE);
    match conflicts {
        _ if holder == writer || users => Verdict::Write,
        Conflicts::Force => Verdict::Write,
        Conflicts::Skip => Verdict::Skip,
        Conflicts::Fail => Verdict::Refuse,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_has_one_holder() {
        let mut managers = Managers::default();
        take(&mut managers, Hold::Field(3), 1, 10);
        take(&mut managers, Hold::Field(4), 1, 10);
        take(&mut managers, Hold::Entry("labels.env"), 1, 10);
        assert_eq!(managers.0.len(), 1, "one manager and revision is one entry");
        take(&mut managers, Hold::Field(3), 2, 11);
        assert_eq!(holder(&managers, Hold::Field(3)), Some(2));
        assert_eq!(holder(&managers, Hold::Field(4)), Some(1));
        assert_eq!(holder(&managers, Hold::Entry("labels.env")), Some(1));
        release(&mut managers, Hold::Field(3));
        assert_eq!(holder(&managers, Hold::Field(3)), None);
        release_all(&mut managers, 1);
        assert_eq!(managers, Managers::default(), "nothing empty is left behind");
    }

    #[test]
    fn managers_decide_who_may_change_a_field() {
        use Conflicts::{Fail, Force, Skip};
        let table = [
            (Fail, "user:a", None, Verdict::Write),
            (Fail, "user:a", Some("user:b"), Verdict::Write),
            (Fail, "user:a", Some("source:x"), Verdict::Refuse),
            (Force, "user:a", Some("source:x"), Verdict::Write),
            (Skip, "source:x", Some("source:x"), Verdict::Write),
            (Skip, "source:x", Some("source:y"), Verdict::Skip),
            (Skip, "source:x", Some("user:a"), Verdict::Skip),
            (Fail, "source:x", Some("user:a"), Verdict::Refuse),
        ];
        for (conflicts, writer, holder, verdict) in table {
            assert_eq!(decide(conflicts, writer, holder), verdict, "{conflicts:?} {writer} {holder:?}");
        }
    }
}
