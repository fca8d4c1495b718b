//! The texts that start a kernel.

use thiserror::Error;

use crate::grub;
use crate::ipxe;
use crate::{Program, visible};

/// The most bytes of a kernel's command line: Linux cuts a longer one off at 2,048 without a word.
pub const MAX_LINE_BYTES: usize = 2_000;

/// A kernel to start.
#[derive(Clone, Copy, Debug)]
pub struct Start<'a> {
    /// The URL of the kernel. GRUB fetches `http://` alone.
    pub kernel_url: &'a str,
    /// The URL of the initial RAM disk.
    pub initrd_url: Option<&'a str>,
    /// The arguments of the kernel, each as [`check_argument`] allows it. One with a space stays one argument.
    pub arguments: &'a [&'a str],
    /// The sentence that is shown.
    pub reason: &'a str,
}

/// The reason why a value cannot be written in the language of a program.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Unwritable {
    #[error("the kernel argument {argument:?} has {reason}")]
    Argument { argument: String, reason: &'static str },
    #[error("the URL {url:?} cannot be fetched at boot: {reason}")]
    Url { url: String, reason: &'static str },
    #[error("the command line of the kernel has {bytes} bytes, but at most {MAX_LINE_BYTES} are allowed")]
    Line { bytes: usize },
}

/// Checks an argument of a kernel: one or more visible characters and spaces, without quotes, backslashes and `${`. Linux
/// has no way to escape these, and GRUB and iPXE change them.
///
/// # Errors
/// Returns the reason why it cannot be written.
pub fn check_argument(argument: &str) -> Result<(), Unwritable> {
    let refused = |reason| Err(Unwritable::Argument { argument: argument.to_owned(), reason });
    if argument.trim().is_empty() {
        refused("no visible character")
    } else if visible(argument) != argument {
        refused("control characters")
    } else if argument.contains(['"', '\'', '\\']) {
        refused("a quote or a backslash, which loaders change")
    } else if argument.contains("${") {
        refused("${, which iPXE replaces")
    } else if argument.chars().any(|letter| letter.is_whitespace() && letter != ' ') {
        refused("a space of another kind than the usual one")
    } else {
        Ok(())
    }
}

/// Returns the text that starts a kernel, and goes to the disk if that fails.
///
/// # Errors
/// Returns the reason why a value cannot be written.
pub fn start(program: Program, start: &Start<'_>) -> Result<String, Unwritable> {
    start.arguments.iter().try_for_each(|argument| check_argument(argument))?;
    let bytes = start.arguments.iter().map(|argument| argument.len() + 3).sum();
    if bytes > MAX_LINE_BYTES {
        return Err(Unwritable::Line { bytes });
    }
    match program {
        Program::Grub => grub(start),
        Program::Ipxe => ipxe(start),
    }
}

/// GRUB puts an argument with a space in double quotes by itself, as Linux reads it.
fn grub(start: &Start<'_>) -> Result<String, Unwritable> {
    let mut linux = format!("linux {}", grub::file(start.kernel_url)?);
    for argument in start.arguments {
        linux.push(' ');
        linux.push_str(&grub::word(argument));
    }
    let then = match start.initrd_url {
        Some(url) => format!("  if initrd {}; then\n    boot\n  fi\n", grub::file(url)?),
        None => "  boot\n".to_owned(),
    };
    let failed = grub::echo("the kernel did not start");
    Ok(format!("{}if {linux}; then\n{then}fi\n{failed}{}", grub::echo(start.reason), grub::DISK))
}

/// iPXE hands its words to the kernel with spaces between them, so an argument with a space gets the quotes of Linux.
fn ipxe(start: &Start<'_>) -> Result<String, Unwritable> {
    let mut text = ipxe::Text::new();
    text.echo(start.reason);
    // What an earlier script has loaded must not be taken for the initial RAM disk.
    text.line("imgfree ||");
    let mut kernel = format!("kernel --name kernel {}", ipxe_url(&mut text, start.kernel_url)?);
    if start.initrd_url.is_some() {
        // On UEFI the kernel fetches the file of this name from iPXE.
        kernel.push_str(" initrd=initrd");
    }
    for argument in start.arguments {
        let argument = if argument.contains(' ') { format!("\"{argument}\"") } else { (*argument).to_owned() };
        kernel.push(' ');
        kernel.push_str(&text.word(&argument));
    }
    text.line(&format!("{kernel} || goto disk"));
    if let Some(url) = start.initrd_url {
        let url = ipxe_url(&mut text, url)?;
        text.line(&format!("initrd --name initrd {url} || goto disk"));
    }
    text.line("boot || goto disk");
    text.disk();
    Ok(text.finish())
}

fn ipxe_url(text: &mut ipxe::Text, url: &str) -> Result<String, Unwritable> {
    let refused = |reason| Unwritable::Url { url: url.to_owned(), reason };
    if !url.starts_with("http://") && !url.starts_with("https://") {
        return Err(refused("it must begin with http:// or https://"));
    }
    if !url.bytes().all(|byte| byte.is_ascii_graphic()) || url.contains("${") {
        return Err(refused("it has other characters than those of a URL"));
    }
    Ok(text.word(url))
}
