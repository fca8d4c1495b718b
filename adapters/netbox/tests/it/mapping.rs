//! The fields of items, and the objects and values that NetBox allows and Underlay does not.

use serde_json::{Value, json};
use underlay_kit::sync::Presence;
use underlay_netbox::{NetBox, Settings, Tenants, Words};

use crate::replay::Replay;
use crate::{netbox, scan, settings};

#[tokio::test]
async fn objects_become_items_with_all_their_fields() {
    let replay = Replay::demo().await;
    let seen = scan(&netbox(&replay)).await;
    let reference = |id: &str| json!({ "externalId": id });
    let site = seen.fields("dcim.site:24");
    assert_eq!(site["name"], "ncsu-128");
    assert_eq!(site["displayName"], "Butler Communications");
    assert_eq!(
        (&site["region"], &site["type"], &site["status"]),
        (&reference("dcim.region:40"), &json!("OTHER"), &json!("ACTIVE"))
    );
    assert_eq!(
        (&site["timeZone"], &site["coordinates"], &site["description"]),
        (&Value::Null, &Value::Null, &Value::Null)
    );
    assert_eq!(site["attributes"], json!({"netbox": {"facility": "BUT"}}));
    assert_eq!(site["labels"]["netbox/tenant"], "nc-state");
    assert_eq!(
        (site["labels"].get("tag.netbox/golf"), site["labels"].get("tag.netbox/alpha")),
        (Some(&json!("true")), None)
    );
    assert_eq!(
        site["externalRefs"],
        json!([{"source": "netbox", "externalId": "dcim.site:24", "url": format!("{}/dcim/sites/24/", replay.url)}])
    );
    assert_eq!(site.get("tenant"), None, "the tenant is a border of access");

    let device = seen.fields("dcim.device:27");
    assert_eq!(
        (&device["role"], &device["manufacturer"], &device["model"]),
        (&json!("PDU"), &json!("APC"), &json!("AP7901"))
    );
    assert_eq!(
        device["placement"],
        json!({"rack": reference("dcim.rack:1"), "startUnit": 1.0, "unitHeight": 1.0, "fullDepth": false, "face": "FRONT"})
    );
    assert_eq!((&device["parent"], &device["slot"], &device["serial"]), (&Value::Null, &Value::Null, &Value::Null));
    assert_eq!(seen.fields("dcim.device:106")["name"], "Lenovo Flex system (106)");
    // The master of a virtual chassis is the parent of its members, which keep their places.
    let member = seen.fields("dcim.device:99");
    assert_eq!((&member["parent"], &member["slot"]), (&reference("dcim.device:98"), &Value::Null));
    assert!(member["placement"]["startUnit"].is_f64(), "{member}");
    assert_eq!(seen.fields("dcim.device:98")["parent"], Value::Null);

    let available = replay.list("dcim/racks").into_iter().find(|rack| rack["status"]["value"] == "available");
    let rack = seen.fields(&format!("dcim.rack:{}", available.expect("an available rack")["id"]));
    assert_eq!((&rack["status"], &rack["attributes"]["netbox"]["status"]), (&json!("ACTIVE"), &json!("available")));

    let front = seen.fields("dcim.frontport:1297");
    assert_eq!(front.get("enabled"), None, "NetBox does not say it");
    assert_eq!(
        (&front["type"], &front["connector"], &front["positions"]),
        (&json!("PATCH_FRONT"), &json!("sc"), &json!(1))
    );
    assert_eq!(
        front["passThrough"],
        json!([{"position": 1, "rear": reference("dcim.rearport:1250"), "rearPosition": 1}])
    );
    assert_eq!(seen.fields("dcim.rearport:1250")["positions"], 48);
    assert_eq!(seen.fields("dcim.poweroutlet:1")["fedBy"], json!([{"port": reference("dcim.powerport:14")}]));
    assert_eq!(seen.fields("dcim.consoleport:1")["type"], "SERIAL");
    let interface = seen.fields("dcim.interface:1");
    assert_eq!(
        (&interface["type"], &interface["lag"], &interface["addresses"]),
        (&json!("ETHERNET"), &Value::Null, &json!([]))
    );

    let feed = seen.fields("dcim.powerfeed:1");
    assert_eq!(
        (&feed["site"], &feed["upstream"]),
        (&reference("dcim.site:21"), &json!({"powerFeed": reference("dcim.powerpanel:1")}))
    );
    assert_eq!(
        (&feed["voltage"], &feed["ampsRated"], &feed["phase"]),
        (&json!(220), &json!(20), &json!("SINGLE_PHASE"))
    );

    let cable = seen.fields("dcim.cable:1");
    assert_eq!((&cable["name"], &cable["label"], &cable["media"]), (&json!("#1"), &Value::Null, &json!("FIBER_SMF")));
    assert_eq!(cable["aEnds"], json!([{"circuitTermination": reference("circuits.circuittermination:15")}]));
    assert_eq!(cable["bEnds"], json!([{"port": reference("dcim.interface:157")}]));
    assert_eq!(cable["lanes"], json!([]));

    let end = seen.fields("circuits.circuittermination:23");
    assert_eq!((&end["side"], &end["name"], &end["site"]), (&json!("Z"), &json!("Z"), &reference("dcim.site:2")));
    let machine = seen.fields("virtualization.virtualmachine:361");
    assert_eq!((&machine["cluster"], &machine["host"]), (&reference("virtualization.cluster:9"), &Value::Null));
    assert_eq!(
        (&machine["allocation"], &machine["labels"]["netbox/platform"]),
        (&Value::Null, &json!("ubuntu-linux-20-04"))
    );
    let port = seen.fields("virtualization.vminterface:901");
    assert_eq!(
        (&port["type"], &port["virtualMachine"]),
        (&json!("VIRTUAL"), &reference("virtualization.virtualmachine:361"))
    );
    assert_eq!(port.get("connector"), None);
}

#[tokio::test]
async fn values_without_a_counterpart_are_reported_and_not_made_up() {
    let replay = Replay::demo().await;
    let machines = "virtualization/virtual-machines";
    replay.change(machines, "virtualization.virtualmachine", 361, json!({"cluster": null, "site": {"id": 2}}));
    replay.change(machines, "virtualization.virtualmachine", 362, json!({"vcpus": 0.5, "memory": 4096}));
    replay.change("dcim/power-feeds", "dcim.powerfeed", 1, json!({"voltage": -48}));
    replay.change("dcim/cables", "dcim.cable", 1, json!({"b_terminations": []}));
    replay.change("dcim/cables", "dcim.cable", 2, json!({"profile": {"value": "ring-3c3p", "label": "?"}}));
    replay.change("circuits/circuits", "circuits.circuit", 19, json!({"commit_rate": 512}));
    replay.change("circuits/circuits", "circuits.circuit", 1, json!({"commit_rate": 1544}));
    replay.change("dcim/sites", "dcim.site", 24, json!({"comments": "x".repeat(20_000)}));
    replay.change("dcim/sites", "dcim.site", 2, json!({"latitude": 52.3, "longitude": null}));
    replay.change("dcim/sites", "dcim.site", 3, json!({"latitude": null, "longitude": "4.890000"}));
    replay.change("dcim/devices", "dcim.device", 99, json!({"site": {"id": 2, "name": "x"}, "rack": null}));
    replay.change("dcim/device-types", "dcim.devicetype", 8, json!({"u_height": 0.0}));
    replay.change("dcim/devices", "dcim.device", 27, json!({"face": {"value": "rear", "label": "Rear"}}));
    replay.change(
        "dcim/interfaces",
        "dcim.interface",
        1,
        json!({
            "lag": {"id": 833, "device": {"id": 2, "name": "another"}, "name": "Po1"},
        }),
    );
    let seen = scan(&netbox(&replay)).await;
    for (id, expected, is_written) in [
        ("virtualization.virtualmachine:361", "has only a site, and needs a cluster or a device that hosts it", false),
        ("virtualization.vminterface:901", "the virtual machine of the interface cannot be written", false),
        ("virtualization.virtualmachine:362", "vcpus is 0.5, and must be a whole number of at least 1", true),
        ("dcim.powerfeed:1", "voltage is -48, and must be at least 1", true),
        ("dcim.cable:1", "the cable has no end on side B, and needs one on each side", false),
        ("dcim.cable:2", "does not know how the profile \"ring-3c3p\" joins its ends", false),
        ("circuits.circuit:19", "commit_rate is 512 kbit/s", true),
        ("dcim.site:24", "comments has 200", true),
        ("dcim.site:2", "latitude is given without a longitude, so the site has no coordinates", true),
        ("dcim.site:3", "longitude is given without a latitude, so the site has no coordinates", true),
        ("dcim.device:99", "virtual_chassis has its master at another site", true),
        ("dcim.interface:1", "lag is of a device that is not in the same stack", true),
    ] {
        let messages = seen.messages(id);
        assert!(messages.iter().any(|message| message.contains(expected)), "{id}: {messages:?}");
        assert_eq!(seen.has(id), is_written, "{id}");
    }
    let gone: Vec<_> = seen.bad.iter().filter(|thing| thing.presence == Presence::Gone).collect();
    assert_eq!(gone.len(), 1, "{gone:?}");
    assert_eq!(gone[0].external_id, "dcim.cable:1", "the rest of a cable is none");
    let machine = seen.fields("virtualization.virtualmachine:362");
    assert_eq!(machine["allocation"], json!({"vcpus": null, "memoryBytes": 4_096_000_000_u64, "disks": []}));
    assert_eq!(machine["attributes"]["netbox"]["vcpus"], 0.5);
    assert_eq!(seen.fields("dcim.powerfeed:1")["voltage"], Value::Null);
    assert_eq!(seen.fields("circuits.circuit:19")["bandwidthMbps"], Value::Null);
    let t1 = seen.fields("circuits.circuit:1");
    assert_eq!((&t1["bandwidthMbps"], &t1["attributes"]["netbox"]["commit_rate"]), (&json!(1), &json!(1544)));
    assert_eq!(seen.fields("dcim.site:24")["attributes"]["netbox"].get("comments"), None);
    for (id, member, value) in [(2, "latitude", json!(52.3)), (3, "longitude", json!(4.89))] {
        let site = seen.fields(&format!("dcim.site:{id}"));
        assert_eq!((&site["coordinates"], &site["attributes"]["netbox"][member]), (&Value::Null, &value));
    }
    assert_eq!(seen.fields("dcim.device:99")["parent"], Value::Null);
    let at_the_side = json!({"rack": {"externalId": "dcim.rack:1"}, "face": "REAR"});
    assert_eq!(seen.fields("dcim.device:27")["placement"], at_the_side, "it takes no unit, and has a face");
    assert!(seen.bad.iter().all(|thing| thing.kind.is_some()), "every thing is named: {:#?}", seen.bad);
}

#[tokio::test]
async fn custom_fields_and_tags_become_labels_where_they_can() {
    let replay = Replay::demo().await;
    let long = "a".repeat(64);
    replay.change(
        "dcim/sites",
        "dcim.site",
        24,
        json!({
            "custom_fields": {
                "code": "R2-D2", "note": "two words", "count": 7, "ready": false, "empty": null, "tail_": "x",
                "owner": {"id": 3, "url": "http://x", "display": "Jane", "name": "Jane"}, "list": ["a", "b"],
                "huge": 1e300,
            },
            "tags": [{"id": 900, "name": "New", "slug": "new"}, {"id": 901, "name": "Long", "slug": long}],
        }),
    );
    let seen = scan(&netbox(&replay)).await;
    let site = seen.fields("dcim.site:24");
    // Only the labels that the object has: the server removes the others.
    assert_eq!(
        site["labels"],
        json!({
            "cf.netbox/code": "R2-D2", "cf.netbox/count": "7", "cf.netbox/ready": "false", "tag.netbox/new": "true",
            "netbox/tenant": "nc-state",
        })
    );
    assert_eq!(
        site["attributes"]["netbox"],
        json!({
            "custom_fields": {"note": "two words", "tail_": "x", "owner": "Jane", "list": ["a", "b"]},
            "tags": [long], "facility": "BUT",
        })
    );
    let messages = seen.messages("dcim.site:24");
    assert!(messages.len() == 1 && messages[0].contains("custom_fields.huge holds the number"), "{messages:?}");
}

#[tokio::test]
async fn an_unknown_word_is_reported_once_and_gets_the_default() {
    let replay = Replay::demo().await;
    let role = |slug: &str| json!({"role": {"id": 77, "name": slug, "slug": slug}});
    replay.change("dcim/devices", "dcim.device", 27, role("espresso"));
    replay.change("dcim/devices", "dcim.device", 34, role("espresso"));
    replay.put("dcim/device-roles", "dcim.devicerole", json!({"id": 78, "slug": "edge-pdu", "parent": {"id": 5}}));
    replay.change(
        "dcim/devices",
        "dcim.device",
        35,
        json!({"role": {"id": 78, "name": "Edge PDU", "slug": "edge-pdu"}}),
    );
    let seen = scan(&netbox(&replay)).await;
    let words: Vec<_> = seen.bad.iter().filter(|thing| thing.code == "UNKNOWN_WORD").collect();
    assert_eq!(words.len(), 1, "{words:?}");
    assert_eq!(
        words[0].message,
        "\"espresso\" is not in the word list device-role, so OTHER is written for it; add it to the list"
    );
    assert_eq!(seen.fields("dcim.device:34")["role"], "OTHER");
    assert_eq!(seen.fields("dcim.device:34")["labels"]["netbox/role"], "espresso");
    // A role without a word takes that of the role above it.
    assert_eq!(seen.fields("dcim.device:35")["role"], "PDU");

    // A device in a chassis has no place in a rack of its own.
    replay.change("dcim/devices", "dcim.device", 98, json!({"role": {"id": 79, "name": "Chassis", "slug": "chassis"}}));
    let seen = scan(&netbox(&replay)).await;
    let messages = seen.messages("dcim.device:99");
    assert!(messages.iter().any(|message| message.contains("a master with the role of a chassis")), "{messages:?}");
    assert_eq!(seen.fields("dcim.device:99")["parent"], Value::Null);
    replay.change("dcim/devices", "dcim.device", 98, json!({"role": {"id": 79, "name": "Switch", "slug": "switch"}}));

    let words = Words::new(Some("[device-role.words]\nespresso = \"SERVER\"")).expect("words");
    let netbox = NetBox::new(Settings { words, tenants: Tenants::Border, ..settings(&replay) }).expect("an adapter");
    let seen = scan(&netbox).await;
    assert_eq!(seen.fields("dcim.device:34")["role"], "SERVER");
    assert_eq!(seen.fields("dcim.site:24")["tenant"], "nc-state");
    assert!(seen.bad.is_empty(), "{:?}", seen.bad);
}

#[tokio::test]
async fn profiles_of_cables_become_lanes() {
    let replay = Replay::demo().await;
    // A breakout: interface 1 of side A with four positions, to four interfaces of side B.
    let end = |of: &str, id: u64| json!({"object_type": of, "object_id": id, "object": {"id": id}});
    let free: Vec<u64> = replay
        .list("dcim/interfaces")
        .iter()
        .filter(|it| it["cable"].is_null() && it["type"]["value"] == "10gbase-x-sfpp")
        .filter_map(|it| it["id"].as_u64())
        .take(5)
        .collect();
    let (near, far) = (free[0], &free[1..]);
    replay.put(
        "dcim/cables",
        "dcim.cable",
        json!({
            "id": 900, "label": "breakout", "type": "mmf-om4", "status": {"value": "connected", "label": "Connected"},
            "profile": {"value": "breakout-1c4p-4c1p", "label": "1C4P:4C1P breakout"}, "tags": [], "custom_fields": {},
            "length": "12.50", "length_unit": {"value": "ft", "label": "Feet"}, "color": "",
            "a_terminations": [end("dcim.interface", near)],
            // The order of the list is not that of the connectors.
            "b_terminations": far.iter().rev().map(|id| end("dcim.interface", *id)).collect::<Vec<_>>(),
        }),
    );
    let termination = |id: u64, side: &str, of: u64, connector: u64, positions: Value| {
        let members = json!({
            "id": id, "cable": 900, "cable_end": side, "termination_type": "dcim.interface", "termination_id": of,
            "connector": connector, "positions": positions,
        });
        replay.put("dcim/cable-terminations", "dcim.cabletermination", members);
    };
    termination(9_000, "A", near, 1, json!([1, 2, 3, 4]));
    for (at, id) in far.iter().enumerate() {
        termination(9_001 + at as u64, "B", *id, at as u64 + 1, json!([1]));
    }
    for id in &free {
        replay.change("dcim/interfaces", "dcim.interface", *id, json!({"cable": {"id": 900}}));
    }
    let netbox = netbox(&replay);
    let seen = scan(&netbox).await;
    let cable = seen.fields("dcim.cable:900");
    let lane = |position: u64, end: u64| json!({"aEnd": 1, "aPosition": position, "bEnd": end, "bPosition": 1});
    assert_eq!(cable["lanes"], json!([lane(1, 4), lane(2, 3), lane(3, 2), lane(4, 1)]));
    assert_eq!(
        (&cable["name"], &cable["label"], &cable["lengthM"]),
        (&json!("#900"), &json!("breakout"), &json!(3.81))
    );
    assert_eq!(seen.fields(&format!("dcim.interface:{near}"))["positions"], 4);
    assert_eq!(seen.fields(&format!("dcim.interface:{}", far[0]))["positions"], 1);
    assert!(seen.bad.is_empty(), "{:?}", seen.bad);
    // A look at the cable yields its ports too, because the cable decides how many positions they have.
    let id = seen.items.iter().find(|item| item.id().id == "dcim.cable:900").expect("the cable").id();
    let items = underlay_kit::sync::Adapter::look(&netbox, id).await.expect("a look").expect("it is there");
    assert_eq!(items.len(), 6);
    for item in &items {
        assert_eq!(Value::Object(item.fields().clone()), seen.fields(&item.id().id), "{}", item.id());
    }
}

#[tokio::test]
async fn a_new_tag_changes_no_other_object() {
    let replay = Replay::demo().await;
    let netbox = netbox(&replay);
    let before = scan(&netbox).await;
    for id in 1_000..1_200 {
        let slug = format!("tag-{id}");
        replay.put("extras/tags", "extras.tag", json!({"id": id, "name": slug, "slug": slug}));
    }
    let tags = json!({"tags": [{"id": 1_199, "name": "tag-1199", "slug": "tag-1199"}]});
    replay.change("dcim/devices", "dcim.device", 27, tags);
    let after = scan(&netbox).await;
    let changed: Vec<_> = before
        .sorted()
        .into_iter()
        .zip(after.sorted())
        .filter(|(one, other)| one != other)
        .map(|(one, _)| &one.id().id)
        .collect();
    assert_eq!(changed, ["dcim.device:27"]);
    assert_eq!(after.fields("dcim.device:27")["labels"]["tag.netbox/tag-1199"], "true", "however many tags there are");
}

#[tokio::test]
async fn a_feed_is_not_supplied_to_a_rack_at_another_site() {
    let replay = Replay::demo().await;
    let feed = replay.list("dcim/power-feeds").into_iter().find(|feed| !feed["rack"].is_null()).expect("a feed");
    let (feed, rack) = (feed["id"].as_u64().expect("an id"), feed["rack"]["id"].as_u64().expect("an id"));
    let id = format!("dcim.powerfeed:{feed}");
    let netbox = netbox(&replay);
    assert_eq!(scan(&netbox).await.fields(&id)["rack"], json!({"externalId": format!("dcim.rack:{rack}")}));
    // NetBox moves a rack without its feeds.
    replay.change(
        "dcim/racks",
        "dcim.rack",
        rack,
        json!({"site": {"id": 24, "name": "x", "slug": "x"}, "location": null}),
    );
    let seen = scan(&netbox).await;
    assert_eq!(seen.fields(&id)["rack"], Value::Null);
    assert_eq!(seen.messages(&id), ["rack is at another site than the panel, so the feed has none"]);
    let item = seen.items.iter().find(|item| item.id().id == id).expect("the feed");
    let looked = underlay_kit::sync::Adapter::look(&netbox, item.id()).await.expect("a look").expect("it is there");
    assert_eq!(looked, std::slice::from_ref(item));
}
