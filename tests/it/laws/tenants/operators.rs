//! Kinds and fields for operators only: nothing of them is in the snapshot of a tenant, and no change of them shows.

use std::sync::Arc;

use serde_json::{Value, json};
use underlay_engine::write::{Item, plan};
use underlay_inventory::{Description, Registry, Snapshot, TenantView};
use uuid::Uuid;

use crate::harness::inside::batch;

/// The kinds, of which the site has a field that only operators see.
fn registry() -> Registry {
    let kinds = underlay_kinds::registry();
    let kinds = kinds.kinds().map(|kind| match kind.name {
        "Site" => {
            let fields = kind.fields.iter().map(|field| match field.name {
                "displayName" => field.for_operators(),
                _ => *field,
            });
            let fields: Vec<_> = fields.collect();
            let kind = Description { fields: Box::leak(fields.into_boxed_slice()), ..copy(kind) };
            &*Box::leak(Box::new(kind))
        }
        _ => kind,
    });
    Registry::new(kinds.collect())
}

fn copy(kind: &'static Description) -> Description {
    Description { ..*kind }
}

fn write(snapshot: &Arc<Snapshot>, items: Value) -> Arc<Snapshot> {
    let items = items.as_array().expect("items").iter();
    let items = items.map(|item| Item::parse(snapshot.registry(), item.clone()).expect("an item"));
    let planned = plan(snapshot, &batch(items.collect()), chrono::Utc::now()).expect("within bounds");
    assert!(planned.accepted, "{:?}", planned.outcomes);
    planned.next
}

fn id(snapshot: &Snapshot, kind: &str) -> Uuid {
    let kind = snapshot.registry().named(kind).expect("a kind");
    snapshot.table(kind.id).rows(0).next().expect("an object").1.common().id
}

fn display_name(snapshot: &Snapshot, site: Uuid) -> Value {
    let object = snapshot.find(site).expect("it is seen");
    let kind = snapshot.kind(object.kind);
    (kind.fields[kind.field("displayName").expect("a field")].get)(snapshot.row(object).expect("a row").as_ref())
}

#[test]
fn objects_for_operators_are_in_no_view() {
    let empty = Arc::new(Snapshot::empty(Arc::new(registry())));
    let whole = write(
        &empty,
        json!([
            {"site": {"name": "ams1", "type": "EDGE", "displayName": "secret", "tenant": "blue"}},
            {"source": {"name": "nb", "type": "netbox", "tenant": "blue"}},
        ]),
    );
    let (site, source) = (id(&whole, "site"), id(&whole, "source"));
    assert_eq!(display_name(&whole, site), "secret");
    let mut view = TenantView::of(&whole, "blue").expect("a view");
    let version = |seen: &Snapshot| seen.row_of(site).expect("it is seen").common().version;
    for (step, items) in [
        json!([]),
        json!([{"site": {"name": "ams1", "displayName": "another"}}]),
        json!([{"source": {"name": "nb", "paused": true}}, {"source": {"name": "more", "type": "files"}}]),
    ]
    .into_iter()
    .enumerate()
    {
        let next = match items.as_array().is_some_and(Vec::is_empty) {
            true => Arc::clone(&whole),
            false => write(&whole, items),
        };
        let touched = [site, source].into_iter();
        let reported = view.replicate(&next, touched).expect("it goes on");
        assert!(reported.is_empty(), "step {step}: {reported:?}");
        let made = TenantView::of(&next, "blue").expect("a view");
        for seen in [view.seen(), made.seen()] {
            assert_eq!((seen.len(), seen.find(source)), (1, None), "step {step}");
            assert_eq!(display_name(seen, site), Value::Null, "step {step}");
            assert_eq!(version(seen), 1, "step {step}");
            let managers = &seen.row_of(site).expect("it is seen").common().managers.0;
            let field =
                seen.kind(seen.find(site).expect("it").kind).fields.iter().find(|field| field.name == "displayName");
            let bit = 1 << field.expect("a field").number;
            assert!(managers.iter().all(|holding| holding.fields & bit == 0), "step {step}: {managers:?}");
        }
    }
}
