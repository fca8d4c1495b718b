//! Translates a failed call of Ironic for the controller: an error says if the act was made, and if the same call can
//! succeed later.

use underlay_hosts::machine::CallError;

use crate::client::IronicError;

/// The effect of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// It changes nothing.
    Reads,
    /// It changes something.
    Changes,
}

/// Returns the error of the controller for one of the client, which names the call and what to do.
pub fn call_error(error: &IronicError, effect: Effect) -> CallError {
    let message = error.to_string();
    let refused = |reason: &str| CallError::Refused { reason: reason.to_owned(), message: message.clone() };
    match error {
        IronicError::Unreachable { .. }
        | IronicError::Busy { .. }
        | IronicError::Locked { .. }
        | IronicError::Secret { .. }
        | IronicError::Version { .. }
        | IronicError::Certificate { .. } => CallError::NotMade { reason: message },
        IronicError::Unanswered { .. } | IronicError::Failed { .. } => CallError::Unanswered { reason: message },
        IronicError::WrongAnswer { .. } => match effect {
            Effect::Reads => CallError::NotMade { reason: message },
            Effect::Changes => CallError::Unanswered { reason: message },
        },
        IronicError::NotFound { .. } => match effect {
            // The node went between the look and the act; the next look says so.
            Effect::Changes => CallError::NotMade { reason: message },
            Effect::Reads => refused("ProvisionerRefused"),
        },
        IronicError::Access { .. } => refused("ProvisionerRefused"),
        IronicError::Conflict { .. } | IronicError::Rejected { .. } => refused("ProvisionerRefused"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_certainly_not_made_may_be_made_again() {
        let (call, reason) = (|| "PUT /v1/nodes/7".to_owned(), || "why".to_owned());
        let status = reqwest::StatusCode::BAD_REQUEST;
        let wrong = || IronicError::WrongAnswer { call: call(), path: String::new(), expected: "x".into() };
        for (error, effect, expected) in [
            (IronicError::Unreachable { call: call(), reason: reason() }, Effect::Changes, "not made"),
            (IronicError::Locked { call: call(), message: reason() }, Effect::Changes, "not made"),
            (IronicError::Busy { call: call(), status, message: reason() }, Effect::Changes, "not made"),
            (IronicError::Unanswered { call: call(), reason: reason() }, Effect::Changes, "unanswered"),
            (IronicError::Failed { call: call(), status, message: reason() }, Effect::Changes, "unanswered"),
            (wrong(), Effect::Reads, "not made"),
            (wrong(), Effect::Changes, "unanswered"),
            (IronicError::NotFound { call: call(), message: reason() }, Effect::Changes, "not made"),
            (IronicError::Rejected { call: call(), status, message: reason() }, Effect::Changes, "refused"),
            (IronicError::Conflict { call: call(), message: reason() }, Effect::Changes, "refused"),
            (IronicError::Access { call: call(), status, message: reason(), advice: "x" }, Effect::Reads, "refused"),
        ] {
            let found = call_error(&error, effect);
            let kind = match &found {
                CallError::NotMade { .. } => "not made",
                CallError::Unanswered { .. } => "unanswered",
                CallError::Refused { .. } => "refused",
            };
            assert_eq!(kind, expected, "{error}");
            assert!(found.to_string().contains("PUT /v1/nodes/7"), "the sentence names the call: {found}");
        }
    }
}
