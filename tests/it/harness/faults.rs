//! Injects disk faults: functions that replace those of the C library in the server's process, and fail on the files of
//! its database while a control file says so.

use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use super::scratch;
use super::server::{Database, Server, StartServer};

/// The write-ahead log of SQLite, to which every commit is written first.
pub const LOG: &str = "test.db-wal";

const SHIM: &str = r#"
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Whether a call on a file fails: the file of faults says "CALL ERRNO FILE PERCENT". */
static int fails(const char *call, int fd) {
    const char *faults = getenv("FAULTS");
    char text[256], link[64], path[4096], what[16], end[128];
    int number, percent;
    if (!faults) return 0;
    int file = open(faults, O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    if (length <= 0) return 0;
    text[length] = 0;
    if (sscanf(text, "%15s %d %127s %d", what, &number, end, &percent) != 4) return 0;
    if (strcmp(what, "any") && strcmp(what, call)) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t size = readlink(link, path, sizeof path - 1);
    size_t tail = strlen(end);
    if (size < (ssize_t)tail || memcmp(path + size - tail, end, tail)) return 0;
    if (random() % 100 >= percent) return 0;
    errno = number;
    return 1;
}

/* A write that fails leaves half of it behind. */
static ssize_t torn(int fd, const void *bytes, size_t count, off_t at) {
    int number = errno;
    syscall(SYS_pwrite64, fd, bytes, count / 2, at);
    errno = number;
    return -1;
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t at) {
    return fails("write", fd) ? torn(fd, bytes, count, at) : syscall(SYS_pwrite64, fd, bytes, count, at);
}
ssize_t pwrite64(int fd, const void *bytes, size_t count, off_t at) { return pwrite(fd, bytes, count, at); }
ssize_t write(int fd, const void *bytes, size_t count) {
    return fails("write", fd) ? -1 : syscall(SYS_write, fd, bytes, count);
}
int fsync(int fd) { return fails("sync", fd) ? -1 : (int)syscall(SYS_fsync, fd); }
int fdatasync(int fd) { return fails("sync", fd) ? -1 : (int)syscall(SYS_fdatasync, fd); }
"#;

/// The call that fails.
#[derive(Clone, Copy, Debug)]
pub enum Call {
    Write,
    Sync,
    Any,
}

/// The faults, and the switch for them.
pub struct Faults {
    folder: TempDir,
}

impl Faults {
    /// Starts a server on an SQLite file, without faults.
    pub fn server() -> (Self, StartServer) {
        let folder = scratch::folder("faults");
        let (source, library) = (folder.path().join("faults.c"), folder.path().join("faults.so"));
        std::fs::write(&source, SHIM).expect("write the source");
        let mut compile = Command::new("cc");
        compile.args(["-shared", "-fPIC", "-O1", "-o"]).arg(&library).arg(&source);
        let compiled = compile.status().expect("run the C compiler");
        assert!(compiled.success(), "the C compiler failed: {compiled}");
        let faults = Self { folder };
        let server = Server::start(Database::Sqlite).env("LD_PRELOAD", library).env("FAULTS", faults.file());
        (faults, server)
    }

    /// Lets a percentage of calls fail with an error, on files whose names end like this.
    pub fn on(&self, call: Call, error: libc::c_int, file: &str, percent: u32) {
        let call = match call {
            Call::Write => "write",
            Call::Sync => "sync",
            Call::Any => "any",
        };
        let next = self.folder.path().join("next");
        std::fs::write(&next, format!("{call} {error} {file} {percent}\n")).expect("write the faults");
        // The file is replaced in one step, so that no reader sees a half of it.
        std::fs::rename(next, self.file()).expect("set the faults");
    }

    /// Ends all faults.
    pub fn off(&self) {
        std::fs::remove_file(self.file()).expect("remove the faults");
    }

    fn file(&self) -> PathBuf {
        Path::new(self.folder.path()).join("on")
    }
}
