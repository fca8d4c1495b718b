//! What arrives while a scan goes on, and what goes without one.

use std::sync::atomic::Ordering;

use underlay_testing::until;

use super::hints::Going;
use super::*;

/// Waits until a thing on the server has a name, or is gone.
async fn named(going: &Going, id: &str, name: Option<&str>) {
    until(format!("the server has {id} as {name:?}"), async || {
        let data = going.fake.data();
        let found = data.objects.get(id).map(|fields| fields["name"].clone());
        if found == name.map(Into::into) { Ok(()) } else { Err(format!("{found:?}")) }
    })
    .await;
}

#[tokio::test]
async fn what_the_source_has_deleted_goes_without_a_scan() {
    let going = Going::start(Racks { proves: true, ..Racks::many(3) }).await;
    going.racks.remove("00001");
    going.hint("00001");
    named(&going, "00001", None).await;
    assert_eq!(going.ran(3).await[..3], ["Full Done", "Partial Done", "Partial Done"]);
    assert_eq!(going.fake.data().gone, ["00001"], "until it is proved, it is only suspected");
    going.stop().await;
}

#[tokio::test]
async fn what_takes_the_place_of_a_deleted_thing_is_written_with_its_end() {
    let going = Going::start(Racks { proves: true, ..Racks::many(3) }).await;
    going.racks.set("00001", json!({"name": "old", "slot": 1}));
    going.hint("00001");
    named(&going, "00001", Some("old")).await;
    going.racks.remove("00001");
    going.racks.set("new", json!({"name": "new", "slot": 1}));
    going.hint("new");
    going.hint("00001");
    going.written().await;
    let ran = going.seen.ran.lock().expect("a lock").clone();
    assert!(ran[1..].iter().all(|ran| ran == "Partial Done"), "{ran:?}");
    going.stop().await;
}

#[tokio::test]
async fn what_cannot_be_removed_brings_a_scan_forward() {
    let going = Going::start(Racks { proves: true, ..Racks::many(3) }).await;
    going.fake.data().max_gone = 0;
    going.racks.remove("00001");
    going.hint("00001");
    let is_held = async || going.fake.data().runs.iter().any(|run| run.mode == "PARTIAL" && run.state == "HELD");
    until("the server holds it", is_held).await;
    assert_eq!(going.fake.data().objects.len(), 3);
    going.stop().await;
}

#[tokio::test]
async fn hints_are_looked_at_while_a_scan_goes_on() {
    let going = Going::start(Racks { proves: true, ..Racks::many(5) }).await;
    let scans = Arc::clone(&going.racks.scans);
    let held = scans.lock().await;
    going.hints.try_send(Hint::Everything).expect("the runner listens");
    until("a scan goes on", async || going.fake.data().runs.iter().filter(|run| run.mode == "FULL").count() == 2).await;
    going.racks.set("00001", json!({"name": "renamed", "slot": 1}));
    going.racks.set("new", json!({"name": "new"}));
    going.hint("00001");
    going.hint("new");
    named(&going, "00001", Some("renamed")).await;
    named(&going, "new", Some("new")).await;
    // What is deleted goes, and another thing takes its place.
    going.racks.remove("00001");
    going.racks.set("00002", json!({"name": "instead", "slot": 1}));
    going.hint("00002");
    going.hint("00001");
    named(&going, "00001", None).await;
    named(&going, "00002", Some("instead")).await;
    let ran = going.seen.ran.lock().expect("a lock").clone();
    assert_eq!(ran, ["Full Done"], "the scan still goes on");
    drop(held);
    assert_eq!(going.ran(2).await[..2], ["Full Done", "Full Done"]);
    assert_eq!(going.fake.data().objects, going.racks.expected());
    let errors = going.fake.data().errors.clone();
    assert!(errors.is_empty(), "nothing is there twice: {errors:?}");
    going.stop().await;
}

#[tokio::test]
async fn what_a_scan_has_read_before_a_look_is_not_written_after_it() {
    let going = Going::start(Racks { proves: true, ..Racks::many(5) }).await;
    let emits = Arc::clone(&going.racks.emits);
    let held = emits.lock().await;
    going.racks.set("00001", json!({"name": "older"}));
    going.racks.set("00002", json!({"name": "older"}));
    going.hints.try_send(Hint::Everything).expect("the runner listens");
    until("the scan has read everything", async || going.racks.read.load(Ordering::SeqCst) == 2).await;
    going.racks.set("00001", json!({"name": "newer"}));
    going.racks.remove("00003");
    going.fake.data().written.clear();
    going.hint("00001");
    going.hint("00003");
    named(&going, "00001", Some("newer")).await;
    named(&going, "00003", None).await;
    drop(held);
    assert_eq!(going.ran(2).await[..2], ["Full Done", "Full Done"]);
    going.written().await;
    let mut written = going.fake.data().written.clone();
    written.sort_unstable();
    assert_eq!(written, ["00001", "00002"], "nothing older is written");
    going.stop().await;
}

/// The server judges what is proved otherwise than what a scan did not find: it can hold the latter for an operator.
#[tokio::test]
async fn a_scan_waits_for_the_proof_of_what_was_missing_when_it_ended() {
    let timing = Timing { soon: Duration::from_millis(500), ..timing() };
    let going = Going::start_with(Racks { proves: true, ..Racks::many(3) }, timing).await;
    for id in ["00001", "00002"] {
        going.racks.remove(id);
        going.hint(id);
        until(format!("{id} is reported as missing"), async || going.fake.data().gone.iter().any(|it| it == id)).await;
    }
    going.hints.try_send(Hint::Everything).expect("the runner listens");
    named(&going, "00001", None).await;
    named(&going, "00002", None).await;
    let removed_by = |mode: &str| -> usize {
        let data = going.fake.data();
        data.runs.iter().filter(|run| run.mode == mode).map(|run| run.deleted).sum()
    };
    assert_eq!((removed_by("PARTIAL"), removed_by("FULL")), (2, 0));
    going.stop().await;
}

#[tokio::test]
async fn a_scan_waits_no_longer_for_what_the_source_does_not_prove() {
    let going = Going::start(Racks { proves: false, ..Racks::many(3) }).await;
    going.racks.remove("00001");
    going.hint("00001");
    going.hints.try_send(Hint::Everything).expect("the runner listens");
    named(&going, "00001", None).await;
    assert_eq!(going.fake.data().runs.iter().find(|run| run.deleted > 0).map(|run| &*run.mode), Some("FULL"));
    going.stop().await;
}

#[tokio::test]
async fn what_a_scan_finds_is_written_while_it_goes_on() {
    let (fake, racks) = (Fake::start().await, Racks { hangs: true, ..Racks::many(3) });
    let timing = Timing { write: Duration::from_millis(1), ..timing() };
    let (mut runner, _) = runner_with(&fake, &racks, State::in_memory("git"), timing);
    let (stop, stopped) = watch::channel(false);
    let task = tokio::spawn(async move { runner.run(Duty::Forever, stopped).await });
    until("the server has what the scan found", async || fake.data().objects == racks.expected()).await;
    stop.send_replace(true);
    task.await.expect("it ends");
}
