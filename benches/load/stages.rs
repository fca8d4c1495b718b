//! The measurements on one fleet in SQLite, in the order in which they disturb each other least. First come those that
//! only read, then those that write, on a copy of the database. Large batches come last, on fresh copies.

use crate::fleets::Fleet;
use crate::inside::{self, Inside};
use crate::problem::Result;
use crate::quantity::{Quantity, thousands};
use crate::queries::Devices;
use crate::report::Point;
use crate::run::{FleetSize, Run};
use crate::server::Server;
use crate::table::{Row, Target};
use crate::writes::{self, Bulk};
use crate::{Part, access, feed, reads, topology};

/// A fleet with the server that serves it.
struct Served {
    fleet: Fleet,
    /// The name of the fleet in the table.
    name: String,
    fleet_size: FleetSize,
    server: Server,
    /// The memory of the server when it was ready, in bytes.
    memory: u64,
    devices: Devices,
    inside: Option<Inside>,
    topology: Option<topology::Measurements>,
}

impl Run {
    /// Makes all requested measurements on a fleet.
    pub async fn fleet(&mut self, ports: usize, fleet_size: FleetSize) -> Result<()> {
        eprintln!("a fleet of about {} ports", thousands(&ports.to_string()));
        let served = self.serve(ports, fleet_size).await?;
        let (address, pace, scratch) = (served.server.address(), self.scale.pace, self.fleets.scratch());
        let (name, devices) = (served.name.as_str(), &served.devices);
        if self.wants(Part::Value, fleet_size) {
            self.value(&served);
        }
        if self.wants(Part::Memory, fleet_size) {
            self.memory(&served);
        }
        if self.wants(Part::Topology, fleet_size) {
            let done = self.topology(&served).await;
            self.report.keep("the topology", done);
        }
        if self.wants(Part::Reads, fleet_size) {
            let done = reads::all(&mut self.report, name, address, devices, pace, &scratch).await;
            self.report.keep("reads", done);
        }
        if self.wants(Part::Search, fleet_size) {
            let done = reads::search(&mut self.report, name, address, devices, pace).await;
            self.report.keep("the search", done);
        }
        if self.wants(Part::Feed, fleet_size) {
            let done = self.feed(&served).await;
            self.report.keep("the feed", done);
        }
        let done = self.singles(&served).await;
        self.report.keep("single mutations", done);
        if self.wants(Part::Mixed, fleet_size) {
            let items = self.scale.items;
            let done = writes::beside_bulk(&mut self.report, name, address, items, devices, pace).await;
            self.report.keep("mutations beside large batches", done);
        }
        served.server.stop().await?;
        if self.wants(Part::Feed, fleet_size) && fleet_size == FleetSize::Small {
            let database = served.fleet.copy(&scratch, "killed")?;
            let subscribers = self.scale.subscribers;
            let done = feed::over_crashes(&mut self.report, &served.name, &database, subscribers).await;
            self.report.keep("subscribers over crashes", done);
        }
        if self.wants(Part::Access, fleet_size) {
            let database = served.fleet.copy(&scratch, "asking")?;
            let done = access::tenancy(&mut self.report, &served.name, &database, &served.devices, pace).await;
            self.report.keep("a tenant", done);
        }
        if self.wants(Part::Bulk, fleet_size) {
            let done = self.bulk(&served.name, &served.fleet).await;
            self.report.keep("large batches", done);
        }
        Ok(())
    }

    async fn serve(&self, ports: usize, fleet_size: FleetSize) -> Result<Served> {
        let fleet = self.fleets.prepare(ports).await?;
        let database = fleet.copy(&self.fleets.scratch(), "served")?;
        let inside = match self.wants(Part::Growth, fleet_size) || self.wants(Part::Value, fleet_size) {
            true => Some(inside::measure(&database).await?),
            false => None,
        };
        let asks_topology = self.wants(Part::Growth, fleet_size) || self.wants(Part::Topology, fleet_size);
        let topology = if asks_topology { Some(topology::measure(&database).await?) } else { None };
        let server = Server::start(&database).await?;
        let memory = server.memory()?;
        let devices = Devices::of(server.address()).await?;
        let name = devices.fleet();
        Ok(Served { fleet, name, fleet_size, server, memory, devices, inside, topology })
    }

    fn value(&mut self, served: &Served) {
        let Some(inside) = &served.inside else { return };
        let row = Row::new("next snapshot after a batch of 1", &served.name, Quantity::Seconds(inside.one));
        self.report.add(row.should(Target::AtMost(Quantity::Seconds(50e-6))));
        let row = Row::new("next snapshot after 1,000 updates anywhere", &served.name, Quantity::Seconds(inside.many));
        self.report.add(row.should(Target::AtMost(Quantity::Seconds(6e-3))));
        self.report.weights.clone_from(&inside.weights);
    }

    async fn topology(&mut self, served: &Served) -> Result<()> {
        let Some(asked) = &served.topology else { return Ok(()) };
        let fleet = &served.name;
        if self.smallest_trace.is_none() {
            self.smallest_trace = asked.trace.map(|trace| (fleet.clone(), trace));
        }
        topology::in_process(&mut self.report, fleet, served.fleet_size, asked, self.smallest_trace.as_ref());
        if served.fleet_size != FleetSize::Large {
            return Ok(());
        }
        let address = served.server.address();
        if let Some(site) = asked.a_site {
            topology::of_site(&mut self.report, fleet, address, site, asked.site_devices).await?;
        }
        topology::over_http(&mut self.report, fleet, address, &asked.begins, &served.devices, self.scale.pace).await
    }

    async fn feed(&mut self, served: &Served) -> Result<()> {
        let Served { name, server, devices, .. } = served;
        let (report, pace, subscribers) = (&mut self.report, self.scale.pace, self.scale.subscribers);
        feed::same_replica(report, name, server.address(), devices, pace, &self.fleets.scratch()).await?;
        if served.fleet_size == FleetSize::Small {
            feed::fan_out(report, name, server, devices, pace, subscribers.busy).await?;
            feed::idle(report, name, server, devices, pace, subscribers.idle).await?;
        }
        Ok(())
    }

    fn memory(&mut self, served: &Served) {
        let (facts, name) = (&served.fleet.facts, &served.name);
        // The targets are for the largest fleet.
        let limited = |row: Row, most: Quantity| match served.fleet_size {
            FleetSize::Large => row.should(Target::AtMost(most)),
            _ => row,
        };
        let (loaded, written) = (served.memory as f64, facts.memory_after_writing as f64);
        for (what, bytes) in [("memory after loading it", loaded), ("memory after writing it", written)] {
            self.report.add(limited(Row::new(what, name, Quantity::Bytes(bytes)), Quantity::Bytes(1.5e9)));
        }
        let most = Quantity::Bytes(facts.max_memory as f64);
        self.report.add(Row::new("memory at the most, while it is written", name, most));
        let each = Quantity::Bytes(loaded / facts.objects.max(1) as f64);
        self.report.add(Row::new("memory after loading it, for each object", name, each));
        let ready = Quantity::Seconds(served.server.ready_after());
        let row = Row::new("start to ready, loaded from SQLite", name, ready);
        self.report.add(limited(row, Quantity::Seconds(12.0)));
        let rate = Quantity::PerSecond(facts.objects as f64 / facts.written_in);
        self.report.add(Row::new("objects written by `underlay demo`", name, rate));
    }

    /// Measures single mutations, for the table and the plot, and the other numbers of the plot.
    async fn singles(&mut self, served: &Served) -> Result<()> {
        let (writes, growth) =
            (self.wants(Part::Writes, served.fleet_size), self.wants(Part::Growth, served.fleet_size));
        if !writes && !growth {
            return Ok(());
        }
        let (address, pace) = (served.server.address(), self.scale.pace);
        let singles = writes::singles(address, &served.devices, pace).await?;
        if writes {
            writes::report_singles(&mut self.report, &served.name, singles, &self.fleets.scratch()).await?;
        }
        if let (true, Some(inside)) = (growth, &served.inside) {
            let point = Point {
                ports: served.fleet.facts.ports,
                objects: served.fleet.facts.objects,
                dashboard: reads::dashboard(address, &served.devices, pace).await?.p50,
                device: reads::device(address, &served.devices, pace).await?.p50,
                mutation: 1.0 / singles.per_second,
                next_snapshot: inside.one,
                trace: served.topology.as_ref().and_then(|asked| asked.trace),
                start: served.server.ready_after(),
                memory: served.memory,
            };
            self.report.growth.push(point);
        }
        Ok(())
    }

    /// Measures large batches on SQLite. The server's database and the equal one are in the state in which the fleet
    /// was written.
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
}
