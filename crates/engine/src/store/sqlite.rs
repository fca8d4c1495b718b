//! Configures SQLite before its first use in a process.

use std::ffi::c_int;
use std::sync::Once;

use libsqlite3_sys::{SQLITE_CONFIG_MEMSTATUS, sqlite3_config};

/// Turns off SQLite's memory statistics, which nothing reads. SQLite counts memory under one lock for all connections:
/// when several of them load at once, a quarter of the time is spent waiting for that lock.
pub(super) fn prepare() {
    static PREPARED: Once = Once::new();
    const MEMSTATUS_OFF: c_int = 0;
    PREPARED.call_once(|| {
        // SAFETY: the function is called once, with the argument that this option expects. If SQLite is already in use,
        // it rejects the call, changes nothing, and continues to count.
        unsafe {
            sqlite3_config(SQLITE_CONFIG_MEMSTATUS, MEMSTATUS_OFF);
        }
    });
}
