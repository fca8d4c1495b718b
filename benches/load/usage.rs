//! The memory and the processor time of other processes, as the system reports them.

use crate::problem::{Doing, LoadError, Result};

/// Returns the resident memory of a process in bytes.
pub fn memory(process: u32) -> Result<u64> {
    status(process, "VmRSS:")
}

/// Returns the peak resident memory of a process so far, in bytes.
pub fn max_memory(process: u32) -> Result<u64> {
    status(process, "VmHWM:")
}

fn status(process: u32, what: &str) -> Result<u64> {
    let file = format!("/proc/{process}/status");
    let text = std::fs::read_to_string(&file).doing(|| format!("read {file}"))?;
    let line = text.lines().find_map(|line| line.strip_prefix(what));
    let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kilobytes.map(|it| it * 1024).ok_or_else(|| LoadError::Answer(format!("{file} does not report the memory")))
}

/// Returns the processor time that a process used so far, in seconds.
pub fn processor_time(process: u32) -> Result<f64> {
    let file = format!("/proc/{process}/stat");
    let text = std::fs::read_to_string(&file).doing(|| format!("read {file}"))?;
    // The name of the program comes first, in brackets, and may contain any character.
    let numbers = text.rsplit_once(')').map(|(_, rest)| rest.split_whitespace().skip(11).take(2));
    let ticks: Option<Vec<f64>> = numbers.map(|numbers| numbers.filter_map(|it| it.parse().ok()).collect());
    // SAFETY: the call only reads a constant of the system.
    let tick = unsafe { libc::sysconf(libc::_SC_CLK_TCK) } as f64;
    match ticks.as_deref() {
        Some([user, system]) => Ok((user + system) / tick),
        _ => Err(LoadError::Answer(format!("{file} does not report the processor time"))),
    }
}
