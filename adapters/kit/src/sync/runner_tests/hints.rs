//! Hints, looks and the times of scans.

use std::sync::atomic::Ordering;

use underlay_testing::until;

use super::*;

/// A runner that goes on until its test ends.
pub struct Going {
    pub fake: Fake,
    pub racks: Racks,
    pub hints: tokio::sync::mpsc::Sender<Hint>,
    pub seen: Arc<Seen>,
    stop: watch::Sender<bool>,
    task: tokio::task::JoinHandle<Ran>,
}

impl Going {
    /// Starts a runner, and waits for the end of its first scan.
    pub async fn start(racks: Racks) -> Self {
        Self::start_with(racks, timing()).await
    }

    pub async fn start_with(racks: Racks, timing: Timing) -> Self {
        let (fake, (racks, hints)) = (Fake::start().await, racks.with_hints());
        let (mut runner, seen) = runner_with(&fake, &racks, State::in_memory("git"), timing);
        let (stop, stopped) = watch::channel(false);
        let task = tokio::spawn(async move { runner.run(Duty::Forever, stopped).await });
        let going = Self { fake, racks, hints, seen, stop, task };
        going.ran(1).await;
        going
    }

    /// Waits until so many runs ended. Returns all of them.
    pub async fn ran(&self, count: usize) -> Vec<String> {
        until(format!("{count} runs have ended"), async || {
            let ran = self.seen.ran.lock().expect("a lock").clone();
            if ran.len() >= count { Ok(ran) } else { Err(format!("{ran:?}")) }
        })
        .await
    }

    /// Waits until the server has what the source has.
    pub async fn written(&self) {
        until("the server has what the source has", async || {
            let (found, expected) = (self.fake.data().objects.clone(), self.racks.expected());
            if found == expected { Ok(()) } else { Err(format!("{found:?}, not {expected:?}")) }
        })
        .await;
    }

    /// Gives a hint, without waiting.
    pub fn hint(&self, id: &str) {
        self.hints.try_send(Hint::Changed(ExternalId::new("rack", id))).expect("the runner listens");
    }

    pub async fn stop(self) -> Ran {
        self.stop.send_replace(true);
        self.task.await.expect("it ends")
    }
}

#[tokio::test]
async fn an_object_that_a_hint_names_is_read_and_written() {
    let going = Going::start(Racks::many(3)).await;
    going.racks.set("00001", json!({"name": "renamed"}));
    going.racks.set("new", json!({"name": "new"}));
    going.fake.data().written.clear();
    for _ in 0..20 {
        going.hint("00001");
        going.hint("00002");
        going.hint("new");
    }
    assert_eq!(going.ran(2).await, ["Full Done", "Partial Done"]);
    assert_eq!(going.fake.data().objects, going.racks.expected());
    let mut written = going.fake.data().written.clone();
    written.sort_unstable();
    assert_eq!(written, ["00001", "new"], "what did not change is not sent, and nothing twice");
    assert_eq!(word(&going.stop().await.end), "Stopped");
}

#[tokio::test]
async fn an_object_that_a_look_finds_gone_is_judged_by_the_next_scan() {
    let going = Going::start(Racks::many(3)).await;
    going.racks.remove("00001");
    going.hint("00001");
    let ran = going.ran(3).await;
    assert_eq!(ran[..3], ["Full Done", "Partial Done", "Full Done"]);
    assert_eq!(going.fake.data().gone, ["00001"]);
    assert_eq!(going.fake.data().objects, going.racks.expected());
    going.stop().await;
}

#[tokio::test]
async fn a_partial_run_says_what_is_held_and_refused() {
    let going = Going::start(Racks::many(3)).await;
    going.fake.data().holds_partial = true;
    going.racks.set("00001", json!({"name": "emptied"}));
    going.racks.set("00002", json!({"name": "lost", "needs": "nobody"}));
    going.hint("00001");
    going.hint("00002");
    assert_eq!(going.ran(2).await, ["Full Done", "Partial Held"]);
    let problems = going.seen.problems.lock().expect("a lock").clone();
    assert_eq!(problems, ["rack \"00002\": there is no such rack"]);
    going.stop().await;
}

#[tokio::test]
async fn a_partial_run_that_fails_says_why() {
    let going = Going::start(Racks::many(3)).await;
    going.fake.data().refuses = Some("apply");
    going.racks.set("00001", json!({"name": "renamed"}));
    going.hint("00001");
    let ran = going.ran(2).await[1].clone();
    assert!(ran.starts_with("Partial failed: the server refuses: an internal error"), "{ran}");
    let errors = going.fake.data().errors.clone();
    assert_eq!(errors[0]["message"], ran["Partial failed: ".len()..], "{errors:?}");
    // The server has no other end for a partial run that is no success.
    assert_eq!(going.fake.data().runs[1].state, "CANCELLED");
    going.fake.data().refuses = None;
    // Its hints are lost, so everything is read.
    going.written().await;
    going.stop().await;
}

#[tokio::test]
async fn at_most_eight_looks_go_on_at_a_time() {
    let going = Going::start(Racks::many(100)).await;
    for number in 0..100 {
        going.racks.set(&format!("{number:05}"), json!({"name": "x"}));
        going.hint(&format!("{number:05}"));
    }
    going.written().await;
    let most = going.racks.looks.1.load(Ordering::SeqCst);
    assert!((2..=8).contains(&most), "{most} looks at a time");
    going.stop().await;
}

#[tokio::test]
async fn many_hints_become_one_full_scan() {
    let going = Going::start(Racks::many(3)).await;
    let answers = Arc::clone(&going.racks.answers);
    let held = answers.lock().await;
    going.racks.set("00001", json!({"name": "renamed"}));
    going.hint("00000");
    until("a look goes on, so that hints are gathered", async || going.racks.looks.1.load(Ordering::SeqCst) > 0).await;
    for number in 0..1_400 {
        going.hint(&format!("{number:05}"));
    }
    // Some of them can still be on their way to the runner.
    let is_gathered = async || going.hints.capacity() == going.hints.max_capacity();
    until("the runner has more than a thousand", is_gathered).await;
    drop(held);
    assert_eq!(going.ran(2).await[..2], ["Full Done", "Full Done"], "what was looked at has not changed");
    assert_eq!(going.racks.looks.1.load(Ordering::SeqCst), 1, "no others are looked at");
    assert_eq!(going.fake.data().objects, going.racks.expected());
    going.stop().await;
}

#[tokio::test]
async fn hints_that_may_not_be_read_are_noted_once() {
    let fake = Fake::start().await;
    fake.data().interval = Some(0);
    let racks = Racks { refuses_hints: true, ..Racks::many(1) };
    let (mut runner, seen) = runner(&fake, &racks, State::in_memory("git"));
    let (stop, stopped) = watch::channel(false);
    let task = tokio::spawn(async move { runner.run(Duty::Forever, stopped).await });
    until("three runs have ended", async || seen.ran.lock().expect("a lock").len() >= 3).await;
    stop.send_replace(true);
    task.await.expect("it ends");
    let notes = seen.notes.lock().expect("a lock").clone();
    let of_hints = notes.iter().filter(|note| note.starts_with("no hints, so changes come with the next full scan: "));
    assert_eq!(of_hints.count(), 1, "{notes:?}");
}

#[tokio::test]
async fn the_interval_is_that_of_the_server() {
    let going = Going::start(Racks::many(1)).await;
    going.stop().await;
    let fake = Fake::start().await;
    fake.data().interval = Some(0);
    let (mut runner, seen) = runner(&fake, &Racks::many(1), State::in_memory("git"));
    let (stop, stopped) = watch::channel(false);
    let task = tokio::spawn(async move { runner.run(Duty::Forever, stopped).await });
    // With the interval of the runner, of an hour, there would never be a second one.
    until("two runs have ended", async || seen.ran.lock().expect("a lock").len() >= 2).await;
    stop.send_replace(true);
    task.await.expect("it ends");
}

#[tokio::test]
async fn a_scan_that_takes_longer_than_its_interval_is_noted_once_and_never_doubled() {
    let fake = Fake::start().await;
    fake.data().interval = Some(1);
    let racks = Racks { takes: Duration::from_millis(1_100), ..Racks::many(1) };
    let (mut runner, seen) = runner(&fake, &racks, State::in_memory("git"));
    let (stop, stopped) = watch::channel(false);
    let task = tokio::spawn(async move { runner.run(Duty::Forever, stopped).await });
    until("three runs have ended", async || seen.ran.lock().expect("a lock").len() >= 3).await;
    stop.send_replace(true);
    task.await.expect("it ends");
    assert_eq!(seen.ran.lock().expect("a lock")[..3], ["Full Done", "Full Done", "Full Done"]);
    let notes = seen.notes.lock().expect("a lock").clone();
    let overrun = notes.iter().filter(|note| note.contains("longer than the interval of 1 s")).count();
    assert_eq!(overrun, 1, "{notes:?}");
}
