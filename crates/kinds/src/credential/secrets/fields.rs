//! The secrets that each type of credential has, with their bounds and forms.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::Value as Json;
use underlay_entity::credential::CredentialType;

use super::kubeconfig;

/// A secret that credentials of a type have. Its name is stored.
#[derive(Clone, Copy, Debug)]
pub struct SecretField {
    /// The name in the API and in the database.
    pub name: &'static str,
    /// The greatest size in bytes.
    most: usize,
    form: Form,
}

/// The form of a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// A line of text.
    Line,
    /// Certificates or keys in PEM.
    Pem,
    JsonObject,
    /// Bytes in Base64.
    Base64,
    Kubeconfig,
}

const KIB: usize = 1024;
const PRIVATE_KEY: SecretField = SecretField { name: "privateKey", most: 64 * KIB, form: Form::Pem };

/// Returns the secrets that credentials of a type have.
pub const fn fields(ty: CredentialType) -> &'static [SecretField] {
    match ty {
        CredentialType::Basic => &[SecretField { name: "password", most: KIB, form: Form::Line }],
        CredentialType::Token => &[SecretField { name: "token", most: 16 * KIB, form: Form::Line }],
        CredentialType::Tls => &[SecretField { name: "certificate", most: 64 * KIB, form: Form::Pem }, PRIVATE_KEY],
        CredentialType::SshKey => &[PRIVATE_KEY, SecretField { name: "passphrase", most: KIB, form: Form::Line }],
        CredentialType::PullSecret => &[SecretField { name: "pullSecret", most: 64 * KIB, form: Form::JsonObject }],
        CredentialType::Kubeconfig => &[SecretField { name: "kubeconfig", most: 64 * KIB, form: Form::Kubeconfig }],
        CredentialType::Tsig => &[SecretField { name: "key", most: KIB, form: Form::Base64 }],
    }
}

impl SecretField {
    /// Checks a value. The reason contains nothing of it.
    pub fn check(&self, value: &str) -> Result<(), String> {
        if value.is_empty() {
            return Err("must not be empty; null removes the secret".to_owned());
        }
        if value.len() > self.most {
            return Err(format!("has {} bytes; at most {} are allowed", value.len(), self.most));
        }
        match self.form {
            Form::Line if value.chars().any(char::is_control) => {
                Err("must be one line, without control characters".to_owned())
            }
            Form::Pem if !value.contains("-----BEGIN ") => Err("must be in PEM form: -----BEGIN …".to_owned()),
            Form::JsonObject if !serde_json::from_str::<Json>(value).is_ok_and(|json| json.is_object()) => {
                Err("must be a JSON object".to_owned())
            }
            Form::Base64 if BASE64_STANDARD.decode(value).is_err() => Err("must be in Base64".to_owned()),
            Form::Kubeconfig => kubeconfig::check(value),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sea_orm::Iterable as _;

    /// The names are stored, so they never change.
    #[test]
    fn the_secrets_of_each_type_are_pinned() {
        let names = |ty: CredentialType| fields(ty).iter().map(|field| field.name).collect::<Vec<_>>().join(" ");
        let all: Vec<String> = CredentialType::iter().map(|ty| format!("{ty:?}: {}", names(ty))).collect();
        let expected = [
            "Basic: password",
            "Token: token",
            "Tls: certificate privateKey",
            "SshKey: privateKey passphrase",
            "PullSecret: pullSecret",
            "Kubeconfig: kubeconfig",
            "Tsig: key",
        ];
        assert_eq!(all, expected);
    }

    #[test]
    fn each_secret_has_a_form_and_no_reason_shows_the_value() {
        use CredentialType::{Basic, Kubeconfig, PullSecret, SshKey, Tls, Token, Tsig};
        let token = r#"{"clusters": [{"name": "a", "cluster": {"server": "https://a"}}], "users": [{"name": "u", "user": {"token": "hunter2"}}]}"#;
        let yaml =
            "clusters:\n- name: a\n  cluster: {server: https://a}\nusers:\n- name: u\n  user: {token: hunter2}\n";
        let user = |user: &str| format!("clusters: []\nusers:\n- name: hunter2\n  user: {{{user}: hunter2}}\n");
        let cluster = "users: []\nclusters: [{cluster: {certificate-authority: hunter2}}]\n";
        let long = format!("hunter2{}", "x".repeat(70_000));
        for (ty, field, value, expected) in [
            (Basic, "password", "hunter2 ä", ""),
            (Basic, "password", "", "must not be empty"),
            (Basic, "password", "hunter2\n", "must be one line"),
            (Basic, "password", long.as_str(), "has 70007 bytes; at most 1024 are allowed"),
            (Token, "token", &long[..16 * KIB], ""),
            (Token, "token", &long[..16 * KIB + 1], "at most 16384"),
            (Tls, "certificate", "-----BEGIN CERTIFICATE-----\nhunter2", ""),
            (Tls, "privateKey", "hunter2", "must be in PEM form"),
            (SshKey, "privateKey", "-----BEGIN OPENSSH PRIVATE KEY-----\n", ""),
            (SshKey, "passphrase", "hunter2", ""),
            (PullSecret, "pullSecret", r#"{"auths": {}}"#, ""),
            (PullSecret, "pullSecret", "[\"hunter2\"]", "must be a JSON object"),
            (PullSecret, "pullSecret", "hunter2", "must be a JSON object"),
            (Tsig, "key", "aHVudGVyMg==", ""),
            (Tsig, "key", "hunter2!", "must be in Base64"),
            (Kubeconfig, "kubeconfig", token, ""),
            (Kubeconfig, "kubeconfig", yaml, ""),
            (Kubeconfig, "kubeconfig", "hunter2: [", "cannot be read"),
            (Kubeconfig, "kubeconfig", "hunter2", "must be a kubeconfig"),
            (Kubeconfig, "kubeconfig", "clusters: []", "must have a list of users"),
            (Kubeconfig, "kubeconfig", &format!("{yaml}---\n{yaml}"), "must be one document"),
            (Kubeconfig, "kubeconfig", &user("exec"), "must not name a program: users[0].user.exec"),
            (Kubeconfig, "kubeconfig", &user("auth-provider"), "must not name a program: users[0].user.auth-provider"),
            (
                Kubeconfig,
                "kubeconfig",
                &user("client-key"),
                "must not name a file: users[0].user.client-key; give its content as client-key-data",
            ),
            (Kubeconfig, "kubeconfig", &user("client-certificate"), "must not name a file"),
            (Kubeconfig, "kubeconfig", &user("tokenFile"), "give its content as token instead"),
            (Kubeconfig, "kubeconfig", cluster, "must not name a file: clusters[0].cluster.certificate-authority"),
        ] {
            let field = fields(ty).iter().find(|it| it.name == field).expect("a field");
            let reason = field.check(value).err().unwrap_or_default();
            assert!(
                reason.contains(expected) && reason.is_empty() == expected.is_empty(),
                "{ty:?} {value:.40}: {reason}"
            );
            assert!(!reason.contains("hunter2"), "{reason}");
        }
    }
}
