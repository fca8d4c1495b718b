//! Makes up serial numbers, UUIDs and MAC addresses in place of those of a machine.
//!
//! Guarantees: a value always gets the same made-up one on one machine, of the same length and form, so that two paths to
//! a disk still are one disk. Values that stand in place of a serial number stay. The key is the machine's own id, which
//! is not recorded: whoever has a recorded tree cannot try out which serial number gives which made-up one.

use sha2::{Digest as _, Sha256};
use underlay_facts::{Neighbour, NeighbourIdSubtype};

use crate::reader::last;
use crate::root::{Root, TEXT};
use crate::sections::smbios::{END, MEMORY_DEVICE, structures};
use crate::sections::{adapters, disks, gpus, health, lldpctl, memory};
use crate::value;

/// The names of files that have nothing but a value that is somebody's.
const VALUES: [&str; 9] = [
    "board_serial",
    "boot_id",
    "chassis_asset_tag",
    "chassis_serial",
    "product_serial",
    "product_uuid",
    "serial",
    "serial-number",
    "wwid",
];
/// The beginning of the names of interfaces that are named after their MAC addresses.
const NAMED_BY_MAC: &str = "enx";
/// The beginnings of world-wide names and of the UUIDs of GPUs, which say the form and stay.
const FORMS: [&str; 4] = ["0x", "naa.", "eui.", "GPU-"];

/// Makes up values in place of those of one machine.
#[derive(Debug)]
pub struct Inventor {
    key: Vec<u8>,
}

impl Inventor {
    /// Returns the inventor of a machine.
    pub fn of(root: &Root) -> Self {
        let ids = ["/etc/machine-id", "/sys/class/dmi/id/product_uuid", "/proc/sys/kernel/random/boot_id"];
        let key = ids.into_iter().find_map(|path| root.bytes(path, TEXT).ok().filter(|id| !id.is_empty()));
        Self { key: key.unwrap_or_default() }
    }

    /// Returns the contents of a file with made-up values.
    pub fn redacted(&self, path: &str, bytes: &[u8]) -> Vec<u8> {
        if path == memory::TABLE {
            return self.table(bytes);
        }
        if let Some(name) = path.strip_prefix(health::RECORDED) {
            return self.words_of_smartctl(name, bytes);
        }
        if path == gpus::RECORDED {
            return gpus::with_other_identities(bytes, |value| self.identity(value));
        }
        if path == lldpctl::RECORDED {
            return self.neighbours(bytes);
        }
        if path.starts_with("/run/udev/") {
            return self.udev(&String::from_utf8_lossy(bytes)).into_bytes();
        }
        if path.starts_with("/net/permanent/") || last(path) == "address" {
            return self.mac(&String::from_utf8_lossy(bytes)).into_bytes();
        }
        match last(path) {
            "cpuinfo" => without_serial(&String::from_utf8_lossy(bytes)).into_bytes(),
            "vpd_pg80" => {
                let (head, serial) = bytes.split_at(bytes.len().min(4));
                [head, &self.text(serial)].concat()
            }
            name if VALUES.contains(&name) => self.text(bytes),
            _ => bytes.to_owned(),
        }
    }

    /// Returns a path without the MAC addresses after which systems name some interfaces, such as `enx001122334455`.
    pub fn path(&self, path: &str) -> String {
        path.split('/').map(|name| self.name(name)).collect::<Vec<_>>().join("/")
    }

    fn name(&self, name: &str) -> String {
        let digits = name.strip_prefix(NAMED_BY_MAC).filter(|rest| rest.len() == 12);
        match digits.filter(|digits| digits.chars().all(|digit| digit.is_ascii_hexdigit())) {
            Some(digits) => {
                let pairs: Vec<String> =
                    digits.as_bytes().chunks(2).map(|pair| String::from_utf8_lossy(pair).into_owned()).collect();
                format!("{NAMED_BY_MAC}{}", self.mac(&pairs.join(":")).replace(':', ""))
            }
            None => name.to_owned(),
        }
    }

    /// Returns the memory devices of a firmware's table, with made-up serial numbers. The other structures have serial
    /// numbers too, and nobody reads them.
    fn table(&self, table: &[u8]) -> Vec<u8> {
        let mut kept = Vec::new();
        let (structures, _) = structures(table);
        for structure in structures.iter().filter(|it| matches!(it.kind, MEMORY_DEVICE | END)) {
            let (start, end) = structure.range;
            let mut bytes = table.get(start..end).unwrap_or_default().to_owned();
            if structure.kind == MEMORY_DEVICE
                && let Some((from, to)) = structure.place_of_string(memory::SERIAL)
                && let Some(serial) = bytes.get_mut(from - start..to - start)
            {
                let made_up = self.text(serial);
                serial.copy_from_slice(&made_up);
            }
            kept.extend(bytes);
        }
        kept
    }

    /// Returns the lines that are read of what udev says.
    fn udev(&self, text: &str) -> String {
        let mut kept = String::new();
        for line in text.lines() {
            let Some((key, value)) = line.strip_prefix("E:").and_then(|line| line.split_once('=')) else { continue };
            if !disks::OF_UDEV.contains(&key) {
                continue;
            }
            let value = match key {
                "ID_MODEL_ENC" | "ID_REVISION" => value.to_owned(),
                // The path of a SAS disk has its address.
                "ID_PATH" => value.split('-').map(|part| self.address_in_path(part)).collect::<Vec<_>>().join("-"),
                _ => String::from_utf8_lossy(&self.text(value.as_bytes())).into_owned(),
            };
            kept += &format!("E:{key}={value}\n");
        }
        kept
    }

    fn address_in_path(&self, part: &str) -> String {
        match part.find("0x") {
            Some(start) => {
                let (before, address) = part.split_at(start);
                format!("{before}{}", String::from_utf8_lossy(&self.text(address.as_bytes())))
            }
            None => part.to_owned(),
        }
    }

    /// Returns what is read of the words of `smartctl`.
    fn words_of_smartctl(&self, name: &str, bytes: &[u8]) -> Vec<u8> {
        match name {
            adapters::SCAN => adapters::list_without_rest(bytes),
            name if adapters::is_about_disk(name) => {
                adapters::with_other_identities(bytes, |value| self.identity(value))
            }
            _ => health::without_rest(bytes),
        }
    }

    fn identity(&self, value: &str) -> String {
        String::from_utf8_lossy(&self.text(value.as_bytes())).into_owned()
    }

    /// Returns what is read of the words of `lldpctl`, with other MAC addresses.
    fn neighbours(&self, bytes: &[u8]) -> Vec<u8> {
        let Some(mut neighbours) = lldpctl::neighbours(bytes) else { return Vec::new() };
        for neighbour in &mut neighbours {
            neighbour.interface = self.name(&neighbour.interface);
            let Neighbour { chassis_id, chassis_id_subtype, port_id, port_id_subtype, .. } = neighbour;
            for (id, meaning) in [(chassis_id, chassis_id_subtype), (port_id, port_id_subtype)] {
                if *meaning == Some(NeighbourIdSubtype::MacAddress) {
                    *id = self.mac(id);
                }
            }
        }
        lldpctl::output(&neighbours)
    }

    /// Returns a MAC address of the same maker.
    fn mac(&self, text: &str) -> String {
        let text = text.trim().to_lowercase();
        match text.match_indices(':').nth(2) {
            Some((end, _)) if !value::is_junk(&text) => {
                let (maker, rest) = text.split_at(end);
                format!("{maker}{}", self.made_up(rest, &text, Alphabet::Hexadecimal))
            }
            _ => text,
        }
    }

    /// Returns a value in place of another one, of the same form and length. Letters that are no value stay.
    fn text(&self, bytes: &[u8]) -> Vec<u8> {
        let cleaned = value::clean(bytes);
        let is_of_nobody = is_uuid(&cleaned) && value::uuid(&cleaned).is_none();
        if is_of_nobody || value::is_junk(&cleaned) {
            return bytes.to_owned();
        }
        let Ok(text) = std::str::from_utf8(bytes) else { return vec![b'x'; bytes.len()] };
        let form = FORMS.iter().find(|form| text.starts_with(**form)).map_or(0, |form| form.len());
        let (form, rest) = text.split_at(form);
        let is_hexadecimal = !form.is_empty() || is_uuid(&cleaned);
        let alphabet = if is_hexadecimal { Alphabet::Hexadecimal } else { Alphabet::Any };
        format!("{form}{}", self.made_up(rest, cleaned.to_lowercase().as_str(), alphabet)).into_bytes()
    }

    /// Replaces digits by digits and letters by letters. What is no letter or digit stays, such as blanks at the end.
    fn made_up(&self, text: &str, seed: &str, alphabet: Alphabet) -> String {
        let mut block = 0_u32;
        let mut random = std::iter::repeat_with(|| {
            let mut hash = Sha256::new();
            hash.update(&self.key);
            hash.update(block.to_le_bytes());
            hash.update(seed.as_bytes());
            block += 1;
            hash.finalize().to_vec()
        })
        .flatten();
        let mut one = |letter: char| -> char {
            let choices: &[u8] = match (alphabet, letter) {
                (Alphabet::Hexadecimal, '0'..='9' | 'a'..='f') => b"0123456789abcdef",
                (Alphabet::Hexadecimal, 'A'..='F') => b"0123456789ABCDEF",
                (_, '0'..='9') => b"0123456789",
                (_, 'a'..='z') => b"abcdefghijklmnopqrstuvwxyz",
                (_, 'A'..='Z') => b"ABCDEFGHIJKLMNOPQRSTUVWXYZ",
                _ => return letter,
            };
            let random = usize::from(random.next().unwrap_or_default());
            choices.get(random % choices.len()).copied().map_or(letter, char::from)
        };
        text.chars().map(&mut one).collect()
    }
}

/// The letters of made-up values.
#[derive(Clone, Copy, Debug)]
enum Alphabet {
    /// Hexadecimal digits, for UUIDs, MAC addresses and world-wide names.
    Hexadecimal,
    /// Digits and letters, for serial numbers.
    Any,
}

fn is_uuid(text: &str) -> bool {
    text.len() == 36 && text.split('-').map(str::len).eq([8, 4, 4, 4, 12])
}

/// Some Arm machines list their serial number with the processors.
fn without_serial(list: &str) -> String {
    list.lines().filter(|line| !line.starts_with("Serial")).flat_map(|line| [line, "\n"]).collect()
}
