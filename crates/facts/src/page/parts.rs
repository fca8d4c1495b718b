//! The lines of the system, the processors, the memory, the disks and the interfaces.

use super::values::{counted, gibibytes, known, of_disk, of_link, words};
use crate::parts::{BootMode, Disk, DiskHealth, DiskMedium, Interface, InterfaceKind, Memory, Processor, System};

pub(super) fn system(system: &System) -> Vec<Vec<String>> {
    let numbered = |serial: &Option<String>| serial.as_ref().map(|serial| format!("serial {serial}"));
    let of_date = system.firmware_date.as_ref().map(|date| format!("of {date}"));
    let boot = system.boot_mode.map(|mode| match mode {
        BootMode::Uefi => "by UEFI".to_owned(),
        BootMode::Bios => "by BIOS".to_owned(),
    });
    let secure = system.secure_boot.map(|is_on| format!("Secure Boot is {}", if is_on { "on" } else { "off" }));
    let lines = [
        ("machine", vec![words([&system.manufacturer, &system.model]), numbered(&system.serial)]),
        ("mainboard", vec![words([&system.board_manufacturer, &system.board_model]), numbered(&system.board_serial)]),
        (
            "chassis",
            vec![numbered(&system.chassis_serial), system.asset_tag.as_ref().map(|tag| format!("asset tag {tag}"))],
        ),
        (
            "firmware",
            vec![
                words([&system.firmware_vendor, &system.firmware_version])
                    .into_iter()
                    .chain(of_date)
                    .reduce(|before, after| format!("{before} {after}")),
            ],
        ),
        ("UUID", vec![system.uuid.clone()]),
        ("booted", vec![boot, secure]),
        ("trusts", vec![system.secure_boot_authorities.as_ref().map(|names| names.join(", "))]),
        ("boot id", vec![system.boot_id.clone()]),
    ];
    let line = |(name, values): (&str, Vec<Option<String>>)| {
        let text = values.into_iter().flatten().collect::<Vec<_>>().join(", ");
        (!text.is_empty()).then(|| vec![name.to_owned(), text])
    };
    lines.into_iter().filter_map(line).collect()
}

pub(super) fn processor(processor: &Processor) -> Vec<String> {
    vec![
        format!("socket {}", processor.socket),
        known(processor.model.as_ref()),
        format!("{}, {}", counted(processor.cores, "core"), counted(processor.threads, "thread")),
        processor.microcode.as_ref().map(|version| format!("microcode {version}")).unwrap_or_default(),
    ]
}

pub(super) fn memory_title(memory: &Memory) -> String {
    let bytes: u64 = memory.modules.iter().filter_map(|module| module.size_bytes).sum();
    match (memory.modules.len(), memory.slots) {
        (0, None) => "Memory: no modules found".to_owned(),
        (count, None) => format!("Memory: {} in {count} modules", gibibytes(bytes)),
        (count, Some(slots)) => format!("Memory: {} in {count} of {slots} slots", gibibytes(bytes)),
    }
}

pub(super) fn memory(memory: &Memory) -> Vec<Vec<String>> {
    let mut rows: Vec<Vec<String>> = Vec::new();
    for module in &memory.modules {
        rows.push(vec![
            module.slot.clone(),
            known(module.size_bytes.map(gibibytes).as_ref()),
            module.r#type.clone().unwrap_or_default(),
            module.speed_mts.map(|speed| format!("{speed} MT/s")).unwrap_or_default(),
            words([&module.manufacturer, &module.part_number]).unwrap_or_default(),
            module.serial.as_ref().map(|serial| format!("serial {serial}")).unwrap_or_default(),
        ]);
    }
    if let Some(errors) = memory.errors {
        let text = format!("{} corrected, {} not", errors.corrected, errors.uncorrected);
        rows.push(vec![format!("errors since the boot: {text}")]);
    }
    rows
}

pub(super) fn disk(disk: &Disk) -> Vec<String> {
    let medium = disk.medium.map(|medium| match medium {
        DiskMedium::Nvme => "NVMe",
        DiskMedium::Ssd => "SSD",
        DiskMedium::Hdd => "HDD",
    });
    let health = disk.health.map(|health| match health {
        DiskHealth::Passed => "healthy",
        DiskHealth::Failing => "expects to fail",
    });
    vec![
        disk.name.clone(),
        known(disk.size_bytes.map(of_disk).as_ref()),
        medium.unwrap_or_default().to_owned(),
        words([&disk.manufacturer, &disk.model]).unwrap_or_default(),
        disk.serial.as_ref().map(|serial| format!("serial {serial}")).unwrap_or_default(),
        disk.firmware_version.as_ref().map(|version| format!("firmware {version}")).unwrap_or_default(),
        disk.place.clone().unwrap_or_default(),
        health.unwrap_or_default().to_owned(),
    ]
}

pub(super) fn interface(interface: &Interface) -> Vec<String> {
    let kind = interface.kind.map(|kind| match kind {
        InterfaceKind::Ethernet => "Ethernet",
        InterfaceKind::Infiniband => "InfiniBand",
    });
    let link = match (interface.carrier, interface.speed_mbps) {
        (Some(true), Some(speed)) => format!("link at {}", of_link(speed)),
        (Some(true), None) => "link".to_owned(),
        (Some(false), _) => "no link".to_owned(),
        (None, _) => "off".to_owned(),
    };
    vec![
        interface.name.clone(),
        known(interface.permanent_mac.as_ref().or(interface.mac.as_ref())),
        kind.unwrap_or_default().to_owned(),
        link,
        interface.driver.clone().unwrap_or_default(),
        interface.place.clone().unwrap_or_default(),
    ]
}
