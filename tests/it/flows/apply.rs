//! `underlay apply` with valid manifests: every kind, every source of manifests, and the output.

use serde_json::json;

use crate::harness::{Cli, Outcome, Server, on_both_databases, scratch};

/// Manifests of every kind in our own form.
pub const FLEET: &str = include_str!("fleet.yaml");
/// The number of objects in these manifests, and the number of kinds.
const OBJECTS: usize = 36;
const KINDS: usize = 14;

/// A manifest in our own form, on one line, so that many of them are a stream.
pub fn manifest(kind: &str, name: &str, spec: &serde_json::Value) -> String {
    let document = json!({"apiVersion": "underlay/v1", "kind": kind, "metadata": {"name": name}, "spec": spec});
    format!("{document}\n")
}

/// Applies what is given on standard input.
pub async fn apply(server: &Server, text: impl Into<Vec<u8>>) -> Outcome {
    apply_with(server, &[], text).await
}

/// Applies standard input with more arguments.
pub async fn apply_with(server: &Server, arguments: &[&str], text: impl Into<Vec<u8>>) -> Outcome {
    server.cli(["apply", "-f", "-"].iter().chain(arguments)).stdin(text).await
}

/// The revision of the inventory. It does not change if nothing is written.
pub async fn revision(server: &Server) -> i64 {
    let answer = server.client().ok("{ revision }", json!({})).await;
    answer["revision"].as_i64().expect("a revision")
}

#[track_caller]
pub fn done(outcome: &Outcome) -> &str {
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""), "{outcome:?}");
    outcome.stdout.as_str()
}

on_both_databases! {
    async fn every_kind_is_written_and_then_unchanged(server: Server) {
        let first = apply(&server, FLEET).await;
        let printed = done(&first);
        for line in [
            "created region/flanders",
            "created location/gent-1/hall-1/cage-1",
            "created powerFeed/gent-1/r01/A",
            "created port/leaf-1/Ethernet1/1",
            "created circuit/wirelane/cross-1",
            "created virtualMachine/k8s-gent/vm-1",
        ] {
            assert!(printed.lines().any(|it| it == line), "{line} is missing: {printed}");
        }
        assert_eq!(printed.lines().last(), Some(format!("{OBJECTS} created").as_str()));
        let mut kinds: Vec<&str> = printed.lines().filter_map(|line| line.strip_prefix("created ")).collect();
        kinds.iter_mut().for_each(|object| *object = object.split('/').next().unwrap_or_default());
        kinds.sort_unstable();
        kinds.dedup();
        assert_eq!(kinds.len(), KINDS, "{kinds:?}");

        // Every field has the value of the manifest.
        let query = "{
          circuitTerminations { nodes { name site { name } port { name } providerNetwork { name } } }
          device(site: \"gent-1\", name: \"srv-1\") {
            placement { rack { name } startUnit unitHeight fullDepth } hardware { disks { sizeBytes } }
          }
          site(name: \"gent-1\") { labels attributes externalRefs { source externalId url } tenant }
        }";
        let found = server.client().ok(query, json!({})).await;
        assert_eq!(found["device"]["placement"]["startUnit"], 10.5);
        assert_eq!(found["device"]["hardware"]["disks"][0]["sizeBytes"], 960_000_000_000_i64);
        assert_eq!(found["site"]["labels"], json!({"env": "prod", "app.example/tier": "core"}));
        assert_eq!(found["site"]["attributes"], json!({"floors": 3, "keys": ["a", "b"]}));
        assert_eq!(found["site"]["externalRefs"][0]["externalId"], "77");
        let ends = found["circuitTerminations"]["nodes"].as_array().expect("ends");
        let plugged = ends.iter().filter(|end| end["port"]["name"] == "Ethernet1/2" && end["site"]["name"] == "gent-1");
        assert_eq!((ends.len(), plugged.count()), (4, 1), "{ends:#?}");

        let revision_before = revision(&server).await;
        let second = apply(&server, FLEET).await;
        assert_eq!(done(&second), format!("{OBJECTS} unchanged\n"));
        assert_eq!(revision(&server).await, revision_before);
    }

    async fn a_dry_run_writes_nothing(server: Server) {
        let outcome = apply_with(&server, &["--dry-run"], FLEET).await;
        let printed = done(&outcome);
        assert!(printed.ends_with(&format!("\n{OBJECTS} created (dry run)\n")), "{printed}");
        assert_eq!(revision(&server).await, 0);
    }

    async fn files_folders_and_standard_input_are_one_batch(server: Server) {
        let folder = scratch::folder("manifests");
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
            std::fs::write(&path, text).expect("a file");
            path
        };
        // Each refers to the next: none could be written before it.
        write("all/b/rack.json", &manifest("Rack", "r1", &json!({"site": "s1", "heightU": 42})));
        write("all/readme.md", "no manifest");
        let site = write("site.yml", "apiVersion: underlay/v1\nkind: Site\nmetadata: {name: s1}\nspec: {type: EDGE, region: x}\n");
        let region = manifest("Region", "x", &json!({}));
        let arguments = ["apply", "-f", "all", "--file", site.to_str().expect("a path"), "-f", "-"];
        let outcome = server.cli(arguments).current_dir(folder.path()).stdin(region).await;
        assert_eq!(done(&outcome), "created rack/s1/r1\ncreated site/s1\ncreated region/x\n3 created\n");
        assert_eq!(revision(&server).await, 1);
    }

    async fn changes_and_unchanged_objects_are_distinguished(server: Server) {
        let sites = manifest("Site", "s1", &json!({"type": "EDGE", "address": "here"}))
            + &manifest("Site", "s2", &json!({"type": "EDGE", "address": "there"}));
        done(&apply(&server, sites.as_str()).await);
        let cleared = sites.replace("\"there\"", "null") + &manifest("Site", "s3", &json!({"type": "VIRTUAL"}));
        let outcome = apply(&server, cleared).await;
        assert_eq!(done(&outcome), "updated site/s2\ncreated site/s3\n1 created, 1 updated, 1 unchanged\n");
        let found = server.client().ok("{ sites { nodes { address } } }", json!({})).await;
        assert_eq!(found["sites"]["nodes"], json!([{"address": "here"}, {"address": null}, {"address": null}]));
    }

    async fn per_item_each_manifest_is_written_on_its_own(server: Server) {
        let text = manifest("Site", "s1", &json!({"type": "EDGE"}))
            + &manifest("Rack", "r1", &json!({"site": "nowhere", "heightU": 1}))
            + &manifest("Rack", "r2", &json!({"site": "s1", "heightU": 1}));
        let outcome = apply_with(&server, &["--per-item"], text).await;
        assert_eq!((outcome.code, outcome.stdout.as_str()), (1, "created site/s1\ncreated rack/s1/r2\n2 created, 1 failed\n"));
        assert_eq!(
            outcome.stderr,
            "error: standard input, document 2, Rack/r1, spec.site: Site nowhere does not exist (NOT_FOUND)\n\
             the server refused 1 of 3 objects; the others are not affected\n"
        );
    }

    async fn a_source_owns_its_fields(server: Server) {
        let site = |address: &str| manifest("Site", "s1", &json!({"type": "EDGE", "address": address}));
        done(&apply_with(&server, &["--source", "crm"], site("one")).await);

        let outcome = apply(&server, site("two")).await;
        assert_eq!((outcome.code, outcome.stdout.as_str()), (1, ""), "{outcome:?}");
        let refused = "document 1, Site/s1, spec.address: address is held by source:crm";
        assert!(outcome.stderr.contains(refused) && outcome.stderr.contains("(MANAGED_ELSEWHERE)"), "{outcome:?}");

        for arguments in [&["--conflicts", "skip"][..], &["--source", "bcm"]] {
            let outcome = apply_with(&server, arguments, site("two")).await;
            assert_eq!(
                done(&outcome),
                "skipped site/s1: spec.address is held by source:crm\n\
                 1 unchanged; skipped fields: 1 (--conflicts force takes them over)\n"
            );
        }
        let outcome = apply_with(&server, &["--conflicts", "force"], site("two")).await;
        assert_eq!(done(&outcome), "updated site/s1\n1 updated\n");
    }

    async fn an_external_id_of_the_source_finds_the_object(server: Server) {
        let site = |name: &str| manifest("Site", name, &json!({"type": "EDGE", "externalId": "17"}));
        done(&apply_with(&server, &["--source", "crm"], site("s1")).await);
        let outcome = apply_with(&server, &["--source", "crm"], site("renamed")).await;
        assert_eq!(done(&outcome), "updated site/renamed\n1 updated\n");
    }
}

#[tokio::test]
async fn exit_codes_tell_the_reason() {
    let region = manifest("Region", "x", &json!({}));
    for (arguments, code, expected) in [
        (&["apply"][..], 2, "required arguments were not provided"),
        (&["apply", "-f", "-", "--colour"], 2, "unexpected argument '--colour'"),
        (&["apply", "-f", "-", "--conflicts", "fight"], 2, "possible values: skip, fail, force"),
        (&["apply", "-f", "-", "--source", ""], 2, "a value is required for '--source"),
        (&["apply", "-f", "-", "--server", "localhost:8080"], 2, "it is not a URL such as http://127.0.0.1:8080"),
        (&["apply", "-f", "-", "-f", "-"], 2, "standard input (-f -) can be read only once"),
        (&["demo", "--racks", "0"], 2, "must be a whole number from 1 to 30000"),
        (&["apply", "-f", "-"], 3, "the server http://127.0.0.1:1 cannot be reached: "),
        (&["demo"], 3, "hint: start a server with `underlay serve`, or name one with --server URL"),
    ] {
        let outcome = Cli::new(arguments).stdin(region.as_str()).await;
        assert_eq!((outcome.code, outcome.stdout.as_str()), (code, ""), "{arguments:?}: {outcome:?}");
        assert!(outcome.stderr.contains(expected), "{arguments:?}: {}", outcome.stderr);
    }
    for command in [&["--help"][..], &["apply", "--help"], &["demo", "--help"]] {
        let outcome = Cli::new(command).await;
        assert!(done(&outcome).contains("Exit codes:\n  0  success"), "{outcome:?}");
    }
}
