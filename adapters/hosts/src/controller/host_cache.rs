//! The notes of a controller on its hosts. They are in memory only: another controller, or this one after a restart, has
//! none, and must not assume anything.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::time::Instant;
use uuid::Uuid;

use crate::host::{Facts, Host, Observed, OrderKey, Power, SeenIdentity, Step, StepName, Time, Word};
use crate::life::{Attempt, Evidence, Look, Recognised};

/// The notes on all hosts.
#[derive(Debug, Default)]
pub struct HostCache {
    notes: Mutex<HashMap<Uuid, Note>>,
}

/// The notes on a host.
#[derive(Debug, Default)]
struct Note {
    /// The epoch of the lease under which the attempt was made.
    epoch: u64,
    /// The fate of the act of a step.
    attempt: Option<(StepKey, Attempt)>,
    /// The step that is being written. Its act is made only after the answer, so if the host has it, it was not made.
    begun: Option<StepKey>,
    power: Option<(Power, Time)>,
    look: Option<Look>,
    /// What the machine says of itself, if that is to be remembered.
    identity: Option<SeenIdentity>,
    /// What another machine says that was found in its place.
    other_machine: Option<String>,
    observed: Observed,
    facts: Option<Facts>,
    is_unknown_to_provisioner: bool,
    /// The reason why the provisioner, which does not know it, cannot take it over.
    not_taken_over: Option<String>,
    /// The time before which the provisioner is not asked again.
    ask_at: Option<Instant>,
    /// The host as it was read last, for polls.
    host: Option<Host>,
    /// The reason why its BMC does not answer polls.
    unreachable: Option<String>,
    /// The beginning of the last reading of its hardware that was reported.
    read_at: Option<Time>,
    /// The reason why its hardware could not be read, and the request that was to be answered.
    unread: Option<(String, Option<Time>)>,
    /// The time since which it is at the site of the controller, and the last time when the server said so.
    at_site: Option<(Instant, Instant)>,
}

/// An attempt at a step of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepKey {
    order: OrderKey,
    name: StepName,
    attempt: i32,
}

impl StepKey {
    /// Returns the key of a step of the last order of a host.
    pub fn of(host: &Host, step: &Step) -> Self {
        Self { order: host.order_key(), name: step.name, attempt: step.attempt }
    }
}

impl HostCache {
    /// Notes a host that was read under a lease. Attempts under an earlier lease count no more, because another
    /// controller could act meanwhile.
    pub fn read(&self, host: &Host, epoch: u64) {
        self.with(host.id, |note| {
            if note.epoch != epoch {
                note.attempt = None;
                note.begun = None;
                note.ask_at = None;
                note.epoch = epoch;
            }
            note.host = Some(host.clone());
        });
    }

    /// Returns the host as it was read last.
    pub fn host(&self, id: Uuid) -> Option<Host> {
        self.locked().get(&id).and_then(|note| note.host.clone())
    }

    /// Forgets a host.
    pub fn forget(&self, id: Uuid) {
        self.locked().remove(&id);
    }

    /// Notes that a host is at another site. Nothing of what is known of it counts when it comes back.
    pub fn left(&self, host: &Host) {
        if let Some(note) = self.locked().get_mut(&host.id) {
            *note = Note { host: Some(host.clone()), ..Note::default() };
        }
    }

    /// Notes that the server had a host at the site of the controller at a time. Returns the time since which it is there.
    pub fn is_at_site(&self, id: Uuid, at: Instant) -> Instant {
        self.with(id, |note| {
            // A host can have come right before the answer.
            let since = note.at_site.map_or_else(Instant::now, |(since, _)| since);
            note.at_site = Some((since, at));
            since
        })
    }

    /// Returns the last time when the server had a host at the site of the controller.
    pub fn was_at_site(&self, id: Uuid) -> Option<Instant> {
        self.locked().get(&id).and_then(|note| note.at_site).map(|(_, at)| at)
    }

    /// Returns the fate of the act of a step.
    pub fn attempt(&self, host: &Host) -> Attempt {
        let key = host.current_step().map(|step| StepKey::of(host, step));
        let notes = self.locked();
        let Some((note, key)) = notes.get(&host.id).zip(key) else { return Attempt::OfAnother };
        match &note.attempt {
            Some((noted, attempt)) if *noted == key => attempt.clone(),
            _ if note.begun == Some(key) => Attempt::NotMade { reason: "the server did not answer".to_owned() },
            _ => Attempt::OfAnother,
        }
    }

    /// Notes that a step is being written, for whose act nothing is done before the answer. The fate of the step before
    /// is kept: the server can refuse the new one.
    pub fn begins(&self, host: Uuid, key: StepKey) {
        self.with(host, |note| note.begun = Some(key));
    }

    /// Notes the fate of the act of a step.
    pub fn attempted(&self, host: Uuid, key: StepKey, attempt: Attempt) {
        self.with(host, |note| {
            note.begun = None;
            note.attempt = Some((key, attempt));
            note.ask_at = None;
        });
    }

    /// Returns what was seen of a host, here and by other controllers.
    pub fn evidence(&self, host: &Host) -> Evidence {
        let notes = self.locked();
        let Some(note) = notes.get(&host.id) else {
            return Evidence { observed: host.observed.clone(), ..Evidence::default() };
        };
        Evidence {
            power: note.power,
            look: note.look,
            observed: newest(&host.observed, &note.observed),
            is_unknown_to_provisioner: note.is_unknown_to_provisioner,
        }
    }

    /// Returns what was seen here.
    pub fn observed(&self, id: Uuid) -> Observed {
        self.locked().get(&id).map(|note| note.observed.clone()).unwrap_or_default()
    }

    /// Notes the power that a call saw which began at a time. Returns true if it changed.
    pub fn saw_power(&self, id: Uuid, power: Power, at: Time) -> bool {
        self.with(id, |note| {
            let is_other = note.power.is_none_or(|(old, _)| old != power);
            note.power = Some((power, at));
            note.observed.seen_at = Some(at);
            if power != Power::Unknown {
                note.observed.power_at = Some(at);
            }
            note.unreachable.take().is_some() || is_other
        })
    }

    /// Notes a look at the machine, and what it says of itself if that is to be remembered. Returns true if something is new.
    pub fn looked(&self, id: Uuid, look: Look, identity: Option<SeenIdentity>) -> bool {
        let is_new = self.with(id, |note| {
            note.look = Some(look);
            let is_new = identity.is_some() || note.other_machine.take().is_some();
            note.identity = identity;
            is_new
        });
        // Where no driver can ask, what the provisioner says of the power stays.
        let is_asked = look.power != Power::Unknown || look.machine != Recognised::Silent;
        (is_asked && self.saw_power(id, look.power, look.at)) || is_new
    }

    /// Returns what the machine says of itself, if that is to be remembered.
    pub fn identity(&self, id: Uuid) -> Option<SeenIdentity> {
        self.locked().get(&id).and_then(|note| note.identity.clone())
    }

    /// Notes that another machine was found in the place of the machine of a host. What was seen of that one says nothing
    /// about the host. Returns true if that is new.
    pub fn found_other(&self, id: Uuid, says: String) -> bool {
        self.with(id, |note| {
            (note.look, note.power) = (None, None);
            let is_other = note.other_machine.as_ref() != Some(&says);
            note.other_machine = Some(says);
            is_other || note.unreachable.take().is_some()
        })
    }

    /// Returns what another machine says that was found in the place of the machine of a host.
    pub fn other_machine(&self, id: Uuid) -> Option<String> {
        self.locked().get(&id).and_then(|note| note.other_machine.clone())
    }

    /// Notes that a call got no answer. Returns true if the last one had one.
    pub fn is_away(&self, id: Uuid, reason: String) -> bool {
        self.with(id, |note| note.unreachable.replace(reason).is_none())
    }

    /// Returns the reason why the BMC of a host does not answer.
    pub fn unreachable(&self, id: Uuid) -> Option<String> {
        self.locked().get(&id).and_then(|note| note.unreachable.clone())
    }

    /// Notes that the hardware of a host was reported, by a reading that began at a time.
    pub fn was_read(&self, id: Uuid, at: Time) {
        self.with(id, |note| (note.read_at, note.unread) = (Some(at), None));
    }

    /// Returns the beginning of the last reading of the hardware of a host that was reported from here.
    pub fn read_at(&self, id: Uuid) -> Option<Time> {
        self.locked().get(&id).and_then(|note| note.read_at)
    }

    /// Notes the reason why the hardware of a host could not be read. Returns true if nobody knows it yet: it is another one
    /// than the last time, or somebody asked since.
    pub fn could_not_be_read(&self, id: Uuid, reason: String) -> bool {
        self.with(id, |note| {
            let asked = note.host.as_ref().and_then(|host| host.hardware_asked);
            let unread = Some((reason, asked));
            let is_new = note.unread != unread;
            note.unread = unread;
            is_new
        })
    }

    /// Notes that the machine fetched the script of the order.
    pub fn saw_script(&self, id: Uuid, at: Time) {
        self.with(id, |note| note.observed.script_fetched_at = Some(at));
    }

    /// Notes what the provisioner reported.
    pub fn reported(&self, id: Uuid, word: Word) {
        self.with(id, |note| {
            note.observed.seen_at = Some(word.at);
            note.observed.word = Some(word);
        });
    }

    /// Notes facts that came.
    pub fn found(&self, id: Uuid, facts: Facts, at: Time) {
        self.with(id, |note| {
            note.facts = Some(facts);
            note.observed.facts_at = Some(at);
        });
    }

    /// Returns the facts that were not written yet.
    pub fn facts(&self, id: Uuid) -> Option<Facts> {
        self.locked().get(&id).and_then(|note| note.facts.clone())
    }

    /// Notes that the facts were written.
    pub fn wrote_facts(&self, id: Uuid) {
        self.with(id, |note| note.facts = None);
    }

    /// Notes if the provisioner knows a host. Returns true if that changed.
    pub fn is_known(&self, id: Uuid, is_known: bool) -> bool {
        self.with(id, |note| {
            let is_other = std::mem::replace(&mut note.is_unknown_to_provisioner, !is_known) == is_known;
            let was_refused = is_known && note.not_taken_over.take().is_some();
            is_other || was_refused
        })
    }

    /// Notes the reason why the provisioner of a host cannot take it over.
    pub fn cannot_be_taken_over(&self, id: Uuid, reason: String) {
        self.with(id, |note| note.not_taken_over = Some(reason));
    }

    /// Returns the reason why the provisioner of a host cannot take it over.
    pub fn not_taken_over(&self, id: Uuid) -> Option<String> {
        self.locked().get(&id).and_then(|note| note.not_taken_over.clone())
    }

    /// Sets the time before which the provisioner of a host is not asked again.
    pub fn ask_at(&self, id: Uuid, at: Instant) {
        self.with(id, |note| note.ask_at = Some(at));
    }

    /// Returns the time before which the provisioner is not asked again, if it is to come.
    pub fn must_wait(&self, id: Uuid) -> Option<Instant> {
        self.locked().get(&id).and_then(|note| note.ask_at).filter(|at| *at > Instant::now())
    }

    fn with<T>(&self, id: Uuid, change: impl FnOnce(&mut Note) -> T) -> T {
        change(self.locked().entry(id).or_default())
    }

    fn locked(&self) -> MutexGuard<'_, HashMap<Uuid, Note>> {
        // A thread that panicked while it held the lock left nothing half done.
        self.notes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the later of two observations, part by part.
fn newest(stored: &Observed, own: &Observed) -> Observed {
    let later = |word: &Word| own.word.as_ref().is_none_or(|it| it.at <= word.at);
    Observed {
        seen_at: stored.seen_at.max(own.seen_at),
        power_at: stored.power_at.max(own.power_at),
        script_fetched_at: stored.script_fetched_at.max(own.script_fetched_at),
        facts_at: stored.facts_at.max(own.facts_at),
        word: stored.word.clone().filter(later).or_else(|| own.word.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::model::Model;
    use crate::host::State;

    #[test]
    fn a_look_that_nobody_answers_leaves_the_power_that_the_provisioner_sees() {
        let (cache, host) = (HostCache::default(), crate::life::cases::free_host());
        let look = |power, machine| Look { at: Time::default(), power, machine };
        cache.saw_power(host.id, Power::Off, Time::default());
        assert!(!cache.looked(host.id, look(Power::Unknown, Recognised::Silent), None), "nothing is new");
        assert_eq!(cache.evidence(&host).power, Some((Power::Off, Time::default())));
        assert!(cache.looked(host.id, look(Power::On, Recognised::Silent), None));
        assert_eq!(cache.evidence(&host).power, Some((Power::On, Time::default())));
    }

    #[test]
    fn a_step_that_the_server_refuses_leaves_the_fate_of_the_one_before() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let mut host = runtime.block_on(async {
            let (model, id) = (Model::new(1), Uuid::from_u128(7));
            model.add(id, "m", "simulated://m", Some("simulated"), State::Acquired);
            model.order(id, crate::host::Order::Install, false);
            model.get(id).unwrap()
        });
        let step = |name| Step { attempt: 1, name, of: 1, since: Time::default() };
        let (cache, boot, on) = (HostCache::default(), step(StepName::BootNetwork), step(StepName::PowerOn));
        host.step = Some(boot.clone());
        cache.attempted(host.id, StepKey::of(&host, &boot), Attempt::Answered);
        cache.begins(host.id, StepKey::of(&host, &on));
        assert_eq!(cache.attempt(&host), Attempt::Answered, "the server refused the next step");
        // The answer was lost, and the step was written.
        host.step = Some(on.clone());
        assert!(matches!(cache.attempt(&host), Attempt::NotMade { .. }), "nothing is done before the answer");
        let reason = "silence".to_owned();
        cache.attempted(host.id, StepKey::of(&host, &on), Attempt::Unanswered { reason });
        assert!(matches!(cache.attempt(&host), Attempt::Unanswered { .. }), "it was begun");
        host.step = Some(boot);
        assert_eq!(cache.attempt(&host), Attempt::OfAnother, "nothing is known of that any more");
    }
}
