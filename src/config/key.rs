//! What can be configured, and what each is called: in files, as a variable of the environment, as a flag.

/// The keys, each with its name in files and its flag, if it has one.
macro_rules! keys {
    ($($(#[doc = $doc:literal])+ $key:ident $name:literal $($flag:literal)?;)+) => {
        /// Something that can be configured.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Key {
            $($(#[doc = $doc])+ $key,)+
        }

        impl Key {
            /// All of them, in the order in which they are shown.
            pub const ALL: &[Self] = &[$(Self::$key,)+];

            /// What it is called in files.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$key => $name,)+
                }
            }

            /// The flag.
            pub(super) const fn flag(self) -> Option<&'static str> {
                match self {
                    $(Self::$key => keys!(@flag $($flag)?),)+
                }
            }
        }
    };
    (@flag) => { None };
    (@flag $flag:literal) => { Some($flag) };
}

keys! {
    /// Where the server listens.
    Listen "listen" "--listen";
    /// Where data is kept.
    DataDir "dataDir" "--data-dir";
    /// The database.
    Database "database" "--database";
    /// For how long changes are kept.
    FeedRetention "feed.retention" "--feed-retention";
    /// Where to listen for what other processes write.
    FeedListenUrl "feed.listenUrl" "--feed-listen-url";
    /// How long a replica may be behind and be ready all the same.
    FeedMaxLag "feed.maxLag";
    /// The file of the secret that tokens are signed with.
    AuthSecretFile "auth.secretFile" "--auth-secret-file";
    /// The file of the public key that tokens are verified with.
    AuthPublicKeyFile "auth.publicKeyFile" "--auth-public-key-file";
    /// For whom tokens must be that are verified with one of these.
    AuthAudience "auth.audience" "--auth-audience";
    /// The claim of the roles.
    AuthRolesClaim "auth.rolesClaim";
    /// The claim of who it is.
    AuthActorClaim "auth.actorClaim";
    /// The role of the token that the page for browsers gets.
    AuthPageRole "auth.pageRole";
    /// The issuers whose keys are fetched.
    AuthIssuers "auth.issuers";
    /// The file of the certificates.
    TlsCertificates "tls.certificates" "--tls-certificates";
    /// The file of their private key.
    TlsKey "tls.key" "--tls-key";
    /// Origins whose pages are answered.
    Origins "origins";
    /// How many bytes a body may have.
    LimitsBody "limits.body";
    /// How many bytes a body may have of somebody who may write batches.
    LimitsApplyBody "limits.applyBody";
    /// How many bytes all bodies may have that are read at a time.
    LimitsBodies "limits.bodies";
    /// How many bytes an answer may have.
    LimitsAnswer "limits.answer";
    /// How many bytes all answers may have that are worked out or sent at a time.
    LimitsAnswers "limits.answers";
    /// How many lexical tokens a document may have.
    LimitsTokens "limits.tokens";
    /// How deep fields may stand in each other.
    LimitsDepth "limits.depth";
    /// How many fields a document may have, those of fragments wherever they are used.
    LimitsFields "limits.fields";
    /// How many objects an answer may have, as far as the document says.
    LimitsObjects "limits.objects";
    /// How many aliases a document may have.
    LimitsAliases "limits.aliases";
    /// How many directives a document may have.
    LimitsDirectives "limits.directives";
    /// How many items a batch may have.
    LimitsItems "limits.items";
    /// How long a request may take.
    LimitsTimeout "limits.timeout";
    /// How many requests may run at a time.
    LimitsRequests "limits.requests";
    /// How many connections there may be at a time.
    LimitsConnections "limits.connections";
    /// How many subscriptions a token may have at a time.
    LimitsSubscriptions "limits.subscriptions";
    /// Whether the schema can be asked for.
    LimitsIntrospection "limits.introspection";
}

impl Key {
    /// The variable: `UNDERLAY_FEED_LISTEN_URL` for `feed.listenUrl`; none for lists of tables, which only files hold.
    pub(super) fn variable(self) -> Option<String> {
        if self == Self::AuthIssuers {
            return None;
        }
        let mut variable = super::PREFIX.to_owned();
        for character in self.name().chars() {
            match character {
                '.' => variable.push('_'),
                upper if upper.is_ascii_uppercase() => {
                    variable.push('_');
                    variable.push(upper);
                }
                other => variable.push(other.to_ascii_uppercase()),
            }
        }
        Some(variable)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_named_after_keys() {
        let named = |key: Key| key.variable();
        assert_eq!(named(Key::FeedListenUrl).as_deref(), Some("UNDERLAY_FEED_LISTEN_URL"));
        assert_eq!(named(Key::DataDir).as_deref(), Some("UNDERLAY_DATA_DIR"));
        assert_eq!(named(Key::AuthIssuers), None);
    }
}
