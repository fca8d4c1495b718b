//! The program under test as a command.

use std::process::Command;

use underlay_testing::process::without_variables;

/// Returns a command for the program under test, without the developer's own environment variables.
pub fn underlay() -> Command {
    without_variables(Command::new(env!("CARGO_BIN_EXE_underlay")))
}

/// Returns such a command with a limit of open files.
pub fn limited_underlay(files: u32) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("ulimit -n {files} && exec \"$0\" \"$@\""), env!("CARGO_BIN_EXE_underlay")]);
    without_variables(command)
}
