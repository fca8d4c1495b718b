//! Lists of more objects than one page reads.

use std::sync::Arc;

use serde_json::json;
use underlay::kinds::device::DeviceFilter;
use underlay::kinds::port::{Port, PortFilter};
use underlay::kinds::site::SiteFilter;
use underlay::read::{BooleanFilter, Cursors, Filter, ListScope, Listing, PageArguments, TextFilter};
use underlay_entity::port::Model;
use underlay_entity::row::Row;
use underlay_inventory::{Kind, Snapshot};
use uuid::Uuid;

use super::World;

/// More than are narrowed down, or sorted.
const MANY: usize = 101_000;

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
    let ports = (0..MANY).map(|number| port(number, d)).chain((MANY..MANY + 2).map(|number| port(number, e)));
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

/// The names of all objects of a list, page by page.
async fn all(snapshot: &Arc<Snapshot>, filter: Option<PortFilter>) -> Vec<String> {
    let (snapshot, filter) = (snapshot.clone(), filter.map(Box::new));
    let listing =
        Listing::<Port> { snapshot, scope: ListScope::All, filter, order: None, cursors: Cursors::CurrentSnapshot };
    let (mut names, mut after) = (Vec::new(), None);
    for _ in 0..=MANY / 1_000 + 1 {
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
    let candidates = |filter: &PortFilter| Filter::<Port>::candidates(filter, &snapshot).map(|objects| objects.len());
    assert_eq!((candidates(&at_site("a")), candidates(&at_site("b"))), (None, Some(2)));
    let expected: Vec<String> = (0..MANY).map(|number| format!("p{number}")).collect();
    assert_eq!(all(&snapshot, Some(at_site("a"))).await, expected);
    let enabled = BooleanFilter { eq: Some(true) };
    let enabled = PortFilter { enabled: Some(enabled), ..PortFilter::default() };
    let (with, without) = (all(&snapshot, Some(enabled)).await, all(&snapshot, None).await);
    assert_eq!((with.len(), &with), (MANY + 2, &without));
    assert_eq!(all(&snapshot, Some(at_site("b"))).await, [format!("p{MANY}"), format!("p{}", MANY + 1)]);
}
