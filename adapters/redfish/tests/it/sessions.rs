//! Sessions are opened, shared, renewed and deleted; a BMC without them gets the credential.

use underlay_hosts::host::Power;
use underlay_hosts::life::PowerAct;
use underlay_hosts::machine::{CallError, Driver as _, Secret, Target};

use crate::bmc::{Bmc, Fault, PASSWORD, USER};
use crate::driver;

#[tokio::test]
async fn a_session_is_shared_renewed_and_deleted_at_the_end() {
    let (bmc, driver) = (Bmc::start().await, driver());
    let target = bmc.target("");
    let looks = futures_util::future::join_all((0..8).map(|_| driver.power(&target))).await;
    assert!(looks.into_iter().all(|power| power == Ok(Power::Off)));
    assert_eq!(bmc.with(|it| it.opened), 1);
    // The BMC restarts, and knows no session any more: also an act is made, because it was not made before.
    bmc.with(|it| it.sessions.clear());
    driver.set_power(&target, PowerAct::On).await.unwrap();
    assert_eq!((bmc.with(|it| it.opened), bmc.with(|it| it.resets.len())), (2, 1));
    assert_eq!(bmc.with(|it| it.sessions.len()), 1);
    driver.keep(async {}).await;
    assert_eq!(bmc.with(|it| it.sessions.len()), 0);
}

#[tokio::test]
async fn a_bmc_without_sessions_gets_the_credential() {
    for fault in [Fault::None, Fault::Full] {
        let (bmc, driver) = (Bmc::start().await, driver());
        bmc.with(|it| {
            it.offers_sessions = fault == Fault::Full;
            it.fault = fault;
        });
        driver.set_power(&bmc.target(""), PowerAct::On).await.unwrap();
        assert_eq!((bmc.with(|it| it.opened), bmc.with(|it| it.power.clone())), (0, "On".to_owned()));
    }
}

#[tokio::test]
async fn a_wrong_password_is_refused_and_never_shown() {
    let (bmc, driver) = (Bmc::start().await, driver());
    for offers_sessions in [true, false] {
        bmc.with(|it| it.offers_sessions = offers_sessions);
        let secret = Some(Secret { username: USER.to_owned(), password: "guess-1234".to_owned(), ..Secret::default() });
        let wrong = Target { secret, ..bmc.target("") };
        let refused = driver.set_power(&wrong, PowerAct::On).await.unwrap_err();
        let CallError::Refused { reason, message } = &refused else { panic!("{refused:?}") };
        assert_eq!(reason, "WrongCredential");
        assert!(message.contains("HTTP 401") && message.contains("give bmcCredential"), "{message}");
        assert!(!message.contains("guess-1234") && !message.contains(PASSWORD), "{message}");
    }
    // Without a credential there is nothing to try.
    let none = Target { secret: None, ..bmc.target("") };
    let refused = driver.power(&none).await.unwrap_err();
    assert!(matches!(&refused, CallError::Refused { reason, .. } if reason == "WrongCredential"), "{refused}");
    // A corrected password does not get the session of another one.
    driver.power(&bmc.target("")).await.unwrap();
    assert!(bmc.with(|it| it.resets.is_empty()));
}
