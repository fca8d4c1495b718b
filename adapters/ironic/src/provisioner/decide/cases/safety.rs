use underlay_hosts::host::{Order, State};
use underlay_hosts::life::Duty;
use underlay_hosts::provisioner::{Call, FailureKind};
use uuid::Uuid;

use super::{Request, text_of};
use crate::client::{Node, Target};
use crate::provisioner::decide::at::STATES;
use crate::provisioner::decide::{Act, Next};
use crate::provisioner::mark::Mark;
use crate::provisioner::samples::{host, marked, node, ordered, prepared};

const DUTIES: [Duty; 8] = [
    Duty::Register,
    Duty::Inspect,
    Duty::Prepare,
    Duty::Install,
    Duty::Deinstall,
    Duty::Adopt,
    Duty::Detach,
    Duty::Delete,
];
const ORDERS: [Order; 7] =
    [Order::Install, Order::Release, Order::Wipe, Order::Discover, Order::PowerOn, Order::PowerOff, Order::PowerCycle];

/// Calls `check` with everything that can come together.
fn for_all(check: impl Fn(&str, Duty, Order, Call, &Node, &Next)) {
    for duty in DUTIES {
        for order in ORDERS {
            let host = ordered(host(State::Acquired), order);
            for call in [Call::Begin, Call::Continue] {
                for (state, _) in STATES.iter().chain(&[("dreaming", crate::provisioner::decide::At::Other)]) {
                    for automated_clean in [None, Some(false), Some(true)] {
                        for node in [node(state), prepared(&host, state)] {
                            let node = Node { automated_clean, ..node };
                            for is_fresh in [false, true] {
                                let next = Request { duty, host: &host, call, is_fresh }.decide(Some(&node));
                                let what =
                                    format!("{duty:?} {order:?} {call:?} {state} {automated_clean:?} {is_fresh}");
                                check(&what, duty, order, call, &node, &next);
                            }
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn no_combination_deploys_twice_or_touches_a_machine_in_use() {
    for_all(|what, duty, order, call, node, next| {
        let Next::Act(act) = next else { return };
        let state = node.states.provision.as_ref().map(ToString::to_string).unwrap_or_default();
        let is_prepared = Mark::of(node).is_some_and(|mark| mark.order.is_some());
        match act {
            Act::Verb(Target::Deploy) => {
                let is_right = duty == Duty::Install && call == Call::Begin && state == "available" && is_prepared;
                assert!(is_right, "{what}");
            }
            Act::Verb(Target::Undeploy) => {
                let is_release = duty == Duty::Detach && call == Call::Begin;
                let is_rest = duty == Duty::Prepare && matches!(state.as_str(), "deploy failed" | "error");
                assert!(is_release || is_rest, "{what}");
                assert_eq!(node.automated_clean, Some(false), "{what}: disks would be cleaned");
            }
            Act::Verb(Target::Provide) => {
                let is_wipe = duty == Duty::Deinstall && is_prepared && call == Call::Begin;
                assert!(is_wipe || node.automated_clean == Some(false), "{what}: disks would be cleaned");
                assert!(!is_wipe || node.automated_clean == Some(true), "{what}: disks would not be cleaned");
                assert_eq!(state, "manageable", "{what}");
            }
            Act::Verb(Target::Inspect) => assert!(duty == Duty::Inspect && is_prepared, "{what}"),
            Act::Verb(Target::Adopt) => assert_eq!(duty, Duty::Adopt, "{what}"),
            Act::Verb(Target::Rebuild | Target::Clean | Target::Abort) => panic!("{what}: {act:?}"),
            Act::Delete | Act::Unmark | Act::Maintain => assert_eq!(duty, Duty::Delete, "{what}"),
            Act::Record => {
                let prepares = matches!(order, Order::Install | Order::Wipe | Order::Discover);
                assert!(duty == Duty::Prepare && prepares && !is_prepared, "{what}");
            }
            Act::Create => panic!("{what}: the node is there"),
            Act::Verb(Target::Manage) | Act::Refresh | Act::KeepDisks | Act::EndFault => {}
        }
        if state == "active" {
            let is_harmless = matches!(act, Act::Refresh | Act::KeepDisks | Act::Maintain | Act::Delete);
            assert!(is_harmless || (duty, *act) == (Duty::Detach, Act::Verb(Target::Undeploy)), "{what}: {act:?}");
        }
    });
}

#[test]
fn a_node_of_another_host_is_left_alone() {
    let mark = Mark { host: Uuid::from_u128(8), name: "other".into(), order: None, created_for: None };
    for_all(|what, duty, order, call, node, _| {
        let host = ordered(host(State::Acquired), order);
        let next = Request { duty, host: &host, call, is_fresh: false }.decide(Some(&marked(node, &mark)));
        match (duty, next) {
            (Duty::Delete, next) => assert_eq!(next, Next::Done, "{what}"),
            (_, Next::Failed(FailureKind::Machine, sentence)) => {
                assert!(sentence.contains("another host"), "{what}: {sentence}");
            }
            (_, next) => panic!("{what}: {next:?}"),
        }
    });
}

#[test]
fn a_node_that_is_locked_or_in_maintenance_is_left_alone() {
    for_all(|what, duty, order, call, node, _| {
        let host = ordered(host(State::Acquired), order);
        let request = Request { duty, host: &host, call, is_fresh: true };
        let locked = Node { reservation: Some("conductor-1".into()), ..node.clone() };
        let next = request.decide(Some(&locked));
        assert!(!matches!(next, Next::Act(_)), "{what}: {next:?}");
        let reason = Some("ann: a new fan".to_owned());
        let kept = Node { maintenance: true, maintenance_reason: reason, ..node.clone() };
        match request.decide(Some(&kept)) {
            Next::Act(act) => assert!(matches!(act, Act::Delete | Act::Unmark), "{what}: {act:?}"),
            Next::Failed(FailureKind::Machine, sentence) if sentence.contains("maintenance") => {
                assert!(sentence.contains("ann: a new fan") && sentence.contains("end that there"), "{sentence}");
            }
            _ => {}
        }
    });
}

#[test]
fn a_maintenance_that_a_failed_cleaning_began_ends_by_the_next_order() {
    let host = ordered(host(State::Releasing), Order::Wipe);
    let failed = |fault: &str| Node { maintenance: true, fault: Some(fault.into()), ..node("clean failed") };
    let begin = Request::begin(Duty::Prepare, &host);
    assert_eq!(text_of(&begin.decide(Some(&failed("clean failure")))), "endfault");
    assert_eq!(text_of(&begin.decide(Some(&failed("power failure")))), "fail MachineFailed");
    let go_on = Request::go_on(Duty::Prepare, &host);
    assert_eq!(text_of(&go_on.decide(Some(&failed("clean failure")))), "fail WorkFailed");
}

#[test]
fn the_sentences_of_ironic_are_relayed_on_one_line() {
    let host = ordered(host(State::Installing), Order::Install);
    let mut node = prepared(&host, "deploy failed");
    node.states.last_error = Some("Image is\ntoo large.".into());
    let Next::Failed(FailureKind::Work, sentence) = Request::go_on(Duty::Install, &host).decide(Some(&node)) else {
        panic!("it failed")
    };
    assert!(sentence.starts_with(&format!("node {}: the deployment failed: Image is", node.uuid)), "{sentence}");
    assert!(!sentence.contains('\n'), "{sentence}");
    node.states.last_error = None;
    let next = Request::go_on(Duty::Install, &host).decide(Some(&node));
    assert!(matches!(&next, Next::Failed(_, sentence) if sentence.ends_with("Ironic gives no reason")), "{next:?}");
}
