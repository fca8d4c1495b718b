//! The keys that encrypt secrets. Each is 32 random bytes, from which a key for encryption, a key for digests and an id
//! are derived, so that the three have nothing to do with each other.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use aws_lc_rs::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use aws_lc_rs::hkdf::{HKDF_SHA256, Prk, Salt};
use aws_lc_rs::hmac::{self, HMAC_SHA256};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use chrono::{DateTime, Utc};
use underlay_entity::secret::Model;
use uuid::Uuid;

use super::error::{KeysError, SecretsError};
use super::value::SecretValue;

/// The number of bytes of a key.
const KEY_BYTES: usize = 32;
/// The number of bytes of a key's id.
const ID_BYTES: usize = 8;
/// The greatest number of keys.
const MAX_KEYS: usize = 16;
/// The largest file of keys, in bytes.
const MAX_FILE_BYTES: u64 = 64 * 1024;
/// The beginning of what a ciphertext is bound to. It names the format.
const FORMAT: &[u8] = b"underlay-secret-1\0";

/// The reference to a secret, to which its ciphertext is bound.
#[derive(Clone, Copy, Debug)]
pub struct SecretRef<'a> {
    /// The object of the secret.
    pub object: Uuid,
    /// The name of the secret within its object.
    pub field: &'a str,
}

impl SecretRef<'_> {
    /// Returns the bytes that stand for the reference. The field comes last, so no two references have the same bytes.
    fn bytes(self) -> Vec<u8> {
        [FORMAT, self.object.as_bytes(), self.field.as_bytes()].concat()
    }
}

/// The configured keys. The first encrypts, and all decrypt. Cloning is cheap.
#[derive(Clone, Default)]
pub struct Keys(Arc<[Key]>);

struct Key {
    id: String,
    cipher: LessSafeKey,
    digest: hmac::Key,
}

impl fmt::Debug for Keys {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_list().entries(self.0.iter().map(|key| &key.id)).finish()
    }
}

impl Keys {
    /// Returns no keys.
    pub fn none() -> Self {
        Self::default()
    }

    /// Reads keys from a text: each is 32 bytes in Base64, with spaces or line breaks between them. A line that begins
    /// with `#` is a comment.
    ///
    /// # Errors
    /// Returns an error if there is no key, or one is not a key.
    pub fn parse(text: &str) -> Result<Self, KeysError> {
        let lines = text.lines().filter(|line| !line.trim_start().starts_with('#'));
        let words: Vec<&str> =
            lines.flat_map(|line| line.split([' ', '\t', ','])).filter(|it| !it.is_empty()).collect();
        if words.is_empty() {
            return Err(KeysError::Empty);
        }
        if words.len() > MAX_KEYS {
            return Err(KeysError::TooMany { found: words.len(), most: MAX_KEYS });
        }
        let mut keys: Vec<Key> = Vec::with_capacity(words.len());
        for (number, word) in words.into_iter().enumerate().map(|(at, word)| (at + 1, word)) {
            let bytes = BASE64_STANDARD.decode(word.trim()).ok().filter(|bytes| bytes.len() == KEY_BYTES);
            let bytes = bytes.ok_or(KeysError::Form { number })?;
            let key = Key::derive(&bytes).ok_or(KeysError::Unusable { number })?;
            if keys.iter().any(|other| other.id == key.id) {
                return Err(KeysError::Twice { number });
            }
            keys.push(key);
        }
        Ok(Self(keys.into()))
    }

    /// Reads keys from a file, which only its owner may read.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, others may read it, or it holds no keys.
    pub fn in_file(path: &Path) -> Result<Self, KeysError> {
        let file = path.display().to_string();
        let unreadable = |error| KeysError::Unreadable { file: file.clone(), error };
        let found = std::fs::metadata(path).map_err(unreadable)?;
        if !is_private(&found) {
            return Err(KeysError::Open { file });
        }
        if found.len() > MAX_FILE_BYTES {
            return Err(KeysError::TooLarge { file, most: MAX_FILE_BYTES });
        }
        Self::parse(&std::fs::read_to_string(path).map_err(unreadable)?)
    }

    /// Returns true if there are no keys.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the id of the key that encrypts.
    pub(super) fn current(&self) -> Option<&str> {
        self.0.first().map(|key| key.id.as_str())
    }

    /// Returns true if there is a key with this id.
    pub(super) fn knows(&self, id: &str) -> bool {
        self.find(id).is_some()
    }

    fn find(&self, id: &str) -> Option<&Key> {
        self.0.iter().find(|key| key.id == id)
    }

    /// Returns the row of a secret, encrypted with the first key.
    pub(super) fn seal(
        &self,
        reference: SecretRef<'_>,
        value: &SecretValue,
        at: DateTime<Utc>,
        actor: &str,
    ) -> Result<Model, SecretsError> {
        let key = self.0.first().ok_or(SecretsError::NoKey)?;
        Ok(Model {
            object_id: reference.object,
            field: reference.field.to_owned(),
            key_id: key.id.clone(),
            sealed: key.seal(reference, value)?,
            digest: BASE64_STANDARD.encode(key.digest(reference, value)),
            set_at: at,
            set_by: actor.to_owned(),
        })
    }

    /// Returns the value of a secret.
    pub(super) fn open(&self, row: &Model) -> Result<SecretValue, SecretsError> {
        let unknown = || SecretsError::UnknownKey { field: row.field.clone(), key_id: row.key_id.clone() };
        let key = self.find(&row.key_id).ok_or_else(unknown)?;
        key.open(row).ok_or_else(|| SecretsError::Damaged { field: row.field.clone() })
    }

    /// Returns the row of a secret, encrypted anew with the first key.
    pub(super) fn renew(&self, row: &Model) -> Result<Model, SecretsError> {
        let value = self.open(row)?;
        let reference = SecretRef { object: row.object_id, field: &row.field };
        self.seal(reference, &value, row.set_at, &row.set_by)
    }

    /// Returns true if a secret is known to have this value. The value is not decrypted.
    pub(super) fn is_equal(&self, row: &Model, value: &SecretValue) -> bool {
        let reference = SecretRef { object: row.object_id, field: &row.field };
        let (Some(key), Ok(digest)) = (self.find(&row.key_id), BASE64_STANDARD.decode(&row.digest)) else {
            return false;
        };
        hmac::verify(&key.digest, &message(reference, value), &digest).is_ok()
    }
}

impl Key {
    /// Derives the keys for encryption and digests, and the id, from the configured bytes.
    fn derive(bytes: &[u8]) -> Option<Self> {
        let prk = Salt::new(HKDF_SHA256, b"underlay secrets 1").extract(bytes);
        let id = expand(&prk, b"id")?[..ID_BYTES].iter().map(|byte| format!("{byte:02x}")).collect();
        let cipher = UnboundKey::new(&AES_256_GCM, &expand(&prk, b"encrypt")?).ok()?;
        let digest = hmac::Key::new(HMAC_SHA256, &expand(&prk, b"digest")?);
        Some(Self { id, cipher: LessSafeKey::new(cipher), digest })
    }

    fn seal(&self, reference: SecretRef<'_>, value: &SecretValue) -> Result<String, SecretsError> {
        let mut nonce = [0; NONCE_LEN];
        aws_lc_rs::rand::fill(&mut nonce).map_err(|_| SecretsError::NoChance)?;
        let mut sealed = value.expose().as_bytes().to_vec();
        let aad = Aad::from(reference.bytes());
        let unique = Nonce::assume_unique_for_key(nonce);
        self.cipher.seal_in_place_append_tag(unique, aad, &mut sealed).map_err(|_| SecretsError::NoChance)?;
        Ok(BASE64_STANDARD.encode([&nonce, sealed.as_slice()].concat()))
    }

    fn open(&self, row: &Model) -> Option<SecretValue> {
        let bytes = BASE64_STANDARD.decode(&row.sealed).ok()?;
        let (nonce, sealed) = bytes.split_at_checked(NONCE_LEN)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).ok()?;
        let aad = Aad::from(SecretRef { object: row.object_id, field: &row.field }.bytes());
        let mut sealed = sealed.to_vec();
        let value = self.cipher.open_in_place(nonce, aad, &mut sealed).ok()?;
        String::from_utf8(value.to_vec()).ok().map(SecretValue::new)
    }

    fn digest(&self, reference: SecretRef<'_>, value: &SecretValue) -> hmac::Tag {
        hmac::sign(&self.digest, &message(reference, value))
    }
}

/// Returns what the digest of a secret is about: its reference and its value. The length of the reference keeps them
/// apart.
fn message(reference: SecretRef<'_>, value: &SecretValue) -> Vec<u8> {
    let reference = reference.bytes();
    [&(reference.len() as u64).to_be_bytes(), reference.as_slice(), value.expose().as_bytes()].concat()
}

fn expand(prk: &Prk, purpose: &[u8]) -> Option<[u8; KEY_BYTES]> {
    let mut bytes = [0; KEY_BYTES];
    prk.expand(&[purpose], HKDF_SHA256).ok()?.fill(&mut bytes).ok()?;
    Some(bytes)
}

#[cfg(unix)]
fn is_private(found: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    // The mode of a pipe does not show who can read.
    !found.is_file() || found.permissions().mode() & 0o077 == 0
}

/// Other systems keep the directories of users private.
#[cfg(not(unix))]
fn is_private(_: &std::fs::Metadata) -> bool {
    true
}

#[cfg(test)]
#[path = "keys_tests.rs"]
mod tests;
