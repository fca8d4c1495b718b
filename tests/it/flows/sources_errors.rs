//! The errors of a run tell what failed in the end: each thing once, and nothing that was written after all.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::sources::{Synchronizer, call, region, regions, source};
use crate::harness::{Server, on_both_databases};

/// An item that is refused until it has a name.
fn nameless(id: usize) -> Value {
    json!({"region": {"name": "", "externalId": id.to_string()}})
}

fn ids(run: &Value) -> Vec<String> {
    let errors = run["errors"].as_array().expect("errors").iter();
    errors.map(|error| error["externalId"].as_str().expect("an id").to_owned()).collect()
}

on_both_databases! {
    async fn an_exchange_of_names_leaves_no_error(server: Server) {
        let client = server.client();
        source(&client, json!({})).await;
        Synchronizer::full(&client, regions(1..4)).await;
        let it = Synchronizer::start(&client, "PARTIAL").await;
        let named = |id: usize, name: usize| json!({"region": {"name": format!("r{name}"), "externalId": id.to_string()}});
        for item in [named(1, 2), named(2, 1)] {
            assert_eq!(it.apply(vec![item]).await[0]["error"]["code"], "DUPLICATE");
        }
        let found = client.ok("{ source(name: \"nb\") { lastRun { failed errors { code } } } }", json!({})).await;
        assert_eq!(found["source"]["lastRun"], json!({"failed": 2, "errors": [{"code": "DUPLICATE"}, {"code": "DUPLICATE"}]}));
        // All together, with one more that is refused: nothing is written, so they have failed still.
        let apply = "mutation($input: ApplyInput!) { apply(input: $input) { results { status } } }";
        for (items, failed) in [(vec![named(1, 2), named(2, 1), nameless(9)], 3), (vec![named(1, 2), named(2, 1)], 1)] {
            client.ok(apply, json!({"input": {"run": it.run, "items": items}})).await;
            let found = client.ok("{ source(name: \"nb\") { lastRun { failed } } }", json!({})).await;
            assert_eq!(found["source"]["lastRun"]["failed"], failed);
        }
        it.apply(vec![region(9)]).await;
        let run = it.finish().await;
        assert_eq!((&run["failed"], &run["errors"]), (&json!(0), &json!([])), "{run:#}");
    }

    async fn a_thing_fails_once_and_the_first_hundred_are_listed(mut server: Server) {
        let client = server.client();
        source(&client, json!({})).await;
        let it = Synchronizer::start(&client, "FULL").await;
        for _ in 0..3 {
            it.apply((0..150).map(nameless).collect()).await;
        }
        let run = it.report(json!({})).await["run"].take();
        assert_eq!((&run["failed"], ids(&run).into_iter().collect::<BTreeSet<_>>().len()), (&json!(150), 100), "{run:#}");
        // Most of them are written after a restart: those that were not listed take their places.
        server.kill();
        server.restart().await;
        let it = Synchronizer { client: server.client(), ..it };
        it.apply((0..120).map(region).collect()).await;
        let run = it.report(json!({})).await["run"].take();
        let left: BTreeSet<String> = (120..150).map(|id| id.to_string()).collect();
        assert_eq!((&run["failed"], ids(&run).into_iter().collect::<BTreeSet<_>>()), (&json!(30), left));
        assert_eq!(ids(&run).len(), 30);

        // Reported errors count once for an external id, and each without one.
        it.apply((120..150).map(region).collect()).await;
        let error = |id: Value, message: &str| json!({"externalId": id, "code": "BAD", "message": message});
        let errors = json!([error(json!("x"), "first"), error(Value::Null, "a"), error(Value::Null, "a"), error(json!("x"), "last")]);
        it.report(json!({"errors": errors})).await;
        it.settle(true).await;
        let run = it.finish().await;
        assert_eq!((&run["state"], &run["failed"]), (&json!("SUCCEEDED"), &json!(3)), "{run:#}");
        let messages: Vec<&str> = run["errors"].as_array().expect("errors").iter().map(|it| it["message"].as_str().expect("a text")).collect();
        assert_eq!(messages, ["a", "a", "last"], "the last reason stays");
    }

    async fn the_errors_of_full_runs_are_shown_whatever_came_after(server: Server) {
        let client = server.client();
        source(&client, json!({})).await;
        let it = Synchronizer::start(&client, "FULL").await;
        it.report(json!({"errors": [{"code": "UNREACHABLE", "message": "the source cannot be reached"}]})).await;
        it.finish().await;
        for number in 0..2 {
            let it = Synchronizer::start(&client, "PARTIAL").await;
            it.apply(vec![region(number)]).await;
            it.finish().await;
        }
        // A full run that is going on hides nothing either.
        let going_on = Synchronizer::start(&client, "FULL").await;
        let described = server.cli(["describe", "source/nb"]).await;
        assert!(described.code == 0 && described.stdout.contains("Errors of the last full run"), "{described:?}");
        assert!(described.stdout.contains("the source cannot be reached"), "{described:?}");
        assert!(!described.stdout.contains("Errors of the last partial run"), "{described:?}");
        let it = Synchronizer::start(&client, "PARTIAL").await;
        it.apply(vec![nameless(7)]).await;
        it.finish().await;
        let described = server.cli(["describe", "source/nb"]).await;
        assert!(described.stdout.contains("Errors of the last partial run"), "{described:?}");
        let last = client.ok("{ source(name: \"nb\") { full: lastEndedRun(mode: FULL) { state } partial: lastEndedRun(mode: PARTIAL) { id } lastRun { id } } }", json!({})).await;
        assert_eq!((&last["source"]["full"]["state"], &last["source"]["partial"]), (&json!("FAILED"), &json!({"id": it.run})));
        call(&client, "cancelRun", json!({"run": going_on.run})).await;
    }
}
