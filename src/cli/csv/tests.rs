//! Tests of whole tables: the items that they make, and the positions of the errors in wrong ones.

use serde_json::{Value, json};

use super::*;

fn table(kind: &str, text: &str) -> CsvTable {
    let kinds = KnownKinds::new();
    let kind = kinds.meant(kind).expect("a kind");
    read_lines("x.csv", text, kind, &kinds)
}

#[track_caller]
fn items(kind: &str, text: &str) -> Vec<Value> {
    let table = table(kind, text);
    assert_eq!(table.errors, [], "{text:?}");
    table.items.into_iter().map(|item| item.item).collect()
}

fn errors(kind: &str, text: &str) -> Vec<String> {
    table(kind, text).errors.iter().map(ToString::to_string).collect()
}

#[test]
fn lines_become_items() {
    let text = "name,site,role,placement.rack,placement.startUnit,placement.face,forwards,labels.env,attributes.floor\n\
                s1,ams1,server,ams1/A14,10.5,rear,,prod,2\n\
                s2,ams1,patch panel,,,,no,,null\n";
    let expected = [
        json!({"device": {
            "name": "s1", "site": {"site": "ams1"}, "role": "SERVER",
            "placement": {"rack": {"site": "ams1", "rack": "A14"}, "startUnit": 10.5, "face": "REAR"},
            "labels": {"env": "prod"}, "attributes": {"floor": 2},
        }}),
        json!({"device": {
            "name": "s2", "site": {"site": "ams1"}, "role": "PATCH_PANEL", "forwards": false,
            "attributes": {"floor": null},
        }}),
    ];
    assert_eq!(items("device", text), expected);
}

#[test]
fn every_form_of_a_field_can_be_a_column() {
    for (kind, header, cells, expected) in [
        ("Port", "device.site,device.device", "ams1,sw", json!({"device": {"site": "ams1", "device": "sw"}})),
        ("port", "addresses,speedBps", "10.0.0.1/24;10.0.0.2/24,100000000000", {
            json!({"addresses": ["10.0.0.1/24", "10.0.0.2/24"], "speedBps": 100_000_000_000_i64})
        }),
        ("power-feed", "upstream.powerFeed", "ams1/A1/A", {
            json!({"upstream": {"powerFeed": {"site": "ams1", "rack": "A1", "powerFeed": "A"}}})
        }),
        (
            "cable",
            "aEnds.port,bEnds.port,bEnds.powerFeed",
            "ams1/a/e1;ams1/b/e1,ams1/c/e1,ams1/A1/A",
            json!({
                "aEnds": [
                    {"port": {"site": "ams1", "device": "a", "port": "e1"}},
                    {"port": {"site": "ams1", "device": "b", "port": "e1"}},
                ],
                "bEnds": [
                    {"port": {"site": "ams1", "device": "c", "port": "e1"}},
                    {"powerFeed": {"site": "ams1", "rack": "A1", "powerFeed": "A"}},
                ],
            }),
        ),
        ("link", "a.device,cables", "ams1/x,c1;c2", {
            json!({"a": {"device": {"site": "ams1", "device": "x"}}, "cables": [{"cable": "c1"}, {"cable": "c2"}]})
        }),
        ("circuit", "aEnd.site,installedOn", "ams1,2026-11-20", {
            json!({"aEnd": {"site": {"site": "ams1"}}, "installedOn": "2026-11-20"})
        }),
        ("site", "coordinates.latitude,coordinates.longitude", "52.3,4.9", {
            json!({"coordinates": {"latitude": 52.3, "longitude": 4.9}})
        }),
        ("device", "hardware.cpuCores,hardware.cpuArchitecture", "64,amd64", {
            json!({"hardware": {"cpuCores": 64, "cpuArchitecture": "AMD64"}})
        }),
        ("device", "labels.app.io/tier,labels.app,externalId", "core,x,17", {
            json!({"labels": {"app.io/tier": "core", "app": "x"}, "externalId": "17"})
        }),
    ] {
        let mut fields = json!({"name": "x"});
        fields.as_object_mut().expect("an object").extend(expected.as_object().expect("an object").clone());
        let items = items(kind, &format!("name,{header}\nx,{cells}\n"));
        let found = items[0].as_object().and_then(|item| item.values().next());
        assert_eq!(found, Some(&fields), "{kind} {header}");
    }
    let host = &items("host", "name,maintenance.ann\nx,a fan\n")[0]["host"];
    assert_eq!(host["maintenance"], json!({"ann": "a fan"}));
    let host = &items("host", "name,maintenance\nx,\"{\"\"ann\"\": \"\"a fan\"\"}\"\n")[0]["host"];
    assert_eq!(host["maintenance"], json!({"ann": "a fan"}));
    let addresses = "\"[{\"\"type\"\": \"\"MANAGEMENT\"\", \"\"address\"\": \"\"10.0.0.1\"\"}]\"";
    let device = &items("device", &format!("name,addresses\nx,{addresses}\n"))[0]["device"];
    assert_eq!(device["addresses"], json!([{"type": "MANAGEMENT", "address": "10.0.0.1"}]));
}

#[test]
fn every_kind_has_columns_for_all_its_plain_fields() {
    let kinds = KnownKinds::new();
    let types = Types::new(kinds.registry());
    for name in super::super::manifest::Kinds::names(&kinds) {
        let kind = kinds.meant(name).expect("a kind");
        // Fields that only the server or controllers set cannot be written.
        let written = kind.fields.iter().filter(|field| field.is_in_items());
        for field in written.filter(|field| !["labels", "attributes"].contains(&field.name)) {
            assert!(types.follow(kind, &[field.name]).is_ok(), "{name} has no column {}", field.name);
        }
    }
}

#[test]
fn files_of_common_programs_are_read() {
    for text in [
        "name\na\nb\n",
        "name\na\nb",
        "\u{feff}name\r\na\r\nb\r\n",
        "name\ra\rb\r",
        "\n\nname\n\na\n\n\nb\n\n",
        "name,description\na,\nb,\n,\n",
        " name \na\nb\n",
        "\"name\"\n\"a\"\n\"b\"\n",
    ] {
        assert_eq!(items("region", text), ["a", "b"].map(|name| json!({"region": {"name": name}})), "{text:?}");
    }
    let text = "name,description\na,\"one, two\nthree \"\"x\"\"\"\n";
    assert_eq!(items("region", text), [json!({"region": {"name": "a", "description": "one, two\nthree \"x\""}})]);
}

#[test]
fn the_lines_and_cells_of_a_file_are_bounded() {
    let lines = format!("name\n{}", "a\n".repeat(MAX_LINES + 1));
    let cells = format!("name,site{}\n", ",x".repeat(MAX_CELLS));
    for text in [lines, cells] {
        let error = errors("rack", &text).pop().unwrap_or_default();
        assert!(error.contains("has more than 100000 lines or 2000000 cells"), "{error}");
    }
}

#[test]
fn errors_name_line_and_column() {
    for (kind, text, expected) in [
        ("rack", "", "x.csv: is empty: the first line must name the columns"),
        ("rack", "\n\r\n", "x.csv: is empty"),
        ("rack", "name\n", "x.csv: has only the names of columns"),
        (
            "rack",
            "name,heigthU\n",
            "x.csv, line 1, column 2: a Rack has no field \"heigthU\"; did you mean heightU? Allowed: ",
        ),
        ("rack", "\n\nname,name\n", "x.csv, line 3, column 2: \"name\" is already column 1"),
        ("rack", "name,site,site.site\n", "line 1, column 3: \"site.site\" and \"site\" (column 2) set the same value"),
        (
            "cable",
            "name,aEnds,aEnds.port\n",
            "line 1, column 3: \"aEnds.port\" and \"aEnds\" (column 2) set the same value",
        ),
        ("rack", "name,,site\n", "line 1, column 2: has no name"),
        ("rack", "name,labels\n", "line 1, column 2: labels has entries: name one in each column, such as labels.env"),
        ("rack", "name,serial.x\n", "line 1, column 2: \"serial.x\" has too many parts: serial is one column"),
        ("device", "name,placement.unit\n", "line 1, column 2: placement has no member \"unit\"; "),
        ("device", "site,role\n", "x.csv, line 1: there is no column name, id or externalId"),
        ("rack", "name;site\n", "x.csv, line 1: the columns must be separated by commas, not by semicolons or tabs"),
        ("rack", "name,site\na,b\nr,s,t\n", "x.csv, line 3: has 3 columns, but the header has 2"),
        ("rack", "name,site\n\n\"r\n", "x.csv, line 3: a quotation mark is opened here and never closed"),
        ("rack", "name,heightU\nr,tall\n", "x.csv, line 2, Rack/r, column 2 (heightU): must be a whole number"),
        ("rack", "name,heightU\nr,200\n", "column 2 (heightU): heightU must be a whole number from 1 to 100, not 200"),
        ("rack", "description,name,heightU\n\"a\nb\",s,1\n,r,x\n", "x.csv, line 4, Rack/r, column 3"),
        (
            "device",
            "name,role\nd,sever\n",
            "line 2, Device/d, column 2 (role): must not be \"sever\"; did you mean SERVER?",
        ),
        ("device", "name,placement.rack\nd,ams1/\n", "column 2 (placement.rack): must be a Rack as rack or site/rack"),
        (
            "circuit",
            "name,installedOn\nc,soon\n",
            "column 2 (installedOn): installedOn must be a date such as 2026-11-20",
        ),
        ("port", "name,mac\np,12\n", "line 2, Port/p, column 2 (mac): mac "),
        ("site", "name,coordinates.latitude\ns,91\n", "column 2 (coordinates.latitude): coordinates"),
        ("region", "name\nnull\n", "line 2, Region, column 1 (name): name "),
    ] {
        let errors = errors(kind, text);
        assert!(errors.first().is_some_and(|error| error.contains(expected)), "{text:?}: {errors:#?}");
    }
}

#[test]
fn all_bad_lines_are_reported_and_the_good_ones_read() {
    let text = "name,heightU,status\na,1,\nb,x,y\nc,2,\nd,3\n";
    let table = table("rack", text);
    assert_eq!(table.items.len(), 2);
    assert_eq!(table.items[1].origin.to_string(), "x.csv, line 4, Rack/c");
    let lines: Vec<String> = table.errors.iter().map(ToString::to_string).collect();
    assert_eq!(lines.len(), 3, "{lines:#?}");
    for (line, start) in
        lines.iter().zip(["x.csv, line 3, Rack/b, column 2", "x.csv, line 3, Rack/b, column 3", "x.csv, line 5: "])
    {
        assert!(line.starts_with(start), "{lines:#?}");
    }
    let flood = format!("name,heightU\n{}", "a,x\n".repeat(5_000));
    assert_eq!(errors("rack", &flood).len(), SHOWN_ERRORS + 1);
}

#[test]
fn a_kind_is_recognised_in_any_case() {
    let kinds = KnownKinds::new();
    for word in ["powerFeed", "PowerFeed", "power-feed", "POWER_FEED"] {
        assert_eq!(kinds.meant(word).map(|kind| kind.name), Ok("PowerFeed"));
    }
    let reason = kinds.meant("devise").err().unwrap_or_default();
    assert!(reason.starts_with("there is no kind \"devise\"; did you mean device? Allowed: region, site"), "{reason}");
    assert_eq!(kinds.meant("circuit-termination").map(|kind| kind.name), Ok("CircuitTermination"));
}
