//! The same documents are sent by POST, by GET and over a WebSocket to our server and to the reference, which is
//! async-graphql-axum over the same schema and the same inventory. The answers are equal, except where we differ on
//! purpose: each such difference is declared, is real, and has its reason in `docs/architecture/libraries.md`.

mod answers;
mod cases;
mod library;

use std::path::Path;

use answers::{Answer, Transport};
use cases::{Case, Difference};
use library::Library;

use crate::harness::{Database, Server};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn documents_are_answered_as_by_the_library_itself() {
    let (library, server) = (Library::start().await, Server::start(Database::Sqlite).await);
    library.apply(cases::inventory()).await;
    server.client().apply(cases::inventory()).await;

    let mut problems = Vec::new();
    for case in cases::all() {
        for transport in Transport::ALL {
            let ours = transport.ask(server.url(), &case).await;
            let theirs = transport.ask(library.url(), &case).await;
            problems.extend(compare(&case, transport, &ours, &theirs));
        }
    }
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
}

fn compare(case: &Case, transport: Transport, ours: &Answer, theirs: &Answer) -> Option<String> {
    let declared = case.differences.iter().find(|(of, _)| *of == transport).map(|(_, difference)| difference);
    match (declared, ours == theirs) {
        (None, true) | (Some(_), false) => None,
        (None, false) => Some(format!("{} by {transport:?}:\n  ours   {ours:?}\n  theirs {theirs:?}", case.name)),
        (Some(difference), true) => {
            Some(format!("{} by {transport:?} does not differ by {difference:?} any more: {ours:?}", case.name))
        }
    }
}

#[test]
fn each_difference_has_its_reason_in_the_page_about_libraries() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/architecture/libraries.md");
    let page = std::fs::read_to_string(path).expect("the page");
    for difference in Difference::ALL {
        assert!(page.contains(&format!("**{}**", difference.title())), "{difference:?}: {}", difference.title());
        let is_used = cases::all().iter().any(|case| case.differences.iter().any(|(_, it)| *it == difference));
        assert!(is_used, "no case shows {difference:?}");
    }
}
