//! Everything that can go wrong between a source, its synchronizer and the server.

use rand::rngs::SmallRng;
use rand::{Rng as _, SeedableRng as _};
use underlay_testing::until;

use super::fake::Fault;
use super::*;

#[tokio::test]
async fn a_call_that_fails_in_passing_is_made_again() {
    for fault in [Fault::Busy, Fault::Error, Fault::Lost] {
        let (fake, racks) = (Fake::start().await, Racks::many(1_500));
        // Every call but the first one fails once, and its repeat succeeds.
        for call in 0..20 {
            let fault = Some(fault).filter(|_| call > 0);
            fake.data().faults.extend([fault].into_iter().chain(fault.map(|_| None)));
        }
        let (mut runner, _) = runner(&fake, &racks, State::in_memory("git"));
        let (_stop, stopped) = watch::channel(false);
        let ran = runner.run(Duty::Once, stopped).await;
        assert_eq!(word(&ran.end), "Done", "{fault:?}");
        assert_eq!(ran.tally.created, 1_500, "{fault:?}: nothing is counted twice");
        assert_eq!(fake.data().objects, racks.expected());
        assert_eq!(fake.data().runs.len(), 1, "{fault:?}: no run is left behind");
    }
}

#[tokio::test]
async fn a_synchronizer_that_is_killed_at_a_hundred_random_points_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("state");
    let fake = Fake::start().await;
    let racks = Racks::many(1_200);
    let seed = rand::random();
    let mut random = SmallRng::seed_from_u64(seed);
    let (mut killed, mut is_whole) = (0, false);
    for point in 1..=100 {
        // Between two values, so that a state that is wrong about one of them leaves the other one on the server.
        racks.set("00000", json!({"name": format!("name {}", point % 2)}));
        racks.set("01100", json!({"name": format!("name {}", point % 2)}));
        racks.set(&format!("extra {point}"), json!({"name": "extra"}));
        racks.remove(&format!("extra {}", point - 1));
        if random.random() {
            // The server has abandoned what was left open, as it does after five minutes.
            fake.data().runs.iter_mut().for_each(|run| run.is_finished = true);
        }
        let begun = fake.data().requests.len();
        let (mut runner, _) = runner(&fake, &racks, state(&path).await);
        let (_stop, stopped) = watch::channel(false);
        let task = tokio::spawn(async move { runner.run(Duty::Once, stopped).await });
        // It is killed when the server has received, and may have executed, so many of its calls.
        let calls = random.random_range(1..=9);
        let ended = tokio::select! {
            () = fake.received(begun + calls) => false,
            () = until("the run ends", async || task.is_finished()) => true,
        };
        // The moment of the kill is the test: whatever it hits, nothing is lost.
        tokio::time::sleep(Duration::from_micros(random.random_range(0..2_000))).await;
        task.abort();
        drop(task.await);
        killed += usize::from(!ended);
        for id in racks.expected().keys().filter(|id| !id.starts_with("extra")) {
            assert!(!is_whole || fake.data().objects.contains_key(id), "{id} went at {point} with the seed {seed}");
        }
        // Most times, nothing else happens before the next kill.
        if point % 10 == 0 || random.random_ratio(1, 4) {
            let mut ran = once(&fake, &racks, &path).await;
            if word(&ran.end).contains("IN_USE") {
                // It was killed before it knew of its run, which the server abandons after five minutes.
                fake.data().runs.iter_mut().for_each(|run| run.is_finished = true);
                ran = once(&fake, &racks, &path).await;
            }
            is_whole = true;
            assert_eq!(word(&ran.end), "Done", "after the kill at {point} with the seed {seed}");
            assert_eq!(fake.data().objects, racks.expected(), "after the kill at {point} with the seed {seed}");
        }
    }
    assert!(killed > 50, "only {killed} were killed with the seed {seed}");
}

#[tokio::test]
async fn a_run_in_which_items_come_without_a_change_stays_alive() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("state");
    let (fake, racks) = (Fake::start().await, Racks::many(60));
    once(&fake, &racks, &path).await;
    fake.data().requests.clear();
    // An item comes before the source was ever silent for so long, and none of them needs a call.
    let racks = Racks { pause: Duration::from_millis(2), ..racks };
    let (mut runner, _) = runner(&fake, &racks, state(&path).await);
    runner.timing.heartbeat = Duration::from_millis(20);
    let (_stop, stopped) = watch::channel(false);
    let ran = runner.run(Duty::Once, stopped).await;
    assert_eq!((word(&ran.end), ran.tally.unchanged), ("Done".into(), 60));
    // At the end it names the items, and says how many things it read.
    let reports = fake.data().requests.iter().filter(|call| **call == "reportRun").count();
    assert!(reports > 2, "{reports} reports");
}

#[tokio::test]
async fn a_run_that_the_server_refuses_to_go_on_with_fails_with_the_reason() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("state");
    let (fake, racks) = (Fake::start().await, Racks::many(5));
    fake.data().refuses = Some("apply");
    for runs in 1..=3 {
        let ran = once(&fake, &racks, &path).await;
        let end = word(&ran.end);
        assert_eq!(end, "failed: the server refuses: an internal error; its id is 7 (INTERNAL)");
        assert!(fake.data().runs.iter().all(|run| run.state == "FAILED" && run.is_finished), "{:?}", fake.data().runs);
        assert_eq!(fake.data().runs.len(), runs);
        let error = fake.data().errors.last().cloned().expect("an error");
        assert_eq!((&error["code"], &error["message"]), (&json!("INTERNAL"), &json!(end["failed: ".len()..])));
    }
    fake.data().refuses = None;
    assert_eq!(word(&once(&fake, &racks, &path).await.end), "Done");
}

#[tokio::test]
async fn a_run_that_fails_while_nobody_answers_is_failed_as_soon_as_somebody_does() {
    let fake = Fake::start().await;
    let racks = Racks { takes: Duration::from_millis(50), ..Racks::many(5) };
    let (mut runner, seen) = runner(&fake, &racks, State::in_memory("git"));
    runner.timing.farewell = Duration::from_millis(20);
    let (stop, stopped) = watch::channel(false);
    let task = tokio::spawn(async move { runner.run(Duty::Forever, stopped).await });
    until("there is a run", async || !fake.data().runs.is_empty()).await;
    fake.data().is_away = true;
    until("the first run has ended", async || !seen.ran.lock().expect("a lock").is_empty()).await;
    fake.data().is_away = false;
    let is_done = async || seen.ran.lock().expect("a lock").iter().any(|ran| ran == "Full Done");
    until("a full run is done", is_done).await;
    let first = seen.ran.lock().expect("a lock")[0].clone();
    assert!(first.contains("failed: the server"), "{first}");
    let runs: Vec<_> = fake.data().runs.iter().map(|run| (run.state, run.is_finished)).collect();
    assert_eq!(runs[..2], [("FAILED", true), ("SUCCEEDED", true)]);
    assert_eq!(fake.data().errors[0]["message"], first["Full failed: ".len()..]);
    assert_eq!(fake.data().errors[0]["code"], "UNAVAILABLE");
    stop.send_replace(true);
    task.await.expect("it ends");
}

#[tokio::test]
async fn a_run_that_was_judged_does_not_end_as_failed() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("state");
    let (fake, racks) = (Fake::start().await, Racks::many(5));
    fake.data().refuses = Some("finishRun");
    let ran = once(&fake, &racks, &path).await;
    assert!(word(&ran.end).starts_with("failed: the server refuses"), "{}", word(&ran.end));
    assert_eq!(fake.data().runs.last().map(|run| (run.state, run.complete)), Some(("CANCELLED", Some(true))));
    assert_eq!(fake.data().errors.len(), 1);
}

#[tokio::test]
async fn a_scan_that_fails_removes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("state");
    let (fake, mut racks) = (Fake::start().await, Racks::many(1_500));
    once(&fake, &racks, &path).await;
    racks.fails_after = Some(1_200);
    racks.set("00001", json!({"name": "renamed"}));
    let ran = once(&fake, &racks, &path).await;
    assert_eq!(word(&ran.end), "failed: GET /racks: the source cannot be reached: the connection broke");
    assert_eq!(fake.data().objects.len(), 1_500);
    assert_eq!(fake.data().objects["00001"]["name"], "renamed", "what was read is written");
    let error = fake.data().errors.last().cloned().expect("an error");
    assert_eq!((&error["externalId"], &error["code"]), (&json!("git"), &json!("UNAVAILABLE")));
    assert_eq!(fake.data().runs.last().map(|run| (run.state, run.complete)), Some(("FAILED", Some(false))));
}

#[tokio::test]
async fn a_run_that_the_server_does_not_know_any_more_fails_and_the_next_one_goes_on() {
    let fake = Fake::start().await;
    let racks = Racks { hangs: true, ..Racks::many(1_500) };
    let (mut first, _) = runner(&fake, &racks, State::in_memory("git"));
    first.timing.heartbeat = Duration::from_millis(5);
    let (_stop, stopped) = watch::channel(false);
    let task = tokio::spawn(async move {
        let ran = first.run(Duty::Once, stopped).await;
        (ran, first)
    });
    fake.received(5).await;
    // The server starts with the earlier backup.
    fake.data().runs.clear();
    let (ran, _) = task.await.expect("it ends");
    assert!(word(&ran.end).contains("there is no such run (NOT_FOUND)"), "{}", word(&ran.end));

    let racks = Racks { hangs: false, ..racks };
    let (mut second, seen) = runner(&fake, &racks, State::in_memory("git"));
    let (stop, stopped) = watch::channel(false);
    // The first runs fail, and are made again by themselves.
    fake.data().faults.extend([Some(Fault::Error); 3]);
    let task = tokio::spawn(async move { second.run(Duty::Forever, stopped).await });
    let is_done = async || seen.ran.lock().expect("a lock").iter().any(|ran| ran == "Full Done");
    until("a full run is done", is_done).await;
    assert!(seen.ran.lock().expect("a lock")[0].contains("HTTP status 500"));
    assert_eq!(fake.data().objects, racks.expected());
    stop.send_replace(true);
    task.await.expect("it ends");
}

#[tokio::test]
async fn a_stop_ends_a_scan_at_once_and_cancels_its_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("state");
    let fake = Fake::start().await;
    let racks = Racks { hangs: true, ..Racks::many(1_500) };
    let (mut runner, _) = runner(&fake, &racks, state(&path).await);
    let (stop, stopped) = watch::channel(false);
    let task = tokio::spawn(async move { runner.run(Duty::Forever, stopped).await });
    until("a thousand items are written", async || fake.data().written.len() >= 1_000).await;
    stop.send_replace(true);
    let ran = task.await.expect("it ends");
    assert_eq!(word(&ran.end), "Stopped");
    assert_eq!(fake.data().runs.last().map(|run| (run.state, run.complete)), Some(("CANCELLED", None)));
    // Items that were written are not sent again.
    let sent = fake.data().written.len();
    let racks = Racks { hangs: false, ..racks };
    assert_eq!(word(&once(&fake, &racks, &path).await.end), "Done");
    assert!(fake.data().written.len() <= sent + 500 + 1_000, "{} were written", fake.data().written.len());
    assert_eq!(fake.data().objects, racks.expected());
}

#[tokio::test]
async fn a_run_that_the_guard_holds_is_reported() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("state");
    let (fake, racks) = (Fake::start().await, Racks::many(5));
    once(&fake, &racks, &path).await;
    fake.data().max_gone = 1;
    racks.remove("00001");
    racks.remove("00002");
    let ran = once(&fake, &racks, &path).await;
    assert_eq!((word(&ran.end), ran.tally.held, ran.tally.gone), ("Held".into(), 2, 0));
    assert_eq!(fake.data().objects.len(), 5);
    assert!(fake.data().runs.iter().all(|run| run.is_finished), "the next run can begin");
}

#[tokio::test]
async fn a_server_of_another_major_version_ends_the_synchronizer() {
    let fake = Fake::start().await;
    fake.data().version = "1.0.0";
    let (mut runner, _) = runner(&fake, &Racks::many(1), State::in_memory("git"));
    let (_stop, stopped) = watch::channel(false);
    let ran = runner.run(Duty::Forever, stopped).await;
    assert!(word(&ran.end).contains("is of version 1.0.0: use the synchronizer of that version"), "{}", word(&ran.end));
}
