//! The fleets: generated inventories of given sizes. They are written through the API like those of any client, and
//! their databases can be kept for the next run.
//!
//! A kept database is never changed: every measurement works on a copy.

use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::client::ask;
use crate::machine::Machine;
use crate::problem::{Doing, LoadError, Result};
use crate::server::Server;

/// The compute racks of the two sample fleets, from which the number of racks for a number of ports is calculated.
const SAMPLES: [usize; 2] = [16, 48];
const FACTS: &str = "fleet.json";
const DATABASE: &str = "fleet.db";

const COUNTS: &str = "{
  racks(first: 0) { totalCount } devices(first: 0) { totalCount } ports(first: 0) { totalCount }
  cables(first: 0) { totalCount } regions(first: 0) { totalCount } sites(first: 0) { totalCount }
  locations(first: 0) { totalCount } powerFeeds(first: 0) { totalCount } links(first: 0) { totalCount }
  providers(first: 0) { totalCount } providerNetworks(first: 0) { totalCount } circuits(first: 0) { totalCount }
  circuitTerminations(first: 0) { totalCount } clusters(first: 0) { totalCount }
  virtualMachines(first: 0) { totalCount }
}";

/// The facts about a generated fleet.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Facts {
    /// A hash of the generator's output. If it changes, the fleet is generated again.
    generator: u64,
    /// The build that wrote the fleet. The times below are those of this build.
    build: String,
    /// The number of compute racks, as `underlay demo` counts them.
    pub compute_racks: usize,
    pub racks: u64,
    pub devices: u64,
    pub ports: u64,
    pub cables: u64,
    /// The number of objects of all kinds.
    pub objects: u64,
    /// The time to write the fleet, in seconds.
    pub written_in: f64,
    /// The memory of the server after it had written the fleet and rested, in bytes.
    pub memory_after_writing: u64,
    /// The peak memory of the server until then, in bytes.
    pub max_memory: u64,
}

/// A fleet and the file of its database.
#[derive(Clone, Debug)]
pub struct Fleet {
    pub facts: Facts,
    file: PathBuf,
}

/// The folder that contains the fleets.
#[derive(Clone, Debug)]
pub struct Fleets {
    folder: PathBuf,
    generator: u64,
    /// The numbers of ports of the sample fleets.
    samples: [usize; 2],
    /// The time for which a server rests after its fleet was written.
    rest: Duration,
}

impl Fleets {
    /// Opens a folder for fleets, which may contain some already.
    pub fn in_folder(folder: &Path, rest: Duration) -> Result<Self> {
        fs::create_dir_all(folder).doing(|| format!("make {}", folder.display()))?;
        let mut hasher = DefaultHasher::new();
        let samples = SAMPLES.map(|racks| {
            let items = underlay_demo::items(&underlay_demo::Options {
                size: underlay_demo::Size::Fleet { racks },
                ..underlay_demo::Options::default()
            });
            let ports =
                items.inspect(|item| item.to_string().hash(&mut hasher)).filter(|item| item.get("port").is_some());
            ports.count()
        });
        Ok(Self { folder: folder.to_owned(), generator: hasher.finish(), samples, rest })
    }

    /// Returns the number of compute racks that have about this number of ports.
    pub fn racks(&self, ports: usize) -> usize {
        let each = (self.samples[1] - self.samples[0]) as f64 / (SAMPLES[1] - SAMPLES[0]) as f64;
        let fixed = self.samples[0] as f64 - each * SAMPLES[0] as f64;
        (((ports as f64 - fixed) / each).round().max(1.0) as usize).min(underlay_demo::MAX_RACKS)
    }

    /// Returns the fleet with about this number of ports: a kept one, or a new one.
    pub async fn prepare(&self, ports: usize) -> Result<Fleet> {
        let folder = self.folder.join(format!("ports-{ports}"));
        if let Some(facts) = self.kept(&folder) {
            return Ok(Fleet { facts, file: folder.join(DATABASE) });
        }
        if folder.exists() {
            fs::remove_dir_all(&folder).doing(|| format!("remove {}", folder.display()))?;
        }
        fs::create_dir(&folder).doing(|| format!("make {}", folder.display()))?;
        let fleet = self.write(ports, &folder).await?;
        // This file is written last, so that an incomplete fleet is never taken for a complete one.
        let text = serde_json::to_string_pretty(&fleet.facts)?;
        fs::write(folder.join(FACTS), text).doing(|| format!("write {FACTS}"))?;
        Ok(fleet)
    }

    fn kept(&self, folder: &Path) -> Option<Facts> {
        let text = fs::read(folder.join(FACTS)).ok()?;
        let facts: Facts = serde_json::from_slice(&text).ok()?;
        (facts.generator == self.generator && facts.build == Machine::BUILD).then_some(facts)
    }

    async fn write(&self, ports: usize, folder: &Path) -> Result<Fleet> {
        let file = folder.join(DATABASE);
        let server = Server::start(&url(&file)).await?;
        let compute_racks = self.racks(ports);
        let written_in = server.write_fleet(compute_racks).await?;
        let max_memory = server.max_memory()?;
        tokio::time::sleep(self.rest).await;
        let memory_after_writing = server.memory()?;
        let counts = ask(server.address(), COUNTS, Value::Null).await?;
        server.stop().await?;
        let count = |list: &str| counts[list]["totalCount"].as_u64().unwrap_or_default();
        let lists = counts.as_object().into_iter().flatten().map(|(list, _)| count(list));
        let facts = Facts {
            generator: self.generator,
            build: Machine::BUILD.to_owned(),
            compute_racks,
            racks: count("racks"),
            devices: count("devices"),
            ports: count("ports"),
            cables: count("cables"),
            objects: lists.sum(),
            written_in,
            memory_after_writing,
            max_memory,
        };
        Ok(Fleet { facts, file })
    }

    /// Returns the folder for the temporary files of measurements.
    pub fn scratch(&self) -> PathBuf {
        self.folder.join("scratch")
    }
}

impl Fleet {
    /// Copies the database under a name, as a working copy. Returns the URL of the copy.
    pub fn copy(&self, scratch: &Path, name: &str) -> Result<String> {
        fs::create_dir_all(scratch).doing(|| format!("make {}", scratch.display()))?;
        let to = scratch.join(format!("{name}.db"));
        let facts = to.with_extension("facts.db");
        let files = [&to, &facts].map(|file| [file.clone(), beside(file, "-wal"), beside(file, "-shm")]);
        for file in files.as_flattened() {
            match fs::remove_file(file) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    return Err(LoadError::Io { what: format!("remove {}", file.display()), error });
                }
                _ => {}
            }
        }
        fs::copy(&self.file, &to).doing(|| format!("copy {}", self.file.display()))?;
        // Data that is not on the disk yet would otherwise be written during a measurement.
        File::open(&to).and_then(|file| file.sync_all()).doing(|| format!("write {}", to.display()))?;
        Ok(url(&to))
    }
}

/// Returns the URL of an SQLite file.
pub fn url(file: &Path) -> String {
    format!("sqlite://{}", file.display())
}

fn beside(file: &Path, ending: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(ending);
    name.into()
}
