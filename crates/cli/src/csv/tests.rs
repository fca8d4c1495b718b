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
        ("cable", "aEnds,labels", "port/ams1/a/e1;POWERFEED/ams1/A1/A,env=prod; tier=core", {
            json!({
                "aEnds": [
                    {"port": {"site": "ams1", "device": "a", "port": "e1"}},
                    {"powerFeed": {"site": "ams1", "rack": "A1", "powerFeed": "A"}},
                ],
                "labels": {"env": "prod", "tier": "core"},
            })
        }),
        ("cable", "riskGroups,attributes", "\"[\"\"a;b\"\"]\",\"{\"\"n\"\": 1}\"", {
            json!({"riskGroups": ["a;b"], "attributes": {"n": 1}})
        }),
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
        for field in written {
            assert!(types.follow(kind, &[field.name]).is_ok(), "{name} has no column {}", field.name);
        }
    }
}

/// The objects of a kind and the table that is written of them. The console writes the same one.
#[derive(serde::Deserialize)]
struct Written {
    kind: String,
    items: Vec<Value>,
    table: String,
}

#[test]
fn what_is_written_of_objects_is_read_as_the_same_objects() {
    let kinds = KnownKinds::new();
    let cases: Vec<Written> =
        serde_json::from_str(include_str!("../../../../console/test/pure/tables.json")).expect("cases");
    let names: Vec<&str> = cases.iter().map(|case| case.kind.as_str()).collect();
    assert_eq!(names, kinds.registry().kinds().map(|kind| kind.name).collect::<Vec<_>>(), "all kinds");
    for Written { kind, items: objects, table } in cases {
        let columns = CsvColumns::of(kinds.meant(&kind).expect("a kind"));
        let header = columns.names();
        let lines: Vec<Vec<String>> = objects.iter().map(|item| columns.cells(item)).collect();
        for (at, name) in header.iter().enumerate() {
            assert!(lines.iter().any(|cells| !cells[at].is_empty()), "{kind}: no object has {name}");
        }
        let text: Vec<u8> = std::iter::once(&header).chain(&lines).flat_map(|cells| csv_line(cells)).collect();
        let text = String::from_utf8(text).expect("text");
        assert_eq!(text, table, "{kind}");
        let read: Vec<Value> =
            items(&kind, &text).iter().filter_map(|item| item.as_object()?.values().next().cloned()).collect();
        assert_eq!(read, objects, "{kind}");
    }
}

#[test]
fn texts_are_written_so_that_they_are_read_as_they_are() {
    for text in [
        "=1+1",
        "-48V",
        "+31",
        "@x",
        "\tx",
        "null",
        " null ",
        " ",
        "'",
        "''",
        "'null",
        "'=x",
        "'s-Gravenhage",
        "''-1",
        "a;b",
        "x",
    ] {
        let item = json!({"name": "r", "description": text, "labels": {"a": text}});
        let columns = CsvColumns::of(KnownKinds::new().meant("region").expect("a kind"));
        let lines = [columns.names(), columns.cells(&item)].iter().flat_map(|cells| csv_line(cells)).collect();
        let table = String::from_utf8(lines).expect("text");
        assert_eq!(items("region", &table), [json!({"region": item})], "{text:?}: {table}");
        let starts =
            table.lines().nth(1).is_some_and(|line| line.split(',').any(|cell| cell.starts_with(['=', '+', '-', '@'])));
        assert!(!starts, "a spreadsheet would run {table}");
    }
    for (cell, expected) in [("'s-Gravenhage", "'s-Gravenhage"), ("'=1", "=1"), ("'null", "null"), ("'-", "-")] {
        assert_eq!(items("region", &format!("name,description\nr,{cell}\n"))[0]["region"]["description"], expected);
    }
}

#[test]
fn columns_that_the_server_computes_are_noted_and_left_out() {
    let kinds = KnownKinds::new();
    for kind in kinds.registry().kinds() {
        let input = crate::sdl::sdl().input(&format!("{}Input", kind.name)).expect("an input");
        let fields = crate::sdl::sdl().fields(kind.name).map(|field| field.name.node.to_string());
        let computed: Vec<String> = fields.filter(|field| input.field(field).is_none()).collect();
        let values: String = computed.iter().map(|_| ",=x").collect();
        let table = table(kind.singular, &format!("id,{}\nx{values}\n", computed.join(",")));
        assert_eq!((table.errors, table.notes.len()), (Vec::new(), computed.len()), "{}", kind.name);
        assert_eq!(table.items[0].item, json!({ kind.singular: {"id": "x"} }));
    }
    let notes = table("device", "name,rack,updatedAt\nd,A14,\n").notes;
    let expected = [
        "x.csv, column 2: rack is not applied, because the server computes it; placement.rack sets it",
        "x.csv, column 3: updatedAt is not applied, because the server computes it",
    ];
    assert_eq!(notes, expected);
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
        ("rack", "name,labels,labels.env\n", "column 3: \"labels.env\" and \"labels\" (column 2) set the same value"),
        (
            "rack",
            "name,labels\nr,prod\n",
            "column 2 (labels): must have entries such as env=prod;tier=core, or be JSON, not \"prod\"",
        ),
        ("rack", "name,labels\nr,a=1;a=2\n", "column 2 (labels): has the key \"a\" twice"),
        ("cable", "name,aEnds\nc,ams1/x/e1\n", "column 2 (aEnds): must be port/NAME or powerFeed/NAME or "),
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
