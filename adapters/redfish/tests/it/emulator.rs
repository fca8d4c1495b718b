//! The driver against `sushy-emulator` of OpenStack's sushy-tools 2.2.0, with systems that exist in its memory.

use std::process::Command;

use tempfile::TempDir;
use underlay_address::Exceptions;
use underlay_hosts::host::Power;
use underlay_hosts::life::PowerAct;
use underlay_hosts::machine::{BootDevice, CallError, Driver, Secret, Target};
use underlay_redfish::{Bounds, Pace, Redfish};
use underlay_testing::{Process, until_seen};

use crate::bmc::{PASSWORD, USER};

/// The password of the account, as bcrypt stores it.
const HASH: &str = "$2b$04$bH1v.QktqiW5mLQNPvqtquXpcoIxleuyS08xwMc3ga5MkbRkgJZTu";
const FIRST_SYSTEM: &str = "38947555-7742-3448-3784-823347823834";
const SECOND_SYSTEM: &str = "48947555-7742-3448-3784-823347823834";

/// A running emulator.
struct Emulator {
    port: u16,
    _running: Process,
    _folder: TempDir,
}

impl Emulator {
    /// Starts an emulator with two systems that are off.
    async fn start() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("accounts"), format!("{USER}:{HASH}\n")).expect("a file");
        let system = |uuid: &str, name: &str, mac: &str| {
            format!(
                "{{'uuid': '{uuid}', 'name': '{name}', 'power_state': 'Off', 'external_notifier': False, \
                 'nics': [{{'mac': '{mac}', 'ip': '10.0.0.2'}}]}}"
            )
        };
        let settings = format!(
            "SUSHY_EMULATOR_LISTEN_IP = '127.0.0.1'\nSUSHY_EMULATOR_LISTEN_PORT = 0\nSUSHY_EMULATOR_FAKE_DRIVER = True\n\
             SUSHY_EMULATOR_STATE_DIR = '{}'\nSUSHY_EMULATOR_AUTH_FILE = '{}'\nSUSHY_EMULATOR_FAKE_SYSTEMS = [{}, {}]\n",
            folder.path().display(),
            at("accounts").display(),
            system(FIRST_SYSTEM, "fake-0", "52:54:00:aa:bb:01"),
            system(SECOND_SYSTEM, "fake-1", "52:54:00:aa:bb:02"),
        );
        std::fs::write(at("emulator.conf"), settings).expect("a file");
        let mut command = Command::new("sushy-emulator");
        command.arg("--config").arg(at("emulator.conf"));
        let mut running = Process::start(command, None);
        let listens = until_seen("sushy-emulator listens", || {
            assert!(running.ended().is_none(), "sushy-emulator ended");
            let printed = running.stderr();
            let (_, rest) = printed.split_once("Running on http://127.0.0.1:")?;
            let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
            (digits.len() < rest.len()).then(|| digits.parse().expect("a port"))
        });
        let port = listens.await;
        Self { port, _running: running, _folder: folder }
    }

    fn target(&self, scheme: &str, path: &str) -> Target {
        let secret = Secret { username: USER.to_owned(), password: PASSWORD.to_owned(), ..Secret::default() };
        let url = format!("{scheme}+http://127.0.0.1:{}{path}", self.port);
        Target { url, secret: Some(secret), ..Target::default() }
    }
}

/// Waits until a machine has a power: the emulator takes some seconds.
async fn until(driver: &Redfish, target: &Target, power: Power) {
    underlay_testing::until(format!("the power is {power:?}"), async || {
        driver.power(target).await.expect("the power") == power
    })
    .await;
}

#[tokio::test]
#[ignore = "needs sushy-emulator"]
async fn the_hardware_of_the_emulator_is_read() {
    let emulator = Emulator::start().await;
    let driver = Redfish::new(Exceptions::everything(), None, Pace::default());
    let target = Target { uid: Some(SECOND_SYSTEM.to_owned()), ..emulator.target("redfish", "") };
    let report = driver.hardware(&target, Bounds::default()).await.expect("a report");
    let sections = &report.sections;
    let system = sections.system.as_ref().expect("a system");
    assert_eq!(system.found.uuid.as_deref(), Some(SECOND_SYSTEM));
    let interfaces = sections.interfaces.as_ref().expect("interfaces");
    let macs: Vec<_> = interfaces.found.iter().map(|it| it.permanent_mac.as_deref()).collect();
    assert_eq!(macs, [Some("52:54:00:aa:bb:02")], "{interfaces:?}");
    let text = serde_json::to_string(&report).expect("JSON");
    assert!(!text.contains("/redfish/") && !text.contains(PASSWORD), "{text}");
    assert_eq!(driver.power(&target).await.expect("the power"), Power::Off, "it was left alone");
}

#[tokio::test]
#[ignore = "needs sushy-emulator"]
async fn the_emulator_is_listed_switched_and_booted() {
    let emulator = Emulator::start().await;
    let driver = Redfish::new(Exceptions::everything(), None, Pace::default());
    let found = driver.enumerate(&emulator.target("redfish", "")).await.expect("machines");
    let names: Vec<&str> = found.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["fake-0", "fake-1"]);
    assert_eq!(found[1].identity.uuid.as_deref(), Some(SECOND_SYSTEM));
    assert_eq!(found[1].boot_mac.as_deref(), Some("52:54:00:aa:bb:02"));

    let listed = Target { url: found[1].url.clone(), ..emulator.target("redfish", "") };
    let by_uuid = Target { uid: Some(SECOND_SYSTEM.to_uppercase()), ..emulator.target("redfish", "") };
    let by_mac = Target { boot_mac: Some("52-54-00-AA-BB-02".to_owned()), ..emulator.target("redfish", "") };
    for target in [&listed, &by_uuid, &by_mac] {
        assert_eq!(driver.identify(target).await.expect("names").uuid.as_deref(), Some(SECOND_SYSTEM));
    }
    driver.set_boot(&listed, BootDevice::Network).await.expect("boots from the network");
    let over_http = Target { url: listed.url.replace("redfish+", "redfish-uefihttp+"), ..listed.clone() };
    driver.set_boot(&over_http, BootDevice::Network).await.expect("boots over HTTP");
    driver.set_boot(&listed, BootDevice::Local).await.expect("boots from its disk");
    driver.set_power(&listed, PowerAct::On).await.expect("is switched on");
    until(&driver, &listed, Power::On).await;
    driver.set_power(&by_uuid, PowerAct::Cycle).await.expect("is switched off and on");
    driver.set_power(&by_mac, PowerAct::ForceOff).await.expect("is switched off");
    until(&driver, &listed, Power::Off).await;
    let first = Target { uid: Some(FIRST_SYSTEM.to_owned()), ..emulator.target("redfish", "") };
    assert_eq!(driver.power(&first).await.expect("the power"), Power::Off, "the other one was left alone");

    let secret = Some(Secret { username: USER.to_owned(), password: "guess".to_owned(), ..Secret::default() });
    let refused = driver.power(&Target { secret, ..listed }).await.expect_err("a wrong password");
    assert!(matches!(&refused, CallError::Refused { reason, .. } if reason == "WrongCredential"), "{refused}");
}
