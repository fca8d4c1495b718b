//! Reads the files that `apply` and `diff` take: manifests, tables, or an export.

use std::fs::{self, File};
use std::io::{self, BufRead};
use std::path::{Path, PathBuf};

use clap::{ArgAction, Args};
use clap_complete::ArgValueCompleter;

use super::stream;
use crate::complete;
use crate::csv;
use crate::exit::Exit;
use crate::kinds::KnownKinds;
use crate::manifest::{self, ManifestItem};
use underlay_inventory::Description;
use underlay_kit::source::STANDARD_INPUT;
use underlay_kit::{ManifestError, printable};

#[derive(Debug, Args)]
pub(crate) struct Files {
    /// The files to read: a manifest, a folder with all its subfolders, or - for standard input. Can be given several
    /// times. A file named after a kind, such as devices.csv, is a table of comma-separated values.
    #[arg(short = 'f', long = "file", required = true, action = ArgAction::Append, value_name = "FILE|DIR|-")]
    paths: Vec<PathBuf>,
    /// Read the files as tables (CSV) with one object of this kind on each line, such as device, whatever their names.
    #[arg(long, value_name = "KIND", add = ArgValueCompleter::new(complete::kinds_only))]
    kind: Option<String>,
}

/// The content of the files.
pub(crate) enum Read {
    /// The objects of manifests or tables.
    Objects(Objects),
    /// The lines of an export. They are read while they are written to the server.
    Export(Box<dyn BufRead>),
}

/// The items that could be read, and the errors for the rest.
#[derive(Default)]
pub(crate) struct Objects {
    pub(crate) items: Vec<ManifestItem>,
    pub(crate) errors: Vec<ManifestError>,
}

impl Objects {
    fn of(read: Result<Vec<ManifestItem>, Vec<ManifestError>>) -> Self {
        match read {
            Ok(items) => Self { items, errors: Vec::new() },
            Err(errors) => Self { items: Vec::new(), errors },
        }
    }

    fn add(&mut self, more: Self) {
        self.items.extend(more.items);
        self.errors.extend(more.errors);
    }
}

impl Files {
    /// Returns true if the files are tables, whose lines are objects of one kind.
    pub(super) fn are_tables(&self) -> bool {
        self.kind.is_some() || self.paths.iter().all(|path| is_table(path))
    }

    /// Returns true if more than one file is named.
    pub(super) const fn are_several(&self) -> bool {
        self.paths.len() > 1
    }

    /// Reads the files, up to the first export among them. Prints an error for invalid arguments and returns its exit
    /// code.
    pub(crate) fn read(&self, kinds: &KnownKinds) -> Result<Read, Exit> {
        if self.paths.iter().filter(|path| is_standard_input(path)).count() > 1 {
            eprintln!("error: standard input (-f -) can be read only once");
            return Err(Exit::Usage);
        }
        let kind = self.kind.as_deref().map(|kind| kinds.meant(kind)).transpose();
        let kind = kind.map_err(|reason| {
            eprintln!("error: --kind: {reason}");
            Exit::Usage
        })?;
        let mut objects = Objects::default();
        for path in &self.paths {
            let read = match kind {
                Some(kind) => Read::Objects(table(path, kind, kinds)),
                None => table_manifests_or_export(path, kinds),
            };
            match read {
                Read::Objects(more) => objects.add(more),
                export @ Read::Export(_) => return Ok(export),
            }
        }
        Ok(Read::Objects(objects))
    }
}

fn is_standard_input(path: &Path) -> bool {
    path.as_os_str() == "-"
}

fn is_table(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("csv"))
}

fn table(path: &Path, kind: &'static Description, kinds: &KnownKinds) -> Objects {
    let table = csv::read(path, kind, kinds);
    table.notes.iter().for_each(|note| eprintln!("note: {note}"));
    Objects { items: table.items, errors: table.errors }
}

/// Returns the kind that a table is named after: `devices.csv`, `ams1.devices.csv`.
fn kind_of_table(path: &Path, kinds: &KnownKinds) -> Option<&'static Description> {
    let stem = path.file_stem()?.to_str()?;
    kinds.meant(stem.rsplit('.').next()?).ok()
}

fn table_manifests_or_export(path: &Path, kinds: &KnownKinds) -> Read {
    if is_table(path) {
        return Read::Objects(match kind_of_table(path, kinds) {
            Some(kind) => table(path, kind, kinds),
            None => {
                let reason = "seems to be a table: name the kind of its lines with --kind KIND, or name the file after \
                              it, such as devices.csv";
                Objects::of(Err(vec![ManifestError::of_file(&printable(&path.to_string_lossy()), reason)]))
            }
        });
    }
    if is_standard_input(path) {
        return match stream::detect_export(io::stdin().lock()) {
            (true, lines) => Read::Export(Box::new(lines)),
            (false, text) => Read::Objects(Objects::of(manifest::read_from(STANDARD_INPUT, text, kinds))),
        };
    }
    let file = fs::metadata(path).ok().filter(|file| !file.is_dir());
    match (file, File::open(path)) {
        (Some(file), Ok(opened)) => match stream::detect_export(opened) {
            (true, lines) => Read::Export(Box::new(lines)),
            // A pipe named on the command line (`-f <(…)`) can be read only once, as standard input can.
            (false, text) if !file.is_file() => {
                Read::Objects(Objects::of(manifest::read_from(&path.to_string_lossy(), text, kinds)))
            }
            (false, _) => Read::Objects(Objects::of(manifest::read(path, kinds))),
        },
        _ => Read::Objects(Objects::of(manifest::read(path, kinds))),
    }
}
