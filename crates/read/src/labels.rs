//! Label selectors such as `env in (prod,stage),!legacy,team=core`, in the syntax of Kubernetes.

use async_graphql::{InputValueError, InputValueResult, Scalar, ScalarType, Value};
use underlay_engine::store::LabelTest;
use underlay_entity::common::Labels;
use underlay_inventory::shorten_text;

/// The maximum number of requirements and values in a selector.
const MAX_SELECTOR_ENTRIES: usize = 1_000;

/// Returns the number of values in a test, or 1 if there are none.
fn count(test: &LabelTest) -> usize {
    match test {
        LabelTest::In(_, values) | LabelTest::NotIn(_, values) => values.len(),
        LabelTest::Exists(_) | LabelTest::Missing(_) => 1,
    }
}

/// A label selector: requirements joined by commas, all of which must hold. Forms: `a=b`, `a!=b`, `a in (b,c)`,
/// `a notin (b,c)`, `a`, `!a`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LabelSelector {
    text: String,
    requirements: Vec<LabelTest>,
}

impl LabelSelector {
    /// Reads a selector.
    ///
    /// # Errors
    /// Returns a sentence that describes the error and its position.
    pub fn parse(text: &str) -> Result<Self, String> {
        let requirements = split(text)?.into_iter().map(requirement).collect::<Result<Vec<_>, _>>()?;
        let count: usize = requirements.iter().map(count).sum();
        if count > MAX_SELECTOR_ENTRIES {
            return Err(format!("has {count} requirements and values; at most {MAX_SELECTOR_ENTRIES} are allowed"));
        }
        Ok(Self { text: text.to_owned(), requirements })
    }

    /// Returns the tests of the labels, all of which must hold.
    pub fn tests(&self) -> &[LabelTest] {
        &self.requirements
    }

    /// Returns true if the labels match.
    pub fn fits(&self, labels: &Labels) -> bool {
        let has = |key: &str, values: &[String]| labels.0.get(key).is_some_and(|value| values.contains(value));
        self.requirements.iter().all(|requirement| match requirement {
            LabelTest::In(key, values) => has(key, values),
            LabelTest::NotIn(key, values) => !has(key, values),
            LabelTest::Exists(key) => labels.0.contains_key(key),
            LabelTest::Missing(key) => !labels.0.contains_key(key),
        })
    }
}

/// Splits a text at the commas that are not inside parentheses.
fn split(text: &str) -> Result<Vec<&str>, String> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0, 0);
    for (at, character) in text.char_indices() {
        match character {
            '(' => depth += 1,
            ')' if depth == 0 => return Err(format!("has ')' without '(' in {:?}", shorten_text(text))),
            ')' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    if depth != 0 {
        return Err(format!("has '(' without ')' in {:?}", shorten_text(text)));
    }
    parts.push(&text[start..]);
    if parts.len() == 1 && parts[0].trim().is_empty() { Ok(Vec::new()) } else { Ok(parts) }
}

fn requirement(part: &str) -> Result<LabelTest, String> {
    let part = part.trim();
    if let Some((key, values)) = part.split_once('(') {
        let values = values.strip_suffix(')').filter(|values| !values.contains(['(', ')']));
        let values = values.map(|values| values.split(',').map(|value| value.trim().to_owned()).collect());
        let mut words = key.split_whitespace();
        return match (words.next(), words.next(), words.next(), values) {
            (Some(name), Some("in"), None, Some(values)) => Ok(LabelTest::In(key_of(name)?, values)),
            (Some(name), Some("notin"), None, Some(values)) => Ok(LabelTest::NotIn(key_of(name)?, values)),
            _ => Err(format!(
                "has {:?}, which is none of a=b, a!=b, a in (b,c), a notin (b,c), a, !a",
                shorten_text(part)
            )),
        };
    }
    if let Some((key, value)) = part.split_once("!=") {
        return Ok(LabelTest::NotIn(key_of(key)?, vec![value.trim().to_owned()]));
    }
    if let Some((key, value)) = part.split_once("==").or_else(|| part.split_once('=')) {
        return Ok(LabelTest::In(key_of(key)?, vec![value.trim().to_owned()]));
    }
    match part.strip_prefix('!') {
        Some(key) => Ok(LabelTest::Missing(key_of(key)?)),
        None => Ok(LabelTest::Exists(key_of(part)?)),
    }
}

fn key_of(text: &str) -> Result<String, String> {
    let key = text.trim();
    let plain = |character: char| character.is_ascii_alphanumeric() || "-_./".contains(character);
    match !key.is_empty() && key.chars().all(plain) {
        true => Ok(key.to_owned()),
        false => Err(format!("has {:?} where a label key is expected", shorten_text(text))),
    }
}

/// A label selector in the syntax of Kubernetes: `a=b`, `a!=b`, `a in (b,c)`, `a notin (b,c)`, `a`, `!a`, joined by
/// commas. All requirements must hold. A selector has at most 1,000 requirements and values.
#[Scalar(
    name = "LabelSelector",
    specified_by_url = "https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#label-selectors"
)]
impl ScalarType for LabelSelector {
    fn parse(value: Value) -> InputValueResult<Self> {
        match value {
            Value::String(text) => {
                Self::parse(&text).map_err(|reason| InputValueError::custom(format!("the label selector {reason}")))
            }
            other => Err(InputValueError::expected_type(other)),
        }
    }

    fn to_value(&self) -> Value {
        Value::String(self.text.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selectors_select() {
        let labels: Labels = serde_json::from_str(r#"{"env":"prod","team":"core","a/b":""}"#).unwrap();
        let table = [
            ("", true),
            ("env=prod", true),
            ("env==prod,team!=edge", true),
            ("env in (stage, prod)", true),
            ("env notin (stage,prod)", false),
            ("legacy notin (yes)", true),
            ("a/b", true),
            ("!env", false),
            ("!legacy , env", true),
            ("legacy", false),
        ];
        for (selector, fits) in table {
            assert_eq!(LabelSelector::parse(selector).unwrap().fits(&labels), fits, "{selector}");
        }
    }

    #[test]
    fn a_selector_has_a_greatest_length() {
        let values = |count: usize| format!("!x,a in ({})", vec!["v"; count].join(","));
        assert!(LabelSelector::parse(&values(MAX_SELECTOR_ENTRIES - 1)).is_ok());
        let refused = LabelSelector::parse(&values(MAX_SELECTOR_ENTRIES)).expect_err("too long");
        assert_eq!(refused, "has 1001 requirements and values; at most 1000 are allowed");
        assert!(
            LabelSelector::parse(&"a,".repeat(MAX_SELECTOR_ENTRIES)).is_err()
                && LabelSelector::parse(&"!a,".repeat(MAX_SELECTOR_ENTRIES)).is_err()
        );
    }

    #[test]
    fn an_invalid_selector_is_refused() {
        for bad in ["env in prod)", "env in (prod", "=x", "a b", "env within (a)", ",", "!", "a in (b) c", "a in ((b))"]
        {
            assert!(LabelSelector::parse(bad).is_err(), "{bad}");
        }
    }
}
