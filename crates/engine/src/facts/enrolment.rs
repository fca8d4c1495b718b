//! The tokens with which machines enrol their agents.
//!
//! A token names a site or a class, a number of machines and an end. Only its digest is stored. The agent makes the secret
//! of its own token and sends it along, so an enrolment whose answer was lost can be asked for again.

use std::sync::PoisonError;

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::Facts;
use super::error::EnrolmentRefusal;
use super::tokens::{AgentToken, PREFIX, SECRET_BYTES, digest, token_with};

use crate::store::{Enrolled, Enrolment, EnrolmentTerms, NewAgentToken, NewEnrolmentToken, StoreError, Strangers};
use underlay_entity::enrolment_token::Model as EnrolmentRow;

/// The beginning of a token of an enrolment.
const ENROLMENT_PREFIX: &str = "underlay-enrol-";

/// A token of an enrolment, without its secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnrolmentToken {
    /// The id that the token begins with.
    pub id: Uuid,
    /// The machines that it is for.
    pub terms: EnrolmentTerms,
    /// The number of machines that have used it.
    pub used: i32,
    /// The time when it was issued.
    pub issued_at: DateTime<Utc>,
    /// The caller that got it.
    pub issued_to: String,
    /// The time when it was revoked; `None` if it was not.
    pub revoked_at: Option<DateTime<Utc>>,
}

/// A new token of an enrolment. It is shown once.
#[derive(Clone, PartialEq, Eq)]
pub struct IssuedEnrolmentToken {
    /// The text that the agent sends.
    pub text: String,
    /// The token without its secret.
    pub token: EnrolmentToken,
}

/// The token that an agent made for itself.
#[derive(Clone, PartialEq, Eq)]
pub struct OwnToken {
    id: Uuid,
    digest: String,
}

impl OwnToken {
    /// Reads the text of a token.
    ///
    /// # Errors
    /// Returns an error if it has not the form of such a token, or too short a secret.
    pub fn parse(text: &str) -> Result<Self, EnrolmentRefusal> {
        let (id, secret) =
            text.strip_prefix(PREFIX).and_then(|it| it.split_once('-')).ok_or(EnrolmentRefusal::BadAgentToken)?;
        let is_secret =
            secret.len() == 2 * SECRET_BYTES && secret.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'));
        let id = Uuid::try_parse(id).ok().filter(|_| is_secret).ok_or(EnrolmentRefusal::BadAgentToken)?;
        Ok(Self { id, digest: digest(text) })
    }
}

impl From<EnrolmentRow> for EnrolmentToken {
    fn from(row: EnrolmentRow) -> Self {
        let EnrolmentRow {
            id,
            digest: _,
            site_id,
            class_id,
            registers,
            most,
            used,
            ends_at,
            issued_at,
            issued_to,
            revoked_at,
        } = row;
        let strangers = if registers { Strangers::Registered } else { Strangers::Refused };
        let terms = EnrolmentTerms { place: site_id, class: class_id, strangers, most, ends_at };
        Self { id, terms, used, issued_at, issued_to, revoked_at }
    }
}

impl Facts {
    /// Issues a token of an enrolment.
    ///
    /// # Errors
    /// Returns an error if the system has no random numbers, or if the database does not answer.
    pub async fn issue_enrolment_token(
        &self,
        terms: EnrolmentTerms,
        issued_to: &str,
    ) -> Result<IssuedEnrolmentToken, StoreError> {
        let (id, text) = token_with(ENROLMENT_PREFIX)?;
        let new = NewEnrolmentToken { id, digest: digest(&text), terms, issued_to: issued_to.to_owned() };
        let row = self.0.inventory.store_enrolment_token(new).await?;
        Ok(IssuedEnrolmentToken { text, token: row.into() })
    }

    /// Revokes a token of an enrolment. Returns `None` if there is none with this id.
    ///
    /// # Errors
    /// Returns an error if the database does not answer.
    pub async fn revoke_enrolment_token(&self, id: Uuid) -> Result<Option<EnrolmentToken>, StoreError> {
        Ok(self.0.inventory.revoke_enrolment_token(id).await?.map(EnrolmentToken::from))
    }

    /// Returns the tokens of enrolments, the latest first. Those that ended a month ago may be missing.
    ///
    /// # Errors
    /// Returns an error if the database does not answer.
    pub async fn enrolment_tokens(&self) -> Result<Vec<EnrolmentToken>, StoreError> {
        let rows = self.0.inventory.enrolment_tokens().await?;
        Ok(rows.into_iter().map(EnrolmentToken::from).collect())
    }

    /// Returns the token of an enrolment that has this text, if it is not revoked and has not ended.
    ///
    /// # Errors
    /// Returns an error if there is no such token, or if the database does not answer.
    pub async fn enrolment_by(&self, text: &str) -> Result<EnrolmentToken, EnrolmentRefusal> {
        let (id, _) =
            text.strip_prefix(ENROLMENT_PREFIX).and_then(|it| it.split_once('-')).ok_or(EnrolmentRefusal::NoToken)?;
        let id = Uuid::try_parse(id).map_err(|_| EnrolmentRefusal::NoToken)?;
        let (row, now) = self.0.inventory.enrolment_token(id).await?.ok_or(EnrolmentRefusal::Unknown)?;
        // What is compared are digests of long random texts, so the time that it takes tells nothing.
        if row.digest != digest(text) {
            return Err(EnrolmentRefusal::Unknown);
        }
        match row.revoked_at {
            Some(_) => Err(EnrolmentRefusal::Revoked),
            None if row.ends_at <= now => Err(EnrolmentRefusal::Ended { at: row.ends_at }),
            None => Ok(row.into()),
        }
    }

    /// Gives a host the token that its agent made, by a token of an enrolment. `replaces_before` is the time before which
    /// the host may have got a token that this one replaces.
    ///
    /// # Errors
    /// Returns an error if the host has or had another token, if the token of the enrolment was used up meanwhile, or if the
    /// database does not answer.
    pub async fn enrol(
        &self,
        host: Uuid,
        own: OwnToken,
        by: &EnrolmentToken,
        replaces_before: Option<DateTime<Utc>>,
    ) -> Result<AgentToken, EnrolmentRefusal> {
        let issued_to = format!("enrolment {}", by.id);
        let agent = NewAgentToken { host, id: own.id, digest: own.digest, issued_to };
        let row = match self.0.inventory.enrol(Enrolment { by: by.id, agent, replaces_before }).await? {
            Enrolled::Now(row) | Enrolled::Already(row) => row,
            Enrolled::HasAnother(row) => {
                return Err(EnrolmentRefusal::HasToken { issued_at: row.issued_at, issued_to: row.issued_to });
            }
            Enrolled::IdIsTaken => return Err(EnrolmentRefusal::BadAgentToken),
            Enrolled::NotAccepted => return Err(EnrolmentRefusal::UsedUp { most: by.terms.most }),
        };
        let token = AgentToken::from(&row);
        self.0.tokens.write().unwrap_or_else(PoisonError::into_inner).extend(vec![row]);
        Ok(token)
    }
}
