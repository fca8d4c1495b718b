//! The machine on which the numbers were measured.

use std::fs;

use serde::Serialize;

/// The properties of the machine and the build on which the numbers depend.
#[derive(Clone, Debug, Serialize)]
pub struct Machine {
    /// The model of the processor.
    pub processor: String,
    /// The number of cores, which this program and the servers share.
    pub cores: usize,
    /// The size of the memory in bytes.
    pub memory: u64,
    pub kernel: String,
    pub build: &'static str,
}

impl Machine {
    /// The build profile of this program and the servers.
    pub const BUILD: &str = if cfg!(debug_assertions) { "debug" } else { "release" };

    /// Returns the machine that this program runs on. Properties that the system does not report are "unknown".
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

    /// Returns a description in one line.
    pub fn words(&self) -> String {
        let memory = self.memory as f64 / f64::from(1 << 30);
        format!(
            "{} cores of {}, {memory:.0} GiB, Linux {}, {} build",
            self.cores, self.processor, self.kernel, self.build
        )
    }
}
