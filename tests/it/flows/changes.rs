//! The list of changes: filters on what objects were in and had, and pages from both ends, compared with a plain list.

use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use serde_json::{Value, json};

use crate::harness::{Client, Server, on_both_databases};

const RACKS: usize = 4;
const WRITES: usize = 60;
const QUERY: &str =
    "query($filter: ChangeFilter, $order: ChangeOrder, $first: Int, $after: String, $last: Int, $before: String) {
    changes(filter: $filter, orderBy: $order, first: $first, after: $after, last: $last, before: $before) {
        totalCount pageInfo { hasNextPage hasPreviousPage startCursor endCursor } nodes { revision name } } }";

/// What filters see of a rack.
#[derive(Clone, Debug, PartialEq)]
struct Scope {
    env: Option<&'static str>,
    tenant: Option<&'static str>,
    location: Option<&'static str>,
}

/// A change of a rack, with its scope before and after.
#[derive(Clone, Debug)]
struct Written {
    revision: i64,
    name: String,
    scopes: [Option<Scope>; 2],
}

fn one(rng: &mut SmallRng, of: [&'static str; 2]) -> Option<&'static str> {
    [None, Some(of[0]), Some(of[1])][rng.random_range(0..3)]
}

fn item(name: &str, scope: &Scope) -> Value {
    let location = scope.location.map(|location| json!({"site": "s", "location": location}));
    json!({"rack": {"site": {"site": "s"}, "name": name, "heightU": 42, "labels": {"env": scope.env, "a/b.c": "x"},
                    "tenant": scope.tenant, "location": location}})
}

/// Writes racks at random, one at a time, and returns every change.
async fn write(client: &Client, rng: &mut SmallRng) -> Vec<Written> {
    let mut racks: [Option<Scope>; RACKS] = Default::default();
    let mut written = Vec::new();
    for _ in 0..WRITES {
        let at = rng.random_range(0..RACKS);
        let name = format!("r{at}");
        let after = rng.random_bool(0.85).then(|| Scope {
            env: one(rng, ["prod", "test"]),
            tenant: one(rng, ["red", "blue"]),
            location: one(rng, ["l1", "l2"]),
        });
        let item = match &after {
            Some(scope) => item(&name, scope),
            None if racks[at].is_some() => json!({"delete": {"ref": {"rack": {"rack": name}}}}),
            None => continue,
        };
        if after == racks[at] {
            continue;
        }
        let made = client.apply_all(vec![item]).await;
        let revision = made["revision"].as_i64().expect("a revision");
        written.push(Written { revision, name, scopes: [racks[at].clone(), after.clone()] });
        racks[at] = after;
    }
    written
}

/// The changes of a page, or of all.
fn pairs(changes: &Value) -> Vec<(i64, String)> {
    let nodes = changes["nodes"].as_array().expect("nodes").iter();
    nodes
        .map(|it| (it["revision"].as_i64().expect("a number"), it["name"].as_str().expect("a name").to_owned()))
        .collect()
}

on_both_databases! {
    async fn changes_are_filtered_by_what_their_objects_were_in_and_had(server: Server) {
        let client = server.client();
        client.apply_all(vec![
            json!({"site": {"name": "s", "type": "EDGE"}}),
            json!({"location": {"site": {"site": "s"}, "name": "l1", "type": "ROOM"}}),
            json!({"location": {"site": {"site": "s"}, "name": "l2", "type": "ROOM"}}),
        ]).await;
        let written = write(&client, &mut SmallRng::seed_from_u64(7)).await;
        assert!(written.len() > WRITES / 2);
        let places = client.ok("{ sites { nodes { name id } } locations { nodes { name id } } }", json!({})).await;
        let place = |list: &str, name: &str| {
            let nodes = places[list]["nodes"].as_array().expect("nodes").iter();
            nodes.clone().find(|node| node["name"] == name).expect("the place")["id"].clone()
        };
        type Fits = fn(&Scope) -> bool;
        let table: Vec<(Value, Fits)> = vec![
            (json!({"within": place("sites", "s")}), |_| true),
            (json!({"within": place("locations", "l1")}), |it| it.location == Some("l1")),
            (json!({"within": "s/l1"}), |it| it.location == Some("l1")),
            (json!({"within": "00000000-0000-4000-8000-000000000000"}), |_| false),
            (json!({"tenant": "red"}), |it| it.tenant == Some("red")),
            (json!({"tenant": "re"}), |_| false),
            (json!({"labels": "env=prod"}), |it| it.env == Some("prod")),
            (json!({"labels": "env!=prod"}), |it| it.env != Some("prod")),
            (json!({"labels": "env in (prod,test)"}), |it| it.env.is_some()),
            (json!({"labels": "env notin (prod,test)"}), |it| it.env.is_none()),
            (json!({"labels": "env,a/b.c=x"}), |it| it.env.is_some()),
            (json!({"labels": "!env"}), |it| it.env.is_none()),
            (json!({"labels": "a/b.c!=x"}), |_| false),
            (json!({"labels": "env=test", "tenant": "blue", "within": place("locations", "l2")}), |it| {
                it.env == Some("test") && it.tenant == Some("blue") && it.location == Some("l2")
            }),
        ];
        for (filter, fits) in table {
            let mut asked = filter.clone();
            asked["kinds"] = json!(["Rack"]);
            let found = client.ok(QUERY, json!({"filter": asked, "order": "OLDEST_FIRST", "first": 1000})).await;
            let wanted = written.iter().filter(|it| it.scopes.iter().flatten().any(fits));
            let wanted: Vec<(i64, String)> = wanted.map(|it| (it.revision, it.name.clone())).collect();
            assert_eq!(pairs(&found["changes"]), wanted, "{filter}");
            assert_eq!(found["changes"]["totalCount"], wanted.len(), "{filter}");
        }
    }

    async fn pages_of_changes_are_read_from_both_ends(server: Server) {
        let client = server.client();
        client.apply_all(vec![json!({"site": {"name": "s", "type": "EDGE"}})]).await;
        // Several changes in a revision, too.
        for revision in 0..5 {
            let items = (0..=revision % 3).map(|at| json!({"region": {"name": format!("r{revision}-{at}")}}));
            client.apply_all(items.collect()).await;
        }
        for order in ["NEWEST_FIRST", "OLDEST_FIRST"] {
            let all = client.ok(QUERY, json!({"order": order, "first": 1000})).await;
            let all = pairs(&all["changes"]);
            for size in [1, 2, 3, 100] {
                let (mut forward, mut after) = (Vec::new(), Value::Null);
                loop {
                    let page = client.ok(QUERY, json!({"order": order, "first": size, "after": after})).await;
                    let (page, info) = (pairs(&page["changes"]), page["changes"]["pageInfo"].clone());
                    assert_eq!(info["hasPreviousPage"], !after.is_null());
                    forward.extend(page);
                    after = info["endCursor"].clone();
                    if info["hasNextPage"] == false {
                        break;
                    }
                }
                assert_eq!(forward, all, "{order} {size}");
                let (mut backward, mut before) = (Vec::new(), Value::Null);
                loop {
                    let page = client.ok(QUERY, json!({"order": order, "last": size, "before": before})).await;
                    let (page, info) = (pairs(&page["changes"]), page["changes"]["pageInfo"].clone());
                    assert_eq!(info["hasNextPage"], !before.is_null());
                    backward.splice(0..0, page);
                    before = info["startCursor"].clone();
                    if info["hasPreviousPage"] == false {
                        break;
                    }
                }
                assert_eq!(backward, all, "{order} {size}");
            }
            let ends = client.ok(QUERY, json!({"order": order, "first": 1})).await["changes"]["pageInfo"]["endCursor"].take();
            let other = client.ok(QUERY, json!({"order": order, "last": 1})).await["changes"]["pageInfo"]["startCursor"].take();
            let between = client.ok(QUERY, json!({"order": order, "after": ends, "before": other})).await;
            assert_eq!(pairs(&between["changes"]), all[1..all.len() - 1], "{order}");
        }
        for (variables, field) in [
            (json!({"first": 1, "last": 1}), "last"),
            (json!({"last": 1001}), "last"),
            (json!({"before": "nonsense"}), "before"),
            (json!({"filter": {"within": "nonsense"}}), "within"),
            (json!({"filter": {"within": "site/s", "kinds": ["Site", "VirtualMachine"]}}), "within"),
            (json!({"filter": {"tenant": "a\0"}}), "tenant"),
        ] {
            let errors = client.refused(QUERY, variables.clone()).await;
            assert_eq!((errors[0].code.as_str(), errors[0].field.as_deref()), ("INVALID", Some(field)), "{variables}");
        }
    }
}
