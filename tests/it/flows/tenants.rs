//! Tokens of tenants: their answers over every interface.

use serde_json::{Value, json};

use super::subscriptions::begun;
use crate::harness::{Client, Database, Received, Server, Socket};

/// The initial objects: a shared rack and one of red; devices of blue, of red and without a tenant; a server of blue in
/// the rack of red; cables between them.
fn inventory() -> Vec<Value> {
    let device = |name: &str, role: &str, tenant: Value, rack: &str| {
        json!({"device": {"name": name, "site": {"site": "ams1"}, "role": role, "tenant": tenant, "status": "ACTIVE",
            "serial": format!("serial-{name}"), "placement": {"rack": {"rack": rack}}}})
    };
    let port =
        |device: &str, name: &str| json!({"port": {"name": name, "device": {"device": device}, "type": "ETHERNET"}});
    let cable = |name: &str, a: [&str; 2], b: [&str; 2]| {
        let end = |[device, port]: [&str; 2]| json!([{"port": {"device": device, "port": port}}]);
        json!({"cable": {"name": name, "aEnds": end(a), "bEnds": end(b)}})
    };
    let mut items = vec![
        json!({"site": {"name": "ams1", "type": "DATACENTER"}}),
        json!({"rack": {"name": "shared", "site": {"site": "ams1"}, "heightU": 42}}),
        json!({"rack": {"name": "of-red", "site": {"site": "ams1"}, "heightU": 42, "tenant": "red", "serial": "secret-rack"}}),
        device("leaf", "LEAF", json!(null), "shared"),
        device("blue-1", "SERVER", json!("blue"), "shared"),
        device("blue-2", "SERVER", json!("blue"), "of-red"),
        device("red-1", "SERVER", json!("red"), "of-red"),
        device("red-leaf", "LEAF", json!("red"), "of-red"),
        json!({"virtualMachine": {"name": "vm-blue", "host": {"device": "red-1"}, "tenant": "blue"}}),
    ];
    items.extend(["eth1", "eth2", "eth3", "eth4"].map(|name| port("leaf", name)));
    items.extend(["blue-1", "blue-2", "red-1"].map(|device| port(device, "eth0")));
    items.extend(["eth1", "eth2"].map(|name| port("red-leaf", name)));
    items.push(cable("c-blue", ["blue-1", "eth0"], ["leaf", "eth1"]));
    items.push(cable("c-red", ["red-1", "eth0"], ["leaf", "eth2"]));
    items.push(cable("c-mixed", ["blue-2", "eth0"], ["red-leaf", "eth1"]));
    items.push(cable("c-uplink", ["red-leaf", "eth2"], ["leaf", "eth3"]));
    items
}

/// Starts a server with these objects. Also returns the clients of an operator and of the tenant blue.
async fn start() -> (Server, Client, Client, String) {
    let server = Server::start(Database::Sqlite).asking().await;
    let mut tokens = Vec::new();
    for arguments in [vec!["token", "create"], vec!["token", "create", "--tenant", "blue", "--role", "admin"]] {
        let made = server.cli(arguments).env("UNDERLAY_RUN_DIR", server.folder().join("run")).await;
        assert_eq!((made.code, made.stderr.as_str()), (0, ""), "{made:?}");
        tokens.push(made.stdout.trim().to_owned());
    }
    let [operator, blue] = &tokens[..] else { panic!("two tokens") };
    let (operator, of_blue) = (server.client().bearing(operator), server.client().bearing(blue));
    operator.apply_all(inventory()).await;
    (server, operator, of_blue, blue.clone())
}

async fn id(client: &Client, device: &str) -> String {
    let query = "query($name: String!) { device(site: \"ams1\", name: $name) { id } }";
    let found = client.ok(query, json!({"name": device})).await;
    found["device"]["id"].as_str().unwrap_or_else(|| panic!("{device}: {found}")).to_owned()
}

/// The names in a list.
async fn names(client: &Client, list: &str) -> Vec<String> {
    let query = format!("{{ list: {list} {{ totalCount nodes {{ name }} }} }}");
    let found = client.ok(&query, json!({})).await;
    let nodes = found["list"]["nodes"].as_array().expect("nodes");
    assert_eq!(found["list"]["totalCount"], nodes.len());
    nodes.iter().map(|node| node["name"].as_str().expect("a name").to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_tenant_sees_its_objects_their_containers_and_shared_objects() {
    let (_server, operator, blue, _) = start().await;
    assert_eq!(names(&blue, "devices").await, ["blue-1", "blue-2", "leaf", "red-1"], "red-1 hosts a machine of blue");
    assert_eq!(names(&blue, "racks").await, ["of-red", "shared"]);
    assert_eq!(names(&blue, "virtualMachines").await, ["vm-blue"]);
    assert_eq!(names(&blue, "cables").await, ["c-blue"], "a cable to what is not seen is not seen");
    let mut ports = names(&blue, "ports").await;
    ports.sort();
    assert_eq!(ports, ["eth0", "eth0", "eth1", "eth2", "eth3", "eth4"]);
    let host = "{ device(site: \"ams1\", name: \"red-1\") { name serial tenant role status version site { name }
        placement { rack { name serial heightU } } ports { totalCount } virtualMachines { nodes { name } } } }";
    let reduced = json!({"name": "red-1", "serial": null, "tenant": null, "role": "OTHER", "status": "ACTIVE",
        "version": 0, "site": {"name": "ams1"}, "placement": {"rack": {"name": "of-red", "serial": null, "heightU": 1}},
        "ports": {"totalCount": 0}, "virtualMachines": {"nodes": [{"name": "vm-blue"}]}});
    assert_eq!(blue.ok(host, json!({})).await["device"], reduced);

    let hidden = id(&operator, "red-leaf").await;
    let query = "query($id: ID!) { node(id: $id) { id } device(site: \"ams1\", name: \"red-leaf\") { id }
        search(text: \"secret\") { text } both: search(text: \"red-leaf\") { text }
        devices(filter: {tenant: {eq: \"red\"}}) { totalCount } }";
    let nothing = json!({"node": null, "device": null, "search": [], "both": [], "devices": {"totalCount": 0}});
    assert_eq!(blue.ok(query, json!({"id": hidden})).await, nothing);
    for question in ["trace(from: $id) { complete }", "impact(of: [$id]) { unanchored }"] {
        let query = format!("query($id: ID!) {{ {question} }}");
        let (of_hidden, of_none) = (json!({"id": hidden}), json!({"id": "00000000-0000-4000-8000-000000000000"}));
        let refusals = [blue.refused(&query, of_hidden).await, blue.refused(&query, of_none).await];
        let [hidden_error, missing_error] = refusals.map(|errors| errors[0].clone());
        assert_eq!(
            (hidden_error.code.as_str(), hidden_error.code.as_str()),
            ("NOT_FOUND", missing_error.code.as_str())
        );
        assert_eq!(
            hidden_error.message.replace(&hidden, "ID"),
            missing_error.message.replace("00000000-0000-4000-8000-000000000000", "ID")
        );
    }
    // The line of blue-2 leads into the hands of red: to blue it is as if nothing were plugged in.
    let query = "{ port(device: \"blue-2\", name: \"eth0\") { cable { name } peers { __typename } } }";
    assert_eq!(blue.ok(query, json!({})).await["port"], json!({"cable": null, "peers": []}));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_tenant_can_only_read_and_not_the_change_log() {
    let (server, operator, blue, token) = start().await;
    let own = id(&operator, "blue-1").await;
    let update = "mutation($id: ID!) { updateDevice(id: $id, patch: {serial: \"x\"}) { revision } }";
    for target in [own.clone(), id(&operator, "red-leaf").await, "00000000-0000-4000-8000-000000000000".to_owned()] {
        let errors = blue.refused(update, json!({"id": target})).await;
        assert_eq!(errors[0].code, "FORBIDDEN");
        assert_eq!(errors[0].message, "a token of a tenant cannot write; this token is of tenant \"blue\"");
    }
    for query in ["{ changes { totalCount } }", "{ diff(from: 0, to: 1) { nodes { name } } }"] {
        let errors = blue.refused(query, json!({})).await;
        assert!(errors[0].code == "FORBIDDEN" && errors[0].message.contains("covers all tenants"), "{errors:?}");
    }
    let changes = "query($id: ID!) { node(id: $id) { ...on Device { name changes { nodes { name } } } } }";
    let answer = blue.execute(changes, json!({"id": own})).await;
    assert_eq!((answer.data["node"].clone(), answer.errors.len()), (json!({"name": "blue-1", "changes": null}), 0));
    let described = server.cli(["describe", "device/ams1/blue-1"]).env("UNDERLAY_TOKEN", &token).await;
    assert!(described.code == 0 && described.stdout.contains("not shown to a token of a tenant"), "{described:?}");
    assert_eq!(blue.get("/metrics").await.status, 403);
    let hidden = operator.ok("{ port(device: \"red-1\", name: \"eth0\") { id } }", json!({})).await;
    let seen = operator.ok("{ port(device: \"blue-1\", name: \"eth0\") { id } }", json!({})).await;
    let drawing =
        async |port: &Value| blue.get(&format!("/trace/{}.svg", port["port"]["id"].as_str().expect("id"))).await;
    assert_eq!((drawing(&hidden).await.status, drawing(&seen).await.status), (404, 200));
    let refused = server.cli(["token", "create", "--tenant", " blue"]).await;
    assert_eq!(refused.code, 2, "{refused:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_tenant_subscribes_to_visible_changes() {
    let (server, operator, blue, token) = start().await;
    let mut socket = Socket::open(server.url(), Some("graphql-transport-ws")).await.expect("a connection");
    socket.send(json!({"type": "connection_init", "payload": {"token": token}})).await;
    assert!(matches!(socket.receive().await, Received::Message(message) if message["type"] == "connection_ack"));
    let events =
        "subscription($after: ChangeCursor) { changes(after: $after) { type cursor changed: change { name operation
        before after } } }";
    let errors = {
        socket.subscribe("old", events, json!({"after": 0})).await;
        socket.refusal().await
    };
    assert_eq!(
        errors[0]["extensions"]["code"], "REVISION_COMPACTED",
        "earlier revisions are not distinguished: {errors}"
    );
    let oldest = blue.ok("{ oldestRevision revision }", json!({})).await;
    assert_eq!(errors[0]["extensions"]["oldestRevision"], oldest["oldestRevision"]);
    assert_eq!(oldest["oldestRevision"], oldest["revision"], "no revision is told that the tenant cannot see");

    socket.subscribe("1", events, json!({})).await;
    begun(&mut socket).await;
    let update = async |device: &str, patch: Value| {
        let query = "mutation($id: ID!, $patch: DevicePatch!) { updateDevice(id: $id, patch: $patch) { revision } }";
        let id = id(&operator, device).await;
        operator.ok(query, json!({"id": id, "patch": patch})).await
    };
    // Nothing of this is seen, nor a field of what is reduced.
    update("red-leaf", json!({"serial": "s2"})).await;
    update("red-1", json!({"serial": "s3"})).await;
    // This is: as it changes, comes, and goes.
    update("blue-1", json!({"serial": "s1"})).await;
    update("red-leaf", json!({"tenant": "blue"})).await;
    update("red-leaf", json!({"tenant": "red"})).await;
    let first = socket.event().await;
    assert_eq!((&first["changed"]["name"], &first["changed"]["after"]["serial"]), (&json!("blue-1"), &json!("s1")));
    let mut came: Vec<(String, String)> = Vec::new();
    while came.len() < 10 {
        let event = socket.event().await;
        let text = |value: &Value| value.as_str().expect("text").to_owned();
        came.push((text(&event["changed"]["name"]), text(&event["changed"]["operation"])));
        assert!(!event.to_string().contains("\"red\""), "{event}");
    }
    // With the leaf come its ports and the cables between these and what is seen.
    let (created, deleted) = came.split_at(5);
    let sorted = |events: &[(String, String)], operation: &str| {
        assert!(events.iter().all(|(_, done)| done == operation), "{events:?}");
        let mut names: Vec<String> = events.iter().map(|(name, _)| name.clone()).collect();
        names.sort();
        names
    };
    let expected = ["c-mixed", "c-uplink", "eth1", "eth2", "red-leaf"];
    assert_eq!(sorted(created, "CREATED"), expected);
    assert_eq!(sorted(deleted, "DELETED"), expected);
    update("leaf", json!({"description": "seen"})).await;
    assert_eq!(socket.event().await["changed"]["name"], "leaf", "nothing else came before");
    let seen = "query { devices(filter: {name: {eq: \"red-leaf\"}}) { totalCount } }";
    assert_eq!(blue.ok(seen, json!({})).await["devices"]["totalCount"], 0);
    // From the cursor of the first event on it all comes again.
    socket.subscribe("2", events, json!({"after": first["cursor"]})).await;
    assert_eq!(socket.event().await["changed"]["operation"], "CREATED");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn impact_is_computed_on_everything_and_shown_as_far_as_visible() {
    let (_server, operator, blue, _) = start().await;
    let query = "query($id: ID!) { impact(of: [$id]) { affected(first: 1000) { totalCount nodes { effect
        node { ...on Object { name } } because { path } } } } }";
    let rack = operator.ok("{ rack(site: \"ams1\", name: \"of-red\") { id } }", json!({})).await["rack"]["id"].clone();
    let affected = async |client: &Client| {
        let answer = client.ok(query, json!({"id": rack})).await;
        let nodes = answer["impact"]["affected"]["nodes"].as_array().expect("nodes").clone();
        let mut names: Vec<String> =
            nodes.iter().map(|node| node["node"]["name"].as_str().expect("a name").to_owned()).collect();
        names.sort();
        assert!(nodes.iter().all(|node| node["because"] != json!([])), "all of this leads back: {nodes:#?}");
        names
    };
    let all = affected(&operator).await;
    assert!(all.contains(&"red-leaf".to_owned()), "{all:?}");
    assert_eq!(affected(&blue).await, ["blue-2", "eth0", "red-1", "vm-blue"]);
    let points = "{ singlePointsOfFailure(first: 100) { path count } }";
    let found = blue.ok(points, json!({})).await["singlePointsOfFailure"].clone();
    let paths: Vec<&str> = found.as_array().expect("a list").iter().filter_map(|it| it["path"].as_str()).collect();
    assert!(paths.contains(&"device/ams1/red-1") && paths.iter().all(|path| !path.contains("red-leaf")), "{found}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cable_of_which_a_tenant_sees_no_lane_joins_nothing_else() {
    let (_server, operator, blue, _) = start().await;
    let end = |device: &str, port: &str| json!({"port": {"device": device, "port": port}});
    let port =
        |device: &str, name: &str| json!({"port": {"name": name, "device": {"device": device}, "type": "ETHERNET"}});
    let lane = json!([{"aEnd": 1, "aPosition": 1, "bEnd": 1, "bPosition": 1}]);
    let made = operator
        .apply_all(vec![
            port("red-1", "eth9"),
            port("leaf", "eth9"),
            port("blue-1", "eth9"),
            json!({"cable": {"name": "c-lanes", "lanes": lane, "aEnds": [end("blue-1", "eth9")],
                "bEnds": [end("red-1", "eth9"), end("leaf", "eth9")]}}),
        ])
        .await;
    assert!(made["revision"].is_i64(), "{made:#}");
    // The one lane leads into the hands of red. Without it the cable does not join blue-1 with the leaf.
    let query = "{ port(device: \"blue-1\", name: \"eth9\") { peers { __typename } farEnds { __typename } } }";
    assert_eq!(blue.ok(query, json!({})).await["port"], json!({"peers": [], "farEnds": []}));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_tenant_cannot_continue_the_impact_of_another() {
    let (server, operator, blue, _) = start().await;
    let made = server.cli(["token", "create", "--tenant", "red"]).env("UNDERLAY_RUN_DIR", server.folder().join("run"));
    let red = server.client().bearing(made.await.stdout.trim());
    let query = "query($id: ID!, $after: String) { impact(of: [$id]) { affected(first: 2, after: $after) {
        totalCount nodes { path } pageInfo { endCursor hasNextPage } } } }";
    let rack = operator.ok("{ rack(site: \"ams1\", name: \"of-red\") { id } }", json!({})).await["rack"]["id"].clone();
    let clients = [&operator, &blue, &red];
    let mut firsts = Vec::new();
    for client in clients {
        firsts.push(client.ok(query, json!({"id": rack})).await["impact"]["affected"].take());
    }
    for (owner, first) in firsts.iter().enumerate() {
        assert_eq!(first["pageInfo"]["hasNextPage"], true, "{first}");
        let next = json!({"id": rack, "after": first["pageInfo"]["endCursor"]});
        for (other, client) in clients.into_iter().enumerate() {
            if other == owner {
                let page = client.ok(query, next.clone()).await["impact"]["affected"].take();
                assert_eq!(page["totalCount"], first["totalCount"]);
                assert!(page["nodes"][0]["path"].is_string() && page["nodes"] != first["nodes"], "{page}");
            } else {
                let errors = client.refused(query, next.clone()).await;
                assert_eq!((errors[0].code.as_str(), errors[0].field.as_deref()), ("INVALID", Some("after")));
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn objects_without_a_tenant_belong_to_their_containers() {
    let (_server, operator, blue, _) = start().await;
    let device = |name: &str, place: (&str, Value)| {
        json!({"device": {"name": name, "site": {"site": "ams1"}, "role": "SERVER", "serial": format!("serial-{name}"),
            (place.0): place.1}})
    };
    let port = json!({"port": {"name": "eth0", "device": {"device": "loose-1"}, "type": "ETHERNET",
        "addresses": ["192.0.2.7/24"]}});
    operator
        .apply_all(vec![
            json!({"location": {"name": "cage", "site": {"site": "ams1"}, "type": "CAGE", "tenant": "red"}}),
            json!({"rack": {"name": "in-cage", "site": {"site": "ams1"}, "location": {"location": "cage"}, "heightU": 42,
                "serial": "serial-in-cage"}}),
            json!({"cluster": {"name": "open", "type": "KUBERNETES"}}),
            device("loose-1", ("placement", json!({"rack": {"rack": "of-red"}}))),
            device("loose-2", ("placement", json!({"rack": {"rack": "in-cage"}}))),
            device("loose-3", ("location", json!({"location": "cage"}))),
            json!({"virtualMachine": {"name": "loose-vm", "cluster": {"cluster": "open"}, "host": {"device": "red-1"}}}),
            port,
        ])
        .await;
    assert_eq!(names(&blue, "devices").await, ["blue-1", "blue-2", "leaf", "red-1"]);
    assert_eq!(names(&blue, "racks").await, ["of-red", "shared"]);
    assert_eq!(names(&blue, "virtualMachines").await, ["vm-blue"]);
    for text in ["serial-loose", "serial-in-cage", "192.0.2.7"] {
        let query = "query($text: String!) { search(text: $text) { text } }";
        let found = operator.ok(query, json!({"text": text})).await;
        assert_ne!(found["search"], json!([]), "{text}");
        assert_eq!(blue.ok(query, json!({"text": text})).await["search"], json!([]), "{text}");
    }
    // It is everybody's as soon as what it stands in is.
    let free = "mutation($id: ID!) { updateLocation(id: $id, patch: {tenant: null}) { revision } }";
    let cage = operator.ok("{ location(site: \"ams1\", name: \"cage\") { id } }", json!({})).await;
    let freed = operator.ok(free, json!({"id": cage["location"]["id"]})).await;
    let revision = freed["updateLocation"]["revision"].as_i64().expect("a revision");
    let asked = json!({"query": "{ racks { nodes { name } } }", "extensions": {"minRevision": revision}});
    let answer = blue.post_bytes("application/json", asked.to_string()).await.expect("an answer").json();
    let racks: Vec<&str> = answer["data"]["racks"]["nodes"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|it| it["name"].as_str())
        .collect();
    assert_eq!(racks, ["in-cage", "of-red", "shared"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hidden_changes_are_not_reported() {
    let (server, operator, blue, token) = start().await;
    operator.apply_all(vec![json!({"cluster": {"name": "of-red", "type": "KUBERNETES", "tenant": "red"}})]).await;
    let cluster = operator.ok("{ cluster(name: \"of-red\") { id } }", json!({})).await["cluster"]["id"].clone();
    let leaf = id(&operator, "leaf").await;
    let shown = "query($id: ID!) { node(id: $id) { ...on Device { version updatedAt cluster { name } description
        managers { field manager since } } } }";
    let read = async || blue.ok(shown, json!({"id": leaf})).await["node"].take();
    let mut socket = Socket::open(server.url(), Some("graphql-transport-ws")).await.expect("a connection");
    socket.send(json!({"type": "connection_init", "payload": {"token": token}})).await;
    assert!(matches!(socket.receive().await, Received::Message(message) if message["type"] == "connection_ack"));
    socket.subscribe("1", "subscription { changes { type changed: change { name after } } }", json!({})).await;
    begun(&mut socket).await;
    let before = read().await;
    let update = async |patch: Value| {
        let query = "mutation($id: ID!, $patch: DevicePatch!) { updateDevice(id: $id, patch: $patch) { revision } }";
        let done = operator.ok(query, json!({"id": leaf, "patch": patch})).await;
        let revision = done["updateDevice"]["revision"].as_i64().expect("a revision");
        // The answer of the tenant is of that revision.
        let asked = json!({"query": "{ revision }", "extensions": {"minRevision": revision}});
        blue.post_bytes("application/json", asked.to_string()).await.expect("an answer");
        revision
    };
    for patch in [json!({"cluster": {"id": cluster}}), json!({"cluster": null}), json!({"cluster": {"id": cluster}})] {
        update(patch.clone()).await;
        assert_eq!(read().await, before, "{patch}");
    }
    // The first event is the one of this change.
    let revision = update(json!({"description": "seen"})).await;
    let event = socket.event().await;
    assert_eq!(
        (&event["changed"]["name"], &event["changed"]["after"]["description"]),
        (&json!("leaf"), &json!("seen"))
    );
    assert!(!event.to_string().contains("cluster"), "{event}");
    let after = read().await;
    assert_eq!((&after["version"], &after["description"]), (&json!(revision), &json!("seen")));
    assert!(!after["managers"].to_string().contains("cluster"), "{after}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_subscriptions_of_tenants_are_counted_separately() {
    let server = Server::start(Database::Sqlite).asking().env("UNDERLAY_LIMITS_SUBSCRIPTIONS", "1").await;
    let events = "subscription { changes { type } }";
    let mut sockets = Vec::new();
    for tenant in ["blue", "red"] {
        let made = server.cli(["token", "create", "--tenant", tenant, "--actor", "ann"]);
        let made = made.env("UNDERLAY_RUN_DIR", server.folder().join("run")).await;
        let mut socket = Socket::open(server.url(), Some("graphql-transport-ws")).await.expect("a connection");
        socket.send(json!({"type": "connection_init", "payload": {"token": made.stdout.trim()}})).await;
        assert!(matches!(socket.receive().await, Received::Message(message) if message["type"] == "connection_ack"));
        socket.subscribe("1", events, json!({})).await;
        begun(&mut socket).await;
        socket.subscribe("2", events, json!({})).await;
        let refused = socket.refusal().await;
        assert_eq!(refused[0]["extensions"]["code"], "UNAVAILABLE", "{tenant}: {refused}");
        sockets.push(socket);
    }
}
