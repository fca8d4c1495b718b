//! A run: fleet by fleet, from small to large, what was asked for.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::fleets::{self, Fleet, Fleets};
use crate::inside::{self, Inside};
use crate::measure::{Pace, median};
use crate::postgres::{Durability, Postgres};
use crate::problem::{Doing, LoadError, Result, within};
use crate::quantity::{Quantity, thousands};
use crate::queries::Devices;
use crate::report::{Point, Report};
use crate::server::Server;
use crate::table::{Row, Target};
use crate::writes::{self, Bulk};
use crate::{Arguments, Part, document, reads, scratch};

/// How many times an empty server is started.
const STARTS: usize = 5;
/// How long the copy of a database in PostgreSQL may take.
const COPY: Duration = Duration::from_secs(1800);

/// How large everything is.
struct Scale {
    /// The sizes of the fleets in ports, from small to large.
    sizes: &'static [usize],
    /// Those that the table is about.
    small: usize,
    large: usize,
    /// Items in a large batch.
    items: usize,
    pace: Pace,
}

const FULL: Scale = Scale {
    sizes: &[10_000, 30_000, 100_000, 300_000, 1_000_000],
    small: 100_000,
    large: 1_000_000,
    items: 10_000,
    pace: Pace { warm_up: Duration::from_secs(2), round: Duration::from_secs(3), rounds: 5 },
};

const QUICK: Scale = Scale {
    sizes: &[3_000, 8_000],
    small: 3_000,
    large: 8_000,
    items: 1_000,
    pace: Pace { warm_up: Duration::from_millis(200), round: Duration::from_millis(300), rounds: 3 },
};

/// Measures what the arguments ask for, and publishes it.
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
    let mut run = Run {
        parts: arguments.only.clone(),
        scale: if arguments.quick { QUICK } else { FULL },
        fleets: Fleets::in_folder(&folder)?,
        report: Report::new(arguments.quick),
    };
    let measured = run.measure().await;
    let scratch = run.fleets.scratch();
    if scratch.exists() {
        std::fs::remove_dir_all(&scratch).doing(|| format!("remove {}", scratch.display()))?;
    }
    measured?;
    run.report.publish(&out(arguments))
}

/// Where the results go: only those of a whole run in a release build are worth a place in the documentation.
fn out(arguments: &Arguments) -> PathBuf {
    let whole = !arguments.quick && arguments.only.is_empty() && !cfg!(debug_assertions);
    let usual = || if whole { document::folder() } else { Path::new(env!("CARGO_TARGET_TMPDIR")).join("load") };
    arguments.out.clone().unwrap_or_else(usual)
}

struct Run {
    /// What is asked for; empty: everything.
    parts: Vec<Part>,
    scale: Scale,
    fleets: Fleets,
    report: Report,
}

impl Run {
    fn wants(&self, part: Part) -> bool {
        self.parts.is_empty() || self.parts.contains(&part)
    }

    async fn measure(&mut self) -> Result<()> {
        if self.wants(Part::Empty) {
            self.empty().await?;
        }
        for ports in self.scale.sizes {
            let parts: &[Part] = match *ports {
                ports if ports == self.scale.large => &[
                    Part::Reads,
                    Part::Search,
                    Part::Writes,
                    Part::Bulk,
                    Part::Mixed,
                    Part::Memory,
                    Part::Value,
                    Part::Growth,
                ],
                ports if ports == self.scale.small => &[Part::Reads, Part::Memory, Part::Growth],
                _ => &[Part::Growth],
            };
            if parts.iter().any(|part| self.wants(*part)) {
                self.fleet(*ports).await?;
            }
        }
        if self.wants(Part::Postgres) {
            self.postgres().await?;
        }
        Ok(())
    }

    /// A server with nothing in it.
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

    /// Everything that is measured on a fleet in SQLite.
    async fn fleet(&mut self, ports: usize) -> Result<()> {
        eprintln!("a fleet of about {} ports", thousands(&ports.to_string()));
        let fleet = self.fleets.prepare(ports).await?;
        let name = name_of(&fleet);
        let (large, growth) = (ports == self.scale.large, self.wants(Part::Growth));
        let scratch = self.fleets.scratch();
        let database = fleet.copy(&scratch, "served")?;
        let inside = match growth || (large && self.wants(Part::Value)) {
            true => Some(inside::measure(&database).await?),
            false => None,
        };
        if let Some(inside) = inside.as_ref().filter(|_| large && self.wants(Part::Value)) {
            self.value(&name, inside);
        }
        let server = Server::start(&database).await?;
        let memory = server.memory()?;
        if self.wants(Part::Memory) && (large || ports == self.scale.small) {
            self.memory(&name, &fleet, &server, memory, large);
        }
        let devices = Devices::of(server.address()).await?;
        let pace = self.scale.pace;
        if self.wants(Part::Reads) && (large || ports == self.scale.small) {
            reads::all(&mut self.report, &name, &server, &devices, pace, &scratch).await?;
        }
        if large && self.wants(Part::Search) {
            reads::search(&mut self.report, &name, server.address(), &devices, pace).await?;
        }
        let mut singles = None;
        if growth || (large && self.wants(Part::Writes)) {
            let measured = writes::singles(server.address(), &devices, pace).await?;
            if large && self.wants(Part::Writes) {
                writes::report_singles(&mut self.report, &name, measured, &scratch).await?;
            }
            singles = Some(measured);
        }
        if let (true, Some(inside), Some(singles)) = (growth, &inside, singles) {
            let point = Point {
                ports: fleet.facts.ports,
                objects: fleet.facts.objects,
                dashboard: reads::dashboard(server.address(), &devices, pace).await?.p50,
                device: reads::device(server.address(), &devices, pace).await?.p50,
                mutation: 1.0 / singles.per_second,
                next_value: inside.one,
                start: server.ready_after(),
                memory,
            };
            self.report.growth.push(point);
        }
        if large && self.wants(Part::Mixed) {
            let items = self.scale.items;
            writes::beside_bulk(&mut self.report, &name, server.address(), items, &devices, pace).await?;
        }
        server.stop().await?;
        if large && self.wants(Part::Bulk) {
            self.bulk(&name, &fleet).await?;
        }
        Ok(())
    }

    fn value(&mut self, name: &str, inside: &Inside) {
        let row = Row::new("next value after a batch of 1", name, Quantity::Seconds(inside.one));
        self.report.add(row.should(Target::AtMost(Quantity::Seconds(50e-6))));
        let row = Row::new("next value after 1,000 updates anywhere", name, Quantity::Seconds(inside.many));
        self.report.add(row.should(Target::AtMost(Quantity::Seconds(6e-3))));
        self.report.weights.clone_from(&inside.weights);
    }

    fn memory(&mut self, name: &str, fleet: &Fleet, server: &Server, memory: u64, large: bool) {
        let most = Target::AtMost(Quantity::Bytes(1.5e9));
        let limit = |row: Row| if large { row.should(most) } else { row };
        let after_load = Quantity::Bytes(memory as f64);
        self.report.add(limit(Row::new("memory after loading it", name, after_load)));
        let after_writing = Quantity::Bytes(fleet.facts.memory_after_writing as f64);
        self.report.add(limit(Row::new("memory after writing it", name, after_writing)));
        let each = Quantity::Bytes(memory as f64 / fleet.facts.objects.max(1) as f64);
        self.report.add(Row::new("memory after loading it, for each object", name, each));
        let start = Row::new("start to ready, loaded from SQLite", name, Quantity::Seconds(server.ready_after()));
        let start = if large { start.should(Target::AtMost(Quantity::Seconds(12.0))) } else { start };
        self.report.add(start);
        let rate = Quantity::PerSecond(fleet.facts.objects as f64 / fleet.facts.written_in);
        self.report.add(Row::new("objects written by `underlay demo`", name, rate));
    }

    /// Large batches on SQLite: the server's database and an equal one are as the fleet left them.
    async fn bulk(&mut self, name: &str, fleet: &Fleet) -> Result<()> {
        let scratch = self.fleets.scratch();
        let (own, equal) = (fleet.copy(&scratch, "served")?, fleet.copy(&scratch, "equal")?);
        let server = Server::start(&own).await?;
        let devices = Devices::of(server.address()).await?;
        let bulk =
            Bulk { server: server.address(), databases: [&own, &equal], database: "SQLite", items: self.scale.items };
        writes::large_batches(&mut self.report, name, &bulk, &devices).await?;
        server.stop().await
    }

    /// Large batches on PostgreSQL.
    async fn postgres(&mut self) -> Result<()> {
        if !Postgres::is_installed() {
            self.report.skip("PostgreSQL: its programs are not installed (apt-get install postgresql)");
            return Ok(());
        }
        eprintln!("the large fleet on PostgreSQL");
        let started = tokio::task::spawn_blocking(|| Postgres::start_with(Durability::Full)).await;
        let postgres = started.map_err(|error| LoadError::Answer(format!("PostgreSQL does not start: {error}")))?;
        let own = postgres.create_database().await;
        let server = Server::start(&own).await?;
        server.write_fleet(self.fleets.racks(self.scale.large)).await?;
        server.stop().await?;
        let copy = async { Ok(postgres.copy_database(&own).await) };
        let equal = within(COPY, "the copy of a database", copy).await?;
        let server = Server::start(&own).await?;
        let devices = Devices::of(server.address()).await?;
        let bulk = Bulk {
            server: server.address(),
            databases: [&own, &equal],
            database: "PostgreSQL",
            items: self.scale.items,
        };
        let name = format!("{} ports", thousands(&devices.ports().to_string()));
        writes::large_batches(&mut self.report, &name, &bulk, &devices).await?;
        server.stop().await
    }
}

fn name_of(fleet: &Fleet) -> String {
    format!("{} ports", thousands(&fleet.facts.ports.to_string()))
}
