//! The tokens of agents. Each is for one host, and can do nothing but report about it.
//!
//! Guarantees: a host has at most one token that is accepted. The secret of a token is known only to whom it was issued:
//! the server keeps a digest. A token that was revoked or replaced is not accepted a second later, by any process.

use std::fmt::Write as _;
use std::sync::PoisonError;

use chrono::{DateTime, Utc};
use foldhash::HashMap;
use rand::TryRngCore as _;
use rand::rngs::OsRng;
use sha2::{Digest as _, Sha256};
use underlay_entity::agent_token::Model;
use uuid::Uuid;

use super::{Facts, TokenRefusal};
use crate::feed::{Followed, Written};
use crate::store::{NewAgentToken, StoreError};

/// The beginning of a token, by which people and scanners of texts recognise it.
pub(super) const PREFIX: &str = "underlay-agent-";
/// The number of random bytes of a secret.
pub(super) const SECRET_BYTES: usize = 32;

/// The token of a host, without its secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentToken {
    /// The host that the token is for.
    pub host: Uuid,
    /// The time when it was issued.
    pub issued_at: DateTime<Utc>,
    /// The caller that got it.
    pub issued_to: String,
    /// The time when it was revoked; `None` if it is accepted.
    pub revoked_at: Option<DateTime<Utc>>,
}

/// A new token. It is shown once.
#[derive(Clone, PartialEq, Eq)]
pub struct IssuedToken {
    /// The text that the agent sends.
    pub text: String,
    /// The token without its secret.
    pub token: AgentToken,
}

/// The tokens of all hosts.
#[derive(Debug, Default)]
pub(super) struct Tokens {
    rows: Followed<Uuid, Model>,
    /// The hosts, by the ids of their tokens.
    hosts: HashMap<Uuid, Uuid>,
}

impl Written for Model {
    fn written_at(&self) -> DateTime<Utc> {
        self.written_at
    }
}

impl From<&Model> for AgentToken {
    fn from(row: &Model) -> Self {
        let Model { host_id, issued_at, issued_to, revoked_at, .. } = row;
        Self { host: *host_id, issued_at: *issued_at, issued_to: issued_to.clone(), revoked_at: *revoked_at }
    }
}

impl Tokens {
    pub fn read_after(&self) -> Option<DateTime<Utc>> {
        self.rows.read_after()
    }

    /// Puts the rows that were read or written.
    pub fn extend(&mut self, rows: Vec<Model>) {
        for row in &rows {
            if let Some(known) = self.rows.get(&row.host_id).filter(|known| known.token_id != row.token_id) {
                self.hosts.remove(&known.token_id);
            }
        }
        let hosts: Vec<Uuid> = rows.iter().map(|row| row.host_id).collect();
        self.rows.extend(rows.into_iter().map(|row| (row.host_id, row)));
        for host in hosts {
            // The row that is kept may be another one, which was written later.
            if let Some(kept) = self.rows.get(&host) {
                self.hosts.insert(kept.token_id, host);
            }
        }
    }

    /// Returns the time when the token of a host was issued, if it is accepted.
    pub fn issued_at(&self, host: Uuid) -> Option<DateTime<Utc>> {
        self.rows.get(&host).filter(|row| row.revoked_at.is_none()).map(|row| row.issued_at)
    }

    /// Returns the hosts whose tokens are accepted.
    pub fn accepted(&self) -> impl Iterator<Item = Uuid> {
        self.rows.iter().filter(|(_, row)| row.revoked_at.is_none()).map(|(host, _)| *host)
    }

    /// Returns the hosts that have a row, each with the time of its writing.
    pub fn hosts(&self) -> impl Iterator<Item = (Uuid, DateTime<Utc>)> {
        self.rows.iter().map(|(host, row)| (*host, row.written_at))
    }

    pub fn forget(&mut self, is_gone: impl Fn(Uuid) -> bool) {
        self.rows.retain(|host, _| !is_gone(*host));
        self.hosts.retain(|_, host| !is_gone(*host));
    }

    fn host_of(&self, text: &str) -> Result<Uuid, TokenRefusal> {
        let (id, _) = text.strip_prefix(PREFIX).and_then(|it| it.split_once('-')).ok_or(TokenRefusal::NoToken)?;
        let id = Uuid::try_parse(id).map_err(|_| TokenRefusal::NoToken)?;
        let row = self.hosts.get(&id).and_then(|host| self.rows.get(host)).ok_or(TokenRefusal::Unknown)?;
        // What is compared are digests of long random texts, so the time that it takes tells nothing.
        match (row.token_id == id && row.digest == digest(text), row.revoked_at) {
            (false, _) => Err(TokenRefusal::Unknown),
            (true, Some(_)) => Err(TokenRefusal::Revoked),
            (true, None) => Ok(row.host_id),
        }
    }
}

impl Facts {
    /// Returns the host that a token is for.
    ///
    /// # Errors
    /// Returns an error if the token is not accepted.
    pub fn host_of_token(&self, text: &str) -> Result<Uuid, TokenRefusal> {
        self.0.tokens.read().unwrap_or_else(PoisonError::into_inner).host_of(text)
    }

    /// Returns what is known of the token of a host.
    pub fn token_of(&self, host: Uuid) -> Option<AgentToken> {
        self.0.tokens.read().unwrap_or_else(PoisonError::into_inner).rows.get(&host).map(AgentToken::from)
    }

    /// Issues a token for a host. The one that the host had is not accepted any more.
    ///
    /// # Errors
    /// Returns an error if the system has no random numbers, or if the database does not answer.
    pub async fn issue_token(&self, host: Uuid, issued_to: &str) -> Result<IssuedToken, StoreError> {
        let (id, text) = token_with(PREFIX)?;
        let new = NewAgentToken { host, id, digest: digest(&text), issued_to: issued_to.to_owned() };
        let row = self.0.inventory.store_agent_token(new).await?;
        let token = AgentToken::from(&row);
        self.0.tokens.write().unwrap_or_else(PoisonError::into_inner).extend(vec![row]);
        Ok(IssuedToken { text, token })
    }

    /// Revokes the token of a host. Returns `None` if the host never had one.
    ///
    /// # Errors
    /// Returns an error if the database does not answer.
    pub async fn revoke_token(&self, host: Uuid) -> Result<Option<AgentToken>, StoreError> {
        let Some(row) = self.0.inventory.revoke_agent_token(host).await? else { return Ok(None) };
        let token = AgentToken::from(&row);
        self.0.tokens.write().unwrap_or_else(PoisonError::into_inner).extend(vec![row]);
        Ok(Some(token))
    }
}

/// Makes up a token. Returns its id and its text.
///
/// # Errors
/// Returns an error if the system has no random numbers.
pub(super) fn token_with(prefix: &str) -> Result<(Uuid, String), StoreError> {
    let mut secret = [0; SECRET_BYTES];
    OsRng.try_fill_bytes(&mut secret).map_err(|error| std::io::Error::other(error.to_string()))?;
    let id = Uuid::new_v4();
    Ok((id, format!("{prefix}{}-{}", id.simple(), hexadecimal(&secret))))
}

pub(super) fn digest(text: &str) -> String {
    hexadecimal(&Sha256::digest(text.as_bytes()))
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        // Writing to a text cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(host: u128, token: u128, second: i64) -> (String, Model) {
        let at = DateTime::from_timestamp(second, 0).expect("a time");
        let text = format!("{PREFIX}{}-secret{token}", Uuid::from_u128(token).simple());
        let row = Model {
            host_id: Uuid::from_u128(host),
            token_id: Uuid::from_u128(token),
            digest: digest(&text),
            issued_at: at,
            issued_to: "ada".to_owned(),
            revoked_at: None,
            written_at: at,
        };
        (text, row)
    }

    #[test]
    fn only_the_last_token_of_a_host_is_accepted() {
        let mut tokens = Tokens::default();
        let ((first, old), (second, new)) = (row(1, 10, 100), row(1, 11, 200));
        tokens.extend(vec![old.clone()]);
        assert_eq!(tokens.host_of(&first), Ok(Uuid::from_u128(1)));

        tokens.extend(vec![new.clone()]);
        // Another process may read the old row late.
        tokens.extend(vec![old]);
        assert_eq!(tokens.host_of(&first), Err(TokenRefusal::Unknown));
        assert_eq!(tokens.host_of(&second), Ok(Uuid::from_u128(1)));

        let at = DateTime::from_timestamp(300, 0);
        tokens.extend(vec![Model { revoked_at: at, written_at: at.expect("a time"), ..new }]);
        assert_eq!(tokens.host_of(&second), Err(TokenRefusal::Revoked));
        assert_eq!(tokens.issued_at(Uuid::from_u128(1)), None);
    }

    #[test]
    fn other_texts_are_no_tokens() {
        let mut tokens = Tokens::default();
        let (text, known) = row(1, 10, 100);
        tokens.extend(vec![known]);
        for (text, why) in [
            ("", TokenRefusal::NoToken),
            ("a.b.c", TokenRefusal::NoToken),
            (PREFIX, TokenRefusal::NoToken),
            ("underlay-agent-x-y", TokenRefusal::NoToken),
            (&format!("{text}0"), TokenRefusal::Unknown),
            (&text.replace("secret", "Secret"), TokenRefusal::Unknown),
            (&row(1, 12, 100).0, TokenRefusal::Unknown),
        ] {
            assert_eq!(tokens.host_of(text), Err(why), "{text}");
        }
    }
}
