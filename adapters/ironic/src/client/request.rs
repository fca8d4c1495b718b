//! A call: the method, the address and the effect, which decides what an answer that does not come means.

use std::sync::Arc;

use reqwest::{Method, Url};
use serde_json::Value;
use underlay_kit::printable;

use super::error::IronicError;
use super::fields::Fault;

/// The effect of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The call changes nothing.
    Reads,
    /// The call fetches a token from Keystone.
    Fetches,
    /// The call changes something.
    Changes,
}

/// A call.
#[derive(Clone, Debug)]
pub struct Call {
    pub method: Method,
    pub url: Url,
    pub body: Option<Value>,
    pub effect: Effect,
    /// The call as messages show it. Bodies can hold secrets, so they are not shown.
    pub text: Arc<str>,
}

impl Call {
    pub fn new(method: Method, url: Url, effect: Effect) -> Self {
        let text = printable(&format!("{method} {url}")).into();
        Self { method, url, body: None, effect, text }
    }

    #[must_use]
    pub fn with(mut self, body: Value) -> Self {
        self.body = Some(body);
        self
    }

    /// Returns the error that the answer breaks the contract at a path.
    pub fn wrong(&self, path: &str, expected: String) -> IronicError {
        IronicError::WrongAnswer { call: self.text.to_string(), path: path.to_owned(), expected }
    }

    /// Returns the error that a member of the answer has a wrong type.
    pub fn fault(&self, fault: &Fault) -> IronicError {
        self.wrong(&fault.path, format!("{}, not {}", fault.expected, fault.found))
    }
}
