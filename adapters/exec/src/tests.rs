//! Tests of what programs may print, and of how they may end.

use underlay_kit::sync::{BadThing, Emitted, ExternalId, Hint};
use underlay_testing::until;

use super::*;

const END: &str = r#"{"end": true, "items": 1}"#;
const ITEM: &str = r#"{"item": {"rack": {"externalId": "17", "name": "A14"}}}"#;

fn shell(script: &str) -> Program {
    Program { program: "sh".into(), arguments: vec!["-c".into(), script.into()], pass_env: Vec::new() }
}

fn exec(script: &str) -> Exec {
    Exec { program: shell(script), hints: None, limit: Duration::from_secs(60) }
}

/// A program that prints these lines.
fn printing(lines: &[&str]) -> Exec {
    let folder = tempfile::tempdir().expect("a folder").keep();
    let file = folder.join("lines");
    std::fs::write(&file, lines.join("\n")).expect("a file");
    exec(&format!("cat {0}; rm -r {1}", file.display(), folder.display()))
}

async fn scan(exec: &Exec) -> Result<Vec<Emitted>, AdapterError> {
    let (mut sink, mut emitted) = Sink::new(100);
    exec.scan(&mut sink).await?;
    drop(sink);
    let mut all = Vec::new();
    while let Some(one) = emitted.recv().await {
        all.push(one);
    }
    Ok(all)
}

#[tokio::test]
async fn items_and_bad_things_are_read() {
    let bad = r#"{"bad": {"kind": "rack", "externalId": "18", "message": "no name"}}"#;
    let all = scan(&printing(&[ITEM, "", bad, END])).await.expect("a scan");
    assert!(matches!(&all[0], Emitted::Item(item) if item.id() == &ExternalId::new("rack", "17")));
    assert_eq!(all[1..], [Emitted::Bad(BadThing::new(Some("rack"), "18", "no name"))]);
    let all = scan(&printing(&[r#"{"item": {"rack": {"name": "A14"}}}"#, r#"{"end": true, "items": 0}"#])).await;
    assert!(matches!(&all.expect("a scan")[0], Emitted::Bad(BadThing { kind: None, .. })));
}

#[tokio::test]
async fn an_output_that_is_not_whole_fails_the_scan() {
    for (lines, expected) in [
        (&[][..], "sh: wrong answer at line 1: expected {\"end\": true, \"items\": N} as the last line"),
        (&[ITEM], "line 2: expected {\"end\": true, \"items\": N} as the last line"),
        (&[ITEM, r#"{"end": true, "items": 2}"#], "line 2.items: expected the number of items, 1; it says 2"),
        (&[ITEM, END, ITEM], "line 3: expected nothing after the line"),
        (&["Traceback (most recent call last):"], "line 1: expected a line of JSON"),
        (
            &[r#"{"rack": {}}"#],
            "line 1: expected an object with `item`, `bad`, or `end` and `items`, and no member \"rack\"",
        ),
        (&[r#"{"end": true}"#], "line 1: expected an object with `item`"),
        (&[r#"{"item": {}, "item": {}}"#], "stands twice"),
    ] {
        let error = scan(&printing(lines)).await.expect_err("refused").to_string();
        assert!(error.contains(expected), "{lines:?}: {error}");
    }
}

#[tokio::test]
async fn no_message_repeats_what_is_no_line() {
    let secret = "hunter2-hunter2-hunter2-hunter2";
    for line in [
        secret.to_owned(),
        format!("\"{secret}\""),
        format!("[\"{secret}\"]"),
        format!(r#"{{"item": {{}}, "items": "{secret}"}}"#),
        format!(r#"{{"bad": "{secret}"}}"#),
        format!(r#"{{"bad": {{"externalId": "1", "message": ["{secret}"]}}}}"#),
        format!(r#"{{"end": "{secret}", "items": 1}}"#),
        format!(r#"{{"TOKEN": "{secret}"}}"#),
        format!("TOKEN={secret}"),
    ] {
        let error = scan(&printing(&[&line])).await.expect_err("refused").to_string();
        assert!(!error.contains("hunter2"), "{line}: {error}");
    }
    for item in [format!(r#"{{"rack": "{secret}"}}"#), format!(r#"{{"rack": {{"externalId": ["{secret}"]}}}}"#)] {
        let all = scan(&printing(&[&format!(r#"{{"item": {item}}}"#), r#"{"end": true, "items": 0}"#]))
            .await
            .expect("a scan");
        assert!(!format!("{all:?}").contains("hunter2"), "{all:?}");
    }
}

#[tokio::test]
async fn a_program_that_fails_fails_the_scan() {
    for (script, expected) in [
        (&*format!("echo '{ITEM}'; echo '{END}'; exit 3"), "exit code 0; it ended with exit status: 3"),
        ("head -c 3000000 /dev/zero | tr '\\0' x", "at most 2097152 bytes"),
        ("head -c 50000 /dev/zero | tr '\\0' ,", "line 1: expected at most 20010 values, but it has 50001"),
    ] {
        let error = scan(&exec(script)).await.expect_err("refused").to_string();
        assert!(error.contains(expected), "{script}: {error}");
    }
    let missing = Exec {
        program: Program { program: "/nowhere".into(), arguments: Vec::new(), pass_env: Vec::new() },
        ..exec("")
    };
    let error = scan(&missing).await.expect_err("refused").to_string();
    assert!(error.contains("/nowhere: the program cannot be started"), "{error}");
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_program_whose_time_is_over_is_killed_with_what_it_started() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("id");
    let script = format!("sleep 1000 & echo $! > {}; wait", file.display());
    // On a slow machine the program needs longer before it hangs.
    let mut limit = Duration::from_millis(500);
    let child = until("the program starts another one and is killed", async || {
        let slow = Exec { limit, ..exec(&script) };
        let error = scan(&slow).await.expect_err("killed").to_string();
        assert!(error.contains(&format!("did not end within {} s and was killed", limit.as_secs())), "{error}");
        limit *= 2;
        let id = std::fs::read_to_string(&file).ok()?.trim().to_owned();
        (!id.is_empty()).then_some(id)
    })
    .await;
    until(format!("the process {child} has ended"), async || {
        // A process that was killed and not yet waited for by anybody is there as a zombie.
        let stat = std::fs::read_to_string(format!("/proc/{child}/stat")).unwrap_or_default();
        stat.is_empty() || stat.contains(") Z ")
    })
    .await;
}

#[tokio::test]
async fn each_line_of_the_second_program_is_a_hint() {
    let hinting = Exec { hints: Some(shell("echo changed; sleep 1000")), ..exec("") };
    let mut hints = hinting.hints().expect("hints");
    assert_eq!(hints.next().await, Ok(Some(Hint::Everything)));
}

#[tokio::test]
async fn a_look_finds_one_item_or_none() {
    let found = printing(&[ITEM, END]).look(&ExternalId::new("rack", "17")).await.expect("a look");
    assert_eq!(found.map(|items| items.len()), Some(1));
    assert_eq!(printing(&[ITEM, END]).look(&ExternalId::new("rack", "18")).await, Ok(None));
}

#[ignore = "needs python3"]
#[tokio::test]
async fn the_example_of_the_documentation_works() {
    let page = std::fs::read_to_string("../../docs/sources.md").expect("the documentation");
    let example = page.split("```python\n").nth(1).and_then(|rest| rest.split("```").next()).expect("an example");
    let folder = tempfile::tempdir().expect("a folder");
    let (script, table) = (folder.path().join("racks.py"), folder.path().join("racks.csv"));
    std::fs::write(&script, example).expect("a file");
    std::fs::write(&table, "id,site,name,height\n17,ams1,A14,47\n18,ams1,A15,tall\n").expect("a file");
    let arguments = [&script, &table].map(|path| path.to_string_lossy().into_owned()).to_vec();
    let python = Exec { program: Program { program: "python3".into(), arguments, pass_env: Vec::new() }, ..exec("") };
    let all = scan(&python).await.expect("a scan");
    let item = |at: usize| match &all[at] {
        Emitted::Item(item) => item.to_json().expect("JSON"),
        other => panic!("{other:?}"),
    };
    assert_eq!(item(0), r#"{"site":{"externalId":"site ams1","name":"ams1","type":"DATACENTER"}}"#);
    let rack = r#"{"rack":{"externalId":"17","name":"A14","site":{"externalId":"site ams1"},"heightU":47}}"#;
    assert_eq!(item(1), rack);
    let bad = BadThing::new(Some("rack"), "18", "heightU: must be a number, not 'tall'");
    assert_eq!(all[2..], [Emitted::Bad(bad)]);

    // An exception ends the program before its last line.
    std::fs::write(&table, "id,site\n17,ams1\n").expect("a file");
    let error = scan(&python).await.expect_err("it fails").to_string();
    assert!(error.contains("but the output ended here"), "{error}");
}
