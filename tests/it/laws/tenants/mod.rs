//! The visibility of tenants: a tenant sees what it may see, and gets the same answers as if the rest did not exist. A
//! view that is updated along a history equals one that is built afresh, and so do its changes. Versions, times and
//! managers are compared with a server that never had hidden objects (`hidden.rs`).

mod evicted;
mod hidden;
mod operators;
mod oracle;
mod queries;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use async_graphql::dataloader::DataLoader;
use rand::Rng;
use serde_json::{Map, Value, json};
use underlay_engine::access::Caller;
use underlay_engine::feed::{self, Direction, View, Views};
use underlay_inventory::{Audience, Draft, Snapshot, TenantView};
use underlay_kinds::control::ControlLoader;
use underlay_kinds::request::Request;
use underlay_server::api;

use self::oracle::Inventory;
use super::history::History;
use super::sdl::Sdl;
use crate::harness::assert_same;
use crate::harness::inside::{Inside, batch, items, registry, sqlite};

/// The number of batches in a history.
const BATCHES: usize = 80;
/// Tenants of the history, and one that has nothing of its own.
const TENANTS: [&str; 3] = ["blue", "red", "green"];

/// The coverage of a run.
#[derive(Debug, Default)]
struct Tally {
    /// Revisions after which a tenant saw something else.
    changed: usize,
    /// Revisions after which it did not.
    unchanged: usize,
    /// Objects that were hidden at the end.
    hidden: usize,
    /// Objects that were shown reduced at the end.
    reduced: usize,
}

async fn law(seed: u64, tally: &mut Tally) {
    let (url, _folder) = sqlite();
    let inside = Inside::open(&url).await;
    let mut history = History::new(seed);
    // Some begin with what is there already.
    let before = history.random.random_range(0..BATCHES / 2);
    write(&inside, &mut history, before).await;
    let views = Views::new(inside.view());
    let mut kept = Vec::new();
    for tenant in TENANTS {
        let view = views.of(Some(tenant)).await.expect("a view");
        let first = view.current.get();
        kept.push((tenant, view, first));
    }
    let earlier = TenantView::common(&inside.current.get()).expect("a snapshot");
    write(&inside, &mut history, BATCHES - before).await;
    let whole = inside.current.get();
    let common = TenantView::common(&whole).expect("a snapshot");
    for (tenant, view, first) in kept {
        let snapshot = view.current.wait_for(whole.revision(), Duration::from_secs(20)).await;
        let anew = TenantView::of(&whole, tenant).expect("a view");
        assert_same(&snapshot, &marked_as(&snapshot, anew.seen()));
        for common in [&earlier, &common] {
            let beside = TenantView::beside(&whole, tenant, common).expect("a view");
            assert_same(anew.seen(), beside.seen());
        }
        check_reported(&view.current, &first, &snapshot, tally);
        tally.hidden += whole.len() - snapshot.len();
        let rows = whole.registry().kinds().flat_map(|kind| snapshot.table(kind.id).rows(0));
        tally.reduced += rows.filter(|(_, row)| row.common().version == 0).count();
    }
}

/// A snapshot with the versions, times and managers of another one, which may have followed for longer.
fn marked_as(other: &Snapshot, snapshot: &Snapshot) -> Snapshot {
    let whole = snapshot.part_of().expect("a part");
    let mut draft = Draft::of(snapshot);
    for kind in snapshot.registry().kinds() {
        for (_, row) in snapshot.table(kind.id).rows(0) {
            let Some(there) = other.row_of(row.common().id) else { continue };
            let version = whole.row_of(row.common().id).map(|row| row.common().version);
            assert!(Some(row.common().version) <= version, "no version that never was");
            let observed = there.observed_version();
            assert!(row.observed_version() <= observed, "no report that the longer view missed");
            let (mut row, there) = (row.duplicate(), there.common());
            let own = Arc::get_mut(&mut row).expect("a row of our own");
            if let (Some(column), Some(observed)) = (own.observed_version_mut(), observed) {
                *column = observed;
            }
            let common = own.common_mut();
            (*common.version, *common.updated_at) = (there.version, there.updated_at);
            *common.managers = there.managers.clone();
            draft.put(kind, row).expect("it refers to what it did");
        }
    }
    draft.finish(snapshot.head())
}

async fn write(inside: &Inside, history: &mut History, batches: usize) {
    for _ in 0..batches {
        let batch = history.batch(&inside.current.get());
        inside.writer.write(batch).await.expect("an answer");
    }
}

/// Checks that the changes that a tenant received lead from the first snapshot to the last.
fn check_reported(current: &feed::CurrentSnapshot, first: &Arc<Snapshot>, last: &Snapshot, tally: &mut Tally) {
    let mut snapshot = Snapshot::clone(first);
    for revision in first.revision() + 1..=last.revision() {
        let revised = current.recent(revision).expect("a recent revision");
        match revised.changes.is_empty() {
            true => tally.unchanged += 1,
            false => tally.changed += 1,
        }
        let mut draft = Draft::of(&snapshot);
        last.managers().for_each(|(id, name)| draft.add_manager(id, name));
        feed::apply(&mut draft, &revised.changes, Direction::Forward).expect("changes that fit");
        snapshot = draft.finish(revised.head());
    }
    assert_same(&snapshot, last);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_updated_view_equals_a_new_one() {
    let (first, mut tally) = (super::snapshot::seed(), Tally::default());
    for seed in first..first + 8 {
        law(seed, &mut tally).await;
    }
    eprintln!("{tally:?}");
    let Tally { changed, unchanged, hidden, reduced } = tally;
    assert!(changed > 50 && unchanged > 10 && hidden > 50 && reduced > 10, "histories that say something");
}

#[tokio::test]
async fn every_tenant_sees_all_shared_objects() {
    let (url, _folder) = sqlite();
    let inside = Inside::open(&url).await;
    // No tenant sees what is for operators only.
    let kinds = registry();
    let is_shown = |item: &Value| {
        let kind = item.as_object().and_then(|item| kinds.named(item.keys().next()?)).expect("a kind");
        !matches!(kind.audience, Audience::Operators)
    };
    let demo = underlay_demo::items(&underlay_demo::Options::default()).filter(is_shown).map(|mut item| {
        let fields = item.as_object_mut().and_then(|item| item.values_mut().next()).expect("an item");
        fields.as_object_mut().expect("fields").remove("tenant");
        item
    });
    inside.writer.write(batch(items(demo))).await.expect("written");
    let whole = inside.current.get();
    let view = TenantView::of(&whole, "blue").expect("a view");
    assert!(whole.len() > 1_000);
    assert_same(&whole, view.seen());
    assert!(Arc::ptr_eq(view.seen().part_of().expect("a part"), &whole));
    assert!(TenantView::of(&Arc::new(Snapshot::empty(registry())), "blue").expect("a view").seen().is_empty());
}

/// Answers a query to somebody with a view.
async fn ask(inside: &Inside, view: &Arc<View>, query: &str, variables: Value) -> Value {
    static API: LazyLock<api::Api> = LazyLock::new(api::build);
    let writer = inside.sources();
    let request = Request::new(view.current.get(), Arc::new(Caller::anybody()), Arc::clone(view), writer);
    let asked = async_graphql::Request::new(query).variables(async_graphql::Variables::from_json(variables));
    let control = DataLoader::new(ControlLoader(inside.store.clone()), tokio::spawn);
    let answer = API.execute(asked.data(Arc::new(request)).data(control)).await;
    let mut errors: Vec<String> = answer.errors.iter().map(|error| error.message.clone()).collect();
    // They come in the order in which the fields failed, which depends on time.
    errors.sort_unstable();
    json!({ "data": answer.data.into_json().expect("JSON"), "errors": errors })
}

/// Leaves of a reduced object only the fields that every tenant sees.
fn strip(value: &mut Value, reduced: &BTreeSet<String>) {
    match value {
        Value::Array(list) => list.iter_mut().for_each(|value| strip(value, reduced)),
        Value::Object(members) => {
            if members.get("id").and_then(Value::as_str).is_some_and(|id| reduced.contains(id)) {
                keep_shown_fields(members);
                // The same object once more, as it would be written.
                members.get_mut("item").and_then(Value::as_object_mut).into_iter().for_each(keep_shown_fields);
            }
            members.values_mut().for_each(|value| strip(value, reduced));
        }
        _ => {}
    }
}

/// Removes the fields of reduced objects that a tenant does not see. The tenant gets their defaults, and the oracle has
/// the values that are required to write the objects.
fn keep_shown_fields(object: &mut Map<String, Value>) {
    object.retain(|name, value| value.is_object() || ["id", "name", "__typename"].contains(&name.as_str()));
}

/// Checks that a tenant gets the same answers as everybody would get from its visible inventory.
async fn as_if_nothing_else_were_there(seed: u64, tally: &mut Tally) {
    let ((url, _folder), (other, _other_folder)) = (sqlite(), sqlite());
    let all = Inside::open(&url).await;
    let mut history = History::new(seed);
    write(&all, &mut history, BATCHES).await;
    let whole = all.current.get();
    let views = Views::new(all.view());
    for tenant in &TENANTS[..2] {
        let inventory = Inventory::of(&whole, tenant);
        let expected = inventory.expected();
        tally.hidden += whole.len() - expected.items.len();
        tally.reduced += expected.reduced.len();
        let few = Inside::open(&format!("{other}-{tenant}")).await;
        let answer = few.writer.write(batch(items(expected.items))).await.expect("an answer");
        let refused: Vec<_> = answer.outcomes.iter().filter_map(|outcome| outcome.error.as_ref()).collect();
        assert!(refused.is_empty(), "seed {seed}: {refused:#?}");

        let (view, alone) = (views.of(Some(tenant)).await.expect("a view"), Arc::new(few.view()));
        let mut questions = questions(&inventory.ids(), &mut history);
        let mut compared = 0;
        for (query, variables) in questions.drain(..) {
            let mut found = ask(&all, &view, &query, variables.clone()).await;
            let mut wanted = ask(&few, &alone, &query, variables.clone()).await;
            strip(&mut found, &expected.reduced);
            strip(&mut wanted, &expected.reduced);
            assert_eq!(found, wanted, "seed {seed}, {tenant}: {query} {variables}");
            compared += usize::from(!wanted["data"].is_null());
        }
        assert!(compared > 100, "answers that say something");
        impact(&all, &view, &inventory.ids(), &mut history).await;
    }
}

/// Checks that a tenant gets the same impact as everybody, as far as it is visible.
async fn impact(inside: &Inside, view: &Arc<View>, ids: &[String], history: &mut History) {
    let snapshot = view.current.get();
    let sees = |id: &str| snapshot.find(id.parse().expect("an id")).is_some();
    let query = "query($id: ID!) { impact(of: [$id]) { affected(first: 1000) { nodes { effect rule node { id } } } } }";
    let everything = Arc::new(inside.view());
    let affected = async |view: &Arc<View>, id: &str| {
        let mut answer = ask(inside, view, query, json!({ "id": id })).await;
        let nodes = answer["data"]["impact"]["affected"]["nodes"].take();
        nodes.as_array().expect("a list").clone()
    };
    for id in (0..40).map(|_| history.one(ids)).filter(|id| sees(id)) {
        let (mut all, seen) = (affected(&everything, &id).await, affected(view, &id).await);
        all.retain(|it| sees(it["node"]["id"].as_str().expect("an id")));
        assert_eq!(seen, all, "impact of {id}");
    }
    let points = "{ singlePointsOfFailure(first: 1000) { count node { id } } }";
    let count = |answer: Value| -> BTreeMap<String, u64> {
        let points = answer["data"]["singlePointsOfFailure"].as_array().expect("a list").clone();
        let count = |point: &Value| (point["node"]["id"].as_str().map(str::to_owned), point["count"].as_u64());
        points.iter().map(count).map(|(id, count)| (id.expect("an id"), count.expect("a number"))).collect()
    };
    let all = count(ask(inside, &everything, points, json!({})).await);
    for (id, seen) in count(ask(inside, view, points, json!({})).await) {
        assert!(sees(&id) && seen > 0 && all.get(&id).is_some_and(|all| *all >= seen), "single points: {id}");
    }
}

/// Questions about everything, and about each of these objects.
fn questions(ids: &[String], history: &mut History) -> Vec<(String, Value)> {
    let sdl = Sdl::of_the_code();
    let mut questions = Vec::new();
    for (list, everything, filter) in queries::lists(&sdl) {
        let query = format!(
            "query($filter: {filter}) {{ {list}(first: 1000, filter: $filter) {{ totalCount nodes {{ {everything} }} }} }}"
        );
        let red = json!({ "tenant": { "eq": "red" } });
        let mut filters =
            vec![json!(null), red.clone(), json!({ "not": red }), json!({ "tenant": { "isNull": true } })];
        filters.push(json!({ "name": { "contains": "1" } }));
        filters.push(json!({ "labels": "env=prod" }));
        let members = sdl.members(&filter);
        for (member, ty) in members.iter().filter(|(member, _)| !["not", "and", "or"].contains(&member.as_str())) {
            match ty.strip_suffix("Filter") {
                Some(list) if list.ends_with("List") => {
                    filters.push(json!({ member: { "some": { "name": { "contains": "" } } } }));
                    filters.push(json!({ member: { "none": { "tenant": { "eq": "red" } } } }));
                }
                Some(_) if sdl.members(ty.trim_end_matches('!')).contains_key("tenant") => {
                    filters.push(json!({ member: red }));
                    filters.push(json!({ member: { "isNull": true } }));
                }
                _ => {}
            }
        }
        let within = (0..3).map(|_| json!({ "within": history.one(ids) }));
        filters.extend(within.filter(|_| members.contains_key("within")));
        questions.extend(filters.into_iter().map(|filter| (query.clone(), json!({ "filter": filter }))));
    }
    for text in ["r", "1", "rack", "port2", "tag1", "x3", "10.0"] {
        let query =
            "query($text: String!) { search(text: $text, first: 1000) { node { id } kind path field text rank } }";
        questions.push((query.to_owned(), json!({ "text": text })));
    }
    let all = "query($ids: [ID!]!) { nodes(ids: $ids) { __typename id ...on Object { name tenant } } }";
    questions.extend(ids.chunks(500).map(|ids| (all.to_owned(), json!({ "ids": ids }))));
    let trace = "query($id: ID!) {
        traces(from: [$id]) { origin { ...on Node { id } } complete branches { end { ...on Node { id } } } }
        trace(from: $id) { complete active split truncated branches {
        outcome active cableCount end { ...on Node { id } } steps { ...on Node { id } } } } }";
    questions.extend(ids.iter().map(|id| (trace.to_owned(), json!({ "id": id }))));
    let path = "query($from: ID!, $to: ID!, $logical: Boolean) {
        paths(from: $from, to: $to, limit: 3, includeLogical: $logical) { paths { nodes { ...on Node { id } } } }
        diversity(from: $from, to: $to) { disjoint paths { hops } risks { __typename } } }";
    for _ in 0..60 {
        let ends = json!({ "from": history.one(ids), "to": history.one(ids), "logical": history.chance(50) });
        questions.push((path.to_owned(), ends));
    }
    let graph = "query($within: ID, $by: GraphBy, $depth: Int, $first: Int) {
        graph(within: $within, by: $by, depth: $depth, first: $first,
              layers: [PHYSICAL, POWER, LOGICAL, CONTAINMENT]) {
            complete nodes { id path outside } edges { layer from to count speedBps state } } }";
    for by in ["DEVICE", "RACK", "SITE"] {
        questions.push((graph.to_owned(), json!({ "by": by, "first": 1000 })));
        for depth in 0..10 {
            let within = history.one(ids);
            questions.push((graph.to_owned(), json!({ "within": within, "by": by, "depth": depth % 3, "first": 7 })));
        }
    }
    questions
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_tenant_gets_the_answers_of_its_visible_inventory() {
    let (first, mut tally) = (super::snapshot::seed(), Tally::default());
    for seed in first..first + 3 {
        as_if_nothing_else_were_there(seed, &mut tally).await;
    }
    eprintln!("{tally:?}");
    assert!(tally.hidden > 30 && tally.reduced > 5, "inventories that say something");
}
