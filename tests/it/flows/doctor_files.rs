//! `doctor` examines the files of a database: who can access them, and what is in them.

use std::path::Path;

use super::doctor::{Examined, doctor, folder, history, permit, wrong};
use crate::harness::{Server, Sql};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn files_that_others_can_access_are_named() {
    let examined = Examined::of(Server::start(crate::harness::Database::Sqlite).await).await;
    let file = examined.server.database_url().strip_prefix("sqlite://").expect("a file").to_owned();
    let (file, key) = (Path::new(&file), examined.data.path().join("token.key"));
    let look = async |code: i32, level: &str, path: &Path| {
        let (ended, found) = examined.doctor(&[]).await;
        let wrong = wrong(&found);
        assert_eq!((ended, wrong.len()), (code, 1), "{found:#?}");
        assert_eq!((wrong[0].check.as_str(), wrong[0].level.as_str()), ("files", level));
        assert!(wrong[0].advice.starts_with("chmod ") && wrong[0].advice.ends_with(path.to_str().expect("a path")));
    };
    permit(file, 0o644);
    look(0, "warning", file).await;
    permit(file, 0o666);
    look(1, "problem", file).await;
    permit(file, 0o600);
    permit(examined.data.path(), 0o755);
    look(0, "warning", examined.data.path()).await;
    permit(examined.data.path(), 0o700);
    std::fs::write(&key, "secret").expect("a key");
    permit(&key, 0o640);
    look(1, "problem", &key).await;
    permit(&key, 0o600);
    examined.sound().await;
}

/// A killed server leaves a write-ahead log beside the file. `doctor` reads it too, and does not change it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn files_of_a_killed_server_are_read_and_unchanged() {
    let mut examined = Examined::of(Server::start(crate::harness::Database::Sqlite).await).await;
    let file = examined.server.database_url().strip_prefix("sqlite://").expect("a file").to_owned();
    examined.server.kill();
    let bytes = || [file.clone(), format!("{file}-wal")].map(|path| std::fs::read(path).expect("a file"));
    let before = bytes();
    assert!(!before[1].is_empty(), "something was not yet moved");
    examined.sound().await;
    assert!(bytes() == before, "doctor writes nothing");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn damaged_and_foreign_files_are_named() {
    let mut server = Server::start(crate::harness::Database::Sqlite).await;
    history(&server.client()).await;
    server.stop().await;
    let (data, url) = (folder(), server.database_url());
    let file = url.strip_prefix("sqlite://").expect("a file").to_owned();
    let mut bytes = std::fs::read(&file).expect("read the file");
    let sql = Sql::connect(&url).await;
    let root = sql.number("SELECT rootpage FROM sqlite_master WHERE name = 'region'").await;
    sql.close().await;
    let page = 4096 * (usize::try_from(root).expect("a page") - 1);
    bytes[page..page + 4096].fill(0x5a);
    std::fs::write(&file, &bytes).expect("write the file");
    let (code, found) = doctor(&url, data.path(), &[]).await;
    assert_eq!(code, 1);
    assert!(wrong(&found).iter().any(|it| it.check == "integrity" && it.level == "problem"), "{found:#?}");

    let (code, found) = doctor(&format!("sqlite://{file}.none"), data.path(), &[]).await;
    assert!(code == 1 && found[0].message.starts_with("there is no database at "), "{found:#?}");
    assert!(!Path::new(&format!("{file}.none")).exists(), "it is not made");
    let other = data.path().join("other.db");
    Sql::connect(&format!("sqlite://{}?mode=rwc", other.display())).await.run("CREATE TABLE t (x)").await;
    permit(&other, 0o600);
    let (code, found) = doctor(&format!("sqlite://{}", other.display()), data.path(), &[]).await;
    assert_eq!((code, wrong(&found)[0].check.as_str()), (1, "migrations"), "{found:#?}");
    let (code, found) = doctor("postgres://nobody@127.0.0.1:1/none", data.path(), &[]).await;
    assert_eq!((code, wrong(&found)[0].check.as_str()), (1, "database"), "{found:#?}");
}
