//! Answers stop at their budgets and let others run.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

use async_graphql::{EmptyMutation, EmptySubscription, Object, Request, Schema};

use super::*;
use crate::{Answers, Over};
use underlay_engine::access::{Caller, CallerKey};

fn anybody() -> CallerKey {
    Caller::anybody().key()
}

/// Keeps this thread busy.
fn work(time: Duration) {
    let watch = Stopwatch::begin();
    while !watch.exceeds(time) {
        std::hint::spin_loop();
    }
}

/// A thing in a tree: each has as many things as there are of the first.
struct Thing {
    name: String,
    things: usize,
}

#[Object]
impl Thing {
    async fn name(&self) -> &str {
        // Longer than nothing, so that many take more than a time slice.
        work(Duration::from_micros(20));
        &self.name
    }

    async fn things(&self) -> Vec<Paced<Thing>> {
        (0..self.things).map(|_| Paced(Thing { name: self.name.clone(), things: self.things })).collect()
    }
}

async fn answer(query: &str, things: usize, pace: Pace) -> async_graphql::Response {
    let first = Thing { name: "x".repeat(90), things };
    let schema = Schema::build(first, EmptyMutation, EmptySubscription).finish();
    schema.execute(Request::new(query).data(Arc::new(pace))).await
}

#[tokio::test]
async fn an_answer_counts_as_long_as_it_is() {
    let answers = Answers::new(1 << 20, 1 << 20);
    let budget = answers.begin(&anybody(), 0);
    let answer = answer("{ things { name things { name } } }", 10, Pace::new(Some(Arc::clone(&budget)))).await;
    let json = serde_json::to_vec(&answer.data).expect("JSON").len();
    // An object counts once, also where it stands in another one.
    assert!(budget.used() * 10 > json * 9 && budget.used() * 10 < json * 11, "{} of {json}", budget.used());
    assert_eq!(answers.used(), budget.used());
    budget.settle(json).expect("it fits");
    assert_eq!((budget.used(), answers.used()), (json, json));
    drop(budget);
    assert_eq!(answers.used(), 0);
}

#[tokio::test]
async fn an_answer_that_is_too_long_is_stopped() {
    let answers = Answers::new(5_000, 8_000);
    let other = answers.begin(&Caller::named("other").key(), 0);
    for (others, over) in [(0, Over::One(5_000)), (4_500, Over::All(8_000))] {
        other.settle(others).expect("it fits");
        let budget = answers.begin(&anybody(), 0);
        let stopped = tokio::select! {
            answer = answer("{ things { name things { name } } }", 100, Pace::new(Some(Arc::clone(&budget)))) => {
                panic!("it came to its end: {answer:?}");
            }
            over = budget.over() => over,
        };
        assert_eq!(stopped, over);
        // It is stopped where the budget ends, and not where the answer would.
        assert!(budget.used() < 6_000, "{}", budget.used());
        assert_eq!(budget.charge(1), Err(over), "for good");
    }
    assert_eq!(answers.used(), 4_500, "what was stopped takes nothing");
}

#[test]
fn one_caller_has_half_of_the_bytes() {
    let answers = Answers::new(1_000, 4_000);
    let begin = |caller: &str| answers.begin(&Caller::named(caller).key(), 0);
    let mut own: Vec<_> = (0..3).map(|_| begin("one")).collect();
    assert_eq!([0, 1, 2].map(|at| own[at].charge(900)), [Ok(()), Ok(()), Err(Over::Caller(2_000))]);
    let others = [begin("two"), begin("three")];
    assert_eq!(others.each_ref().map(|other| other.charge(600)), [Ok(()), Ok(())]);
    assert_eq!(begin("two").charge(200), Err(Over::All(4_000)));
    own.truncate(1);
    assert_eq!(begin("one").charge(1_000), Ok(()), "its bytes are given back");
    drop((own, others));
    assert_eq!(answers.used(), 0);
    let largest = Answers::new(1_000, 1_500);
    assert_eq!(largest.begin(&Caller::named("one").key(), 0).charge(1_000), Ok(()), "the largest answer always fits");
}

#[tokio::test]
async fn answers_of_one_request_count_one_by_one() {
    let answers = Answers::new(1_000, 4_000);
    let budget = answers.begin(&anybody(), 0);
    budget.charge(900).expect("it fits");
    let first = budget.hand_over();
    assert_eq!((first.used(), budget.used(), answers.used()), (900, 0, 900));
    budget.charge(900).expect("the next one has a budget of its own");
    budget.charge_memory(900).expect("memory counts a tenth");
    assert_eq!(budget.charge_memory(200), Err(Over::One(1_000)));
    drop((first, budget));
    assert_eq!(answers.used(), 0);
}

#[tokio::test]
async fn a_long_answer_yields() {
    let turns = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&turns);
    // There is one thread: the other task runs only when the answer lets it.
    let other = tokio::spawn(async move {
        loop {
            counted.fetch_add(1, Relaxed);
            tokio::task::yield_now().await;
        }
    });
    let answer = answer("{ things { name things { name } } }", 40, Pace::new(None)).await;
    other.abort();
    assert!(answer.is_ok(), "{answer:?}");
    assert!(turns.load(Relaxed) > 10, "{turns:?} turns");
}

#[tokio::test]
async fn in_each_turn_something_is_done() {
    // Each time slice begins late: with the time of one alone, nothing would ever be done.
    let pace = Arc::new(Pace::new(None));
    let done = Arc::new(AtomicUsize::new(0));
    let all = futures_util::future::join_all((0..200).map(|_| async {
        pace.yield_now().await;
        work(LATER_TIME_SLICE);
        done.fetch_add(1, Relaxed);
    }));
    let mut turns = 0_usize;
    let mut all = pin!(pace.in_slices(all));
    poll_fn(|context| {
        turns += 1;
        all.as_mut().poll(context).map(drop)
    })
    .await;
    assert_eq!(done.load(Relaxed), 200);
    // After each there is another time slice, and none in which all of the others step back first.
    assert!((100..300).contains(&turns), "{turns} turns");
}

#[tokio::test]
async fn long_requests_take_turns_and_short_ones_do_not_wait() {
    let answers = Answers::new(1 << 20, 1 << 20);
    let permits = u32::try_from(answers.turns.available_permits()).expect("few");
    let others = answers.turns.acquire_many(permits).await.expect("it is open");
    let steps = AtomicUsize::new(0);
    let slices = async |slices: usize| {
        for _ in 0..slices {
            work(FIRST_TIME_SLICE * 2);
            steps.fetch_add(1, Relaxed);
            tokio::task::yield_now().await;
        }
    };
    let pace = Pace::new(Some(answers.begin(&anybody(), 0)));
    // A request that waits long for a processor, or for anything else, is a short one.
    pace.in_slices(async { std::thread::sleep(FIRST_TIME_SLICE * 2) }).await;
    pace.in_slices(async { work(Duration::from_millis(1)) }).await;
    let mut long = pin!(pace.in_slices(slices(3)));
    for _ in 0..10 {
        assert!(futures_util::poll!(long.as_mut()).is_pending());
        tokio::task::yield_now().await;
    }
    assert_eq!(steps.load(Relaxed), 1, "its turn does not come");
    drop(others);
    long.await;
    assert_eq!(steps.load(Relaxed), 3);
    assert_eq!(answers.turns.available_permits(), permits as usize);
}
