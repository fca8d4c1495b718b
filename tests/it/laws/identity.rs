//! Compares the identification of objects with a simple model: random batches of two sources and of users, which
//! rename, replace, exchange and renumber objects and name them twice, on both databases.

use std::collections::{BTreeMap, BTreeSet};

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use serde_json::{Value, json};
use underlay_engine::write::{Author, Batch, Conflicts, Mode, Recognised, Status};
use uuid::Uuid;

use super::snapshot::seed;
use crate::harness::inside::{Inside, batch, items, sqlite};
use crate::harness::{assert_same, postgres};

/// The number of batches in a run.
const BATCHES: usize = 400;

/// An object, as the model knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Object {
    name: String,
    /// Its external ids by source.
    external: BTreeMap<String, String>,
}

/// An item, as the model reads it.
#[derive(Clone, Debug)]
struct WrittenItem {
    id: Option<Uuid>,
    external_id: Option<String>,
    name: String,
}

/// The object that an item means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Meant {
    There(Uuid),
    /// A new one, by the position of its item.
    New(usize),
}

/// The object that each item means, how it is recognised, and the objects after the batch.
type Expected = (Vec<(Meant, Recognised)>, Vec<Object>);

/// The objects by their ids.
type Model = BTreeMap<Uuid, Object>;

/// Returns the object of an item, before objects are looked up by name.
fn recognised(model: &Model, source: Option<&str>, input: &WrittenItem) -> Option<(Uuid, Recognised)> {
    if let Some(id) = input.id {
        return Some((id, Recognised::Id));
    }
    let (source, external_id) = (source?, input.external_id.as_ref()?);
    let found = model.iter().find(|(_, object)| object.external.get(source) == Some(external_id));
    found.map(|(id, _)| (*id, Recognised::ExternalId))
}

/// Returns the result of an atomic batch: the objects after it, and how each item was recognised; `None` if it must be
/// rejected.
fn expected(model: &Model, source: Option<&str>, batch: &[WrittenItem]) -> Option<Expected> {
    let sure: Vec<_> = batch.iter().map(|input| recognised(model, source, input)).collect();
    let renamed_away = |id: Uuid| {
        let mut writers = batch.iter().zip(&sure).filter(|(_, sure)| sure.is_some_and(|(it, _)| it == id));
        writers.next_back().is_some_and(|(input, _)| model[&id].name != input.name)
    };
    let mut meant = Vec::new();
    for (at, input) in batch.iter().enumerate() {
        let by_name = || {
            let (id, object) = model.iter().find(|(_, object)| object.name == input.name)?;
            let other = source.and_then(|source| object.external.get(source));
            let is_another = input.external_id.is_some() && other.is_some() && other != input.external_id.as_ref();
            (!is_another && !renamed_away(*id)).then_some((*id, Recognised::Key))
        };
        meant.push(match sure[at].or_else(by_name) {
            Some((id, by)) => (Meant::There(id), by),
            None => (Meant::New(at), Recognised::Created),
        });
    }
    // Each object is written once, unless it is named by its id each time.
    for (at, (one, by)) in meant.iter().enumerate() {
        let twice = meant[..at].iter().find(|(other, _)| other == one);
        if twice.is_some_and(|(_, other)| (*by, *other) != (Recognised::Id, Recognised::Id)) {
            return None;
        }
    }
    let mut after: BTreeMap<Meant, Object> =
        model.iter().map(|(id, object)| (Meant::There(*id), object.clone())).collect();
    for ((meant, _), input) in meant.iter().zip(batch) {
        let object = after.entry(*meant).or_insert_with(|| Object { name: String::new(), external: BTreeMap::new() });
        object.name.clone_from(&input.name);
        if let (Some(source), Some(external_id)) = (source, &input.external_id) {
            object.external.insert(source.to_owned(), external_id.clone());
        }
    }
    let after: Vec<Object> = after.into_values().collect();
    let names: BTreeSet<_> = after.iter().map(|object| &object.name).collect();
    let externals: Vec<_> = after.iter().flat_map(|object| &object.external).collect();
    let unique = names.len() == after.len() && externals.iter().collect::<BTreeSet<_>>().len() == externals.len();
    unique.then_some((meant, after))
}

/// The objects that are there.
fn objects(inside: &Inside) -> Model {
    let snapshot = inside.current.get();
    let kind = snapshot.registry().named("region").expect("a kind").id;
    let rows = snapshot.table(kind).rows(0).map(|(_, row)| row.common());
    let object = |common: underlay_entity::row::Common<'_>| {
        let external = common.external_refs.0.iter().map(|it| (it.source.clone(), it.external_id.clone()));
        (common.id, Object { name: common.name.to_owned(), external: external.collect() })
    };
    rows.map(object).collect()
}

fn sorted(objects: impl IntoIterator<Item = Object>) -> Vec<Object> {
    let mut objects: Vec<_> = objects.into_iter().collect();
    objects.sort_by(|left, right| left.name.cmp(&right.name));
    objects
}

/// The next batch: mostly items that come near each other.
fn next(random: &mut StdRng, model: &Model, source: Option<&str>) -> Vec<WrittenItem> {
    let ids: Vec<Uuid> = model.keys().copied().collect();
    let one = |random: &mut StdRng| WrittenItem {
        id: ids.get(random.random_range(0..ids.len().max(1) * 5)).copied(),
        external_id: source.filter(|_| random.random_bool(0.8)).map(|_| format!("x{}", random.random_range(0..6))),
        name: format!("n{}", random.random_range(0..6)),
    };
    (0..random.random_range(1..5)).map(|_| one(random)).collect()
}

fn item(input: &WrittenItem) -> Value {
    let mut fields = json!({ "name": input.name });
    if let Some(id) = input.id {
        fields["id"] = json!(id);
    }
    if let Some(external_id) = &input.external_id {
        fields["externalId"] = json!(external_id);
    }
    json!({ "region": fields })
}

/// Returns true if the items of an atomic batch can also be written one by one: no item changes an external id, and
/// none builds on the change of another item to the same object.
fn is_plain(batch: &[WrittenItem]) -> bool {
    let ids: Vec<_> = batch.iter().filter_map(|input| input.id).collect();
    ids.iter().collect::<BTreeSet<_>>().len() == ids.len()
        && batch.iter().all(|input| input.id.is_none() || input.external_id.is_none())
}

async fn law(url: &str) {
    let (inside, seed) = (Inside::open(url).await, seed());
    let mut random = StdRng::seed_from_u64(seed);
    let mut tally: BTreeMap<String, usize> = BTreeMap::new();
    for _ in 0..BATCHES {
        let before = objects(&inside);
        let source = [None, Some("nb"), Some("bcm")][random.random_range(0..3)];
        let input = next(&mut random, &before, source);
        let mode = if random.random_bool(0.3) { Mode::PerItem } else { Mode::Atomic };
        let written = Batch {
            mode,
            conflicts: Conflicts::Force,
            author: Author::user("test").on_behalf_of(source),
            ..batch(items(input.iter().map(item)))
        };
        let answer = inside.writer.write(written).await.expect("a batch within bounds");
        let after = objects(&inside);
        let context = || format!("seed {seed}, {source:?} {mode:?} {input:#?}\non {before:#?}\n{:#?}", answer.outcomes);
        let refused = answer.outcomes.iter().any(|outcome| outcome.status == Status::Failed);
        let expected = expected(&before, source, &input);
        *tally.entry(format!("{mode:?} refused: {refused}")).or_default() += 1;
        for (outcome, input) in answer.outcomes.iter().zip(&input) {
            assert_eq!(outcome.external_id, input.external_id, "{}", context());
            *tally.entry(format!("{:?}", outcome.by)).or_default() += 1;
        }
        match (mode, expected) {
            (Mode::Atomic, None) => {
                assert!(refused && after == before, "it has to be refused: {}", context());
            }
            (_, Some((meant, objects))) if mode == Mode::Atomic || is_plain(&input) => {
                assert!(!refused, "it has to be written: {}", context());
                assert_eq!(sorted(after.into_values()), sorted(objects), "{}", context());
                for (outcome, (meant, by)) in answer.outcomes.iter().zip(meant) {
                    assert_eq!(outcome.by, Some(by), "{}", context());
                    if let Meant::There(id) = meant {
                        assert_eq!(outcome.id, Some(id), "{}", context());
                    }
                }
            }
            // One by one, something of it may be written: what was written must be as it was asked.
            _ => {
                for (outcome, input) in answer.outcomes.iter().zip(&input) {
                    let Some(object) = outcome.id.filter(|_| outcome.status != Status::Failed).map(|id| &after[&id])
                    else {
                        continue;
                    };
                    let by_id_twice = outcome.by == Some(Recognised::Id);
                    assert!(by_id_twice || object.name == input.name, "{}", context());
                    let external = source.and_then(|source| object.external.get(source));
                    assert!(
                        by_id_twice || input.external_id.is_none() || external == input.external_id.as_ref(),
                        "{}",
                        context()
                    );
                }
            }
        }
    }
    eprintln!("{tally:#?}");
    for way in ["Some(Id)", "Some(ExternalId)", "Some(Key)", "Some(Created)"] {
        assert!(tally.get(way).is_some_and(|times| *times > 20), "{way} was seldom: {tally:#?}");
    }
    assert!(tally.values().all(|times| *times > 5), "{tally:#?}");
    assert_same(&inside.current.get(), &inside.loaded().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_item_identifies_the_object_of_the_model_on_sqlite() {
    let (url, _folder) = sqlite();
    law(&url).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL"]
async fn an_item_identifies_the_object_of_the_model_on_postgres() {
    law(&postgres::create_database().await).await;
}
