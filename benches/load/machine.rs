//! The machine that the numbers are of.

use std::fs;

use serde::Serialize;

/// What a number depends on.
#[derive(Clone, Debug, Serialize)]
pub struct Machine {
    /// The model of the processor.
    pub processor: String,
    /// How many cores this program and the servers share.
    pub cores: usize,
    /// Bytes.
    pub memory: u64,
    pub kernel: String,
    pub build: &'static str,
}

impl Machine {
    /// How this program and the servers are built.
    pub const BUILD: &str = if cfg!(debug_assertions) { "debug" } else { "release" };

    /// The machine that this runs on. What the system does not tell is said to be unknown.
    pub fn here() -> Self {
        let line = |file: &str, name: &str| {
            let text = fs::read_to_string(file).ok()?;
            let line = text.lines().find(|line| line.starts_with(name))?;
            Some(line.split_once(':')?.1.trim().to_owned())
        };
        let unknown = || "unknown".to_owned();
        let memory = line("/proc/meminfo", "MemTotal").and_then(|text| text.trim_end_matches(" kB").parse().ok());
        Self {
            processor: line("/proc/cpuinfo", "model name").unwrap_or_else(unknown),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            memory: memory.unwrap_or(0_u64) * 1024,
            kernel: fs::read_to_string("/proc/sys/kernel/osrelease")
                .map_or_else(|_| unknown(), |it| it.trim().to_owned()),
            build: Self::BUILD,
        }
    }

    /// In one line.
    pub fn words(&self) -> String {
        let memory = self.memory as f64 / f64::from(1 << 30);
        format!(
            "{} cores of {}, {memory:.0} GiB, Linux {}, {} build",
            self.cores, self.processor, self.kernel, self.build
        )
    }
}
