//! Compares the permissions of each role for each root field with a table.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use async_graphql::parser::types::{BaseType, Type, TypeKind};
use serde_json::{Map, Value, json};
use underlay_engine::access::Role;

use super::sdl::Sdl;
use crate::harness::{Client, Database, Received, Server, Socket};

/// The table: each root field, and the letters of the roles that may.
const TABLE: &str = include_str!("roles.txt");

/// The letter of each role, in the order of [`Role::ALL`].
const LETTERS: [char; 8] = ['v', 'o', 's', 'r', 'a', 'b', 'c', 'A'];

/// The letter of an admin whose token is of a tenant.
const OF_A_TENANT: char = 't';
/// The letter of a host controller, whose token has two roles.
const OF_A_CONTROLLER: char = 'k';

/// Calls of the fields of a root type, with the least arguments that the schema lets them have.
fn calls(sdl: &Sdl, root: &str, keyword: &str) -> BTreeMap<String, (String, Value)> {
    let call = |(name, field): (String, super::sdl::Field)| {
        let required = field.arguments.iter().filter(|(_, ty)| ty.ends_with('!'));
        let mut variables = Map::new();
        let (mut declared, mut passed) = (String::new(), String::new());
        for (argument, ty) in required {
            write!(declared, "${argument}: {ty} ").expect("a string");
            write!(passed, "{argument}: ${argument} ").expect("a string");
            variables.insert(argument.clone(), example(sdl, &Type::new(ty).expect("a type"), 0));
        }
        let parentheses = |text: String| if text.is_empty() { text } else { format!("({text})") };
        let named = field.ty.trim_matches(['[', ']', '!']).to_owned();
        let is_composite = sdl.types().any(|(name, definition)| {
            name == named
                && matches!(definition.kind, TypeKind::Object(_) | TypeKind::Interface(_) | TypeKind::Union(_))
        });
        let below = if is_composite { "{ __typename }" } else { "" };
        let text = format!("{keyword} T{} {{ {name}{} {below} }}", parentheses(declared), parentheses(passed));
        (format!("{root}.{name}"), (text, Value::Object(variables)))
    };
    sdl.fields(root).into_iter().map(call).collect()
}

/// A value of an input type.
fn example(sdl: &Sdl, ty: &Type, deep: usize) -> Value {
    assert!(deep < 10, "an input that needs itself");
    let name = match &ty.base {
        BaseType::List(inner) => return json!([example(sdl, inner, deep + 1)]),
        BaseType::Named(name) => name.as_str(),
    };
    match name {
        "String" => return json!("x"),
        "ID" => return json!("00000000-0000-4000-8000-000000000000"),
        "Int" | "Float" | "Long" | "Revision" => return json!(1),
        "Boolean" => return json!(false),
        "DateTime" => return json!("2026-01-01T00:00:00Z"),
        _ => {}
    }
    match &sdl.ty(name).kind {
        TypeKind::Enum(values) => json!(values.values[0].node.value.node.as_str()),
        TypeKind::InputObject(_) => {
            let members = sdl.members(name);
            let wanted: Vec<(&String, &String)> = match sdl.is_one_of(name) {
                // Any will do; a name is the simplest.
                true => members.iter().take(1).collect(),
                false => members.iter().filter(|(_, ty)| ty.ends_with('!')).collect(),
            };
            let value = |(name, ty): (&String, &String)| {
                (name.clone(), example(sdl, &Type::new(ty).expect("a type"), deep + 1))
            };
            Value::Object(wanted.into_iter().map(value).collect())
        }
        _ => json!("x"),
    }
}

/// Returns what the server reports that a caller may do: the permission for each root field.
async fn reported(client: &Client) -> BTreeMap<String, Value> {
    let answer = client.execute("{ viewer { may { field allowed needs } } }", json!({})).await;
    let permissions = answer.data["viewer"]["may"].as_array().cloned().unwrap_or_default();
    permissions.into_iter().map(|one| (one["field"].as_str().expect("a field").to_owned(), one)).collect()
}

/// Compares what the server says about a root field with what it does.
fn check_reported(reported: &BTreeMap<String, Value>, field: &str, allowed: bool, names: &str) {
    // A caller that may not read gets no answer at all.
    let Some(one) = reported.get(field) else {
        let is_needed = field.starts_with("Mutation.") && !reported.is_empty();
        assert!(!is_needed, "{field} is missing in crates/server/src/api/viewer.rs");
        return;
    };
    // The call names another source than that of the token.
    let is_of_another_source = field == "Mutation.startRun" && names == "synchronizer";
    assert!(one["allowed"] == allowed || is_of_another_source, "{names}: {one}, and the server allows: {allowed}");
    assert!(!one["needs"].as_array().expect("roles").is_empty(), "{one}");
}

/// The code of the first error of an answer.
fn code(errors: &Value) -> &str {
    errors[0]["extensions"]["code"].as_str().unwrap_or_default()
}

/// A subscription to events of hardware that is answered with an error at once, or refused.
const AFTER_NO_EVENT: &str = "subscription { hardwareEvents(after: \"9\") { cursor } }";

/// Changes a region again and again.
async fn write_on(client: Client) {
    for number in 0_u64.. {
        client.apply_all(vec![json!({"region": {"name": "r", "description": number.to_string()}})]).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_role_has_the_permissions_of_the_table() {
    let server = Server::start(Database::Sqlite).asking().await;
    let sdl = Sdl::of_the_code();
    let mut all = calls(&sdl, "Query", "query");
    all.extend(calls(&sdl, "Mutation", "mutation"));
    let made = server.cli(["token", "create"]).env("UNDERLAY_RUN_DIR", server.folder().join("run")).await;
    let writer = server.client().bearing(made.stdout.trim());
    let mut may: BTreeMap<String, String> = BTreeMap::new();
    let roles = Role::ALL.into_iter().zip(LETTERS).map(|(role, letter)| (vec![role], letter, None));
    let more = [
        (vec![Role::Admin], OF_A_TENANT, Some("blue")),
        (vec![Role::Reconciler, Role::SecretsReader], OF_A_CONTROLLER, None),
    ];
    for (roles, letter, tenant) in roles.chain(more) {
        let names = roles.iter().map(|role| role.name()).collect::<Vec<_>>().join(",");
        let mut arguments = vec!["token", "create", "--role", &names];
        arguments.extend(tenant.into_iter().flat_map(|tenant| ["--tenant", tenant]));
        if roles == [Role::Synchronizer] {
            arguments.extend(["--source", "dcim"]);
        }
        let made = server.cli(arguments).env("UNDERLAY_RUN_DIR", server.folder().join("run")).await;
        let client = server.client().bearing(made.stdout.trim());
        let reported = reported(&client).await;
        for (field, (text, variables)) in &all {
            let answer = client.execute(text, variables.clone()).await;
            let codes: Vec<&str> = answer.errors.iter().map(|error| error.code.as_str()).collect();
            assert!(answer.errors.iter().all(|error| !error.message.contains("nvalid value")), "{text}: {answer:?}");
            let allowed = !codes.contains(&"FORBIDDEN");
            check_reported(&reported, field, allowed, &names);
            may.entry(field.clone()).or_default().push(if allowed { letter } else { '.' });
        }
        for (field, (text, variables)) in calls(&sdl, "Subscription", "subscription") {
            let mut socket = Socket::open(server.url(), Some("graphql-transport-ws")).await.expect("a connection");
            socket.send(json!({"type": "connection_init", "payload": {"token": made.stdout.trim()}})).await;
            let allowed = match socket.receive().await {
                Received::Closed(4403, reason) => {
                    assert!(reason.contains("reading requires one of the roles"), "{reason}");
                    false
                }
                Received::Message(_) => {
                    // No hardware changes here, so it asks for what comes after an event that there is not.
                    let text = match field.as_str() {
                        "Subscription.hardwareEvents" => AFTER_NO_EVENT.to_owned(),
                        _ => text,
                    };
                    socket.subscribe("1", &text, variables).await;
                    // There are changes all the time, so one that is allowed is answered too.
                    let writing = tokio::spawn(write_on(writer.clone()));
                    let Received::Message(message) = socket.receive().await else { panic!("{names}: it is lost") };
                    writing.abort();
                    code(&message["payload"]) != "FORBIDDEN"
                }
                Received::Lost | Received::Closed(..) => panic!("{names}: the connection was lost"),
            };
            may.entry(field).or_default().push(if allowed { letter } else { '.' });
        }
    }
    let head = "# v viewer, o operator, s synchronizer (of its source), r reconciler (status and assignment, also\n\
                # by apply), a agent, b boot-server, c secrets-reader, A admin, t admin of a tenant, k reconciler with secrets-reader\n";
    let rows = may.iter().map(|(field, letters)| format!("{letters} {field}\n"));
    let table = format!("{head}{}", rows.collect::<String>());
    super::renew("tests/it/laws/roles.txt", &table);
    let (expected, found): (Vec<_>, Vec<_>) = (TABLE.lines().collect(), table.lines().collect());
    let differ: Vec<_> = found.iter().filter(|row| !expected.contains(row)).collect();
    assert!(expected == found, "the table says otherwise, or nothing, of {differ:#?}");
}
