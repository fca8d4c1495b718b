//! Refusals: texts for an installer that runs already and must not install.
//!
//! An installer that gets an error asks again and again, so it gets a text that it accepts: it shows the reason and boots
//! again, and that boot goes to the disk.

use crate::visible;

/// The program that asks for a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Installer {
    /// Anaconda, which reads a kickstart.
    Kickstart,
    /// A system that executes a script of the shell.
    Shell,
}

/// Shows `say`, also where people look, and boots again.
const AND_BOOT: &str = r#"printf '%s\n' "$say"
(printf '%s\n' "$say" >/dev/console) 2>/dev/null
(printf '%s\n' "$say" >/dev/tty1) 2>/dev/null
sleep 30
while :; do
  reboot -f
  sleep 10
  (echo b >/proc/sysrq-trigger) 2>/dev/null
  sleep 10
done
"#;

/// Returns the text that shows a sentence, and boots the machine again after half a minute without a change to a disk.
#[must_use]
pub fn refusal(installer: Installer, sentence: &str) -> String {
    let script = script(sentence);
    match installer {
        // The section never ends, so nothing that Anaconda does by itself comes after it.
        Installer::Kickstart => format!("%pre --interpreter=/bin/sh\n{script}%end\n"),
        Installer::Shell => format!("#!/bin/sh\n{script}"),
    }
}

fn script(sentence: &str) -> String {
    let sentence = visible(sentence).replace('\'', r"'\''");
    format!("say='boot server: {sentence}'\n{AND_BOOT}")
}
