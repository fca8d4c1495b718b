//! Tests of the encryption of secrets: what it is bound to, rotation, and keys that are not keys.

use super::*;

/// A key that consists of one repeated byte.
fn key(byte: u8) -> String {
    BASE64_STANDARD.encode([byte; KEY_BYTES])
}

fn keys(bytes: &[u8]) -> Keys {
    Keys::parse(&bytes.iter().map(|byte| key(*byte)).collect::<Vec<_>>().join("\n")).expect("keys")
}

fn sealed(keys: &Keys, object: u128, field: &str, value: &str) -> Model {
    let reference = SecretRef { object: Uuid::from_u128(object), field };
    keys.seal(reference, &SecretValue::new(value.to_owned()), DateTime::UNIX_EPOCH, "ann").expect("sealed")
}

fn opened(keys: &Keys, row: &Model) -> Result<String, SecretsError> {
    keys.open(row).map(SecretValue::into_text)
}

#[test]
fn a_secret_is_bound_to_its_key_object_and_field() {
    let one = keys(&[1]);
    for value in ["hunter2", "", "ä\u{1F600}\0\n", &"x".repeat(70_000)] {
        let row = sealed(&one, 7, "password", value);
        assert_eq!(opened(&one, &row).expect("opened"), value);
        assert!(!row.sealed.contains(value) || value.is_empty());
        let changed = [
            Model { object_id: Uuid::from_u128(8), ..row.clone() },
            Model { field: "passphrase".to_owned(), ..row.clone() },
            Model { sealed: flipped(&row.sealed), ..row.clone() },
            Model { sealed: String::new(), ..row.clone() },
            Model { sealed: "?".to_owned(), ..row.clone() },
        ];
        for row in changed {
            assert!(matches!(opened(&one, &row), Err(SecretsError::Damaged { .. })), "{row:?}");
        }
        assert!(matches!(opened(&keys(&[2]), &row), Err(SecretsError::UnknownKey { .. })));
        assert!(matches!(opened(&Keys::none(), &row), Err(SecretsError::UnknownKey { .. })));
    }
}

/// Flips the lowest bit of the last byte.
fn flipped(sealed: &str) -> String {
    let mut bytes = BASE64_STANDARD.decode(sealed).expect("Base64");
    *bytes.last_mut().expect("a tag") ^= 1;
    BASE64_STANDARD.encode(bytes)
}

#[test]
fn equal_values_are_recognised_in_their_place_only() {
    let one = keys(&[1]);
    let row = sealed(&one, 7, "password", "hunter2");
    let value = |text: &str| SecretValue::new(text.to_owned());
    assert!(one.is_equal(&row, &value("hunter2")) && !one.is_equal(&row, &value("hunter3")));
    assert!(!keys(&[2]).is_equal(&row, &value("hunter2")), "another key");
    let again = sealed(&one, 7, "password", "hunter2");
    assert!(again.sealed != row.sealed && again.digest == row.digest, "each encryption has a nonce of its own");
    let elsewhere = sealed(&one, 8, "password", "hunter2");
    assert_ne!(elsewhere.digest, row.digest, "equal passwords of two objects look different");
}

#[test]
fn a_new_first_key_encrypts_and_the_old_one_still_decrypts() {
    let old = sealed(&keys(&[1]), 7, "password", "hunter2");
    let both = keys(&[2, 1]);
    let renewed = both.renew(&old).expect("renewed");
    assert_eq!(renewed.key_id, keys(&[2]).current().expect("a key"));
    assert_eq!((renewed.set_at, renewed.set_by.as_str()), (old.set_at, "ann"));
    assert_eq!(opened(&keys(&[2]), &renewed).expect("opened"), "hunter2");
    assert!(both.is_equal(&old, &SecretValue::new("hunter2".to_owned())));
    assert!(matches!(keys(&[2]).renew(&old), Err(SecretsError::UnknownKey { .. })));
}

#[test]
fn an_invalid_key_is_refused_without_being_shown() {
    let (one, two) = (key(1), key(2));
    let many = (0..17).map(key).collect::<Vec<_>>().join(" ");
    for (text, expected) in [
        (String::new(), "there is no key"),
        ("# only a comment".to_owned(), "there is no key"),
        ("hunter2".to_owned(), "key 1 must be 32 bytes in Base64"),
        (format!("{one} hunter2"), "key 2 must be 32 bytes"),
        (BASE64_STANDARD.encode([1; 31]), "key 1 must be 32 bytes"),
        (BASE64_STANDARD.encode([1; 33]), "key 1 must be 32 bytes"),
        (format!("{one}\n{two}\n{one}"), "key 3 is the same as an earlier one"),
        (many, "there are 17 keys; at most 16"),
    ] {
        let error = Keys::parse(&text).expect_err("no keys").to_string();
        assert!(error.contains(expected) && !error.contains("hunter2") && !error.contains(&one), "{error}");
    }
    let written = format!("# the new one\n{two}\n\n# the old one\r\n{one}\r\n");
    assert_eq!(Keys::parse(&written).expect("keys").0.len(), 2);
}

/// The ids are in the database, and the derived keys decide what can be decrypted there.
#[test]
fn the_format_of_stored_secrets_never_changes() {
    let one = keys(&[1]);
    assert_eq!(one.current(), Some("9270ef2e00622746"));
    let row = Model {
        object_id: Uuid::from_u128(7),
        field: "password".to_owned(),
        key_id: "9270ef2e00622746".to_owned(),
        sealed: "AAECAwQFBgcICQoLeatyZ+IQE2zjtn6TvHNaflcVLSuceUc=".to_owned(),
        digest: "jNie5Rjgfj6Qbo9WK410ybXRVcxu+BoiFnY9T6pcEOA=".to_owned(),
        set_at: DateTime::UNIX_EPOCH,
        set_by: "ann".to_owned(),
    };
    assert_eq!(opened(&one, &row).expect("opened"), "hunter2");
    assert!(one.is_equal(&row, &SecretValue::new("hunter2".to_owned())));
}

#[cfg(unix)]
#[test]
fn a_file_of_keys_is_for_its_owner_only() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("keys");
    assert!(matches!(Keys::in_file(&file), Err(KeysError::Unreadable { .. })));
    std::fs::write(&file, key(1)).expect("write");
    let mode = |mode| std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).expect("chmod");
    for open in [0o644, 0o640, 0o604, 0o620] {
        mode(open);
        assert!(matches!(Keys::in_file(&file), Err(KeysError::Open { .. })), "{open:o}");
    }
    mode(0o400);
    assert_eq!(Keys::in_file(&file).expect("keys").0.len(), 1);
    assert!(!format!("{:?}", Keys::in_file(&file)).contains(&key(1)));
}
