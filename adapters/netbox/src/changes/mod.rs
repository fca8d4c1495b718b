//! The change log of NetBox, which gives hints.
//!
//! The log is asked every few seconds for what came after the last change. A change can get its number before and be
//! committed after another one, so the changes of the last interval are read once more, and those that were seen are
//! passed over. A token without the right to read the log gives no hints.

mod lookups;

use std::collections::{BTreeSet, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::OnceCell;
use tokio::time::sleep;
use underlay_kit::sync::{AdapterError, ExternalId, Hint, HintSender};

use self::lookups::{Action, Lookup, fate, lookups};
use crate::client::{Client, Pages};
use crate::object::Object;
use crate::settings::Pace;
use crate::types::{self, Type};

/// The list of changes.
const PATH: &str = "core/object-changes";
/// The list of addresses.
const ADDRESSES: &str = "ipam/ip-addresses";
/// The types of interfaces, each with the type of what they belong to, and the member that names it.
const OWNERS: [(Type, Type, &str); 2] =
    [(types::INTERFACE, types::DEVICE, "device"), (types::VM_INTERFACE, types::VIRTUAL_MACHINE, "virtual_machine")];
/// The maximum number of pages of changes that are read at a time. A full scan is cheaper than more looks.
const MAX_PAGES: usize = 10;
/// The maximum number of deleted things that are remembered.
const MAX_DELETED: usize = 10_000;

/// The number of wrong answers one after the other after which there are no hints any more. A proxy can say for some
/// minutes that NetBox is being upgraded.
const MAX_WRONG_ANSWERS: usize = 60;

/// The change log of a NetBox.
#[derive(Debug)]
pub struct Changes {
    client: Arc<Client>,
    pace: Pace,
    /// The position at which the first scan or the first look at the log began.
    begun: OnceCell<u64>,
    /// What the log says to be deleted, as far as it was read to its end.
    deleted: Mutex<HashSet<ExternalId>>,
}

/// A position in the change log.
#[derive(Debug)]
struct Position {
    /// The changes after this one are read next.
    from: u64,
    /// The last change that was read.
    reached: u64,
    /// The changes after `from` that were read already.
    seen: BTreeSet<u64>,
}

impl Position {
    /// Returns the position after a change.
    const fn at(change: u64) -> Self {
        Self { from: change, reached: change, seen: BTreeSet::new() }
    }
}

impl Changes {
    /// Returns the change log of a NetBox.
    pub fn new(client: Arc<Client>, pace: Pace) -> Self {
        Self { client, pace, begun: OnceCell::new(), deleted: Mutex::default() }
    }

    /// Returns the position at which the log begins to matter: the one of the first call.
    ///
    /// # Errors
    /// Returns an error if the log cannot be read.
    pub async fn begin(&self) -> Result<u64, AdapterError> {
        let position = self.last().await?;
        self.begun.get_or_init(|| async { position }).await;
        Ok(position)
    }

    /// Returns true if the log says that a thing was deleted, and nothing of it after that.
    pub fn say_deleted(&self, id: &ExternalId) -> bool {
        self.deleted().contains(id)
    }

    fn deleted(&self) -> MutexGuard<'_, HashSet<ExternalId>> {
        self.deleted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives hints until the receiver is gone.
    ///
    /// # Errors
    /// Returns an error if the token has no right to read the log, or if answers break the contract again and again.
    pub async fn follow(&self, hints: &HintSender) -> Result<(), AdapterError> {
        let begun = loop {
            match self.begin().await {
                Err(error) if error.is_passing() => sleep(self.pace.hints).await,
                other => break other.map(|position| self.begun.get().copied().unwrap_or(position))?,
            }
        };
        let (mut position, mut wrong) = (Position::at(begun), 0);
        loop {
            sleep(self.pace.hints).await;
            match self.news(&position, hints).await {
                Ok(next) => (position, wrong) = (next, 0),
                Err(error) if error.is_passing() => {}
                Err(AdapterError::WrongAnswer { .. }) if wrong < MAX_WRONG_ANSWERS => wrong += 1,
                Err(error) => return Err(error),
            }
        }
    }

    /// Sends hints for the changes after a position. Returns the next position.
    async fn news(&self, position: &Position, hints: &HintSender) -> Result<Position, AdapterError> {
        let last = self.last().await?;
        if last < position.reached {
            // NetBox was restored from a backup, so its log is another one.
            self.deleted().clear();
            hints.send(Hint::Everything).await?;
            return Ok(Position::at(last));
        }
        let mut next = Position::at(position.reached);
        if last == position.from {
            return Ok(next);
        }
        let mut pages = Pages::after(&self.client, PATH, &[], position.from);
        let mut fates = Vec::new();
        for _ in 0..MAX_PAGES {
            let Some(page) = pages.next().await? else {
                self.note(fates);
                return Ok(next);
            };
            for change in page.objects() {
                let change = change?;
                let id = change.id()?;
                if id > next.from {
                    next.seen.insert(id);
                    next.reached = next.reached.max(id);
                }
                if !position.seen.contains(&id) {
                    fates.extend(fate(&change)?);
                    self.send(&change, hints).await?;
                }
            }
        }
        hints.send(Hint::Everything).await?;
        Ok(Position::at(last))
    }

    /// Notes the fates of things, once the log was read to its end: an entry that comes later counts.
    fn note(&self, fates: Vec<(ExternalId, Action)>) {
        let mut deleted = self.deleted();
        for (id, action) in fates {
            match action {
                Action::Delete => drop(deleted.insert(id)),
                Action::Create | Action::Update => drop(deleted.remove(&id)),
            }
        }
        if deleted.len() > MAX_DELETED {
            // What is forgotten is proved by a full scan.
            deleted.clear();
        }
    }

    async fn send(&self, change: &Object, hints: &HintSender) -> Result<(), AdapterError> {
        for lookup in lookups(change)? {
            match lookup {
                Lookup::Hint(hint) => hints.send(hint).await?,
                Lookup::Interface(id) => self.interface(id, hints).await?,
                Lookup::Inside(id) => {
                    if let Some(address) = self.client.object(ADDRESSES, id).await?
                        && let Some(interface) = address.whole_number("assigned_object_id")?
                        && let Ok(interface) = u64::try_from(interface)
                    {
                        self.interface(interface, hints).await?;
                    }
                }
                Lookup::Installed(id) => {
                    if let Some(device) = self.client.object(types::DEVICE.path, id).await?
                        && let Some(chassis) = device.reference("virtual_chassis")?
                    {
                        self.stack(id, &BTreeSet::from([chassis]), hints).await?;
                    }
                }
                Lookup::Stack { device, chassis } => self.stack(device, &chassis, hints).await?,
                Lookup::Naming { of, member, id } => self.naming(of, member, id, hints).await?,
            }
        }
        Ok(())
    }

    /// Sends hints for an interface whose addresses changed, and for the device or machine that it belongs to: its
    /// primary address can be among them.
    async fn interface(&self, id: u64, hints: &HintSender) -> Result<(), AdapterError> {
        for (of, owner, member) in OWNERS {
            let Some(interface) = self.client.object(of.path, id).await? else { continue };
            hints.send(Hint::Changed(of.external(id))).await?;
            hints.send(Hint::Changed(owner.external(interface.required_reference(member)?))).await?;
        }
        Ok(())
    }

    /// Sends hints for the devices of virtual chassis, and for the interfaces of these and of one more device whose LAG is
    /// another device's.
    async fn stack(&self, device: u64, chassis: &BTreeSet<u64>, hints: &HintSender) -> Result<(), AdapterError> {
        let mut devices = BTreeSet::from([device]);
        for id in chassis {
            let Some(found) = self.few(types::DEVICE, "virtual_chassis", *id).await? else {
                return hints.send(Hint::Everything).await;
            };
            for member in found {
                devices.insert(member.id()?);
            }
        }

        for id in devices {
            if self.client.object(types::DEVICE.path, id).await?.is_none() {
                // It was deleted meanwhile, which the log says.
                continue;
            }
            let Some(found) = self.few(types::INTERFACE, "device", id).await? else {
                return hints.send(Hint::Everything).await;
            };
            hints.send(Hint::Changed(types::DEVICE.external(id))).await?;
            for interface in found {
                let lag = interface.part("lag")?.map(|lag| lag.part("device")).transpose()?.flatten();
                if lag.map(|other| other.id()).transpose()?.is_some_and(|other| other != id) {
                    hints.send(Hint::Changed(types::INTERFACE.external(interface.id()?))).await?;
                }
            }
        }
        Ok(())
    }

    /// Sends hints for the interfaces that name an object in a member.
    async fn naming(&self, of: Type, member: &str, id: u64, hints: &HintSender) -> Result<(), AdapterError> {
        let Some(found) = self.few(of, member, id).await? else { return hints.send(Hint::Everything).await };
        for interface in found {
            hints.send(Hint::Changed(of.external(interface.id()?))).await?;
        }
        Ok(())
    }

    /// Returns the objects of a type that name an object in a member. Returns `None` if they cannot be told, or are so
    /// many that a full scan is cheaper than looks.
    async fn few(&self, of: Type, member: &str, id: u64) -> Result<Option<Vec<Object>>, AdapterError> {
        let (filter, text) = (format!("{member}_id"), id.to_string());
        let mut pages = Pages::after(&self.client, of.path, &[(&filter, &text)], 0);
        let page = match pages.next().await {
            Ok(Some(page)) => page,
            Ok(None) => return Ok(Some(Vec::new())),
            // The object is gone again, and NetBox refuses a filter by it.
            Err(AdapterError::WrongAnswer { .. }) => return Ok(None),
            Err(error) => return Err(error),
        };
        let found: Vec<Object> = page.objects().collect::<Result<_, _>>()?;
        for object in &found {
            if object.reference(member)? != Some(id) {
                // This version of NetBox does not know the filter, and lists all.
                return Ok(None);
            }
        }
        Ok(page.is_last().then_some(found))
    }

    /// Returns the number of the last change, 0 if there is none.
    async fn last(&self) -> Result<u64, AdapterError> {
        let call = self.client.call(&format!("{PATH}/"), &[("ordering", "-id"), ("limit", "1")]);
        let body = self.client.get(&call).await?;
        let answer = Object::read(&body, &call.text, String::new())?;
        answer.list("results")?.first().map_or(Ok(0), |change| change.id())
    }
}
