//! The first file system of a virtual machine: programs with their libraries, and the modules of the kernel.

use std::collections::BTreeSet;
use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use underlay_testing::process::without_variables;

/// The modules that the virtual machine needs, if its kernel does not have them built in.
const MODULES: [&str; 6] = ["virtio_pci", "virtio_net", "virtio_scsi", "megaraid_sas", "sd_mod", "nvme"];
/// The first program. It runs each line that comes over the second serial port, and ends its output with [`END`].
const INIT: &str = include_str!("init.sh");
/// The line after the output of a command, and after the start.
pub const END: &str = "--- end of the output";

/// The place of `smartctl`, at which the agent does not find it.
pub const SMARTCTL: &str = "opt/smartctl";

/// The kind of a file and its rights, as the kernel's table of formats has them.
const FOLDER: u32 = 0o040_755;
const PROGRAM: u32 = 0o100_755;

/// The unpacked packages with a kernel and with `smartctl`.
pub struct Guest {
    folder: PathBuf,
    version: String,
}

impl Guest {
    /// Finds what `.ci/task guest` unpacks beside what is built.
    pub fn unpacked() -> Self {
        let program = Path::new(env!("CARGO_BIN_EXE_underlay-agent"));
        let target = program.ancestors().nth(2).expect("the folder of what is built");
        let folder = target.join("peers/guest");
        let versions = fs::read_dir(folder.join("lib/modules")).unwrap_or_else(|error| {
            panic!("{}: {error}; .ci/task guest unpacks what is needed there", folder.display())
        });
        let version = versions.flatten().next().expect("the modules of a kernel").file_name();
        Self { folder, version: version.into_string().expect("text") }
    }

    /// Returns the file of the kernel itself.
    pub fn image(&self) -> PathBuf {
        self.folder.join("boot").join(format!("vmlinuz-{}", self.version))
    }

    /// Returns the paths of the modules and of all that they need, within the folder of modules.
    fn modules(&self) -> BTreeSet<String> {
        let list = fs::read_to_string(self.folder.join(self.place_of("modules.dep"))).expect("modules.dep");
        let lines: Vec<(&str, &str)> = list.lines().filter_map(|line| line.split_once(':')).collect();
        let is_wanted = |path: &str| {
            let name = path.rsplit('/').next().and_then(|name| name.split('.').next());
            name.is_some_and(|name| MODULES.contains(&name.replace('-', "_").as_str()))
        };
        let wanted = lines.into_iter().filter(|(path, _)| is_wanted(path));
        wanted.flat_map(|(path, needs)| needs.split_whitespace().chain([path])).map(str::to_owned).collect()
    }

    fn place_of(&self, file: &str) -> String {
        format!("lib/modules/{}/{file}", self.version)
    }
}

/// Writes the file system to a file.
pub fn write(guest: &Guest, file: &Path) {
    let mut archive = Archive::default();
    archive.add("init", PROGRAM, INIT.replace("@END@", END).replace("@MODULES@", &MODULES.join(" ")).as_bytes());
    add_program(&mut archive, "bin/busybox", &in_path("busybox"));
    add_program(&mut archive, "bin/underlay-agent", Path::new(env!("CARGO_BIN_EXE_underlay-agent")));
    add_program(&mut archive, SMARTCTL, &guest.folder.join("usr/sbin/smartctl"));

    let lists = ["modules.dep", "modules.builtin"].map(str::to_owned);
    for name in guest.modules().into_iter().chain(lists) {
        let place = guest.place_of(&name);
        archive.add_copy(&place, &guest.folder.join(&place));
    }
    fs::write(file, archive.finish()).expect("write a file system");
}

/// Adds a program, and the libraries that it is linked with.
fn add_program(archive: &mut Archive, place: &str, program: &Path) {
    archive.add_copy(place, program);
    // A program without libraries is none for it.
    let output = without_variables(Command::new("ldd")).arg(program).output().expect("ldd runs");
    let text = String::from_utf8(output.stdout).expect("text");
    for library in text.split_whitespace().filter(|word| word.starts_with('/')) {
        archive.add_copy(library.trim_start_matches('/'), Path::new(library));
    }
}

/// Returns where an installed program is.
fn in_path(name: &str) -> PathBuf {
    let folders = env::var_os("PATH").expect("PATH");
    let mut found = env::split_paths(&folders).map(|folder| folder.join(name)).filter(|path| path.is_file());
    found.next().unwrap_or_else(|| panic!("{name} is not installed"))
}

/// An archive in the format of cpio that the kernel unpacks, `newc`.
#[derive(Default)]
struct Archive {
    bytes: Vec<u8>,
    names: BTreeSet<String>,
}

impl Archive {
    fn add_copy(&mut self, name: &str, from: &Path) {
        let contents = fs::read(from).unwrap_or_else(|error| panic!("{}: {error}", from.display()));
        self.add(name, PROGRAM, &contents);
    }

    /// Adds a file and the folders above it, unless it is there.
    fn add(&mut self, name: &str, mode: u32, contents: &[u8]) {
        if let Some((folder, _)) = name.rsplit_once('/') {
            self.add(folder, FOLDER, &[]);
        }
        if self.names.insert(name.to_owned()) {
            self.entry(name, mode, contents);
        }
    }

    fn entry(&mut self, name: &str, mode: u32, contents: &[u8]) {
        let size = u32::try_from(contents.len()).expect("a file that is not so large");
        let length = u32::try_from(name.len() + 1).expect("a short name");
        let number = u32::try_from(self.names.len()).expect("few files");
        // The number, the mode, the owner and group, the links, the time, the size, four numbers of devices, the length
        // of the name, and a sum that is not used.
        let fields = [number, mode, 0, 0, 1, 0, size, 0, 0, 0, 0, length, 0];

        let mut head = "070701".to_owned();
        fields.iter().for_each(|field| write!(head, "{field:08x}").expect("write to a text"));
        self.bytes.extend(head.as_bytes());
        self.bytes.extend(name.as_bytes());
        self.bytes.push(0);
        self.pad();
        self.bytes.extend(contents);
        self.pad();
    }

    fn pad(&mut self) {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
    }

    fn finish(mut self) -> Vec<u8> {
        self.entry("TRAILER!!!", 0, &[]);
        self.bytes
    }
}
