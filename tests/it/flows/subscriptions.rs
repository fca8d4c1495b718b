//! Subscriptions to changes: events, starting positions, and rejected subscriptions.

use serde_json::{Value, json};

use super::replicas::servers;
use crate::harness::{Client, Received, Server, Socket, Sql, on_both_databases};

pub const CHANGES: &str = "subscription($filter: ChangeEventFilter, $after: ChangeCursor) {
    changes(filter: $filter, after: $after) {
        type cursor revision kind objectId name objectRevision
        change { position before after actor source } object { __typename id } } }";

fn region(name: &str) -> Value {
    json!({"region": {"name": name}})
}

fn delete(name: &str) -> Value {
    json!({"delete": {"ref": {"region": {"region": name}}}})
}

/// Formats an event for a comparison: `2 r UPDATED`.
pub fn summary(event: &Value) -> String {
    let text = |name: &str| event[name].as_str().unwrap_or_default();
    format!("{} {} {}", event["revision"], text("name"), text("type"))
}

pub fn summaries(events: &[Value]) -> Vec<String> {
    events.iter().map(summary).collect()
}

/// Waits until the subscriptions of a connection have begun: operations begin in the order in which they were sent.
/// Events that come meanwhile are lost.
pub async fn begun(socket: &mut Socket) {
    socket.subscribe("begun", "{ revision }", json!({})).await;
    loop {
        let Received::Message(message) = socket.receive().await else { panic!("the connection ended") };
        match (message["id"] == "begun", message["type"].as_str()) {
            (true, Some("complete")) => return,
            (_, Some("next")) => {}
            _ => panic!("an operation was refused, or ended: {message}"),
        }
    }
}

/// Checks that nothing comes before the events of a revision that was written for this.
pub async fn nothing_before(socket: &mut Socket, revision: i64) {
    let event = socket.event().await;
    assert!(event["revision"].as_i64() >= Some(revision), "nothing was to come before revision {revision}: {event}");
}

/// Makes a region, changes it, makes another, and deletes the first: four revisions.
async fn history(client: &Client) {
    client.apply_all(vec![region("r"), region("s")]).await;
    client.apply_input(json!({"source": "bcm", "items": [{"region": {"name": "r", "description": "t"}}]})).await;
    client.apply_all(vec![region("u")]).await;
    client.apply_all(vec![delete("r")]).await;
}

on_both_databases! {
    async fn changes_are_delivered_live(server: Server) {
        let client = server.client();
        client.apply_all(vec![region("before")]).await;
        let mut socket = Socket::connect(server.url()).await;
        socket.subscribe("1", CHANGES, json!({})).await;
        // Once another operation is answered, the subscription has begun.
        socket.subscribe("2", "{ revision }", json!({})).await;
        assert_eq!(socket.answer().await["data"], json!({"revision": 1}));
        assert_eq!(socket.receive().await, Received::Message(json!({"id": "2", "type": "complete"})));
        history(&client).await;
        let events = socket.events(5).await;
        assert_eq!(summaries(&events), ["2 r CREATED", "2 s CREATED", "3 r UPDATED", "4 u CREATED", "5 r DELETED"]);
        let update = &events[2];
        assert_eq!((&update["change"]["after"]["description"], &update["change"]["source"]), (&json!("t"), &json!("bcm")));
        assert_eq!((&update["object"]["id"], &update["objectRevision"]), (&update["objectId"], &json!(3)), "as it was then");
        assert_eq!((&update["object"]["__typename"], &update["kind"]), (&json!("Region"), &json!("Region")));
        assert_eq!((&events[4]["object"], &events[4]["change"]["after"]), (&Value::Null, &Value::Null));
        client.apply_all(vec![region("last")]).await;
        nothing_before(&mut socket, 6).await;
    }

    async fn missed_changes_are_delivered_first(server: Server) {
        let client = server.client();
        history(&client).await;
        let mut socket = Socket::connect(server.url()).await;
        let all = ["1 r CREATED", "1 s CREATED", "2 r UPDATED", "3 u CREATED", "4 r DELETED"];
        let mut cursors = Vec::new();
        for (id, after) in [("number", json!(0)), ("text", json!("0"))] {
            socket.subscribe(id, CHANGES, json!({"after": after})).await;
            let events = socket.events(5).await;
            assert_eq!(summaries(&events), all, "{after}");
            cursors = events.iter().map(|event| event["cursor"].clone()).collect();
            socket.send(json!({"id": id, "type": "complete"})).await;
        }
        // From every event on, also in the middle of a revision.
        for (count, cursor) in cursors.iter().enumerate() {
            let id = format!("after {count}");
            socket.subscribe(&id, CHANGES, json!({"after": cursor})).await;
            assert_eq!(summaries(&socket.events(4 - count).await), all[count + 1..]);
            socket.send(json!({"id": id, "type": "complete"})).await;
        }
        socket.subscribe("live", CHANGES, json!({"after": cursors[2]})).await;
        assert_eq!(summaries(&socket.events(2).await), all[3..]);
        client.apply_all(vec![region("w")]).await;
        assert_eq!(summary(&socket.event().await), "5 w CREATED", "and then live");
        client.apply_all(vec![region("last")]).await;
        nothing_before(&mut socket, 6).await;
    }

    async fn a_filter_selects_events(server: Server) {
        let client = server.client();
        history(&client).await;
        client.apply_all(vec![
            json!({"site": {"name": "a", "type": "EDGE"}}),
            json!({"site": {"name": "b", "type": "EDGE"}}),
            json!({"rack": {"site": {"site": "a"}, "name": "r1", "heightU": 42, "labels": {"env": "prod"}}}),
            json!({"rack": {"site": {"site": "b"}, "name": "r2", "heightU": 42}}),
        ]).await;
        client.apply_all(vec![json!({"rack": {"site": {"site": "a"}, "name": "r1", "labels": {"env": "lab"}}})]).await;
        let found = client.ok("{ a: site(name: \"a\") { id } s: region(name: \"s\") { id } }", json!({})).await;
        let (a, s) = (&found["a"]["id"], &found["s"]["id"]);
        let mut sockets = Vec::new();
        for (filter, expected) in [
            (json!({"kinds": ["Rack"]}), vec!["5 r1 CREATED", "5 r2 CREATED", "6 r1 UPDATED"]),
            (json!({"ids": [s]}), vec!["1 s CREATED"]),
            (json!({"sources": ["bcm"]}), vec!["2 r UPDATED"]),
            (json!({"operations": ["DELETED"]}), vec!["4 r DELETED"]),
            (json!({"within": a}), vec!["5 r1 CREATED", "6 r1 UPDATED"]),
            (json!({"within": "site/a", "kinds": ["Rack"]}), vec!["5 r1 CREATED", "6 r1 UPDATED"]),
            (json!({"labels": "env=prod"}), vec!["5 r1 CREATED", "6 r1 UPDATED"]),
            (json!({"labels": "env=lab"}), vec!["6 r1 UPDATED"]),
            (json!({"kinds": ["Site", "Region"], "operations": ["CREATED"]}), vec![
                "1 r CREATED", "1 s CREATED", "3 u CREATED", "5 a CREATED", "5 b CREATED"]),
        ] {
            let mut socket = Socket::connect(server.url()).await;
            socket.subscribe("1", CHANGES, json!({"after": 0, "filter": filter})).await;
            assert_eq!(summaries(&socket.events(expected.len()).await), expected, "{filter}");
            sockets.push(socket);
        }
        // Each filter selects a part of this; nothing else was to come before.
        let rack = |name: &str, env: &str| json!({"rack": {"site": {"site": "a"}, "name": name, "heightU": 42, "labels": {"env": env}}});
        client.apply_input(json!({"source": "bcm", "items": [region("m")]})).await;
        client.apply_all(vec![json!({"region": {"name": "s", "description": "8"}}), rack("r3", "prod"), rack("r4", "lab")]).await;
        client.apply_all(vec![delete("m")]).await;
        for socket in &mut sockets {
            nothing_before(socket, 7).await;
        }
    }

    async fn a_position_that_cannot_be_resumed_is_rejected(server: Server) {
        let client = server.client();
        history(&client).await;
        let mut socket = Socket::connect(server.url()).await;
        let refusal = async |socket: &mut Socket, after: Value| {
            socket.subscribe("1", CHANGES, json!({"after": after})).await;
            let errors = socket.refusal().await;
            let extensions = &errors[0]["extensions"];
            (extensions["code"].clone(), extensions["oldestRevision"].clone(), extensions["field"].clone())
        };
        let compacted = |oldest: i64| (json!("REVISION_COMPACTED"), json!(oldest), json!("after"));
        assert_eq!(refusal(&mut socket, json!(99)).await, compacted(1), "from the future");
        // Of another history with the same numbers.
        let other = Server::start(crate::harness::Database::Sqlite).await;
        history(&other.client()).await;
        let mut foreign = Socket::connect(other.url()).await;
        foreign.subscribe("1", CHANGES, json!({"after": 0})).await;
        for event in foreign.events(5).await {
            assert_eq!(refusal(&mut socket, event["cursor"].clone()).await, compacted(1), "{event}");
        }
        // Dropped.
        let sql = Sql::connect(&server.database_url()).await;
        sql.run("DELETE FROM batch WHERE revision < 3").await;
        socket.subscribe("1", CHANGES, json!({"after": 2})).await;
        assert_eq!(summaries(&socket.events(2).await), ["3 u CREATED", "4 r DELETED"], "all that is after it is held");
        socket.send(json!({"id": "1", "type": "complete"})).await;
        sql.close().await;
        for bad in [json!("x"), json!(-1), json!(1.5), json!(""), json!(true)] {
            assert_eq!(refusal(&mut socket, bad.clone()).await.0, "INVALID", "{bad}");
        }
    }

    async fn deleted_positions_are_refused_after_a_restart(mut server: Server) {
        history(&server.client()).await;
        server.stop().await;
        let sql = Sql::connect(&server.database_url()).await;
        sql.run("DELETE FROM batch WHERE revision < 3").await;
        sql.close().await;
        server.restart().await;
        let mut socket = Socket::connect(server.url()).await;
        for (after, oldest) in [(0, 3), (1, 3)] {
            socket.subscribe("1", CHANGES, json!({"after": after})).await;
            let errors = socket.refusal().await;
            let extensions = &errors[0]["extensions"];
            assert_eq!((&extensions["code"], &extensions["oldestRevision"]), (&json!("REVISION_COMPACTED"), &json!(oldest)));
        }
        socket.subscribe("1", CHANGES, json!({"after": 2})).await;
        assert_eq!(summaries(&socket.events(2).await), ["3 u CREATED", "4 r DELETED"]);
    }

    async fn an_invalid_filter_is_rejected(server: Server) {
        let mut socket = Socket::connect(server.url()).await;
        for (filter, field) in [
            (json!({"kinds": ["Rak"]}), "kinds"),
            (json!({"ids": ["x"]}), "ids"),
            (json!({"within": "x"}), "within"),
            (json!({"within": "00000000-0000-4000-8000-000000000000", "kinds": ["Circuit"]}), "within"),
            (json!({"ids": vec!["x"; 10_001]}), "ids"),
        ] {
            socket.subscribe("1", CHANGES, json!({"filter": filter})).await;
            let errors = socket.refusal().await;
            let extensions = &errors[0]["extensions"];
            assert_eq!((&extensions["code"], &extensions["field"]), (&json!("INVALID"), &json!(field)), "{errors}");
        }
        socket.subscribe("1", CHANGES, json!({"filter": {"labels": "a in (b"}})).await;
        assert_eq!(socket.refusal().await[0]["extensions"]["code"], "INVALID");
    }

    async fn a_large_revision_comes_whole(mut server: Server) {
        const REGION_COUNT: usize = 1_500;
        let client = server.client();
        client.apply_all((0..REGION_COUNT).map(|it| region(&format!("r{it}"))).collect()).await;
        let expected: Vec<String> = (0..REGION_COUNT).map(|it| format!("1 r{it} CREATED")).collect();
        let mut socket = Socket::connect(server.url()).await;
        socket.subscribe("1", CHANGES, json!({"after": 0})).await;
        assert_eq!(summaries(&socket.events(REGION_COUNT).await), expected, "from memory");
        server.stop().await;
        server.restart().await;
        let mut socket = Socket::connect(server.url()).await;
        socket.subscribe("1", CHANGES, json!({"after": 0})).await;
        let events = socket.events(REGION_COUNT).await;
        assert_eq!(summaries(&events), expected, "from the log");
        let mut socket = Socket::connect(server.url()).await;
        socket.subscribe("1", CHANGES, json!({"after": events[777]["cursor"]})).await;
        assert_eq!(summaries(&socket.events(REGION_COUNT - 778).await), expected[778..], "from the middle");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL"]
async fn a_client_can_resume_on_another_replica() {
    let (_url, servers) = servers(2).await;
    let mut at = json!(0);
    let mut last: Option<Socket> = None;
    for number in 1..=4_usize {
        let (writes, reads) = (&servers[number % 2], &servers[(number + 1) % 2]);
        // The replica that is read may not have the revision of `at` yet.
        writes.client().apply_all(vec![region(&format!("r{number}"))]).await;
        if let Some(mut ahead) = last.take() {
            nothing_before(&mut ahead, i64::try_from(number).expect("a number")).await;
        }
        let mut socket = Socket::connect(reads.url()).await;
        socket.subscribe("1", CHANGES, json!({"after": at})).await;
        let event = socket.event().await;
        assert_eq!(summary(&event), format!("{number} r{number} CREATED"));
        let mut ahead = Socket::connect(writes.url()).await;
        ahead.subscribe("1", CHANGES, json!({"after": event["cursor"]})).await;
        last = Some(ahead);
        at = event["cursor"].clone();
    }
    servers[0].client().apply_all(vec![region("r5")]).await;
    nothing_before(&mut last.expect("a subscription"), 5).await;
}
