//! Leases: one holder among many that ask, their epochs, and writes that depend on them.

use std::collections::BTreeMap;

use chrono::{DateTime, TimeDelta, Utc};
use futures_util::future::join_all;
use serde_json::{Value, json};
use underlay_engine::store::{Fence, MAX_LEASES};
use underlay_engine::write::{Batch, Origin};

use crate::harness::inside::{Inside, batch, items, sqlite};
use crate::harness::{Client, Database, Server, on_both_databases, postgres, until};

const LEASES: &str = "leases { name holder epoch until } now";

fn mutation(name: &str) -> String {
    let ty = format!("{}{}Input", name[..1].to_uppercase(), &name[1..]);
    format!("mutation($input: {ty}!) {{ {name}(input: $input) {{ {LEASES} }} }}")
}

async fn call(client: &Client, name: &str, input: Value) -> Value {
    client.ok(&mutation(name), json!({ "input": input })).await[name].take()
}

/// Does the same when many ask at once: a slow database may not answer, and then nothing is known.
async fn ask(client: &Client, name: &str, input: Value) -> Value {
    let mut answer = client.execute(&mutation(name), json!({ "input": input })).await;
    let unexpected = answer.errors.iter().find(|error| !["UNAVAILABLE", "TIMEOUT"].contains(&error.code.as_str()));
    assert!(unexpected.is_none(), "{unexpected:?}");
    answer.data[name].take()
}

async fn take(client: &Client, names: &[&str], holder: &str, seconds: i32) -> Vec<(String, i64)> {
    held(&call(client, "takeLeases", json!({"names": names, "holder": holder, "seconds": seconds})).await)
}

/// The names and epochs in an answer.
fn held(answer: &Value) -> Vec<(String, i64)> {
    let leases = answer["leases"].as_array().expect("leases").iter();
    leases.map(|it| (it["name"].as_str().unwrap().to_owned(), it["epoch"].as_i64().unwrap())).collect()
}

fn named(leases: &[(&str, i64)]) -> Vec<(String, i64)> {
    leases.iter().map(|(name, epoch)| ((*name).to_owned(), *epoch)).collect()
}

on_both_databases! {
    async fn a_lease_has_one_holder_and_an_epoch(server: Server) {
        let client = server.client();
        assert_eq!(take(&client, &["b", "a"], "one", 600).await, named(&[("a", 1), ("b", 1)]));
        assert_eq!(take(&client, &["a", "c"], "two", 600).await, named(&[("c", 1)]), "a is taken");
        assert_eq!(take(&client, &["a"], "one", 600).await, named(&[("a", 1)]), "taking it again keeps the epoch");
        let mine = |leases: Value, holder: &str| json!({"leases": leases, "holder": holder, "seconds": 600});
        let a = json!([{"name": "a", "epoch": 1}]);
        assert_eq!(held(&call(&client, "renewLeases", mine(a.clone(), "one")).await), named(&[("a", 1)]));
        for (leases, holder) in [(a.clone(), "two"), (json!([{"name": "a", "epoch": 2}]), "one"), (json!([{"name": "x", "epoch": 1}]), "one")] {
            assert_eq!(held(&call(&client, "renewLeases", mine(leases.clone(), holder)).await), []);
            let release = json!({"leases": leases, "holder": holder});
            assert_eq!(held(&call(&client, "releaseLeases", release).await), []);
        }
        let released = call(&client, "releaseLeases", json!({"leases": a, "holder": "one"})).await;
        assert_eq!(held(&released), named(&[("a", 1)]));
        assert_eq!(held(&call(&client, "renewLeases", mine(a, "one")).await), [], "it has ended");
        assert_eq!(take(&client, &["a"], "one", 600).await, named(&[("a", 2)]), "taken anew by the same holder");
        let all = client.ok(&format!("{{ leases {{ {LEASES} }} }}"), json!({})).await["leases"].take();
        assert_eq!(held(&all), named(&[("a", 2), ("b", 1), ("c", 1)]));
        let some = client.ok(&format!("{{ leases(prefix: \"b\") {{ {LEASES} }} }}"), json!({})).await["leases"].take();
        assert_eq!(held(&some), named(&[("b", 1)]));
        assert_eq!(client.ok("{ revision }", json!({})).await["revision"], 0, "leases make no revision");
    }

    async fn a_lease_ends_by_itself(server: Server) {
        let client = server.client();
        take(&client, &["a"], "one", 1).await;
        let taken = until("the lease ends", async || {
            let taken = take(&client, &["a"], "two", 600).await;
            (!taken.is_empty()).then_some(taken)
        });
        let taken = taken.await;
        assert_eq!(taken, named(&[("a", 2)]));
    }

    async fn a_work_is_divided_as_a_whole_or_by_parts(server: Server) {
        let client = server.client();
        let refused = async |names: &[&str], holder: &str| {
            let input = json!({"names": names, "holder": holder, "seconds": 600});
            let errors = client.refused(&mutation("takeLeases"), json!({ "input": input })).await;
            assert_eq!(errors[0].code, "IN_USE", "{names:?}: {}", errors[0].message);
            errors[0].message.clone()
        };
        assert_eq!(take(&client, &["w/00", "w/by/one"], "one", 600).await, named(&[("w/00", 1), ("w/by/one", 1)]));
        let message = refused(&["x/00", "w/a/07", "w/a/08"], "two").await;
        assert!(message.starts_with("one holds the lease w/00") && message.ends_with("`--within`, or none"), "{message}");
        assert_eq!(take(&client, &["x/00", "w/by/two", "v/a/00"], "two", 600).await.len(), 3, "other work, and presences");
        assert_eq!(take(&client, &["w/a/00"], "one", 600).await, named(&[("w/a/00", 2)]), "the same holder may");
        refused(&["w/01"], "two").await;
        let release = json!({"leases": [{"name": "w/00", "epoch": 1}], "holder": "one"});
        call(&client, "releaseLeases", release).await;
        assert_eq!(take(&client, &["w/a/01", "w/b/00"], "two", 600).await.len(), 2, "parts are beside each other");
        refused(&["w/00"], "one").await;
        let all = client.ok("{ leases(prefix: \"w/\") { leases { name holder epoch } } }", json!({})).await;
        let named: Vec<&str> = all["leases"]["leases"].as_array().unwrap().iter().map(|it| it["name"].as_str().unwrap()).collect();
        assert_eq!(named, ["w/00", "w/a/00", "w/a/01", "w/b/00", "w/by/one", "w/by/two"], "nothing was taken by a refused call");
    }

    async fn wrong_input_is_refused_and_nothing_is_taken(server: Server) {
        let client = server.client();
        let query = "mutation($input: TakeLeasesInput!) { takeLeases(input: $input) { now } }";
        let many: Vec<String> = (0..257).map(|number| number.to_string()).collect();
        for (names, holder, seconds, field) in [
            (json!(["a", ""]), "one", 60, "names[1]"),
            (json!(["a", " b"]), "one", 60, "names[1]"),
            (json!(many), "one", 60, "names"),
            (json!(["a"]), "", 60, "holder"),
            (json!(["a"]), "one", 0, "seconds"),
            (json!(["a"]), "one", 3_601, "seconds"),
        ] {
            let input = json!({"names": names, "holder": holder, "seconds": seconds});
            let errors = client.refused(query, json!({"input": input})).await;
            assert_eq!((errors[0].code.as_str(), errors[0].field.as_deref()), ("INVALID", Some(field)), "{input}");
        }
        let all = client.ok(&format!("{{ leases {{ {LEASES} }} }}"), json!({})).await["leases"].take();
        assert_eq!(held(&all), []);
    }
}

/// A lease that somebody held: from when to when at the latest, by the clock of the database.
struct Stretch {
    holder: String,
    epoch: i64,
    from: DateTime<Utc>,
    to: DateTime<Utc>,
    /// The time at which the holder released it, which ends it before `to`.
    released: Option<DateTime<Utc>>,
}

/// Takes a lease again and again, and gives it back at once or lets it end.
async fn taker(client: Client, holder: String, rounds: usize) -> Vec<Stretch> {
    let time = |value: &Value| value.as_str().unwrap().parse::<DateTime<Utc>>().expect("a time");
    let mut stretches = Vec::new();
    for round in 0..rounds {
        let input = json!({"names": ["hosts/00"], "holder": holder, "seconds": 1});
        let answer = ask(&client, "takeLeases", input).await;
        let Some(lease) = answer["leases"].get(0) else { continue };
        let (epoch, from) = (lease["epoch"].as_i64().unwrap(), time(&answer["now"]));
        let (to, mut released) = (time(&lease["until"]), None);
        if round % 2 == 0 {
            let input = json!({"leases": [{"name": "hosts/00", "epoch": epoch}], "holder": holder});
            let answer = ask(&client, "releaseLeases", input).await;
            released = match answer.is_null() {
                // It may have been released at any time since.
                true => Some(from),
                false => answer["leases"].get(0).map(|_| time(&answer["now"])),
            };
        }
        stretches.push(Stretch { holder: holder.clone(), epoch, from, to, released });
    }
    stretches
}

async fn one_holder_at_a_time(clients: &[Client]) {
    const LEASE_ROUNDS: usize = 6;
    let takers =
        (0..64).map(|number| taker(clients[number % clients.len()].clone(), format!("t{number}"), LEASE_ROUNDS));
    let stretches: Vec<Stretch> = join_all(takers).await.into_iter().flatten().collect();
    let mut by_epoch: BTreeMap<i64, Stretch> = BTreeMap::new();
    for it in stretches {
        let Some(known) = by_epoch.get_mut(&it.epoch) else {
            by_epoch.insert(it.epoch, it);
            continue;
        };
        assert_eq!(known.holder, it.holder, "epoch {} has two holders", it.epoch);
        (known.from, known.to) = (known.from.min(it.from), known.to.max(it.to));
        known.released = known.released.or(it.released);
    }
    assert!(by_epoch.len() > 1, "it changed hands");
    for (before, after) in by_epoch.values().zip(by_epoch.values().skip(1)) {
        let end = before.released.unwrap_or(before.to);
        let holders = (&before.holder, &after.holder);
        assert!(end <= after.from, "{holders:?}: the first had it until {end}, the second from {}", after.from);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_64_takers_one_holds_it_on_sqlite() {
    let server = Server::start(Database::Sqlite).await;
    one_holder_at_a_time(&[server.client()]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL"]
async fn of_64_takers_on_two_replicas_one_holds_it() {
    let (url, servers) = super::replicas::servers(2).await;
    one_holder_at_a_time(&servers.iter().map(Server::client).collect::<Vec<_>>()).await;
    drop(servers);
    postgres::drop_database(&url).await;
}

/// Takes leases of the whole and of its parts again and again, on all of the servers, until somebody has had each.
async fn whole_or_parts(clients: &[Client]) {
    let taker = async |client: Client, number: usize| {
        let (holder, mut had) = (format!("t{number}"), 0);
        let name = if number.is_multiple_of(2) { "w/00".to_owned() } else { format!("w/p{number}/00") };
        for _ in 0..12 {
            let input = json!({"names": [name], "holder": holder, "seconds": 60});
            let answer = client.execute(&mutation("takeLeases"), json!({ "input": input })).await;
            let Some(lease) = answer.data["takeLeases"]["leases"].get(0) else { continue };
            had += 1;
            let all =
                client.ok("{ leases(prefix: \"w/\") { leases { name until } now } }", json!({})).await["leases"].take();
            let live = all["leases"].as_array().unwrap().iter().filter(|it| it["until"].as_str() > all["now"].as_str());
            let is_whole = |it: &Value| it["name"] == "w/00";
            let wrong = live.filter(|it| is_whole(it) != number.is_multiple_of(2)).count();
            assert_eq!(wrong, 0, "{name} beside {all}");
            let release = json!({"leases": [{"name": name, "epoch": lease["epoch"]}], "holder": holder});
            ask(&client, "releaseLeases", release).await;
        }
        had
    };
    let takers = (0..16).map(|number| taker(clients[number % clients.len()].clone(), number));
    let had: Vec<usize> = join_all(takers).await;
    assert!(had.iter().sum::<usize>() > 1, "{had:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_whole_and_its_parts_are_never_held_by_two_on_sqlite() {
    let server = Server::start(Database::Sqlite).await;
    whole_or_parts(&[server.client()]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL"]
async fn a_whole_and_its_parts_are_never_held_by_two_on_two_replicas() {
    let (url, servers) = super::replicas::servers(2).await;
    whole_or_parts(&servers.iter().map(Server::client).collect::<Vec<_>>()).await;
    drop(servers);
    postgres::drop_database(&url).await;
}

fn region(name: &str, epoch: i64) -> Batch {
    let fence = Fence { lease: "a".to_owned(), holder: "one".to_owned(), epoch };
    Batch { origin: Origin::Holder([fence].into()), ..batch(items([json!({"region": {"name": name}})])) }
}

async fn a_write_needs_its_lease(inside: Inside) {
    let refused = async |write: Batch, what: &str| {
        let before = inside.current.get().revision();
        let refusal = inside.writer.write(write).await.expect_err(what);
        assert_eq!(refusal.code().as_str(), "LEASE_LOST", "{what}");
        assert_eq!(inside.current.get().revision(), before, "{what}");
    };
    let names = ["a".to_owned()];
    refused(region("r0", 1), "nobody has it").await;
    let taken = inside.store.take_leases(&names, "one", TimeDelta::seconds(600)).await.expect("taken");
    assert_eq!(taken.leases[0].epoch, 1);
    inside.writer.write(region("r1", 1)).await.expect("it has the lease");
    // Several at once: each is judged alone.
    let (good, old) = tokio::join!(inside.writer.write(region("r2", 1)), inside.writer.write(region("r3", 0)));
    good.expect("it has the lease");
    assert_eq!(old.expect_err("an older epoch").code().as_str(), "LEASE_LOST");
    refused(region("r1", 7), "a write that changes nothing").await;
    let fence = Fence { lease: "a".to_owned(), holder: "one".to_owned(), epoch: 1 };
    inside.store.release_leases(&[fence]).await.expect("released");
    refused(region("r4", 1), "it has ended").await;
    let taken = inside.store.take_leases(&names, "two", TimeDelta::seconds(600)).await.expect("taken");
    assert_eq!((taken.leases[0].epoch, taken.leases[0].holder.as_str()), (2, "two"));
    refused(region("r5", 1), "another one has it").await;
    refused(region("r6", 2), "the epoch of another one").await;
    assert_eq!(inside.loaded().await.len(), 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_write_needs_its_lease_on_sqlite() {
    let (url, _folder) = sqlite();
    a_write_needs_its_lease(Inside::open(&url).await).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL"]
async fn a_write_needs_its_lease_on_postgres() {
    let url = postgres::create_database().await;
    a_write_needs_its_lease(Inside::open(&url).await).await;
    postgres::drop_database(&url).await;
}

/// Leases that ended long ago make room for new ones, and nothing else is forgotten.
async fn old_leases_make_room(url: &str) {
    let store = Inside::open(url).await.store;
    let (day, minute) = (TimeDelta::days(1), TimeDelta::minutes(1));
    let names = |stem: &str, count: usize| -> Vec<String> { (0..count).map(|at| format!("{stem}/{at:05}")).collect() };
    let count = async || store.leases("", MAX_LEASES).await.expect("leases").leases.len();
    store.take_leases(&names("live", 100), "one", minute).await.expect("live ones");
    store.take_leases(&names("ended", 100), "one", -minute).await.expect("ones that ended");
    for names in names("old", MAX_LEASES as usize - 200).chunks(256) {
        store.take_leases(names, "one", -day * 2).await.expect("old ones");
    }
    assert_eq!(count().await, MAX_LEASES as usize);
    let new = store.take_leases(&names("new", 10), "two", minute).await.expect("there is room");
    assert_eq!(new.leases.len(), 10);
    assert_eq!(count().await, MAX_LEASES as usize - 1_000 + 10);
    for (stem, there) in [("live", 100), ("ended", 100)] {
        assert_eq!(store.leases(stem, 1_000).await.expect("leases").leases.len(), there, "{stem}");
    }
    let live: Vec<Fence> =
        names("live", 100).into_iter().map(|lease| Fence { lease, holder: "one".to_owned(), epoch: 1 }).collect();
    assert_eq!(store.renew_leases(&live, minute).await.expect("leases").leases.len(), 100, "they are still held");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn old_leases_make_room_on_sqlite() {
    let (url, _folder) = sqlite();
    old_leases_make_room(&url).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL"]
async fn old_leases_make_room_on_postgres() {
    let url = postgres::create_database().await;
    old_leases_make_room(&url).await;
    postgres::drop_database(&url).await;
}
