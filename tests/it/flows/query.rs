//! `underlay query`: runs any operation with variables; errors are printed and determine the exit code.

use super::apply::done;
use super::get::fleet;
use crate::harness::{Cli, scratch};

#[tokio::test]
async fn operations_are_sent_with_variables() {
    let server = fleet().await;
    let folder = scratch::folder("query");
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("a file");
        path.to_string_lossy().into_owned()
    };
    let rack = file(
        "rack.graphql",
        "query Rack($site: String, $name: String!) { rack(site: $site, name: $name) { heightU row } } query Other { revision }",
    );
    let variables = file("variables.json", r#"{"site": "gent-1", "name": "r02"}"#);
    let arguments = ["query", &rack, "--operation", "Rack", "--variables", &variables, "--var", "name=r01"];
    assert_eq!(done(&server.cli(arguments).await), "{\"rack\":{\"heightU\":47,\"row\":\"4\"}}\n");
    let other = server.cli(["query", &rack, "--operation", "Other"]).await;
    assert_eq!(done(&other), "{\"revision\":1}\n");
    assert_eq!(done(&server.cli(["query", "-"]).stdin("{ revision }").await), "{\"revision\":1}\n");
    let mutation = "mutation { deleteLink(id: \"00000000-0000-7000-8000-000000000000\") { revision } }";
    let refused = server.cli(["query", "-"]).stdin(mutation).await;
    assert_eq!((refused.code, refused.stdout.as_str()), (1, "{\"deleteLink\":null}\n"), "{refused:?}");
    assert!(refused.stderr.starts_with("error: deleteLink: ") && refused.stderr.contains("(NOT_FOUND)"), "{refused:?}");
}

#[tokio::test]
async fn errors_are_reported() {
    let server = fleet().await;
    for (arguments, stdin, code, expected) in [
        (&["query", "-"][..], "{ nothing }", 1, "Unknown field \"nothing\" on type \"Query\""),
        (&["query", "-"], "{", 1, "error: "),
        (&["query", "missing.graphql"], "", 1, "error: missing.graphql cannot be read: No such file"),
        (&["query", "-", "--variables", "missing.json"], "{ revision }", 1, "missing.json cannot be read"),
        (&["query", "-", "--var", "name"], "{ revision }", 2, "write NAME=JSON"),
        (&["query"], "", 2, "required arguments were not provided"),
    ] {
        let outcome = server.cli(arguments).stdin(stdin).await;
        assert_eq!((outcome.code, outcome.stdout.as_str()), (code, ""), "{arguments:?}: {outcome:?}");
        assert!(outcome.stderr.contains(expected), "{arguments:?}: {}", outcome.stderr);
    }
    assert_eq!(Cli::new(["query", "-"]).stdin("{ revision }").await.code, 3);
}
