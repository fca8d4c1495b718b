//! Failures in process, by criterion: one leaf, one site, and the single points of failure of a site. The fleet is as
//! large as `UNDERLAY_BENCH_PORTS` says; the site is the largest of it.

mod fleet;

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use underlay::inventory::{Kind, Place, Snapshot};
use underlay::kinds::device::Device;
use underlay::kinds::site::Site;
use underlay::kinds::{failures, lines};
use underlay::topology::impact::{Effect, Question, Whose, impact, single_points};

use fleet::fleet;

/// That of the server.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// A leaf in the middle of the fleet.
fn leaf(value: &Snapshot) -> Place {
    let leaves = value.table(Device::ID).rows(0).filter(|(_, row)| row.common().name.ends_with("-leaf-1"));
    let leaves: Vec<u32> = leaves.map(|(slot, _)| slot).collect();
    Place { kind: Device::ID, slot: leaves[leaves.len() / 2] }
}

/// The site with the most devices, and how many it has.
fn site(value: &Snapshot) -> (Place, usize) {
    let sites = value.table(Site::ID).rows(0).map(|(slot, _)| Place { kind: Site::ID, slot });
    let sized = sites.map(|site| (site, value.incoming(site).by(Device::SITE).count()));
    sized.max_by_key(|(_, devices)| *devices).expect("a site")
}

fn all(criterion: &mut Criterion) {
    let value = fleet();
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    let fails = |place: Place| {
        let question = Question { of: vec![place], ..Question::default() };
        runtime.block_on(impact(&value, failures(), lines(), black_box(&question))).expect("an answer")
    };
    let (leaf, (site, devices)) = (leaf(&value), site(&value));
    let told = |found: &underlay::topology::impact::Impact| {
        let of = |effect: Effect| found.affected().iter().filter(|affected| affected.effect == effect).count();
        format!("{} down, {} cut off, {} degraded", of(Effect::Down), of(Effect::Isolated), of(Effect::Degraded))
    };
    eprintln!("{} objects, {} devices; a leaf: {}", value.len(), value.table(Device::ID).len(), told(&fails(leaf)));
    eprintln!("a site of {devices} devices: {}", told(&fails(site)));
    let mut group = criterion.benchmark_group("impact");
    group.bench_function("of one leaf", |bencher| bencher.iter_with_large_drop(|| fails(leaf)));
    group.bench_function(format!("of a site of {devices} devices"), |bencher| {
        bencher.iter_with_large_drop(|| fails(site));
    });
    group.finish();
    let whose = Whose { within: Some(site), ..Whose::default() };
    criterion.bench_function(&format!("single points of failure of a site of {devices} devices"), |bencher| {
        bencher.iter(|| runtime.block_on(single_points(&value, failures(), lines(), whose)).expect("an answer"));
    });
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10).measurement_time(Duration::from_secs(10));
    targets = all
}
criterion_main!(benches);
