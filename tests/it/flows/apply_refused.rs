//! `underlay apply` with invalid input: the exit code, the file, the document, the field and the sentence of the error.
//! Nothing is written.

use serde_json::{Value, json};

use super::apply::{FLEET, apply, done, manifest, revision};
use crate::harness::{Server, on_both_databases, scratch};

/// A good manifest, which must not be written because of the bad one after it.
fn good() -> String {
    manifest("Region", "good", &json!({}))
}

/// A refusal that is about the second document.
struct Bad {
    kind: &'static str,
    name: &'static str,
    spec: Value,
    /// The field and the sentence.
    expected: &'static str,
}

const fn bad(kind: &'static str, name: &'static str, spec: Value, expected: &'static str) -> Bad {
    Bad { kind, name, spec, expected }
}

on_both_databases! {
    async fn an_invalid_manifest_prevents_all_writes(server: Server) {
        let long = "x".repeat(254);
        let mut cases = vec![
            // Errors that the reader finds.
            bad("Rak", "r", json!({}), "kind: there is no kind \"Rak\" in underlay/v1; did you mean Rack? Allowed: "),
            bad("Rack", "r", json!({"hightU": 1}), "spec.hightU: a Rack has no such field; did you mean heightU? "),
            bad("Rack", "r", json!({"site": 5}), "spec.site: must be a text, not the number 5: put it in quotation"),
            bad("Link", "l", json!({"a": {"rack": "x"}}), "spec.a.rack: cannot be referred to here; "),
            // Errors that the server finds before it reads the inventory.
            bad("CircuitTermination", "A", json!({}), "spec.circuit: circuit is required to create a CircuitTermination"),
            bad(
                "Site",
                "s",
                json!({"type": "CAVE"}),
                "spec.type: type must be one of DATACENTER, AVAILABILITY_ZONE, EDGE, VIRTUAL, OTHER, not \"CAVE\" (INVALID)",
            ),
            bad(
                "Rack",
                "r",
                json!({"heightU": "tall"}),
                "spec.heightU: heightU must be a whole number from 1 to 100, not \"tall\" (INVALID)",
            ),
            bad("Rack", "r", json!({"heightU": 3_000_000_000_i64}), "spec.heightU: heightU must be a whole number from 1"),
            bad("Port", "p", json!({"enabled": "yes"}), "spec.enabled: enabled must be true or false, not \"yes\""),
            bad(
                "Circuit",
                "c",
                json!({"installedOn": "soon"}),
                "spec.installedOn: installedOn must be a date such as 2026-11-20: ",
            ),
            bad(
                "Device",
                "d",
                json!({"hardware": {"disks": [{"name": "a", "sizeBytes": "9", "type": "SSD"}]}}),
                "spec.hardware.disks[0].sizeBytes: ",
            ),
            bad("Device", "d", json!({"placement": {"rack": "r", "unit": 1}}), "spec.placement.unit: placement.unit is no field of PlacementInput; its fields are rack, startUnit, "),
            bad("Site", "s", json!({"coordinates": {"latitude": 1}}), "spec.coordinates.longitude: coordinates must be an object with latitude"),
            bad("Rack", "r", json!({"site": {"sight": "x"}}), "spec.site.sight: site.sight is no field of SiteRef; its fields are id, source, externalId, site"),
            // References to missing objects, and values that the rules do not allow.
            bad("Rack", "r", json!({"site": "nowhere", "heightU": 1}), "spec.site: Site nowhere does not exist (NOT_FOUND)"),
            bad("Rack", "r", json!({"heightU": 1}), "spec.site: site is required to create a Rack (INVALID)"),
            bad("Site", "s", json!({"type": "EDGE", "timeZone": "Mars"}), "spec.timeZone: timeZone must be an IANA time"),
            bad("Site", " s", json!({"type": "EDGE"}), "metadata.name: name must not begin or end with a space (INVALID)"),
            bad("Region", "r", json!({"parent": "r"}), "spec.parent: "),
            bad("VirtualMachine", "v", json!({}), "spec.host: host, cluster or provider is required to create a VirtualMachine"),
            bad("Port", "p", json!({"type": "ETHERNET"}), "spec.device: device, rack or virtualMachine is required to create a Port"),
        ];
        let name: &'static str = Box::leak(long.into_boxed_str());
        cases.push(bad("Region", name, json!({}), "metadata.name: name must be text of at most 253 characters"));
        let mut wrong = Vec::new();
        for case in cases {
            let text = good() + &manifest(case.kind, case.name, &case.spec);
            let outcome = apply(&server, text).await;
            assert_eq!((outcome.code, outcome.stdout.as_str()), (1, ""), "{}: {outcome:?}", case.expected);
            let line = outcome.stderr.lines().next().unwrap_or_default();
            let start = format!("error: standard input, document 2, {}/", case.kind);
            let is_refused = line.starts_with(&start) && line.contains(&format!(", {}", case.expected));
            if !is_refused || !outcome.stderr.contains("\nnothing was ") {
                wrong.push(format!("{}\nis expected in\n{}", case.expected, outcome.stderr));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        assert_eq!(revision(&server).await, 0);
    }

    async fn input_that_is_not_text_or_not_yaml_is_rejected(server: Server) {
        let folder = scratch::folder("manifests");
        let bomb: String = (0..30)
            .map(|level| match level {
                0 => "a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned(),
                _ => format!("a{level}: &a{level} [{}]\n", vec![format!("*a{}", level - 1); 9].join(", ")),
            })
            .collect();
        let truncated = FLEET.split_at(FLEET.find("sizeBytes").expect("a disk")).0;
        for (name, text, expected) in [
            ("nul.yaml", b"kind: a\0b\n".to_vec(), ": holds a NUL character at line 1: it is not text in UTF-8"),
            ("nul.json", br#"{"kind": "a\u0000b"}"#.to_vec(), ", document 1: is not JSON that can be read, at line 1"),
            ("latin.yaml", b"kind: Site\nname: \xe9\n".to_vec(), ": is not valid UTF-8 at line 2"),
            ("bomb.yaml", bomb.into_bytes(), "its aliases expand to more than 100000 values"),
            ("truncated.yaml", truncated.into(), ", document 1: is not YAML that can be read, at line 12"),
            ("empty.yaml", Vec::new(), ": holds no manifest"),
            ("list.yaml", b"- 1\n".to_vec(), ", document 1, [0]: a manifest must be an object with apiVersion, kind"),
            ("other.yaml", b"apiVersion: v1\nkind: Pod\n".to_vec(), ", document 1, Pod, apiVersion: \"v1\" is not supported"),
        ] {
            std::fs::write(folder.path().join(name), text).expect("a file");
            std::fs::write(folder.path().join("good.json"), good()).expect("a file");
            let outcome = server.cli(["apply", "-f", "good.json", "-f", name]).current_dir(folder.path()).await;
            assert_eq!((outcome.code, outcome.stdout.as_str()), (1, ""), "{name}: {outcome:?}");
            let line = outcome.stderr.lines().next().unwrap_or_default();
            assert!(line.starts_with(&format!("error: {name}")) && line.contains(expected), "{name}: {line}");
            assert!(outcome.stderr.ends_with("nothing was sent to the server: correct the files and run the command again\n"));
        }
        for (file, expected) in [("nowhere.yaml", "No such file"), (".", "sent")] {
            let outcome = server.cli(["apply", "-f", file]).current_dir(folder.path()).await;
            assert!(outcome.code == 1 && outcome.stderr.contains(expected), "{file}: {outcome:?}");
        }
        assert_eq!(revision(&server).await, 0);
    }

    async fn more_than_a_batch_can_take_is_refused(server: Server) {
        let many: String = (0..10_001).map(|number| manifest("Region", &format!("r{number}"), &json!({}))).collect();
        let outcome = apply(&server, many.as_str()).await;
        assert_eq!((outcome.code, outcome.stdout.as_str()), (1, ""), "{outcome:?}");
        assert_eq!(
            outcome.stderr,
            "error: the files hold 10001 objects; at most 10000 can be written together: apply fewer at a time, first \
             those that others refer to, or write each by itself with --per-item\nnothing was sent to the server\n"
        );
        let large = json!({"description": "x".repeat(16_000)});
        let large: String = (0..2_200).map(|number| manifest("Region", &format!("r{number}"), &large)).collect();
        let outcome = apply(&server, large).await;
        assert_eq!((outcome.code, outcome.stdout.as_str()), (1, ""), "{outcome:?}");
        assert!(outcome.stderr.contains("a server takes at most 33554432\nhint: nothing was written: apply fewer"));
        assert_eq!(revision(&server).await, 0);

        let most = many.lines().take(10_000).collect::<Vec<_>>().join("\n");
        assert!(done(&apply(&server, most).await).ends_with("\n10000 created\n"));
    }

    async fn all_problems_are_reported_at_once(server: Server) {
        let text = manifest("Rack", "r1", &json!({"site": "a", "heightU": 1}))
            + &good()
            + &manifest("Rack", "r2", &json!({"site": "b", "heightU": 1}));
        let outcome = apply(&server, text).await;
        assert_eq!(outcome.code, 1);
        assert_eq!(
            outcome.stderr,
            "error: standard input, document 1, Rack/r1, spec.site: Site a does not exist (NOT_FOUND)\n\
             error: standard input, document 3, Rack/r2, spec.site: Site b does not exist (NOT_FOUND)\n\
             nothing was written: the server refused 2 of 3 objects\n"
        );
        assert_eq!(revision(&server).await, 0);
    }
}
