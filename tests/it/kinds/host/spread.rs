//! The spread of claims over failures of each kind, on fleets that are drawn in a few words.

use std::cell::RefCell;

use serde_json::json;
use underlay_inventory::Refusal;
use underlay_kinds::hosts::{Acquired, Claim, Spread};

use super::claims::{claim, of_class};
use super::write_as_server;
use crate::harness::world::World;
use crate::impact::Fleet;

/// Claims hosts of a fleet, all of which are AVAILABLE, in the order in which they are drawn.
async fn spread(fleet: &str, count: usize, spread: Spread, most: Option<usize>) -> Result<(World, Acquired), Refusal> {
    let mut world = Fleet::of(fleet).world;
    world.write(json!([{"hostClass": {"name": "large"}}]));
    let hosts: Vec<&str> =
        fleet.lines().filter_map(|line| line.trim().strip_prefix("host ")?.split(' ').next()).collect();
    for host in hosts {
        world.write(json!([{"host": {"name": host, "class": {"hostClass": "large"}}}]));
        write_as_server(&mut world, json!([{"host": {"name": host, "state": "AVAILABLE"}}]));
    }
    let world = RefCell::new(world);
    let found = claim(&world, Claim { spread: Some(spread), most, ..of_class(&world, "large", count) }).await?;
    Ok((world.into_inner(), found))
}

/// Returns the names of the hosts, sorted, and the worst failure with what it takes.
async fn names(fleet: &str, count: usize, over: Spread) -> (String, String) {
    let (world, found) = spread(fleet, count, over, None).await.expect("acquired");
    let named = |ids: &mut dyn Iterator<Item = uuid::Uuid>| {
        let mut names: Vec<String> =
            ids.map(|id| world.snapshot.row_of(id).expect("a host").common().name.to_owned()).collect();
        names.sort();
        names.join(" ")
    };
    let hosts = named(&mut found.answer.outcomes.iter().filter_map(|outcome| outcome.id));
    let worst = found.worst.map(|worst| {
        let path = world.snapshot.path(worst.failure);
        let name = path.rsplit('/').next().unwrap_or_default().to_owned();
        format!("{name}: {}", named(&mut worst.takes.into_iter()))
    });
    (hosts, worst.unwrap_or_default())
}

/// Three racks, of which the first has most of the hosts.
const RACKS: &str = "
    rack A
    rack B
    rack C
    server n1 rack=A
    server n2 rack=A
    server n3 rack=A
    server n4 rack=A
    server n5 rack=B
    server n6 rack=C
    host h1 on device n1
    host h2 on device n2
    host h3 on device n3
    host h4 on device n4
    host h5 on device n5
    host h6 on device n6
";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn racks() {
    for over in [Spread::Enclosure, Spread::Failure] {
        for (count, hosts, worst) in [
            (1, "h1", "A: h1"),
            (2, "h1 h5", "A: h1"),
            (3, "h1 h5 h6", "A: h1"),
            (4, "h1 h2 h5 h6", "A: h1 h2"),
            (6, "h1 h2 h3 h4 h5 h6", "A: h1 h2 h3 h4"),
        ] {
            assert_eq!(names(RACKS, count, over).await, (hosts.to_owned(), worst.to_owned()), "{count} {over:?}");
        }
        let refusal = spread(RACKS, 4, over, Some(1)).await.expect_err("cannot be met");
        assert_eq!((refusal.code().as_str(), refusal.field()), ("INCOMPATIBLE", Some("most")));
        let says = "the failure of rack/s/A alone would take 2 of the 4 hosts, and at most 1 were allowed";
        assert!(refusal.to_string().starts_with(says), "{refusal}");
        spread(RACKS, 4, over, Some(2)).await.expect("two are allowed");
        spread(RACKS, 3, over, Some(1)).await.expect("one in each rack");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_failure_of_everything_is_named_and_refuses_only_what_asks_for_less() {
    let fleet = "
        rack A
        server n1 rack=A
        server n2 rack=A
        host h1 on device n1
        host h2 on device n2
    ";
    for over in [Spread::Enclosure, Spread::Failure] {
        assert_eq!(names(fleet, 2, over).await, ("h1 h2".to_owned(), "A: h1 h2".to_owned()));
        spread(fleet, 2, over, None).await.expect("no choice avoids it");
        let refusal = spread(fleet, 2, over, Some(1)).await.expect_err("the rack takes both");
        let says = "the failure of rack/s/A alone would take 2 of the 2 hosts, and at most 1 were allowed";
        assert!(refusal.to_string().starts_with(says), "{refusal}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn power() {
    // h1 and h2 hang on fa alone, h3 on fb alone, h4 on both.
    let fleet = "
        rack A
        feed fa
        feed fb
        pdu p < fa
        pdu q < fb
        server n1 rack=A < p
        server n2 rack=A < p
        server n3 rack=A < q
        server n4 rack=A < p q
        host h1 on device n1
        host h2 on device n2
        host h3 on device n3
        host h4 on device n4
    ";
    let (hosts, _) = names(fleet, 2, Spread::Power).await;
    assert_eq!(hosts, "h1 h4", "the failure of no feed takes h4");
    assert_eq!(names(fleet, 3, Spread::Power).await, ("h1 h3 h4".to_owned(), "fa: h1".to_owned()));
    assert_eq!(names(fleet, 4, Spread::Power).await.1, "fa: h1 h2");
    let refusal = spread(fleet, 4, Spread::Power, Some(1)).await.expect_err("fa takes two");
    assert!(refusal.to_string().contains("would take 2 of the 4 hosts"), "{refusal}");
    let (hosts, worst) = names(fleet, 3, Spread::Failure).await;
    assert_eq!((hosts.as_str(), worst.as_str()), ("h1 h3 h4", "A: h1 h3 h4"), "the rack has all of them");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn switches_panels_and_circuits() {
    // n1 and n2 reach the network over l1, n3 over l2, n4 over both.
    let network = "
        provider p
        network i of p
        border_router b
        leaf l1
        leaf l2
        l1 -- b
        l2 -- b
        circuit c of p TRANSIT b -> net:i
        server n1
        server n2
        server n3
        server n4
        n1 -- l1
        n2 -- l1
        n3 -- l2
        n4 -- l1
        n4 -- l2
        host h1 on device n1
        host h2 on device n2
        host h3 on device n3
        host h4 on device n4
    ";
    for over in [Spread::Switch, Spread::Failure] {
        let (hosts, worst) = names(network, 3, over).await;
        assert_eq!(hosts, "h1 h3 h4", "{over:?}");
        assert!(worst.ends_with(": h1 h3 h4"), "b cuts all of them off, as does the circuit: {worst}");
        let refusal = spread(network, 4, over, Some(3)).await.expect_err("b takes all of them");
        assert!(refusal.to_string().contains("alone would take 4 of the 4 hosts"), "{refusal}");
    }
    // The lines of n1 and n2 run over the panels x and y, that of n3 does not.
    let panels = "
        border_router b
        leaf l1
        l1 -- b
        patch_panel x
        patch_panel y
        trunk t x = y 2
        server n1
        server n2
        server n3
        n1 -- x:t-1
        y:t-1 -- l1
        n2 -- x:t-2
        y:t-2 -- l1
        n3 -- l1
        host h1 on device n1
        host h2 on device n2
        host h3 on device n3
    ";
    let (hosts, _) = names(panels, 2, Spread::Failure).await;
    assert_eq!(hosts, "h1 h3", "x takes h1 and h2");
    let (hosts, _) = names(panels, 2, Spread::Switch).await;
    assert_eq!(hosts, "h1 h2", "no switch tells them apart");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hosts_without_a_known_machine_are_in_no_failure() {
    let fleet = "
        rack A
        server n1 rack=A
        server n2 rack=A
        host h1 on device n1
        host h2 on device n2
    ";
    let mut world = Fleet::of(fleet).world;
    world.write(json!([{"hostClass": {"name": "large"}}, {"host": {"name": "h3"}}]));
    for host in ["h1", "h2", "h3"] {
        world.write(json!([{"host": {"name": host, "class": {"hostClass": "large"}}}]));
        write_as_server(&mut world, json!([{"host": {"name": host, "state": "AVAILABLE"}}]));
    }
    let world = RefCell::new(world);
    let two = Claim { spread: Some(Spread::Enclosure), most: Some(1), ..of_class(&world, "large", 2) };
    let found = claim(&world, two).await.expect("one in the rack and one elsewhere");
    let worst = found.worst.expect("the rack");
    assert_eq!(worst.takes.len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_failures_are_computed_again_when_the_racks_change() {
    let fleet = "
        rack A
        rack B
        server n1 rack=A
        server n2 rack=B
        host h1 on device n1
        host h2 on device n2
    ";
    let (mut world, found) = spread(fleet, 2, Spread::Failure, Some(1)).await.expect("one in each rack");
    assert_eq!(found.worst.expect("a rack").takes.len(), 1);
    write_as_server(
        &mut world,
        json!([{"host": {"name": "h1", "state": "AVAILABLE"}}, {"host": {"name": "h2", "state": "AVAILABLE"}}]),
    );
    let both = |world: World| async {
        let world = RefCell::new(world);
        let two = Claim { spread: Some(Spread::Failure), ..of_class(&world, "large", 2) };
        let found = claim(&world, two).await.expect("acquired");
        (world.into_inner(), found.worst.expect("a rack").takes.len())
    };
    assert_eq!(both(world.clone()).await.1, 1, "as before");
    world.write(json!([{"device": {"name": "n2", "placement": {"rack": {"rack": "A"}}}}]));
    assert_eq!(both(world).await.1, 2, "they share a rack now");
}
