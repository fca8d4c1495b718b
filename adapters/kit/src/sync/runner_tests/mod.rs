//! Tests the runner against a server that speaks the API of sources.

mod fake;
mod hints;
mod meanwhile;
mod source;
mod trouble;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use tokio::sync::watch;

use self::fake::Fake;
use self::source::{Racks, Seen, word};
use crate::sync::*;

const NEW: NewSource = NewSource { kind: "files", url: None, interval_seconds: 300, prune: Prune::Delete };

/// Short times, so that tests are quick. A scan writes what it has found when a batch is full, or at its end.
fn timing() -> Timing {
    let millis = Duration::from_millis;
    let write = Duration::from_secs(3_600);
    Timing { coalesce: millis(50), breath: millis(1), soon: millis(10), again: millis(5), write, ..Timing::default() }
}

/// Opens the state. The process of another test that starts a program may hold the lock for a moment.
async fn state(path: &Path) -> State {
    for _ in 0..1_000 {
        match State::open(path, "git") {
            Ok((state, _)) => return state,
            Err(StateError::Held { .. }) => tokio::time::sleep(Duration::from_millis(5)).await,
            Err(error) => panic!("{error}"),
        }
    }
    panic!("the state file is held for ever");
}

/// The runner of a source, and what it says.
fn runner(fake: &Fake, racks: &Racks, state: State) -> (Runner<Racks>, Arc<Seen>) {
    runner_with(fake, racks, state, timing())
}

fn runner_with(fake: &Fake, racks: &Racks, state: State, timing: Timing) -> (Runner<Racks>, Arc<Seen>) {
    let seen = Arc::new(Seen::default());
    let observer: Arc<dyn Observer> = Arc::clone(&seen) as _;
    (Runner::new(racks.clone(), fake.server(), NEW, state, timing, observer), seen)
}

/// One full run with a state file.
async fn once(fake: &Fake, racks: &Racks, path: &Path) -> Ran {
    let (mut runner, _) = runner(fake, racks, state(path).await);
    let (_stop, stopped) = watch::channel(false);
    runner.run(Duty::Once, stopped).await
}

#[tokio::test]
async fn a_source_is_written_and_then_only_what_changes() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("state");
    let (fake, racks) = (Fake::start().await, Racks::many(2_500));
    let ran = once(&fake, &racks, &path).await;
    assert_eq!((word(&ran.end), ran.tally.created, ran.tally.items), ("Done".into(), 2_500, 2_500));
    assert_eq!(fake.data().objects, racks.expected());
    let new = json!({"type": "files", "url": null, "interval": 300, "prune": "DELETE"});
    assert_eq!(fake.data().source, Some(new));

    // Another process, with the state of the first one.
    racks.set("00007", json!({"name": "other"}));
    racks.remove("00009");
    fake.data().requests.clear();
    fake.data().written.clear();
    let ran = once(&fake, &racks, &path).await;
    assert_eq!((ran.tally.updated, ran.tally.unchanged, ran.tally.gone), (1, 2_498, 1));
    assert_eq!(fake.data().objects, racks.expected());
    assert_eq!(fake.data().written, ["00007"]);
    let requests = fake.data().requests.clone();
    let expected = ["server {", "startRun", "reportRun", "apply", "reportRun", "settleRun", "finishRun"];
    assert_eq!(requests, expected);
    assert_eq!(fake.data().counts.last(), Some(&json!({"read": 2_499, "putAside": 0, "leftOut": 0})));
}

#[tokio::test]
async fn an_item_that_differs_on_the_server_is_sent_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("state");
    let (fake, racks) = (Fake::start().await, Racks::many(20));
    once(&fake, &racks, &path).await;
    fake.data().objects.remove("00003");
    fake.data().changed.insert("00005".into());
    fake.data().written.clear();
    let ran = once(&fake, &racks, &path).await;
    assert_eq!((ran.tally.created, ran.tally.unchanged), (1, 19));
    assert_eq!(fake.data().written, ["00003", "00005"]);
    assert_eq!(fake.data().objects, racks.expected());
}

#[tokio::test]
async fn everything_is_sent_to_another_database_and_after_the_state_is_lost() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("state");
    let (fake, racks) = (Fake::start().await, Racks::many(20));
    once(&fake, &racks, &path).await;
    for loss in 0..3 {
        match loss {
            0 => fake.data().history = "h2".into(),
            1 => std::fs::remove_file(&path).expect("a file"),
            _ => std::fs::write(&path, "garbage").expect("a file"),
        }
        fake.data().written.clear();
        let ran = once(&fake, &racks, &path).await;
        assert_eq!((ran.tally.unchanged, fake.data().written.len()), (20, 20), "loss {loss}");
    }
}

#[tokio::test]
async fn an_item_that_is_refused_because_of_others_is_retried() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("state");
    let fake = Fake::start().await;
    let racks = Racks::many(1_500);
    // The first batch refers to the second one, which the server cannot know yet.
    racks.set("00000", json!({"name": "first", "needs": "01400"}));
    racks.set("00001", json!({"name": "lost", "needs": "nobody"}));
    racks.set("00002", json!({"name": "left", "slot": 1}));
    racks.set("01401", json!({"name": "right", "slot": 2}));
    let ran = once(&fake, &racks, &path).await;
    assert_eq!((word(&ran.end), ran.tally.created, ran.tally.failed), ("Done".into(), 1_499, 1));
    assert!(fake.data().objects.contains_key("00000") && !fake.data().objects.contains_key("00001"));

    // Two that swap their slots can only be written together.
    racks.set("00002", json!({"name": "left", "slot": 2}));
    racks.set("01401", json!({"name": "right", "slot": 1}));
    let ran = once(&fake, &racks, &path).await;
    assert_eq!((ran.tally.updated, ran.tally.failed), (2, 1));
    assert_eq!(fake.data().objects["00002"]["slot"], 2);
    // The next run tries again what failed.
    racks.set("nobody", json!({"name": "somebody"}));
    let ran = once(&fake, &racks, &path).await;
    assert_eq!((ran.tally.created, ran.tally.failed, ran.tally.updated), (2, 0, 0));
    assert_eq!(fake.data().objects, racks.expected());
}

#[tokio::test]
async fn what_fits_only_together_is_written_before_the_server_judges_what_is_gone() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("state");
    let (fake, racks) = (Fake::start().await, Racks::default());
    let at = |site: &str| {
        for (id, other) in [("left", "right"), ("right", "left")] {
            racks.set(id, json!({"name": id, "beside": other, "site": site}));
        }
    };
    at("ams");
    racks.set("lost", json!({"name": "lost", "needs": "nobody"}));
    let ran = once(&fake, &racks, &path).await;
    assert_eq!((word(&ran.end), ran.tally.created, ran.tally.failed), ("Done".into(), 2, 1));
    at("fra");
    fake.data().requests.clear();
    let ran = once(&fake, &racks, &path).await;
    // What the server refuses in any case is taken out, and counts as failed once.
    assert_eq!((word(&ran.end), ran.tally.updated, ran.tally.failed), ("Done".into(), 2, 1));
    assert_eq!(fake.data().objects["left"]["site"], "fra");
    let requests = fake.data().requests.clone();
    let judged = requests.iter().position(|call| *call == "settleRun").expect("the run is settled");
    // At first, each by itself again, together, and without the one that is refused.
    assert_eq!(requests[..judged].iter().filter(|call| **call == "apply").count(), 4, "{requests:?}");
}

#[tokio::test]
async fn more_refused_items_than_a_report_can_name_are_all_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("state");
    let fake = Fake::start().await;
    let racks = Racks::many(12_000);
    for number in (0..12_000).filter(|number| number % 40 != 0) {
        racks.set(&format!("{number:05}"), json!({"name": format!("r{number}"), "needs": "nobody"}));
    }
    let ran = once(&fake, &racks, &path).await;
    assert_eq!((word(&ran.end), ran.tally.created, ran.tally.failed), ("Done".into(), 300, 11_700));
}

#[tokio::test]
async fn one_bad_thing_is_reported_and_stays() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("state");
    let (fake, mut racks) = (Fake::start().await, Racks::many(5));
    once(&fake, &racks, &path).await;
    racks.remove("00003");
    racks.bad = Some(BadThing::new(Some("rack"), "00003", "height: must be a number"));
    let ran = once(&fake, &racks, &path).await;
    assert_eq!((word(&ran.end), ran.tally.bad, ran.tally.gone), ("Done".into(), 1, 0));
    assert!(fake.data().objects.contains_key("00003"));
    let error = fake.data().errors.last().cloned().expect("an error");
    assert_eq!(error, json!({"externalId": "00003", "code": "INVALID", "message": "height: must be a number"}));

    // If a thing cannot be named, it is not known that others are gone.
    racks.bad = Some(BadThing::new(None, "racks.yaml, document 2", "is no manifest"));
    let ran = once(&fake, &racks, &path).await;
    assert!(word(&ran.end).contains("failed: 1 things of the source could not be read"), "{}", word(&ran.end));
    assert_eq!(fake.data().objects.len(), 5);
    assert_eq!(fake.data().runs.last().map(|run| (run.state, run.complete)), Some(("FAILED", Some(false))));
}

#[tokio::test]
async fn a_thing_of_an_unknown_kind_is_reported_and_the_rest_is_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("state");
    let item = Item::from_json(json!({"racks": {"externalId": "00001", "name": "r1"}})).expect("an item");
    let bad = BadThing::new(Some("racks"), "00001", "height: must be a number");
    for (others, bad) in [(vec![item], None), (Vec::new(), Some(bad))] {
        let (fake, mut racks) = (Fake::start().await, Racks::many(5));
        once(&fake, &racks, &path).await;
        racks.remove("00001");
        racks.set("00002", json!({"name": "renamed"}));
        (racks.others, racks.bad) = (others, bad);
        // The first run writes what changed, and the second one names it as seen.
        for run in 0..2 {
            let ran = once(&fake, &racks, &path).await;
            // It may be the rack that is missing, so nothing counts as gone.
            assert!(word(&ran.end).contains("1 things of the source could not be read"), "{run}: {}", word(&ran.end));
            assert!(word(&ran.end).contains("00001: the server knows no kind \"racks\""), "{run}: {}", word(&ran.end));
            assert_eq!(fake.data().objects.len(), 5, "{run}");
            assert_eq!(fake.data().objects["00002"]["name"], "renamed", "{run}");
            let last = fake.data().runs.last().map(|run| (run.state, run.complete, run.seen.len()));
            assert_eq!(last, Some(("FAILED", Some(false), 4)), "{run}");
            let errors = fake.data().errors.clone();
            assert!(
                errors.last().is_some_and(|error| error["message"] == word(&ran.end)["failed: ".len()..]),
                "{errors:?}"
            );
        }
        std::fs::remove_file(&path).expect("the state");
    }
}

#[tokio::test]
async fn the_same_id_twice_is_reported() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("state");
    let (fake, racks) = (Fake::start().await, Racks::many(3));
    /// Emits everything twice.
    struct Twice(Racks);
    impl Adapter for Twice {
        async fn scan(&self, sink: &mut Sink) -> Result<Scanned, AdapterError> {
            self.0.scan(sink).await?;
            self.0.scan(sink).await
        }
        async fn look(&self, id: &ExternalId) -> Result<Option<Items>, AdapterError> {
            self.0.look(id).await
        }
        fn hints(&self) -> Option<HintStream> {
            None
        }
    }
    let seen: Arc<dyn Observer> = Arc::new(Seen::default());
    let mut runner = Runner::new(Twice(racks.clone()), fake.server(), NEW, state(&path).await, timing(), seen);
    let (_stop, stopped) = watch::channel(false);
    let ran = runner.run(Duty::Once, stopped).await;
    assert_eq!((ran.tally.created, ran.tally.bad), (3, 3));
    assert!(fake.data().errors.iter().all(|error| error["code"] == "DUPLICATE"));
}

#[tokio::test]
async fn an_item_that_cannot_be_written_is_named_with_its_reason() {
    let fake = Fake::start().await;
    let mut racks = Racks::many(3);
    racks.set("00001", json!({"name": "lost", "needs": "nobody"}));
    racks.bad = Some(BadThing::new(Some("rack"), "00009", "height: must be a number"));
    let (mut runner, seen) = runner(&fake, &racks, State::in_memory("git"));
    let (_stop, stopped) = watch::channel(false);
    let ran = runner.run(Duty::Once, stopped).await;
    assert_eq!((word(&ran.end), ran.tally.failed, ran.tally.bad), ("Done".into(), 1, 1));
    let problems = seen.problems.lock().expect("a lock").clone();
    assert_eq!(problems, ["rack \"00009\": height: must be a number", "rack \"00001\": there is no such rack"]);
}
