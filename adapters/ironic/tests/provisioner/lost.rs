//! The database of Ironic is lost, and answers are lost, at every point of a life.

use underlay_hosts::host::{Host, Order, State};
use underlay_hosts::life::Duty;

use crate::model::{Fault, Model};
use crate::order::{ADDRESS, End, at_once, carry_out, host, provisioner, work};

/// The maximum number of points at which something is lost. An order has fewer calls.
const MAX_LOSS_POINTS: usize = 60;

async fn brought_to(state: State, url: &str) -> Host {
    let provisioner = provisioner(url, at_once());
    let mut host = host("redfish://10.0.0.7");
    assert_eq!(work(&provisioner, &host, Duty::Register).await, End::Done);
    if matches!(state, State::Installed | State::Releasing) {
        assert_eq!(carry_out(&provisioner, &mut host, Order::Install).await, End::Done);
    }
    host
}

/// Carries out an order, and loses the database before its n-th call, for every n.
async fn forget_at_every_call(order: Order, from: State) {
    for point in 1..MAX_LOSS_POINTS {
        let model = Model::start().await;
        let mut host = brought_to(from, &model.url).await;
        let before = model.machine(ADDRESS);
        let provisioner = provisioner(&model.url, at_once());
        model.fault(Fault::Forgets(point));
        let end = carry_out(&provisioner, &mut host, order).await;
        let after = model.machine(ADDRESS);
        let what = format!("{order:?}, forgotten at call {point}: {end:?}");
        assert!(after.deploys - before.deploys <= u32::from(order == Order::Install), "{what}: {after:?}");
        assert!(after.cleans - before.cleans <= u32::from(order == Order::Wipe), "{what}: {after:?}");
        assert_eq!(after.switches, before.switches, "{what}");
        if end == End::Done && order == Order::Install {
            assert_eq!(after.deploys - before.deploys, 1, "{what}");
        }
        if model.calls().0 < point {
            assert!(point > 3, "every call was forgotten once");
            return;
        }
        // Whatever became of the order, a host in use is taken over as it is.
        model.heal();
        if host.state == State::Installed {
            model.forget();
            assert_eq!(work(&provisioner, &host, Duty::Adopt).await, End::Done, "{what}");
            assert_eq!(model.machine(ADDRESS), after, "{what}: the machine was left alone");
        }
    }
    panic!("{order:?} takes more calls than were tried");
}

#[tokio::test]
async fn a_lost_database_deploys_no_machine_twice() {
    forget_at_every_call(Order::Install, State::Available).await;
}

#[tokio::test]
async fn a_lost_database_cleans_no_machine_that_was_not_to_be_wiped() {
    forget_at_every_call(Order::Release, State::Installed).await;
    forget_at_every_call(Order::Wipe, State::Installed).await;
    forget_at_every_call(Order::Discover, State::Available).await;
}

#[tokio::test]
async fn a_machine_that_was_forgotten_while_it_runs_is_not_installed() {
    let model = Model::start().await;
    let provisioner = provisioner(&model.url, at_once());
    let mut host = brought_to(State::Installed, &model.url).await;
    // The server was restored from a backup in which the order was still to come, and the database is lost too.
    model.forget();
    let before = model.machine(ADDRESS);
    let end = carry_out(&provisioner, &mut host, Order::Install).await;
    assert!(matches!(&end, End::Failed(sentence) if sentence.contains("the machine runs")), "{end:?}");
    assert_eq!(model.machine(ADDRESS), before);
}

#[tokio::test]
async fn an_answer_that_is_lost_makes_no_act_twice() {
    for (order, from) in [
        (Order::Install, State::Available),
        (Order::Wipe, State::Installed),
        (Order::Release, State::Installed),
        (Order::Discover, State::Available),
    ] {
        for point in 1..MAX_LOSS_POINTS {
            let model = Model::start().await;
            let mut host = brought_to(from, &model.url).await;
            let before = model.machine(ADDRESS);
            let provisioner = provisioner(&model.url, at_once());
            model.fault(Fault::LostAnswer(point));
            let end = carry_out(&provisioner, &mut host, order).await;
            let after = model.machine(ADDRESS);
            let what = format!("{order:?}, the answer {point} is lost: {end:?}");
            assert_eq!(end, End::Done, "{what}");
            assert_eq!(after.deploys - before.deploys, u32::from(order == Order::Install), "{what}");
            assert_eq!(after.cleans - before.cleans, u32::from(order == Order::Wipe), "{what}");
            assert_eq!(after.undeploys - before.undeploys, u32::from(from == State::Installed), "{what}");
            if model.calls().1 < point {
                break;
            }
            assert!(point + 1 < MAX_LOSS_POINTS, "{order:?} takes more calls than were tried");
        }
    }
}
