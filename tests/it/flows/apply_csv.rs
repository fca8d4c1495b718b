//! `underlay apply` with tables: comma-separated values, one object on each line.

use serde_json::json;

use super::apply::{apply, apply_with, done, manifest, revision};
use crate::harness::{Cli, Server, on_both_databases, scratch};

const DEVICES: &str = "\u{feff}name,site,role,placement.rack,placement.startUnit,placement.unitHeight,labels.env\r\n\
                       srv-1,ams1,server,ams1/A14,10,1,prod\r\n\
                       srv-2,ams1,server,A14,11,2,\r\n";

/// A site with a rack.
async fn furnish(server: &Server) {
    let place = manifest("Site", "ams1", &json!({"type": "DATACENTER"}))
        + &manifest("Rack", "A14", &json!({"site": "ams1", "heightU": 47}));
    done(&apply(server, place).await);
}

on_both_databases! {
    async fn a_table_is_written_and_then_unchanged(server: Server) {
        furnish(&server).await;
        let folder = scratch::folder("tables");
        std::fs::write(folder.path().join("devices.csv"), DEVICES).expect("a file");
        let arguments = ["apply", "-f", "devices.csv", "--kind", "device"];
        let first = server.cli(arguments).current_dir(folder.path()).await;
        assert_eq!(done(&first), "created device/ams1/srv-1\ncreated device/ams1/srv-2\n2 created\n");
        let second = server.cli(arguments).current_dir(folder.path()).await;
        assert_eq!(done(&second), "2 unchanged\n");

        let query = r#"{ device(site: "ams1", name: "srv-1") { role labels placement { startUnit rack { name } } } }"#;
        let found = server.client().ok(query, json!({})).await;
        let placement = json!({"startUnit": 10.0, "rack": {"name": "A14"}});
        let expected = json!({"role": "SERVER", "labels": {"env": "prod"}, "placement": placement});
        assert_eq!(found["device"], expected);
    }

    async fn an_empty_cell_changes_nothing_and_null_clears(server: Server) {
        furnish(&server).await;
        done(&apply_with(&server, &["--kind", "rack"], "name,site,row,cage\nA14,ams1,r,c\n").await);
        done(&apply_with(&server, &["--kind", "rack"], "name,row,cage\nA14,,null\n").await);
        let rack = server.client().ok(r#"{ rack(site: "ams1", name: "A14") { row cage } }"#, json!({})).await;
        assert_eq!(rack["rack"], json!({"row": "r", "cage": null}));
    }

    async fn cables_join_ports(server: Server) {
        furnish(&server).await;
        done(&apply_with(&server, &["--kind", "device"], DEVICES).await);
        let ports = "device,name,type,speedBps\nams1/srv-1,Ethernet1/1,ethernet,25000000000\nams1/srv-2,e0,ethernet,\n";
        done(&apply_with(&server, &["--kind", "port"], ports).await);
        let cables = "name,media,aEnds.port,bEnds.port\nc1,dac,ams1/srv-1/Ethernet1/1,srv-2/e0\n";
        assert_eq!(done(&apply_with(&server, &["--kind", "cable"], cables).await), "created cable/c1\n1 created\n");
    }

    async fn ends_of_circuits_need_no_name(server: Server) {
        furnish(&server).await;
        let circuit = manifest("Provider", "lumen", &json!({"type": "TRANSIT"}))
            + &manifest("Circuit", "c", &json!({"provider": "lumen", "type": "TRANSIT"}));
        done(&apply(&server, circuit).await);
        let table = "circuit,side,site\nlumen/c,A,ams1\n";
        let printed = apply_with(&server, &["--kind", "circuitTermination"], table).await;
        assert_eq!(done(&printed), "created circuitTermination/lumen/c/A\n1 created\n");
        let again = apply_with(&server, &["--kind", "circuitTermination"], table).await;
        assert_eq!(done(&again), "1 unchanged\n");
        let yaml = "apiVersion: underlay/v1\nkind: CircuitTermination\nspec: {circuit: c, side: A, description: cage 7}\n";
        assert_eq!(done(&apply(&server, yaml).await), "updated circuitTermination/c/A\n1 updated\n");

        let create = r#"mutation($circuit: CircuitRef) {
            createCircuitTermination(input: {circuit: $circuit, side: Z}) { circuitTermination { name side } } }"#;
        let made = server.client().ok(create, json!({"circuit": {"circuit": "c"}})).await;
        assert_eq!(made["createCircuitTermination"]["circuitTermination"], json!({"name": "Z", "side": "Z"}));
    }

    async fn nothing_is_written_unless_every_line_is_valid(server: Server) {
        furnish(&server).await;
        let before = revision(&server).await;
        for (text, expected) in [
            // Errors that the reader finds.
            (
                "name,site,role\na,ams1,server\nb,ams1,sever\n",
                "error: standard input, line 3, Device/b, column 3 (role): must not be \"sever\"; did you mean SERVER? ",
            ),
            // Errors that the server finds.
            (
                "name,site,role\na,ams1,server\nb,ams2,server\n",
                "error: standard input, line 3, Device/b, column 2 (site): Site ams2 does not exist (NOT_FOUND)\n\
                 nothing was written: the server refused 1 of 2 objects\n",
            ),
            ("name,site\na,ams1\n", "error: standard input, line 2, Device/a, role: role is required to create a Device"),
            (
                "name,site,role,placement.rack,placement.startUnit,placement.unitHeight\na,ams1,server,A14,47,2\n",
                "line 2, Device/a, columns 4, 5, 6 (placement): placement U47-U48 does not fit within rack A14",
            ),
        ] {
            let outcome = apply_with(&server, &["--kind", "device"], text).await;
            assert_eq!((outcome.code, outcome.stdout.as_str()), (1, ""), "{outcome:?}");
            assert!(outcome.stderr.contains(expected), "{expected}: {outcome:?}");
        }
        assert_eq!(revision(&server).await, before);
    }

    async fn per_item_the_valid_lines_are_written(server: Server) {
        furnish(&server).await;
        let text = "name,site,role\na,ams1,server\nb,ams1,sever\nc,ams2,server\nd,ams1,leaf\n";
        let outcome = apply_with(&server, &["--kind", "device", "--per-item"], text).await;
        assert_eq!(outcome.code, 1, "{outcome:?}");
        assert_eq!(outcome.stdout, "created device/ams1/a\ncreated device/ams1/d\n2 created, 1 failed\n");
        for line in ["line 3, Device/b, column 3 (role): ", "line 4, Device/c, column 2 (site): Site ams2 does not exist"] {
            assert!(outcome.stderr.contains(line), "{line}: {outcome:?}");
        }
        assert!(outcome.stderr.ends_with("these lines were left out: correct them and run the command again\n"));
    }

    async fn more_than_a_batch_is_written_per_item_only(server: Server) {
        let lines: String = (0..10_001).map(|number| format!("r{number},\n")).collect();
        let text = format!("name,description\n{lines}broken\n");
        let outcome = apply_with(&server, &["--kind", "region"], text.replace("broken\n", "")).await;
        assert_eq!((outcome.code, outcome.stdout.as_str()), (1, ""), "{outcome:?}");
        assert!(outcome.stderr.contains("or write each by itself with --per-item"), "{outcome:?}");
        let arguments = ["--kind", "region", "--per-item"];
        let dry = apply_with(&server, &[&arguments[..], &["--dry-run"]].concat(), text.as_str()).await;
        assert!(dry.code == 1 && dry.stderr.contains("at most 10000 can be tried with --dry-run"), "{dry:?}");
        assert_eq!(revision(&server).await, 0);

        let outcome = apply_with(&server, &arguments, text).await;
        assert!(outcome.code == 1 && outcome.stdout.ends_with("\n10001 created\n"), "{}", outcome.stderr);
        assert!(outcome.stderr.contains("line 10003: has 1 columns, but the header has 2"), "{}", outcome.stderr);
    }
}

#[tokio::test]
async fn a_table_needs_its_kind() {
    let folder = scratch::folder("tables");
    std::fs::write(folder.path().join("latin.csv"), b"name\nK\xf6ln\n").expect("a file");
    for (arguments, code, expected) in [
        (
            &["-f", "table.csv"][..],
            1,
            "table.csv: seems to be a table: name the kind of its lines with --kind KIND, or name the file after it",
        ),
        (&["-f", "devices.csv", "--kind", "devise"], 2, "--kind: there is no kind \"devise\"; did you mean device?"),
        (&["-f", "devices.csv", "--kind", "device"], 1, "devices.csv: cannot be read: No such file"),
        (&["-f", ".", "--kind", "device"], 1, ".: cannot be read: Is a directory"),
        (&["-f", "latin.csv", "--kind", "region"], 1, "latin.csv: is not valid UTF-8 at line 2, character 2"),
    ] {
        let outcome = Cli::new(["apply"].iter().chain(arguments)).current_dir(folder.path()).await;
        assert_eq!((outcome.code, outcome.stdout.as_str()), (code, ""), "{arguments:?}: {outcome:?}");
        assert!(outcome.stderr.contains(expected), "{arguments:?}: {}", outcome.stderr);
    }
    let help = Cli::new(["apply", "--help"]).await;
    assert!(done(&help).contains("underlay apply -f devices.csv\n"), "{help:?}");
}
