use std::ffi::OsString;

use super::show::masked;
use super::*;

/// Sources without a file: the usual file of the user who runs the tests must not be read.
fn sources(flags: &[(Key, &str)], variables: &[(&str, &str)], file: &str) -> (Sources, tempfile::NamedTempFile) {
    let named = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(named.path(), file).expect("a file");
    let flags = flags.iter().map(|(key, value)| (*key, (*value).to_owned())).collect();
    let variables = variables.iter().map(|(name, value)| (OsString::from(name), OsString::from(value))).collect();
    (Sources { file: Some(named.path().to_owned()), flags, variables }, named)
}

fn shown(flags: &[(Key, &str)], variables: &[(&str, &str)], file: &str) -> Result<String, String> {
    let (sources, named) = sources(flags, variables, file);
    let settings = load(&sources).and_then(|settings| settings.show());
    let settings = settings.map_err(|error| error.to_string().replace(&named.path().display().to_string(), "FILE"))?;
    let rows = settings.lines().map(|row| row.split_whitespace().collect::<Vec<_>>().join(" "));
    // There are many limits, and they are as they are unless a test says otherwise.
    let rows = rows.filter(|row| {
        !(row.ends_with("# default")
            && (["limits.", "auth.", "facts.", "feed.maxLag"].iter().any(|it| row.starts_with(it))))
    });
    Ok(rows.collect::<Vec<_>>().join("\n").replace(&named.path().display().to_string(), "FILE"))
}

#[test]
fn later_sources_override_earlier_ones_and_are_shown() {
    let folder = [("UNDERLAY_DATA_DIR", "/data")];
    let in_folder = "database = \"sqlite:///data/underlay.db\" # default, in dataDir";
    let kept = "feed.retention = \"400d\" # default";
    for (flags, variables, file, expected) in [
        (
            &[][..],
            &folder[..],
            "",
            format!(
                "listen = \"127.0.0.1:8080\" # default\ndataDir = \"/data\" # variable UNDERLAY_DATA_DIR\n{in_folder}"
            ),
        ),
        (&[], &folder[..], "listen = \"[::1]:1\"\ndataDir = \"/file\"", {
            format!("listen = \"[::1]:1\" # FILE\ndataDir = \"/data\" # variable UNDERLAY_DATA_DIR\n{in_folder}")
        }),
        (
            &[(Key::Listen, "127.0.0.1:0"), (Key::DataDir, "/data")],
            &[("UNDERLAY_LISTEN", "127.0.0.1:9"), ("UNDERLAY_DATA_DIR", "")],
            "",
            { format!("listen = \"127.0.0.1:0\" # flag --listen\ndataDir = \"/data\" # flag --data-dir\n{in_folder}") },
        ),
        (
            &[(Key::DataDir, "/d")],
            &[("UNDERLAY_DATABASE", "postgres://u:secret@h/db")],
            "database = \"sqlite:///x\"",
            {
                "listen = \"127.0.0.1:8080\" # default\ndataDir = \"/d\" # flag --data-dir\n\
             database = \"postgres://u:***@h/db\" # variable UNDERLAY_DATABASE"
                    .to_owned()
            },
        ),
    ] {
        assert_eq!(shown(flags, variables, file), Ok(format!("{expected}\n{kept}")));
    }
}

#[test]
fn unknown_keys_are_refused() {
    for (variables, file, expected) in [
        (
            &[][..],
            "data-dir = \"/x\"",
            "FILE: there is no key \"data-dir\"; allowed: listen, dataDir, database, feed.retention",
        ),
        (&[], "[server]\nlisten = \"x\"", "FILE: there is no key \"server\"; "),
        (
            &[("UNDERLAY_LISTN", "x")],
            "",
            "there is no variable UNDERLAY_LISTN; allowed: UNDERLAY_LISTEN, UNDERLAY_DATA_DIR, ",
        ),
        (&[("UNDERLAY_PORT", "8080")], "", "there is no variable UNDERLAY_PORT; "),
        (&[], "listen = 5", "listen (FILE) must be text in quotation marks"),
        (&[], "listen = \"x", "FILE is not TOML: "),
        (
            &[("UNDERLAY_LISTEN", "8080")],
            "",
            "listen (variable UNDERLAY_LISTEN) must be an address and a port, such as 127.0.0.1:8080, not \"8080\"",
        ),
        (&[], "dataDir = \"\"", "dataDir (FILE) must be the path of a directory, not \"\""),
        (&[], "[feed]\nretain = \"1d\"", "FILE: there is no key \"feed.retain\"; allowed: "),
        (&[], "feed = \"400d\"", "FILE: there is no key \"feed\"; allowed: "),
        (
            &[("UNDERLAY_FEED_LISTEN_URL", "sqlite:///x.db")],
            "",
            "feed.listenUrl (variable UNDERLAY_FEED_LISTEN_URL) must be the URL of a PostgreSQL database",
        ),
        (&[], "[limits]\nbody = 0", "limits.body (FILE) must be a whole number from 1 to "),
        (&[("UNDERLAY_LIMITS_TIMEOUT", "1h")], "", "limits.timeout (variable UNDERLAY_LIMITS_TIMEOUT) must be seconds"),
        (&[], "limits.introspection = 1", "limits.introspection (FILE) must be true or false"),
        (&[], "tls.key = \"x\"", "tls.certificates and tls.key belong together"),
        (&[], "console.issuer = \"https://id.example\"", "console.issuer and console.clientId belong together"),
        (&[("UNDERLAY_CONSOLE_SCOPES", "openid")], "", "console.issuer and console.clientId belong together"),
        (
            &[],
            "[console]\nissuer = \"http://id.example\"\nclientId = \"c\"",
            "console.issuer: \"http://id.example\" must be a URL of the form https://HOST/PATH",
        ),
        (
            &[],
            "[console]\nissuer = \"https://id.example\"\nclientId = \"c\"",
            "console.issuer (FILE): \"https://id.example\" must be one of auth.issuers",
        ),
        (&[("UNDERLAY_ORIGINS", "https://a.example *")], "", "origins (variable UNDERLAY_ORIGINS) must be an origin"),
        (
            &[("UNDERLAY_HOSTS_ALLOWED_ADDRESSES", "127.0.0.0/8 10.0.0.0/40")],
            "",
            "hosts.allowedAddresses (variable UNDERLAY_HOSTS_ALLOWED_ADDRESSES) must be an IP address or a network",
        ),
        (
            &[("UNDERLAY_HOSTS_IGNORED_IDENTITIES", &"x".repeat(254))],
            "",
            "hosts.ignoredIdentities (variable UNDERLAY_HOSTS_IGNORED_IDENTITIES): an entry has more than 253 characters",
        ),
        (
            &[("UNDERLAY_HTTP_TRUSTED_PROXIES", "10.0.0.7 proxy.example")],
            "",
            "http.trustedProxies (variable UNDERLAY_HTTP_TRUSTED_PROXIES) must be an IP address or a network",
        ),
        (
            &[("UNDERLAY_SECRETS_KEYS", "u:secret")],
            "",
            "secrets.keys (variable UNDERLAY_SECRETS_KEYS): key 1 must be 32 bytes in Base64",
        ),
        (&[], "secrets.keys = 7", "secrets.keys (FILE) must be text in quotation marks"),
        (
            &[("UNDERLAY_SECRETS_KEYS", "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=")],
            "secrets.keyFile = \"/x\"",
            "secrets.keyFile and secrets.keys exclude each other",
        ),
        (
            &[("UNDERLAY_AUTH_PAGE_ROLE", "root")],
            "",
            "auth.pageRole (variable UNDERLAY_AUTH_PAGE_ROLE): there is no role \"root\"",
        ),
        (&[], "[[auth.issuers]]\nissuer = \"https://a\"", "auth.issuers (FILE): missing field"),
        (
            &[],
            "[[auth.issuers]]\nissuer = \"https://a\"\naudience = \"u\"\n[[auth.issuers]]\nissuer = \"https://b\"\naudience = \"u\"",
            "auth.issuers (FILE): \"https://b\" needs a prefix of its own",
        ),
        (&[], "feed.retention = 400", "feed.retention (FILE) must be text in quotation marks"),
        (
            &[],
            "feed.retention = \"1y\"",
            "feed.retention (FILE) must be a number of days or hours, such as 400d or 36h, ",
        ),
        (
            &[("UNDERLAY_FEED_RETENTION", "23h")],
            "",
            "feed.retention (variable UNDERLAY_FEED_RETENTION) must be 0 (for ever) or ",
        ),
        (&[("UNDERLAY_DATABASE", "mysql://u:secret@h/d")], "", "database (variable UNDERLAY_DATABASE): "),
    ] {
        let error = shown(&[], variables, file).expect_err(expected);
        assert!(error.starts_with(expected), "{error}");
        assert!(!error.contains(":secret"), "{error}");
    }
    let broken = shown(&[], &[], "database = \"postgres://u:secret@h/db").expect_err("not TOML");
    assert!(!broken.contains("secret"), "{broken}");
}

#[test]
fn the_keys_of_secrets_are_never_shown() {
    let key = "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=";
    for (variables, file, origin) in [
        (&[("UNDERLAY_SECRETS_KEYS", key)][..], String::new(), "variable UNDERLAY_SECRETS_KEYS"),
        (&[], format!("[secrets]\nkeys = \"{key}\""), "FILE"),
    ] {
        let shown = shown(&[(Key::DataDir, "/d")], variables, &file).expect("a configuration");
        assert!(shown.contains(&format!("secrets.keys = \"***\" # {origin}")) && !shown.contains(key), "{shown}");
    }
}

#[test]
fn the_retention_of_changes_is_set_in_days_or_hours() {
    let hours = |hours: u64| Retention::For(std::time::Duration::from_secs(hours * 60 * 60));
    for (flags, variables, file, expected, origin) in [
        (&[][..], &[][..], "", hours(400 * 24), "default"),
        (&[], &[], "[feed]\nretention = \"36h\"", hours(36), "FILE"),
        (&[], &[], "feed = { retention = \"0\" }", Retention::ForEver, "FILE"),
        (
            &[],
            &[("UNDERLAY_FEED_RETENTION", "1d")],
            "feed.retention = \"2d\"",
            hours(24),
            "variable UNDERLAY_FEED_RETENTION",
        ),
        (
            &[(Key::FeedRetention, "0d")],
            &[("UNDERLAY_FEED_RETENTION", "1d")],
            "",
            Retention::ForEver,
            "flag --feed-retention",
        ),
    ] {
        let (sources, named) = sources(flags, variables, file);
        let settings = load(&sources).expect("a configuration");
        let origin = if origin == "FILE" { named.path().display().to_string() } else { origin.to_owned() };
        let found = (settings.feed.retention, settings.origin(Key::FeedRetention));
        assert_eq!(found, (expected, Some(origin.as_str())));
    }
    for wrong in ["", " ", "d", "-1d", "1.5d", "5", "1 d", "99999999999d", "4294967295d", "1m"] {
        let error = shown(&[(Key::FeedRetention, wrong)], &[], "").expect_err(wrong);
        assert!(error.starts_with("feed.retention (flag --feed-retention) must be a number of days"), "{error}");
    }
}

#[test]
fn variables_of_others_are_left_alone() {
    let variables = [
        ("UNDERLAY_SERVER", "http://127.0.0.1:1"),
        ("UNDERLAY_CONTEXT", "x"),
        ("UNDERLAY_CONFIG", "x"),
        ("UNDERLAY_PORT", "tcp://10.0.0.1:8080"),
        ("UNDERLAY_PORT_8080_TCP", "tcp://10.0.0.1:8080"),
        ("UNDERLAY_PORT_8080_TCP_PROTO", "tcp"),
        ("UNDERLAY_SERVICE_HOST", "10.0.0.1"),
        ("UNDERLAY_SERVICE_PORT_HTTP", "8080"),
        ("LISTEN", "x"),
    ];
    assert!(shown(&[(Key::DataDir, "/d")], &variables, "").is_ok());
}

#[test]
fn a_file_that_is_named_must_be_there() {
    let sources = Sources { file: Some("/no/such/file".into()), ..Sources::default() };
    let error = load(&sources).err().map(|error| error.to_string()).unwrap_or_default();
    assert!(error.starts_with("the configuration file /no/such/file cannot be read: "), "{error}");
}

#[test]
fn passwords_are_masked_wherever_they_stand() {
    for (url, expected) in [
        ("postgres://user:secret@host:5432/db?sslmode=require", "postgres://user:***@host:5432/db?sslmode=require"),
        ("postgres://user:se@cr/e?t@host/db", "postgres://user:***@host/db"),
        ("postgres://user@host/db", "postgres://user@host/db"),
        ("postgres://host/db?user=a&password=secret", "postgres://host/db?user=a&password=***"),
        ("sqlite:///data/underlay.db", "sqlite:///data/underlay.db"),
        ("sqlite::memory:", "sqlite::memory:"),
    ] {
        assert_eq!(masked(url), expected);
    }
}
