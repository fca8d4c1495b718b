//! `underlay man`: writes the manual pages, one for each command.

use std::path::PathBuf;

use clap::Args;

use underlay_cli::exit::Exit;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The folder to write the pages to. It is created if it does not exist.
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

pub(super) fn run(arguments: &Arguments) -> Exit {
    let written = std::fs::create_dir_all(&arguments.folder)
        .and_then(|()| clap_mangen::generate_to(super::command(), &arguments.folder));
    match written {
        Ok(()) => Exit::Done,
        Err(error) => {
            eprintln!("error: the manual cannot be written to {}: {error}", arguments.folder.display());
            Exit::Failed
        }
    }
}
