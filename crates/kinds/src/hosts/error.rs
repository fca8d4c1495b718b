//! The errors of orders and claims.

use thiserror::Error;
use uuid::Uuid;

use super::obstacle::Obstacle;
use super::shortage::Shortage;
use underlay_error::Code;
use underlay_inventory::Refusal;
use underlay_topology::impact::ImpactError;

/// The reason for which an order or a claim is refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OrderError {
    #[error("{field} {reason}")]
    Invalid { field: String, reason: String },
    #[error("{what} does not exist")]
    Missing { field: String, what: String },
    #[error("host {name} {obstacle}{}", also_refused(*others))]
    Refused { field: String, name: String, obstacle: Obstacle, others: usize },
    #[error("{0}")]
    Short(Shortage),
    #[error(
        "the failure of {failure} alone would take {takes} of the {count} hosts, and at most {most} were allowed: raise `most`, or widen the choice"
    )]
    Spread { failure: String, takes: usize, count: usize, most: usize },
    #[error("others took the hosts that were chosen: try again")]
    Overtaken,
    #[error("the failures that the hosts share cannot be found: {0}")]
    Impact(String),
}

impl OrderError {
    /// Returns the error for an argument with a value that is not allowed.
    pub fn invalid(field: impl Into<String>, reason: impl Into<String>) -> Self {
        Self::Invalid { field: field.into(), reason: reason.into() }
    }

    /// Returns the error for an object that is not there.
    pub fn missing(field: impl Into<String>, kind: &str, id: Uuid) -> Self {
        Self::Missing { field: field.into(), what: format!("{kind} {id}") }
    }
}

impl From<ImpactError> for OrderError {
    fn from(error: ImpactError) -> Self {
        Self::Impact(error.to_string())
    }
}

impl From<OrderError> for Refusal {
    fn from(error: OrderError) -> Self {
        let (code, field) = match &error {
            OrderError::Invalid { field, .. } => (Code::Invalid, Some(field.as_str())),
            OrderError::Missing { field, .. } => (Code::NotFound, Some(field.as_str())),
            OrderError::Refused { field, obstacle, .. } if obstacle.is_in_use() => (Code::InUse, Some(field.as_str())),
            OrderError::Refused { field, .. } => (Code::Incompatible, Some(field.as_str())),
            OrderError::Short(_) => (Code::Incompatible, Some("count")),
            OrderError::Spread { .. } => (Code::Incompatible, Some("most")),
            OrderError::Impact(_) => (Code::TooComplex, Some("spread")),
            OrderError::Overtaken => return Self::ClaimOvertaken,
        };
        Self::Recorded { code, field: field.map(str::to_owned), message: error.to_string() }
    }
}

fn also_refused(count: usize) -> String {
    match count {
        0 => String::new(),
        1 => "; another host is refused too".to_owned(),
        count => format!("; {count} other hosts are refused too"),
    }
}
