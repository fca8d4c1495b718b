//! Providers: their fields, with contracts and identifiers.

use serde_json::{Value, json};

use crate::harness::world::{World, accept_all, refuse_all};

#[test]
fn providers() {
    let world = World::empty();
    let provider = |field: &str, value: Value| json!([{"provider": {"name": "p", "type": "CLOUD", field: value}}]);
    let contract = json!({"contractId": "1", "accountId": "2", "portalUrl": "https://portal.example/x", "notes": "n"});
    let identifiers = json!([{"name": "asn", "identifier": "64500"}]);
    accept_all(
        &world,
        &[
            ("a contract", provider("contract", contract)),
            ("http", provider("contract", json!({"portalUrl": "http://portal.example"}))),
            ("identifiers", provider("serviceIdentifiers", identifiers)),
        ],
    );
    for kind in ["HOSTING", "COLOCATION", "TRANSIT", "INTERNET_EXCHANGE", "DARK_FIBER", "CLOUD", "OTHER"] {
        accept_all(&world, &[(kind, provider("type", json!(kind)))]);
    }
    let url = "must be an http or https URL";
    let twice = json!([{"name": "a", "identifier": "1"}, {"name": "a", "identifier": "2"}]);
    let table = [
        ("type", json!("FRIEND"), "type", "must be one of HOSTING, COLOCATION, TRANSIT"),
        ("contract", json!({"portalUrl": "ftp://x"}), "contract.portalUrl", url),
        ("contract", json!({"portalUrl": "https://"}), "contract.portalUrl", url),
        ("contract", json!({"portalUrl": "javascript:alert(1)"}), "contract.portalUrl", url),
        ("contract", json!({"portalUrl": "https://a b"}), "contract.portalUrl", url),
        ("contract", json!({"portalUrl": 7}), "contract.portalUrl", url),
        ("contract", json!({"price": 1}), "contract", "price"),
        ("contract", json!("c"), "contract", "must be an object with contractId"),
        ("serviceIdentifiers", json!([{"identifier": "x"}]), "serviceIdentifiers[0].name", "is required"),
        ("serviceIdentifiers", json!([{"name": "a"}]), "serviceIdentifiers", "identifier"),
        ("serviceIdentifiers", twice, "serviceIdentifiers[1].name", "is in the list already"),
    ];
    for (field, value, path, says) in table {
        refuse_all(&world, &[(field, provider(field, value), "INVALID", path, says)]);
    }
}
