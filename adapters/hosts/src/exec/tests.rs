//! Programs that answer, fail, hang and lie.

use std::path::Path;

use underlay_testing::HANG;

use super::*;
use crate::host::Power;
use crate::life::PowerAct;
use crate::machine::{BootDevice, CallError, Driver as _, Secret, Target};

fn shell(script: &str) -> Program {
    Program { program: "sh".to_owned(), arguments: vec!["-c".to_owned(), script.to_owned()] }
}

fn driver(script: &str) -> Exec {
    Exec::default().with("lab", shell(script)).unwrap().limited(HANG)
}

fn target() -> Target {
    let secret = Secret { username: "root".to_owned(), password: "calvin-1234".to_owned(), ..Secret::default() };
    Target { url: "exec://lab#vm-1".to_owned(), uid: Some("A1".to_owned()), secret: Some(secret), ..Target::default() }
}

/// The kind of an error, and its sentence.
fn text_of(error: &CallError) -> String {
    match error {
        CallError::NotMade { reason } => format!("not made: {reason}"),
        CallError::Unanswered { reason } => format!("unanswered: {reason}"),
        CallError::Refused { reason, message } => format!("{reason}: {message}"),
    }
}

#[tokio::test]
async fn a_program_gets_the_call_and_its_answer_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("line");
    let keep = |answer: &str| driver(&format!("cat > '{}'; echo '{answer}'", file.display()));
    let line = |file: &Path| serde_json::from_slice::<serde_json::Value>(&std::fs::read(file).unwrap()).unwrap();
    let common = |more: serde_json::Value| {
        let mut all = serde_json::json!({"machine": "vm-1", "uid": "A1", "bootMac": null, "bootMode": null, "username": "root",
            "password": "calvin-1234", "insecure": false, "trustedCas": null});
        all.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        all
    };
    assert_eq!(keep(r#"{"power": "ON"}"#).power(&target()).await, Ok(Power::On));
    assert_eq!(line(&file), common(serde_json::json!({"call": "power"})));
    keep("{}").set_power(&target(), PowerAct::ForceOff).await.unwrap();
    assert_eq!(line(&file), common(serde_json::json!({"call": "setPower", "act": "FORCE_OFF"})));
    keep("{}").set_boot(&target(), BootDevice::Network).await.unwrap();
    assert_eq!(line(&file), common(serde_json::json!({"call": "setBoot", "device": "NETWORK"})));
    let identity = keep(r#"{"serial": "A1", "uuid": null}"#).identify(&target()).await.unwrap();
    assert_eq!((identity.serial.as_deref(), identity.uuid), (Some("A1"), None));
    let machines = r#"{"machines": [{"name": "web", "machine": "vm-7", "bootMac": "52:54:00:00:00:07"}]}"#;
    let found = keep(machines).enumerate(&target()).await.unwrap();
    assert_eq!((found[0].name.as_str(), found[0].url.as_str()), ("web", "exec://lab#vm-7"));
    assert_eq!(found[0].boot_mac.as_deref(), Some("52:54:00:00:00:07"));
}

#[tokio::test]
async fn a_program_that_fails_is_a_sentence_without_secrets() {
    for (script, reads, acts) in [
        (
            "exit 3",
            "not made: the program lab (power): it printed nothing and ended with exit status: 3",
            "unanswered: ",
        ),
        ("echo calvin-1234", "not made: the program lab (power): its answer is wrong", "unanswered: "),
        ("echo '{}'; exit 1", "not made: the program lab (power): it printed an answer and ended with", "unanswered: "),
        ("echo '{\"colour\": \"red\"}'", "not made: the program lab (power): its answer is wrong", "unanswered: "),
        (
            "yes | tr -d '\\n' | head -c 9000000",
            "not made: the program lab (power): it printed more than 4 MiB",
            "unanswered: ",
        ),
        (
            "echo '{\"error\": {\"kind\": \"REFUSED\", \"message\": \"no such machine\"}}'",
            "ProgramRefused: the program lab (power): no such machine",
            "ProgramRefused: ",
        ),
        (
            "echo '{\"error\": {\"kind\": \"NOT_MADE\", \"message\": \"the host is away\"}}'",
            "not made: the program lab (power): the host is away",
            "not made: ",
        ),
        (
            "echo '{\"error\": {\"kind\": \"UNANSWERED\", \"message\": \"it hangs\"}}'",
            "not made: the program lab (power): it hangs",
            "unanswered: ",
        ),
    ] {
        let read = text_of(&driver(script).power(&target()).await.unwrap_err());
        assert!(read.starts_with(reads) && !read.contains("calvin"), "{script}: {read}");
        let act = text_of(&driver(script).set_power(&target(), PowerAct::On).await.unwrap_err());
        assert!(act.starts_with(acts) && !act.contains("calvin"), "{script}: {act}");
    }
    let empty = text_of(&driver("echo '{}'").power(&target()).await.unwrap_err());
    assert!(empty.contains("the answer of the program has no power"), "{empty}");
    let wrong = driver("echo '{\"machines\": [{\"name\": \"a\", \"machine\": \"a b\"}]}'");
    assert!(text_of(&wrong.enumerate(&target()).await.unwrap_err()).starts_with("WrongMachines: "));
    let nothing = Program { program: "/nowhere/at-all".to_owned(), arguments: Vec::new() };
    let missing = Exec::default().with("lab", nothing).unwrap();
    let error = text_of(&missing.set_power(&target(), PowerAct::On).await.unwrap_err());
    assert!(error.starts_with("not made: the program lab (setPower): it cannot be started"), "{error}");
}

#[tokio::test]
async fn a_program_that_hangs_is_killed_with_its_children() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pid");
    let script = format!("sleep 1000 & echo $! > '{}'; wait", file.display());
    // On a slow machine the program needs longer before it hangs.
    let mut limit = Duration::from_millis(500);
    let child = underlay_testing::until("the program starts a child and is killed", async || {
        let hangs = Exec::default().with("lab", shell(&script)).unwrap().limited(limit);
        let error = text_of(&hangs.set_power(&target(), PowerAct::On).await.unwrap_err());
        assert!(error.starts_with("unanswered: ") && error.ends_with("was killed"), "{error}");
        limit *= 2;
        std::fs::read_to_string(&file).ok()?.trim().parse::<i32>().ok()
    })
    .await;
    underlay_testing::until("the child of the program has ended", async || {
        let state = std::fs::read_to_string(format!("/proc/{child}/stat")).unwrap_or_default();
        // A process that was killed can wait for somebody who asks how it ended.
        state.is_empty() || state.contains(") Z ")
    })
    .await;
}

#[tokio::test]
async fn only_a_configured_program_is_run() {
    let other = Target { url: "exec://other".to_owned(), ..Target::default() };
    let error = text_of(&driver("echo '{}'").power(&other).await.unwrap_err());
    let expected =
        "NoProgram: this controller has no program other; it has: lab; start it with --program other=COMMAND";
    assert_eq!(error, expected);
    for name in ["", "a b", "a/b", "a#b", "a:1", "a?b"] {
        let error = Exec::default().with(name, shell("true")).err();
        assert_eq!(error, Some(ProgramError::Name { name: name.to_owned() }), "{name}");
    }
    let twice = Exec::default().with("a", shell("true")).unwrap().with("a", shell("true"));
    assert_eq!(twice.err(), Some(ProgramError::Twice { name: "a".to_owned() }));
}

/// The example of the handbook keeps machines in a file.
#[tokio::test]
#[ignore = "needs python3"]
async fn the_example_of_the_handbook_switches_machines() {
    let handbook = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/hosts.md");
    let handbook = std::fs::read_to_string(handbook).unwrap();
    let (_, example) = handbook.split_once("```python\n").expect("an example");
    let (example, _) = example.split_once("```\n").expect("its end");
    let folder = tempfile::tempdir().unwrap();
    let (program, table) = (folder.path().join("lab.py"), folder.path().join("machines.json"));
    std::fs::write(&program, example).unwrap();
    std::fs::write(&table, r#"{"vm-1": {"name": "web", "serial": "A1", "power": "OFF", "boot": "LOCAL"}}"#).unwrap();
    let arguments = [&program, &table].map(|path| path.display().to_string()).to_vec();
    let lab = Exec::default().with("lab", Program { program: "python3".to_owned(), arguments }).unwrap();
    let appliance = Target { url: "exec://lab".to_owned(), ..target() };
    let found = lab.enumerate(&appliance).await.unwrap();
    assert_eq!((found.len(), found[0].name.as_str(), found[0].url.as_str()), (1, "web", "exec://lab#vm-1"));
    assert_eq!(lab.identify(&target()).await.unwrap().serial.as_deref(), Some("A1"));
    lab.set_boot(&target(), BootDevice::Network).await.unwrap();
    for (act, power) in [
        (PowerAct::On, Power::On),
        (PowerAct::Off, Power::Off),
        (PowerAct::Cycle, Power::On),
        (PowerAct::ForceOff, Power::Off),
    ] {
        lab.set_power(&target(), act).await.unwrap();
        assert_eq!(lab.power(&target()).await, Ok(power));
    }
    assert!(std::fs::read_to_string(&table).unwrap().contains("NETWORK"));
    let gone = Target { url: "exec://lab#vm-9".to_owned(), ..target() };
    let error = text_of(&lab.power(&gone).await.unwrap_err());
    assert_eq!(error, "ProgramRefused: the program lab (power): there is no machine vm-9");
}
