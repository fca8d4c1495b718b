//! A PostgreSQL server for the tests, with one database for each test.
//!
//! Many test processes can share a server: the example `test-postgres` of this crate runs it, and
//! [`SERVER_VARIABLE`] names it. Without the variable, each test process starts a server of its own on first use.
//!
//! It runs the installed binaries. `initdb` takes a second, so its result is kept in the target folder and copied.
//! Durability is off, because the tests kill our program and never this server. The load program turns it on, because
//! there it is part of the measurement.

mod programs;

use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use sea_orm::{ConnectOptions, ConnectionTrait};
use tempfile::TempDir;

use self::programs::{Binaries, Owner};
use crate::{HANG, free_port, process, scratch};

const INITDB: [&str; 8] = ["-A", "trust", "-U", "postgres", "--no-sync", "-E", "UTF8", "--locale=C.UTF-8"];
const SETTINGS: [&str; 3] = [
    "listen_addresses=127.0.0.1",
    // The path of a socket must be short, which nobody can promise of a temporary folder; so there is none.
    "unix_socket_directories=",
    // A server under test holds a handful, and there are as many tests at a time as there are cores.
    "max_connections=400",
];
const FORGETFUL: [&str; 3] = ["fsync=off", "full_page_writes=off", "synchronous_commit=off"];

/// The committed data that survives a crash of the machine.
#[derive(Clone, Copy, Debug)]
pub enum Durability {
    /// Everything, as PostgreSQL does it by itself.
    Full,
    /// Nothing that can be relied on.
    None,
}

impl Durability {
    fn settings(self) -> &'static [&'static str] {
        match self {
            Self::Full => &[],
            Self::None => &FORGETFUL,
        }
    }
}

/// The environment variable with the URL of a server for all test processes, without a database at its end.
pub const SERVER_VARIABLE: &str = "UNDERLAY_TEST_POSTGRES";

/// The server of this process, if no other one is named.
static SHARED: OnceLock<Postgres> = OnceLock::new();

/// Creates an empty database on the shared server. Returns its URL.
pub async fn create_database() -> String {
    if let Ok(server) = std::env::var(SERVER_VARIABLE) {
        return create_at(&server).await;
    }
    let shared = tokio::task::spawn_blocking(|| {
        SHARED.get_or_init(|| {
            let started = Postgres::start();
            // The folder's own removal at exit was registered before this, and `exit` goes backwards: the server has
            // stopped when its folder goes.
            // SAFETY: a function without arguments that does not unwind.
            unsafe { libc::atexit(stop_shared) };
            started
        })
    });
    shared.await.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic())).create_database().await
}

/// Drops a database of `create_database`. Only tests that create many need it: an empty database takes 8 MB, and all of
/// them are removed at the end.
pub async fn drop_database(url: &str) {
    let (server, name) = url.rsplit_once('/').expect("a URL");
    execute(&format!("{server}/postgres"), &format!("DROP DATABASE {name} WITH (FORCE)")).await;
}

async fn create_at(server: &str) -> String {
    let name = new_name();
    // The template is template0, because nobody can connect to it; a connection would make the copy fail.
    execute(&format!("{server}/postgres"), &format!("CREATE DATABASE {name} TEMPLATE template0")).await;
    format!("{server}/{name}")
}

/// Returns a name that no other database has, also of no other test process. The number of a process comes again.
fn new_name() -> String {
    static DATABASES: AtomicU32 = AtomicU32::new(0);
    let since = SystemTime::now().duration_since(UNIX_EPOCH).expect("a clock after 1970");
    let (process, number) = (std::process::id(), DATABASES.fetch_add(1, Ordering::Relaxed));
    format!("test_{}_{process}_{number}", since.as_nanos())
}

/// Each statement has its own connection, because a kept one would belong to the runtime of the test that created it.
async fn execute(url: &str, statement: &str) {
    let mut options = ConnectOptions::new(url);
    options.max_connections(1).sqlx_logging(false);
    let connection = sea_orm::Database::connect(options).await.expect("connect to PostgreSQL");
    connection.execute_unprepared(statement).await.unwrap_or_else(|error| panic!("{statement}: {error}"));
    connection.close().await.expect("close a connection");
}

/// Called by `exit`, because statics are never dropped.
extern "C" fn stop_shared() {
    if let Some(shared) = SHARED.get() {
        shared.stop();
    }
}

/// A running PostgreSQL server, stopped when dropped.
pub struct Postgres {
    server: Mutex<Child>,
    port: u16,
    durability: Durability,
    /// Removed when this value is dropped.
    folder: TempDir,
}

impl Postgres {
    /// Starts a server for one test alone, which can stop or freeze it.
    pub fn start() -> Self {
        Self::start_with(Durability::None)
    }

    /// Starts such a server with a given durability.
    pub fn start_with(durability: Durability) -> Self {
        let binaries = Binaries::find();
        let folder = scratch::folder("postgres");
        let data = folder.path().join("data");
        binaries.owner.give(folder.path());
        initialise(&binaries, &data);
        let log = folder.path().join("log");

        // Another program can take the free port before the server does; then the start is repeated.
        let mut port_taken = String::new();
        for _ in 0..5 {
            let port = free_port();
            match run(&binaries, &data, &log, port, durability) {
                Ok(child) => {
                    return Self { server: Mutex::new(child), port, durability, folder };
                }
                Err(log_text) if log_text.contains("could not bind") => port_taken = log_text,
                Err(log_text) => panic!("PostgreSQL does not start:\n{log_text}"),
            }
        }
        panic!("PostgreSQL finds no free port:\n{port_taken}");
    }

    /// Returns true if a server can be started.
    pub fn is_installed() -> bool {
        Binaries::folder().is_some()
    }

    /// Creates an empty database. Returns its URL.
    pub async fn create_database(&self) -> String {
        create_at(&self.server_url()).await
    }

    /// Returns the URL of the server, without a database at its end.
    pub fn server_url(&self) -> String {
        format!("postgres://postgres@127.0.0.1:{}", self.port)
    }

    /// Returns the URL of a database.
    pub fn url(&self, database: &str) -> String {
        format!("{}/{database}", self.server_url())
    }

    /// Runs the maintenance at once that the server would run at an unknown time after a large write: vacuum and
    /// analyze.
    pub async fn settle(&self, url: &str) {
        let database = url.rsplit('/').next().expect("a URL");
        execute(&self.url(database), "VACUUM (ANALYZE)").await;
        execute(&self.url(database), "CHECKPOINT").await;
    }

    /// Creates a database with the content of another one, to which nobody may be connected. Returns its URL.
    pub async fn copy_database(&self, url: &str) -> String {
        let name = new_name();
        let original = url.rsplit('/').next().expect("a URL");
        self.administer(&format!("CREATE DATABASE {name} TEMPLATE {original}")).await;
        // The copied pages are written now, so that they are not written during a measurement.
        self.administer("CHECKPOINT").await;
        self.url(&name)
    }

    /// Replaces a database by a copy, as a restore does. All connections to it are closed.
    pub async fn restore(&self, url: &str, backup: &str) {
        let [original, backup] = [url, backup].map(|url| url.rsplit('/').next().expect("a URL"));
        self.disconnect(url).await;
        self.administer(&format!("ALTER DATABASE {original} RENAME TO {original}_lost")).await;
        self.administer(&format!("ALTER DATABASE {backup} RENAME TO {original}")).await;
    }

    /// Closes all connections to a database.
    pub async fn disconnect(&self, url: &str) {
        let database = url.rsplit('/').next().expect("a URL");
        // With a time to wait, it returns when they are gone.
        let end = format!("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '{database}'");
        self.administer(&end).await;
    }

    async fn administer(&self, statement: &str) {
        execute(&self.url("postgres"), statement).await;
    }

    /// Stops the server and closes all connections, until `start_again`. Committed data is not lost.
    pub fn stop_now(&self) {
        let mut server = self.server.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: a plain system call; the child is not reaped yet, so the id is still its own.
        unsafe { libc::kill(process::raw(server.id()), libc::SIGINT) };
        server.wait().expect("wait for a child");
    }

    /// Copies the data of a stopped server into a folder that does not exist yet, as a snapshot of its disk does.
    pub fn copy_data(&self, to: &Path) {
        copy(&self.data(), to, &Owner::Ourselves);
    }

    /// Replaces the data of a stopped server by such a copy.
    pub fn replace_data(&self, copied: &Path) {
        fs::remove_dir_all(self.data()).expect("remove the data");
        copy(copied, &self.data(), &Binaries::find().owner);
    }

    /// Has a stopped server begin another timeline when it starts again, as a standby does that is promoted. It loses
    /// nothing.
    pub fn promote(&self) {
        let (owner, data) = (Binaries::find().owner, self.data());
        let settings = data.join("postgresql.auto.conf");
        let before = fs::read_to_string(&settings).expect("read the settings");
        fs::write(&settings, format!("{before}restore_command = 'false'\n")).expect("write the settings");
        let signal = data.join("recovery.signal");
        fs::write(&signal, "").expect("write the signal");
        owner.give(&signal);
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// Starts the server again, on the same data and port.
    pub fn start_again(&self) {
        let folder = self.folder.path();
        let started = run(&Binaries::find(), &folder.join("data"), &folder.join("log"), self.port, self.durability);
        let child = started.unwrap_or_else(|log_text| panic!("PostgreSQL does not start again:\n{log_text}"));
        *self.server.lock().unwrap_or_else(PoisonError::into_inner) = child;
    }

    /// Stops the server at once. Must not panic, because it also runs while the process exits.
    fn stop(&self) {
        let mut server = self.server.lock().unwrap_or_else(PoisonError::into_inner);
        if !matches!(server.try_wait(), Ok(None)) {
            return;
        }
        let pid = process::raw(server.id());
        // SAFETY: plain system calls; the child is not reaped yet, so the id is still its own.
        unsafe {
            // Immediate shutdown: what is in memory is not wanted.
            libc::kill(pid, libc::SIGQUIT);
            // A frozen process would not receive the signal.
            libc::kill(pid, libc::SIGCONT);
        }
        let _ = server.wait();
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        self.stop();
        if thread::panicking() {
            let log = fs::read_to_string(self.folder.path().join("log")).unwrap_or_default();
            eprintln!("--- log of PostgreSQL at {}:\n{log}", self.server_url());
        }
    }
}

/// Starts the server and waits until it answers. An error contains the output of a server that ended instead.
fn run(binaries: &Binaries, data: &Path, log: &Path, port: u16, durability: Durability) -> Result<Child, String> {
    let output = File::create(log).expect("make a log file");
    let mut command = binaries.command("postgres");
    command.arg("-D").arg(data).args(["-p", &port.to_string()]);
    command.args(SETTINGS.iter().chain(durability.settings()).flat_map(|setting| ["-c", setting]));
    // A file, not a pipe: nobody has to read it, and nextest would wait for a pipe of its own to be closed.
    command.stdin(Stdio::null()).stdout(output.try_clone().expect("a file")).stderr(output);
    let mut child = process::spawn(command, libc::SIGQUIT).expect("start postgres");

    let log_text = || fs::read_to_string(log).unwrap_or_default();
    let deadline = Instant::now() + HANG;
    while !ready(data) {
        if child.try_wait().expect("wait for a child").is_some() {
            return Err(log_text());
        }
        if Instant::now() >= deadline {
            let _ = child.kill();
            let _ = child.wait();
            return Err(format!("not ready after {} s\n{}", HANG.as_secs(), log_text()));
        }
        thread::sleep(Duration::from_millis(10));
    }
    Ok(child)
}

/// The eighth line of this file says how far it is; `pg_ctl` looks there too.
fn ready(data: &Path) -> bool {
    fs::read_to_string(data.join("postmaster.pid"))
        .is_ok_and(|lines| lines.lines().nth(7).is_some_and(|state| state.trim() == "ready"))
}

/// Fills the data folder from the template, or creates the template.
fn initialise(binaries: &Binaries, data: &Path) {
    let store = template_folder();
    fs::create_dir_all(&store).expect("make the folder for temporary files");
    let template = store.join(binaries.template_name(&INITDB));

    // Other test processes can be here at the same time. The lock is released with the file at the end of this
    // function.
    let lock = File::create(template.with_extension("lock")).expect("make a lock file");
    lock.lock().expect("lock a file");
    if template.exists() {
        // The template never changes, so all processes can copy it concurrently.
        lock.unlock().expect("unlock a file");
        copy(&template, data, &binaries.owner);
        return;
    }
    let mut initdb = binaries.command("initdb");
    initdb.arg("-D").arg(data).args(INITDB).stdin(Stdio::null());
    initdb.stdout(Stdio::piped()).stderr(Stdio::piped());
    let output = process::spawn(initdb, libc::SIGKILL).and_then(|child| child.wait_with_output()).expect("run initdb");
    assert!(
        output.status.success(),
        "initdb: {}\n{}{}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    // Renamed when complete, so that a run killed here leaves no half template.
    let partial = template.with_extension("partial");
    if partial.exists() {
        fs::remove_dir_all(&partial).expect("remove a half template");
    }
    copy(data, &partial, &Owner::Ourselves);
    fs::rename(&partial, &template).expect("rename the template");
}

/// Returns the folder for temporary files in the target folder, where this program was built.
fn template_folder() -> PathBuf {
    let program = std::env::current_exe().expect("the path of this program");
    // Cargo puts this file into every target folder.
    let target = program.ancestors().find(|folder| folder.join("CACHEDIR.TAG").exists());
    target.map_or_else(std::env::temp_dir, |target| target.join("tmp"))
}

fn copy(from: &Path, to: &Path, owner: &Owner) {
    fs::create_dir(to).expect("make a folder");
    // PostgreSQL rejects a data folder that other users can access.
    fs::set_permissions(to, fs::Permissions::from_mode(0o700)).expect("set permissions");
    owner.give(to);
    for entry in fs::read_dir(from).expect("read a folder") {
        let entry = entry.expect("read a folder");
        let target = to.join(entry.file_name());
        if entry.file_type().expect("a file type").is_dir() {
            copy(&entry.path(), &target, owner);
        } else {
            fs::copy(entry.path(), &target).expect("copy a file");
            owner.give(&target);
        }
    }
}
