//! Tables of what each duty decides, for every provision state of Ironic.

mod order;
mod safety;
mod upkeep;

use underlay_hosts::host::Host;
use underlay_hosts::life::Duty;
use underlay_hosts::provisioner::Call;

use super::at::STATES;
use super::{Act, Next, View, decide};
use crate::client::Node;

/// Returns a decision as the tables write it.
pub fn text_of(next: &Next) -> String {
    match next {
        Next::Act(Act::Verb(verb)) => format!("order {}", verb.verb()),
        Next::Act(act) => format!("{act:?}").to_lowercase(),
        Next::Wait => "wait".to_owned(),
        Next::Later(_) => "later".to_owned(),
        Next::Done => "done".to_owned(),
        Next::Failed(kind, _) => format!("fail {}", kind.reason()),
        Next::Unknown => "unknown".to_owned(),
    }
}

/// A duty, with what is known but for the node.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    pub duty: Duty,
    pub host: &'a Host,
    pub call: Call,
    pub is_fresh: bool,
}

impl<'a> Request<'a> {
    /// A duty that begins, after the settings of the node were brought up to date.
    pub const fn begin(duty: Duty, host: &'a Host) -> Self {
        Self { duty, host, call: Call::Begin, is_fresh: true }
    }

    /// A duty that goes on.
    pub const fn go_on(duty: Duty, host: &'a Host) -> Self {
        Self { duty, host, call: Call::Continue, is_fresh: false }
    }

    /// Decides for a node.
    pub fn decide(&self, node: Option<&Node>) -> Next {
        let Self { duty, host, call, is_fresh } = *self;
        decide(duty, &View { node, host, order: host.order_key(), call, is_fresh })
    }
}

/// Checks the decisions for nodes in all provision states. The table has those states that differ from `rest`.
pub fn check(request: Request<'_>, node: impl Fn(&str) -> Node, rest: &str, table: &[(&[&str], &str)]) {
    let known = |state: &str| STATES.iter().any(|(name, _)| *name == state);
    let listed: Vec<&str> = table.iter().flat_map(|(states, _)| states.iter().copied()).collect();
    assert!(listed.iter().all(|state| known(state)), "{listed:?} has a state that there is not");
    let mut wrong = Vec::new();
    for (state, _) in STATES {
        let expected = table.iter().find(|(states, _)| states.contains(&state)).map_or(rest, |(_, expected)| *expected);
        let found = text_of(&request.decide(Some(&node(state))));
        if found != expected {
            wrong.push(format!("{state}: {found}, expected {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{:?} {:?}: {wrong:#?}", request.duty, request.call);
}
