//! This module reads the limits from the configuration.

use std::time::Duration;

use figment::Figment;

use super::{ConfigError, Key, scalar};
use crate::http::Limits;

/// Reads the limits. Each of them has a default.
pub(super) fn read(figment: &Figment) -> Result<Limits, ConfigError> {
    let number = |key: Key, most: usize| number(figment, key, most);
    const MOST: usize = u32::MAX as usize;
    Ok(Limits {
        body: number(Key::LimitsBody, MOST)?,
        apply_body: number(Key::LimitsApplyBody, MOST)?,
        bodies: number(Key::LimitsBodies, MOST)?,
        answer: number(Key::LimitsAnswer, MOST)?,
        answers: number(Key::LimitsAnswers, MOST)?,
        tokens: number(Key::LimitsTokens, MOST)?,
        depth: number(Key::LimitsDepth, 64)?,
        fields: number(Key::LimitsFields, MOST)?,
        objects: number(Key::LimitsObjects, MOST)?,
        aliases: number(Key::LimitsAliases, MOST)?,
        directives: number(Key::LimitsDirectives, MOST)?,
        items: number(Key::LimitsItems, crate::write::MOST_ITEMS)?,
        timeout: seconds(figment, Key::LimitsTimeout)?,
        requests: number(Key::LimitsRequests, 1_000_000)?,
        connections: number(Key::LimitsConnections, 1_000_000)?,
        subscriptions: number(Key::LimitsSubscriptions, 1_000_000)?,
        introspection: flag(figment, Key::LimitsIntrospection)?,
    })
}

fn said(figment: &Figment, key: Key) -> Result<(String, String), ConfigError> {
    scalar(figment, key)?.ok_or_else(|| ConfigError::NotText { key: key.name(), origin: "default".to_owned() })
}

fn number(figment: &Figment, key: Key, most: usize) -> Result<usize, ConfigError> {
    let (text, origin) = said(figment, key)?;
    match text.parse() {
        Ok(value) if (1..=most).contains(&value) => Ok(value),
        _ => Err(ConfigError::Limit { key: key.name(), origin, allowed: format!("a whole number from 1 to {most}") }),
    }
}

pub(super) fn seconds(figment: &Figment, key: Key) -> Result<Duration, ConfigError> {
    const LONGEST: u64 = 600;
    let (text, origin) = said(figment, key)?;
    match text.strip_suffix('s').and_then(|number| number.trim().parse().ok()) {
        Some(value) if (1..=LONGEST).contains(&value) => Ok(Duration::from_secs(value)),
        _ => Err(ConfigError::Limit { key: key.name(), origin, allowed: format!("seconds, from 1s to {LONGEST}s") }),
    }
}

fn flag(figment: &Figment, key: Key) -> Result<bool, ConfigError> {
    let (text, origin) = said(figment, key)?;
    text.parse().map_err(|_| ConfigError::Limit { key: key.name(), origin, allowed: "true or false".to_owned() })
}
