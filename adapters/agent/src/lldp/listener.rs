//! Listens to LLDP for as long as the program runs.
//!
//! Guarantee: an interface that was not listened to for 65 seconds is told from one on which nothing was heard. Neighbours
//! speak every 30 seconds, so two words of each came in this time.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

use underlay_facts::{Neighbour, lldp};

use super::heard::Heard;
use super::socket::Socket;

/// The time after which every neighbour has spoken.
pub const LISTEN: Duration = Duration::from_secs(65);
/// The time between two looks for new interfaces.
const LOOK: Duration = Duration::from_secs(10);
const INTERFACES: &str = "/sys/class/net";
/// The kernel's number for Ethernet (`linux/if_arp.h`).
const ETHERNET: &str = "1";

/// Listens to LLDP until it is dropped.
#[derive(Debug)]
pub struct Listener {
    state: Arc<Mutex<State>>,
    began: Instant,
    /// The time after which every neighbour has spoken.
    listen: Duration,
}

/// The word of a listener about an interface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Word {
    /// Every neighbour had the time to speak. These are the ones that did.
    Heard(Vec<Neighbour>),
    /// Some neighbours may not have spoken yet.
    TooEarly,
    /// It cannot listen, and why. Whoever else listens had the time to hear all.
    Deaf(String),
}

#[derive(Debug, Default)]
struct State {
    heard: Heard,
    /// The numbers of the interfaces that are listened to, and since when.
    since: BTreeMap<u32, Instant>,
    fault: Option<String>,
}

/// A choice of interfaces by their names.
pub type Choice = fn(&str) -> bool;

impl Listener {
    /// Begins to listen at the interfaces of the hardware.
    pub fn start() -> Self {
        Self::start_at(|name| fs::metadata(format!("{INTERFACES}/{name}/device")).is_ok(), LISTEN)
    }

    fn start_at(choice: Choice, listen: Duration) -> Self {
        let listener = Self { state: Arc::default(), began: Instant::now(), listen };
        let state = Arc::downgrade(&listener.state);
        let fail = |error: &io::Error| held(&listener.state).fault = Some(error.kind().to_string());
        match Socket::open(LOOK) {
            Ok(socket) => {
                let started = thread::Builder::new().name("lldp".to_owned()).spawn(move || {
                    hear(&socket, &state, choice);
                });
                let _ = started.map_err(|error| fail(&error));
            }
            Err(error) => fail(&error),
        }
        listener
    }

    /// Returns what was heard at an interface, by its number.
    pub fn word(&self, interface: u32) -> Word {
        let now = Instant::now();
        let mut state = held(&self.state);
        let is_deaf = state.fault.is_some();
        let since = if is_deaf { Some(self.began) } else { state.since.get(&interface).copied() };
        let is_early = since.is_none_or(|since| now.duration_since(since) < self.listen);
        match &state.fault {
            _ if is_early => Word::TooEarly,
            Some(reason) => Word::Deaf(reason.clone()),
            None => Word::Heard(state.heard.at(interface, now)),
        }
    }
}

/// Listens until nobody wants to know what was heard.
fn hear(socket: &Socket, state: &Weak<Mutex<State>>, choice: Choice) {
    let mut looked: Option<Instant> = None;
    while let Some(state) = state.upgrade() {
        if looked.is_none_or(|at| at.elapsed() >= LOOK) {
            follow(socket, &state, choice);
            looked = Some(Instant::now());
        }
        match socket.receive() {
            Ok(Some(received)) => {
                // What is no frame of LLDP says nothing.
                if let Ok(advertisement) = lldp::read(&received.frame) {
                    held(&state).heard.note(received.interface, advertisement, Instant::now());
                }
            }
            Ok(None) => {}
            Err(error) => {
                held(&state).fault = Some(error.kind().to_string());
                return;
            }
        }
    }
}

/// Listens at the interfaces that are new, and forgets those that are gone.
fn follow(socket: &Socket, state: &Mutex<State>, choice: Choice) {
    let there = interfaces(choice);
    let known: Vec<u32> = held(state).since.keys().copied().collect();
    let new: Vec<u32> = there.iter().copied().filter(|index| !known.contains(index)).collect();
    // An interface that is gone meanwhile is looked for again.
    let joined: Vec<u32> = new.into_iter().filter(|index| socket.join(*index).is_ok()).collect();
    let mut state = held(state);
    state.since.retain(|index, _| there.contains(index));
    state.since.extend(joined.into_iter().map(|index| (index, Instant::now())));
}

/// Returns the numbers of the interfaces that are chosen.
fn interfaces(choice: Choice) -> Vec<u32> {
    let Ok(entries) = fs::read_dir(INTERFACES) else { return Vec::new() };
    let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    let read = |name: &str, file: &str| fs::read_to_string(format!("{INTERFACES}/{name}/{file}")).ok();
    let is_ethernet = |name: &String| read(name, "type").is_some_and(|text| text.trim() == ETHERNET);
    let chosen = names.filter(|name| choice(name)).filter(is_ethernet);
    chosen.filter_map(|name| read(&name, "ifindex")?.trim().parse().ok()).collect()
}

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(all(test, target_os = "linux"))]
mod tests;
