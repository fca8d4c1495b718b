//! `backup` and `restore`: a backup is complete, whatever happens meanwhile, and no restore loses a database.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use serde_json::json;
use tempfile::TempDir;

use super::doctor::{doctor, folder, wrong};
use crate::harness::{Cli, Client, Database, Outcome, Server, Sql, until};

fn file_of(server: &Server) -> String {
    server.database_url().strip_prefix("sqlite://").expect("a file").to_owned()
}

async fn run(command: &str, backup: &str, url: &str, more: &[&str]) -> Outcome {
    Cli::new([&[command, backup, "--database", url][..], more].concat()).await
}

async fn done(command: &str, backup: &str, url: &str, more: &[&str]) -> String {
    let outcome = run(command, backup, url, more).await;
    assert_eq!(outcome.code, 0, "{outcome:?}");
    outcome.stdout
}

/// Checks that a command is rejected with this message.
async fn refused(command: &str, backup: &str, url: &str, more: &[&str], why: &str) {
    let outcome = run(command, backup, url, more).await;
    assert!(outcome.code == 1 && outcome.stderr.contains(why), "{command} {backup}: {outcome:?}");
}

async fn sound(url: &str) {
    let data = folder();
    let (code, found) = doctor(url, data.path(), &[]).await;
    assert!(code == 0 && wrong(&found).is_empty(), "{found:#?}");
}

/// The revision and the number of regions that a server has.
async fn held(client: &Client) -> (i64, i64) {
    let held = client.ok("{ revision regions(first: 1) { totalCount } }", json!({})).await;
    let number = |value: &serde_json::Value| value.as_i64().expect("a number");
    (number(&held["revision"]), number(&held["regions"]["totalCount"]))
}

async fn write(client: &Client, names: impl Iterator<Item = String>) {
    for name in names {
        client.apply_all(vec![json!({"region": {"name": name}})]).await;
    }
}

/// The length of the line at the end of a backup.
const CHECKSUM: usize = "\nunderlay-backup-1 sha256 \n".len() + 64;

fn path(folder: &TempDir, name: &str) -> String {
    folder.path().join(name).to_str().expect("a path").to_owned()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("read a folder").flatten();
    let mut names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_during_writes_is_of_one_revision() {
    let server = Server::start(Database::Sqlite).await;
    assert_eq!(server.cli(["demo"]).await.code, 0);
    let (base, regions) = held(&server.client()).await;
    let writers: Vec<_> = (0..4)
        .map(|writer| {
            let client = server.client();
            // Until it is stopped.
            tokio::spawn(async move { write(&client, (0..).map(|number| format!("w{writer}-{number}"))).await })
        })
        .collect();
    let (backups, elsewhere) = (folder(), folder());
    for number in 0..3 {
        let (before, _) = held(&server.client()).await;
        let backup = path(&backups, &format!("{number}.backup"));
        let printed = done("backup", &backup, &server.database_url(), &[]).await;
        let mode = Path::new(&backup).metadata().expect("a file").permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "what is in it is for its owner alone");
        let url = format!("sqlite://{}", path(&elsewhere, &format!("{number}/restored.db")));
        done("restore", &backup, &url, &[]).await;
        sound(&url).await;
        let sql = Sql::connect(&url).await;
        let revision = sql.number("SELECT number FROM revision").await;
        let there = sql.number("SELECT count(*) FROM region").await;
        sql.close().await;
        assert!(revision >= before && printed.starts_with(&format!("backed up revision {revision} of ")), "{printed}");
        assert_eq!(there - regions, revision - base, "each revision made one");
    }
    writers.iter().for_each(tokio::task::JoinHandle::abort);
    let (now, _) = held(&server.client()).await;
    assert!(now > base + 10, "somebody wrote meanwhile: {now}");
    assert_eq!(names(backups.path()), ["0.backup", "1.backup", "2.backup"], "nothing else is left");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_restore_keeps_the_replaced_database() {
    let mut server = Server::start(Database::Sqlite).await;
    write(&server.client(), (0..3).map(|number| format!("kept-{number}"))).await;
    let (backups, file, url) = (folder(), file_of(&server), server.database_url());
    let backup = path(&backups, "one");
    done("backup", &backup, &url, &[]).await;
    write(&server.client(), (0..4).map(|number| format!("lost-{number}"))).await;
    refused("restore", &backup, &url, &["--force"], "is served by process").await;
    server.kill();
    assert!(Path::new(&format!("{file}-wal")).metadata().is_ok_and(|log| log.len() > 0), "it is not all in the file");
    refused("restore", &backup, &url, &[], "--force replaces it and keeps it").await;
    let printed = done("restore", &backup, &url, &["--force"]).await;
    assert!(printed.starts_with("restored revision 3 of ") && printed.contains(" with 3 objects to "), "{printed}");
    let kept = printed.trim_end().rsplit(' ').next().expect("a path").to_owned();
    assert!(kept.starts_with(&format!("{file}.before-restore-")), "{printed}");
    for beside in ["-wal", "-shm"] {
        assert!(!Path::new(&format!("{file}{beside}")).exists(), "{beside} belonged to what was there");
    }
    sound(&url).await;
    server.restart().await;
    assert_eq!(held(&server.client()).await, (3, 3));
    write(&server.client(), std::iter::once("since".to_owned())).await;
    sound(&url).await;
    // The way back, by the same command.
    server.stop().await;
    done("restore", &kept, &url, &["--force"]).await;
    server.restart().await;
    assert_eq!(held(&server.client()).await, (7, 7));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn harmful_backups_and_restores_are_rejected() {
    let mut server = Server::start(Database::Sqlite).await;
    write(&server.client(), std::iter::once("one".to_owned())).await;
    let (backups, file, url) = (folder(), file_of(&server), server.database_url());
    let (backup, none) = (path(&backups, "backup"), path(&backups, "none"));
    done("backup", &backup, &url, &[]).await;
    refused("backup", &backup, &url, &[], "already exists; --force replaces it").await;
    done("backup", &backup, &url, &["--force"]).await;
    refused("backup", &file, &url, &["--force"], "is the database itself").await;
    refused("backup", &none, &format!("sqlite://{none}"), &[], "there is no database at").await;
    server.stop().await;
    let before = std::fs::read(&file).expect("read the file");
    refused("restore", &file, &url, &["--force"], "is the database itself").await;
    refused("restore", &none, &url, &["--force"], "No such file").await;
    let whole = std::fs::read(&backup).expect("read the backup");
    std::fs::write(path(&backups, "half"), &whole[..whole.len() / 2]).expect("a file");
    std::fs::write(path(&backups, "text"), "no database").expect("a file");
    for name in ["text", "half"] {
        refused("restore", &path(&backups, name), &url, &["--force"], "has no checksum at its end").await;
        refused("restore", &path(&backups, name), &url, &["--force", "--no-checksum"], "cannot be used: ").await;
    }
    std::fs::copy(&backup, path(&backups, "used")).expect("copy");
    std::fs::write(path(&backups, "used-wal"), "more").expect("a file");
    refused("restore", &path(&backups, "used"), &url, &["--force"], "is not a backup but a database in use").await;
    let newer = path(&backups, "newer");
    std::fs::write(&newer, &whole[..whole.len() - CHECKSUM]).expect("a file");
    let sql = Sql::connect(&format!("sqlite://{newer}")).await;
    sql.run("INSERT INTO seaql_migrations (version, applied_at) VALUES ('m29990101_000001_future', 1)").await;
    sql.close().await;
    let why = "does not know m29990101_000001_future";
    refused("restore", &newer, &url, &["--force", "--no-checksum"], why).await;
    assert!(std::fs::read(&file).expect("read the file") == before, "nothing was changed");
    let left = names(Path::new(&file).parent().expect("a folder"));
    assert!(left.iter().all(|name| !name.contains(".part") && !name.contains("before-restore")), "{left:?}");
    let shared = "postgres://nobody@127.0.0.1:1/none";
    refused("backup", &none, shared, &[], "pg_dump").await;
    refused("restore", &backup, shared, &["--force"], "pg_restore").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_with_a_flipped_bit_is_not_restored() {
    let server = Server::start(Database::Sqlite).await;
    write(&server.client(), (0..20).map(|number| format!("r{number}"))).await;
    let (backups, elsewhere) = (folder(), folder());
    let backup = path(&backups, "backup");
    done("backup", &backup, &server.database_url(), &[]).await;
    let whole = std::fs::read(&backup).expect("read the backup");
    let url = format!("sqlite://{}", path(&elsewhere, "restored.db"));
    // Bits of the header, of every part of the file, and of the checksum itself.
    let steps = (0..12).map(|step| step * whole.len() / 12 + step);
    for at in steps.chain([17, whole.len() - 2, whole.len() - CHECKSUM + 3]) {
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << (at % 8);
        std::fs::write(path(&backups, "flipped"), &bytes).expect("a file");
        let outcome = run("restore", &path(&backups, "flipped"), &url, &[]).await;
        assert!(outcome.code == 1 && outcome.stderr.contains("checksum"), "byte {at}: {outcome:?}");
    }
    assert!(names(elsewhere.path()).iter().all(|name| !name.contains("restored.db") || name.contains("lock")));
    // For other programs it is a database, and it can be looked at and served as it is.
    sound(&format!("sqlite://{backup}")).await;
    done("restore", &backup, &url, &[]).await;
    sound(&url).await;
}

/// It may be killed at any moment; asked to end it leaves nothing at all.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_interrupted_backup_leaves_no_file() {
    let server = Server::start(Database::Sqlite).await;
    assert_eq!(server.cli(["demo"]).await.code, 0);
    for signal in [libc::SIGKILL, libc::SIGTERM] {
        let backups = folder();
        let backup = path(&backups, "backup");
        let mut process = Cli::new(["backup", &backup, "--database", &server.database_url()]).start();
        until("the backup begins", async || {
            let parts = std::fs::read_dir(backups.path()).expect("read a folder").flatten();
            let inside = parts.filter_map(|part| std::fs::read_dir(part.path()).ok()).flatten().flatten();
            let grows = inside.into_iter().any(|entry| entry.metadata().is_ok_and(|found| found.len() > 0));
            grows || process.ended().is_some()
        })
        .await;
        if process.ended().is_none() {
            process.signal(signal);
        }
        process.end().await;
        match Path::new(&backup).exists() {
            // It was faster.
            true => sound(&format!("sqlite://{backup}")).await,
            false if signal == libc::SIGTERM => {
                assert!(names(backups.path()).is_empty(), "{:?}", names(backups.path()))
            }
            false => assert!(names(backups.path()).iter().all(|name| name.starts_with('.') && name.ends_with(".part"))),
        }
    }
}
