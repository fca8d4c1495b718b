//! Programs that are installed beside the agent: scripts in a temporary folder, in place of those of the system.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use serde_json::json;
use tempfile::TempDir;
use underlay_agent::{Limits, Programs, Root, Serials, record, report};
use underlay_facts::{Disk, DiskHealth, Section};
use underlay_testing::{HANG, script};

use crate::tree::Tree;

/// The programs of a machine.
pub struct Installed(TempDir);

impl Installed {
    pub fn new(programs: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        programs.iter().for_each(|(name, text)| script(&folder.path().join(name), text));
        Self(folder)
    }

    pub fn root(&self, machine: &Tree, limits: Limits) -> Root {
        let folders: Vec<PathBuf> = vec![self.0.path().to_owned()];
        Root::tree(machine.path()).expect("a tree").with_programs(Programs::in_folders(folders, limits))
    }
}

/// The limits of programs that are run for each report and never reach their bound.
pub const EACH_TIME: Limits = Limits { run: HANG, section: HANG, again: Duration::ZERO };

/// A machine with two disks.
fn two_disks() -> Tree {
    let disk = |tree: Tree, name: &str, serial: &str| {
        let real = format!("/sys/devices/pci0000:00/0000:00:1f.2/{name}/block/{name}");
        tree.device("/sys/block", &real, &[("size", "1000"), ("serial", serial)])
    };
    disk(disk(Tree::new(), "sda", "A1"), "sdb", "B1")
}

fn disks(root: &Root) -> Section<Vec<Disk>> {
    report(root, HANG).sections.disks.expect("a section")
}

/// Returns the health of each disk, and the reasons why the section is not complete.
fn health(section: &Section<Vec<Disk>>) -> (Vec<Option<DiskHealth>>, Vec<String>) {
    let reasons = section.unread.iter().map(|it| format!("{}: {}", it.what, it.reason)).collect();
    (section.found.iter().map(|disk| disk.health).collect(), reasons)
}

#[test]
fn smartctl_is_believed_whatever_its_status_and_its_faults_are_named() {
    let passed = r#"echo '{"smart_status": {"passed": true}}'"#;
    let failing = r#"echo '{"smart_status": {"passed": false}}'; exit 88"#;
    let [well, ill] = [Some(DiskHealth::Passed), Some(DiskHealth::Failing)];
    for (of_sdb, expected, reason) in [
        (passed, well, None),
        (failing, ill, None),
        ("echo '{}'; exit 2", None, None),
        ("echo garbage", None, Some("does not write what it should")),
        ("exit 1", None, Some("does not write what it should")),
        ("head -c 10485760 /dev/zero", None, Some("wrote more than 1024 KiB")),
        ("kill -9 $$", None, Some("was ended by a signal")),
    ] {
        let script = format!("[ \"$*\" = '-j -H -i -n standby /dev/sdb' ] || {{ {passed}; exit 0; }}\n{of_sdb}");
        let installed = Installed::new(&[("smartctl", &script)]);
        let reasons: Vec<String> = reason.map(|reason| format!("smartctl sdb: {reason}")).into_iter().collect();
        let section = disks(&installed.root(&two_disks(), EACH_TIME));
        assert_eq!(health(&section), (vec![well, expected], reasons), "{of_sdb}");
    }
}

#[test]
fn a_program_that_hangs_costs_what_it_was_asked_for() {
    let installed = Installed::new(&[("smartctl", "exec sleep 100000")]);
    let limits = Limits { run: Duration::from_millis(1), ..EACH_TIME };
    let section = disks(&installed.root(&two_disks(), limits));
    let reasons = ["sda", "sdb", "--scan-open"].map(|name| format!("smartctl {name}: did not end in time"));
    assert_eq!(health(&section), (vec![None, None], reasons.to_vec()));
}

#[test]
fn a_disk_that_sleeps_keeps_its_health_and_another_one_does_not_get_it() {
    let machine = two_disks();
    let installed = Installed::new(&[("smartctl", &format!("cat {}/said", machine.path().display()))]);
    let root = installed.root(&machine, EACH_TIME);
    let said = |text: &str| fs::write(machine.at("/said"), text).expect("write");
    let well = Some(DiskHealth::Passed);
    said("{}");
    assert_eq!(health(&disks(&root)), (vec![None, None], vec![]));
    said(r#"{"smart_status": {"passed": true}}"#);
    assert_eq!(health(&disks(&root)), (vec![well, well], vec![]));
    said("{}");
    assert_eq!(health(&disks(&root)), (vec![well, well], vec![]));
    fs::write(machine.at("/sys/block/sdb/serial"), "C1").expect("another disk");
    assert_eq!(health(&disks(&root)), (vec![well, None], vec![]));
}

#[test]
fn programs_run_once_an_hour() {
    let machine = two_disks();
    let runs = machine.at("/runs");
    let script = format!("echo \"$*\" >> {}; echo '{{}}'", runs.display());
    let installed = Installed::new(&[("smartctl", &script)]);
    let root = installed.root(&machine, Limits { again: Duration::from_secs(60 * 60), ..EACH_TIME });
    let reports: Vec<_> = (0..3).map(|_| disks(&root)).collect();
    assert!(reports.iter().all(|section| *section == reports[0]));
    assert_eq!(
        fs::read_to_string(&runs).expect("runs"),
        "-j -H -i -n standby /dev/sda\n-j -H -i -n standby /dev/sdb\n--scan-open -j\n"
    );
}

#[test]
fn what_programs_said_is_recorded() {
    let script =
        "[ \"$6\" = /dev/sda ] || exit 1\necho '{\"serial_number\": \"A1\", \"smart_status\": {\"passed\": true}}'";
    let installed = Installed::new(&[("smartctl", script)]);
    let machine = two_disks();
    for serials in [Serials::Kept, Serials::MadeUp] {
        let copy = Tree::new();
        let root = installed.root(&machine, EACH_TIME);
        record(&root, copy.path(), serials, HANG).expect("a recorded tree");
        let recorded = copy.report().sections.disks.expect("a section");
        assert_eq!(health(&recorded), health(&disks(&root)));
        let text = fs::read_to_string(copy.at("/programs/smartctl/sda")).expect("an output");
        assert_eq!(text.contains("A1"), serials == Serials::Kept, "{text}");
    }
}

#[test]
fn nvidia_smi_adds_to_what_the_kernel_says_and_its_faults_are_named() {
    let line = "00000000:19:00.0, NVIDIA H100, 165, GPU-8a3c5e1f-9d2b-4f60-a1c7-3e5d7f9b1a2c, 81559, 96.00, 550.90";
    for (script, serials, reason) in [
        (format!("echo '{line}'"), [Some("165"), None], None),
        (format!("echo '{line}'; exit 15"), [None, None], Some("ended with status 15")),
        (format!("echo '{line}'; echo garbage; echo more"), [Some("165"), None], Some("does not write what it should")),
        ("head -c 10485760 /dev/zero".to_owned(), [None, None], Some("wrote more than 1024 KiB")),
        ("true".to_owned(), [None, None], None),
    ] {
        let gpu = |tree: Tree, bus: &str| {
            let place = format!("/sys/devices/pci0000:{bus}/0000:{bus}:00.0");
            let numbers = [("vendor", "0x10de"), ("device", "0x2330"), ("class", "0x030200")];
            tree.device("/sys/bus/pci/devices", &place, &numbers)
        };
        let machine = gpu(gpu(Tree::new(), "19"), "3b");
        let installed = Installed::new(&[("nvidia-smi", &script)]);
        let section = report(&installed.root(&machine, EACH_TIME), HANG).sections.gpus.expect("a section");
        let found: Vec<_> = section.found.iter().map(|gpu| gpu.serial.as_deref()).collect();
        assert_eq!(found, serials, "{script}");
        let reasons: Vec<_> = section.unread.iter().map(|it| (it.what.as_str(), it.reason.as_str())).collect();
        assert_eq!(reasons, reason.map(|reason| ("nvidia-smi", reason)).into_iter().collect::<Vec<_>>(), "{script}");
    }
}

#[test]
fn a_neighbour_is_not_absent_because_nobody_listened() {
    let interface = |tree: Tree| {
        let real = "/sys/devices/pci0000:40/0000:41:00.0/net/eno1";
        let files = [("type", "1"), ("address", "b8:3f:d2:11:22:33"), ("addr_assign_type", "0"), ("carrier", "1")];
        tree.device("/sys/class/net", real, &files).folder(&format!("{real}/device"))
    };
    let said =
        json!({"chassis": {"id": {"type": "local", "value": "C"}}, "port": {"id": {"type": "local", "value": "P"}}});
    let heard = format!("echo '{}'", json!({"lldp": {"interface": {"eno1": said}}}));
    for (script, names, reason) in [
        (heard.clone(), vec!["C"], None),
        ("echo '{\"lldp\": {}}'".to_owned(), vec![], None),
        (format!("{heard}; exit 1"), vec![], Some("lldpctl ended with status 1")),
        ("echo garbage".to_owned(), vec![], Some("lldpctl does not write what it should")),
        ("echo '{}'".to_owned(), vec![], Some("lldpctl does not write what it should")),
        ("echo '[]'".to_owned(), vec![], Some("lldpctl does not write what it should")),
        ("head -c 10485760 /dev/zero".to_owned(), vec![], Some("lldpctl wrote more than 1024 KiB")),
    ] {
        let installed = Installed::new(&[("lldpctl", &script)]);
        let section = report(&installed.root(&interface(Tree::new()), EACH_TIME), HANG).sections.neighbours;
        let section = section.expect("a section");
        let found: Vec<_> = section.found.iter().map(|neighbour| neighbour.chassis_id.as_str()).collect();
        assert_eq!((section.complete, found), (reason.is_none(), names), "{script}");
        let expected = reason.map(|reason| format!("{reason}, and nothing listened before this report"));
        assert_eq!(section.unread.first().map(|unread| unread.reason.clone()), expected, "{script}");
    }
}
