//! `underlay get`: tables and names, the selection of objects, and how objects are named.

use serde_json::json;

use super::apply::{FLEET, apply, done};
use crate::harness::{Cli, Database, Outcome, Server};

/// A server with the fleet of a file.
pub async fn fleet() -> Server {
    let server = Server::start(Database::Sqlite).await;
    done(&apply(&server, FLEET).await);
    server
}

/// The same with a source and with hosts, so that it has objects of every kind.
pub async fn fleet_of_every_kind() -> Server {
    let server = fleet().await;
    let more = vec![
        json!({"source": {"name": "erp", "type": "exec"}}),
        json!({"hostClass": {"name": "large", "match": {"cpuCores": 64, "disks": [{"count": 2}], "labels": {"a": "b"}}}}),
        json!({"credential": {"name": "bmc", "type": "BASIC", "username": "root", "allowedHosts": ["10.0.0.0/8"]}}),
        json!({"profile": {"name": "wipe", "purpose": "WIPE", "arguments": ["quiet"]}}),
        json!({"appliance": {"name": "rack-1", "type": "REDFISH", "url": "redfish://10.0.0.7", "credential": {"credential": "bmc"}}}),
        json!({"host": {"name": "brave-otter", "class": {"hostClass": "large"}, "appliance": {"appliance": "rack-1"}, "bmcUrl": "redfish://10.0.0.8",
            "bmcCredential": {"credential": "bmc"}, "bootMac": "00:00:5e:00:53:01", "rootDevice": {"rotational": false},
            "maintenance": {"ann": "a fan"}, "machine": {"device": {"device": "srv-1"}}}}),
    ];
    server.client().apply_all(more).await;
    server
}

async fn get(server: &Server, arguments: &[&str]) -> Outcome {
    server.cli(["get"].iter().chain(arguments)).await
}

#[tokio::test]
async fn tables_show_the_most_important_columns() {
    let server = fleet_of_every_kind().await;
    for (arguments, expected) in [
        (
            &["racks"][..],
            "NAME        LOCATION  ROW  HEIGHT  STATUS  DEVICES\ngent-1/r01  gent-1/hall-1    4    47U     STAGED  4\n",
        ),
        (
            &["port", "leaf-1/Ethernet1/1", "gent-1/panel-1/front/1"],
            "NAME                      TYPE         SPEED  CABLE      PEERS\n\
             gent-1/leaf-1/Ethernet1/1  OPTICAL      -      hand-over  uplink/A\n\
             gent-1/panel-1/FRONT/1     PATCH_FRONT  -      w-1        srv-1/eth0\n",
        ),
        (
            &["cable/w-1"],
            "NAME  A-ENDS      B-ENDS              MEDIA      STATUS\n\
             w-1   gent-1/srv-1/eth0  gent-1/panel-1/FRONT/1  FIBER_SMF  CONNECTED\n",
        ),
        (&["regions", "-o", "name"], "region/benelux\nregion/flanders\n"),
        (&["regions", "--limit", "1", "-o", "name"], "region/benelux\n"),
    ] {
        let outcome = get(&server, arguments).await;
        let plain = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(plain(done(&outcome)), plain(expected), "{arguments:?}: {}", outcome.stdout);
    }
    let wide = get(&server, &["racks", "-o", "wide"]).await;
    let headings = done(&wide).lines().next().unwrap_or_default().split_whitespace().collect::<Vec<_>>();
    assert!(["SERIAL", "LABELS", "UPDATED-AT", "ID"].iter().all(|heading| headings.contains(heading)), "{headings:?}");
    // Every kind has a table in both widths.
    for kind in underlay_kinds::registry().kinds() {
        for output in ["table", "wide", "name"] {
            let outcome = get(&server, &[kind.singular, "-o", output]).await;
            let lines = done(&outcome).lines().count();
            assert!(lines > usize::from(output != "name"), "{}: {outcome:?}", kind.name);
            assert!(outcome.stdout.lines().all(|line| line == line.trim_end()), "{outcome:?}");
        }
    }
}

#[tokio::test]
async fn objects_are_chosen_by_labels_places_and_filters() {
    let server = fleet().await;
    for (arguments, expected) in [
        (&["devices", "--within", "rack/gent-1/r01"][..], &["leaf-1", "panel-1", "pdu-1", "srv-1", "blade-1"][..]),
        (&["devices", "--within", "device/srv-1"], &["blade-1"]),
        (&["devices", "--filter", "{role: {in: [LEAF, PDU]}}"], &["leaf-1", "pdu-1"]),
        (&["devices", "--filter", r#"{"role": {"eq": "LEAF"}}"#, "--within", "site/gent-1"], &["leaf-1"]),
        (&["virtualMachines", "-l", "app in (shop,x),!legacy"], &["vm-1"]),
        (&["sites", "--label", "env=stage"], &[]),
    ] {
        let outcome = server.cli(["get", "-o", "name"].iter().chain(arguments)).await;
        assert_eq!(outcome.code, 0, "{outcome:?}");
        let mut names: Vec<&str> = outcome.stdout.lines().filter_map(|line| line.rsplit('/').next()).collect();
        let mut expected = expected.to_vec();
        names.sort_unstable();
        expected.sort_unstable();
        assert_eq!(names, expected, "{arguments:?}");
        let printed = if expected.is_empty() { "there are no such sites\n" } else { "" };
        assert_eq!(outcome.stderr, printed);
    }
}

#[tokio::test]
async fn lists_are_in_the_order_of_what_is_printed() {
    let server = Server::start(Database::Sqlite).await;
    // The sites are made in another order than that of their names.
    let sites = ["m", "z", "a", "b10", "b9"].map(|site| json!({"site": {"name": site, "type": "EDGE"}}));
    let racks = ["z", "a", "m", "b9", "b10"].into_iter().flat_map(|site| {
        ["r10", "r9"].map(|rack| json!({"rack": {"site": {"site": site}, "name": rack, "heightU": 42}}))
    });
    server.client().apply_all(sites.into_iter().chain(racks).collect()).await;
    let expected = ["a", "b9", "b10", "m", "z"].map(|site| format!("rack/{site}/r9\nrack/{site}/r10\n")).concat();
    assert_eq!(done(&get(&server, &["racks", "-o", "name"]).await), expected);
    // Page after page, in both directions.
    let query = "query($after: String) { racks(first: 3, after: $after, orderBy: {by: PATH, direction: DESC}) {
        nodes { name site { name } } pageInfo { hasNextPage endCursor } } }";
    let (mut found, mut after) = (String::new(), json!(null));
    loop {
        let page = server.client().ok(query, json!({ "after": after })).await["racks"].take();
        for node in page["nodes"].as_array().expect("nodes") {
            let path = format!(
                "rack/{}/{}\n",
                node["site"]["name"].as_str().expect("a name"),
                node["name"].as_str().expect("a name")
            );
            found.insert_str(0, &path);
        }
        if page["pageInfo"]["hasNextPage"] != true {
            break;
        }
        after = page["pageInfo"]["endCursor"].clone();
    }
    assert_eq!(found, expected);
}

#[tokio::test]
async fn every_name_that_is_printed_can_be_typed() {
    let server = fleet_of_every_kind().await;
    for kind in underlay_kinds::registry().kinds() {
        let outcome = get(&server, &[kind.singular, "-o", "name"]).await;
        for name in done(&outcome).lines() {
            let again = get(&server, &[name, "-o", "name"]).await;
            assert_eq!(done(&again), format!("{name}\n"));
        }
    }
    let query = "{ ports(filter: {name: {eq: \"eth0.7\"}}) { nodes { id } } }";
    let id = server.client().ok(query, json!({})).await["ports"]["nodes"][0]["id"].clone();
    let id = id.as_str().expect("an id");
    for arguments in [[&format!("port/{id}"), "-o", "name"], ["port/srv-1/eth0.7", "-o", "name"]] {
        assert_eq!(done(&get(&server, &arguments).await), "port/gent-1/srv-1/eth0.7\n");
    }
    assert_eq!(done(&get(&server, &["port", id, "-o", "name"]).await), "port/gent-1/srv-1/eth0.7\n");
}

#[tokio::test]
async fn missing_and_ambiguous_objects_are_reported() {
    let server = fleet().await;
    let twin = json!([
        {"site": {"name": "gent-2", "type": "EDGE"}},
        {"rack": {"site": {"site": "gent-2"}, "name": "r01", "heightU": 1}},
        {"rack": {"site": {"site": "gent-2"}, "name": "gent-1/r01", "heightU": 1}},
    ]);
    server.client().apply_all(twin.as_array().expect("a list").clone()).await;
    let ambiguous = "error: rack/r01 fits 2 objects: rack/gent-1/r01, rack/gent-2/r01 (AMBIGUOUS)\n\
                     hint: name more of its parents, or use its id\n";
    for (arguments, code, expected) in [
        (&["rack", "r01"][..], 1, ambiguous),
        (&["rack", "R01"], 1, "error: there is no rack/R01 (NOT_FOUND)\nhint: `underlay get KIND`"),
        (&["devices", "--within", "rack/r01"], 1, ambiguous),
        (&["devise"], 2, "error: there is no kind \"devise\"; did you mean device? Allowed: region, site,"),
        (&["rack/"], 2, "an empty part between slashes names nothing"),
        (
            &["rack", "r01", "--limit", "3"],
            2,
            "--label, --within, --filter and --limit cannot be used with named objects",
        ),
        (&["racks", "--limit", "0"], 2, "invalid value '0' for '--limit <NUMBER>'"),
        (&["racks", "--within", "r01"], 2, "write KIND/NAME, with as many parents as are needed"),
        (&["racks", "--filter", "status=FAILED"], 2, "the filter must be GraphQL or JSON"),
        (&["racks", "--filter", "{colour: {eq: RED}}"], 1, "unknown field \"colour\" of type \"RackFilter\" (INVALID)"),
        (&["racks", "--label", "a in"], 1, "the label selector has \"a in\""),
        (&["circuitTerminations", "-o", "yaml"], 2, "use `underlay get circuits`"),
    ] {
        let outcome = get(&server, arguments).await;
        assert_eq!((outcome.code, outcome.stdout.as_str()), (code, ""), "{arguments:?}: {outcome:?}");
        assert!(outcome.stderr.contains(expected), "{arguments:?}: {}", outcome.stderr);
    }
    // A name with a slash is found, and does not hide an object whose path reads the same.
    assert_eq!(done(&get(&server, &["rack/gent-2/gent-1/r01", "-o", "name"]).await), "rack/gent-2/gent-1/r01\n");
    assert_eq!(done(&get(&server, &["rack/gent-1/r01", "-o", "name"]).await), "rack/gent-1/r01\n");
    let outcome = Cli::new(["get", "racks"]).await;
    assert_eq!((outcome.code, outcome.stdout.as_str()), (3, ""), "{outcome:?}");
}

#[tokio::test]
async fn lists_longer_than_a_page_are_read_to_their_end() {
    let server = Server::start(Database::Sqlite).await;
    let regions = (0..2_100).map(|number| json!({"region": {"name": format!("r{number}")}}));
    server.client().apply_all(regions.collect()).await;
    for (limit, expected) in [(None, 2_100), (Some("1000"), 1_000), (Some("1001"), 1_001), (Some("5000"), 2_100)] {
        let arguments = limit.map_or_else(Vec::new, |limit| vec!["--limit", limit]);
        let outcome = server.cli(["get", "regions", "-o", "name"].iter().chain(&arguments)).await;
        let mut names: Vec<&str> = done(&outcome).lines().collect();
        names.dedup();
        assert_eq!(names.len(), expected, "{limit:?}");
    }
    let json = get(&server, &["regions", "-o", "json"]).await;
    let list: serde_json::Value = serde_json::from_str(done(&json)).expect("JSON");
    assert_eq!(list["items"].as_array().map(Vec::len), Some(2_100));
}

#[tokio::test]
async fn colours_are_for_terminals() {
    let server = fleet().await;
    for (name, value, coloured) in [("NO_COLOR", "1", false), ("TERM", "xterm", false), ("CLICOLOR_FORCE", "1", true)] {
        let outcome = server.cli(["get", "sites"]).env(name, value).await;
        assert_eq!(done(&outcome).contains('\u{1b}'), coloured, "{name}");
    }
}
