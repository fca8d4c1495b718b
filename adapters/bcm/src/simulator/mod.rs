//! A small BCM for trials and tests: the calls that a synchronizer makes, with their quirks.
//!
//! As the real one, it reports errors with the status 200, ignores ids within arguments, answers `null` for a device
//! that it does not have, knows callers by their client certificates, and lists devices of all types together. It fails
//! on request. Its certificates are made when it starts and are of no use elsewhere.

mod calls;
mod certificates;
mod fault;
mod fleet;
mod listener;

use std::collections::BTreeMap;
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use thiserror::Error;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

pub use self::certificates::Files;
pub use self::fault::Fault;
pub use self::fleet::Fleet;

use self::certificates::Certificates;
use self::listener::TlsListener;

/// The reason why a simulator cannot start.
#[derive(Debug, Error)]
pub enum SimulatorError {
    /// Nobody can listen at the address.
    #[error("cannot listen at {at}: {reason}")]
    Listen {
        /// The address.
        at: SocketAddr,
        /// The reason, as the operating system names it.
        reason: io::Error,
    },
    /// A certificate cannot be made.
    #[error("the certificates of the simulator cannot be made: {reason}")]
    Certificates {
        /// The reason that the library gives.
        reason: String,
    },
    /// A file cannot be written.
    #[error("{} cannot be written: {reason}", .file.display())]
    Write {
        /// The path of the certificate or key.
        file: PathBuf,
        /// The reason, as the operating system names it.
        reason: io::Error,
    },
}

/// The state of a simulator.
#[derive(Debug)]
struct Data {
    fleet: Fleet,
    version: String,
    /// The faults by the name of the call, such as `getDevices`.
    faults: BTreeMap<String, Fault>,
    /// The number of calls by their names.
    calls: BTreeMap<String, usize>,
}

/// A simulator, which answers until it is dropped.
#[derive(Debug)]
pub struct Simulator {
    data: Arc<Mutex<Data>>,
    task: JoinHandle<()>,
    url: String,
    files: Files,
}

impl Drop for Simulator {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Simulator {
    /// Starts a simulator at an address, whose port may be 0, and writes its certificates into a folder. Must be called
    /// within a runtime.
    ///
    /// # Errors
    /// Returns an error if it cannot listen there, or the folder cannot be written to.
    pub async fn start(at: SocketAddr, folder: &Path, fleet: Fleet) -> Result<Self, SimulatorError> {
        let listen = |reason| SimulatorError::Listen { at, reason };
        let listener = TcpListener::bind(at).await.map_err(listen)?;
        let address = listener.local_addr().map_err(listen)?;
        let certificates = Certificates::new(address.ip())
            .map_err(|error| SimulatorError::Certificates { reason: error.to_string() })?;
        let files = certificates.write(folder)?;
        let listener = TlsListener::new(listener, address, certificates.server()?);
        let (faults, calls) = (BTreeMap::new(), BTreeMap::new());
        let data = Arc::new(Mutex::new(Data { fleet, version: "11.0".to_owned(), faults, calls }));
        let routes = calls::routes(Arc::clone(&data)).into_make_service_with_connect_info::<listener::Caller>();
        let task = tokio::spawn(async move { drop(axum::serve(listener, routes).await) });
        Ok(Self { data, task, url: format!("https://{address}"), files })
    }

    /// Returns the address, such as `https://127.0.0.1:8081`.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Returns the files with which a client connects.
    pub const fn files(&self) -> &Files {
        &self.files
    }

    /// Changes what the simulator has.
    pub fn change(&self, change: impl FnOnce(&mut Fleet)) {
        change(&mut self.data().fleet);
    }

    /// Sets the version that the simulator reports.
    pub fn set_version(&self, version: &str) {
        version.clone_into(&mut self.data().version);
    }

    /// Lets a call fail from now on, such as `getDevices`.
    pub fn fail(&self, call: &str, fault: Fault) {
        self.data().faults.insert(call.to_owned(), fault);
    }

    /// Ends all faults.
    pub fn heal(&self) {
        self.data().faults.clear();
    }

    /// Returns how often a call was made.
    pub fn calls(&self, call: &str) -> usize {
        self.data().calls.get(call).copied().unwrap_or_default()
    }

    fn data(&self) -> MutexGuard<'_, Data> {
        lock(&self.data)
    }
}

fn lock(data: &Mutex<Data>) -> MutexGuard<'_, Data> {
    data.lock().unwrap_or_else(PoisonError::into_inner)
}
