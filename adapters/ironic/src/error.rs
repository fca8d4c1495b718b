//! Says the errors of the client in the words of a source.

use underlay_kit::sync::AdapterError;

use crate::client::IronicError;

impl From<IronicError> for AdapterError {
    fn from(error: IronicError) -> Self {
        let text = error.to_string();
        let split = |call: String| {
            let reason = text.strip_prefix(call.as_str()).map_or(text.as_str(), |rest| rest.trim_start_matches(": "));
            (reason.to_owned(), call)
        };
        match error {
            IronicError::Unreachable { call, reason } => Self::Unreachable { call, reason },
            IronicError::WrongAnswer { call, path, expected } => Self::WrongAnswer { call, path, expected },
            IronicError::Certificate { call, .. }
            | IronicError::Unanswered { call, .. }
            | IronicError::Busy { call, .. }
            | IronicError::Locked { call, .. }
            | IronicError::Failed { call, .. } => {
                let (reason, call) = split(call);
                Self::Unreachable { call, reason }
            }
            IronicError::Access { call, status, message, advice } => {
                let message = if message.is_empty() { message } else { format!(": {message}") };
                Self::Refused { call, reason: format!("HTTP {status}{message}; {advice}") }
            }
            IronicError::Secret { call, reason } => Self::Unusable { call, reason },
            IronicError::NotFound { call, .. }
            | IronicError::Conflict { call, .. }
            | IronicError::Rejected { call, .. }
            | IronicError::Version { call, .. } => {
                let (reason, call) = split(call);
                Self::WrongAnswer { call, path: String::new(), expected: format!("an answer, but {reason}") }
            }
        }
    }
}
