//! The language of iPXE: words, and the way to the disk.
//!
//! iPXE has no quotes. It splits a line at white space, and then replaces the settings in each word, again and again
//! until none is left. So a character with a meaning is written as a setting that holds it, and a word that would contain
//! a setting in the end cannot be written at all.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::visible;

/// The way to the disk. On UEFI the firmware goes on with the next boot entry.
const DISK: &str = ":disk
iseq ${platform} efi && goto firmware ||
sanboot --no-describe --drive 0x80 ||
:firmware
exit 1
";

/// A script that is being written.
pub(crate) struct Text {
    /// The bytes that are held by settings.
    held: BTreeSet<u8>,
    lines: String,
}

impl Text {
    pub(crate) fn new() -> Self {
        Self { held: BTreeSet::new(), lines: String::new() }
    }

    /// Shows a reason. A setting in it is taken apart.
    pub(crate) fn echo(&mut self, reason: &str) {
        let reason = visible(reason).replace("${", "$ {");
        let words: Vec<String> = reason.split_whitespace().map(|word| self.word(word)).collect();
        self.line(&format!("echo boot server: {}", words.join(" ")));
    }

    pub(crate) fn line(&mut self, line: &str) {
        self.lines.push_str(line);
        self.lines.push('\n');
    }

    /// Ends the script with the way to the disk, at the label `disk`.
    pub(crate) fn disk(&mut self) {
        self.lines.push_str(DISK);
    }

    /// Returns a text as one word.
    pub(crate) fn word(&mut self, text: &str) -> String {
        let mut word = String::new();
        for byte in text.bytes() {
            if is_plain(byte) {
                word.push(char::from(byte));
            } else {
                self.held.insert(byte);
                let _ = write!(word, "${{c{byte:02x}:string}}");
            }
        }
        word
    }

    pub(crate) fn finish(self) -> String {
        let mut text = "#!ipxe\n".to_owned();
        for byte in self.held {
            let _ = writeln!(text, "set c{byte:02x}:hex {byte:02x}");
        }
        text + &self.lines
    }
}

fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_.,:/=+@%-".contains(&byte)
}
