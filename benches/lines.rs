//! Traces in process, by criterion: one line through two panels and a circuit, and all lines of the made-up fleet. The
//! fleet is as large as `UNDERLAY_BENCH_PORTS` says; a thousand such lines are added to it, so that every size has the
//! same ones.

mod fleet;

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use serde_json::{Value, json};
use underlay::inventory::{Kind, Place, Snapshot};
use underlay::kinds::lines;
use underlay::kinds::port::Port;
use underlay::topology::line::{Direction, Onward, Through, Tracer};
use underlay::write::MOST_ITEMS;

use fleet::{batch, fleet, planned};

/// That of the server.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// How many lines are added.
const LINES: usize = 1_000;
/// Where they are.
const SITE: &str = "bench";

/// The items of a line: a port, a panel, a circuit, a panel, a port.
fn line(at: usize) -> Vec<Value> {
    let device = |name: String, role: &str| json!({"device": {"site": SITE, "name": name, "role": role}});
    let port = |device: String, name: &str, kind: &str| {
        let mut port = json!({"device": {"site": SITE, "device": device}, "name": name, "type": kind});
        if kind == "PATCH_FRONT" {
            let rear = json!({"site": SITE, "device": device, "family": "REAR", "port": "r"});
            port["passThrough"] = json!([{ "rear": rear }]);
        }
        json!({ "port": port })
    };
    let end = |device: String, family: &str, name: &str| json!({"port": {"site": SITE, "device": device, "family": family, "port": name}});
    let side =
        |side: &str| json!({"circuitTermination": {"provider": SITE, "circuit": format!("c{at}"), "side": side}});
    let cable =
        |name: &str, a: Value, b: Value| json!({"cable": {"name": format!("{name}-{at}"), "aEnds": [a], "bEnds": [b]}});
    let mut items = Vec::new();
    for half in ["a", "b"] {
        items.push(device(format!("{half}{at}"), "ROUTER"));
        items.push(device(format!("p{half}{at}"), "PATCH_PANEL"));
        items.push(port(format!("{half}{at}"), "e", "ETHERNET"));
        items.push(port(format!("p{half}{at}"), "r", "PATCH_REAR"));
        items.push(port(format!("p{half}{at}"), "f", "PATCH_FRONT"));
        let (e, f) = (end(format!("{half}{at}"), "DATA", "e"), end(format!("p{half}{at}"), "FRONT", "f"));
        items.push(cable(&format!("bench-{half}"), e, f));
    }
    let ends = json!({ "site": SITE });
    items.push(json!({"circuit": {
        "provider": SITE, "name": format!("c{at}"), "type": "PROVIDER_CIRCUIT", "aEnd": ends, "zEnd": ends,
    }}));
    items.push(cable("bench-x", end(format!("pa{at}"), "REAR", "r"), side("A")));
    items.push(cable("bench-z", side("Z"), end(format!("pb{at}"), "REAR", "r")));
    items
}

/// A value with these lines, and where they begin.
fn with_lines(value: &Snapshot) -> (Snapshot, Vec<Place>) {
    let first = [
        json!({"site": {"name": SITE, "type": "DATACENTER"}}),
        json!({"provider": {"name": SITE, "type": "DARK_FIBER"}}),
    ];
    let mut value = planned(value, &batch(value, first));
    let per_batch = MOST_ITEMS / line(0).len();
    for start in (0..LINES).step_by(per_batch) {
        let items = (start..LINES.min(start + per_batch)).flat_map(line);
        value = planned(&value, &batch(&value, items));
    }
    let begin = |(slot, row): (u32, &std::sync::Arc<dyn underlay::store::Row>)| {
        (row.common().name == "e").then_some(Place { kind: Port::ID, slot })
    };
    let begins: Vec<Place> = value.table(Port::ID).rows(0).filter_map(begin).collect();
    assert_eq!(begins.len(), 2 * LINES, "only these ports have that name");
    (value, begins)
}

/// Where lines begin and end: all that is not in their middle.
fn endpoints(value: &Snapshot) -> Vec<Place> {
    let ends = value.registry().kinds().filter_map(|kind| Some((kind.id, lines().end(kind.id)?)));
    let of_kind = |(kind, end): (underlay::inventory::KindId, &'static underlay::topology::line::End)| {
        let rows = value.table(kind).rows(0);
        let endpoint =
            rows.filter(move |(_, row)| matches!((end.state)(row.as_ref()).onward, Onward::Stays | Onward::Fed));
        endpoint.map(move |(slot, _)| Place { kind, slot })
    };
    ends.flat_map(of_kind).collect()
}

fn traces(criterion: &mut Criterion, value: &Snapshot, begins: &[Place]) {
    let mut tracer = Tracer::new(value, lines());
    for begin in begins {
        let trace = tracer.trace(*begin, None, Through::Stop).expect("a trace");
        assert!(trace.complete() && trace.branches.len() == 1 && trace.branches[0].hops().len() == 13);
        assert!(trace.branches.iter().all(|branch| branch.direction == Direction::Outward));
    }
    let mut turn = begins.iter().cycle();
    let mut next = move || *turn.next().expect("there are lines");
    let mut group = criterion.benchmark_group("trace through 2 panels and 1 circuit");
    group.bench_function("whole", |bencher| {
        bencher.iter(|| {
            let mut tracer = Tracer::new(value, lines());
            tracer.trace(black_box(next()), None, Through::Stop).expect("a trace")
        });
    });
    let mut turn = begins.iter().cycle();
    let mut next = move || *turn.next().expect("there are lines");
    let mut tracer = Tracer::new(value, lines());
    group.bench_function("far ends, one tracer for all", |bencher| {
        bencher.iter(|| tracer.far_ends(black_box(next())).expect("far ends"));
    });
    group.finish();
}

fn all_lines(criterion: &mut Criterion, value: &Snapshot) {
    let endpoints = endpoints(value);
    eprintln!("{} endpoints", endpoints.len());
    let mut group = criterion.benchmark_group("all lines, one core");
    group.sample_size(10);
    let mut tracer = Tracer::new(value, lines());
    group.bench_function("traces", |bencher| {
        bencher.iter(|| {
            let hops = |end: &Place| {
                let trace = tracer.trace(*end, None, Through::Stop).expect("a trace");
                trace.branches.iter().map(|branch| branch.hops().len()).sum::<usize>()
            };
            endpoints.iter().map(hops).sum::<usize>()
        });
    });
    group.bench_function("far ends", |bencher| {
        bencher.iter(|| endpoints.iter().map(|end| tracer.far_ends(*end).expect("far ends").len()).sum::<usize>());
    });
    group.finish();
}

fn all(criterion: &mut Criterion) {
    let (value, begins) = with_lines(&fleet());
    eprintln!("{} ports, {} objects", value.table(Port::ID).len(), value.len());
    traces(criterion, &value, &begins);
    all_lines(criterion, &value);
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20).measurement_time(Duration::from_secs(5));
    targets = all
}
criterion_main!(benches);
