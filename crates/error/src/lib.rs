//! The errors that clients of the API see: the codes, in one table, and the refusals of writes. Also the roles of
//! callers, which errors and the descriptions of fields name.
//!
//! This crate lies below all layers. Each layer has an error type of its own, and maps it to a [`Code`]; only the web
//! server turns codes into statuses of HTTP. Guarantee: no other place of the server spells out a code.

mod code;
mod refusal;
mod role;

pub use code::{Code, UnknownCode};
pub use refusal::{Problems, Refusal, Unfit, Users};
pub use role::{Role, Roles, UnknownRole};
