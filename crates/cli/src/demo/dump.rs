//! Writes a fleet as items on lines, for other tools.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use super::progress::Progress;
use crate::exit::Exit;
use underlay_demo::Options;
use underlay_kit::printable;

/// The number of items between updates of the progress bar.
const SHOWN_EVERY: usize = 10_000;

/// Writes the items of a fleet, one on each line.
pub(super) fn run(options: &Options, to: &Path) -> Exit {
    let (name, written) = match to.as_os_str() == "-" {
        true => ("standard output".to_owned(), write(options, io::stdout().lock())),
        false => {
            let written = File::create(to).and_then(|file| write(options, file));
            (printable(&to.to_string_lossy()), written)
        }
    };
    match written {
        Ok(()) => Exit::Done,
        Err(error) => {
            eprintln!("error: {name} cannot be written: {error}");
            Exit::Failed
        }
    }
}

fn write(options: &Options, to: impl Write) -> io::Result<()> {
    let mut to = BufWriter::new(to);
    let mut fleet = underlay_demo::items(options);
    let mut progress = Progress::new();
    let mut count = 0;
    while let Some(item) = fleet.next() {
        serde_json::to_writer(&mut to, &item)?;
        to.write_all(b"\n")?;
        count += 1;
        if count == SHOWN_EVERY {
            progress.wrote(count, fleet.progress());
            count = 0;
        }
    }
    to.flush()
}
