use underlay_hosts::host::{Order, State};
use underlay_hosts::life::Duty;

use super::{Request, check, text_of};
use crate::client::Node;
use crate::provisioner::mark::{Mark, Prepared};
use crate::provisioner::samples::{host, marked, node, ordered, prepared};

/// The states of a machine that has a system.
const IN_USE: &[&str] = &[
    "active",
    "rescue",
    "rescuing",
    "rescue wait",
    "rescue failed",
    "unrescuing",
    "unrescue failed",
    "servicing",
    "service wait",
    "service hold",
    "service failed",
];
const DEPLOYING: &[&str] = &["deploying", "wait call-back", "deploy hold"];
const CLEANING: &[&str] = &["cleaning", "clean wait", "clean hold"];
const INSPECTING: &[&str] = &["inspecting", "inspect wait"];

#[test]
fn an_installation_is_prepared_from_every_state_but_that_of_a_machine_in_use() {
    let host = ordered(host(State::Installing), Order::Install);
    let begin = Request::begin(Duty::Prepare, &host);
    let work: &[(&[&str], &str)] = &[
        (&["enroll"], "order manage"),
        (&["verifying", "adopting", "deleting"], "wait"),
        (CLEANING, "wait"),
        (INSPECTING, "wait"),
        (&["manageable"], "order provide"),
        (&["available"], "record"),
        (&["inspect failed", "adopt failed", "clean failed"], "order manage"),
        (&["deploy failed", "error"], "order deleted"),
    ];
    check(begin, node, "fail WorkFailed", work);
    let goes_on: &[(&[&str], &str)] = &[
        // The BMC could not be verified, as the sentence of the node says.
        (&["enroll"], "fail MachineFailed"),
        (&["verifying", "adopting", "deleting"], "wait"),
        (CLEANING, "wait"),
        (INSPECTING, "wait"),
        (&["manageable"], "order provide"),
        (&["available"], "record"),
        (&["inspect failed", "adopt failed"], "order manage"),
    ];
    check(Request::go_on(Duty::Prepare, &host), node, "fail WorkFailed", goes_on);
    // The settings come first, where Ironic does not work on the node and nobody uses the machine.
    let stale = Request { is_fresh: false, ..begin };
    let settled: &[&str] = &[
        "enroll",
        "manageable",
        "available",
        "deploy failed",
        "error",
        "clean failed",
        "inspect failed",
        "adopt failed",
    ];
    let waits: &[&str] =
        &["verifying", "adopting", "deleting", "cleaning", "clean wait", "clean hold", "inspecting", "inspect wait"];
    check(stale, node, "fail WorkFailed", &[(settled, "refresh"), (waits, "wait")]);
    // Prepared, and nothing of it was begun.
    assert_eq!(text_of(&begin.decide(Some(&prepared(&host, "available")))), "done");
    // Disks are safe before anything that could clean them.
    for state in ["manageable", "deploy failed", "error"] {
        for automated_clean in [None, Some(true)] {
            let node = Node { automated_clean, ..node(state) };
            assert_eq!(text_of(&begin.decide(Some(&node))), "keepdisks", "{state}");
        }
    }
}

#[test]
fn an_order_for_which_the_machine_has_worked_is_not_prepared_again() {
    let worked = |order: Order, state: &str, inspected: Option<&str>| {
        let host = ordered(host(State::Acquired), order);
        let node = Node { inspection_finished_at: inspected.map(str::to_owned), ..prepared(&host, state) };
        match Request::begin(Duty::Prepare, &host).decide(Some(&node)) {
            super::Next::Failed(_, sentence) => sentence.contains("has worked for this order already"),
            _ => false,
        }
    };
    for state in DEPLOYING.iter().chain(IN_USE).chain(&["deploy failed", "deleting", "error"]) {
        assert!(worked(Order::Install, state, None), "{state}");
    }
    for state in CLEANING.iter().chain(&["clean failed", "available"]) {
        assert!(worked(Order::Wipe, state, None), "{state}");
    }
    for state in INSPECTING.iter().chain(&["inspect failed"]) {
        assert!(worked(Order::Discover, state, None), "{state}");
    }
    assert!(worked(Order::Discover, "manageable", Some("2026-01-01T00:00:00Z")));
    for (order, state) in [(Order::Install, "available"), (Order::Wipe, "manageable"), (Order::Discover, "manageable")]
    {
        assert!(!worked(order, state, None), "{order:?} {state}");
    }
}

#[test]
fn a_machine_that_runs_and_was_forgotten_is_not_installed() {
    let host = ordered(host(State::Installing), Order::Install);
    let with = |created_for: Option<Prepared>, power: Option<&str>| {
        let mark = Mark { host: host.id, name: "h".into(), order: None, created_for };
        let mut node = marked(&node("manageable"), &mark);
        node.states.power = power.map(str::to_owned);
        text_of(&Request::begin(Duty::Prepare, &host).decide(Some(&node)))
    };
    let order = Prepared::of(host.order_key(), None);
    let earlier = Prepared { number: 0, ..order.clone() };
    assert_eq!(with(Some(order.clone()), Some("power on")), "fail MachineFailed");
    assert_eq!(with(Some(order), Some("power off")), "order provide");
    assert_eq!(with(Some(earlier), Some("power on")), "order provide", "a person ordered again since");
    assert_eq!(with(None, Some("power on")), "order provide", "it was registered while it was free");
}

#[test]
fn a_discovery_and_a_wipe_are_prepared_as_manageable() {
    for order in [Order::Discover, Order::Wipe] {
        let host = ordered(host(State::Acquired), order);
        let table: &[(&[&str], &str)] = &[
            (&["enroll", "available", "inspect failed", "adopt failed", "clean failed"], "order manage"),
            (&["verifying", "adopting", "deleting"], "wait"),
            (CLEANING, "wait"),
            (INSPECTING, "wait"),
            (&["manageable"], "record"),
            (&["deploy failed", "error"], "order deleted"),
        ];
        check(Request::begin(Duty::Prepare, &host), node, "fail WorkFailed", table);
        assert_eq!(text_of(&Request::begin(Duty::Prepare, &host).decide(Some(&prepared(&host, "manageable")))), "done");
    }
}

#[test]
fn an_order_without_an_image_or_of_another_kind_is_not_prepared() {
    let mut without = ordered(host(State::Installing), Order::Install);
    without.wanted.as_mut().expect("an order").profile = None;
    let available = node("available");
    assert_eq!(text_of(&Request::begin(Duty::Prepare, &without).decide(Some(&available))), "fail ProfileFailed");
    let none = host(State::Acquired);
    assert_eq!(text_of(&Request::begin(Duty::Prepare, &none).decide(Some(&available))), "unknown");
    let power = ordered(host(State::Acquired), Order::PowerOn);
    assert_eq!(text_of(&Request::begin(Duty::Prepare, &power).decide(Some(&available))), "unknown");
}

#[test]
fn an_inspection_runs_once() {
    let host = ordered(host(State::Discovering), Order::Discover);
    let (begin, go_on) = (Request::begin(Duty::Inspect, &host), Request::go_on(Duty::Inspect, &host));
    let at = |state: &str| prepared(&host, state);
    check(begin, at, "fail WorkFailed", &[(&["manageable"], "order inspect"), (INSPECTING, "wait")]);
    check(go_on, at, "fail WorkFailed", &[(&["manageable"], "unknown"), (INSPECTING, "wait")]);
    let inspected = Node { inspection_finished_at: Some("2026-01-01T00:00:00Z".into()), ..at("manageable") };
    assert_eq!(
        (text_of(&begin.decide(Some(&inspected))), text_of(&go_on.decide(Some(&inspected)))),
        ("done".into(), "done".into())
    );
    check(begin, node, "unknown", &[]);
}

#[test]
fn an_image_is_deployed_once() {
    let host = ordered(host(State::Installing), Order::Install);
    let at = |state: &str| prepared(&host, state);
    let begin: &[(&[&str], &str)] = &[(&["available"], "order active"), (DEPLOYING, "wait"), (IN_USE, "done")];
    check(Request::begin(Duty::Install, &host), at, "fail WorkFailed", begin);
    let go_on: &[(&[&str], &str)] = &[(&["available"], "unknown"), (DEPLOYING, "wait"), (IN_USE, "done")];
    check(Request::go_on(Duty::Install, &host), at, "fail WorkFailed", go_on);
    check(Request::begin(Duty::Install, &host), node, "unknown", &[]);
}

#[test]
fn disks_are_cleaned_once_and_only_as_prepared() {
    let host = ordered(host(State::Wiping), Order::Wipe);
    let at = |state: &str| Node { automated_clean: Some(true), ..prepared(&host, state) };
    let begin: &[(&[&str], &str)] =
        &[(&["manageable"], "order provide"), (CLEANING, "wait"), (&["available"], "keepdisks")];
    check(Request::begin(Duty::Deinstall, &host), at, "fail WorkFailed", begin);
    let go_on: &[(&[&str], &str)] = &[(&["manageable"], "unknown"), (CLEANING, "wait"), (&["available"], "keepdisks")];
    check(Request::go_on(Duty::Deinstall, &host), at, "fail WorkFailed", go_on);
    let kept = |state: &str| prepared(&host, state);
    let table: &[(&[&str], &str)] = &[(CLEANING, "wait"), (&["available"], "done")];
    check(Request::begin(Duty::Deinstall, &host), kept, "fail WorkFailed", table);
    check(Request::begin(Duty::Deinstall, &host), node, "unknown", &[]);
}
