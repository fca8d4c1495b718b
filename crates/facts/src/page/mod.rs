//! Shows a report as a page for people: a heading for each section, a line for each part, and what could not be read.
//!
//! Guarantee: whatever a report says, the page has no control characters besides the ends of its own lines. A report from
//! elsewhere cannot move the cursor of the terminal on which it is shown, or make up lines.

use std::fmt::Write as _;

use crate::parts::{BootMode, Disk, DiskMedium, Interface, InterfaceKind, Memory, Processor, System};
use crate::report::Report;
use crate::section::Section;

/// The text that stands for a value that is not known.
const UNKNOWN: &str = "–";

/// Returns the page.
#[must_use]
pub fn page(report: &Report) -> String {
    let sections = &report.sections;
    let parts = [
        sections.system.as_ref().map(|section| block("System".to_owned(), system(&section.found), section)),
        sections.processors.as_ref().map(|section| {
            block(title("Processors", section.found.len()), section.found.iter().map(processor).collect(), section)
        }),
        sections.memory.as_ref().map(|section| block(memory_title(&section.found), memory(&section.found), section)),
        sections.disks.as_ref().map(|section| {
            block(title("Disks", section.found.len()), section.found.iter().map(disk).collect(), section)
        }),
        sections.interfaces.as_ref().map(|section| {
            block(title("Interfaces", section.found.len()), section.found.iter().map(interface).collect(), section)
        }),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join("\n")
}

/// Returns a section: its heading, its lines in columns, and what could not be read.
fn block<T>(title: String, rows: Vec<Vec<String>>, section: &Section<T>) -> String {
    let mut text = title + "\n";
    text += &columns(&rows);
    if !section.complete {
        text += "  not read:\n";
        for unread in &section.unread {
            // A string takes whatever is written to it.
            let _ = writeln!(text, "    {}: {}", plain(&unread.what), plain(&unread.reason));
        }
    }
    text
}

fn title(name: &str, count: usize) -> String {
    if count == 0 { format!("{name}: none found") } else { format!("{name}: {count}") }
}

/// Returns lines whose cells stand below each other. Columns without any value are left out, and a line of one cell is
/// as long as it is.
fn columns(rows: &[Vec<String>]) -> String {
    let rows: Vec<Vec<String>> = rows.iter().map(|row| row.iter().map(|cell| plain(cell)).collect()).collect();
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let of_cells = || rows.iter().filter(|row| row.len() > 1);
    let width = |column: usize| of_cells().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max();
    let widths: Vec<usize> = (0..count).map(|column| width(column).unwrap_or(0)).collect();
    let mut text = String::new();
    for row in &rows {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(&widths).filter(|(_, width)| **width > 0) {
            let _ = write!(line, "  {cell:<width$}");
        }
        text += line.trim_end();
        text.push('\n');
    }
    text
}

/// Returns a text with blanks in place of control characters.
fn plain(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}

fn system(system: &System) -> Vec<Vec<String>> {
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
        ("boot id", vec![system.boot_id.clone()]),
    ];
    let line = |(name, values): (&str, Vec<Option<String>>)| {
        let text = values.into_iter().flatten().collect::<Vec<_>>().join(", ");
        (!text.is_empty()).then(|| vec![name.to_owned(), text])
    };
    lines.into_iter().filter_map(line).collect()
}

/// Returns the values that are known, as one text.
fn words<const N: usize>(values: [&Option<String>; N]) -> Option<String> {
    let known: Vec<&str> = values.into_iter().filter_map(|value| value.as_deref()).collect();
    (!known.is_empty()).then(|| known.join(" "))
}

fn processor(processor: &Processor) -> Vec<String> {
    vec![
        format!("socket {}", processor.socket),
        known(processor.model.as_ref()),
        format!("{}, {}", counted(processor.cores, "core"), counted(processor.threads, "thread")),
        processor.microcode.as_ref().map(|version| format!("microcode {version}")).unwrap_or_default(),
    ]
}

fn memory_title(memory: &Memory) -> String {
    let bytes: u64 = memory.modules.iter().filter_map(|module| module.size_bytes).sum();
    match (memory.modules.len(), memory.slots) {
        (0, None) => "Memory: no modules found".to_owned(),
        (count, None) => format!("Memory: {} in {count} modules", gibibytes(bytes)),
        (count, Some(slots)) => format!("Memory: {} in {count} of {slots} slots", gibibytes(bytes)),
    }
}

fn memory(memory: &Memory) -> Vec<Vec<String>> {
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

fn disk(disk: &Disk) -> Vec<String> {
    let medium = disk.medium.map(|medium| match medium {
        DiskMedium::Nvme => "NVMe",
        DiskMedium::Ssd => "SSD",
        DiskMedium::Hdd => "HDD",
    });
    vec![
        disk.name.clone(),
        known(disk.size_bytes.map(of_disk).as_ref()),
        medium.unwrap_or_default().to_owned(),
        words([&disk.manufacturer, &disk.model]).unwrap_or_default(),
        disk.serial.as_ref().map(|serial| format!("serial {serial}")).unwrap_or_default(),
        disk.firmware_version.as_ref().map(|version| format!("firmware {version}")).unwrap_or_default(),
        disk.place.clone().unwrap_or_default(),
    ]
}

fn interface(interface: &Interface) -> Vec<String> {
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

fn known(value: Option<&String>) -> String {
    value.map_or_else(|| UNKNOWN.to_owned(), Clone::clone)
}

fn counted(count: u32, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// Returns a size of memory as people say it.
fn gibibytes(bytes: u64) -> String {
    match bytes {
        bytes if bytes % (1 << 30) == 0 => format!("{} GiB", bytes >> 30),
        bytes => format!("{} MiB", bytes >> 20),
    }
}

/// Returns the size of a disk as makers print it: three digits of a decimal unit.
fn of_disk(bytes: u64) -> String {
    let units = [("TB", 1_000_000_000_000), ("GB", 1_000_000_000), ("MB", 1_000_000)];
    let (unit, size) = units.into_iter().find(|(_, size)| bytes >= *size).unwrap_or(("MB", 1_000_000));
    let value = bytes as f64 / size as f64;
    let digits = if value < 9.995 { 2 } else { usize::from(value < 99.95) };
    let text = format!("{value:.digits$}");
    let text = if digits > 0 { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    format!("{text} {unit}")
}

fn of_link(mbps: u32) -> String {
    match mbps {
        mbps if mbps >= 1000 => format!("{} Gbit/s", f64::from(mbps) / 1000.0),
        mbps => format!("{mbps} Mbit/s"),
    }
}

#[cfg(test)]
mod tests {
    use crate::report::{AgentProgram, FORMAT, Sections};

    use super::*;

    #[test]
    fn control_characters_of_a_report_are_not_shown() {
        let disk = Disk { name: "sda\x1b[2J\nSystem".to_owned(), ..Disk::default() };
        let mut disks = Section::complete(vec![disk]);
        disks.lacks("/sys/\rblock", "permission\x07denied");
        let report = Report {
            format: FORMAT,
            agent: AgentProgram { version: "0.1.0".to_owned() },
            observed_at: chrono::DateTime::UNIX_EPOCH,
            sections: Sections { disks: Some(disks), ..Sections::default() },
        };
        let expected = "Disks: 1\n  sda [2J System  –\n  not read:\n    /sys/ block: permission denied\n";
        assert_eq!(page(&report), expected);
    }
}
