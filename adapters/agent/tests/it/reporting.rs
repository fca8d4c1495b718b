//! The messages that the agent sends, and when, as a server answers.

use std::fs;

use axum::http::header::{LOCATION, RETRY_AFTER};
use underlay_testing::free_port;

use crate::driven::{Agent, Done};
use crate::played::{Call, Played, Reply};

const ACCEPTS: &str = "SERVER accepts the reports";

/// Does nothing before a report.
async fn nothing(_: usize) {}

fn done(waits: &[f64], lines: &[&str]) -> Done {
    Done { waits: waits.to_owned(), lines: lines.iter().map(|line| (*line).to_owned()).collect() }
}

/// Returns for each message of a server whether it had all facts.
fn whole(server: &Played) -> Vec<bool> {
    server.calls().iter().map(Call::is_whole).collect()
}

#[tokio::test]
async fn a_report_is_sent_as_a_whole_where_it_changed() {
    let (server, agent) = (Played::start().await, Agent::new());
    let change = async |reports: usize| {
        if reports == 2 {
            agent.change("NEW5E41AL");
        }
    };
    let did = agent.reports(&server.url, 4, change).await;
    assert_eq!(did, done(&[150.0, 100.0, 100.0, 100.0, 100.0], &[ACCEPTS]));

    assert_eq!(whole(&server), [true, false, true, false]);
    let calls = server.calls();
    let digests: Vec<String> = calls.iter().map(Call::digest).collect();
    assert!(digests[0] == digests[1] && digests[1] != digests[2] && digests[2] == digests[3], "{digests:?}");
    for call in calls {
        assert_eq!(call.head, "POST /facts application/json gzip");
        assert_eq!(call.authorization, "Bearer ul_first");
    }
}

#[tokio::test]
async fn the_path_of_the_server_is_kept() {
    let (server, agent) = (Played::start().await, Agent::new());
    agent.reports(&format!("{}/under/lay/", server.url), 1, nothing).await;
    assert!(server.calls()[0].head.starts_with("POST /under/lay/facts "));
}

#[tokio::test]
async fn facts_that_the_server_has_already_are_not_sent_again() {
    let (server, agent) = (Played::start().await, Agent::new());
    server.reply(Reply::outcome("UNCHANGED"));
    agent.reports(&server.url, 2, nothing).await;
    assert_eq!(whole(&server), [true, false]);
}

#[tokio::test]
async fn a_server_that_lost_the_facts_gets_them_at_once() {
    let (server, agent) = (Played::start().await, Agent::new());
    server.reply(Reply::outcome("STORED"));
    server.reply(Reply::outcome("SEND_ALL"));
    let did = agent.reports(&server.url, 3, nothing).await;
    assert_eq!(did, done(&[150.0, 100.0, 100.0, 100.0], &[ACCEPTS]));
    assert_eq!(whole(&server), [true, false, true, false]);
}

#[tokio::test]
async fn a_server_that_is_never_content_gets_one_whole_report_each_time() {
    let (server, agent) = (Played::start().await, Agent::new());
    server.reply(Reply::outcome("STORED"));
    for _ in 0..3 {
        server.reply(Reply::outcome("SEND_ALL"));
    }
    let did = agent.reports(&server.url, 3, nothing).await;
    let again = "SERVER asks for the whole report, which it just got";
    assert_eq!(did, done(&[150.0, 100.0, 100.0, 100.0], &[ACCEPTS, again]));
    assert_eq!(whole(&server), [true, false, true, true]);
}

#[tokio::test]
async fn a_busy_server_is_asked_when_it_wants() {
    let (server, agent) = (Played::start().await, Agent::new());
    for (status, pause) in [(429, "30"), (503, "50"), (503, "100000")] {
        server.reply(Reply::error(status, "too much").with(RETRY_AFTER, pause));
    }
    let did = agent.reports(&server.url, 4, nothing).await;
    let busy = "SERVER has no time for the report, and wants it later";
    assert_eq!(did, done(&[150.0, 33.0, 55.0, 3960.0, 100.0], &[busy, ACCEPTS]));
    assert_eq!(whole(&server), [true; 4]);
}

#[tokio::test]
async fn a_refusal_is_told_once() {
    let (server, agent) = (Played::start().await, Agent::new());
    server.reply(Reply::error(401, "the token is unknown"));
    server.reply(Reply::error(401, "the token is unknown"));
    server.reply(Reply::error(404, "the host was deleted"));
    let did = agent.reports(&server.url, 4, nothing).await;
    let lines = [
        "SERVER refuses the report with status 401: the token is unknown",
        "SERVER refuses the report with status 404: the host was deleted",
        ACCEPTS,
    ];
    assert_eq!(did, done(&[150.0, 300.0, 300.0, 300.0, 100.0], &lines));
}

#[tokio::test]
async fn each_answer_has_its_wait_and_its_line() {
    let elsewhere = Played::start().await;
    let long = format!("\u{1b}[2J{}", "very\nlong ".repeat(100));
    let shown = format!("[2J{}", "very long ".repeat(30));
    for (reply, wait, says) in [
        (Reply::error(400, "no report"), 300.0, "refuses the report with status 400: no report"),
        (Reply::error(408, "too slow"), 300.0, "refuses the report with status 408: too slow"),
        (Reply::error(413, "too large"), 300.0, "refuses the report with status 413: too large"),
        (Reply::error(429, "too much"), 300.0, "refuses the report with status 429: too much"),
        (Reply::error(400, "you are ul_first"), 300.0, "refuses the report with status 400: you are (the token)"),
        (Reply::error(400, &long), 300.0, &format!("refuses the report with status 400: {}", &shown[..300])),
        (Reply::text(403, "<html>"), 300.0, "refuses the report with status 403: Forbidden"),
        (Reply::text(404, " ".repeat(70_000)), 300.0, "refuses the report with status 404: Not Found"),
        (
            Reply::text(307, "").with(LOCATION, &elsewhere.url),
            300.0,
            "refuses the report with status 307: Temporary Redirect",
        ),
        (Reply::error(500, "a fault"), 60.0, "failed with status 500: a fault"),
        (Reply::text(502, ""), 60.0, "failed with status 502: Bad Gateway"),
        (Reply::text(503, "").with(RETRY_AFTER, "soon"), 60.0, "failed with status 503: Service Unavailable"),
        (Reply::text(200, "<html>"), 300.0, "does not answer as Underlay does: the answer is not the one to a report"),
        (
            Reply::text(200, " ".repeat(64 * 1024 + 1)),
            300.0,
            "does not answer as Underlay does: the answer is larger than 64 KiB",
        ),
    ] {
        let (server, agent) = (Played::start().await, Agent::new());
        server.reply(reply);
        let did = agent.reports(&server.url, 1, nothing).await;
        assert_eq!(did, done(&[150.0, wait], &[&format!("SERVER {says}")]));
    }
    assert!(elsewhere.calls().is_empty(), "a redirect was followed");
}

#[tokio::test]
async fn a_server_that_comes_back_gets_the_report() {
    let agent = Agent::new();
    let port = free_port();
    let mut server = None;
    let url = format!("http://127.0.0.1:{port}");
    let come_and_go = async |reports: usize| match reports {
        2 => server = Some(Played::at(port).await),
        3 => server = None,
        _ => {}
    };
    let did = agent.reports(&url, 3, come_and_go).await;
    assert_eq!(did.waits, [150.0, 60.0, 60.0, 100.0]);
    let [first, second] = &did.lines[..] else { panic!("{did:?}") };
    assert!(first.starts_with("SERVER cannot be reached: ") && first.contains("Connection refused"), "{first}");
    assert_eq!(second, ACCEPTS);
    assert_eq!(whole(&server.expect("a server")), [true]);
}

/// The clock is paused: the time for an answer is over as soon as nothing else is to be done.
#[tokio::test(start_paused = true)]
async fn a_server_that_never_answers_cannot_be_reached() {
    let agent = Agent::new();
    let silent = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}", silent.local_addr().expect("an address"));
    let did = agent.reports(&url, 2, nothing).await;
    assert_eq!(did, done(&[150.0, 60.0, 60.0], &["SERVER cannot be reached: it did not answer in time"]));
}

#[tokio::test]
async fn a_new_token_is_used_at_once() {
    let (server, agent) = (Played::start().await, Agent::new());
    let change = async |reports: usize| match reports {
        1 => agent.write_token("ul_second"),
        2 => fs::remove_file(agent.token_file()).expect("remove the token"),
        3 => agent.write_token("ul_third"),
        _ => {}
    };
    let did = agent.reports(&server.url, 4, change).await;
    let absent = format!("cannot read the token file {}: No such file", agent.token_file().display());
    let [first, second, third] = &did.lines[..] else { panic!("{did:?}") };
    assert!(first == ACCEPTS && second.starts_with(&absent) && third == ACCEPTS, "{did:?}");
    let tokens: Vec<String> = server.calls().into_iter().map(|call| call.authorization).collect();
    assert_eq!(tokens, ["Bearer ul_first", "Bearer ul_second", "Bearer ul_third"]);
}
