//! `underlay context`: names for servers, and the precedence of the ways to choose a server.

use super::apply::done;
use crate::harness::{Cli, Database, Outcome, Server, scratch};

#[tokio::test]
async fn servers_are_chosen_by_context() {
    let (one, two) = (Server::start(Database::Sqlite).await, Server::start(Database::Sqlite).await);
    two.client().apply_all(vec![serde_json::json!({"region": {"name": "two"}})]).await;
    let folder = scratch::folder("contexts");
    let file = folder.path().join("deep/contexts.toml");
    let run = async |arguments: &[&str]| -> Outcome { Cli::new(arguments).contexts(&file).await };

    let none = run(&["context", "list"]).await;
    assert_eq!((none.code, none.stdout.as_str()), (0, ""), "{none:?}");
    assert_eq!(done(&run(&["context", "show"]).await), "server  http://127.0.0.1:8080\nfrom    the default address\n");
    let made = run(&["context", "set", "one", "--server", one.url()]).await;
    assert_eq!(done(&made), format!("made one: {}; commands now talk to it\n", one.url()));
    assert_eq!(
        done(&run(&["context", "set", "two", "--server", two.url()]).await),
        format!("made two: {}\n", two.url())
    );
    assert_eq!(run(&["query", "-"]).await.code, 1, "there is a server");
    let list = run(&["context", "list"]).await;
    let first = done(&list).lines().nth(1).unwrap_or_default();
    assert!(first.starts_with("*        one") && first.ends_with(one.url()), "{list:?}");

    let regions = ["get", "regions", "-o", "name"];
    assert_eq!(Cli::new(regions).contexts(&file).await.stdout, "");
    let two_regions = "region/two\n";
    assert_eq!(Cli::new(regions).contexts(&file).env("UNDERLAY_CONTEXT", "two").await.stdout, two_regions);
    let by_flag = Cli::new(regions.iter().chain(&["--context", "two"])).contexts(&file);
    assert_eq!(by_flag.env("UNDERLAY_CONTEXT", "one").await.stdout, two_regions);
    let by_address = Cli::new(regions.iter().chain(&["--context", "one"])).contexts(&file).server(two.url());
    let by_address = by_address.await;
    let note =
        format!("note: --server and UNDERLAY_SERVER take precedence over contexts; the server is {}\n", two.url());
    assert_eq!((by_address.stdout.as_str(), by_address.stderr), (two_regions, note));

    done(&run(&["context", "use", "two"]).await);
    assert_eq!(Cli::new(regions).contexts(&file).await.stdout, two_regions);
    let deleted = run(&["context", "delete", "two"]).await;
    assert_eq!(done(&deleted), "deleted two; there is no current context now\n");
    let left = std::fs::read_to_string(&file).expect("the file");
    assert!(left.contains("[contexts.\"one\"]") && !left.contains("two"), "{left}");
}

#[tokio::test]
async fn invalid_contexts_are_reported() {
    let folder = scratch::folder("contexts");
    let file = folder.path().join("contexts.toml");
    std::fs::write(&file, "[contexts.lab]\nserver = \"http://127.0.0.1:1\"\n").expect("a file");
    for (arguments, code, expected) in [
        (&["context", "use", "labs"][..], 2, "there is no context labs; did you mean lab? Allowed: lab"),
        (&["get", "racks", "--context", "labs"], 2, "hint: `underlay context set NAME --server URL` creates one"),
        (&["context", "set", "a/b", "--server", "http://a"], 2, "the name of a context must be 1 to 63 letters"),
        (&["context", "set", "a"], 2, "--server is missing: underlay context set a --server URL"),
        (&["context", "set", "a", "--server", "ftp://a"], 2, "ftp:// is not supported"),
        (&["get", "racks", "--context", "lab"], 3, "the server http://127.0.0.1:1 cannot be reached"),
    ] {
        let outcome = Cli::new(arguments).contexts(&file).await;
        assert_eq!((outcome.code, outcome.stdout.as_str()), (code, ""), "{arguments:?}: {outcome:?}");
        assert!(outcome.stderr.contains(expected), "{arguments:?}: {}", outcome.stderr);
    }
    std::fs::write(&file, "colour = 1\n").expect("a file");
    let outcome = Cli::new(["get", "racks"]).contexts(&file).await;
    assert_eq!(outcome.code, 1, "{outcome:?}");
    assert!(
        outcome.stderr.contains("contexts.toml cannot be read: ") && outcome.stderr.contains("colour"),
        "{outcome:?}"
    );
}
