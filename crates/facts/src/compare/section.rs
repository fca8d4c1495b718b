//! The comparison of two sections of parts, whatever kind of part these are.

use std::collections::HashSet;

use serde::Serialize;
use serde_json::Value;

use super::absent::{AbsentParts, Knowledge};
use super::matching::{Key, Match, Signs, find};
use super::values::{json, serial, serial_of};
use super::{Boot, Part, PartChange, PartEvent};
use crate::section::{Section, Unread};

/// A part of a machine that has a place in it.
pub(super) trait Comparable: Clone + Serialize {
    /// The name of the kind of part.
    const PART: Part;

    /// Returns what the part takes along wherever it goes, the best one first.
    fn identities(&self) -> [Option<Key>; 3];

    /// Returns the place in the machine.
    fn place(&self) -> Option<String>;

    /// Returns the name that the kernel gives the part, if it gives one.
    fn name(&self) -> Option<&str>;

    /// Returns the number by which events are ordered before their place is looked at.
    fn number(&self) -> u32 {
        0
    }

    /// Returns what happened to the part between two reports, apart from a change of its place.
    fn changes(before: &Self, after: &Self, counters: Counters) -> Vec<PartEvent>;

    /// Returns what is said of a part that was not known before, besides that it is there.
    fn at_first_sight(&self) -> Option<PartEvent> {
        None
    }

    /// Returns the place as events name it.
    fn title(&self) -> String {
        self.place().or_else(|| self.name().map(str::to_owned)).unwrap_or_default()
    }
}

/// The relation of the counters of a part to those that are known of it: they go on, or begin anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Counters {
    /// They go on.
    Continue,
    /// They may have begun anew.
    BeginAnew,
}

/// The content that a section shows.
pub(super) struct Shown<'a, T> {
    pub parts: &'a [T],
    pub is_complete: bool,
    pub unread: &'a [Unread],
}

impl<'a, T> Shown<'a, T> {
    /// Returns what a section shows that is a list of parts.
    fn of_list(section: &'a Section<Vec<T>>) -> Self {
        Self { parts: &section.found, is_complete: section.complete, unread: &section.unread }
    }
}

/// A part that was known before the later report.
struct Known<'a, T> {
    part: &'a T,
    standing: Standing,
}

/// The way in which a part is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    /// One complete section lacked it.
    Lacked,
    /// Incomplete sections did not show it.
    Unseen,
    /// The report before shows it.
    Present,
}

/// The meaning of a part that nobody knew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unknown {
    /// All parts were known, so it is new.
    IsNew,
    /// It may have been there, because it could not be read.
    MayBeOld,
}

/// Compares two sections that are lists of parts, appends the events, and returns the parts that the later one does not
/// show.
pub(super) fn compare_lists<T: Comparable>(
    before: &Option<Section<Vec<T>>>,
    absent: &AbsentParts<T>,
    after: &Option<Section<Vec<T>>>,
    boot: Boot,
    events: &mut Vec<PartEvent>,
) -> AbsentParts<T> {
    let [before, after] = [before, after].map(|section| section.as_ref().map(Shown::of_list));
    compare_section(before, absent, after, boot, events)
}

/// Compares two sections, appends the events, and returns the parts that the later one does not show.
pub(super) fn compare_section<T: Comparable>(
    before: Option<Shown<'_, T>>,
    absent: &AbsentParts<T>,
    after: Option<Shown<'_, T>>,
    boot: Boot,
    events: &mut Vec<PartEvent>,
) -> AbsentParts<T> {
    let unknown = unknown(before.as_ref(), absent.knowledge, after.as_ref());
    let nothing = || Shown { parts: &[], is_complete: false, unread: &[] };
    let (before, after) = (before.unwrap_or_else(nothing), after.unwrap_or_else(nothing));

    let known = known(absent, before.parts);
    let matches = matches(&known, after.parts, boot);
    let mut found: Vec<(&T, PartEvent)> = Vec::new();
    let still = missing(&known, &matches, after.is_complete, &mut found);
    for (part, matched) in after.parts.iter().zip(matches) {
        found.extend(of_part(&known, part, matched, unknown, boot).into_iter().map(|event| (part, event)));
    }

    let order = |part: &T| (part.number(), part.title(), part.name().map(str::to_owned), part.identities());
    found.sort_by_cached_key(|(part, _)| order(part));
    events.extend(found.into_iter().map(|(_, event)| event));
    let was_all_known = before.is_complete || absent.knowledge == Knowledge::OfAll;
    let knowledge = if was_all_known && !after.is_complete { Knowledge::OfAll } else { Knowledge::OfSection };
    AbsentParts { knowledge, ..still }.bounded()
}

/// Returns what a part is that nobody knew. It is not new if it may come from what could not be read before.
fn unknown<T>(before: Option<&Shown<'_, T>>, knowledge: Knowledge, after: Option<&Shown<'_, T>>) -> Unknown {
    let still_unread: HashSet<&str> = after.iter().flat_map(|it| it.unread).map(|it| it.what.as_str()).collect();
    let is_as_readable = |before: &Shown<'_, T>| before.unread.iter().all(|it| still_unread.contains(it.what.as_str()));
    let was_all_known = before.is_some_and(|before| before.is_complete || is_as_readable(before));
    if was_all_known || knowledge == Knowledge::OfAll { Unknown::IsNew } else { Unknown::MayBeOld }
}

/// Returns the parts that were known, those first that were shown the longest time ago.
fn known<'a, T>(absent: &'a AbsentParts<T>, before: &'a [T]) -> Vec<Known<'a, T>> {
    let of = |parts: &'a [T], standing| parts.iter().map(move |part| Known { part, standing });
    let absent = of(&absent.lacked, Standing::Lacked).chain(of(&absent.unseen, Standing::Unseen));
    absent.chain(of(before, Standing::Present)).collect()
}

fn matches<T: Comparable>(known: &[Known<'_, T>], after: &[T], boot: Boot) -> Vec<Option<Match>> {
    let (before, absent): (Vec<_>, Vec<_>) = known.iter().partition(|known| known.standing == Standing::Present);
    let of_known = |list: Vec<&Known<'_, T>>| list.iter().map(|known| signs(known.part, boot)).collect::<Vec<_>>();
    let after: Vec<Signs> = after.iter().map(|part| signs(part, boot)).collect();
    find(&of_known(absent), &of_known(before), &after)
}

/// Returns the signs of a part. Names are only good within a boot: of parts that have nothing else, another boot leaves
/// the number.
fn signs<T: Comparable>(part: &T, boot: Boot) -> Signs {
    let (identities, place) = (part.identities(), part.place().map(|place| vec![place]));
    let has_only_name = place.is_none() && identities.iter().all(Option::is_none);
    let name = match boot {
        Boot::Same => part.name().map(|name| vec![name.to_owned()]),
        Boot::Other | Boot::Unknown => has_only_name.then(Vec::new),
    };
    Signs { identities, place, name }
}

/// Returns the parts that are missing now, and adds the removal of those of which it is confirmed.
fn missing<'a, T: Comparable>(
    known: &[Known<'a, T>],
    matches: &[Option<Match>],
    is_complete: bool,
    found: &mut Vec<(&'a T, PartEvent)>,
) -> AbsentParts<T> {
    let matched: HashSet<usize> = matches.iter().flatten().map(|matched| matched.index()).collect();
    let mut still = AbsentParts::default();
    for (_, Known { part, standing }) in known.iter().enumerate().filter(|(index, _)| !matched.contains(index)) {
        match standing {
            Standing::Lacked if is_complete => found.push((part, event(PartChange::Removed, *part, json(part), None))),
            Standing::Lacked => still.lacked.push((*part).clone()),
            Standing::Unseen | Standing::Present if is_complete => still.lacked.push((*part).clone()),
            Standing::Unseen | Standing::Present => still.unseen.push((*part).clone()),
        }
    }
    still
}

/// Returns what happened to a part of the later report.
fn of_part<T: Comparable>(
    known: &[Known<'_, T>],
    part: &T,
    matched: Option<Match>,
    unknown: Unknown,
    boot: Boot,
) -> Vec<PartEvent> {
    match matched {
        Some(Match::Alike(_)) => Vec::new(),
        Some(Match::Same(index)) => {
            let Known { part: before, standing } = &known[index];
            let is_counted_on = boot == Boot::Same && *standing == Standing::Present;
            let counters = if is_counted_on { Counters::Continue } else { Counters::BeginAnew };
            of_same(*before, part, counters)
        }
        Some(Match::Replaced(index)) => {
            let replaced = event(PartChange::Replaced, part, json(known[index].part), json(part));
            [Some(replaced), part.at_first_sight()].into_iter().flatten().collect()
        }
        None => {
            let added = (unknown == Unknown::IsNew).then(|| event(PartChange::Added, part, None, json(part)));
            [added, part.at_first_sight()].into_iter().flatten().collect()
        }
    }
}

/// Returns what happened to a part that is the same one. One that moved is shown as a whole, with all that changed.
fn of_same<T: Comparable>(before: &T, after: &T, counters: Counters) -> Vec<PartEvent> {
    let mut events = T::changes(before, after, counters);
    if before.place().zip(after.place()).is_some_and(|(before, after)| before != after) {
        events.retain(|event| event.part != T::PART || event.change != PartChange::Changed);
        events.insert(0, event(PartChange::Changed, after, json(before), json(after)));
    }
    // The firmware of a part is an event of the part too.
    for event in events.iter_mut().filter(|event| event.serial.is_none()) {
        event.serial = serial(after);
    }
    events
}

/// Returns an event of a part, at its place.
pub(super) fn event<T: Comparable>(
    change: PartChange,
    part: &T,
    before: Option<Value>,
    after: Option<Value>,
) -> PartEvent {
    let serial = serial(part);
    let serial_before = before.as_ref().and_then(serial_of).filter(|before| Some(before) != serial.as_ref());
    PartEvent { part: T::PART, change, place: part.title(), before, after, serial, serial_before }
}
