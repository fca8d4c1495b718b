//! Paths in process, by criterion: from a server to one at the other site, shortest, disjoint, and what two of them
//! share. The fleet is as large as `UNDERLAY_BENCH_PORTS` says.

mod fleet;

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use underlay::inventory::{Kind, Place, Snapshot};
use underlay::kinds::device::Device;
use underlay::kinds::site::Site;
use underlay::kinds::{failures, lines, paths as roles};
use underlay::topology::path::{Mode, Question, View, Weight, diversity, paths};

use fleet::fleet;

/// That of the server.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// How many pairs of servers are asked about, in turn.
const PAIRS: usize = 200;

/// Pairs of servers that have a path, one at each of the two sites with the most devices.
fn pairs(value: &Snapshot) -> Vec<[Place; 2]> {
    let mut sites: Vec<Place> = value.table(Site::ID).rows(0).map(|(slot, _)| Place { kind: Site::ID, slot }).collect();
    sites.sort_by_key(|site| std::cmp::Reverse(value.incoming(*site).by(Device::SITE).count()));
    let servers = |site: Place| {
        let devices = value.incoming(site).by(Device::SITE);
        let forwards = |place: &Place| value.row(*place).is_some_and(|row| row.common().name.contains("node"));
        devices.filter(forwards).collect::<Vec<_>>()
    };
    let [near, far] = [servers(sites[0]), servers(sites[1])];
    let pick = |from: &[Place], at: usize| from[at * 7_919 % from.len()];
    let pairs = (0..PAIRS * 4).map(|at| [pick(&near, at), pick(&far, at)]);
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    let joined = |[from, to]: &[Place; 2]| {
        let question = Question::new(*from, *to);
        let found = runtime.block_on(paths(view(value), &question, Mode::Shortest(1))).expect("an answer");
        !found.is_empty()
    };
    pairs.filter(joined).take(PAIRS).collect()
}

fn view(value: &Snapshot) -> View<'_> {
    View { snapshot: value, roles: roles(), lines: lines(), failures: failures() }
}

fn all(criterion: &mut Criterion) {
    let value = fleet();
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    let pairs = pairs(&value);
    eprintln!("{} devices, {} pairs", value.table(Device::ID).len(), pairs.len());
    let mut group = criterion.benchmark_group("paths across two sites");
    for (name, mode, weight) in [
        ("shortest", Mode::Shortest(1), Weight::Hops),
        ("shortest by latency", Mode::Shortest(1), Weight::Latency),
        ("ten shortest", Mode::Shortest(10), Weight::Hops),
        ("disjoint", Mode::Disjoint(100), Weight::Hops),
    ] {
        let mut turn = pairs.iter().cycle();
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let [from, to] = *turn.next().expect("there are pairs");
                let question = Question { weight, ..Question::new(from, to) };
                runtime.block_on(paths(view(&value), black_box(&question), mode)).expect("an answer")
            });
        });
    }
    let mut turn = pairs.iter().cycle();
    group.bench_function("diversity", |bencher| {
        bencher.iter(|| {
            let [from, to] = *turn.next().expect("there are pairs");
            let question = Question::new(from, to);
            runtime.block_on(diversity(view(&value), black_box(&question))).expect("an answer")
        });
    });
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10).measurement_time(Duration::from_secs(10));
    targets = all
}
criterion_main!(benches);
