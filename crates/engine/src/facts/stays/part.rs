//! One part with its stays in hosts.

use chrono::{DateTime, Utc};
use underlay_entity::{hardware_part, hardware_stay};
use uuid::Uuid;

/// A part with its stays, as far as they are known, and with what changed of both.
#[derive(Debug)]
pub(super) struct PartLife {
    row: Row<hardware_part::Model>,
    /// In the order of their ids, which is that in which they began.
    stays: Vec<Row<hardware_stay::Model>>,
}

/// A row, as it is in the database or as it is to be written.
#[derive(Debug)]
enum Row<T> {
    Stored(T),
    Changed(T),
}

/// The way of a part from one host to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Way {
    pub from: Uuid,
    pub from_place: String,
    pub to: Uuid,
    pub to_place: String,
}

/// The origin of a part that came to a host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// It was in no other host, or in this one last.
    Unknown,
    /// Another host has it too.
    Unclear,
    /// It was last in a place of another host.
    Host(Uuid, String),
}

/// The knowledge that a part is gone from a host whose report lacks it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Confirmation {
    /// The next complete report tells.
    ByNextReport,
    /// It is certain: an event says so.
    Told,
}

impl<T: Clone> Row<T> {
    fn get(&self) -> &T {
        match self {
            Self::Stored(row) | Self::Changed(row) => row,
        }
    }

    fn change(&mut self, change: impl FnOnce(&mut T)) {
        let mut row = self.get().clone();
        change(&mut row);
        *self = Self::Changed(row);
    }

    fn into_changed(self) -> Option<T> {
        match self {
            Self::Stored(_) => None,
            Self::Changed(row) => Some(row),
        }
    }
}

impl PartLife {
    /// Returns a part that the database has.
    pub fn stored(row: hardware_part::Model) -> Self {
        Self { row: Row::Stored(row), stays: Vec::new() }
    }

    /// Returns a part that is new.
    pub fn new(row: hardware_part::Model) -> Self {
        Self { row: Row::Changed(row), stays: Vec::new() }
    }

    /// Adds a stay that the database has. They come in the order of their ids.
    pub fn know(&mut self, stay: hardware_stay::Model) {
        self.stays.push(Row::Stored(stay));
    }

    pub fn row(&self) -> &hardware_part::Model {
        self.row.get()
    }

    /// Notes the maker, if it was not known.
    pub fn note_maker(&mut self, manufacturer: Option<&String>) {
        if let (None, Some(maker)) = (&self.row().manufacturer, manufacturer) {
            self.row.change(|row| row.manufacturer = Some(maker.clone()));
        }
    }

    /// Returns the stays that have not ended.
    fn open(&self) -> impl Iterator<Item = &hardware_stay::Model> {
        self.stays.iter().map(Row::get).filter(|stay| stay.until_at.is_none())
    }

    fn open_at(&self, host: Uuid) -> Option<&hardware_stay::Model> {
        self.open().find(|stay| stay.host_id == host)
    }

    pub fn is_at(&self, host: Uuid) -> bool {
        self.open_at(host).is_some()
    }

    /// Returns the hosts whose last complete section lacked the part.
    pub fn missing_at(&self) -> impl Iterator<Item = Uuid> {
        self.open().filter(|stay| stay.missing_since.is_some()).map(|stay| stay.host_id)
    }

    /// Returns true if the part was in a host and has gone, and came to another one after that.
    pub fn has_left(&self, host: Uuid) -> bool {
        let was_here = self.stays.iter().any(|stay| stay.get().host_id == host);
        let is_elsewhere = self.stays.last().is_some_and(|stay| stay.get().host_id != host);
        was_here && is_elsewhere && !self.is_at(host)
    }

    /// Returns the way of the part from a host that lacks it: to the one other host that has it, and got it later.
    pub fn way_from(&self, host: Uuid) -> Option<Way> {
        let here = self.open_at(host)?;
        let mut others = self.open().filter(|stay| stay.host_id != host && stay.missing_since.is_none());
        let there = others.next().filter(|stay| stay.id > here.id)?;
        others.next().is_none().then(|| Way {
            from: host,
            from_place: here.place.clone(),
            to: there.host_id,
            to_place: there.place.clone(),
        })
    }

    /// Returns where a part was that came to a host.
    pub fn origin(&self, host: Uuid) -> Origin {
        if self.open().any(|stay| stay.host_id != host && stay.missing_since.is_none()) {
            return Origin::Unclear;
        }
        let missing = self.open().filter(|stay| stay.host_id != host).max_by_key(|stay| (stay.missing_since, stay.id));
        let ended = self.stays.iter().map(Row::get).max_by_key(|stay| (stay.until_at, stay.id));
        match missing.or(ended).filter(|stay| stay.host_id != host) {
            None => Origin::Unknown,
            Some(stay) => Origin::Host(stay.host_id, stay.place.clone()),
        }
    }

    /// Begins a stay.
    pub fn begin(&mut self, stay: hardware_stay::Model) {
        self.stays.push(Row::Changed(stay));
    }

    /// Notes that the part is in a place of a host, where it was before.
    pub fn see(&mut self, host: Uuid, place: &str) {
        let is_new = |stay: &hardware_stay::Model| stay.missing_since.is_some() || stay.place != place;
        for stay in self.stays_at(host).filter(|stay| is_new(stay.get())) {
            stay.change(|stay| {
                stay.missing_since = None;
                place.clone_into(&mut stay.place);
            });
        }
    }

    /// Notes that a complete section of a host lacks the part.
    pub fn lack(&mut self, host: Uuid, at: DateTime<Utc>, confirmation: Confirmation) {
        for stay in self.stays_at(host) {
            match (stay.get().missing_since, confirmation) {
                (None, Confirmation::ByNextReport) => stay.change(|stay| stay.missing_since = Some(at)),
                (Some(_), _) | (None, Confirmation::Told) => stay.end(at),
            }
        }
    }

    /// Ends the stays in all hosts but one.
    pub fn end_elsewhere(&mut self, host: Uuid, at: DateTime<Utc>) {
        let others = self.stays.iter_mut().filter(|stay| stay.is_open() && stay.get().host_id != host);
        others.for_each(|stay| stay.end(at));
    }

    fn stays_at(&mut self, host: Uuid) -> impl Iterator<Item = &mut Row<hardware_stay::Model>> {
        self.stays.iter_mut().filter(move |stay| stay.is_open() && stay.get().host_id == host)
    }

    /// Returns the rows to be written.
    pub fn into_changed(self) -> (Option<hardware_part::Model>, Vec<hardware_stay::Model>) {
        (self.row.into_changed(), self.stays.into_iter().filter_map(Row::into_changed).collect())
    }
}

impl Row<hardware_stay::Model> {
    fn is_open(&self) -> bool {
        self.get().until_at.is_none()
    }

    /// Ends the stay: at the time since which the part is missing, or now.
    fn end(&mut self, at: DateTime<Utc>) {
        self.change(|stay| stay.until_at = Some(stay.missing_since.take().unwrap_or(at)));
    }
}
