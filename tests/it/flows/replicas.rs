//! Several processes on one PostgreSQL database, with many clients that write at once.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures_util::future::join_all;
use serde_json::{Value, json};
use tokio::sync::Notify;

use crate::harness::{APPLY, Client, Database, HANG, Server, Sql, postgres, until};

/// Starts servers on a new database, all at once: one of them migrates.
pub async fn servers(count: usize) -> (String, Vec<Server>) {
    let url = postgres::create_database().await;
    let started = join_all((0..count).map(|_| Server::start(Database::Postgres(url.clone())).into_future())).await;
    (url, started)
}

pub fn site(name: &str) -> Value {
    json!({ "site": { "name": name, "type": "DATACENTER" } })
}

/// The outcome of a write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Written {
    /// At this revision.
    Yes(i64),
    /// The server answered that it was not written.
    No(String),
    /// Nobody knows: the connection was lost, or the server does not know either.
    Unknown,
}

/// Applies items.
pub async fn write(client: &Client, items: Vec<Value>, request_id: Option<String>) -> Written {
    let input = json!({ "input": { "items": items, "requestId": request_id } });
    let Ok(answer) = client.try_execute(APPLY, input).await else { return Written::Unknown };
    if let Some(error) = answer.errors.first() {
        return match error.message.contains("not known") {
            true => Written::Unknown,
            false => Written::No(format!("{}: {}", error.code, error.message)),
        };
    }
    match answer.data["apply"]["revision"].as_i64().or_else(|| answer.data["apply"]["revision"].as_str()?.parse().ok())
    {
        Some(revision) => Written::Yes(revision),
        None => Written::No(answer.data.to_string()),
    }
}

/// Every site that a server knows, with its version, and the revision that it answers from.
pub async fn sites(client: &Client) -> (i64, BTreeMap<String, String>) {
    let query = "query($after: String) {
        sites(first: 200, after: $after) { nodes { id name version } pageInfo { hasNextPage endCursor } } }";
    let (mut found, mut after, mut of) = (BTreeMap::new(), Value::Null, None);
    loop {
        let answer = client.execute(query, json!({ "after": after })).await;
        assert!(answer.errors.is_empty(), "{:?}", answer.errors);
        let revision = answer.extensions["revision"].as_i64().expect("a revision");
        if *of.get_or_insert(revision) != revision {
            // Somebody wrote between two pages: once more.
            (found, after, of) = (BTreeMap::new(), Value::Null, None);
            continue;
        }
        for node in answer.data["sites"]["nodes"].as_array().expect("nodes") {
            let name = node["name"].as_str().expect("a name").to_owned();
            found.insert(name, format!("{} {}", node["id"], node["version"]));
        }
        let page = &answer.data["sites"]["pageInfo"];
        if page["hasNextPage"] != true {
            return (revision, found);
        }
        after = page["endCursor"].clone();
    }
}

/// Checks that the log is complete, and that all servers have reached its end with the same inventory, which is
/// returned.
pub async fn agree(url: &str, servers: &[Server]) -> BTreeMap<String, String> {
    let sql = Sql::connect(url).await;
    let last = sql.number("SELECT number FROM revision").await;
    assert_eq!(sql.number("SELECT count(*) FROM batch").await, last, "no revision is missing, none is twice");
    assert_eq!(sql.number("SELECT coalesce(max(revision), 0) FROM batch").await, last);
    assert_eq!(
        sql.number("SELECT count(DISTINCT revision) FROM change").await,
        last,
        "every revision changed something"
    );
    let rows = sql.number("SELECT count(*) FROM site").await;
    sql.close().await;
    let mut seen = Vec::new();
    for server in servers {
        let reached = until(format!("a server serves revision {last}"), async || {
            let (revision, sites) = sites(&server.client()).await;
            assert!(revision <= last, "a server serves a later revision than its database has");
            if revision == last { Ok(sites) } else { Err(revision) }
        });
        let sites = reached.await;
        assert_eq!(sites.len() as i64, rows, "what is served is what is stored");
        seen.push(sites);
    }
    assert!(seen.windows(2).all(|pair| pair[0] == pair[1]), "all servers have the same");
    seen.pop().expect("a server")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL"]
async fn many_clients_write_through_three_servers() {
    const CLIENTS: usize = 12;
    const WRITES: usize = 20;
    let (url, servers) = servers(3).await;
    let clients = (0..CLIENTS).map(|number| {
        let own = servers[number % 3].client();
        let other = servers[(number + 1) % 3].client();
        async move {
            let mut accepted = Vec::new();
            for count in 0..WRITES {
                // Everybody also fights for the description of one site.
                let shared = json!({ "site": { "name": "all", "type": "DATACENTER", "description": format!("{number} {count}") } });
                let items = vec![site(&format!("s-{number}-{count}")), shared];
                let written = match count % 4 {
                    // The same request at two servers at the same moment: a client that was too impatient.
                    0 => {
                        let id = Some(format!("{number}-{count}"));
                        let (one, two) = tokio::join!(write(&own, items.clone(), id.clone()), write(&other, items, id));
                        assert_eq!(one, two, "a repeated request gets the answer of the first");
                        one
                    }
                    _ => write(&own, items, None).await,
                };
                let Written::Yes(revision) = written else { panic!("not written: {written:?}") };
                // A client reads its own writes.
                let query = "query($site: String!) { site(name: $site) { name } }";
                let read = own.execute(query, json!({ "site": format!("s-{number}-{count}") })).await;
                assert!(read.extensions["revision"].as_i64() >= Some(revision), "{:?}", read.extensions);
                assert!(read.data["site"].is_object(), "{read:?}");
                accepted.push(revision);
            }
            accepted
        }
    });
    let revisions: Vec<i64> = join_all(clients).await.concat();
    let distinct: BTreeSet<i64> = revisions.iter().copied().collect();
    assert_eq!(distinct.len(), CLIENTS * WRITES, "every write has a revision of its own");
    assert_eq!(distinct.last(), Some(&((CLIENTS * WRITES) as i64)), "there are no gaps, and nothing was written twice");
    let sites = agree(&url, &servers).await;
    assert_eq!(sites.len(), CLIENTS * WRITES + 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL"]
async fn servers_are_killed_under_load() {
    let (url, mut servers) = servers(3).await;
    let stop = Arc::new(AtomicBool::new(false));
    let survivors: Vec<Client> = servers[..2].iter().map(Server::client).collect();
    let steady = survivors.into_iter().enumerate().map(|(number, client)| {
        let stop = Arc::clone(&stop);
        tokio::spawn(async move {
            let mut accepted = BTreeSet::new();
            for count in 0.. {
                if stop.load(Ordering::Relaxed) {
                    break;
                }
                let name = format!("steady-{number}-{count}");
                let written = write(&client, vec![site(&name)], None).await;
                assert!(matches!(written, Written::Yes(_)), "another's death is no reason to refuse: {written:?}");
                accepted.insert(name);
            }
            accepted
        })
    });
    let steady: Vec<_> = steady.collect();

    let (mut accepted, mut refused) = (BTreeSet::new(), BTreeSet::new());
    for round in 0..8 {
        let client = servers[2].client();
        let first_answer = Arc::new(Notify::new());
        let writers = (0..6).map(|number| {
            let (client, first_answer) = (client.clone(), Arc::clone(&first_answer));
            tokio::spawn(async move {
                let mut known = Vec::new();
                for count in 0..1000 {
                    let name = format!("mortal-{round}-{number}-{count}");
                    let items = (0..1 + number * 5).map(|item| site(&format!("{name}-{item}"))).collect();
                    let written = write(&client, items, None).await;
                    let lost = written == Written::Unknown;
                    known.push((name, written));
                    first_answer.notify_one();
                    if lost {
                        break;
                    }
                }
                known
            })
        });
        let writers: Vec<_> = writers.collect();
        // On a busy machine the first answer takes longer than any fixed pause.
        tokio::time::timeout(HANG, first_answer.notified()).await.expect("an answer");
        // The moment of the kill is the test: whatever it hits, nothing acknowledged is lost.
        tokio::time::sleep(Duration::from_millis(rand::random_range(0..250))).await;
        servers[2].kill();
        for writer in writers {
            for (name, written) in writer.await.expect("a writer") {
                match written {
                    Written::Yes(_) => drop(accepted.insert(name)),
                    Written::No(_) => drop(refused.insert(name)),
                    Written::Unknown => {}
                }
            }
        }
        servers[2].restart().await;
    }
    stop.store(true, Ordering::Relaxed);
    let kept: Vec<BTreeSet<String>> = join_all(steady).await.into_iter().map(|it| it.expect("a writer")).collect();
    let sites = agree(&url, &servers).await;
    for name in kept.iter().flatten() {
        assert!(sites.contains_key(name), "{name} was accepted and is not there");
    }
    assert!(!accepted.is_empty());
    for name in &accepted {
        assert!(sites.contains_key(&format!("{name}-0")), "{name} was accepted and is not there");
    }
    for name in &refused {
        assert!(!sites.contains_key(&format!("{name}-0")), "{name} was refused and is there");
    }
    // Batches are whole: those of writer n have 1 + 5n items.
    let mut sizes: BTreeMap<&str, usize> = BTreeMap::new();
    for name in sites.keys().filter(|name| name.starts_with("mortal")) {
        *sizes.entry(name.rsplit_once('-').expect("an item").0).or_default() += 1;
    }
    for (name, size) in sizes {
        let number: usize = name.split('-').nth(2).and_then(|it| it.parse().ok()).expect("a number");
        assert_eq!(size, 1 + number * 5, "{name} is whole");
    }
}
