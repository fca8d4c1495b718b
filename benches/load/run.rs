//! A run: an empty server, then each fleet from small to large, then PostgreSQL. Each of them gets the requested
//! measurements. A part that fails is reported at the end, and the others are still measured.

use std::path::{Path, PathBuf};
use std::time::Duration;

use underlay_testing::postgres::{Durability, Postgres};
use underlay_testing::scratch;

use crate::document::{self, Section};
use crate::feed::{self, Subscribers};
use crate::fleets::{self, Fleets};
use crate::measure::{Pace, median};
use crate::problem::{Doing, LoadError, Result, within};
use crate::quantity::Quantity;
use crate::queries::Devices;
use crate::report::Report;
use crate::server::Server;
use crate::table::{Row, Target};
use crate::writes::{self, Bulk};
use crate::{Arguments, Part, access, bmcs, facts, hosts, lives, soak, sources, topology};

/// The number of times that an empty server is started.
const STARTS: usize = 5;
/// The maximum time to settle or to copy a database in PostgreSQL.
const COPY_TIMEOUT: Duration = Duration::from_secs(1800);

/// The duration of a soak that only checks that everything works.
const QUICK_SOAK: Duration = Duration::from_secs(5);
/// The minimum duration in minutes of a soak whose numbers go into the documentation.
const LONG_SOAK: u32 = 10;

/// The sizes and durations of a run.
pub struct Scale {
    /// The sizes of the fleets in ports, from small to large.
    pub sizes: Vec<usize>,
    /// The number of items in a large batch.
    pub items: usize,
    pub pace: Pace,
    /// The time for which a server rests before its memory is read. After a while it frees the memory that writing
    /// needed.
    pub rest: Duration,
    pub subscribers: Subscribers,
    pub sources: sources::Size,
    /// The number of hosts, and the size of their fleet in ports.
    pub hosts: (usize, usize),
    pub lives: lives::Size,
    pub bmcs: bmcs::Size,
    pub facts: facts::Size,
}

/// The purpose of a fleet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FleetSize {
    /// The largest fleet, on which everything is measured.
    Large,
    /// The fleet in the middle of the sizes. The table also contains reads and memory for it.
    Small,
    /// One more point in the plot.
    Between,
}

impl Scale {
    fn of(arguments: &Arguments) -> Self {
        let mut scale = if arguments.quick { Self::quick() } else { Self::full() };
        if !arguments.ports.is_empty() {
            scale.sizes.clone_from(&arguments.ports);
        }
        if let Some(hosts) = arguments.hosts {
            scale.lives.hosts = hosts as usize;
        }
        if let Some(seconds) = arguments.idle_seconds {
            scale.lives.idle = Duration::from_secs(seconds.into());
        }
        scale.sizes.sort_unstable();
        scale.sizes.dedup();
        scale
    }

    fn quick() -> Self {
        Self {
            sizes: vec![3_000, 8_000],
            items: 1_000,
            pace: Pace { warm_up: Duration::from_millis(200), round: Duration::from_millis(300), rounds: 3 },
            rest: Duration::from_millis(200),
            subscribers: Subscribers { idle: 100, busy: 20, resumed: 10, crashes: 2 },
            sources: sources::Size { copies: 2, changes: 2, nodes: 100 },
            hosts: (200, 8_000),
            lives: lives::Size::quick(),
            bmcs: bmcs::Size::quick(),
            facts: facts::Size::quick(),
        }
    }

    fn full() -> Self {
        Self {
            sizes: vec![10_000, 30_000, 100_000, 300_000, 1_000_000],
            items: 10_000,
            pace: Pace { warm_up: Duration::from_secs(2), round: Duration::from_secs(3), rounds: 5 },
            rest: Duration::from_secs(40),
            subscribers: Subscribers { idle: 5_000, busy: 1_000, resumed: 100, crashes: 5 },
            sources: sources::Size { copies: 43, changes: 11, nodes: 5_000 },
            hosts: (10_000, 450_000),
            lives: lives::Size::full(),
            bmcs: bmcs::Size::full(),
            facts: facts::Size::full(),
        }
    }

    fn fleet_size(&self, index: usize) -> FleetSize {
        match index {
            index if index + 1 == self.sizes.len() => FleetSize::Large,
            index if self.sizes[index] == self.small() => FleetSize::Small,
            _ => FleetSize::Between,
        }
    }

    fn small(&self) -> usize {
        self.sizes.get(self.sizes.len().saturating_sub(1) / 2).copied().unwrap_or_default()
    }

    fn largest(&self) -> usize {
        self.sizes.last().copied().unwrap_or_default()
    }
}

impl Part {
    /// Returns true if the part is measured on a fleet of this purpose.
    fn concerns(self, fleet_size: FleetSize) -> bool {
        match self {
            Self::Growth | Self::Topology => true,
            Self::Reads | Self::Memory | Self::Feed | Self::Access => fleet_size != FleetSize::Between,
            Self::Search | Self::Writes | Self::Bulk | Self::Mixed | Self::Value => fleet_size == FleetSize::Large,
            Self::Empty | Self::Postgres | Self::Soak | Self::Sources => false,
            Self::Hosts | Self::Lives | Self::Bmcs | Self::Facts => false,
        }
    }
}

/// Measures the requested parts and publishes the results.
pub async fn run(arguments: &Arguments) -> Result<()> {
    let temporary;
    let folder = match &arguments.keep {
        Some(folder) => folder.clone(),
        None => {
            temporary = scratch::folder("load");
            temporary.path().to_owned()
        }
    };
    let folder = std::path::absolute(&folder).doing(|| format!("find {}", folder.display()))?;
    let scale = Scale::of(arguments);
    let mut run = Run {
        parts: arguments.only.clone(),
        fleets: Fleets::in_folder(&folder, scale.rest)?,
        scale,
        report: Report::new(arguments.quick),
        smallest_trace: None,
        soak: if arguments.quick { QUICK_SOAK } else { Duration::from_secs(60) * arguments.minutes },
    };
    run.measure().await;
    let scratch = run.fleets.scratch();
    if scratch.exists() {
        std::fs::remove_dir_all(&scratch).doing(|| format!("remove {}", scratch.display()))?;
    }
    let section = match arguments.only[..] {
        [Part::Soak] => Section::Soak,
        [Part::Sources] => Section::Sources,
        [Part::Lives] => Section::Lives,
        [Part::Bmcs] => Section::Bmcs,
        [Part::Facts] => Section::Facts,
        _ => Section::Whole,
    };
    run.report.publish(&out(arguments, &run.report), section)?;
    match run.report.failed.is_empty() {
        true => Ok(()),
        false => Err(LoadError::Answer("not everything could be measured".to_owned())),
    }
}

/// Returns the folder for the results. The documentation gets only results of a release build, and only those of a full
/// run, of a soak that is long enough, of the synchronizers, of the lives of all hosts, of the polls of BMCs, or of the
/// reports of agents.
fn out(arguments: &Arguments, report: &Report) -> PathBuf {
    let has_section = match arguments.only[..] {
        [] | [Part::Sources] | [Part::Bmcs] | [Part::Facts] => true,
        [Part::Soak] => arguments.minutes >= LONG_SOAK,
        [Part::Lives] => arguments.hosts.is_none() && arguments.idle_seconds.is_none_or(|it| it >= lives::POLL_SECONDS),
        _ => false,
    };
    let all = has_section && arguments.ports.is_empty() && report.failed.is_empty();
    let usual = match all && !arguments.quick && !cfg!(debug_assertions) {
        true => document::folder(),
        false => Path::new(env!("CARGO_TARGET_TMPDIR")).join("load"),
    };
    arguments.out.clone().unwrap_or(usual)
}

/// The state of a run.
pub struct Run {
    /// The requested parts; empty for all.
    parts: Vec<Part>,
    pub scale: Scale,
    pub fleets: Fleets,
    pub report: Report,
    /// The name of the smallest fleet that has a line to trace, and the seconds for a trace.
    pub smallest_trace: Option<(String, f64)>,
    /// The duration of a soak.
    soak: Duration,
}

impl Run {
    fn asks_for(&self, part: Part) -> bool {
        self.parts.is_empty() || self.parts.contains(&part)
    }

    /// Returns true if a part is to be measured on a fleet of this purpose.
    pub fn wants(&self, part: Part, fleet_size: FleetSize) -> bool {
        self.asks_for(part) && part.concerns(fleet_size)
    }

    async fn measure(&mut self) {
        if self.asks_for(Part::Empty) {
            let done = self.empty().await;
            self.report.keep("an empty server", done);
        }
        if self.asks_for(Part::Access) {
            eprintln!("two empty servers");
            let done = access::cost(&mut self.report, self.scale.pace).await;
            self.report.keep("who asks", done);
        }
        for (index, ports) in self.scale.sizes.clone().into_iter().enumerate() {
            let fleet_size = self.scale.fleet_size(index);
            if Part::ALL.into_iter().any(|part| self.wants(part, fleet_size)) {
                let done = self.fleet(ports, fleet_size).await;
                self.report.keep(&format!("the fleet of {ports} ports"), done);
            }
        }
        if [Part::Postgres, Part::Topology, Part::Feed].into_iter().any(|part| self.asks_for(part)) {
            let done = self.postgres().await;
            self.report.keep("PostgreSQL", done);
        }
        if self.parts.contains(&Part::Sources) {
            eprintln!("a NetBox of {} recordings, and an Ironic", self.scale.sources.copies);
            let folder = self.fleets.scratch().join("sources");
            let done = sources::measure(&mut self.report, &folder, self.scale.sources).await;
            self.report.keep("the synchronizer", done);
        }
        if self.parts.contains(&Part::Hosts) {
            let done = self.hosts().await;
            self.report.keep("claims on hosts", done);
        }
        if self.parts.contains(&Part::Lives) {
            eprintln!("lives of {} hosts", self.scale.lives.hosts);
            let folder = self.fleets.scratch().join("lives");
            let done = lives::measure(&mut self.report, &folder, self.scale.lives).await;
            self.report.keep("the lives of hosts", done);
        }
        if self.parts.contains(&Part::Bmcs) {
            eprintln!("polls of {} BMCs", self.scale.bmcs.bmcs);
            let folder = self.fleets.scratch().join("bmcs");
            let done = bmcs::measure(&mut self.report, &folder, self.scale.bmcs).await;
            self.report.keep("the polls of BMCs", done);
        }
        if self.parts.contains(&Part::Facts) {
            let done = self.facts().await;
            self.report.keep("the reports of agents", done);
        }
        if self.parts.contains(&Part::Soak) {
            let done = self.soak().await;
            self.report.keep("the soak", done);
        }
    }

    /// Runs good and bad clients at the same time, on the small fleet.
    async fn soak(&mut self) -> Result<()> {
        eprintln!("a soak of {} s", self.soak.as_secs());
        let fleet = self.fleets.prepare(self.scale.small()).await?;
        soak::soak(&mut self.report, &fleet, &self.fleets.scratch(), self.soak).await
    }

    /// Measures claims on the servers of a fleet.
    async fn hosts(&mut self) -> Result<()> {
        let (hosts, ports) = self.scale.hosts;
        eprintln!("{hosts} hosts");
        let fleet = self.fleets.prepare(ports).await?;
        let database = fleet.copy(&self.fleets.scratch(), "hosts")?;
        let server = Server::start(&database).await?;
        let name = Devices::of(server.address()).await?.fleet();
        hosts::claims(&mut self.report, &name, server.address(), hosts).await?;
        server.stop().await
    }

    /// Measures the agents of hosts beside the small fleet.
    async fn facts(&mut self) -> Result<()> {
        eprintln!("agents of {} hosts", self.scale.facts.hosts);
        let fleet = self.fleets.prepare(self.scale.small()).await?;
        facts::measure(&mut self.report, &fleet, &self.fleets.scratch(), self.scale.facts).await
    }

    /// Measures an empty server.
    async fn empty(&mut self) -> Result<()> {
        eprintln!("an empty server");
        let (mut starts, mut memory) = (Vec::new(), 0);
        let folder = scratch::folder("empty");
        for number in 0..STARTS {
            let server = Server::start(&fleets::url(&folder.path().join(format!("{number}.db")))).await?;
            starts.push(server.ready_after());
            memory = server.memory()?;
            server.stop().await?;
        }
        let row = Row::new("start to ready, nothing in it", "", Quantity::Seconds(median(starts)));
        self.report.add(row.should(Target::AtMost(Quantity::Seconds(0.3))));
        self.report.add(Row::new("memory, nothing in it", "", Quantity::Bytes(memory as f64)));
        let program = env!("CARGO_BIN_EXE_underlay");
        let size = std::fs::metadata(program).doing(|| format!("look at {program}"))?.len();
        self.report.add(Row::new("size of the program", "", Quantity::Bytes(size as f64)));
        Ok(())
    }

    /// Measures the parts that run on PostgreSQL.
    async fn postgres(&mut self) -> Result<()> {
        if !Postgres::is_installed() {
            self.report.skip("PostgreSQL: its programs are not installed (apt-get install postgresql)");
            return Ok(());
        }
        let started = tokio::task::spawn_blocking(|| Postgres::start_with(Durability::Full)).await;
        let postgres = started.map_err(|error| LoadError::Answer(format!("PostgreSQL does not start: {error}")))?;
        if self.asks_for(Part::Feed) {
            eprintln!("two servers on PostgreSQL");
            let racks = self.fleets.racks(self.scale.small());
            let done = feed::other_replica(&mut self.report, &self.scale, &postgres, racks).await;
            self.report.keep("the feed on PostgreSQL", done);
        }
        if !self.asks_for(Part::Postgres) && !self.asks_for(Part::Topology) {
            return Ok(());
        }
        eprintln!("the large fleet on PostgreSQL");
        let own = postgres.create_database().await;
        let server = Server::start(&own).await?;
        server.write_fleet(self.fleets.racks(self.scale.largest())).await?;
        let devices = Devices::of(server.address()).await?;
        server.stop().await?;
        let settle = async {
            postgres.settle(&own).await;
            Ok(())
        };
        within(COPY_TIMEOUT, "settling a database", settle).await?;
        let name = devices.fleet();
        if self.asks_for(Part::Postgres) {
            self.bulk_on_postgres(&postgres, &own, &name).await?;
        }
        match self.asks_for(Part::Topology) {
            true => topology::beside_sql(&mut self.report, &name, &own).await,
            false => Ok(()),
        }
    }

    /// Measures large batches on PostgreSQL. The server's database and its copy are in the state in which the fleet was
    /// written.
    async fn bulk_on_postgres(&mut self, postgres: &Postgres, own: &str, fleet: &str) -> Result<()> {
        let copy = async { Ok(postgres.copy_database(own).await) };
        let equal = within(COPY_TIMEOUT, "the copy of a database", copy).await?;
        let server = Server::start(own).await?;
        let devices = Devices::of(server.address()).await?;
        let bulk = Bulk {
            server: server.address(),
            databases: [own, &equal],
            database: "PostgreSQL",
            items: self.scale.items,
        };
        writes::large_batches(&mut self.report, fleet, &bulk, &devices).await?;
        server.stop().await
    }
}
