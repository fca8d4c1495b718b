//! Enrolment: a machine says what it is, and its agent gets the token of the host that it is.

use chrono::{TimeDelta, Utc};
use futures_util::future::join_all;
use serde_json::{Value, json};

use super::{REVOKE as REVOKE_AGENT, disk, host, outcome, report, send, token};
use crate::flows::replicas::servers;
use crate::flows::secrets;
use crate::harness::{Answer, Client, Database, Server, on_both_databases, postgres, until};

const ISSUE: &str = "mutation($input: IssueEnrolmentTokenInput!) { issueEnrolmentToken(input: $input) { token \
    enrolmentToken { id count used registers issuedTo site { name } class { name } } } }";
const REVOKE: &str = "mutation($id: ID!) { revokeEnrolmentToken(id: $id) { enrolmentToken { id revokedAt } } }";
const LIST: &str = "{ enrolmentTokens { id used count revokedAt } }";

/// A time tomorrow.
fn later() -> String {
    (Utc::now() + TimeDelta::days(1)).to_rfc3339()
}

/// Issues a token of an enrolment.
async fn issue(client: &Client, input: Value) -> String {
    let mut all = json!({ "count": 10, "endsAt": later() });
    all.as_object_mut().expect("an object").extend(input.as_object().expect("an object").clone());
    let issued = client.ok(ISSUE, json!({ "input": all })).await;
    issued["issueEnrolmentToken"]["token"].as_str().expect("a token").to_owned()
}

/// The token that an agent makes, by a number.
fn own(number: u64) -> String {
    format!("underlay-agent-{:032x}-{number:064x}", u128::from(number) + 1)
}

/// A report of a machine with this identity.
fn machine(system: Value, mac: &str) -> Value {
    let mut report = report("D1");
    report["system"]["found"] = system;
    report["interfaces"]["found"][0]["permanentMac"] = json!(mac);
    report
}

async fn enrol(client: &Client, by: &str, own: &str, report: &Value) -> Answer {
    let authorization = format!("Bearer {by}");
    let headers = [("authorization", authorization.as_str()), ("content-type", "application/json")];
    client.post_enrolment(&headers, json!({ "token": own, "report": report }).to_string()).await
}

/// Enrols an agent; returns the name of the host.
async fn enrolled(client: &Client, by: &str, own: &str, report: &Value) -> String {
    let answer = enrol(client, by, own, report).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()["host"]["name"].as_str().expect("a name").to_owned()
}

/// Returns true if the refusal has this status and says this.
async fn is_refused(client: &Client, by: &str, own: &str, report: &Value, (status, says): (u16, &str)) {
    let answer = enrol(client, by, own, report).await;
    let text = answer.text();
    assert!(answer.status == status && text.contains(says), "{} instead of {status}: {text}", answer.status);
}

async fn used(client: &Client) -> Value {
    client.ok(LIST, json!({})).await["enrolmentTokens"][0]["used"].take()
}

on_both_databases! {
    async fn a_machine_gets_the_token_of_its_host(server: Server) {
        let client = server.client();
        client
            .apply_all(vec![
                json!({ "site": { "name": "s", "type": "DATACENTER" } }),
                json!({ "device": { "site": {"site": "s"}, "name": "d", "role": "SERVER", "serial": "CZ3" } }),
                json!({ "port": { "device": {"device": "s/d"}, "name": "eth0", "type": "ETHERNET", "mac": "02:00:5e:00:00:04" } }),
                json!({ "host": { "name": "by-mac", "bootMac": "02:00:5e:00:00:01" } }),
                json!({ "host": { "name": "by-uuid", "uid": "00112233-4455-6677-8899-aabbccddeeff" } }),
                json!({ "host": { "name": "by-device", "machine": {"device": {"device": "s/d"}} } }),
            ])
            .await;
        let by = issue(&client, json!({})).await;
        for (number, system, mac, name) in [
            (1, json!({}), "02:00:5E:00:00:01", "by-mac"),
            // The other order of the bytes.
            (2, json!({"uuid": "33221100-5544-7766-8899-aabbccddeeff"}), "02:00:5e:00:00:09", "by-uuid"),
            (3, json!({"serial": "cz3"}), "02:00:5e:00:00:04", "by-device"),
        ] {
            let (own, report) = (own(number), machine(system, mac));
            assert_eq!(enrolled(&client, &by, &own, &report).await, name);
            // The answer may have been lost.
            assert_eq!(enrolled(&client, &by, &own, &report).await, name);
            assert_eq!(outcome(&client, &own, &report).await, "STORED");
            assert_eq!(disk(&client, name).await, "D1");
        }
        assert_eq!(used(&client).await, 3);
        // Somebody else cannot take the place of the agent, nor of another host.
        is_refused(&client, &by, &own(4), &machine(json!({}), "02:00:5e:00:00:01"), (409, "has or had a token")).await;
        is_refused(&client, &by, &own(1), &machine(json!({"serial": "CZ3"}), ""), (409, "has or had a token")).await;
        client.ok(REVOKE_AGENT, json!({ "host": "host/by-mac" })).await;
        is_refused(&client, &by, &own(1), &machine(json!({}), "02:00:5e:00:00:01"), (409, "has or had a token")).await;
        assert_eq!(used(&client).await, 3);
    }

    async fn a_machine_that_can_be_several_hosts_is_refused_and_they_are_named(server: Server) {
        let client = server.client();
        client
            .apply_all(vec![
                json!({ "host": { "name": "a", "bootMac": "02:00:5e:00:00:01" } }),
                json!({ "host": { "name": "b", "serial": "CZ1", "uid": "00112233-4455-6677-8899-aabbccddee01" } }),
                json!({ "host": { "name": "c", "serial": "CZ1", "uid": "00112233-4455-6677-8899-aabbccddee02" } }),
            ])
            .await;
        let by = issue(&client, json!({})).await;
        is_refused(&client, &by, &own(1), &machine(json!({"serial": "CZ1"}), ""), (409, "hosts b, c")).await;
        is_refused(&client, &by, &own(1), &machine(json!({"uuid": "00112233-4455-6677-8899-aabbccddee02"}), "02:00:5e:00:00:01"), (409, "hosts, a, c")).await;
        is_refused(&client, &by, &own(1), &machine(json!({"serial": "None"}), ""), (404, "no host has")).await;
        is_refused(&client, &by, &own(1), &machine(json!({"serial": "X"}), "02:00:5e:00:00:05"), (404, "no host has")).await;
        assert_eq!(used(&client).await, 0);

        // The last facts of a host tell boards apart.
        let token = token(&client, "b").await;
        outcome(&client, &token, &machine(json!({"serial": "CZ1", "boardSerial": "B7"}), "")).await;
        let board = machine(json!({"serial": "CZ1", "boardSerial": "b7"}), "");
        is_refused(&client, &by, &own(1), &board, (409, "has or had a token")).await;
        let other = machine(json!({"serial": "CZ1", "boardSerial": "b8"}), "");
        is_refused(&client, &by, &own(1), &other, (409, "hosts b, c")).await;
    }

    async fn a_stranger_is_registered_where_the_token_says_so(server: Server) {
        let client = server.client();
        client.apply_all(vec![json!({ "hostClass": { "name": "small" } })]).await;
        let by = issue(&client, json!({ "registers": true, "class": "hostClass/small" })).await;
        let stranger = machine(json!({"serial": "CZ9", "uuid": "a0a0a0a0-4455-6677-8899-aabbccddeeff"}), "02:00:5e:00:00:01");
        let name = enrolled(&client, &by, &own(1), &stranger).await;
        assert_eq!(enrolled(&client, &by, &own(1), &stranger).await, name, "it is known now");
        let found = client.ok("query($name: String!) { host(name: $name) { state uid serial bootMac class { name } } }", json!({ "name": name }));
        let uid = "a0a0a0a0-4455-6677-8899-aabbccddeeff";
        let expected = json!({"state": "REGISTERED", "uid": uid, "serial": "CZ9", "bootMac": "02:00:5e:00:00:01", "class": {"name": "small"}});
        assert_eq!(found.await["host"], expected);
        let mut nameless = machine(json!({}), "02:00:5e:00:00:07");
        nameless["interfaces"]["found"].as_array_mut().expect("interfaces").push(json!({"name": "e2", "permanentMac": "02:00:5e:00:00:17"}));
        is_refused(&client, &by, &own(2), &nameless, (404, "neither a UUID nor a serial number")).await;
        let small = machine(json!({}), "02:00:5e:00:00:07");
        let name = enrolled(&client, &by, &own(2), &small).await;
        assert_eq!(enrolled(&client, &by, &own(2), &small).await, name);

        // A host of another class is not for this token.
        client.apply_all(vec![json!({ "host": { "name": "a", "bootMac": "02:00:5e:00:00:08" } })]).await;
        is_refused(&client, &by, &own(3), &machine(json!({}), "02:00:5e:00:00:08"), (403, "not of the class")).await;
        client.apply_all(vec![json!({ "site": { "name": "s", "type": "DATACENTER" } })]).await;
        let of_site = issue(&client, json!({ "site": "site/s" })).await;
        is_refused(&client, &of_site, &own(3), &machine(json!({}), "02:00:5e:00:00:08"), (403, "not of the site")).await;
    }

    async fn a_token_is_for_so_many_machines_and_ends(server: Server) {
        let client = server.client();
        let hosts = 12_u64;
        let mac = |number: u64| format!("02:00:5e:00:01:{number:02x}");
        let items = (0..hosts).map(|it| json!({ "host": { "name": format!("h{it}"), "bootMac": mac(it) } }));
        client.apply_all(items.collect()).await;
        let by = issue(&client, json!({ "count": 5 })).await;
        let asked = (0..hosts).map(|it| {
            let (client, by, report) = (client.clone(), by.clone(), machine(json!({}), &mac(it)));
            async move { enrol(&client, &by, &own(it), &report).await }
        });
        let answers = join_all(asked).await;
        let count = |status: u16| answers.iter().filter(|answer| answer.status == status).count();
        assert_eq!((count(200), count(401)), (5, 7), "{:?}", answers.iter().map(Answer::text).collect::<Vec<_>>());
        assert!(answers.iter().filter(|it| it.status == 401).all(|it| it.text().contains("is for 5 machines")));
        assert_eq!(used(&client).await, 5);

        let known = client.ok(LIST, json!({})).await["enrolmentTokens"].take();
        client.ok(REVOKE, json!({ "id": known[0]["id"] })).await;
        is_refused(&client, &by, &own(20), &machine(json!({}), &mac(1)), (401, "was revoked")).await;
        for (by, says) in [("x", "agent enrol-token"), (&by.replace("enrol-", "enrol-0"), "agent enrol-token"), (&format!("{by}0"), "no such token")] {
            is_refused(&client, by, &own(20), &machine(json!({}), &mac(1)), (401, says)).await;
        }
        let by = issue(&client, json!({})).await;
        for own in ["", "secret", "underlay-agent-x-y", &own(1)[..60]] {
            is_refused(&client, &by, own, &machine(json!({}), &mac(11)), (400, "must be one that it has just made")).await;
        }
        let none = client.post_enrolment(&[("content-type", "application/json")], "{}").await;
        assert_eq!(none.status, 401, "{}", none.text());
        let by = format!("Bearer {by}");
        for (body, status) in [("{}", 400), ("[", 400), (r#"{"token":"t"}"#, 400)] {
            let headers = [("authorization", by.as_str()), ("content-type", "application/json")];
            assert_eq!(client.post_enrolment(&headers, body).await.status, status, "{body}");
        }
    }

    async fn bad_terms_are_refused(server: Server) {
        let client = server.client();
        for (input, field) in [
            (json!({ "count": 0, "endsAt": later() }), "count"),
            (json!({ "count": 100_001, "endsAt": later() }), "count"),
            (json!({ "count": 1, "endsAt": "2020-01-01T00:00:00Z" }), "endsAt"),
            (json!({ "count": 1, "endsAt": (Utc::now() + TimeDelta::days(400)).to_rfc3339() }), "endsAt"),
            (json!({ "count": 1, "endsAt": later(), "site": "site/none" }), "site"),
            (json!({ "count": 1, "endsAt": later(), "site": "site/none", "registers": true }), "registers"),
            (json!({ "count": 1, "endsAt": later(), "class": "hostClass/none" }), "class"),
        ] {
            let errors = client.refused(ISSUE, json!({ "input": input })).await;
            assert_eq!(errors[0].field.as_deref(), Some(field), "{input}: {errors:?}");
        }
    }
}

/// A host is enrolled once, whichever of several servers is asked.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL"]
async fn a_host_is_enrolled_once_by_several_servers() {
    let (url, servers) = servers(2).await;
    let clients: Vec<Client> = servers.iter().map(Server::client).collect();
    clients[0].apply_all(vec![json!({ "host": { "name": "a", "bootMac": "02:00:5e:00:00:01" } })]).await;
    until("the other server knows the host", async || {
        (!clients[1].ok("{ host(name: \"a\") { id } }", json!({})).await["host"].is_null()).then_some(())
    })
    .await;
    let by = issue(&clients[0], json!({})).await;
    let report = machine(json!({}), "02:00:5e:00:00:01");
    let asked = (0..10).map(|number| {
        let (client, by, report) = (&clients[number % 2], &by, &report);
        async move { enrol(client, by, &own(number as u64), report).await.status }
    });
    let answers = join_all(asked).await;
    assert_eq!(answers.iter().filter(|status| **status == 200).count(), 1, "{answers:?}");
    let winner = answers.iter().position(|status| *status == 200).expect("one") as u64;
    for client in &clients {
        until("its token is accepted", async || {
            (send(client, &own(winner), &report).await.status == 200).then_some(())
        })
        .await;
    }
    drop(servers);
    postgres::drop_database(&url).await;
}

/// Operators make tokens of enrolments and list them, and nobody with less.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn operators_make_tokens_of_enrolments() {
    let server = Server::start(Database::Sqlite).asking().await;
    let bearing = async |arguments: &[&str]| server.client().bearing(&secrets::token(&server, arguments).await);
    let operator = bearing(&["--role", "operator"]).await;
    let by = issue(&operator, json!({})).await;
    assert_eq!(used(&operator).await, 0);
    let input = json!({ "input": { "count": 1, "endsAt": later() } });
    for arguments in [&["--role", "viewer"][..], &["--role", "operator", "--tenant", "blue"]] {
        let client = bearing(arguments).await;
        for (document, variables) in
            [(ISSUE, &input), (REVOKE, &json!({ "id": uuid::Uuid::nil() })), (LIST, &json!({}))]
        {
            let errors = client.refused(document, variables.clone()).await;
            assert_eq!(errors[0].code, "FORBIDDEN", "{arguments:?}: {errors:?}");
        }
    }
    // The token opens nothing else.
    let errors = server.client().bearing(&by).refused("{ revision }", json!({})).await;
    assert_eq!(errors[0].code, "UNAUTHENTICATED", "{errors:?}");
    let token = host(&operator, "a").await;
    let answer = enrol(&server.client(), &token, &own(1), &report("D1")).await;
    assert_eq!(answer.status, 401, "{}", answer.text());
}
