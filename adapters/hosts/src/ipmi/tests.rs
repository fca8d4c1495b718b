//! The words of `ipmitool`, and the driver against `ipmi_sim` of OpenIPMI.

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use tempfile::TempDir;
use tokio::process::{Child, Command};
use underlay_testing::{HANG, free_port};

use super::output::{Reason, last_line, reason_of};
use super::*;
use crate::machine::Secret;

#[test]
fn the_words_of_ipmitool_are_read() {
    for (output, power) in [
        ("Chassis Power is on\n", Power::On),
        ("Unable to Get Channel Cipher Suites\nChassis Power is off", Power::Off),
        ("Chassis Power is unknown", Power::Unknown),
        ("", Power::Unknown),
    ] {
        assert_eq!(power_of(output), power, "{output}");
    }
    let fru = " Chassis Serial        : C1\n Board Serial          : B1\n Product Serial        : P:1\n";
    assert_eq!(serial_of(fru).as_deref(), Some("P:1"));
    assert_eq!(serial_of(" Chassis Serial : C1\n Product Serial : \n").as_deref(), Some("C1"));
    assert_eq!(serial_of("FRU Device Description : Builtin FRU Device (ID 0)"), None);
}

#[test]
fn a_machine_is_known_by_its_guid_or_serial_numbers() {
    let guid = "Unable to Get Channel Cipher Suites\nSystem GUID   : efcdab89-6745-23a1-efcd-ab89674523a1\n";
    let fru = " Board Mfg Date : Mon Jan 1 00:00:00 2024\n Chassis Serial : C-1\n Product Serial : P:1\n Board Serial : B-1\n";
    let all = format!("{guid}GUID Encoding : IPMI\n{fru}Chassis Power is off\n");
    for (uid, output, expected) in [
        // As it was printed, with all bytes turned, and with those of the first groups turned.
        ("EFCDAB89-6745-23A1-EFCD-AB89674523A1", all.as_str(), Same::Yes),
        ("a1234567-89ab-cdef-a123-456789abcdef", &all, Same::Yes),
        ("89abcdef-4567-a123-efcd-ab89674523a1", &all, Same::Yes),
        (
            "b1234567-89ab-cdef-a123-456789abcdef",
            &all,
            Same::No("the UUID efcdab89-6745-23a1-efcd-ab89674523a1".into()),
        ),
        ("p:1", &all, Same::Yes),
        ("C-1", &all, Same::Yes),
        ("B-1", &all, Same::Yes),
        ("P-2", &all, Same::No("the serial number P:1".into())),
        ("P-2", guid, Same::Unknown),
        ("P-2", " Product Serial : To be filled by O.E.M.\n", Same::Unknown),
        ("b1234567-89ab-cdef-a123-456789abcdef", fru, Same::Unknown),
        ("b1234567-89ab-cdef-a123-456789abcdef", "System GUID : 00000000-0000-0000-0000-000000000000", Same::Unknown),
    ] {
        assert_eq!(compare_with(uid, output), expected, "{uid} {output}");
    }
}

#[test]
fn a_failure_says_if_an_act_can_have_been_made() {
    for (errors, reason) in [
        ("Unable to Get Channel Cipher Suites\nError: Unable to establish IPMI v2 / RMCP+ session", Reason::NoSession),
        (
            "RAKP 2 message indicates an error : unauthorized name\nError: Unable to establish IPMI v2",
            Reason::Credential,
        ),
        ("Set Chassis Power Control to Up/On failed: Command not supported in present state", Reason::Refused),
        (
            "Unable to send RAW command (channel=0x0 netfn=0x0 lun=0x0 cmd=0x8 rsp=0xc1): Invalid command",
            Reason::Refused,
        ),
        ("Set Chassis Power Control to Up/On failed: No response", Reason::Unknown),
        (" Device not present (Invalid data field in request)\n\n", Reason::Refused),
        ("", Reason::Unknown),
    ] {
        assert_eq!(reason_of(errors), reason, "{errors}");
    }
    assert_eq!(last_line("a\nUnable to Get Channel Cipher Suites\n\n"), "a");
}

#[test]
fn a_change_of_power_depends_on_the_power() {
    for (act, power, word) in [
        (PowerAct::On, Power::Off, Some("on")),
        (PowerAct::On, Power::Unknown, Some("on")),
        (PowerAct::On, Power::On, None),
        (PowerAct::Off, Power::On, Some("soft")),
        (PowerAct::Off, Power::Off, None),
        (PowerAct::ForceOff, Power::On, Some("off")),
        (PowerAct::ForceOff, Power::Unknown, Some("off")),
        (PowerAct::Cycle, Power::On, Some("cycle")),
        (PowerAct::Cycle, Power::Off, Some("on")),
    ] {
        assert_eq!(word_of(act, power), word, "{act:?} {power:?}");
    }
}

#[tokio::test]
async fn an_address_that_must_not_be_reached_is_refused() {
    for (url, sentence) in [
        ("ipmi://127.0.0.1", "is a loopback address"),
        ("ipmi://169.254.169.254", "is the metadata service"),
        ("redfish://10.0.0.7", "must begin with ipmi://"),
    ] {
        let target = Target { url: url.to_owned(), ..Target::default() };
        let error = Ipmi::new(Exceptions::default()).power(&target).await.unwrap_err();
        assert!(matches!(&error, CallError::Refused { message, .. } if message.contains(sentence)), "{error}");
    }
}

#[tokio::test]
async fn a_missing_program_is_named() {
    let driver = Ipmi { program: "/nowhere/ipmitool".to_owned(), ..Ipmi::new(Exceptions::default()) };
    let target = Target { url: "ipmi://192.0.2.1".to_owned(), ..Target::default() };
    let error = driver.set_power(&target, PowerAct::On).await.unwrap_err();
    let CallError::NotMade { reason } = &error else { panic!("{error:?}") };
    assert!(reason.contains("ipmi://192.0.2.1") && reason.contains("install ipmitool"), "{reason}");
}

/// A BMC of OpenIPMI, whose machine is two files.
struct Simulator {
    port: u16,
    folder: TempDir,
    _running: Child,
}

/// Returns a script of these tests. None is written while they run, because a program that is being written cannot be run.
fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/ipmi/tests").join(name)
}

/// Returns the record of a product with a serial number (IPMI Platform Management FRU Information Storage Definition).
fn fru(serial: &str) -> Vec<u8> {
    let sum = |bytes: &[u8]| bytes.iter().fold(0_u8, |sum, byte| sum.wrapping_sub(*byte));
    let texts = ["ACME", "R1", "PN", "1", serial, "", ""].map(|text| (text.len() as u8, text));
    let mut product = vec![1, 0, 0];
    texts.iter().for_each(|(length, text)| {
        product.push(0xC0 | length);
        product.extend(text.bytes());
    });
    product.push(0xC1);
    product.resize((product.len() + 1).next_multiple_of(8) - 1, 0);
    product[1] = ((product.len() + 1) / 8) as u8;
    product.push(sum(&product));
    let mut record = vec![1, 0, 0, 0, 1, 0, 0];
    record.push(sum(&record));
    record.extend(product);
    record.resize(512, 0);
    record
}

impl Simulator {
    async fn start() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        // The simulator cannot say which port it got.
        let port = free_port();
        let write = |name: &str, text: &str| std::fs::write(at(name), text).expect("a file");
        // A link, because the script works in its folder.
        symlink(script("chassis.sh"), at("chassis.sh")).expect("a link");
        write("power", "0\n");
        write("boot", "none\n");
        write("acts", "");
        let auths: String = ["callback", "user", "operator", "admin"]
            .map(|level| format!("allowed_auths_{level} none md2 md5 straight\n"))
            .concat();
        write(
            "lan.conf",
            &format!(
                "name \"sim\"\nset_working_mc 0x20\nstartlan 1\naddr 127.0.0.1 {port}\npriv_limit admin\n{auths}\
                 guid a123456789abcdefa123456789abcdef\nendlan\nchassis_control \"{} 0x20\"\n\
                 user 1 true \"\" \"test\" user 10 none md2 md5 straight\n\
                 user 2 true \"operator\" \"calvin\" admin 10 none md2 md5 straight\n",
                at("chassis.sh").display()
            ),
        );
        let mc = "mc_add 0x20 0 no-device-sdrs 0x23 9 8 0x9f 0x1291 0xf02 persist_sdr";
        std::fs::write(at("fru.bin"), fru("CZJ-7")).expect("a file");
        let fru = format!("mc_add_fru_data 0x20 0 512 file 0 \"{}\"", at("fru.bin").display());
        write("sim.emu", &format!("mc_setbmc 0x20\n{mc}\nsel_enable 0x20 1000 0x0a\n{fru}\nmc_enable 0x20\n"));
        std::fs::create_dir(at("state")).expect("a folder");
        let mut command = Command::new("ipmi_sim");
        command.arg("-c").arg(at("lan.conf")).arg("-f").arg(at("sim.emu")).arg("-s").arg(at("state")).arg("-n");
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true);
        let running = command.spawn().expect("ipmi_sim starts");
        Self { port, folder, _running: running }
    }

    fn target(&self, password: &str) -> Target {
        let secret = Secret { username: "operator".to_owned(), password: password.to_owned(), ..Secret::default() };
        let url = format!("ipmi://127.0.0.1:{}", self.port);
        Target { url, secret: Some(secret), boot_mode: Some(BootMode::Uefi), ..Target::default() }
    }

    fn acts(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("acts")).expect("its acts")
    }
}

#[tokio::test]
#[ignore = "needs ipmitool and ipmi_sim"]
async fn a_machine_is_switched_and_boots_from_the_network() {
    let simulator = Simulator::start().await;
    let driver = Ipmi { limit: HANG, ..Ipmi::new(Exceptions::everything()) };
    let target = simulator.target("calvin");
    let power = underlay_testing::until("the simulator listens", async || driver.power(&target).await).await;
    assert_eq!(power, Power::Off);
    driver.set_boot(&target, BootDevice::Network).await.expect("a boot device");
    // From here on without the five seconds for which each session waits for the simulator.
    let driver = Ipmi { program: script("ipmitool.sh").display().to_string(), ..driver };
    driver.set_power(&target, PowerAct::Off).await.expect("it is off");
    driver.set_power(&target, PowerAct::Cycle).await.expect("it is switched on");
    assert_eq!(driver.power(&target).await, Ok(Power::On));
    driver.set_power(&target, PowerAct::On).await.expect("it is on");
    driver.set_power(&target, PowerAct::Off).await.expect("it is asked to shut down");
    driver.set_power(&target, PowerAct::ForceOff).await.expect("it is switched off");
    assert_eq!(driver.power(&target).await, Ok(Power::Off));
    assert_eq!(simulator.acts(), "boot pxe\npower 1\nset shutdown\npower 0\n");
    let found = driver.enumerate(&target).await.expect("a machine");
    assert_eq!((found.len(), found[0].name.as_str(), &found[0].url), (1, "127.0.0.1", &target.url));

    assert_eq!(found[0].identity.serial.as_deref(), Some("CZJ-7"));

    // A machine that is another one is left alone, whatever says so.
    let with_uid = |uid: &str| Target { uid: Some(uid.to_owned()), ..target.clone() };
    let (other, guid) = (with_uid("CZJ-8"), with_uid("b1234567-89ab-cdef-a123-456789abcdef"));
    for (ended, says) in [
        (driver.set_power(&other, PowerAct::On).await, "the serial number CZJ-7, and the host has the uid CZJ-8"),
        (driver.set_boot(&guid, BootDevice::Network).await, "the UUID efcdab89-6745-23a1-efcd-ab89674523a1"),
    ] {
        let Err(CallError::Refused { reason, message }) = &ended else { panic!("{ended:?}") };
        assert_eq!(reason, "WrongMachine", "{message}");
        assert!(message.contains(says) && message.contains("correct bmcUrl or uid"), "{message}");
    }
    assert_eq!(simulator.acts().lines().count(), 4, "nothing was done");
    for uid in ["czj-7", "a1234567-89ab-cdef-a123-456789abcdef"] {
        driver.set_power(&with_uid(uid), PowerAct::On).await.expect("it is the machine");
    }
    driver.set_boot(&with_uid("CZJ-7"), BootDevice::Network).await.expect("a boot device");
    assert!(simulator.acts().ends_with("power 0\npower 1\nboot pxe\n"), "{}", simulator.acts());

    let error = driver.set_power(&simulator.target("guess-1234"), PowerAct::On).await.unwrap_err();
    let CallError::NotMade { reason } = &error else { panic!("{error:?}") };
    assert!(reason.contains("password of bmcCredential") && !reason.contains("guess-1234"), "{reason}");
    assert_eq!(simulator.acts().lines().count(), 6, "nothing was done");
}
