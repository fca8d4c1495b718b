//! What `underlay serve` does before it serves.

use crate::harness::{Cli, scratch};

/// Until there is authentication, nobody but this machine may reach it.
#[tokio::test]
async fn it_listens_on_loopback_only() {
    let folder = scratch::folder("loopback");
    let data = folder.path().to_str().unwrap();
    let refused = Cli::new(["serve", "--listen", "0.0.0.0:0", "--data-dir", data]).await;
    assert_eq!(refused.code, 1, "{}", refused.stderr);
    assert!(refused.stderr.contains("0.0.0.0:0 is not a loopback address"), "{}", refused.stderr);
    assert_eq!(refused.stdout, "", "it never was ready");
    assert!(!folder.path().join("underlay.db").exists(), "nothing was made");
}

/// A URL of no known form is refused with the forms that are.
#[tokio::test]
async fn a_database_it_does_not_know_is_refused() {
    let refused = Cli::new(["serve", "--database", "mysql://root:secret@localhost/db"]).await;
    assert_eq!(refused.code, 2, "{}", refused.stderr);
    assert!(refused.stderr.contains("use sqlite:///path/to/file or postgres://"), "{}", refused.stderr);
}
