//! Programs that are run for one call.

use tokio::process::Child;

/// A program that runs in a process group of its own. Dropping this kills the group, unless the program was waited for.
pub struct Group(pub Child);

impl Drop for Group {
    fn drop(&mut self) {
        #[cfg(unix)]
        {
            use rustix::process::{Pid, Signal, kill_process_group};
            let id = self.0.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
            if let Some(id) = id {
                // The call fails only if no process of the group is left.
                let _ = kill_process_group(id, Signal::KILL);
            }
        }
    }
}
