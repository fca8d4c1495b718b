//! The parameters of `POST /apply`, which stand in the query string.

use axum::extract::Query;
use axum::http::Uri;
use serde::Deserialize;

use crate::http::refusal::Refused;
use underlay_engine::write::{Conflicts, Mode, check_name};
use underlay_error::Code;

/// The longest suffix that is appended to a request id for a batch of it: `/` and the number of the batch.
const LONGEST_SUFFIX: &str = "/1000000000";

/// The parameters of a request. Those that are not given have the defaults of [`Parameters::mode`] and of `apply`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Parameters {
    /// The source in whose name all items are written.
    pub source: Option<String>,
    mode: Option<Mode>,
    /// The policy for fields that another manager holds.
    pub conflicts: Option<Conflicts>,
    #[serde(default)]
    dry_run: bool,
    /// The run of a source that the request belongs to.
    pub run: Option<String>,
    /// The name of the request. Its batches are repeatable under this name and their number: `NAME/1`, `NAME/2`.
    pub request_id: Option<String>,
}

/// The settings with which the items of a request are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plan {
    /// All items are one batch, which is written when it is complete.
    OneBatch { mode: Mode, dry_run: bool },
    /// The items are cut into batches, which are written while the next lines arrive.
    Batches,
}

impl Parameters {
    /// Reads the query string of a request.
    ///
    /// # Errors
    /// Returns an error that names the parameter if one is unknown or its value is not allowed.
    pub fn read(address: &Uri) -> Result<Self, Refused> {
        let Query(parameters) = Query::<Self>::try_from_uri(address).map_err(|error| invalid(error.body_text()))?;
        let longest_id = parameters.request_id.as_ref().map(|id| format!("{id}{LONGEST_SUFFIX}"));
        check_name("source", parameters.source.as_deref())
            .and_then(|()| check_name("run", parameters.run.as_deref()))
            .and_then(|()| check_name("requestId", parameters.request_id.as_deref()))
            .and_then(|()| check_name("requestId with the number of a batch", longest_id.as_deref()))
            .map_err(|refusal| invalid(refusal.to_string()))?;
        Ok(parameters)
    }

    /// Returns how the items are written. By default each item stands alone. A dry run is one batch: a batch of a dry
    /// run would not see the objects that the batch before it would have created.
    pub fn plan(&self) -> Plan {
        match (self.mode.unwrap_or(Mode::PerItem), self.dry_run) {
            (Mode::PerItem, false) => Plan::Batches,
            (mode, dry_run) => Plan::OneBatch { mode, dry_run },
        }
    }
}

fn invalid(message: String) -> Refused {
    Refused::new(Code::Invalid, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(query: &str) -> Result<Parameters, String> {
        let address = format!("/apply?{query}").parse().expect("an address");
        Parameters::read(&address).map_err(|refused| refused.message)
    }

    #[test]
    fn parameters_are_read() {
        let empty = read("").expect("nothing is required");
        assert_eq!((empty.plan(), empty.conflicts), (Plan::Batches, None));
        let all = read("source=dcim&mode=ATOMIC&conflicts=FORCE&dryRun=true&run=r7&requestId=q").expect("all of them");
        assert_eq!(all.plan(), Plan::OneBatch { mode: Mode::Atomic, dry_run: true });
        assert_eq!((all.source.as_deref(), all.conflicts), (Some("dcim"), Some(Conflicts::Force)));
        assert_eq!((all.run.as_deref(), all.request_id.as_deref()), (Some("r7"), Some("q")));
        let tried = read("dryRun=true").expect("a dry run");
        assert_eq!(tried.plan(), Plan::OneBatch { mode: Mode::PerItem, dry_run: true });
    }

    #[test]
    fn a_wrong_parameter_is_named_with_what_is_allowed() {
        for (query, says) in [
            ("mode=atomic", "mode: unknown variant `atomic`, expected `ATOMIC` or `PER_ITEM`"),
            ("conflicts=NO", "expected one of `SKIP`, `FAIL`, `FORCE`"),
            ("dryRun=1", "dryRun: "),
            ("dry_run=true", "unknown field `dry_run`, expected one of `source`, `mode`"),
            ("source=", "source must be 1 to 253 characters"),
            ("run=", "run must be 1 to 253 characters"),
            (&format!("requestId={}", "x".repeat(250)), "requestId with the number of a batch must be 1 to 253"),
        ] {
            let message = read(query).expect_err("it is wrong");
            assert!(message.contains(says), "{query}: {message}");
        }
    }
}
