//! The processors, one for each socket, from what the kernel says of each thread that is on. The present frequency is
//! left out: it is another one at each look.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use underlay_facts::Processor;

use crate::reader::{NO_FILE, Reader};
use crate::value;

const LIST: &str = "/proc/cpuinfo";
/// The most that is read of the list: machines with many threads have long ones.
const BOUND: u64 = 16 * 1024 * 1024;
const TOPOLOGY: &str = "/sys/devices/system/cpu";

/// A thread, as the kernel describes it.
type Thread = HashMap<String, String>;

/// Reads the processors.
pub fn read(reader: &mut Reader) -> Vec<Processor> {
    let Some(list) = reader.bytes(LIST, BOUND) else {
        if reader.is_complete() {
            reader.lacks(LIST, NO_FILE);
        }
        return Vec::new();
    };
    let threads = threads(&String::from_utf8_lossy(&list));
    if threads.is_empty() {
        reader.lacks(LIST, "lists no processor");
    }
    let mut sockets: BTreeMap<u32, Processor> = BTreeMap::new();
    let mut cores = BTreeSet::new();
    for (number, thread) in &threads {
        let socket = socket(reader, number, thread);
        let processor = sockets.entry(socket).or_insert_with(|| Processor {
            socket,
            model: model(thread),
            microcode: thread.get("microcode").and_then(|text| value::version(text.as_bytes())),
            ..Processor::default()
        });
        processor.threads += 1;
        if cores.insert((socket, core(reader, number, thread))) {
            processor.cores += 1;
        }
    }
    sockets.into_values().collect()
}

/// Returns the threads that are on, each with its number. Parts of the list without one are about all threads.
fn threads(list: &str) -> Vec<(String, Thread)> {
    let block = |text: &str| -> Option<(String, Thread)> {
        let members = text.lines().filter_map(|line| line.split_once(':'));
        let thread: Thread = members.map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned())).collect();
        let number = thread.get("processor").filter(|number| number.parse::<u32>().is_ok())?.clone();
        Some((number, thread))
    };
    list.split("\n\n").filter_map(block).collect()
}

/// Returns the number of the socket. Machines with one socket often do not number it, or give -1.
fn socket(reader: &mut Reader, number: &str, thread: &Thread) -> u32 {
    let found = reader.number::<i64>(&format!("{TOPOLOGY}/cpu{number}/topology/physical_package_id"));
    let listed = || thread.get("physical id").and_then(|text| text.parse().ok());
    found.or_else(listed).and_then(|socket| u32::try_from(socket).ok()).unwrap_or(0)
}

/// Returns what the threads of a core have in common. Numbers of cores may begin anew in each die, so the list of the
/// threads of the core is better.
fn core(reader: &mut Reader, number: &str, thread: &Thread) -> String {
    let mut text = |name: &str| reader.text(&format!("{TOPOLOGY}/cpu{number}/topology/{name}"));
    text("thread_siblings_list")
        .or_else(|| text("core_id"))
        .or_else(|| thread.get("core id").cloned())
        .unwrap_or_else(|| format!("thread {number}"))
}

fn model(thread: &Thread) -> Option<String> {
    let named = thread.get("model name").or_else(|| thread.get("cpu model"));
    named.and_then(|text| value::real(text.as_bytes())).or_else(|| arm(thread))
}

/// Returns the name of an Arm processor's cores: the kernel gives only the numbers of the implementer and the part.
fn arm(thread: &Thread) -> Option<String> {
    let [implementer, part] = ["CPU implementer", "CPU part"].map(|name| thread.get(name).map(String::as_str));
    let (implementer, part) = (implementer?, part?);
    let name = match (implementer, part) {
        ("0x41", "0xd03") => "Arm Cortex-A53",
        ("0x41", "0xd05") => "Arm Cortex-A55",
        ("0x41", "0xd07") => "Arm Cortex-A57",
        ("0x41", "0xd08") => "Arm Cortex-A72",
        ("0x41", "0xd0b") => "Arm Cortex-A76",
        ("0x41", "0xd0c") => "Arm Neoverse-N1",
        ("0x41", "0xd40") => "Arm Neoverse-V1",
        ("0x41", "0xd42") => "Arm Cortex-A78AE",
        ("0x41", "0xd49") => "Arm Neoverse-N2",
        ("0x41", "0xd4f") => "Arm Neoverse-V2",
        ("0xc0", "0xac3") => "Ampere-1",
        ("0xc0", "0xac4") => "Ampere-1a",
        _ => return Some(format!("implementer {implementer} part {part}")),
    };
    Some(name.to_owned())
}
