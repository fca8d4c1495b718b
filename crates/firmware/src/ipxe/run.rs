//! Executes scripts as iPXE does.

use std::collections::BTreeMap;

use super::{Next, commands, expand};
use crate::http::Failure;
use crate::machine::{End, Platform, Running};

const AGENT: &str = "iPXE/1.0.0+";
/// The most commands of a boot, and the deepest nesting of scripts.
const MAX_COMMANDS: usize = 10_000;
const MAX_DEPTH: usize = 10;

/// iPXE, while it runs.
struct Ipxe<'r, 'm> {
    running: &'r mut Running<'m>,
    settings: BTreeMap<String, Vec<u8>>,
    kernel: Option<Kernel>,
    initrd: Option<Vec<u8>>,
    commands: usize,
}

struct Kernel {
    line: String,
    image: Vec<u8>,
}

/// The end of a command.
enum Then {
    Goes(bool),
    /// The script ends, with success or failure.
    Exits(bool),
    /// The script goes on at a label.
    Jumps(String),
    Ends(End),
}

impl Running<'_> {
    /// Boots a URL as iPXE does. An error leads to the next device, which is the disk.
    pub(crate) async fn ipxe(&mut self, url: &str) -> End {
        let mut ipxe = Ipxe { running: self, settings: BTreeMap::new(), kernel: None, initrd: None, commands: 0 };
        match ipxe.chain(url, 0).await {
            Then::Ends(end) => end,
            _ => {
                self.show("No more network devices");
                End::Disk("the next boot device".to_owned())
            }
        }
    }
}

impl Ipxe<'_, '_> {
    /// Fetches a file. An error that says when to ask again is asked again for ever.
    async fn fetch(&mut self, url: &str) -> Result<Vec<u8>, Then> {
        let wait = self.running.machine.patience.ipxe;
        match self.running.send("GET", url, AGENT, wait).await {
            Ok(reply) if reply.status == 200 => Ok(reply.body),
            Ok(reply) if reply.header("retry-after").is_some() => {
                Err(Then::Ends(End::Hang("iPXE, which asks again".to_owned())))
            }
            Ok(reply) => Err(self.error(&format!("status {}", reply.status))),
            Err(Failure::TimedOut) => Err(Then::Ends(End::Hang("iPXE, without an answer".to_owned()))),
            Err(failure) => Err(self.error(&format!("{failure:?}"))),
        }
    }

    fn error(&mut self, error: &str) -> Then {
        self.running.show(format!("iPXE: {error}"));
        Then::Goes(false)
    }

    async fn chain(&mut self, url: &str, depth: usize) -> Then {
        let image = match self.fetch(url).await {
            Ok(image) => image,
            Err(then) => return then,
        };
        let is_script = image.starts_with(b"#!ipxe") && image.get(6).is_some_and(u8::is_ascii_whitespace);
        if is_script && depth < MAX_DEPTH {
            let text = String::from_utf8_lossy(&image).into_owned();
            return Box::pin(self.script(&text, depth)).await;
        }
        if image.is_empty() || self.running.machine.platform == Platform::Uefi {
            return self.error("Exec format error");
        }
        // On BIOS anything else is taken for an old program.
        Then::Ends(End::Crash)
    }

    /// Executes the lines of a script. It ends with the first line that fails.
    async fn script(&mut self, text: &str, depth: usize) -> Then {
        let lines: Vec<&str> = text.lines().collect();
        let mut at = 0;
        while let Some(line) = lines.get(at) {
            at += 1;
            let line = line.trim_start();
            let line = match line.strip_prefix(':') {
                Some(label) => label.split_once(char::is_whitespace).map_or("", |(_, rest)| rest),
                None => line,
            };
            match self.line(line, depth).await {
                Then::Goes(true) => {}
                Then::Goes(false) => return Then::Goes(false),
                Then::Exits(done) => return Then::Goes(done),
                ends @ Then::Ends(_) => return ends,
                Then::Jumps(label) => {
                    let found = lines.iter().position(|line| {
                        line.trim_start().strip_prefix(':').and_then(|rest| rest.split_whitespace().next())
                            == Some(label.as_str())
                    });
                    let Some(found) = found else { return Then::Goes(false) };
                    at = found;
                }
            }
        }
        Then::Goes(true)
    }

    async fn line(&mut self, line: &str, depth: usize) -> Then {
        let (mut runs, mut done) = (true, true);
        for command in commands(line) {
            if runs {
                let words = command.words.iter().map(|word| expand(word, |name| self.setting(name)));
                let words: Vec<String> = words.map(|word| String::from_utf8_lossy(&word).into_owned()).collect();
                match self.command(&words, depth).await {
                    Then::Goes(it) => done = it,
                    then => return then,
                }
            }
            runs = match command.next {
                Some(Next::OnSuccess) => done,
                Some(Next::OnFailure) => !done,
                Some(Next::Always) => true,
                None => break,
            };
        }
        Then::Goes(done)
    }

    /// Returns the value of a setting such as `net0/mac:hexhyp`.
    fn setting(&self, name: &str) -> Vec<u8> {
        let (name, kind) = name.split_once(':').unwrap_or((name, ""));
        let machine = self.running.machine;
        let mac = |number: &str| number.parse().ok().and_then(|number: usize| machine.macs.get(number)).cloned();
        let value = match name {
            "platform" => match machine.platform {
                Platform::Bios => b"pcbios".to_vec(),
                Platform::Uefi => b"efi".to_vec(),
            },
            "ip" => b"10.0.0.5".to_vec(),
            "serial" => machine.serial.clone().into_bytes(),
            "board-serial" => machine.board_serial.clone().into_bytes(),
            "uuid" => machine.uuid.clone().into_bytes(),
            _ => match name.strip_prefix("net").and_then(|rest| rest.strip_suffix("/mac")) {
                Some(number) => mac(number).unwrap_or_default().into_bytes(),
                None => self.settings.get(name).cloned().unwrap_or_default(),
            },
        };
        match kind {
            "hexhyp" => String::from_utf8_lossy(&value).replace(':', "-").into_bytes(),
            "uristring" => escaped(&value).into_bytes(),
            _ => value,
        }
    }

    async fn command(&mut self, words: &[String], depth: usize) -> Then {
        self.commands += 1;
        if self.commands > MAX_COMMANDS {
            return Then::Ends(End::Hang("iPXE, in a loop".to_owned()));
        }
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        match words.as_slice() {
            [] | ["imgfree" | "dhcp"] => Then::Goes(true),
            ["set", name, value @ ..] => self.set(name, &value.join(" ")),
            ["isset", value] => Then::Goes(!value.is_empty()),
            ["iseq", left, right] => Then::Goes(left == right),
            ["goto", label] => Then::Jumps((*label).to_owned()),
            ["exit"] => Then::Exits(true),
            ["exit", status] => Then::Exits(*status == "0"),
            ["echo", text @ ..] => {
                self.running.show(text.join(" "));
                Then::Goes(true)
            }
            ["sleep", _] => Then::Goes(true),
            ["reboot"] => Then::Ends(End::Reboot),
            ["sanboot", "--no-describe", "--drive", "0x80"] => match self.running.machine {
                machine if machine.platform == Platform::Bios && !machine.disk.is_empty() => {
                    Then::Ends(End::Disk("drive 0x80".to_owned()))
                }
                _ => self.error("no such drive"),
            },
            ["chain", "--timeout", _, url] | ["chain", url] => Box::pin(self.chain(url, depth + 1)).await,
            ["kernel", "--name", _, url, arguments @ ..] => match self.fetch(url).await {
                Ok(image) => {
                    self.kernel = Some(Kernel { line: arguments.join(" "), image });
                    Then::Goes(true)
                }
                Err(then) => then,
            },
            ["initrd", "--name", _, url] => match self.fetch(url).await {
                Ok(initrd) => {
                    self.initrd = Some(initrd);
                    Then::Goes(true)
                }
                Err(then) => then,
            },
            ["boot"] => self.boot(),
            [name, ..] => self.error(&format!("{name}: command not found")),
        }
    }

    fn set(&mut self, name: &str, value: &str) -> Then {
        let value = match name.strip_suffix(":hex") {
            Some(_) => {
                let bytes = value.split([':', '-']).map(|byte| u8::from_str_radix(byte, 16).ok());
                match bytes.collect::<Option<Vec<u8>>>() {
                    Some(bytes) => bytes,
                    None => return self.error("Invalid argument"),
                }
            }
            None => value.as_bytes().to_vec(),
        };
        let name = name.split(':').next().unwrap_or(name).to_owned();
        self.settings.insert(name, value);
        Then::Goes(true)
    }

    fn boot(&mut self) -> Then {
        match self.kernel.take() {
            None => self.error("No executable images"),
            Some(Kernel { line, image }) if image.starts_with(b"MZ") => {
                Then::Ends(End::Kernel { line, kernel: image, initrd: self.initrd.take() })
            }
            Some(_) if self.running.machine.platform == Platform::Bios => Then::Ends(End::Crash),
            Some(_) => self.error("Exec format error"),
        }
    }
}

fn escaped(bytes: &[u8]) -> String {
    let escape = |byte: &u8| match byte.is_ascii_alphanumeric() || b"-._~".contains(byte) {
        true => char::from(*byte).to_string(),
        false => format!("%{byte:02X}"),
    };
    bytes.iter().map(escape).collect()
}
