//! The texts that machines execute while they boot from the network, and the identities that they send.
//!
//! A text is for GRUB or for iPXE ([`Program`]). The *entry* is the same for all machines: it sends what the machine is,
//! and gets the text of the machine. That one starts a kernel ([`start`]), or is the way to the disk ([`local`]).
//!
//! Guarantees: every text ends at the disk, whatever fails on the way. A value stays within its quotes, and a value that
//! a language cannot write is refused ([`Unwritable`]), so no machine gets other words than those that were meant.

mod entry;
mod grub;
mod ipxe;
mod mac;
mod refusal;
mod start;

pub use self::entry::{grub_entry, ipxe_entry};
pub use self::mac::mac;
pub use self::refusal::{Installer, refusal};
pub use self::start::{MAX_LINE_BYTES, Start, Unwritable, check_argument, start};

/// The program that executes a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Program {
    /// GRUB on UEFI.
    Grub,
    /// iPXE on UEFI or BIOS.
    Ipxe,
}

/// Returns the text that boots from the disk of the machine, and shows why.
#[must_use]
pub fn local(program: Program, reason: &str) -> String {
    match program {
        Program::Grub => format!("{}{}", grub::echo(reason), grub::DISK),
        Program::Ipxe => {
            let mut text = ipxe::Text::new();
            text.echo(reason);
            text.disk();
            text.finish()
        }
    }
}

/// Returns a text with a space in place of each control character, and of each other character that may change what
/// stands beside it on a screen.
fn visible(text: &str) -> String {
    let is_direction =
        |letter: char| matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let is_line_end = |letter: char| matches!(letter, '\u{2028}' | '\u{2029}');
    let visible = |letter: char| match letter.is_control() || is_direction(letter) || is_line_end(letter) {
        true => ' ',
        false => letter,
    };
    text.chars().map(visible).collect()
}

#[cfg(test)]
mod tests;
