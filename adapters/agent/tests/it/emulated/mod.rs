//! The agent inside a virtual machine, whose disks and interfaces are plugged and unplugged while it runs.

mod initramfs;
mod vm;

use serde_json::{Value, json};
use underlay_facts::{
    Disk, DiskHealth, Interface, MissingParts, Part, PartChange, PartEvent, Report, Section, Sections, compare,
};
use underlay_testing::until_seen;

use self::initramfs::SMARTCTL;
use self::vm::Vm;

/// The addresses of the interface that is there from the start, and of the one that is plugged.
const MACS: [&str; 2] = ["52:54:00:00:00:01", "52:54:00:00:00:02"];

/// The hardware that is there from the start. The disks have neither content nor a file.
const HARDWARE: [&str; 24] = [
    "-smbios",
    "type=1,manufacturer=Contoso,product=Virtual 1,serial=VM-0001,uuid=7e57ab1e-0000-4000-8000-000000000001",
    "-smbios",
    "type=17,manufacturer=Fabrikam,serial=1A2B3C4D,part=FB-512,speed=2933,loc_pfx=DIMM",
    "-blockdev",
    "null-co,node-name=nvme-1,size=1073741824,read-zeroes=on",
    "-device",
    "nvme,drive=nvme-1,serial=NVME-0001",
    "-device",
    "virtio-scsi-pci,id=adapter",
    "-blockdev",
    "null-co,node-name=scsi-1,size=1073741824,read-zeroes=on",
    "-device",
    "scsi-hd,id=old,bus=adapter.0,drive=scsi-1,serial=SCSI-0001,vendor=Contoso,product=SCSI,ver=1.0",
    "-device",
    "megasas,id=raid",
    "-blockdev",
    "null-co,node-name=raid-1,size=1073741824,read-zeroes=on",
    "-device",
    "scsi-hd,bus=raid.0,drive=raid-1,serial=RAID-0001,vendor=Contoso,product=Volume,ver=1.0",
    "-netdev",
    "hubport,id=net-1,hubid=0",
    "-device",
    "virtio-net-pci,netdev=net-1,mac=52:54:00:00:00:01",
];

/// Makes reports in the machine until one shows something, and returns that one.
async fn report_that(vm: &mut Vm, what: &str, shows: impl Fn(&Sections) -> bool) -> Report {
    let look = || {
        let text = vm.run("underlay-agent once --print --json");
        let report: Report = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
        if shows(&report.sections) { Ok(report) } else { Err(text) }
    };
    until_seen(what, look).await
}

/// Returns the parts of a section, or none of one that is not complete: a part may come or go while it is read.
fn parts<T>(section: Option<&Section<Vec<T>>>) -> &[T] {
    section.filter(|section| section.complete).map_or(&[], |section| &section.found)
}

fn disks(sections: &Sections) -> &[Disk] {
    parts(sections.disks.as_ref())
}

fn serials(sections: &Sections) -> Vec<&str> {
    disks(sections).iter().filter_map(|disk| disk.serial.as_deref()).collect()
}

fn interfaces(sections: &Sections) -> &[Interface] {
    parts(sections.interfaces.as_ref())
}

/// Returns the addresses of the interfaces, each with whether its link is up.
fn links(sections: &Sections) -> Vec<(&str, Option<bool>)> {
    interfaces(sections).iter().filter_map(|it| Some((it.permanent_mac.as_deref()?, it.carrier))).collect()
}

/// Plugs an NVMe drive and an interface.
fn plug(vm: &mut Vm) {
    vm.add_disk("nvme-2");
    vm.plug("slot1", json!({"driver": "nvme", "id": "hot-drive", "drive": "nvme-2", "serial": "NVME-0002"}));
    vm.order("netdev_add", &json!({"type": "hubport", "id": "net-2", "hubid": 0}));
    vm.plug("slot2", json!({"driver": "virtio-net-pci", "id": "hot-port", "netdev": "net-2", "mac": MACS[1]}));
}

/// Puts another disk in the place of the one at the SCSI adapter.
async fn replace(vm: &mut Vm) {
    vm.unplug("old");
    let is_gone = |it: &Sections| !serials(it).is_empty() && !serials(it).contains(&"SCSI-0001");
    report_that(vm, "the SCSI disk is gone", is_gone).await;
    vm.add_disk("scsi-2");
    let disk = json!({"driver": "scsi-hd", "id": "new", "drive": "scsi-2", "serial": "SCSI-0002", "vendor": "Contoso",
        "product": "SCSI", "ver": "1.0"});
    vm.plug("adapter.0", disk);
}

/// Checks the report of the hardware that is there from the start.
fn check_first(sections: &Sections) {
    let system = sections.system.as_ref().expect("a section");
    let of_system = [&system.found.manufacturer, &system.found.model, &system.found.serial, &system.found.uuid];
    let expected = ["Contoso", "Virtual 1", "VM-0001", "7e57ab1e-0000-4000-8000-000000000001"];
    assert!(system.complete, "{system:?}");
    assert_eq!(of_system.map(Option::as_deref), expected.map(Some));

    let memory = serde_json::to_value(&sections.memory).expect("JSON");
    let module = json!({"slot": "DIMM 0", "sizeBytes": 512 << 20, "speedMts": 2933, "manufacturer": "Fabrikam",
        "partNumber": "FB-512", "serial": "1A2B3C4D"});
    assert_eq!(memory, json!({"complete": true, "found": {"modules": [module], "slots": 1}}));

    let size = 1_u64 << 30;
    let mut of_disks: Vec<_> = disks(sections).iter().map(|it| (it.serial.as_deref(), it.size_bytes)).collect();
    // The names of the SCSI disks depend on which driver is faster.
    of_disks.sort_unstable();
    assert_eq!(of_disks, ["NVME-0001", "RAID-0001", "SCSI-0001"].map(|serial| (Some(serial), Some(size))));
    let drivers: Vec<_> = interfaces(sections).iter().map(|it| it.driver.as_deref()).collect();
    assert_eq!(drivers, [Some("virtio_net")]);
}

/// Returns the disk at the RAID adapter, if it is there, and is one.
fn at_adapter(sections: &Sections) -> Option<&Disk> {
    let mut found = disks(sections).iter().filter(|it| it.serial.as_deref() == Some("RAID-0001"));
    found.next().filter(|_| found.next().is_none())
}

/// Checks that the disk at the RAID adapter is one disk for the kernel and for `smartctl`, and that it is seen where
/// the kernel does not show it, as with adapters that make volumes.
async fn check_behind_adapter(vm: &mut Vm) {
    vm.run(&format!("mv /{SMARTCTL} /usr/sbin/smartctl"));
    let is_healthy = |it: &Disk| it.health == Some(DiskHealth::Passed);
    let is_one = |it: &Sections| disks(it).len() == 3 && disks(it).iter().any(is_healthy) && at_adapter(it).is_some();
    let shown = report_that(vm, "smartctl adds the health and no disk", is_one).await;
    let before = at_adapter(&shown.sections).expect("the disk");

    vm.run(&format!("echo 1 > /sys/block/{}/device/delete", before.name));
    let is_hidden = |it: &Sections| is_one(it) && at_adapter(it).is_some_and(|it| it.name != before.name);
    let hidden = report_that(vm, "the disk behind the adapter is there", is_hidden).await;
    let after = at_adapter(&hidden.sections).expect("the disk");
    assert!(after.name.contains("/megaraid,"), "{after:?}");
    let place = format!("{}-megaraid,", before.place.as_ref().expect("the adapter"));
    assert!(after.place.as_ref().expect("a place").starts_with(&place), "{after:?}");
    let values = |it: &Disk| (it.manufacturer.clone(), it.model.clone(), it.size_bytes, it.firmware_version.clone());
    assert_eq!(values(after), values(before));
}

/// Returns what changed from report to report: the part, the change, and what the part is known by.
fn changes(reports: &[Report]) -> Vec<Vec<(Part, PartChange, Value)>> {
    let mut missing = MissingParts::default();
    let known_by = |event: &PartEvent| {
        let part = event.after.as_ref().or(event.before.as_ref()).expect("a part");
        ["serial", "permanentMac", "carrier"].iter().find_map(|name| part.get(name)).cloned().unwrap_or_default()
    };
    let pairs = reports.windows(2).map(|pair| {
        let comparison = compare(&pair[0], &missing, &pair[1]);
        missing = comparison.missing;
        comparison.events.iter().map(|event| (event.part, event.change, known_by(event))).collect()
    });
    pairs.collect()
}

#[tokio::test]
#[ignore = "needs qemu-system-x86_64"]
async fn hardware_that_is_plugged_and_unplugged_is_seen() {
    let vm = &mut Vm::start(&HARDWARE).await;
    vm.run("ip link set dev eth0 up");
    let with_three = |it: &Sections| serials(it).len() == 3 && links(it) == [(MACS[0], Some(true))];
    let first = report_that(vm, "all that the machine has is there", with_three).await;
    check_first(&first.sections);

    plug(vm);
    report_that(vm, "the interface is there", |it| links(it).len() == 2).await;
    vm.run("ip link set dev eth1 up");
    let is_plugged = |it: &Sections| serials(it).contains(&"NVME-0002") && links(it).contains(&(MACS[1], Some(true)));
    let plugged = report_that(vm, "the drive is there and the link is up", is_plugged).await;

    vm.set_link("hot-port", false);
    let down = report_that(vm, "the link is down", |it| links(it).contains(&(MACS[1], Some(false)))).await;
    vm.set_link("hot-port", true);
    let up = report_that(vm, "the link is up again", |it| links(it).contains(&(MACS[1], Some(true)))).await;

    replace(vm).await;
    let replaced = report_that(vm, "another SCSI disk is there", |it| serials(it).contains(&"SCSI-0002")).await;

    vm.unplug("hot-drive");
    vm.unplug("hot-port");
    let once = report_that(vm, "the drive and the interface are gone", with_three).await;
    let twice = report_that(vm, "they are gone still", with_three).await;

    let [drive, mac] = ["NVME-0002", MACS[1]].map(Value::from);
    let both = |change| vec![(Part::Disk, change, drive.clone()), (Part::Interface, change, mac.clone())];
    assert_eq!(
        changes(&[first, plugged, down, up, replaced, once, twice]),
        [
            both(PartChange::Added),
            vec![(Part::Interface, PartChange::LinkDown, json!(false))],
            vec![(Part::Interface, PartChange::LinkUp, json!(true))],
            vec![(Part::Disk, PartChange::Replaced, json!("SCSI-0002"))],
            // What is absent for the first time is not gone yet.
            vec![],
            both(PartChange::Removed),
        ]
    );
    check_behind_adapter(vm).await;
}
