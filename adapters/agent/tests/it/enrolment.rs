//! The enrolment of the agent, as a server answers.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::PathBuf;

use underlay_agent::{AgentError, Enroller, Root, ServerAddress, TokenFile, report};
use underlay_facts::EnrolAnswer;
use underlay_testing::{HANG, free_port};

use crate::driven::Agent;
use crate::played::{Played, Reply};

/// A machine that wants to be enrolled. Its token of an enrolment is `ul_first`.
struct Machine {
    agent: Agent,
    own: PathBuf,
}

impl Machine {
    fn new() -> Self {
        let agent = Agent::new();
        let own = agent.token_file().with_file_name("own");
        Self { agent, own }
    }

    async fn enrol(&self, url: &str) -> Result<EnrolAnswer, AgentError> {
        let enrolment = TokenFile::new(self.agent.token_file());
        let server = ServerAddress::parse(url).expect("an address");
        let enroller = Enroller::new(server, enrolment, self.own.clone(), None).expect("an enroller");
        enroller.enrol(report(&Root::tree(self.agent.machine.path()).expect("a tree"), HANG)).await
    }

    fn token(&self) -> Option<String> {
        fs::read_to_string(&self.own).ok().map(|text| text.trim().to_owned())
    }
}

#[tokio::test]
async fn the_token_that_is_enrolled_is_in_the_file_of_its_owner() {
    let (server, machine) = (Played::start().await, Machine::new());
    let answer = machine.enrol(&format!("{}/under/lay", server.url)).await.expect("enrolled");
    assert_eq!(answer.host.name, "gpu-7");
    let token = machine.token().expect("a token");
    assert_eq!(fs::metadata(&machine.own).expect("a file").mode() & 0o777, 0o600);
    let (authorization, request) = server.enrolments().remove(0);
    assert_eq!((authorization.as_str(), &request.token), ("Bearer ul_first", &token));
    assert!(request.report.sections.system.is_some());

    // Once more is the same request.
    machine.enrol(&server.url).await.expect("enrolled");
    assert_eq!(server.enrolments()[1].1.token, token);
}

#[tokio::test]
async fn a_lost_answer_costs_nothing_and_a_refusal_leaves_nothing() {
    let (server, machine) = (Played::start().await, Machine::new());
    let away = machine.enrol(&format!("http://127.0.0.1:{}", free_port())).await.expect_err("nobody is there");
    assert!(matches!(away, AgentError::Unreachable { .. }), "{away}");
    let token = machine.token().expect("it is kept: the server may know it");
    for reply in [Reply::error(503, "later"), Reply::text(200, "?")] {
        server.reply(reply);
        machine.enrol(&server.url).await.expect_err("no answer");
        assert_eq!(machine.token().as_ref(), Some(&token));
    }

    // The file is older than this try: somebody may have put it there.
    server.reply(Reply::error(409, "no"));
    machine.enrol(&server.url).await.expect_err("refused");
    assert_eq!(machine.token().as_ref(), Some(&token));
    assert!(server.enrolments().iter().all(|(_, request)| request.token == token));

    let other = Machine::new();
    server.reply(Reply::error(409, "this machine can be any of the hosts a, b"));
    let refused = other.enrol(&server.url).await.expect_err("refused").to_string();
    assert!(refused.contains("any of the hosts a, b"), "{refused}");
    assert_eq!(other.token(), None);
}

#[tokio::test]
async fn no_token_is_shown_in_a_refusal() {
    let (server, machine) = (Played::start().await, Machine::new());
    fs::write(&machine.own, "underlay-agent-1-5ec4e7").expect("write a file");
    let refused = machine.enrol(&server.url).await.expect_err("others may read it").to_string();
    assert!(refused.contains("others than its owner") && server.enrolments().is_empty(), "{refused}");

    let machine = Machine::new();
    machine.enrol(&server.url).await.expect("enrolled");
    let token = machine.token().expect("a token");
    server.reply(Reply::error(400, &format!("{token} and ul_first are bad")));
    let refused = machine.enrol(&server.url).await.expect_err("refused").to_string();
    assert!(refused.contains("(the token) and (the token) are bad"), "{refused}");
}
