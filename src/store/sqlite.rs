//! What SQLite is told before it is first used in a process.

use std::ffi::c_int;
use std::sync::Once;

use libsqlite3_sys::{SQLITE_CONFIG_MEMSTATUS, sqlite3_config};

/// Lets SQLite not count the memory that it takes, which nobody asks it for: it counts under one lock for all
/// connections, and with several of them loading at once a quarter of the time goes into waiting for that.
pub(super) fn prepare() {
    static PREPARED: Once = Once::new();
    const COUNT: c_int = 0;
    PREPARED.call_once(|| {
        // SAFETY: it is called once, with the argument that this option has; where SQLite is in use already, it refuses
        // and changes nothing, and goes on counting.
        unsafe {
            sqlite3_config(SQLITE_CONFIG_MEMSTATUS, COUNT);
        }
    });
}
