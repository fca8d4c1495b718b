use std::sync::Mutex;

use chrono::{DateTime, TimeDelta};
use futures_util::FutureExt as _;

use super::*;
use crate::host::StepName;

/// A server with one attempt.
#[derive(Default)]
struct Server {
    attempt: Mutex<Option<BootAttempt>>,
    refuses: Option<String>,
    calls: Mutex<Vec<&'static str>>,
}

impl Server {
    fn count(&self, call: &'static str) {
        self.calls.lock().unwrap().push(call);
    }
}

impl Boots for Server {
    fn open<'a>(&'a self, _: Uuid, order: Uuid, _: &'a Fence) -> BoxFuture<'a, Result<Result<(), String>, ApiError>> {
        self.count("open");
        if let Some(sentence) = &self.refuses {
            return Box::pin(ready(Ok(Err(sentence.clone()))));
        }
        *self.attempt.lock().unwrap() = Some(attempt(order));
        Box::pin(ready(Ok(Ok(()))))
    }

    fn close<'a>(&'a self, _: Uuid, _: Uuid, _: &'a Fence) -> BoxFuture<'a, Result<(), ApiError>> {
        self.count("close");
        Box::pin(ready(Ok(())))
    }

    fn attempt(&self, _: Uuid) -> BoxFuture<'_, Result<(Option<BootAttempt>, Time), ApiError>> {
        self.count("attempt");
        let attempt = self.attempt.lock().unwrap().clone();
        Box::pin(ready(Ok((attempt, minute(0)))))
    }
}

fn minute(number: i64) -> Time {
    DateTime::UNIX_EPOCH + TimeDelta::minutes(number)
}

fn attempt(order: Uuid) -> BootAttempt {
    BootAttempt {
        order,
        state: Some(BootAttemptState::Open),
        boots: 0,
        booted_at: None,
        loaded_at: None,
        text_at: None,
        rebooted_at: None,
        stage: None,
        percent: None,
        message: None,
        facts: None,
    }
}

fn ask(server: &Arc<Server>, duty: Duty, call: Call, with_fence: bool) -> Result<Progress, CallError> {
    let host = crate::life::cases::free_host();
    let fence = Fence { lease: "hosts/07".to_owned(), epoch: 1 };
    let order = OrderKey { number: 1, id: Some(Uuid::from_u128(1)) };
    let fence = with_fence.then_some(&fence);
    let job = Job { host: &host, order, step: StepName::Prepare, duty, call, target: None, fence };
    let boots: Arc<dyn Boots> = Arc::<Server>::clone(server);
    Direct::new(boots).work(job).now_or_never().expect("an answer at once")
}

#[test]
fn an_attempt_is_opened_only_to_begin_and_only_under_a_lease() {
    let server = Arc::<Server>::default();
    assert_eq!(ask(&server, Duty::Prepare, Call::Continue, true), Ok(Progress::Unknown));
    assert!(matches!(ask(&server, Duty::Prepare, Call::Begin, false), Err(CallError::NotMade { .. })));
    assert!(!server.calls.lock().unwrap().contains(&"open"));

    assert_eq!(ask(&server, Duty::Prepare, Call::Begin, true), Ok(Progress::Done { facts: None }));
    assert_eq!(ask(&server, Duty::Prepare, Call::Continue, true), Ok(Progress::Done { facts: None }));
    let opened = server.calls.lock().unwrap().iter().filter(|call| **call == "open").count();
    assert_eq!(opened, 1);
}

#[test]
fn what_the_server_refuses_fails_with_its_sentence() {
    let server = Arc::new(Server { refuses: Some("the machine has worked".to_owned()), ..Server::default() });
    let failed = Progress::Failed { kind: FailureKind::Profile, sentence: "the machine has worked".to_owned() };
    assert_eq!(ask(&server, Duty::Prepare, Call::Begin, true), Ok(failed));
}

#[test]
fn the_attempt_of_another_order_says_nothing() {
    let server = Arc::<Server>::default();
    *server.attempt.lock().unwrap() = Some(attempt(Uuid::from_u128(2)));
    for call in [Call::Begin, Call::Continue] {
        assert_eq!(ask(&server, Duty::Inspect, call, true), Ok(Progress::Unknown));
    }
}

/// The sentence names the last that was seen, and a machine that booted again and says nothing fails after a while.
#[test]
fn progress_follows_the_machine() {
    let open = attempt(Uuid::from_u128(1));
    let booted = BootAttempt { boots: 1, booted_at: Some(minute(0)), ..open.clone() };
    let loaded = BootAttempt { loaded_at: Some(minute(1)), ..booted.clone() };
    let fetched = BootAttempt { text_at: Some(minute(2)), ..loaded.clone() };
    let staged = BootAttempt { stage: Some("disks".to_owned()), percent: Some(40), ..fetched.clone() };
    let rebooted = BootAttempt { rebooted_at: Some(minute(10)), ..staged.clone() };
    let with = |state| BootAttempt { state, message: Some("no disk".to_owned()), ..rebooted.clone() };
    for (attempt, at, expected) in [
        (&open, 20, "waits: it has not booted from the network"),
        (&booted, 12, "waits: it booted 12 minutes ago and did not ask for its kernel"),
        (&loaded, 13, "waits: it fetched its kernel 12 minutes ago and did not ask for the text that it works by"),
        (&fetched, 3, "waits: it fetched the text that it works by a minute ago and has not reported"),
        (&staged, 60, "waits: disks 40 %"),
        (&rebooted, 20, "waits: it booted again 10 minutes ago and has not reported that its work is done"),
        (&rebooted, 21, "failed: the machine rebooted without reporting"),
        (&with(Some(BootAttemptState::Done)), 21, "done"),
        (&with(Some(BootAttemptState::Failed)), 21, "failed: no disk"),
        (&with(Some(BootAttemptState::Closed)), 21, "failed: what was prepared for the order was taken back"),
        (&with(None), 21, "unknown"),
    ] {
        let found = match attempt.progress(minute(at), ASK_AGAIN) {
            Progress::Wait { sentence, .. } => format!("waits: {}", sentence.unwrap_or_default()),
            Progress::Failed { sentence, .. } => format!("failed: {sentence}"),
            Progress::Done { .. } => "done".to_owned(),
            Progress::Unknown => "unknown".to_owned(),
        };
        assert!(found.starts_with(expected), "{found} is not {expected}");
    }
}
