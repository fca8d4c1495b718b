//! Tests the reader as a whole: our own form, mixed streams, lists, folders, and every kind of error.

use std::fs;
use std::path::Path as FilePath;

use serde_json::json;

use super::kinds::sample::Sample;
use super::*;

fn good(text: &str) -> Vec<ManifestItem> {
    let items = read_from("test.yaml", text.as_bytes(), &Sample);
    items.unwrap_or_else(|errors| panic!("{text}: {errors:?}"))
}

/// Reads a text that must be rejected and returns the errors as they are printed.
fn bad(text: &[u8]) -> Vec<String> {
    let errors = read_from("test.yaml", text, &Sample).err().unwrap_or_default();
    errors.iter().map(ManifestError::to_string).collect()
}

fn own(kind: &str, metadata: &Value, spec: &Value) -> String {
    json!({"apiVersion": "underlay/v1", "kind": kind, "metadata": metadata, "spec": spec}).to_string()
}

#[test]
fn each_kind_becomes_an_item_with_expanded_references() {
    let id = "01936f7a-8f2e-7c3b-9a51-0242ac120002";
    let cases = [
        ("Region", json!({"parent": "europe"}), json!({"region": {"parent": {"region": "europe"}}})),
        ("Site", json!({"type": "EDGE", "region": null}), json!({"site": {"type": "EDGE", "region": null}})),
        (
            "Location",
            json!({"site": id, "parent": "hall-1"}),
            json!({"location": {"site": {"id": id}, "parent": {"location": "hall-1"}}}),
        ),
        (
            "Rack",
            json!({"site": {"site": "ams1"}, "heightU": 42}),
            json!({"rack": {"site": {"site": "ams1"}, "heightU": 42}}),
        ),
        (
            "PowerFeed",
            json!({"rack": {"site": "ams1", "rack": "r1"}, "upstream": {"port": {"device": "pdu", "port": "1"}}}),
            json!({"powerFeed": {
                "rack": {"site": "ams1", "rack": "r1"},
                "upstream": {"port": {"device": "pdu", "port": "1"}},
            }}),
        ),
        (
            "Device",
            json!({"role": "PDU", "placement": {"rack": "r1", "startUnit": 1.5}, "tenant": "blue"}),
            json!({"device": {
                "role": "PDU",
                "placement": {"rack": {"rack": "r1"}, "startUnit": 1.5},
                "tenant": "blue",
            }}),
        ),
        (
            "Port",
            json!({"passThrough": [{"position": 1, "rear": "r"}], "fedBy": [{"powerFeed": "A"}, {"port": id}]}),
            json!({"port": {
                "passThrough": [{"position": 1, "rear": {"port": "r"}}],
                "fedBy": [{"powerFeed": {"powerFeed": "A"}}, {"port": {"id": id}}],
            }}),
        ),
        (
            "Cable",
            json!({"aEnds": [{"circuitTermination": "A"}], "bEnds": [{"port": {"source": "bcm", "externalId": "7"}}]}),
            json!({"cable": {
                "aEnds": [{"circuitTermination": {"side": "A"}}],
                "bEnds": [{"port": {"source": "bcm", "externalId": "7"}}],
            }}),
        ),
        (
            "Link",
            json!({"a": {"site": "ams1"}, "b": {"device": "leaf-1"}, "cables": ["c1", {"cable": "c2"}]}),
            json!({"link": {
                "a": {"site": {"site": "ams1"}},
                "b": {"device": {"device": "leaf-1"}},
                "cables": [{"cable": "c1"}, {"cable": "c2"}],
            }}),
        ),
        ("Provider", json!({"type": "CLOUD"}), json!({"provider": {"type": "CLOUD"}})),
        ("ProviderNetwork", json!({"provider": "p"}), json!({"providerNetwork": {"provider": {"provider": "p"}}})),
        (
            "Circuit",
            json!({
                "aEnd": {"site": "ams1", "port": {"device": "leaf-1", "port": "1"}},
                "zEnd": {"providerNetwork": {"provider": "p", "providerNetwork": "n"}},
            }),
            json!({"circuit": {
                "aEnd": {"site": {"site": "ams1"}, "port": {"device": "leaf-1", "port": "1"}},
                "zEnd": {"providerNetwork": {"provider": "p", "providerNetwork": "n"}},
            }}),
        ),
        ("Cluster", json!({"controlPlaneSite": "ams1"}), json!({"cluster": {"controlPlaneSite": {"site": "ams1"}}})),
        ("VirtualMachine", json!({"host": "n1"}), json!({"virtualMachine": {"host": {"device": "n1"}}})),
    ];
    assert_eq!(cases.len(), Sample.names().len());
    for (kind, spec, mut expected) in cases {
        let items = good(&own(kind, &json!({"name": "x", "labels": {"env": "lab", "old": null}}), &spec));
        let fields = expected.as_object_mut().and_then(|item| item.values_mut().next()).expect("fields");
        fields["name"] = json!("x");
        fields["labels"] = json!({"env": "lab", "old": null});
        assert_eq!(items.len(), 1);
        assert_eq!(items[0].item, expected);
        assert_eq!(items[0].origin.to_string(), format!("test.yaml, document 1, {kind}/x"));
    }
}

#[test]
fn a_stream_can_mix_both_forms_and_lists() {
    let text = "\
apiVersion: underlay/v1
kind: Region
metadata: {name: eu}
---
---
apiVersion: inventory.miloapis.com/v1alpha1
kind: Region
metadata: {name: us}
spec: {displayName: US}
---
apiVersion: v1
kind: List
metadata: {resourceVersion: ''}
items:
- {apiVersion: underlay/v1, kind: Cable, spec: {label: L1}}
- {apiVersion: inventory.miloapis.com/v1alpha1, kind: Region, metadata: {name: asia}, spec: {displayName: Asia}}
---
[{\"apiVersion\": \"underlay/v1\", \"kind\": \"Region\", \"metadata\": {\"name\": \"africa\"}}]
";
    let items: Vec<_> = good(text).into_iter().map(|item| (item.origin.to_string(), item.item)).collect();
    assert_eq!(
        items,
        [
            ("test.yaml, document 1, Region/eu".into(), json!({"region": {"name": "eu"}})),
            ("test.yaml, document 3, Region/us".into(), json!({"region": {"name": "us", "displayName": "US"}})),
            ("test.yaml, document 4, Cable".into(), json!({"cable": {"label": "L1"}})),
            ("test.yaml, document 4, Region/asia".into(), json!({"region": {"name": "asia", "displayName": "Asia"}})),
            ("test.yaml, document 5, Region/africa".into(), json!({"region": {"name": "africa"}})),
        ]
    );
}

#[test]
fn problems_of_a_manifest_are_reported() {
    let metadata = json!({"name": "x"});
    let rack = |spec: Value| own("Rack", &metadata, &spec);
    let with = |kind: &str, spec: Value| own(kind, &metadata, &spec);
    for (text, expected) in [
        ("just text".to_owned(), "document 1: a manifest must be an object with apiVersion, kind, metadata and spec"),
        ("[1]".to_owned(), "document 1, [0]: a manifest must be an object"),
        ("kind: [Rack]\napiVersion: underlay/v1".to_owned(), "document 1, kind: must be a text, not a list"),
        ("kind: Rack".to_owned(), "document 1, Rack, apiVersion: is missing"),
        ("apiVersion: underlay/v1".to_owned(), "document 1, kind: is missing"),
        ("apiVersion: underlay/v1\nkind: 5".to_owned(), "kind: must be a text, not the number 5"),
        (
            "apiVersion: underlay/v2\nkind: Rack".to_owned(),
            "apiVersion: \"underlay/v2\" is not supported; did you mean underlay/v1? \
             Allowed: underlay/v1, inventory.miloapis.com/v1alpha1",
        ),
        (
            "apiVersion: graph.inventory.miloapis.com/v1alpha2\nkind: NodeType\nmetadata: {name: host}".to_owned(),
            "NodeType/host, apiVersion: the graph model of Milo",
        ),
        (with("Rak", json!({})), "kind: there is no kind \"Rak\" in underlay/v1; did you mean Rack? Allowed: Region, "),
        (own("Rack", &json!({}), &json!({})), "document 1, Rack, metadata.name: is missing: a Rack must have a name"),
        (own("Rack", &json!(null), &json!({})), "metadata.name: is missing"),
        (own("Rack", &json!("r1"), &json!({})), "metadata: must be an object, not the text \"r1\""),
        (own("Rack", &json!({"name": 14}), &json!({})), "metadata.name: must be a text, not the number 14: put it in"),
        (own("Rack", &json!({"name": ""}), &json!({})), "metadata.name: must not be empty"),
        (
            own("Rack", &json!({"name": "x", "labels": {"a/b": true}}), &json!({})),
            "metadata.labels[\"a/b\"]: must be a text, not true",
        ),
        (own("Rack", &json!({"name": "x", "uid": "1"}), &json!({})), "metadata.uid: there is no such field"),
        (rack(json!([])), "document 1, Rack/x, spec: must be an object, not a list"),
        (
            rack(json!({"heigthU": 1})),
            "spec.heigthU: a Rack has no such field; did you mean heightU? Allowed: tenant, description, attributes",
        ),
        (rack(json!({"name": "y"})), "spec.name: stands in metadata: write metadata.name"),
        (rack(json!({"site": 7})), "spec.site: must be a text, not the number 7: put it in quotation marks"),
        (rack(json!({"site": []})), "spec.site: must be a name, a UUID or an object such as {site: …}, not a list"),
        (rack(json!({"site": {}})), "spec.site: must be a name, a UUID or an object such as {site: …}, not an object"),
        (rack(json!({"site": ""})), "spec.site: must be a name, a UUID or an object such as {site: …}"),
        (
            with("Link", json!({"a": "ams1"})),
            "spec.a: must be an object with one of the members {site: …}, {cluster: …}",
        ),
        (with("Link", json!({"a": {"site": "a", "device": "b"}})), "spec.a: must be an object with one of the members"),
        (
            with("Link", json!({"a": {"sites": "a"}})),
            "spec.a.sites: cannot be referred to here; did you mean site? Allowed: site, cluster, device",
        ),
        (
            with("Circuit", json!({"aEnd": {"sites": "ams1"}})),
            "spec.aEnd.sites: there is no such field; did you mean site? Allowed: site, providerNetwork, port",
        ),
        (with("Circuit", json!({"zEnd": "ams1"})), "spec.zEnd: must be an object, not the text \"ams1\""),
        (with("Circuit", json!({"zEnd": {"site": 1}})), "spec.zEnd.site: must be a text, not the number 1"),
        (with("Link", json!({"cables": "c1"})), "spec.cables: must be a list, not the text \"c1\""),
        (with("Link", json!({"cables": ["c1", 2]})), "spec.cables[1]: must be a text, not the number 2"),
        (with("Cable", json!({"aEnds": [{"rack": "x"}]})), "spec.aEnds[0].rack: cannot be referred to here"),
        (with("Device", json!({"placement": "r1"})), "spec.placement: must be an object, not the text \"r1\""),
        (with("Device", json!({"placement": {"rack": 1}})), "spec.placement.rack: must be a text, not the number 1"),
        (with("Port", json!({"passThrough": [{"rear": []}]})), "spec.passThrough[0].rear: must be a name, a UUID or"),
        (own("Rack", &metadata, &json!({})).replace("spec", "status"), "status: there is no such field"),
        ("{\"kind\": \"List\"}".to_owned(), "document 1, items: is missing"),
        ("{\"kind\": \"List\", \"items\": {}}".to_owned(), "document 1, items: must be a list, not an object"),
        (
            "{\"kind\": \"List\", \"items\": [{\"kind\": \"List\", \"items\": [7]}]}".to_owned(),
            "items[0].items[0]: a manif",
        ),
    ] {
        let errors = bad(text.as_bytes());
        assert_eq!(errors.len(), 1, "{text}: {errors:?}");
        assert!(errors[0].starts_with("test.yaml, document 1") && errors[0].contains(expected), "{text}: {errors:?}");
    }
}

#[test]
fn all_bad_documents_and_all_their_problems_are_reported() {
    let text = "\
apiVersion: underlay/v1
kind: Rack
metadata: {name: r1}
spec: {hight: 1, colour: red}
---
a: [
---
apiVersion: underlay/v1
kind: Rack
metadata: {name: r2}
---
apiVersion: underlay/v1
kind: Rick
";
    let errors = bad(text.as_bytes());
    let starts = [
        "test.yaml, document 1, Rack/r1, spec.hight: a Rack has no such field",
        "test.yaml, document 1, Rack/r1, spec.colour: a Rack has no such field",
        "test.yaml, document 2: is not YAML that can be read, at line ",
        "test.yaml, document 4, Rick, kind: there is no kind \"Rick\"",
    ];
    assert_eq!(errors.len(), starts.len(), "{errors:?}");
    assert!(errors.iter().zip(starts).all(|(error, start)| error.starts_with(start)), "{errors:?}");
}

#[test]
fn the_number_of_problems_is_limited() {
    let errors = bad("{}\n".repeat(5_000).as_bytes());
    assert!((1_000..1_010).contains(&errors.len()), "{}", errors.len());
    assert_eq!(errors.last().map(String::as_str), Some("test.yaml: has too many problems: the rest was not checked"));
}

#[test]
fn other_files_are_rejected() {
    for (text, expected) in [
        (&b""[..], "test.yaml: holds no manifest: there is nothing but empty documents and comments"),
        (b"# nothing\n---\n---\n", "test.yaml: holds no manifest"),
        (b"a: \xc3\x28\n", "test.yaml: is not valid UTF-8 at line 1"),
        (b"\xff\xfea\0:\0", "test.yaml: holds a NUL character at line 1"),
        (b"apiVersion: underlay/v1\nkind: \"R", "test.yaml, document 1: is not YAML that can be read"),
        (b"{\"kind\": \"List\", \"kind\": \"List\"}", "test.yaml, document 1: is not JSON that can be read, at line 1"),
    ] {
        let errors = bad(text);
        assert!(errors.len() == 1 && errors[0].starts_with(expected), "{errors:?}");
    }
}

#[cfg(unix)]
#[test]
fn folders_and_files_are_read_by_path() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("a file");
    let region = |name: &str| own("Region", &json!({ "name": name }), &json!({}));
    write("b.json", &format!("{}\n{}", region("b1"), region("b2")));
    write("a.yaml", &region("a"));
    write("c.yml", "# nothing yet\n");
    let names = |path: &FilePath| {
        read(path, &Sample).map(|items| items.iter().map(|it| it.item.to_string()).collect::<String>())
    };
    let named = |name: &str| json!({"region": {"name": name}}).to_string();
    assert_eq!(names(folder.path()), Ok(named("a") + &named("b1") + &named("b2")));
    assert_eq!(names(&folder.path().join("a.yaml")), Ok(named("a")));

    write("d.json", "kind: Region");
    std::os::unix::fs::symlink("nowhere", folder.path().join("e.yaml")).expect("a link");
    let errors = read(folder.path(), &Sample).err().unwrap_or_default();
    let reasons: Vec<_> = errors.iter().map(|error| error.reason.as_str()).collect();
    assert_eq!(reasons.len(), 2, "{reasons:?}");
    assert!(
        reasons[0].starts_with("is not JSON that can be read, at line 1") && reasons[1].starts_with("cannot be read: "),
        "{reasons:?}"
    );
    assert!(read(&folder.path().join("x"), &Sample).is_err_and(|errors| errors[0].reason.contains("No such file")));
}

/// Cuts and changes a valid stream at random, and checks that nothing panics.
#[test]
fn damaged_input_never_makes_the_reader_panic() {
    let text = include_str!("../../../../adapters/milo/tests/fleet.yaml").as_bytes();
    let mut state = 1_u32;
    for index in (0..text.len()).step_by(5) {
        let _ = read_from("cut", &text[..index], &Sample);
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let mut changed = text.to_vec();
        changed[index] = b"\0\xff:-{}[]\"'&*!|>%@`?,#~\n\t 09azN"[(state >> 16) as usize % 30];
        let _ = read_from("changed", &changed[..], &Sample);
    }
}
