//! Topology queries within a process: `load topology DATABASE` loads the snapshot, runs the queries, and prints JSON.

use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use underlay_engine::store::Store;
use underlay_inventory::{Kind, KindId, ObjectRef, Snapshot};
use underlay_kinds::device::Device;
use underlay_kinds::port::Port;
use underlay_kinds::rack::Rack;
use underlay_kinds::site::Site;
use underlay_kinds::{self, topology};
use underlay_topology::impact::{Impact, ImpactQuery, SinglePointQuery, impact, single_points};
use underlay_topology::line::{Through, Tracer};
use underlay_topology::path::{self, Mode, PathQuery, View};
use underlay_topology::role::{End, Onward, Part};
use uuid::Uuid;

use crate::measure::median;
use crate::problem::{Doing, LoadError, Result};
use crate::server;

/// The time limit.
const MEASUREMENTS_TIMEOUT: Duration = Duration::from_secs(1800);
/// The number of lines of one form that are selected.
const LINES: usize = 1_000;
/// The number of times that such a line is traced.
const TRACES: usize = 20_000;
/// The number of pairs of devices between which paths are computed.
const PAIRS: usize = 200;
/// The number of leaves that fail, one after the other.
const LEAVES: usize = 50;
/// The number of racks that fail, one after the other.
const RACKS: usize = 50;
/// The number of repetitions of long queries.
const REPEATS: usize = 5;

/// The measurements: medians in seconds. A measurement is absent if the fleet is too small for it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Measurements {
    /// The trace of a line through two panels and one or two circuits.
    pub trace: Option<f64>,
    /// The ports where such lines begin.
    pub begins: Vec<Uuid>,
    /// The traces of all endpoints, one after the other.
    pub all_lines: f64,
    /// The number of endpoints.
    pub endpoints: usize,
    /// The shortest path between servers of the two largest sites.
    pub shortest_path: Option<f64>,
    /// The impact of a leaf.
    pub leaf: Option<f64>,
    /// A leaf that fails.
    pub a_leaf: Option<Uuid>,
    /// The impact of a rack with servers of a cluster that spans the fleet.
    pub rack: Option<f64>,
    /// The impact of the largest site.
    pub site: f64,
    /// The largest site.
    pub a_site: Option<Uuid>,
    /// The single points of failure of the largest site.
    pub single_points: f64,
    /// The number of devices of that site.
    pub site_devices: usize,
}

/// Measures on a database, in another process.
pub async fn measure(database: &str) -> Result<Measurements> {
    let program = std::env::current_exe().doing(|| "find this program".to_owned())?;
    let mut command = Command::new(program);
    command.args(["topology", database]);
    Ok(serde_json::from_str(&server::run(command, MEASUREMENTS_TIMEOUT).await?)?)
}

/// Measures on a database, in this process.
pub async fn print(database: &str) -> Result<()> {
    let store = Store::open(&database.parse()?, underlay_kinds::tables()).await?;
    let loaded = underlay_engine::feed::load(&store, &Arc::new(underlay_kinds::registry())).await;
    let snapshot = loaded.map_err(|error| LoadError::Answer(format!("{database} cannot be loaded: {error}")))?;
    store.close().await?;
    println!("{}", serde_json::to_string(&run_all(&snapshot)?)?);
    Ok(())
}

fn run_all(snapshot: &Snapshot) -> Result<Measurements> {
    let (trace, begins) = traces(snapshot);
    let endpoints = endpoints(snapshot);
    let all_lines = all_lines(snapshot, &endpoints);
    let sites = sites(snapshot);
    let (site, site_devices) =
        sites.first().map(|(site, devices)| (*site, devices.len())).ok_or_else(|| refused("there is no site"))?;
    let leaves = leaves(snapshot);
    let mut of_leaves = Vec::with_capacity(leaves.len());
    for leaf in &leaves {
        let (took, found) = fails(snapshot, *leaf)?;
        // A failure of an object that was down before has no effect.
        of_leaves.extend((!found.affected().is_empty()).then_some(took));
    }
    let mut of_racks = Vec::with_capacity(RACKS);
    for rack in racks(snapshot) {
        let (took, found) = fails(snapshot, rack)?;
        of_racks.extend(found.affected().iter().any(|affected| affected.share.is_some()).then_some(took));
    }
    let mut of_site = Vec::with_capacity(REPEATS);
    let mut points = Vec::with_capacity(REPEATS);
    for _ in 0..REPEATS {
        of_site.push(fails(snapshot, site)?.0);
        let query = SinglePointQuery { within: Some(site), ..SinglePointQuery::default() };
        let begin = Instant::now();
        single_points(snapshot, topology(), query).map_err(refused)?;
        points.push(begin.elapsed().as_secs_f64());
    }
    Ok(Measurements {
        trace,
        begins: begins.iter().filter_map(|begin| id(snapshot, *begin)).collect(),
        all_lines,
        endpoints: endpoints.len(),
        shortest_path: shortest_paths(snapshot, &sites)?,
        leaf: (!of_leaves.is_empty()).then(|| median(of_leaves)),
        a_leaf: leaves.get(leaves.len() / 2).and_then(|leaf| id(snapshot, *leaf)),
        rack: (!of_racks.is_empty()).then(|| median(of_racks)),
        site: median(of_site),
        a_site: id(snapshot, site),
        single_points: median(points),
        site_devices,
    })
}

fn refused(error: impl ToString) -> LoadError {
    LoadError::Answer(error.to_string())
}

fn id(snapshot: &Snapshot, object: ObjectRef) -> Option<Uuid> {
    Some(snapshot.row(object)?.common().id)
}

/// Returns the endpoints of lines.
fn endpoints(snapshot: &Snapshot) -> Vec<ObjectRef> {
    let ends = snapshot.registry().kinds().filter_map(|kind| Some((kind.id, topology().end(kind.id)?)));
    let of_kind = |(kind, end): (KindId, &'static End)| {
        let rows = snapshot.table(kind).rows(0);
        let endpoint =
            rows.filter(move |(_, row)| matches!((end.state)(row.as_ref()).onward, Onward::Ends | Onward::Fed));
        endpoint.map(move |(slot, _)| ObjectRef { kind, slot })
    };
    ends.flat_map(of_kind).collect()
}

/// Measures lines through two panels and one or two circuits. Returns the seconds for one trace, and the ports where
/// they begin.
fn traces(snapshot: &Snapshot) -> (Option<f64>, Vec<ObjectRef>) {
    let mut tracer = Tracer::new(snapshot, topology());
    let ports = snapshot.table(Port::ID).rows(0).map(|(slot, _)| ObjectRef { kind: Port::ID, slot });
    let fits = |begin: &ObjectRef| {
        let Ok(trace) = tracer.trace(*begin, None, Through::Stop) else { return false };
        let [branch] = trace.branches.as_slice() else { return false };
        let hops = branch.hops();
        let inside = |hop: &&ObjectRef| {
            let (end, row) = (topology().end(hop.kind), snapshot.row(**hop));
            end.zip(row).is_some_and(|(end, row)| matches!((end.state)(row.as_ref()).onward, Onward::Inside))
        };
        let crosses = |hop: &ObjectRef| matches!(topology().of(hop.kind).part, Part::OpaqueSpan(_));
        hops.first() == Some(begin) && hops.iter().filter(inside).count() == 4 && hops.iter().any(crosses)
    };
    let begins: Vec<ObjectRef> = ports.filter(fits).take(LINES).collect();
    let mut took = Vec::with_capacity(TRACES);
    for begin in begins.iter().cycle().take(if begins.is_empty() { 0 } else { TRACES }) {
        let start = Instant::now();
        let mut tracer = Tracer::new(snapshot, topology());
        drop(std::hint::black_box(tracer.trace(*begin, None, Through::Stop)));
        took.push(start.elapsed().as_secs_f64());
    }
    ((!took.is_empty()).then(|| median(took)), begins)
}

/// Returns the seconds for the traces of all these ports, on one thread.
fn all_lines(snapshot: &Snapshot, endpoints: &[ObjectRef]) -> f64 {
    let mut tracer = Tracer::new(snapshot, topology());
    let begin = Instant::now();
    for end in endpoints {
        drop(std::hint::black_box(tracer.trace(*end, None, Through::Stop)));
    }
    begin.elapsed().as_secs_f64()
}

/// Returns all sites with their devices, the largest first.
fn sites(snapshot: &Snapshot) -> Vec<(ObjectRef, Vec<ObjectRef>)> {
    let sites = snapshot.table(Site::ID).rows(0).map(|(slot, _)| ObjectRef { kind: Site::ID, slot });
    let mut sites: Vec<_> = sites.map(|site| (site, snapshot.incoming(site).by(Device::SITE).collect())).collect();
    sites.sort_by_key(|(_, devices): &(ObjectRef, Vec<ObjectRef>)| std::cmp::Reverse(devices.len()));
    sites
}

/// Returns leaves, spread over the fleet.
fn leaves(snapshot: &Snapshot) -> Vec<ObjectRef> {
    let named = snapshot.table(Device::ID).rows(0).filter(|(_, row)| row.common().name.ends_with("-leaf-1"));
    let leaves: Vec<ObjectRef> = named.map(|(slot, _)| ObjectRef { kind: Device::ID, slot }).collect();
    let step = (leaves.len() / LEAVES).max(1);
    leaves.into_iter().step_by(step).take(LEAVES).collect()
}

/// Returns racks, spread over the fleet.
fn racks(snapshot: &Snapshot) -> impl Iterator<Item = ObjectRef> + '_ {
    let step = (snapshot.table(Rack::ID).len() / RACKS).max(1);
    let racks = snapshot.table(Rack::ID).rows(0).map(|(slot, _)| ObjectRef { kind: Rack::ID, slot });
    racks.step_by(step).take(RACKS)
}

/// Returns the seconds for the impact of one object, and the impact.
fn fails(snapshot: &Snapshot, object: ObjectRef) -> Result<(f64, Impact)> {
    let question = ImpactQuery { of: vec![object], ..ImpactQuery::default() };
    let begin = Instant::now();
    let found = impact(snapshot, topology(), &question).map_err(refused)?;
    let took = begin.elapsed().as_secs_f64();
    Ok((took, found))
}

/// Returns the seconds for the shortest path between servers of the two largest sites, if they are connected.
fn shortest_paths(snapshot: &Snapshot, sites: &[(ObjectRef, Vec<ObjectRef>)]) -> Result<Option<f64>> {
    let servers = |devices: &[ObjectRef]| -> Vec<ObjectRef> {
        let named =
            |object: &&ObjectRef| snapshot.row(**object).is_some_and(|row| row.common().name.contains("-node-"));
        devices.iter().filter(named).copied().collect()
    };
    let [(_, near), (_, far), ..] = sites else { return Ok(None) };
    let (near, far) = (servers(near), servers(far));
    let mut took = Vec::with_capacity(PAIRS);
    for at in 0..PAIRS * 4 {
        let pick = |from: &[ObjectRef]| from.get(at * 7_919 % from.len().max(1)).copied();
        let (Some(from), Some(to)) = (pick(&near), pick(&far)) else { break };
        let view = View { snapshot, roles: topology() };
        let begin = Instant::now();
        let found = path::paths(view, &PathQuery::new(from, to), Mode::Shortest(1)).map_err(refused)?;
        let seconds = begin.elapsed().as_secs_f64();
        // One of the two may be inactive; then the answer without a path is immediate.
        if !found.is_empty() {
            took.push(seconds);
        }
        if took.len() == PAIRS {
            break;
        }
    }
    Ok((!took.is_empty()).then(|| median(took)))
}
