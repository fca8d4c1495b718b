//! Tests that resources are counted in total and by caller, and given back.

use axum::http::StatusCode;

use super::*;
use crate::http::refusal::Status;

fn admission(requests: usize, bodies: usize, subscriptions: usize) -> Admission {
    let limits = Limits { body: 10, apply_body: 10, values: 0, bodies, requests, subscriptions, ..Limits::unbounded() };
    Admission::new(limits)
}

fn says(refused: Result<impl std::fmt::Debug, Refused>, what: &str) {
    let refused = refused.expect_err("it is refused");
    assert_eq!(refused.status, Status::Is(StatusCode::SERVICE_UNAVAILABLE), "{refused:?}");
    assert!(refused.message.contains(what), "{refused:?}");
}

#[test]
fn one_caller_has_half_of_the_requests() {
    let admission = admission(4, 100, 1);
    let [one, two, three] = ["one", "two", "three"].map(Caller::named);
    let run = |caller: &Caller| admission.request(admission.body(caller));
    let first = [run(&one), run(&one)].map(|it| it.expect("there is room"));
    says(run(&one), "limits.requests");
    assert!(admission.has_room(&admission.body(&one)).is_err() && admission.has_room(&admission.body(&two)).is_ok());
    let second = [run(&two), run(&two)].map(|it| it.expect("there is room"));
    says(run(&three), "limits.requests");
    drop(first);
    run(&three).expect("there is room again");
    drop(second);
    assert!(lock(&admission.ledger).callers.is_empty(), "a caller without resources has no entry");
    assert_eq!(lock(&admission.ledger).all, Uses::default());
}

#[test]
fn the_last_request_is_open_to_any_caller() {
    let admission = admission(1, 100, 1);
    let one = Caller::named("one");
    let running = admission.request(admission.body(&one)).expect("there is room");
    says(admission.has_room(&admission.body(&one)), "limits.requests");
    drop(running);
    admission.has_room(&admission.body(&one)).expect("there is room again");
}

#[test]
fn one_caller_has_half_of_the_bytes() {
    let admission = admission(4, 100, 1);
    let [one, two, three] = ["one", "two", "three"].map(Caller::named);
    let mut first = admission.body(&one);
    first.take(50).expect("there is room");
    says(first.take(1), "limits.bodies");
    says(admission.body(&one).take(1), "limits.bodies");
    let mut other = admission.body(&three);
    other.take(45).expect("there is room");
    let mut second = admission.body(&two);
    second.take(5).expect("there is room");
    says(second.take(1), "limits.bodies");
    other.give_back(3);
    second.take(3).expect("there is room again");
    assert_eq!((other.bytes(), second.bytes(), lock(&admission.ledger).all.bytes), (42, 8, 100));
    drop((first, other, second));
    assert_eq!(lock(&admission.ledger).all, Uses::default());
}

#[test]
fn unknown_clients_together_have_an_eighth_of_the_bytes() {
    let admission = admission(4, 8_000_000, 1);
    let mut strangers: Vec<_> = (0..10).map(|_| admission.body_of_nobody()).collect();
    strangers[..4].iter_mut().for_each(|it| it.take(250_000).expect("there is room"));
    says(strangers[4].take(1), "limits.bodies");
    admission.body(&Caller::named("one")).take(4_000_000).expect("the room of callers");
    strangers[0].give_back(100_000);
    strangers[4].take(100_000).expect("there is room again");
    drop(strangers);
    let ledger = lock(&admission.ledger);
    assert_eq!((ledger.of_nobody, ledger.all), (0, Uses::default()));
}

#[test]
fn the_largest_body_fits_where_half_is_less() {
    let admission = admission(4, 12, 1);
    let one = Caller::named("one");
    let mut body = admission.body(&one);
    body.take(10).expect("there is room");
    says(admission.body(&one).take(1), "limits.bodies");
    let held = admission.request(body).expect("there is room").into_body();
    assert_eq!(held.bytes(), 10, "it outlasts the request");
}

#[test]
fn the_most_values_fit_beside_the_largest_body() {
    let limits = Limits { apply_body: 10, values: 5, bodies: 12 + 5 * VALUE_BYTES, ..Limits::unbounded() };
    let admission = Admission::new(limits);
    let one = Caller::named("one");
    admission.body(&one).take(10 + 5 * VALUE_BYTES).expect("there is room");
    says(admission.body(&one).take(11 + 5 * VALUE_BYTES), "limits.bodies");
}

#[test]
fn bytes_of_subscriptions_count_as_long_as_they_run() {
    let admission = admission(4, 100, 1);
    let one = Caller::named("one");
    let mut body = admission.body(&one);
    body.take(7).expect("there is room");
    let running = admission.subscription(body).expect("there is room");
    says(admission.subscription(admission.body(&one)), "limits.subscriptions");
    assert_eq!(lock(&admission.ledger).all, Uses { requests: 0, bytes: 7, subscriptions: 1 });
    drop(running);
    assert_eq!(lock(&admission.ledger).all, Uses::default());
}
