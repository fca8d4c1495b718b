//! `underlay describe`: shows everything about an object.

use super::apply::{apply_with, done, manifest};
use super::get::{fleet, fleet_of_every_kind};

use serde_json::json;

#[tokio::test]
async fn describe_shows_all_fields_of_an_object() {
    let server = fleet().await;
    let change = manifest("Rack", "r01", &json!({"site": "gent-1", "status": "ACTIVE"}));
    done(&apply_with(&server, &["--source", "crm", "--conflicts", "force"], change).await);
    let outcome = server.cli(["describe", "rack/r01"]).await;
    let printed = done(&outcome);
    for line in [
        "rack/gent-1/r01  ACTIVE",
        "  Height    47U",
        "  Location  location/gent-1/hall-1",
        "Devices: 4",
        "  gent-1/srv-1    SERVER       r01   10.5        IB-2   ACTIVE",
        "Ports: 1",
        "Power feeds: 1",
        "  source crm  2      name, site, status",
    ] {
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert!(printed.lines().any(|it| words(it) == words(line)), "{line:?} is missing: {printed}");
    }
    let last = printed.lines().find(|line| line.contains("UPDATED")).unwrap_or_default();
    assert!(last.contains("local for crm") && last.ends_with("status STAGED → ACTIVE"), "{last}");
    assert!(printed.contains("CREATED"), "{printed}");
}

#[tokio::test]
async fn changes_name_the_ends_of_cables() {
    let server = fleet().await;
    let port =
        |device: &str, name: &str| json!({"port": {"device": {"device": device}, "name": name, "type": "ETHERNET"}});
    let end = |device: &str, port: &str| json!([{"port": {"device": device, "port": port}}]);
    let cable =
        |b: &str| json!({"cable": {"name": "spare", "aEnds": end("srv-1", "spare-0"), "bEnds": end("leaf-1", b)}});
    let ports = [port("srv-1", "spare-0"), port("leaf-1", "spare-1"), port("leaf-1", "spare-2")];
    server.client().apply_all(ports.into_iter().chain([cable("spare-1")]).collect()).await;
    server.client().apply_all(vec![cable("spare-2")]).await;
    let cable = server.cli(["describe", "cable/spare"]).await;
    let expected = "bEnds port/gent-1/leaf-1/DATA/spare-1 → port/gent-1/leaf-1/DATA/spare-2";
    assert!(done(&cable).lines().any(|line| line.ends_with(expected)), "{}", cable.stdout);
    // A port shows no drawing.
    let port = server.cli(["describe", "port/leaf-1/spare-2"]).await;
    assert!(!done(&port).contains("<svg") && !port.stdout.contains("svg"), "{}", port.stdout);
}

#[tokio::test]
async fn every_object_can_be_described() {
    let server = fleet_of_every_kind().await;
    for kind in underlay_kinds::registry().kinds() {
        let names = server.cli(["get", kind.singular, "-o", "name"]).await;
        let names: Vec<&str> = done(&names).lines().collect();
        let outcome = server.cli(["describe"].iter().chain(&names)).await;
        let printed = done(&outcome);
        for name in names {
            assert!(
                printed.lines().any(|line| line == name || line.starts_with(&format!("{name}  "))),
                "{name}: {printed}"
            );
        }
        assert!(!printed.contains("null") && !printed.contains("__typename"), "{printed}");
    }
    let port = server.cli(["describe", "port/srv-1/eth0"]).await;
    assert!(done(&port).lines().any(|line| line.trim_start().starts_with("Peers")), "{port:?}");
    let gone = server.cli(["describe", "rack/nowhere"]).await;
    assert_eq!((gone.code, gone.stdout.as_str()), (1, ""), "{gone:?}");
    assert!(gone.stderr.contains("there is no rack/nowhere (NOT_FOUND)"), "{gone:?}");
}
