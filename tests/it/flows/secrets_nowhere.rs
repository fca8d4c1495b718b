//! A whole run with many secrets: none of them is in any output but the answers to those who asked for it.

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use serde_json::{Value, json};

use super::secrets::key;
use crate::harness::{Cli, Client, Database, Server, Socket, postgres, scratch};

/// The secrets of the run. Each is written in another way, and some of them are refused.
const SECRETS: [&str; 14] = [
    "Plain-7Qx-1",
    "Replaced-7Qx-2",
    "In-a-Literal-7Qx-3",
    "With \"Quotes\" and \\ 7Qx-4",
    "Umlauts-äöü-7Qx-5",
    "-----BEGIN PRIVATE KEY-----\nUGVtLTdReC02\n-----END PRIVATE KEY-----",
    "{\"auths\":{\"registry.example\":{\"auth\":\"Pull-7Qx-7\"}}}",
    "Of-an-Unknown-Field-7Qx-8",
    "In-a-Broken-Document-7Qx-9",
    "Over-a-Socket-7Qx-10",
    "Over-Plain-HTTP-7Qx-11",
    "From-the-Shell-7Qx-12",
    "In-a-Wrong-Member-7Qx-13",
    "In-an-Address-7Qx-14",
];
/// The secret that is a number where text is expected.
const NUMBER_SECRET: i64 = 736_251_984;
const SET: &str = "mutation($secrets: [SecretInput!]!) { setSecrets(input: {secrets: $secrets}) { set } }";

/// The outputs of the run, each with its name.
#[derive(Default)]
struct Outputs(Vec<(String, Vec<u8>)>);

impl Outputs {
    fn add(&mut self, name: &str, output: impl Into<Vec<u8>>) {
        self.0.push((name.to_owned(), output.into()));
    }

    /// Checks that no output contains a secret, as it is or as a text of JSON.
    fn check(&self) {
        let mut needles: Vec<String> = SECRETS.iter().flat_map(|secret| forms(secret)).collect();
        needles.push(NUMBER_SECRET.to_string());
        for (name, output) in &self.0 {
            assert!(!output.is_empty(), "{name} is empty");
            for needle in &needles {
                let found = output.windows(needle.len()).position(|window| window == needle.as_bytes());
                let near = found
                    .map(|at| String::from_utf8_lossy(&output[at.saturating_sub(200)..output.len().min(at + 100)]));
                assert!(near.is_none(), "{name} contains the secret {needle}: {}", near.unwrap_or_default());
            }
        }
    }
}

/// The forms in which a secret could be shown: as it is, each of its lines, as JSON, and in Base64.
fn forms(secret: &str) -> Vec<String> {
    use base64::Engine as _;
    let json = Value::from(secret).to_string();
    let mut forms = vec![secret.to_owned(), json[1..json.len() - 1].to_owned()];
    forms.push(base64::prelude::BASE64_STANDARD.encode(secret));
    forms.extend(secret.lines().filter(|line| !line.starts_with("-----")).map(str::to_owned));
    if let Some(at) = secret.find("7Qx") {
        // Parts of it are as bad.
        forms.push(secret[at..].trim_end_matches(['"', '}', '\n']).to_owned());
    }
    forms
}

fn secret(credential: &str, field: &str, value: impl Into<Value>) -> Value {
    json!({"credential": {"credential": credential}, "field": field, "value": value.into()})
}

async fn set(client: &Client, outputs: &mut Outputs, secrets: Value) {
    let answer = client.execute(SET, json!({ "secrets": secrets })).await;
    outputs.add("an answer of setSecrets", format!("{answer:?}"));
}

/// Sends secrets in members that are none, and in addresses.
async fn misplace(client: &Client, outputs: &mut Outputs) {
    let (wrong, long, address) = (SECRETS[12], SECRETS[12].repeat(30), SECRETS[13]);
    let basic = json!({"credential": "basic"});
    for entry in [
        json!({"credential": basic, "field": "password", "passwrod": wrong}),
        json!({"credential": basic, "field": "password", "value": "x", "passwrod": {"a": [wrong]}}),
        json!({"credential": {"credential": wrong}, "field": "password", "value": "basic"}),
        json!({"credential": {"id": wrong}, "field": "password", "value": "basic"}),
        json!({"credential": wrong, "field": "password", "value": "x"}),
    ] {
        set(client, outputs, json!([entry])).await;
    }
    let credential = |member: &str, value: Value| {
        let mut fields = json!({"name": "wrong", "type": "BASIC"});
        fields[member] = value;
        json!({ "credential": fields })
    };
    let host = |url: Value| json!({"host": {"name": "wrong", "bmcUrl": url}});
    let items = [
        json!({"credential": wrong}),
        json!({"credential": [wrong]}),
        credential("passwrod", json!(wrong)),
        credential("passwrod", json!({"value": wrong})),
        credential("type", json!(wrong)),
        credential("type", json!([wrong])),
        credential("username", json!({"password": wrong})),
        credential("username", json!([wrong, wrong])),
        credential("username", json!(long)),
        credential("allowedHosts", json!([format!("{wrong} {wrong}")])),
        credential("allowedHosts", json!([long])),
        credential("allowedHosts", json!([format!("10.0.0.1/{wrong}")])),
        credential("allowedHosts", json!({"a": wrong})),
        credential("sources", json!([format!(" {wrong}")])),
        credential("description", json!([wrong])),
        credential("labels", json!({"team": {"password": wrong}})),
        credential("attributes", json!(wrong)),
        credential("id", json!(wrong)),
        host(json!(format!("redfish://root:{address}@10.0.0.7"))),
        host(json!(format!("redfish://root:{address}/@10.0.0.7"))),
        host(json!(format!("redfish:/root:{address}@10.0.0.7"))),
        host(json!(format!("https://root:{address}@10.0.0.7"))),
        host(json!({"url": format!("redfish://root:{address}@10.0.0.7")})),
        json!({"appliance": {"name": "wrong", "type": "REDFISH", "url": format!("redfish://root:{address}@10.0.0.7")}}),
        json!({"profile": {"name": "wrong", "kernel": format!("https://root:{address}@10.0.0.7/kernel")}}),
        json!({"profile": {"name": "wrong", "kernel": format!("ftp://root:{address}@10.0.0.7/kernel")}}),
        json!({"source": {"name": "wrong", "type": "exec", "url": format!("https://root:{address}@10.0.0.7")}}),
        json!({"site": {"name": "wrong", "type": "DATACENTER", "externalRefs": [
            {"source": "dcim", "externalId": "1", "url": format!("https://root:{address}@10.0.0.7")}]}}),
        json!({"rack": {"name": "wrong", "site": format!("https://root:{address}@10.0.0.7")}}),
    ];
    let apply = "mutation($input: ApplyInput!) { apply(input: $input) { results { status error { message } } } }";
    for item in &items {
        for dry_run in [false, true] {
            let answer = client.execute(apply, json!({"input": {"items": [item], "dryRun": dry_run}})).await;
            let is_refused = !answer.errors.is_empty() || answer.data["apply"]["results"][0]["status"] == "FAILED";
            assert!(is_refused, "{item}: {answer:?}");
            outputs.add("an answer of apply", format!("{answer:?}"));
        }
        let line = client.post_lines("", json!({ "item": item }).to_string()).await;
        outputs.add("an answer of POST /apply", line.body);
    }
    let create = "mutation($input: CredentialInput!) { createCredential(input: $input) { credential { id } } }";
    for (member, value) in [("type", json!(wrong)), ("username", json!([wrong])), ("passwrod", json!(wrong))] {
        let mut input = json!({"name": "wrong", "type": "BASIC"});
        input[member] = value;
        let answer = client.execute(create, json!({ "input": input })).await;
        assert!(!answer.errors.is_empty(), "{input}: {answer:?}");
        outputs.add("an answer of createCredential", format!("{answer:?}"));
    }
}

/// Sets and reads secrets in every way, and collects all answers that should have none.
async fn work(server: &Server, outputs: &mut Outputs) {
    let client = server.client();
    let credential = |name: &str, ty: &str| json!({"credential": {"name": name, "type": ty, "username": "root"}});
    client
        .apply_all(vec![
            credential("basic", "BASIC"),
            credential("other", "BASIC"),
            credential("ssh", "SSH_KEY"),
            credential("pull", "PULL_SECRET"),
        ])
        .await;
    set(&client, outputs, json!([secret("basic", "password", SECRETS[0]), secret("other", "password", SECRETS[1])]))
        .await;
    set(&client, outputs, json!([secret("other", "password", SECRETS[3])])).await;
    set(&client, outputs, json!([secret("other", "password", SECRETS[4])])).await;
    set(&client, outputs, json!([secret("ssh", "privateKey", SECRETS[5]), secret("pull", "pullSecret", SECRETS[6])]))
        .await;
    // A secret that is refused is shown no more than one that is stored.
    set(&client, outputs, json!([secret("basic", "token", SECRETS[7])])).await;
    set(&client, outputs, json!([secret("basic", SECRETS[7], "x")])).await;
    set(&client, outputs, json!([secret("basic", "password", NUMBER_SECRET)])).await;
    set(&client, outputs, json!([secret("basic", "password", json!({"text": SECRETS[0]}))])).await;
    set(&client, outputs, json!([secret("basic", "password", SECRETS[0].repeat(200))])).await;
    set(&client, outputs, json!([secret("nobody", "password", SECRETS[0])])).await;
    set(&client, outputs, json!([{"value": SECRETS[0]}])).await;
    let literal = |value: &str, end: &str| {
        format!(
            "mutation {{ setSecrets(input: {{secrets: [{{credential: {{credential: \"basic\"}}, field: \"password\", value: {value}}}]}}) {end}"
        )
    };
    let inline = literal(&Value::from(SECRETS[2]).to_string(), "{ set } }");
    let answer = client.execute(&inline, json!({})).await;
    outputs.add("the answer to a literal", format!("{answer:?}"));
    let answer = client.execute(&literal(&Value::from(SECRETS[8]).to_string(), "{ none } }"), json!({})).await;
    outputs.add("the answer to an unknown field", format!("{answer:?}"));
    for broken in
        [literal(&Value::from(SECRETS[8]).to_string(), "{ set }"), literal(&NUMBER_SECRET.to_string(), "{ set } }")]
    {
        let answer = client.execute(&broken, json!({})).await;
        assert_eq!(answer.errors[0].code, "INVALID", "{answer:?}");
        outputs.add("the answer to a wrong document", format!("{answer:?}"));
    }
    let headers =
        HeaderMap::from_iter([(HeaderName::from_static("x-forwarded-for"), HeaderValue::from_static("1.2.3.4"))]);
    set(&client.with_headers(headers), outputs, json!([secret("basic", "password", SECRETS[10])])).await;
    let mut socket = Socket::connect(server.url()).await;
    socket.subscribe("1", SET, json!({"secrets": [secret("basic", "password", SECRETS[9])]})).await;
    outputs.add("an answer over a socket", socket.answer().await.to_string());
    misplace(&client, outputs).await;
    let shell = server.cli(["secrets", "set", "basic"]).stdin(SECRETS[11]).await;
    outputs.add("secrets set", format!("{shell:?}"));
    let rotated = server.cli(["secrets", "rotate"]).await;
    outputs.add("secrets rotate", format!("{rotated:?}"));
    // These answers have secrets, and nothing else may.
    for (name, field, expected) in [
        ("basic", "password", SECRETS[11]),
        ("other", "password", SECRETS[4]),
        ("ssh", "privateKey", SECRETS[5]),
        ("pull", "pullSecret", SECRETS[6]),
    ] {
        let find = "query($name: String!) { credential(name: $name) { id } }";
        let id = client.ok(find, json!({ "name": name })).await["credential"]["id"].take();
        let query = format!("query($id: ID!) {{ secret(credential: $id) {{ {field} }} }}");
        let data = client.ok(&query, json!({ "id": id })).await;
        assert_eq!(data["secret"][field], expected);
    }
}

/// Collects everything that can be read of the server and of its database.
async fn collect(server: &Server, outputs: &mut Outputs) {
    let client = server.client();
    for (name, query) in [
        ("the change log", "{ changes(first: 1000) { nodes { kind operation before after author { name } } } }"),
        (
            "credentials",
            "{ credentials { nodes { name type username secretState secrets { field state setAt setBy } secretReads { reader hour reads } item(references: KEY) } } }",
        ),
        ("a search", "{ search(query: \"Plain\") { nodes { __typename } } }"),
        ("a diff", "{ diff(from: 1) { nodes { kind } } }"),
    ] {
        let answer = client.execute(query, json!({})).await;
        outputs.add(name, format!("{answer:?}"));
    }
    for path in ["/metrics", "/readyz", "/healthz"] {
        outputs.add(path, client.get(path).await.body);
    }
    for arguments in [
        &["export"][..],
        &["get", "credentials", "-o", "yaml"],
        &["get", "credentials", "-o", "wide"],
        &["describe", "credential/basic"],
    ] {
        let outcome = server.cli(arguments).await;
        assert_eq!(outcome.code, 0, "{outcome:?}");
        outputs.add(arguments[0], outcome.stdout);
    }
    let watched = server.cli(["watch", "--after", "0", "--limit", "4", "-o", "json"]).await;
    outputs.add("watch", format!("{watched:?}"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_output_contains_a_secret_on_sqlite() {
    let (mut outputs, folder) = (Outputs::default(), scratch::folder("nowhere"));
    let mut server = Server::start(Database::Sqlite)
        .env("UNDERLAY_SECRETS_KEYS", format!("{} {}", key(2), key(1)))
        .env("RUST_LOG", "trace")
        .await;
    work(&server, &mut outputs).await;
    collect(&server, &mut outputs).await;
    let backup = folder.path().join("backup").display().to_string();
    let url = server.database_url();
    let made = Cli::new(["backup", &backup, "--database", &url]).await;
    assert!(made.code == 0 && made.stdout.contains("it contains 4 secrets, encrypted, without the keys"), "{made:?}");
    outputs.add("the backup", std::fs::read(&backup).expect("a backup"));
    for end in ["", "-wal"] {
        let file = format!("{}{end}", url.strip_prefix("sqlite://").expect("a file"));
        outputs.add("the database", std::fs::read(file).expect("a file"));
    }
    let doctor = Cli::new(["doctor", "--database", &url]).await;
    outputs.add("doctor", format!("{doctor:?}"));
    let config = Cli::new(["config"]).env("UNDERLAY_SECRETS_KEYS", key(1)).await;
    assert!(config.code == 0 && !config.stdout.contains(&key(1)), "{config:?}");
    outputs.add("config", config.stdout);
    server.stop().await;
    let log = server.log();
    assert!(log.contains("\"DEBUG\""), "the log has everything");
    for key in [key(1), key(2)] {
        assert!(!outputs.0.iter().any(|(_, output)| String::from_utf8_lossy(output).contains(&key)), "a key is shown");
        assert!(!log.contains(&key), "a key is logged");
    }
    outputs.add("the log", log);
    outputs.check();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL"]
async fn no_output_contains_a_secret_on_postgres() {
    let url = postgres::create_database().await;
    let mut outputs = Outputs::default();
    let mut server = Server::start(Database::Postgres(url.clone()))
        .env("UNDERLAY_SECRETS_KEYS", format!("{} {}", key(2), key(1)))
        .env("RUST_LOG", "trace")
        .await;
    work(&server, &mut outputs).await;
    collect(&server, &mut outputs).await;
    let sql = crate::harness::Sql::connect(&url).await;
    let rows =
        sql.texts("SELECT row(secret.*)::text FROM secret UNION ALL SELECT row(change.*)::text FROM change").await;
    outputs.add("the rows", rows.join("\n"));
    sql.close().await;
    server.stop().await;
    outputs.add("the log", server.log());
    outputs.check();
    postgres::drop_database(&url).await;
}
