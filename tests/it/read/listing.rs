//! Lists of more objects than one page reads.

use std::sync::Arc;

use serde_json::json;
use underlay_engine::access::Caller;
use underlay_entity::port::Model;
use underlay_entity::row::Row;
use underlay_inventory::{Kind, Snapshot};
use underlay_kinds::device::{DeviceFilter, DeviceListFilter};
use underlay_kinds::port::{Port, PortFilter, PortListFilter};
use underlay_kinds::site::{Site, SiteFilter};
use underlay_read::{
    BooleanFilter, Cursors, Filter, ListScope, Listed, Listing, PageArguments, Places, ReadError, Steps, TextFilter,
};
use uuid::Uuid;

use crate::harness::world::World;

/// More than are narrowed down, or sorted.
const OBJECT_COUNT: usize = 101_000;

/// A device of site `a` with very many ports, and one of site `b` with two.
fn many() -> Arc<Snapshot> {
    let world = World::of(json!([
        {"site": {"name": "a", "type": "OTHER"}},
        {"site": {"name": "b", "type": "OTHER"}},
        {"device": {"site": "a", "name": "d", "role": "OTHER"}},
        {"device": {"site": "b", "name": "e", "role": "OTHER"}}
    ]));
    let snapshot = &world.snapshot;
    let blank = (Port::describe().blank)();
    let blank = blank.as_any().downcast_ref::<Model>().expect("a port");
    let port = |number: usize, device: Uuid| Model {
        id: Uuid::from_u128(number as u128 + 1),
        name: format!("p{number}"),
        device_id: Some(device),
        ..blank.clone()
    };
    let (d, e) = (world.id("device", "d"), world.id("device", "e"));
    let ports = (0..OBJECT_COUNT)
        .map(|number| port(number, d))
        .chain((OBJECT_COUNT..OBJECT_COUNT + 2).map(|number| port(number, e)));
    let mut rows: Vec<Vec<Arc<dyn Row>>> = snapshot
        .registry()
        .kinds()
        .map(|kind| snapshot.table(kind.id).rows(0).map(|(_, row)| row.clone()).collect())
        .collect();
    rows[usize::from(Port::ID.0)] = ports.map(|port| Arc::new(port) as Arc<dyn Row>).collect();
    let built = Snapshot::build(snapshot.registry().clone(), std::iter::empty(), rows, snapshot.head());
    Arc::new(built.expect("all references lead somewhere"))
}

fn at_site(name: &str) -> PortFilter {
    let name = TextFilter { eq: Some(name.to_owned()), ..TextFilter::default() };
    let site = SiteFilter { name: Some(name), ..SiteFilter::default() };
    let device = DeviceFilter { site: Some(Box::new(site)), ..DeviceFilter::default() };
    PortFilter { device: Some(Box::new(device)), ..PortFilter::default() }
}

/// A list of all objects of a kind whose filter may take so many steps.
fn listing<K: Listed>(snapshot: &Arc<Snapshot>, filter: Option<K::Filter>, max_steps: u64) -> Listing<K> {
    let (snapshot, filter, cursors) = (snapshot.clone(), filter.map(Arc::new), Cursors::CurrentSnapshot);
    let share = Places::default().filter_share(Caller::anybody().key(), max_steps);
    Listing { snapshot, scope: ListScope::All, filter, order: None, cursors, share }
}

/// A filter on the sites that have a device with a port of this name.
fn with_port(name: &str) -> SiteFilter {
    let name = TextFilter { eq: Some(name.to_owned()), ..TextFilter::default() };
    let port = PortFilter { name: Some(name), ..PortFilter::default() };
    let ports = PortListFilter { some: Some(port), none: None };
    let device = DeviceFilter { ports: Some(Box::new(ports)), ..DeviceFilter::default() };
    SiteFilter { devices: Some(Box::new(DeviceListFilter { some: Some(device), none: None })), ..SiteFilter::default() }
}

/// The names of all objects of a list, page by page.
async fn all(snapshot: &Arc<Snapshot>, filter: Option<PortFilter>) -> Vec<String> {
    let listing = listing::<Port>(snapshot, filter, u64::MAX);
    let (mut names, mut after) = (Vec::new(), None);
    for _ in 0..=OBJECT_COUNT / 1_000 + 1 {
        let page = listing.page(&PageArguments { first: Some(1_000), after, ..PageArguments::default() }).await;
        let page = page.expect("a page");
        names.extend(page.objects.iter().map(|port| port.row.name.clone()));
        after = page.objects.last().map(|port| listing.cursor(port));
        if !page.has_next {
            return names;
        }
    }
    panic!("the list does not come to an end");
}

#[tokio::test]
async fn lists_of_any_size_are_paged_in_the_order_of_the_key() {
    let snapshot = many();
    // So many are not gathered anew for each page: the index of the order is read on from the cursor.
    let candidates = |filter: &PortFilter| {
        let steps = Steps::new(u64::MAX);
        Filter::<Port>::candidates(filter, &snapshot, &steps).map(|objects| objects.len())
    };
    assert_eq!((candidates(&at_site("a")), candidates(&at_site("b"))), (None, Some(2)));
    let expected: Vec<String> = (0..OBJECT_COUNT).map(|number| format!("p{number}")).collect();
    assert_eq!(all(&snapshot, Some(at_site("a"))).await, expected);
    let enabled = BooleanFilter { eq: Some(true) };
    let enabled = PortFilter { enabled: Some(enabled), ..PortFilter::default() };
    let (with, without) = (all(&snapshot, Some(enabled)).await, all(&snapshot, None).await);
    assert_eq!((with.len(), &with), (OBJECT_COUNT + 2, &without));
    assert_eq!(
        all(&snapshot, Some(at_site("b"))).await,
        [format!("p{OBJECT_COUNT}"), format!("p{}", OBJECT_COUNT + 1)]
    );
}

#[tokio::test]
async fn a_filter_that_visits_many_objects_at_once_ends_with_its_steps() {
    let snapshot = many();
    // All ports of a site are looked at for one object of the list.
    for (name, count) in
        [(format!("p{}", OBJECT_COUNT - 1), 1), (format!("p{}", OBJECT_COUNT + 1), 1), ("nowhere".to_owned(), 0)]
    {
        let all = listing::<Site>(&snapshot, Some(with_port(&name)), u64::MAX);
        assert_eq!(all.count().await.expect("a count"), count, "{name}");
        let page = all.page(&PageArguments::default()).await.expect("a page");
        assert_eq!(page.objects.len(), count, "{name}");
    }
    let enough = OBJECT_COUNT as u64 + 100;
    assert_eq!(listing::<Site>(&snapshot, Some(with_port("nowhere")), enough).count().await.expect("a count"), 0);
    for max_steps in [1, 1_000, enough - 200] {
        let few = listing::<Site>(&snapshot, Some(with_port("nowhere")), max_steps);
        let refused = [few.count().await.map(drop), few.page(&PageArguments::default()).await.map(drop)];
        for refused in refused {
            let error = refused.expect_err("too many steps");
            assert!(matches!(error, ReadError::TooManySteps { most } if most == max_steps), "{error}");
            assert!(error.to_string().contains("(limits.steps)"), "{error}");
        }
    }
    let negated = SiteFilter { not: Some(Box::new(with_port("nowhere"))), ..SiteFilter::default() };
    assert_eq!(listing::<Site>(&snapshot, Some(negated), u64::MAX).count().await.expect("a count"), 2);
}

#[tokio::test]
async fn references_and_lists_of_a_filter_nest_to_a_bound() {
    let world = World::of(json!([]));
    let snapshot = Arc::new(world.snapshot);
    let nested = |times: usize| {
        (1..times).fold(with_port("p"), |inner, _| {
            let device = DeviceFilter { site: Some(Box::new(inner)), ..DeviceFilter::default() };
            let devices = DeviceListFilter { some: None, none: Some(device) };
            let and = SiteFilter { devices: Some(Box::new(devices)), ..SiteFilter::default() };
            SiteFilter { and: Some(vec![SiteFilter::default(), and]), ..SiteFilter::default() }
        })
    };
    for (times, fits) in [(1, true), (3, true), (4, false)] {
        let found = listing::<Site>(&snapshot, Some(nested(times)), u64::MAX).count().await;
        match found {
            Ok(count) => assert!(fits && count == 0, "{times}"),
            Err(error) => {
                let reason = "filter has 8 references and lists in each other; at most 6 are allowed";
                assert!(!fits && error.to_string() == reason, "{times}: {error}");
            }
        }
    }
}
