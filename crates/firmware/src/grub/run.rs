//! Executes scripts as GRUB on UEFI does.

use std::collections::BTreeMap;

use regex::Regex;

use super::{Statement, parse};
use crate::http::Failure;
use crate::machine::{End, Running};

const AGENT: &str = "UefiHttpBoot/1.0";
/// The names of the devices, in the order in which they are searched.
const MEDIUM: &str = "hd0,gpt1";
const DISK: &str = "hd1,gpt1";
/// The lists that GRUB asks for, and does without.
const LISTS: [&str; 4] = ["command", "fs", "crypto", "terminal"];
/// The most commands of a boot.
const MAX_COMMANDS: usize = 10_000;

/// GRUB, while it runs.
struct Grub<'r, 'm> {
    running: &'r mut Running<'m>,
    variables: BTreeMap<String, String>,
    loaded: Option<Loaded>,
    commands: usize,
}

/// What `boot` starts.
enum Loaded {
    Chain { device: String, file: String },
    Linux { line: String, kernel: Vec<u8>, initrd: Option<Vec<u8>> },
}

/// The end of a command: the boot goes on, with success or failure, or it ends.
enum Then {
    Goes(bool),
    Ends(End),
}

impl Running<'_> {
    /// Runs GRUB with the prefix `/grub`.
    pub(crate) async fn grub(&mut self, server: &str) -> End {
        let machine = self.machine;
        let mut variables = BTreeMap::new();
        for (name, value) in [
            ("net_default_server", server),
            ("net_default_mac", machine.macs.first().map_or("", String::as_str)),
            ("grub_cpu", "x86_64"),
        ] {
            variables.insert(name.to_owned(), value.to_owned());
        }
        let mut grub = Grub { running: self, variables, loaded: None, commands: 0 };
        for list in LISTS {
            // The answer does not matter.
            let _ = grub.fetch(&format!("(http,{server})/grub/x86_64-efi/{list}.lst")).await;
        }
        match grub.configuration(&format!("(http,{server})/grub/grub.cfg")).await {
            Then::Ends(end) => end,
            // After the last command GRUB has no menu to show.
            Then::Goes(_) => {
                self.show("grub>");
                End::Prompt
            }
        }
    }
}

impl Grub<'_, '_> {
    /// Fetches a file: HEAD, then GET. A length whose name is not written as GRUB expects counts as zero.
    async fn fetch(&mut self, file: &str) -> Result<Vec<u8>, String> {
        let place = file.strip_prefix("(http,").and_then(|rest| rest.split_once(')'));
        let (server, path) = place.ok_or_else(|| format!("unknown device of {file}"))?;
        let url = format!("http://{server}{path}");
        let wait = self.running.machine.patience.grub;
        let mut body = Vec::new();
        for method in ["HEAD", "GET"] {
            let reply = self.running.send(method, &url, AGENT, wait).await.map_err(|failure| match failure {
                Failure::TimedOut => "Fail to receive a response! status=18".to_owned(),
                failure => format!("{failure:?}"),
            })?;
            match reply.status {
                200 => {}
                404 => return Err(format!("file `{path}' not found")),
                status => return Err(format!("unsupported uefi http status code {status}")),
            }
            let length = reply.header_as_written("Content-Length").and_then(|it| it.parse().ok()).unwrap_or(0);
            body = reply.body;
            body.truncate(length);
        }
        Ok(body)
    }

    /// Executes a file of commands. An empty one is no error.
    async fn configuration(&mut self, file: &str) -> Then {
        let text = match self.fetch(file).await {
            Ok(text) => text,
            Err(error) => return self.error(&error),
        };
        match parse(&String::from_utf8_lossy(&text)) {
            Ok(statements) => self.all(&statements).await,
            Err(error) => self.error(&error.0),
        }
    }

    fn error(&mut self, error: &str) -> Then {
        self.running.show(format!("error: {error}."));
        Then::Goes(false)
    }

    /// Executes statements one after the other, also after one that failed.
    async fn all(&mut self, statements: &[Statement]) -> Then {
        let mut last = true;
        for statement in statements {
            match Box::pin(self.one(statement)).await {
                Then::Goes(done) => last = done,
                ends @ Then::Ends(_) => return ends,
            }
        }
        Then::Goes(last)
    }

    async fn one(&mut self, statement: &Statement) -> Then {
        match statement {
            Statement::Command(words) => {
                let words = self.expanded(words);
                self.command(&words).await
            }
            Statement::If { branches, otherwise } => {
                for branch in branches {
                    match self.all(&branch.condition).await {
                        Then::Goes(true) => return self.all(&branch.body).await,
                        Then::Goes(false) => {}
                        ends @ Then::Ends(_) => return ends,
                    }
                }
                self.all(otherwise).await
            }
            Statement::For { name, words, body } => {
                let mut last = true;
                for word in self.expanded(words) {
                    self.variables.insert(name.clone(), word);
                    match self.all(body).await {
                        Then::Goes(done) => last = done,
                        ends @ Then::Ends(_) => return ends,
                    }
                }
                Then::Goes(last)
            }
        }
    }

    fn expanded(&self, words: &[super::Word]) -> Vec<String> {
        let mut expanded = Vec::new();
        for word in words {
            word.expand(|name| self.variables.get(name).cloned().unwrap_or_default(), &mut expanded);
        }
        expanded
    }

    async fn command(&mut self, words: &[String]) -> Then {
        self.commands += 1;
        if self.commands > MAX_COMMANDS {
            return Then::Ends(End::Hang("GRUB, in a loop".to_owned()));
        }
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let done = match words.as_slice() {
            [] | ["true"] => true,
            ["set", setting] => match setting.split_once('=') {
                Some((name, value)) => {
                    self.variables.insert(name.to_owned(), value.to_owned());
                    true
                }
                None => false,
            },
            ["[", left, "=", right, "]"] | ["test", left, "=", right] => left == right,
            ["regexp", pattern, text] => Regex::new(pattern).is_ok_and(|pattern| pattern.is_match(text)),
            ["smbios", "--type", "1", value @ ("--get-string" | "--get-uuid"), at, "--set", name] => {
                let machine = self.running.machine;
                let value = match (*value, *at) {
                    ("--get-string", "7") => &machine.serial,
                    ("--get-uuid", "8") => &machine.uuid,
                    _ => return self.error("no such value"),
                };
                self.variables.insert((*name).to_owned(), value.clone());
                true
            }
            ["search", options @ .., file] => return self.search(options, file),
            ["chainloader", file] => return self.chainloader(file),
            ["linux", file, arguments @ ..] => return self.linux(file, arguments).await,
            ["initrd", file] => return self.initrd(file).await,
            ["boot"] => return self.boot(),
            ["configfile", file] => return Box::pin(self.configuration(file)).await,
            ["echo", text @ ..] => {
                self.running.show(text.join(" "));
                true
            }
            ["sleep", _] => true,
            ["reboot"] => return Then::Ends(End::Reboot),
            ["exit" | "normal_exit", ..] => return Then::Ends(End::Menu),
            [name, ..] => return self.error(&format!("can't find command `{name}'")),
        };
        Then::Goes(done)
    }

    fn has(&self, device: &str, file: &str) -> bool {
        let machine = self.running.machine;
        let files = if device == MEDIUM { &machine.medium } else { &machine.disk };
        files.iter().any(|it| it.eq_ignore_ascii_case(file))
    }

    fn search(&mut self, options: &[&str], file: &str) -> Then {
        let variable = options.iter().find_map(|option| option.strip_prefix("--set="));
        let (Some(variable), true) = (variable, options.contains(&"--file")) else {
            return self.error("search without --set and --file is not simulated");
        };
        match [MEDIUM, DISK].into_iter().find(|device| self.has(device, file)) {
            Some(device) => {
                self.variables.insert(variable.to_owned(), device.to_owned());
                Then::Goes(true)
            }
            None => self.error(&format!("no such device: {file}")),
        }
    }

    fn chainloader(&mut self, file: &str) -> Then {
        let device = self.variables.get("root").cloned().unwrap_or_default();
        let is_broken = self.running.machine.broken.iter().any(|it| it.eq_ignore_ascii_case(file));
        if is_broken || ![MEDIUM, DISK].contains(&device.as_str()) || !self.has(&device, file) {
            return self.error(&format!("cannot load {file}"));
        }
        self.loaded = Some(Loaded::Chain { device, file: file.to_owned() });
        Then::Goes(true)
    }

    async fn linux(&mut self, file: &str, arguments: &[&str]) -> Then {
        self.loaded = None;
        match self.fetch(file).await {
            Ok(kernel) if kernel.starts_with(b"MZ") => {
                self.loaded = Some(Loaded::Linux { line: command_line(arguments), kernel, initrd: None });
                Then::Goes(true)
            }
            Ok(_) => self.error("invalid magic number"),
            Err(error) => self.error(&error),
        }
    }

    async fn initrd(&mut self, file: &str) -> Then {
        let fetched = self.fetch(file).await;
        match (&mut self.loaded, fetched) {
            (Some(Loaded::Linux { initrd, .. }), Ok(found)) => {
                *initrd = Some(found);
                Then::Goes(true)
            }
            (_, Ok(_)) => self.error("you need to load the kernel first"),
            (_, Err(error)) => self.error(&error),
        }
    }

    fn boot(&mut self) -> Then {
        match self.loaded.take() {
            None => self.error("you need to load the kernel first"),
            Some(Loaded::Chain { device, file }) if device == MEDIUM => Then::Ends(End::Medium(file)),
            Some(Loaded::Chain { file, .. }) => Then::Ends(End::Disk(file)),
            Some(Loaded::Linux { line, kernel, initrd }) => Then::Ends(End::Kernel { line, kernel, initrd }),
        }
    }
}

/// Returns the command line that GRUB makes: quotes and backslashes get a backslash, and an argument with a space gets
/// quotes.
fn command_line(arguments: &[&str]) -> String {
    let written = arguments.iter().map(|argument| {
        let argument = argument.replace('\\', "\\\\").replace('\'', "\\'").replace('"', "\\\"");
        if argument.contains(' ') { format!("\"{argument}\"") } else { argument }
    });
    written.collect::<Vec<_>>().join(" ")
}
