use underlay_hosts::host::State;
use underlay_hosts::life::Duty;
use uuid::Uuid;

use super::{Request, check, text_of};
use crate::client::Node;
use crate::provisioner::mark::Mark;
use crate::provisioner::samples::{host, marked, node};

#[test]
fn a_machine_is_registered_without_being_touched() {
    let host = host(State::Available);
    let begin = Request::begin(Duty::Register, &host);
    check(begin, node, "done", &[(&["enroll"], "order manage"), (&["verifying"], "wait")]);
    let stale = Request { is_fresh: false, ..begin };
    let working: &[&str] = &[
        "deploying",
        "wait call-back",
        "deploy hold",
        "deleting",
        "cleaning",
        "clean wait",
        "clean hold",
        "inspecting",
        "inspect wait",
        "adopting",
    ];
    check(stale, node, "refresh", &[(&["verifying"], "wait"), (working, "done")]);
    let go_on = Request::go_on(Duty::Register, &host);
    check(go_on, node, "done", &[(&["enroll"], "fail MachineFailed"), (&["verifying"], "wait")]);
    let mut fresh = node("enroll");
    fresh.states.last_error = None;
    assert_eq!(text_of(&go_on.decide(Some(&fresh))), "order manage", "the order was lost");
}

#[test]
fn a_machine_in_use_is_adopted_and_nothing_else() {
    let host = host(State::Installed);
    let begin = Request::begin(Duty::Adopt, &host);
    let in_use: &[&str] = &[
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
    let table: &[(&[&str], &str)] = &[
        (&["enroll", "available"], "order manage"),
        (&["verifying", "adopting"], "wait"),
        (&["manageable", "adopt failed"], "order adopt"),
        (in_use, "done"),
    ];
    check(begin, node, "fail WorkFailed", table);
    let go_on: &[(&[&str], &str)] = &[
        (&["enroll"], "fail MachineFailed"),
        (&["available"], "order manage"),
        (&["verifying", "adopting"], "wait"),
        (&["manageable"], "order adopt"),
        (in_use, "done"),
    ];
    check(Request::go_on(Duty::Adopt, &host), node, "fail WorkFailed", go_on);
    let other = Node { automated_clean: None, ..node("manageable") };
    assert_eq!(text_of(&begin.decide(Some(&other))), "keepdisks");
}

#[test]
fn a_system_is_removed_by_an_order_and_its_disks_stay() {
    let host = host(State::Releasing);
    let attached: &[&str] = &[
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
        "wait call-back",
        "deploy failed",
    ];
    let works: &[&str] = &["adopting", "deleting", "cleaning", "clean wait", "clean hold"];
    let begin = Request::begin(Duty::Detach, &host);
    let table: &[(&[&str], &str)] = &[
        (attached, "order deleted"),
        (&["error"], "order deleted"),
        (works, "wait"),
        (&["deploying", "deploy hold"], "later"),
    ];
    check(begin, node, "done", table);
    let go_on: &[(&[&str], &str)] = &[
        (attached, "unknown"),
        (&["error"], "fail WorkFailed"),
        (works, "wait"),
        (&["deploying", "deploy hold"], "unknown"),
    ];
    check(Request::go_on(Duty::Detach, &host), node, "done", go_on);
    let cleaned = Node { automated_clean: None, ..node("active") };
    assert_eq!(text_of(&begin.decide(Some(&cleaned))), "keepdisks");
}

#[test]
fn a_node_is_forgotten_whatever_the_machine_does_unless_another_made_it() {
    let host = host(State::Failed);
    let begin = Request::begin(Duty::Delete, &host);
    let works: &[&str] = &[
        "verifying",
        "adopting",
        "deleting",
        "deploying",
        "wait call-back",
        "deploy hold",
        "cleaning",
        "clean wait",
        "clean hold",
        "inspecting",
        "inspect wait",
    ];
    let free: &[&str] = &["enroll", "manageable", "available", "adopt failed"];
    check(begin, node, "maintain", &[(works, "wait"), (free, "delete")]);
    let kept = |state: &str| Node { maintenance: true, ..node(state) };
    check(begin, kept, "delete", &[(works, "wait")]);
    let foreign = |state: &str| Node { uuid: Uuid::from_u128(8).to_string(), ..node(state) };
    check(begin, foreign, "done", &[]);
    let mark = Mark { host: host.id, name: "h".into(), order: None, created_for: None };
    check(begin, |state| marked(&foreign(state), &mark), "unmark", &[]);
}

#[test]
fn a_node_that_is_missing_is_made_only_where_that_touches_nothing() {
    let host = host(State::Installed);
    for (duty, begin, go_on) in [
        (Duty::Register, "create", "unknown"),
        (Duty::Adopt, "create", "unknown"),
        (Duty::Prepare, "create", "unknown"),
        (Duty::Inspect, "unknown", "unknown"),
        (Duty::Install, "unknown", "unknown"),
        (Duty::Deinstall, "unknown", "unknown"),
        (Duty::Detach, "done", "done"),
        (Duty::Delete, "done", "done"),
    ] {
        let found = [Request::begin(duty, &host), Request::go_on(duty, &host)].map(|it| text_of(&it.decide(None)));
        assert_eq!(found, [begin, go_on], "{duty:?}");
    }
}
