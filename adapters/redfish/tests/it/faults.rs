//! Faults of BMCs: each becomes a sentence, and it is always known if an act can have been made.

use std::time::Duration;

use underlay_address::Exceptions;
use underlay_hosts::host::Power;
use underlay_hosts::life::PowerAct;
use underlay_hosts::machine::{CallError, Driver as _, Target};
use underlay_redfish::{Pace, Redfish};
use underlay_testing::free_port;

use crate::bmc::{Bmc, Fault, pace};
use crate::{driver, driver_at};

/// The time for which a call waits whose answer never comes.
const SHORT: Duration = Duration::from_millis(500);

/// The kind of an error, and its sentence.
fn text_of(error: &CallError) -> String {
    match error {
        CallError::NotMade { reason } => format!("not made: {reason}"),
        CallError::Unanswered { reason } => format!("unanswered: {reason}"),
        CallError::Refused { reason, message } => format!("{reason}: {message}"),
    }
}

#[tokio::test]
async fn an_act_that_was_not_sent_is_never_unanswered() {
    for (fault, begins, contains) in [
        (Fault::Deaf, "not made: GET ", "the BMC did not answer in time"),
        (Fault::Garbage, "not made: GET ", "must have an object of JSON"),
        (Fault::Half, "not made: GET ", "/redfish/v1/"),
        (Fault::Endless, "not made: GET ", "at most 4 MiB, but the answer is longer"),
        (Fault::Busy, "not made: GET ", "cannot answer now (HTTP 503 Service Unavailable): The BMC restarts"),
        (Fault::Redirects, "WrongAddress: GET ", "is a redirect to http://169.254.169.254/, which is not followed"),
        (Fault::Conflict, "PowerRefused: POST ", "HTTP 409 Conflict: The system is being updated; the system is in a"),
        (Fault::Silent, "unanswered: POST ", "nobody knows if it was done: look at the machine"),
        (Fault::HalfReset, "unanswered: POST ", "/Reset: "),
    ] {
        // Only the call that is never answered is waited for in vain.
        let pace = match fault {
            Fault::Deaf => Pace { read: SHORT, ..pace() },
            Fault::Silent => Pace { act: SHORT, ..pace() },
            _ => pace(),
        };
        let (bmc, driver) = (Bmc::start().await, driver_at(pace));
        bmc.with(|it| it.fault = fault);
        let error = driver.set_power(&bmc.target(""), PowerAct::On).await.unwrap_err();
        let found = text_of(&error);
        assert!(found.starts_with(begins) && found.contains(contains), "{fault:?}: {found}");
        let host = format!("http://127.0.0.1:{}/redfish/v1/", bmc.port);
        assert!(found.contains(&host), "{fault:?}: {found}");
        let was_sent = matches!(fault, Fault::Silent | Fault::HalfReset);
        assert_eq!(bmc.with(|it| it.resets.len()), usize::from(was_sent), "{fault:?}: sent once or never");
    }
}

#[tokio::test]
async fn reads_are_repeated_and_a_lie_about_power_is_seen() {
    let (bmc, driver) = (Bmc::start().await, driver());
    bmc.with(|it| it.fault = Fault::BusyAtFirst);
    assert_eq!(driver.power(&bmc.target("")).await.unwrap(), Power::Off);
    bmc.with(|it| it.fault = Fault::Lies);
    driver.set_power(&bmc.target(""), PowerAct::On).await.unwrap();
    assert_eq!(driver.power(&bmc.target("")).await.unwrap(), Power::Off, "the BMC says so");
    assert_eq!(bmc.with(|it| it.resets.len()), 1);
}

#[tokio::test]
async fn a_certificate_is_trusted_or_the_connection_is_not_made() {
    let (bmc, driver) = (Bmc::secure("127.0.0.1").await, driver());
    let unknown = text_of(&driver.power(&bmc.target("")).await.unwrap_err());
    assert!(unknown.starts_with("WrongCertificate: GET https://127.0.0.1:"), "{unknown}");
    assert!(unknown.contains("put the certificate of the authority that signed it into bmcTrustedCas"), "{unknown}");
    let trusted = Target { trusted_cas: bmc.certificate.clone(), ..bmc.target("") };
    assert_eq!(driver.power(&trusted).await.unwrap(), Power::Off);
    let insecure = Target { insecure: true, ..bmc.target("") };
    assert_eq!(driver.power(&insecure).await.unwrap(), Power::Off);
    let other = Bmc::secure("bmc.example.com").await;
    let named = Target { trusted_cas: other.certificate.clone(), ..other.target("") };
    let wrong = text_of(&driver.power(&named).await.unwrap_err());
    assert!(wrong.contains("not valid for") && wrong.contains("use that name in bmcUrl"), "{wrong}");
    let broken = Target { trusted_cas: Some("no certificate".to_owned()), ..bmc.target("") };
    let wrong = text_of(&driver.power(&broken).await.unwrap_err());
    assert!(wrong.starts_with("WrongCertificate: bmcTrustedCas"), "{wrong}");
}

#[tokio::test]
async fn an_address_that_must_not_be_reached_or_does_not_answer_is_named() {
    let bmc = Bmc::start().await;
    let strict = Redfish::new(Exceptions::default(), None, pace());
    let refused = text_of(&strict.power(&bmc.target("")).await.unwrap_err());
    assert!(refused.starts_with("WrongAddress: ") && refused.contains("is a loopback address"), "{refused}");
    assert_eq!(bmc.with(|it| it.reads), 0);
    let target = Target { url: format!("redfish+http://127.0.0.1:{}", free_port()), ..Target::default() };
    let error = text_of(&driver().set_power(&target, PowerAct::On).await.unwrap_err());
    assert!(error.starts_with("not made: GET ") && error.contains("check bmcUrl"), "{error}");
}
