//! Objects that enter or leave the place of a subscription together with an object that contains them.

use serde_json::{Value, json};

use super::subscriptions::{CHANGES, nothing_before, summaries, summary};
use crate::harness::{Client, Server, Socket, on_both_databases};

/// Two regions with a site each; a rack, devices and ports in the first.
async fn places(client: &Client) -> (Value, Value) {
    client
        .apply_all(vec![
            json!({"region": {"name": "north"}}),
            json!({"region": {"name": "south"}}),
            json!({"site": {"name": "a", "type": "EDGE", "region": {"region": "north"}}}),
            json!({"site": {"name": "b", "type": "EDGE", "region": {"region": "south"}}}),
            json!({"rack": {"site": {"site": "a"}, "name": "r", "heightU": 42}}),
            json!({"device": {"site": {"site": "a"}, "name": "d", "role": "SERVER", "labels": {"env": "prod"}}}),
            json!({"device": {"site": {"site": "a"}, "name": "e", "role": "SERVER"}}),
            json!({"device": {"site": {"site": "b"}, "name": "f", "role": "SERVER"}}),
        ])
        .await;
    let found = client.ok("{ n: region(name: \"north\") { id } s: region(name: \"south\") { id } }", json!({})).await;
    (found["n"]["id"].clone(), found["s"]["id"].clone())
}

fn to(site: &str, region: &str) -> Value {
    json!({"site": {"name": site, "region": {"region": region}}})
}

/// The events in any order: what moves comes in the order of ids.
fn sorted(events: &[Value]) -> Vec<String> {
    let mut all = summaries(events);
    all.sort();
    all
}

on_both_databases! {
    async fn contents_of_a_moved_object_enter_and_leave(server: Server) {
        let client = server.client();
        let (north, south) = places(&client).await;
        let mut socket = Socket::connect(server.url()).await;
        socket.subscribe("n", CHANGES, json!({"after": 1, "filter": {"within": north}})).await;
        let mut other = Socket::connect(server.url()).await;
        other.subscribe("s", CHANGES, json!({"after": 1, "filter": {"within": south}})).await;
        client.apply_all(vec![to("a", "south")]).await;
        let left = socket.events(4).await;
        assert_eq!(summary(&left[0]), "2 a UPDATED", "the change itself comes first");
        assert_eq!(sorted(&left), ["2 a UPDATED", "2 d LEFT", "2 e LEFT", "2 r LEFT"]);
        assert_eq!((&left[1]["change"], &left[1]["object"]["id"]), (&Value::Null, &left[1]["objectId"]));
        let entered = other.events(4).await;
        assert_eq!(sorted(&entered), ["2 a UPDATED", "2 d ENTERED", "2 e ENTERED", "2 r ENTERED"]);
        // One that changes itself in the same revision is only changed.
        client.apply_all(vec![to("a", "north"), json!({"device": {"site": {"site": "a"}, "name": "d", "labels": {"env": null}}})]).await;
        assert_eq!(sorted(&socket.events(4).await), ["3 a UPDATED", "3 d UPDATED", "3 e ENTERED", "3 r ENTERED"]);
        assert_eq!(sorted(&other.events(4).await), ["3 a UPDATED", "3 d UPDATED", "3 e LEFT", "3 r LEFT"]);
        // From every place between them on.
        for (count, event) in left.iter().enumerate() {
            let mut again = Socket::connect(server.url()).await;
            again.subscribe("1", CHANGES, json!({"after": event["cursor"], "filter": {"within": north}})).await;
            let rest = again.events(3 - count + 4).await;
            assert_eq!(summaries(&rest[..3 - count]), summaries(&left[count + 1..]), "after {event}");
        }
    }

    async fn moves_are_found_in_the_log(mut server: Server) {
        let client = server.client();
        let (north, south) = places(&client).await;
        client.apply_all(vec![to("a", "south")]).await;
        client.apply_all(vec![json!({"device": {"site": {"site": "a"}, "name": "g", "role": "SERVER"}})]).await;
        client.apply_all(vec![json!({"delete": {"ref": {"device": {"site": "a", "device": "e"}}}})]).await;
        client.apply_all(vec![to("a", "north"), to("b", "north")]).await;
        // Nothing of it is in memory after a restart.
        server.stop().await;
        server.restart().await;
        let mut socket = Socket::connect(server.url()).await;
        let filter = |within: &Value| json!({"after": 1, "filter": {"within": within, "kinds": ["Device", "Site"]}});
        socket.subscribe("n", CHANGES, filter(&north)).await;
        let events = socket.events(8).await;
        assert_eq!(sorted(&events), ["2 a UPDATED", "2 d LEFT", "2 e LEFT",
            "5 a UPDATED", "5 b UPDATED", "5 d ENTERED", "5 f ENTERED", "5 g ENTERED"]);
        assert_eq!(events[1]["object"]["__typename"], if events[1]["name"] == "e" { Value::Null } else { json!("Device") });
        let mut again = Socket::connect(server.url()).await;
        let mut after = filter(&north);
        after["after"] = events[6]["cursor"].clone();
        again.subscribe("n", CHANGES, after).await;
        assert_eq!(again.event().await["objectId"], events[7]["objectId"], "in the middle of what moved");
        server.client().apply_all(vec![json!({"device": {"site": {"site": "a"}, "name": "d", "description": "6"}})]).await;
        nothing_before(&mut again, 6).await;
        let mut other = Socket::connect(server.url()).await;
        other.subscribe("s", CHANGES, filter(&south)).await;
        assert_eq!(sorted(&other.events(10).await), ["2 a UPDATED", "2 d ENTERED", "2 e ENTERED", "3 g CREATED",
            "4 e DELETED", "5 a UPDATED", "5 b UPDATED", "5 d LEFT", "5 f LEFT", "5 g LEFT"]);
    }

    async fn the_rest_of_a_filter_applies_to_moves(server: Server) {
        let client = server.client();
        let (north, _) = places(&client).await;
        client.apply_input(json!({"source": "bcm", "conflicts": "FORCE", "items": [to("a", "south")]})).await;
        let mut sockets = Vec::new();
        for (filter, expected) in [
            (json!({"kinds": ["Rack"]}), vec!["2 r LEFT"]),
            (json!({"labels": "env=prod"}), vec!["2 d LEFT"]),
            (json!({"operations": ["ENTERED"]}), vec![]),
            (json!({"operations": ["LEFT"], "kinds": ["Device"]}), vec!["2 d LEFT", "2 e LEFT"]),
            (json!({"sources": ["other"]}), vec![]),
            (json!({"sources": ["bcm"], "kinds": ["Rack"]}), vec!["2 r LEFT"]),
        ] {
            let mut within = filter.clone();
            within["within"] = north.clone();
            let mut socket = Socket::connect(server.url()).await;
            socket.subscribe("1", CHANGES, json!({"after": 1, "filter": within})).await;
            assert_eq!(sorted(&socket.events(expected.len()).await), expected, "{filter}");
            sockets.push(socket);
        }
        // Something comes and goes, so that each filter selects a part of it; nothing else was to come before.
        client.apply_all(vec![
            json!({"site": {"name": "m", "type": "EDGE", "region": {"region": "south"}}}),
            json!({"rack": {"site": {"site": "m"}, "name": "k", "heightU": 42, "labels": {"env": "prod"}}}),
            json!({"device": {"site": {"site": "m"}, "name": "x", "role": "SERVER", "labels": {"env": "prod"}}}),
        ]).await;
        for (source, region) in [("bcm", "north"), ("other", "south")] {
            client.apply_input(json!({"source": source, "conflicts": "FORCE", "items": [to("m", region)]})).await;
        }
        for socket in &mut sockets {
            nothing_before(socket, 4).await;
        }
    }

    async fn a_cable_is_within_the_places_of_both_ends(server: Server) {
        let client = server.client();
        let (north, south) = places(&client).await;
        let port = |site: &str, device: &str| json!({"site": site, "device": device, "port": "1"});
        let made = |site: &str, device: &str| json!({"port": {"device": {"site": site, "device": device}, "name": "1", "type": "ETHERNET"}});
        client.apply_all(vec![
            made("a", "d"), made("b", "f"),
            json!({"cable": {"name": "k", "aEnds": [{"port": port("a", "d")}], "bEnds": [{"port": port("b", "f")}]}}),
            json!({"link": {"name": "l", "type": "LOGICAL", "a": {"device": {"site": "a", "device": "d"}}, "b": {"site": {"site": "b"}}}}),
        ]).await;
        let within = r#"query($place: ID!) {
            cables(filter: {within: $place}) { totalCount nodes { name } }
            links(filter: {within: $place}) { totalCount }
            none: cables(filter: {not: {within: $place}}) { totalCount }
            nested: links(filter: {a: {device: {within: $place}}}) { totalCount } }"#;
        for (place, nested) in [(&north, 1), (&south, 0)] {
            let found = client.ok(within, json!({"place": place})).await;
            assert_eq!(found, json!({"cables": {"totalCount": 1, "nodes": [{"name": "k"}]}, "links": {"totalCount": 1},
                "none": {"totalCount": 0}, "nested": {"totalCount": nested}}));
        }
        let mut socket = Socket::connect(server.url()).await;
        let filter = |place: &Value| json!({"after": 1, "filter": {"within": place, "kinds": ["Cable", "Link"]}});
        socket.subscribe("n", CHANGES, filter(&north)).await;
        let mut other = Socket::connect(server.url()).await;
        other.subscribe("s", CHANGES, filter(&south)).await;
        // The site goes to the south, where the other ends are already.
        client.apply_all(vec![to("a", "south")]).await;
        assert_eq!(sorted(&socket.events(4).await), ["2 k CREATED", "2 l CREATED", "3 k LEFT", "3 l LEFT"]);
        assert_eq!(sorted(&other.events(2).await), ["2 k CREATED", "2 l CREATED"]);
        client.apply_all(vec![json!({"cable": {"name": "k", "description": "4"}})]).await;
        nothing_before(&mut other, 4).await;
        let found = client.ok(within, json!({"place": north})).await;
        assert_eq!((&found["cables"]["totalCount"], &found["links"]["totalCount"]), (&json!(0), &json!(0)));
    }

    async fn every_end_of_a_cable_determines_its_places(server: Server) {
        let client = server.client();
        let (north, south) = places(&client).await;
        let ports: Vec<String> = (0..300).map(|at| format!("p{at}")).collect();
        let mut items: Vec<Value> = ports.iter().map(|name| {
            json!({"port": {"device": {"site": "b", "device": "f"}, "name": name, "type": "ETHERNET"}})
        }).collect();
        let many: Vec<Value> = ports.iter().map(|name| json!({"port": {"site": "b", "device": "f", "port": name}})).collect();
        items.extend([
            json!({"provider": {"name": "lumen", "type": "TRANSIT"}}),
            json!({"circuit": {"provider": {"provider": "lumen"}, "name": "c", "type": "TRANSIT", "zEnd": {"site": {"site": "a"}}}}),
            json!({"powerFeed": {"site": {"site": "a"}, "rack": {"rack": "r"}, "name": "feed"}}),
            json!({"port": {"device": {"site": "b", "device": "f"}, "name": "psu", "type": "POWER_INLET"}}),
            json!({"cable": {"name": "fan-out", "aEnds": [{"circuitTermination": {"circuit": "c", "side": "Z"}}], "bEnds": many}}),
            json!({"cable": {"name": "cord", "aEnds": [{"powerFeed": {"powerFeed": "feed"}}],
                "bEnds": [{"port": {"site": "b", "device": "f", "port": "psu"}}]}}),
        ]);
        client.apply_all(items).await;
        let query = "query($place: ID!) { cables(filter: {within: $place}) { nodes { name } } }";
        for place in [&north, &south] {
            let found = client.ok(query, json!({"place": place})).await;
            assert_eq!(found["cables"]["nodes"], json!([{"name": "cord"}, {"name": "fan-out"}]), "{place}");
        }
    }
}
