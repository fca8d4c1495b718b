//! Thousands of small random networks: every answer equals that of trying all paths.

use std::collections::{BTreeMap, BTreeSet};

use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use underlay_inventory::{ObjectRef, Snapshot};
use underlay_topology::impact::{self, Effect};
use underlay_topology::path::{
    Connection, Diversity, Mode, Path, PathError, PathQuery, Plane, Risk, Weight, diversity, paths,
};

use super::naive::{Cost, Query, Tried, add};
use super::net::{Adds, How, Kind, Net, Segment};
use super::view;
use crate::harness::world::World;

/// The number of networks in an inventory, and of queries for each.
const NETS: u64 = 100;
const QUESTIONS: usize = 12;
/// The maximum number of paths for which all sets of paths are tried; there are too many sets of more.
const MAX_TRIED_PATHS: usize = 24;

/// An inventory of many networks, with what is in them by its name.
struct Many {
    snapshot: Snapshot,
    nets: Vec<Net>,
    objects: BTreeMap<String, ObjectRef>,
}

impl Many {
    fn of(seeds: std::ops::Range<u64>) -> Self {
        let nets: Vec<Net> = seeds.map(Net::random).collect();
        let mut world = World::empty();
        for nets in nets.chunks(50) {
            world.write(nets.iter().flat_map(Net::items).collect());
        }
        let mut objects = BTreeMap::new();
        for kind in world.snapshot.registry().kinds().filter(|kind| kind.name != "Port") {
            for (slot, row) in world.snapshot.table(kind.id).rows(0) {
                objects.insert(row.common().name.to_owned(), ObjectRef { kind: kind.id, slot });
            }
        }
        Self { snapshot: world.snapshot, nets, objects }
    }
}

/// A question about a network, in both forms.
struct Pair {
    question: PathQuery,
    query: Query,
}

impl Pair {
    fn random(many: &Many, net: &Net, rng: &mut SmallRng) -> Self {
        let weight = [Weight::Hops, Weight::Length, Weight::Latency][rng.random_range(0..3)];
        let (management, planned, logical) = (rng.random_bool(0.1), rng.random_bool(0.25), rng.random_bool(0.35));
        let mut end = || loop {
            let end = rng.random_range(0..net.nodes.len());
            if net.nodes[end].kind != Kind::Site || rng.random_bool(0.6) {
                return end;
            }
        };
        let (from, to) = (end(), end());
        let stands_for = |end: usize| match net.nodes[end].kind {
            Kind::Site => {
                let at = |node: &usize| {
                    let it = &net.nodes[*node];
                    it.kind == Kind::Device && format!("{}s{}", net.prefix, it.site) == net.nodes[end].name
                };
                (0..net.nodes.len()).filter(at).chain(logical.then_some(end)).collect()
            }
            _ => BTreeSet::from([end]),
        };
        let reached = |node: &usize| net.nodes[*node].kind != Kind::Device || management || !net.nodes[*node].managed;
        let ends = [from, to].map(|end| stands_for(end).into_iter().filter(reached).collect::<BTreeSet<usize>>());
        let object = |node: usize| many.objects[&net.nodes[node].name];
        let mut question = PathQuery::new(object(from), object(to));
        (question.weight, question.include_planned, question.include_logical) = (weight, planned, logical);
        question.plane = if management { Plane::Management } else { Plane::Data };
        let [from, to] = ends;
        let mut query = Query { from, to, avoided: Default::default(), weight, management, planned, logical };
        if !planned && rng.random_bool(0.4) {
            for _ in 0..rng.random_range(1..3) {
                avoid(many, net, &mut question, &mut query, rng);
            }
        }
        Self { question, query }
    }
}

/// Avoids something, with what goes down with it.
fn avoid(many: &Many, net: &Net, question: &mut PathQuery, query: &mut Query, rng: &mut SmallRng) {
    let segment = rng.random_range(0..net.segments.len() + net.nodes.len());
    if let Some(it) = net.segments.get(segment).filter(|it| !it.name.is_empty()) {
        question.avoid.push(many.objects[&it.name]);
        query.avoided.1.insert(segment);
        return;
    }
    let node = rng.random_range(0..net.nodes.len());
    if net.nodes[node].kind == Kind::Site {
        return;
    }
    question.avoid.push(many.objects[&net.nodes[node].name]);
    let mut pending = vec![node];
    while let Some(at) = pending.pop() {
        query.avoided.0.insert(at);
        // An object in a device that does not run is down already, so this does not take it down.
        let goes_down = |other: &usize| net.nodes[*other].parent == Some(at) && net.nodes[at].runs;
        pending.extend((0..net.nodes.len()).filter(goes_down));
    }
    if net.nodes[node].kind == Kind::Network {
        let circuits = net.segments.iter().enumerate();
        let ends_there = |(_, segment): &(usize, &Segment)| {
            segment.ends.contains(&node) && matches!(segment.how, How::Circuit { .. })
        };
        query.avoided.1.extend(circuits.filter(ends_there).map(|(number, _)| number));
    }
}

/// The cost of an answer.
pub fn cost(path: &Path, weight: Weight) -> Cost {
    let mut cost = [0; 4];
    for segment in &path.segments {
        cost[0] += i64::from(segment.connection.is_logical());
        cost[3] += i64::from(segment.connection != Connection::Member);
        let measure = segment.measure;
        let (known, unknown) = match weight {
            Weight::Hops => (0.0, 0),
            Weight::Length => (measure.known_length_m, u32::from(measure.length_m().is_none())),
            Weight::Latency => (measure.known_latency_ms(), measure.unknown_latencies),
        };
        cost[1] += i64::from(unknown);
        cost[2] += (known * 1e6).round() as i64;
    }
    cost
}

/// A path is one of those that there are, and says of itself what its segments say.
fn check_path(many: &Many, net: &Net, query: &Query, path: &Path, all: &[Tried]) {
    let names = |objects: &[ObjectRef]| objects.iter().map(|it| many.snapshot.path(*it)).collect::<Vec<_>>();
    let nodes: Vec<ObjectRef> = path.nodes.clone();
    let fits = |tried: &&Tried| {
        let same: Vec<ObjectRef> = tried.nodes.iter().map(|node| many.objects[&net.nodes[*node].name]).collect();
        let segments: Vec<_> = tried.segments.iter().map(|segment| &net.segments[*segment]).collect();
        let named = segments.iter().zip(&path.segments).all(|(segment, found)| match found.connection {
            Connection::Whole => segment.how == How::Whole,
            Connection::Member => segment.how == How::Member,
            Connection::Association(object) => many.objects.get(&segment.name) == Some(&object),
            Connection::Line | Connection::Loose => {
                let hop = many.objects.get(&segment.name);
                hop.is_some_and(|hop| found.steps.iter().flatten().any(|it| it == hop))
            }
        });
        same == nodes && named
    };
    let tried = all.iter().find(fits).unwrap_or_else(|| panic!("{:?} is no path", names(&path.nodes)));
    let segments: Vec<_> = tried.segments.iter().map(|segment| &net.segments[*segment]).collect();
    check_measure(net, path, &segments);
    let wide = segments.iter().filter(|segment| !matches!(segment.how, How::Whole | How::Member));
    let speeds: Option<Vec<i64>> = wide.map(|segment| segment.speed).collect();
    assert_eq!(path.bandwidth_bps, speeds.and_then(|speeds| speeds.into_iter().min()));
    assert_eq!(
        path.is_active(),
        tried.nodes.iter().all(|node| net.nodes[*node].runs) && segments.iter().all(|it| it.active)
    );
    assert_eq!(cost(path, query.weight), query.cost(net, tried));
    check_steps(many, path);
}

/// The measures of a path are those of its connections together.
fn check_measure(net: &Net, path: &Path, segments: &[&Segment]) {
    let adds: Vec<Adds> = segments.iter().map(|segment| segment.adds(net)).collect();
    let length: f64 = adds.iter().map(|it| it.length).sum();
    assert_eq!(path.measure.known_length_m, length);
    assert_eq!(path.measure.length_m(), adds.iter().all(|it| !it.length_unknown).then_some(length));
    let unknown: u32 = adds.iter().map(|it| it.unknown_latencies).sum();
    assert_eq!(path.measure.unknown_latencies, unknown);
    assert_eq!(path.measure.known_latency_ms(), adds.iter().map(|it| it.latency).sum::<f64>());
    let circuits: Vec<f64> = adds.iter().filter_map(|it| it.circuit).collect();
    let latency = (unknown == 0 && !circuits.is_empty()).then(|| circuits.iter().sum::<f64>());
    assert_eq!(path.measure.latency_ms(), latency);
}

/// The hops of a segment begin and end at its nodes.
fn check_steps(many: &Many, path: &Path) {
    for (index, segment) in path.segments.iter().enumerate().filter(|(_, segment)| !segment.steps.is_empty()) {
        for (step, node) in [(segment.steps.first(), path.nodes[index]), (segment.steps.last(), path.nodes[index + 1])]
        {
            let [hop] = step.expect("a step").as_slice() else { panic!("one hop at an end") };
            let stands = many.snapshot.outgoing(*hop).iter().any(|edge| edge.other() == node);
            assert!(*hop == node || stands, "{} is not at {}", many.snapshot.path(*hop), many.snapshot.path(node));
        }
    }
}

fn each(seeds: std::ops::Range<u64>, mut check: impl FnMut(&Many, &Net, &Pair, &[Tried])) {
    let many = Many::of(seeds);
    let mut with_paths = 0;
    for net in &many.nets {
        let mut rng = SmallRng::seed_from_u64(net.prefix[1..].parse().expect("a number"));
        for _ in 0..QUESTIONS {
            let pair = Pair::random(&many, net, &mut rng);
            let Query { from, to, .. } = &pair.query;
            let answer = paths(view(&many.snapshot), &pair.question, Mode::Shortest(1));
            if from.is_empty() || to.is_empty() {
                assert!(matches!(answer, Err(PathError::NoNode { .. })), "{answer:?}");
            } else if !from.is_disjoint(to) {
                assert!(matches!(answer, Err(PathError::Same { .. })), "{answer:?}");
            } else {
                let all = pair.query.all(net);
                with_paths += usize::from(!all.is_empty());
                check(&many, net, &pair, &all);
            }
        }
    }
    assert!(with_paths * 4 > many.nets.len(), "only {with_paths} questions have an answer");
}

fn check_shortest(seeds: std::ops::Range<u64>) {
    each(seeds, |many, net, Pair { question, query }, all| {
        for most in [1, 3, 100] {
            let found = paths(view(&many.snapshot), question, Mode::Shortest(most)).expect("an answer");
            let costs: Vec<Cost> = found.iter().map(|path| cost(path, query.weight)).collect();
            let wanted: Vec<Cost> = all.iter().take(most).map(|tried| query.cost(net, tried)).collect();
            assert_eq!(costs, wanted, "{} in {question:?}", net.prefix);
            found.iter().for_each(|path| check_path(many, net, query, path, all));
            let mut different: Vec<_> = found.iter().map(|path| (&path.nodes, &path.segments)).collect();
            different.dedup();
            assert_eq!(different.len(), found.len(), "no path twice");
        }
    });
}

fn check_disjoint(seeds: std::ops::Range<u64>) {
    each(seeds, |many, net, Pair { question, query }, all| {
        if all.len() > MAX_TRIED_PATHS {
            return;
        }
        for most in [1, 2, 100] {
            let found = paths(view(&many.snapshot), question, Mode::Disjoint(most)).expect("an answer");
            let total = found.iter().map(|path| cost(path, query.weight)).fold([0; 4], add);
            assert_eq!((found.len(), total), query.disjoint(net, all, most), "{} in {question:?}", net.prefix);
            found.iter().for_each(|path| check_path(many, net, query, path, all));
        }
        check_diversity(many, net, &Pair { question: question.clone(), query: query.clone() }, all);
    });
}

fn check_diversity(many: &Many, net: &Net, Pair { question, query }: &Pair, all: &[Tried]) {
    let found = diversity(view(&many.snapshot), question).expect("an answer");
    found.paths.iter().for_each(|path| check_path(many, net, query, path, all));
    let total = found.paths.iter().map(|path| cost(path, query.weight)).fold([0; 4], add);
    match query.disjoint(net, all, 2) {
        (2, cost) => assert_eq!((found.disjoint, total), (true, cost)),
        (0, _) => assert!(!found.disjoint && found.paths.is_empty()),
        _ => {
            assert!(!found.disjoint);
            let doubled = if found.paths.len() == 1 { add(total, total) } else { total };
            let (_, cost) = query.closest(net, all).expect("there is a path");
            assert_eq!(doubled, cost, "{} in {question:?}", net.prefix);
        }
    }
    check_risks(many, question, &found);
}

/// The shared risks are the objects whose impact takes something of both paths down.
fn check_risks(many: &Many, question: &PathQuery, found: &Diversity) {
    let (Some(one), Some(other)) = (found.paths.first(), found.paths.last()) else { return };
    let parts = [one, other].map(|path| {
        let hops = path.segments.iter().flat_map(|segment| segment.steps.iter().flatten());
        path.nodes.iter().chain(hops).copied().collect::<BTreeSet<ObjectRef>>()
    });
    let ends: BTreeSet<ObjectRef> =
        [one, other].iter().flat_map(|path| [path.nodes[0], *path.nodes.last().unwrap()]).collect();
    let roles = underlay_kinds::topology();
    let objects =
        many.objects.values().filter(|object| roles.of(object.kind).reported.is_risk() && !ends.contains(object));
    let near: BTreeSet<&str> = parts[0].iter().map(|object| prefix(many, *object)).collect();
    let mut wanted = BTreeSet::new();
    for object in objects.filter(|object| near.contains(prefix(many, **object))) {
        let question = impact::ImpactQuery { of: vec![*object], ..Default::default() };
        let answer = impact::impact(&many.snapshot, roles, &question);
        let answer = answer.expect("an impact");
        let down = answer.affected().iter().filter(|it| it.effect == Effect::Down).map(|it| it.object);
        let down: BTreeSet<ObjectRef> = down.chain([*object]).collect();
        let associated =
            |path: &&Path| path.segments.iter().any(|it| it.connection == Connection::Association(*object));
        let breaks = |at: usize| !down.is_disjoint(&parts[at]) || associated(&[one, other][at]);
        if (0..2).all(breaks) {
            wanted.insert(*object);
        }
    }
    let found_risks: BTreeSet<ObjectRef> = found
        .risks
        .iter()
        .filter_map(|risk| match &risk.what {
            Risk::Object(object) => Some(*object),
            Risk::Group(_) => None,
        })
        .collect();
    let names = |objects: &BTreeSet<ObjectRef>| objects.iter().map(|it| many.snapshot.path(*it)).collect::<Vec<_>>();
    assert_eq!(names(&found_risks), names(&wanted), "{question:?}");
}

/// The prefix of all names of a network.
fn prefix(many: &Many, object: ObjectRef) -> &str {
    let name = many.snapshot.row(object).expect("a row").common().name;
    let end = name[1..].find(|letter: char| !letter.is_ascii_digit()).map_or(name.len(), |end| end + 1);
    &name[..end]
}

#[test]
fn the_shortest_paths_are_the_best_of_all() {
    (0..10).for_each(|part| check_shortest(part * NETS..(part + 1) * NETS));
}

#[test]
fn the_shortest_paths_of_other_networks_are_the_best_of_all() {
    (10..20).for_each(|part| check_shortest(part * NETS..(part + 1) * NETS));
}

#[test]
fn disjoint_paths_are_complete() {
    (20..25).for_each(|part| check_disjoint(part * NETS..(part + 1) * NETS));
}

#[test]
fn disjoint_paths_of_other_networks_are_complete() {
    (25..30).for_each(|part| check_disjoint(part * NETS..(part + 1) * NETS));
}
