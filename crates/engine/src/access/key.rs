//! Keys that are not fetched: the key that a server generates for itself, and the keys that its operator provides.

use std::io;
use std::path::Path;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use jsonwebtoken::errors::ErrorKind;
use jsonwebtoken::{Algorithm, AlgorithmFamily, DecodingKey, EncodingKey};
use rand::TryRngCore as _;
use rand::rngs::OsRng;
use thiserror::Error;
use underlay_durable::{Durability, create_file};

use super::token::{self, Grant, OWN};

/// The name of the key file in the data directory.
const FILE: &str = "signing.key";
/// The number of random bytes in a server's own key.
const KEY_BYTES: usize = 32;
/// The least number of bytes in a shared secret: as many as the shortest digest has (RFC 7518, section 3.2).
const MIN_SECRET_BYTES: usize = 32;
/// The largest key file that is read, in bytes. Every real key is smaller.
const MAX_KEY_FILE_BYTES: u64 = 64 * 1024;

/// A reason why a key cannot be used.
#[derive(Debug, Error)]
pub enum KeyError {
    #[error("the key {file} cannot be read: {error}")]
    Unreadable { file: String, error: io::Error },
    #[error("the key {file} cannot be written: {error}")]
    Unwritable { file: String, error: io::Error },
    #[error("other users may read the key {file}; run chmod 600 {file}, and replace the key if others have read it")]
    Open { file: String },
    #[error(
        "{file} does not contain a key; delete it, and the next start makes a new key. Tokens that the old key signed are invalid then"
    )]
    Damaged { file: String },
    #[error("a shared secret must have at least {MIN_SECRET_BYTES} bytes, but {what} has {bytes}")]
    Short { what: String, bytes: usize },
    #[error(
        "{file} does not contain a public key in PEM form; allowed are RSA, ECDSA with P-256 or P-384, and Ed25519"
    )]
    NoPublicKey { file: String },
    #[error("the operating system's random number generator failed: {0}")]
    NoChance(String),
    #[error("a token cannot be signed: {0}")]
    Sign(String),
}

/// The key that a server generated for itself. It is never shown or logged.
#[derive(Clone)]
pub struct SigningKey {
    secret: Vec<u8>,
}

impl SigningKey {
    /// Returns the key in a data directory. Generates the key if there is none.
    ///
    /// # Errors
    /// Returns an error if the key cannot be read or generated, or if other users may read it.
    pub fn of(folder: &Path) -> Result<Self, KeyError> {
        let path = folder.join(FILE);
        if !path.exists() {
            make(&path)?;
        }
        Self::read(&path)
    }

    /// Reads the key in a file.
    ///
    /// # Errors
    /// Returns an error if the file holds no key, or if other users may read it.
    pub fn read(path: &Path) -> Result<Self, KeyError> {
        let file = path.display().to_string();
        only_for_us(path)?;
        let text = read(path)?;
        match BASE64_STANDARD.decode(text.trim_ascii()) {
            Ok(secret) if secret.len() == KEY_BYTES => Ok(Self { secret }),
            _ => Err(KeyError::Damaged { file }),
        }
    }

    /// Returns the path of the key file in a data directory.
    pub fn file(folder: &Path) -> std::path::PathBuf {
        folder.join(FILE)
    }

    /// Signs a token for a grant.
    ///
    /// # Errors
    /// Returns an error if the library cannot sign the token.
    pub fn sign(&self, grant: &Grant) -> Result<String, KeyError> {
        let key = EncodingKey::from_secret(&self.secret);
        token::sign(grant, &key).map_err(|error| KeyError::Sign(error.to_string()))
    }

    /// Returns the key that verifies the tokens.
    pub fn verifying(&self) -> VerifyingKey {
        VerifyingKey {
            key: DecodingKey::from_secret(&self.secret),
            algorithms: vec![Algorithm::HS256],
            issuer: Some(OWN.to_owned()),
            audience: Some(OWN.to_owned()),
        }
    }
}

/// Generates the key file. If another process has created the file meanwhile, that file stays.
fn make(path: &Path) -> Result<(), KeyError> {
    let unwritable = |error| KeyError::Unwritable { file: path.display().to_string(), error };
    let mut secret = [0; KEY_BYTES];
    OsRng.try_fill_bytes(&mut secret).map_err(|error| KeyError::NoChance(error.to_string()))?;
    let text = format!("{}\n", BASE64_STANDARD.encode(secret));
    match create_file(path, Durability::Content, text.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(unwritable(error)),
        _ => Ok(()),
    }
}

fn read(path: &Path) -> Result<Vec<u8>, KeyError> {
    let unreadable = |error| KeyError::Unreadable { file: path.display().to_string(), error };
    let length = std::fs::metadata(path).map_err(unreadable)?.len();
    if length > MAX_KEY_FILE_BYTES {
        return Err(unreadable(io::Error::other(format!(
            "it has {length} bytes; at most {MAX_KEY_FILE_BYTES} are read"
        ))));
    }
    std::fs::read(path).map_err(unreadable)
}

#[cfg(unix)]
fn only_for_us(path: &Path) -> Result<(), KeyError> {
    use std::os::unix::fs::PermissionsExt;
    let file = path.display().to_string();
    match std::fs::metadata(path) {
        Ok(found) if found.permissions().mode() & 0o077 == 0 => Ok(()),
        Ok(_) => Err(KeyError::Open { file }),
        Err(error) => Err(KeyError::Unreadable { file, error }),
    }
}

/// Other systems keep the directories of users private.
#[cfg(not(unix))]
fn only_for_us(_: &Path) -> Result<(), KeyError> {
    Ok(())
}

/// A key that verifies tokens, with the issuer and the audience that they must name.
#[derive(Clone)]
pub struct VerifyingKey {
    pub(super) key: DecodingKey,
    pub(super) algorithms: Vec<Algorithm>,
    pub(super) issuer: Option<String>,
    pub(super) audience: Option<String>,
}

impl VerifyingKey {
    /// Creates a key from a shared secret. Its tokens may name any issuer, but must name the audience if there is one.
    ///
    /// # Errors
    /// Returns an error if the secret is too short.
    pub fn secret(what: &str, secret: &[u8], audience: Option<String>) -> Result<Self, KeyError> {
        if secret.len() < MIN_SECRET_BYTES {
            return Err(KeyError::Short { what: what.to_owned(), bytes: secret.len() });
        }
        let algorithms = vec![Algorithm::HS256, Algorithm::HS384, Algorithm::HS512];
        Ok(Self { key: DecodingKey::from_secret(secret), algorithms, issuer: None, audience })
    }

    /// Reads the shared secret in a file, without the line break at its end.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or the secret is too short.
    pub fn secret_in(path: &Path, audience: Option<String>) -> Result<Self, KeyError> {
        let text = read(path)?;
        let secret = text.strip_suffix(b"\n").unwrap_or(&text);
        Self::secret(&path.display().to_string(), secret.strip_suffix(b"\r").unwrap_or(secret), audience)
    }

    /// Reads the public key in a PEM file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or holds no public key.
    pub fn public_in(path: &Path, audience: Option<String>) -> Result<Self, KeyError> {
        let text = read(path)?;
        let no_key = || KeyError::NoPublicKey { file: path.display().to_string() };
        // The library would accept a private key, but a private key should not be on this server.
        if String::from_utf8_lossy(&text).contains("PRIVATE KEY") {
            return Err(no_key());
        }
        let kinds = [DecodingKey::from_rsa_pem, DecodingKey::from_ec_pem, DecodingKey::from_ed_pem];
        let key = kinds.into_iter().find_map(|read| read(&text).ok()).ok_or_else(no_key)?;
        let algorithms = asymmetric(key.family());
        Ok(Self { key, algorithms, issuer: None, audience })
    }
}

/// Returns the algorithms of a public key's family. An algorithm with the wrong curve or digest for the key verifies
/// nothing.
pub(super) fn asymmetric(family: AlgorithmFamily) -> Vec<Algorithm> {
    match family {
        AlgorithmFamily::Hmac => Vec::new(),
        other => other.algorithms().to_vec(),
    }
}

/// Translates an error of the JWT library.
pub(super) fn token_error(error: &jsonwebtoken::errors::Error) -> super::TokenError {
    use super::TokenError;
    match error.kind() {
        ErrorKind::InvalidSignature => TokenError::Signature,
        ErrorKind::ExpiredSignature => TokenError::Expired,
        ErrorKind::ImmatureSignature => TokenError::NotYet,
        ErrorKind::InvalidAudience => TokenError::Audience,
        ErrorKind::InvalidIssuer => TokenError::UnknownIssuer,
        ErrorKind::InvalidAlgorithm | ErrorKind::InvalidAlgorithmName => TokenError::Algorithm,
        ErrorKind::MissingRequiredClaim(claim) => TokenError::Claim(claim.clone()),
        ErrorKind::InvalidClaimFormat(claim) => TokenError::Claim(claim.clone()),
        _ => TokenError::NoJwt,
    }
}
