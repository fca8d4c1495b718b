//! A newcomer at a terminal: a home and a folder of their own, the program in their path, and the servers that the pages
//! speak of.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;
use underlay_testing::process::without_variables;
use underlay_testing::{Process, exit_code, scratch, until, until_seen};

use super::page::{Block, Content, Page, Step};
use super::same::difference;

/// The user whom the pages show.
const USER: &str = "ana";
/// The address of the server on the pages, and that of an empty one.
const SHOWN: [&str; 2] = ["127.0.0.1:8080", "127.0.0.1:8081"];
/// What is kept of the shell between two commands.
const VARIABLES: &str = ".variables";

pub struct Tour {
    folder: TempDir,
    /// The server of the demo, and an empty one, with their addresses.
    servers: [(Process, String); 2],
    /// Serves the demo from the folder `data`, for the commands that open its file.
    _of_data: (Process, String),
}

impl Tour {
    /// Starts a server of the demo with further arguments, and the others that the pages speak of.
    pub async fn of_the_demo(arguments: &[&str]) -> Self {
        let folder = scratch::folder("tour");
        for name in ["home", "run", "bin", "work"] {
            let made = folder.path().join(name);
            fs::create_dir(&made).expect("make a folder");
            fs::set_permissions(&made, fs::Permissions::from_mode(0o700)).expect("set permissions");
        }
        symlink(env!("CARGO_BIN_EXE_underlay"), folder.path().join("bin/underlay")).expect("make a link");

        let demo = serve(folder.path(), &[&["--demo"], arguments].concat()).await;
        let empty = serve(folder.path(), &["--data-dir", "other"]).await;
        let of_data = serve(folder.path(), &["--demo", "--data-dir", "data"]).await;
        Self { folder, servers: [demo, empty], _of_data: of_data }
    }

    /// Does what a page says. Returns everything that is not as the page shows it.
    pub async fn follow(&self, page: &Page) -> Vec<String> {
        let mut problems = Vec::new();
        for block in page.blocks() {
            self.do_block(block, &mut problems).await;
        }
        problems
    }

    async fn do_block(&self, block: &Block, problems: &mut Vec<String>) {
        match &block.content {
            Content::Session(steps) => {
                for step in steps {
                    if let Err(problem) = self.take(step).await {
                        problems.push(format!("{}: $ {}\n{problem}", block.place, step.command));
                    }
                }
            }
            Content::Script(commands) => {
                for command in commands {
                    let (code, printed) = self.run(command).await;
                    if code != 0 {
                        problems.push(format!("{}: $ {command}\nends with {code}:\n{printed}", block.place));
                    }
                }
            }
            Content::File { name, text } => {
                let path = self.path(name);
                fs::create_dir_all(path.parent().expect("a folder")).expect("make a folder");
                fs::write(path, text).expect("save a file");
            }
            Content::Other => {}
        }
    }

    async fn take(&self, step: &Step) -> Result<(), String> {
        self.save_what_is_shown(step);
        if let Some(shown) = step.output.strip_suffix("^C\n") {
            return self.interrupt(&step.command, shown).await;
        }
        if step.command.starts_with("curl -sN") {
            return self.interrupt(&step.command, &step.output).await;
        }
        // The server works out the health of a source a moment after its run.
        if step.output.contains(" FRESH ") {
            let looks = async || difference(&step.output, &self.run(&step.command).await.1).map_or(Ok(()), Err);
            until(format!("{} prints what is shown", step.command), looks).await;
            return Ok(());
        }
        // A page that shows no output speaks of the command only.
        let (code, printed) = self.run(&step.command).await;
        match step.output.is_empty() {
            true if code == 0 => Ok(()),
            true => Err(format!("ends with {code}:\n{printed}")),
            false => difference(&step.output, &printed).map_or(Ok(()), Err),
        }
    }

    /// Where a page shows a file by `cat`, the reader has saved it.
    fn save_what_is_shown(&self, step: &Step) {
        let Some(name) = step.command.strip_prefix("cat ").filter(|name| !name.contains([' ', '|'])) else { return };
        let path = self.path(name);
        fs::write(&path, &step.output).expect("save a file");
        if step.output.starts_with("#!") {
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("make it a program");
        }
    }

    /// Runs a command to its end. Returns its exit code, and what it printed.
    async fn run(&self, command: &str) -> (i32, String) {
        let script = format!(
            "[ -e {VARIABLES} ] && . ./{VARIABLES}\n{{\n{command}\n}} 2>&1\ncode=$?\n\
             declare -p TOKEN >{VARIABLES} 2>/dev/null\nexit $code"
        );
        let mut process = self.shell(&script);
        let code = exit_code(process.end().await).expect("the shell ends by itself");
        (code, self.as_shown(&process.stdout()))
    }

    /// Runs a command that goes on, until it has printed what is shown, and ends it.
    async fn interrupt(&self, command: &str, shown: &str) -> Result<(), String> {
        let script = format!("[ -e {VARIABLES} ] && . ./{VARIABLES}\nexec 2>&1\nexec {command}");
        let mut process = self.shell(&script);
        let lines = shown.lines().count();
        let ended = until_seen(format!("{command} prints {lines} lines"), || {
            let printed: Vec<String> = process.stdout().lines().map(str::to_owned).collect();
            match (process.ended(), printed.len() >= lines) {
                (None, false) => None,
                (ended, _) => Some(ended),
            }
        })
        .await;
        let printed = self.as_shown(&process.stdout());
        match ended {
            Some(status) => Err(format!("ends by itself, {status}:\n{printed}")),
            None => {
                let printed: String = printed.split_inclusive('\n').take(lines).collect();
                difference(shown, &printed).map_or(Ok(()), Err)
            }
        }
    }

    fn shell(&self, script: &str) -> Process {
        let mut script = script.to_owned();
        for ((_, url), shown) in self.servers.iter().zip(SHOWN) {
            script = script.replace(shown, url.trim_start_matches("http://"));
        }
        let mut command = newcomer(Command::new("bash"), self.folder.path());
        command.args(["-c", &script]);
        // The port of the page is not that of the test, so the server is named, until a context does so.
        if !self.folder.path().join("home/.config/underlay/contexts.toml").exists() {
            command.env("UNDERLAY_SERVER", &self.servers[0].1);
        }
        Process::start(command, None)
    }

    /// Writes the addresses and folders of this machine as the pages do.
    fn as_shown(&self, printed: &str) -> String {
        let home = self.folder.path().join("home").display().to_string();
        let mut printed = printed.replace(&home, &format!("/home/{USER}"));
        for ((_, url), shown) in self.servers.iter().zip(SHOWN) {
            printed = printed.replace(url.trim_start_matches("http://"), shown);
        }
        printed
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join("work").join(name)
    }
}

/// Sets the environment of the newcomer.
fn newcomer(command: Command, folder: &Path) -> Command {
    let mut command = without_variables(command);
    let path = std::env::var("PATH").expect("a path");
    command.current_dir(folder.join("work")).env("PATH", format!("{}:{path}", folder.join("bin").display()));
    for name in ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"] {
        command.env_remove(name);
    }
    command.env("HOME", folder.join("home")).env("XDG_RUNTIME_DIR", folder.join("run"));
    command.env("USER", USER).env("LOGNAME", USER);
    command
}

/// Starts a server. Returns it with its address once it is ready.
async fn serve(folder: &Path, arguments: &[&str]) -> (Process, String) {
    let mut command = newcomer(Command::new(env!("CARGO_BIN_EXE_underlay")), folder);
    command.args(["serve", "--listen", "127.0.0.1:0"]).args(arguments);
    let mut process = Process::start(command, None);
    let url = until_seen("the server is ready", || {
        let printed = process.stdout();
        let url = printed.strip_prefix("Underlay is ready at ").and_then(|rest| rest.split_once("/\n"));
        match url {
            Some((url, _)) => Some(Some(url.to_owned())),
            None => process.ended().map(|_| None),
        }
    });
    let url = url.await.unwrap_or_else(|| panic!("the server ended:\n{}", process.stderr()));
    (process, url)
}
