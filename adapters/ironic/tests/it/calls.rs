//! The calls of the client besides those of a scan.

use std::time::Duration;

use serde_json::json;
use underlay_ironic::client::{
    Auth, Client, Connection, IronicError, Keystone, KeystoneMethod, Pace, Patch, Provision, Scope, SecretSource,
    Target,
};

use crate::replay::{Asks, Fault, PASSWORD, Replay};
use crate::{connection, quick};

fn client(replay: &Replay, auth: Auth) -> Client {
    Client::new(&connection(&replay.url, auth)).expect("a client")
}

fn keystone(replay: &Replay, method: KeystoneMethod) -> Auth {
    Auth::Keystone(Keystone { url: format!("{}/v3", replay.url), method })
}

#[tokio::test]
async fn a_token_is_kept_until_it_is_refused() {
    let replay = Replay::start().await;
    replay.ask(Asks::Keystone);
    let node = replay.node("n1", json!({}));
    let secret = || SecretSource::Text(PASSWORD.to_owned());
    let scope = Scope::Project { name: "admin".to_owned(), domain: "Default".to_owned() };
    let by_password = KeystoneMethod::Password {
        username: "sync".to_owned(),
        domain: "Default".to_owned(),
        password: secret(),
        scope,
    };
    let client = client(&replay, keystone(&replay, by_password));
    let find = async || client.node(&node).await.map(|node| node.is_some());
    assert_eq!((find().await, find().await), (Ok(true), Ok(true)));
    let fetched = || replay.calls("POST /v3/auth/tokens").len();
    assert_eq!(fetched(), 1);
    replay.expire();
    assert_eq!((find().await, fetched()), (Ok(true), 2));
    assert_eq!(replay.bodies()[0]["auth"]["scope"]["project"]["domain"]["name"], "Default");
    assert!(!format!("{client:?}").contains("token-"), "{client:?}");

    let credential = KeystoneMethod::ApplicationCredential { id: "c7".to_owned(), secret: secret() };
    let other = self::client(&replay, keystone(&replay, credential));
    assert!(other.node(&node).await.is_ok_and(|node| node.is_some()));
    assert!(replay.bodies().last().is_some_and(|body| body["auth"]["scope"].is_null()), "it has its scope within");

    let wrong =
        KeystoneMethod::ApplicationCredential { id: "c7".to_owned(), secret: SecretSource::Text("guess".into()) };
    let refused = self::client(&replay, keystone(&replay, wrong)).node(&node).await.expect_err("refused");
    assert!(matches!(refused, IronicError::Access { .. }), "{refused}");
    let refused = refused.to_string();
    assert!(
        refused.contains("/v3/auth/tokens") && refused.contains("at Keystone") && !refused.contains("guess"),
        "{refused}"
    );
}

#[tokio::test]
async fn a_change_is_repeated_only_if_nothing_was_done() {
    let replay = Replay::start().await;
    let node = replay.node("n1", json!({}));
    let order = Provision::to(Target::Deploy).configdrive(json!({"user_data": "secret"}));
    assert!(!format!("{order:?}").contains("secret"));
    let client = client(&replay, Auth::None);
    let path = format!("PUT /v1/nodes/{node}/states/provision");
    let calls = || replay.calls(&path).len();
    for fault in [Fault::Locked(2), Fault::Busy(2)] {
        let before = calls();
        replay.fail("nodes", fault);
        client.set_provision_state(&node, &order).await.expect("accepted");
        assert_eq!(calls() - before, 3);
    }
    assert_eq!(replay.bodies().last(), Some(&json!({"target": "active", "configdrive": {"user_data": "secret"}})));

    // Nobody knows what became of a call without an answer, so it is made once.
    replay.fail("nodes", Fault::Slow);
    let pace = Pace { answer: Duration::from_millis(200), ..quick() };
    let impatient = Client::new(&Connection { pace, ..connection(&replay.url, Auth::None) }).expect("a client");
    let before = calls();
    let lost = impatient.set_provision_state(&node, &order).await.expect_err("no answer");
    assert!(lost.is_unknown() && !lost.is_passing(), "{lost}");
    assert_eq!(calls() - before, 1);
}

#[tokio::test]
async fn a_missing_object_is_none_and_a_refusal_is_a_sentence() {
    let replay = Replay::start().await;
    let client = client(&replay, Auth::None);
    assert_eq!(client.node("gone").await, Ok(None));
    assert_eq!(client.inventory("gone").await, Ok(None));
    assert_eq!(client.states("gone").await, Ok(None));
    let node = replay.node("n1", json!({"provision_state": "available"}));
    assert_eq!(client.node("n1").await.map(|found| found.map(|it| it.uuid)), Ok(Some(node.clone())), "by its name");
    replay.fail("nodes", Fault::Text(r#"{"uuid": 7}"#));
    let wrong = client.patch_node(&node, &[Patch::set("/extra/a", 1), Patch::remove("/extra/b")]).await;
    let wrong = wrong.expect_err("no node").to_string();
    assert!(wrong.starts_with("PATCH ") && wrong.contains("wrong answer at uuid"), "{wrong}");
    let body = json!([{"op": "add", "path": "/extra/a", "value": 1}, {"op": "remove", "path": "/extra/b"}]);
    assert_eq!(replay.bodies().last(), Some(&body));
}

#[tokio::test]
async fn nodes_are_listed_page_by_page_for_others() {
    let replay = Replay::start().await;
    (0..5).for_each(|number| drop(replay.node(&format!("n{number}"), json!({}))));
    let client = client(&replay, Auth::None);
    let (mut after, mut names) = (None, Vec::new());
    loop {
        let (nodes, next) = client.node_page(after.as_deref(), 2).await.expect("a page");
        names.extend(nodes.into_iter().filter_map(|node| node.name));
        after = next;
        if after.is_none() {
            break;
        }
    }
    assert_eq!(names, ["n0", "n1", "n2", "n3", "n4"]);
}
