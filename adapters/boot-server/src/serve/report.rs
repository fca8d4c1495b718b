//! Reads the reports of installers: JSON, or `KEY=VALUE` from a shell.

use serde_json::{Map, Value};
use underlay_json::values;

use crate::api::{Outcome, Report};

/// The most values of JSON.
const MAX_VALUES: usize = 1_000;
/// The most characters of a stage, and of a message. The end of a message says most of a failure.
const MAX_STAGE_CHARACTERS: usize = 100;
const MAX_MESSAGE_CHARACTERS: usize = 2_000;

/// Reads a report of the boot with a token.
pub fn read(token: String, body: &[u8]) -> Result<Report, String> {
    let members = members(body)?;
    let stage = text(&members, "stage")?.filter(|stage| !stage.is_empty());
    if stage.as_ref().is_some_and(|stage| stage.chars().count() > MAX_STAGE_CHARACTERS) {
        return Err(format!("stage: at most {MAX_STAGE_CHARACTERS} characters are allowed"));
    }
    let message = text(&members, "message")?.filter(|message| !message.is_empty()).map(shortened);
    let outcome = match text(&members, "outcome")? {
        Some(outcome) => word(&outcome).ok_or("outcome: must be working, done or failed")?,
        None => stage.as_deref().and_then(word).unwrap_or(Outcome::Working),
    };
    if stage.is_none() && message.is_none() && !members.contains_key("outcome") {
        return Err("stage: a report has a stage, an outcome or a message".to_owned());
    }
    Ok(Report { token, outcome, stage, percent: percent(&members)?, message, facts: None })
}

fn word(text: &str) -> Option<Outcome> {
    match text.to_ascii_lowercase().as_str() {
        "working" => Some(Outcome::Working),
        "done" => Some(Outcome::Done),
        "failed" => Some(Outcome::Failed),
        _ => None,
    }
}

fn percent(members: &Map<String, Value>) -> Result<Option<u8>, String> {
    let number = match members.get("percent") {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::Number(number)) => number.as_f64(),
        Some(Value::String(text)) if text.is_empty() => return Ok(None),
        Some(Value::String(text)) => text.trim_end_matches('%').parse().ok(),
        Some(_) => None,
    };
    match number {
        Some(number) if (0.0..=100.0).contains(&number) => Ok(Some(number as u8)),
        _ => Err("percent: must be a number from 0 to 100".to_owned()),
    }
}

fn text(members: &Map<String, Value>, name: &str) -> Result<Option<String>, String> {
    match members.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(_) => Err(format!("{name}: must be a text")),
    }
}

/// Returns a message without characters that no database keeps, and with its end alone if it is too long.
fn shortened(message: String) -> String {
    let message = message.replace('\0', " ");
    let characters = message.chars().count();
    match characters > MAX_MESSAGE_CHARACTERS {
        true => format!("…{}", message.chars().skip(characters - MAX_MESSAGE_CHARACTERS + 1).collect::<String>()),
        false => message,
    }
}

fn members(body: &[u8]) -> Result<Map<String, Value>, String> {
    if values(body) > MAX_VALUES {
        return Err(format!("a report has at most {MAX_VALUES} values"));
    }
    if body.trim_ascii_start().starts_with(b"{") {
        return serde_json::from_slice(body).map_err(|error| format!("the report is not JSON: {error}"));
    }
    let text = std::str::from_utf8(body).map_err(|error| format!("the report is no text: {error}"))?;
    let mut members = Map::new();
    for pair in text.split(['\n', '&']).map(str::trim).filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=').ok_or("the report is neither JSON nor KEY=VALUE")?;
        members.insert(name.trim().to_owned(), Value::from(value));
    }
    Ok(members)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(body: &str) -> Result<Report, String> {
        read("T".to_owned(), body.as_bytes())
    }

    #[test]
    fn reports_are_read_in_both_forms() {
        let expected = |outcome, stage: &str, percent, message: &str| Report {
            token: "T".to_owned(),
            outcome,
            stage: (!stage.is_empty()).then(|| stage.to_owned()),
            percent,
            message: (!message.is_empty()).then(|| message.to_owned()),
            facts: None,
        };
        for (body, found) in [
            (r#"{"stage": "write", "percent": 60.7}"#, expected(Outcome::Working, "write", Some(60), "")),
            (r#"{"stage": "done", "message": "a"}"#, expected(Outcome::Done, "done", None, "a")),
            (r#"{"stage": "write", "outcome": "FAILED"}"#, expected(Outcome::Failed, "write", None, "")),
            (r#"{"stage": "failed", "outcome": "working"}"#, expected(Outcome::Working, "failed", None, "")),
            (
                "stage=failed&percent=40&message=digest is x=y",
                expected(Outcome::Failed, "failed", Some(40), "digest is x=y"),
            ),
            ("stage=write\npercent=5%\nmessage=\n", expected(Outcome::Working, "write", Some(5), "")),
            ("outcome=done", expected(Outcome::Done, "", None, "")),
        ] {
            assert_eq!(report(body), Ok(found), "{body}");
        }
        let long = format!("{}end", "x".repeat(3 * MAX_MESSAGE_CHARACTERS));
        let message = report(&format!("message={long}")).expect("a report").message.expect("a message");
        assert!(message.starts_with('…') && message.ends_with("end"));
        assert_eq!(message.chars().count(), MAX_MESSAGE_CHARACTERS);
    }

    #[test]
    fn other_bodies_are_refused_with_the_field() {
        let long = format!("stage={}", "x".repeat(MAX_STAGE_CHARACTERS + 1));
        for (body, reason) in [
            ("", "stage: a report has"),
            ("{", "not JSON"),
            ("hello", "neither JSON nor KEY=VALUE"),
            ("stage=a&percent=101", "percent: must be a number from 0 to 100"),
            (r#"{"stage": "a", "percent": []}"#, "percent: must be"),
            (r#"{"stage": "a", "percent": "NaN"}"#, "percent: must be"),
            (r#"{"stage": 1}"#, "stage: must be a text"),
            ("outcome=maybe", "outcome: must be working, done or failed"),
            (&long, "stage: at most"),
        ] {
            let error = report(body).expect_err(body);
            assert!(error.contains(reason), "{body}: {error}");
        }
    }
}
