//! Racks as people plan them: the units that are taken and free, and the power that is available.

use serde_json::{Value, json};

use crate::harness::{Client, Database, Server};

async fn rack(client: &Client, name: &str) -> Value {
    let query = "query($name: String!) { rack(site: \"ams1\", name: $name) {
        heightU unitsUsed unitsFree largestFree powerRatedW } }";
    client.ok(query, json!({"name": name})).await["rack"].take()
}

fn device(name: &str, rack: &str, placement: Value) -> Value {
    let mut placement = placement;
    placement["rack"] = json!({"rack": rack});
    json!({"device": {"name": name, "site": {"site": "ams1"}, "role": "SERVER", "placement": placement}})
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rack_knows_its_space_and_its_power() {
    let server = Server::start(Database::Sqlite).await;
    let client = server.client();
    let feed = |name: &str, rack: &str, phase: Value, volts: Value, amperes: i32| {
        json!({"powerFeed": {"name": name, "site": {"site": "ams1"}, "rack": {"rack": rack}, "phase": phase, "voltage": volts,
            "ampsRated": amperes}})
    };
    let of_rack = |rack: &str, feed: &str| json!({"powerFeed": {"site": "ams1", "rack": rack, "powerFeed": feed}});
    client
        .apply_all(vec![
            json!({"site": {"name": "ams1", "type": "DATACENTER"}}),
            json!({"rack": {"site": {"site": "ams1"}, "name": "split", "heightU": 10}}),
            json!({"rack": {"site": {"site": "ams1"}, "name": "full", "heightU": 10}}),
            json!({"rack": {"site": {"site": "ams1"}, "name": "empty", "heightU": 42}}),
            json!({"rack": {"site": {"site": "ams1"}, "name": "unknown", "heightU": 42}}),
            device("d1", "full", json!({"startUnit": 1, "unitHeight": 2, "fullDepth": true})),
            // Both faces of one unit, and a half unit.
            device("d2", "full", json!({"startUnit": 5, "unitHeight": 1, "face": "FRONT"})),
            device("d3", "full", json!({"startUnit": 5, "unitHeight": 1, "face": "REAR"})),
            device("d4", "full", json!({"startUnit": 6.5, "unitHeight": 0.5})),
            device("pdu", "full", json!({})),
            feed("a", "full", json!("SINGLE_PHASE"), json!(230), 16),
            feed("b", "full", json!("THREE_PHASE"), json!(400), 32),
            feed("a", "unknown", json!("SINGLE_PHASE"), json!(230), 16),
            feed("main", "split", json!("SINGLE_PHASE"), json!(230), 32),
            feed("breaker", "split", json!("SINGLE_PHASE"), json!(230), 16),
            feed("beyond", "split", json!("SINGLE_PHASE"), json!(230), 16),
        ])
        .await;
    client
        .apply_all(vec![
            json!({"powerFeed": {"name": "breaker", "site": {"site": "ams1"}, "rack": {"rack": "split"}, "upstream": of_rack("split", "main")}}),
            json!({"device": {"name": "ups", "site": {"site": "ams1"}, "role": "UPS"}}),
            json!({"port": {"device": {"device": "ups"}, "name": "in", "type": "POWER_INLET"}}),
            json!({"port": {"device": {"device": "ups"}, "name": "out", "type": "POWER_OUTLET", "fedBy": [{"port": {"device": "ups", "port": "in"}}]}}),
            json!({"cable": {"aEnds": [of_rack("split", "main")], "bEnds": [{"port": {"device": "ups", "port": "in"}}]}}),
            json!({"powerFeed": {"name": "beyond", "site": {"site": "ams1"}, "rack": {"rack": "split"}, "upstream": {"port": {"device": "ups", "port": "out"}}}}),
            feed("b", "unknown", json!("SINGLE_PHASE"), json!(null), 16),
        ])
        .await;
    let full = json!({"heightU": 10, "unitsUsed": 3.5, "unitsFree": 6.5, "largestFree": 4.0, "powerRatedW": 25850});
    assert_eq!(rack(&client, "full").await, full);
    let empty = json!({"heightU": 42, "unitsUsed": 0.0, "unitsFree": 42.0, "largestFree": 42.0, "powerRatedW": null});
    assert_eq!(rack(&client, "empty").await, empty);
    let of_split = "a breaker and a UPS behind a feed of the rack pass on what it is rated for";
    assert_eq!(rack(&client, "split").await["powerRatedW"], json!(230 * 32), "{of_split}");
    assert_eq!(rack(&client, "unknown").await["powerRatedW"], json!(null), "one of its feeds has no voltage");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rack_knows_what_is_drawn_in_it_as_far_as_it_is_recorded() {
    let server = Server::start(Database::Sqlite).await;
    let client = server.client();
    let port = |device: &str, name: &str, r#type: &str, more: Value| {
        let mut port = json!({"device": {"device": device}, "name": name, "type": r#type});
        port.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        json!({"port": port})
    };
    let draw = |maximum: Value, allocated: Value| json!({"drawW": {"maximum": maximum, "allocated": allocated}});
    client
        .apply_all(vec![
            json!({"site": {"name": "ams1", "type": "DATACENTER"}}),
            json!({"rack": {"site": {"site": "ams1"}, "name": "r", "heightU": 10}}),
            device("d1", "r", json!({"startUnit": 1, "unitHeight": 1})),
            device("pdu", "r", json!({})),
            port("d1", "psu1", "POWER_INLET", json!({})),
            port("d1", "eth0", "ETHERNET", json!({})),
            port("pdu", "in", "POWER_INLET", json!({})),
            port(
                "pdu",
                "1",
                "POWER_OUTLET",
                json!({"fedBy": [{"port": {"device": "pdu", "family": "INLET", "port": "in"}}]}),
            ),
        ])
        .await;
    let query = "{ rack(site: \"ams1\", name: \"r\") { powerDrawW { maximum allocated unknown } } }";
    let drawn = async || client.ok(query, json!({})).await["rack"]["powerDrawW"].take();
    assert_eq!(drawn().await, json!(null), "nothing is recorded, and that is not 0");
    client
        .apply_all(vec![
            port("d1", "psu1", "POWER_INLET", draw(json!(750), json!(400))),
            port("d1", "psu2", "POWER_INLET", draw(json!(750), json!(null))),
            port("d1", "psu3", "POWER_INLET", json!({})),
        ])
        .await;
    assert_eq!(drawn().await, json!({"maximum": 1500, "allocated": 400, "unknown": 1}));
    let read = "{ port(device: \"d1\", name: \"psu2\") { drawW { maximum allocated } } }";
    assert_eq!(client.ok(read, json!({})).await["port"]["drawW"], json!({"maximum": 750, "allocated": null}));
    for (name, r#type, more, code, field, says) in [
        ("psu1", "POWER_INLET", draw(json!(100), json!(200)), "INVALID", "drawW.allocated", "at most the maximum, 100"),
        ("psu1", "POWER_INLET", draw(json!(-1), json!(null)), "INVALID", "drawW.maximum", "from 0 to 2147483647"),
        ("psu1", "POWER_INLET", json!({"drawW": {}}), "INVALID", "drawW", "must hold maximum or allocated"),
        ("eth0", "ETHERNET", draw(json!(1), json!(null)), "INCOMPATIBLE", "drawW", "is for ports of type POWER_INLET"),
    ] {
        let payload = client.apply(vec![port("d1", name, r#type, more)]).await;
        let error = &payload["results"][0]["error"];
        assert_eq!((&error["code"], &error["field"]), (&json!(code), &json!(field)), "{error}");
        assert!(error["message"].as_str().expect("a message").contains(says), "{error}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rack_has_a_position_on_the_plan_of_its_room() {
    let server = Server::start(Database::Sqlite).await;
    let client = server.client();
    let put =
        |position: Value| json!({"rack": {"site": {"site": "ams1"}, "name": "r", "heightU": 10, "position": position}});
    client
        .apply_all(vec![
            json!({"site": {"name": "ams1", "type": "DATACENTER"}}),
            put(json!({"x": 1.2, "y": -3.5, "turn": 90})),
        ])
        .await;
    let query = "{ rack(site: \"ams1\", name: \"r\") { position { x y turn } item managers { field } } }";
    let rack = client.ok(query, json!({})).await["rack"].take();
    assert_eq!(rack["position"], json!({"x": 1.2, "y": -3.5, "turn": 90.0}));
    assert_eq!(rack["item"]["position"], rack["position"], "an export holds it");
    for (position, field, says) in [
        (json!({"x": 10001, "y": 0, "turn": 0}), "position.x", "-10000 to 10000"),
        (json!({"x": 0, "y": 0, "turn": 360}), "position.turn", "from 0 to less than 360"),
        (json!({"x": 0, "y": 0, "turn": -1}), "position.turn", "from 0 to less than 360"),
    ] {
        let payload = client.apply(vec![put(position)]).await;
        let error = &payload["results"][0]["error"];
        assert_eq!((&error["code"], &error["field"]), (&json!("INVALID"), &json!(field)), "{error}");
        assert!(error["message"].as_str().expect("a message").contains(says), "{error}");
    }
    client.apply_all(vec![put(json!(null))]).await;
    assert_eq!(client.ok(query, json!({})).await["rack"]["position"], json!(null));
}
