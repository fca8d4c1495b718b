//! The configuration keys, with their names in files, as environment variables and as flags; and the environment
//! variables that are not keys.

/// The prefix of our environment variables.
pub(super) const PREFIX: &str = "UNDERLAY_";
/// The variable that names the configuration file.
pub(super) const FILE: &str = "UNDERLAY_CONFIG_FILE";
/// The variables for the commands that talk to a server.
pub(super) const OF_CLIENTS: [&str; 6] = [
    "UNDERLAY_SERVER",
    "UNDERLAY_CONTEXT",
    "UNDERLAY_CONFIG",
    "UNDERLAY_TOKEN",
    "UNDERLAY_TOKEN_FILE",
    // In this directory, a server publishes the path of its key to programs on the same machine.
    "UNDERLAY_RUN_DIR",
];

/// Defines the keys. Each has its name in files and, if it has one, its flag.
macro_rules! keys {
    ($($(#[doc = $doc:literal])+ $key:ident $name:literal $($flag:literal)?;)+) => {
        /// A key of the configuration.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Key {
            $($(#[doc = $doc])+ $key,)+
        }

        impl Key {
            /// All keys, in the order in which they are shown.
            pub const ALL: &[Self] = &[$(Self::$key,)+];

            /// Returns the name of the key in configuration files.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$key => $name,)+
                }
            }

            /// Returns the flag that sets the key, if there is one.
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
    /// The address and port on which the server listens.
    Listen "listen" "--listen";
    /// The directory that holds the data.
    DataDir "dataDir" "--data-dir";
    /// The URL of the database.
    Database "database" "--database";
    /// The time for which changes are kept.
    FeedRetention "feed.retention" "--feed-retention";
    /// The database on which to listen for changes of other processes.
    FeedListenUrl "feed.listenUrl" "--feed-listen-url";
    /// The longest time that a replica may be behind and still be ready.
    FeedMaxLag "feed.maxLag";
    /// The file of the shared secret with which tokens are signed.
    AuthSecretFile "auth.secretFile" "--auth-secret-file";
    /// The file of the public key that verifies tokens.
    AuthPublicKeyFile "auth.publicKeyFile" "--auth-public-key-file";
    /// The audience of tokens that the secret or the public key verifies.
    AuthAudience "auth.audience" "--auth-audience";
    /// The claim that holds the roles.
    AuthRolesClaim "auth.rolesClaim";
    /// The claim that names the actor.
    AuthActorClaim "auth.actorClaim";
    /// The role of the token that the web page gets.
    AuthPageRole "auth.pageRole";
    /// The issuers whose keys the server fetches.
    AuthIssuers "auth.issuers";
    /// The issuer at which people sign in to the console.
    ConsoleIssuer "console.issuer";
    /// The id of the console at this issuer.
    ConsoleClientId "console.clientId";
    /// The scopes that the console asks for.
    ConsoleScopes "console.scopes";
    /// The file of the TLS certificates.
    TlsCertificates "tls.certificates" "--tls-certificates";
    /// The file of the private key of the TLS certificates.
    TlsKey "tls.key" "--tls-key";
    /// The origins whose pages may read answers.
    Origins "origins";
    /// The networks whose addresses BMCs and appliances may have although they are reserved.
    HostsAllowedAddresses "hosts.allowedAddresses";
    /// The identities that identify no machine.
    HostsIgnoredIdentities "hosts.ignoredIdentities";
    /// The directory that holds the state of a controller of hosts.
    HostsStateDir "hosts.stateDir" "--hosts-state-dir";
    /// The time between two reports of an agent.
    FactsPeriod "facts.period" "--facts-period";
    /// The networks of the proxies that are believed about the connections of their clients.
    HttpTrustedProxies "http.trustedProxies";
    /// The file of the keys that encrypt secrets.
    SecretsKeyFile "secrets.keyFile" "--secrets-key-file";
    /// The keys that encrypt secrets.
    SecretsKeys "secrets.keys";
    /// The most bytes in the body of a request.
    LimitsBody "limits.body";
    /// The most bytes in a body if the caller may write batches.
    LimitsApplyBody "limits.applyBody";
    /// The most bytes of all bodies that are read or answered at a time.
    LimitsBodies "limits.bodies";
    /// The most bytes in an answer.
    LimitsAnswer "limits.answer";
    /// The most bytes of all answers that are computed or sent at a time.
    LimitsAnswers "limits.answers";
    /// The most lexical tokens in a document.
    LimitsTokens "limits.tokens";
    /// The greatest depth of nested fields.
    LimitsDepth "limits.depth";
    /// The most fields in a document. The fields of a fragment count wherever it is used.
    LimitsFields "limits.fields";
    /// The most values in the variables of a request, and in its arguments wherever they are used.
    LimitsValues "limits.values";
    /// The most steps that a filter takes on one list.
    LimitsSteps "limits.steps";
    /// The most objects that an answer can have, computed from the document.
    LimitsObjects "limits.objects";
    /// The most aliases in a document.
    LimitsAliases "limits.aliases";
    /// The most directives in a document.
    LimitsDirectives "limits.directives";
    /// The most items in a batch.
    LimitsItems "limits.items";
    /// The longest time that a query may take. Mutations may take longer.
    LimitsTimeout "limits.timeout";
    /// The most requests that run at a time.
    LimitsRequests "limits.requests";
    /// The most connections at a time.
    LimitsConnections "limits.connections";
    /// The most subscriptions of one caller at a time.
    LimitsSubscriptions "limits.subscriptions";
    /// True if clients may query the schema.
    LimitsIntrospection "limits.introspection";
}

impl Key {
    /// Returns the key whose value is at a path of the TOML, or contains what is at that path.
    pub(super) fn on_path(path: &[String]) -> Option<Self> {
        let leads_along = |key: &&Self| {
            let mut steps = path.iter();
            key.name().split('.').all(|part| steps.next().is_some_and(|step| step == part))
        };
        Self::ALL.iter().find(leads_along).copied()
    }

    /// Returns true if a table of the TOML has this name.
    pub(super) fn is_table(name: &str) -> bool {
        Self::ALL.iter().any(|key| key.name().split_once('.').is_some_and(|(table, _)| table == name))
    }

    /// Returns true if the value may contain a password, as the URL of a database may, or is secret itself.
    pub(super) const fn may_hold_a_secret(self) -> bool {
        matches!(self, Self::Database | Self::FeedListenUrl) || self.is_secret()
    }

    /// Returns true if the whole value is secret.
    pub(super) const fn is_secret(self) -> bool {
        matches!(self, Self::SecretsKeys)
    }

    /// Returns the environment variable, such as `UNDERLAY_FEED_LISTEN_URL` for `feed.listenUrl`. Lists of tables have
    /// none, because only files can hold them.
    pub(super) fn variable(self) -> Option<String> {
        if self == Self::AuthIssuers {
            return None;
        }
        let mut variable = PREFIX.to_owned();
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
