//! Reads the body of an answer: a list of objects, an object or null, or the error that BCM reports.

use serde_json::{Map, Value};
use underlay_kit::sync::AdapterError;

use super::{reported, wrong};
use crate::object::{Object, kind};

/// The member that holds an error. BCM sends it with the status 200, instead of the result.
const ERROR: &str = "errormessage";

/// Reads a list of objects.
///
/// # Errors
/// Returns the error that BCM reports, or one if the answer is no list of objects.
pub fn list(call: &str, body: &str) -> Result<Vec<Object>, AdapterError> {
    let elements = match value(call, body)? {
        Value::Array(elements) => elements,
        Value::Object(members) => return Err(error_of(call, &members).unwrap_or_else(|| no_list(call, "an object"))),
        other => return Err(no_list(call, kind(&other))),
    };
    let object = |(at, element): (usize, Value)| match element {
        Value::Object(members) => Ok(Object::new(call, format!("[{at}]"), members)),
        other => Err(AdapterError::WrongAnswer {
            call: call.to_owned(),
            path: format!("[{at}]"),
            expected: format!("an object, not {}", kind(&other)),
        }),
    };
    elements.into_iter().enumerate().map(object).collect()
}

/// Reads an object, `None` if the answer is null.
///
/// # Errors
/// Returns the error that BCM reports, or one if the answer is neither.
pub fn find(call: &str, body: &str) -> Result<Option<Object>, AdapterError> {
    match value(call, body)? {
        Value::Null => Ok(None),
        Value::Object(members) => match error_of(call, &members) {
            Some(error) => Err(error),
            None => Ok(Some(Object::new(call, String::new(), members))),
        },
        other => Err(wrong(call, format!("an object or null, not {}", kind(&other)))),
    }
}

/// Returns the error that an answer reports. An empty message is none.
fn error_of(call: &str, answer: &Map<String, Value>) -> Option<AdapterError> {
    let message = answer.get(ERROR)?.as_str()?;
    (!message.trim().is_empty()).then(|| reported(call, message))
}

fn value(call: &str, text: &str) -> Result<Value, AdapterError> {
    // The error has a position and no part of the text.
    serde_json::from_str(text)
        .map_err(|error| wrong(call, format!("JSON, but: {error}; check that the URL is that of BCM")))
}

fn no_list(call: &str, found: &str) -> AdapterError {
    wrong(call, format!("a list, not {found}"))
}
