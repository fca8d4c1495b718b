//! Shows a report as a page for people: a heading for each section, a line for each part, and what could not be read.
//!
//! Guarantee: whatever a report says, the page has no control characters besides the ends of its own lines. A report from
//! elsewhere cannot move the cursor of the terminal on which it is shown, or make up lines.

mod cards;
mod chassis;
mod neighbours;
mod parts;
mod values;

use std::fmt::Write as _;

use crate::report::Report;
use crate::section::Section;

/// Returns the page.
#[must_use]
pub fn page(report: &Report) -> String {
    let sections = &report.sections;
    let parts = [
        sections.system.as_ref().map(|it| block("System".to_owned(), &parts::system(&it.found), it)),
        list("Processors", sections.processors.as_ref(), parts::processor),
        sections.memory.as_ref().map(|it| block(parts::memory_title(&it.found), &parts::memory(&it.found), it)),
        list("Disks", sections.disks.as_ref(), parts::disk),
        list("GPUs", sections.gpus.as_ref(), cards::gpu),
        list("Interfaces", sections.interfaces.as_ref(), parts::interface),
        list("Neighbours", sections.neighbours.as_ref(), neighbours::neighbour),
        list("Devices", sections.devices.as_ref(), cards::device),
        list("Power supplies", sections.power_supplies.as_ref(), chassis::power_supply),
        list("Fans", sections.fans.as_ref(), chassis::fan),
        list("Firmware", sections.firmware.as_ref(), chassis::firmware),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join("\n")
}

/// Returns a section that is a list of parts, if it was reported.
fn list<T>(name: &str, section: Option<&Section<Vec<T>>>, row: fn(&T) -> Vec<String>) -> Option<String> {
    let section = section?;
    let rows: Vec<_> = section.found.iter().map(row).collect();
    let title = match rows.len() {
        0 if section.complete => format!("{name}: none found"),
        // Some may be there.
        0 => format!("{name}: not known"),
        count => format!("{name}: {count}"),
    };
    Some(block(title, &rows, section))
}

/// Returns a section: its heading, its lines in columns, its notes, and what could not be read.
fn block<T>(title: String, rows: &[Vec<String>], section: &Section<T>) -> String {
    let mut text = title + "\n";
    text += &columns(rows);
    // A string takes whatever is written to it.
    for note in &section.notes {
        let _ = writeln!(text, "  note: {}: {}", plain(&note.about), plain(&note.text));
    }
    if !section.complete {
        text += "  not read:\n";
        for unread in &section.unread {
            let _ = writeln!(text, "    {}: {}", plain(&unread.what), plain(&unread.reason));
        }
    }
    text
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

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::parts::Disk;
    use crate::report::{AgentProgram, FORMAT, Sections};
    use crate::section::Note;

    use super::*;

    fn report(sections: Sections) -> Report {
        let agent = AgentProgram { version: "0.1.0".to_owned() };
        Report { format: FORMAT, agent, observed_at: chrono::DateTime::UNIX_EPOCH, sections }
    }

    /// Returns the page of a section in which these parts were found.
    fn page_of(section: &str, found: Value) -> String {
        let text = json!({section: {"complete": true, "found": found}});
        page(&report(serde_json::from_value(text).expect("sections")))
    }

    #[test]
    fn cards_are_shown_with_what_is_wrong_with_them() {
        let devices = page_of(
            "devices",
            json!([
                {"place": "0000:41:00.0", "class": "020000", "vendor": "15b3", "device": "1017", "driver": "mlx5_core",
                    "linkWidth": 8, "maxLinkWidth": 16, "linkSpeedMts": 8000, "maxLinkSpeedMts": 8000, "numaNode": 1},
                {"place": "0000:05:00.0", "class": "010700", "vendor": "1000", "device": "0097"},
                {"place": "0000:06:00.0", "class": "ff0000"},
            ]),
        );
        let expected = "Devices: 3\n  \
            0000:41:00.0  Ethernet      15b3:1017  x8 of x16, 8 GT/s  mlx5_core  node 1\n  \
            0000:05:00.0  SAS           1000:0097\n  \
            0000:06:00.0  class ff0000  –\n";
        assert_eq!(devices, expected);
        let gpus = page_of(
            "gpus",
            json!([
                {"place": "0000:17:00.0", "vendor": "10de", "device": "2330", "model": "NVIDIA H100", "serial": "S1",
                    "memoryBytes": 85_899_345_920_u64, "linkWidth": 16, "maxLinkWidth": 16, "driver": "nvidia",
                    "driverVersion": "550.54", "firmwareVersion": "96.00"},
                {"place": "0000:18:00.0", "vendor": "10de", "device": "2330", "offBus": true},
            ]),
        );
        let expected = "GPUs: 2\n  \
            0000:17:00.0  NVIDIA H100  80 GiB  serial S1  firmware 96.00  nvidia 550.54  x16\n  \
            0000:18:00.0  10de:2330                                                           fell off the bus\n";
        assert_eq!(gpus, expected);
    }

    #[test]
    fn what_only_a_bmc_tells_of_is_shown() {
        let supplies = json!([
            {"place": "PSU1", "manufacturer": "Contoso", "model": "P800", "serial": "S1", "capacityWatts": 800,
                "firmwareVersion": "1.4", "health": "OK"},
            {"place": "PSU2", "health": "CRITICAL"},
        ]);
        let expected = "Power supplies: 2\n  \
            PSU1  800 W  Contoso P800  serial S1  firmware 1.4  healthy\n  \
            PSU2                                                failed\n";
        assert_eq!(page_of("powerSupplies", supplies), expected);
        let fans = json!([{"place": "Fan 1", "health": "WARNING"}]);
        assert_eq!(page_of("fans", fans), "Fans: 1\n  Fan 1  needs attention\n");
        let firmware = json!([{"name": "BIOS", "version": "2.19.1"}, {"name": "CPLD"}]);
        assert_eq!(page_of("firmware", firmware), "Firmware: 2\n  BIOS  2.19.1\n  CPLD  –\n");
    }

    #[test]
    fn neighbours_are_shown_by_their_names() {
        let found = json!([
            {"interface": "eno1", "chassisId": "00:1c:73:00:00:01", "chassisIdSubtype": "MAC_ADDRESS", "systemName": "leaf-1",
                "portId": "Ethernet12", "portDescription": "to rack 7", "managementAddresses": ["10.0.0.1", "fe80::1"]},
            {"interface": "eno2", "chassisId": "7", "portId": "3", "portDescription": "3"},
        ]);
        let expected = "Neighbours: 2\n  \
            eno1  leaf-1  port Ethernet12 (to rack 7)  00:1c:73:00:00:01  10.0.0.1, fe80::1\n  \
            eno2  7       port 3\n";
        assert_eq!(page_of("neighbours", found), expected);
        assert_eq!(page_of("neighbours", json!([])), "Neighbours: none found\n");
        let deaf =
            json!({"neighbours": {"complete": false, "unread": [{"what": "LLDP", "reason": "nobody listened"}]}});
        let page = page(&report(serde_json::from_value(deaf).expect("sections")));
        assert_eq!(page, "Neighbours: not known\n  not read:\n    LLDP: nobody listened\n");
    }

    #[test]
    fn control_characters_of_a_report_are_not_shown() {
        let disk = Disk { name: "sda\x1b[2J\nSystem".to_owned(), ..Disk::default() };
        let mut disks = Section::complete(vec![disk]);
        disks.lacks("/sys/\rblock", "permission\x07denied");
        disks.notes.push(Note { about: "sda\nsdb".to_owned(), text: "bell\x07".to_owned() });
        let page = page(&report(Sections { disks: Some(disks), ..Sections::default() }));
        let expected = "Disks: 1\n  sda [2J System  –\n  note: sda sdb: bell \n  not read:\n    /sys/ block: permission \
                        denied\n";
        assert_eq!(page, expected);
    }
}
