//! The reports of controllers: each is written only under its lease, on the host as it was read, and for its order.

use std::time::Instant;

use serde_json::{Value, json};

use super::{host, write_as_server};
use crate::harness::{Client, HANG, Server, on_both_databases, until};

const REPORT: &str = "mutation($input: ReportHostsInput!) { reportHosts(input: $input) {
  results { host { name state power observedVersion version } error { code field message } }
  history observeOnly { reason by } now revision
} }";
const FIELDS: &str = "id version updatedAt observedVersion wanted { id } generation generationDone state power acquiredFor \
    step { attempt name of since } conditions { type status message } failure { reason } cluster { name } class { name } \
    machine { ... on Device { name } } uid bootMac observed { seenAt by powerAt detail } \
    history { nodes { number act message by } pageInfo { hasNextPage endCursor } } ";

/// A controller that takes the lease of a host and reports about it.
pub(super) struct Controller {
    client: Client,
    holder: &'static str,
}

impl Controller {
    pub(super) fn of(server: &Server, holder: &'static str) -> Self {
        Self { client: server.client(), holder }
    }

    /// Takes the lease of a host. Returns its name and its epoch.
    pub(super) async fn take(&self, host: &Value, seconds: i32) -> (String, i64) {
        let lease = lease_of(host);
        let input = json!({"names": [lease], "holder": self.holder, "seconds": seconds});
        let query = "mutation($input: TakeLeasesInput!) { takeLeases(input: $input) { leases { epoch } } }";
        let taken = self.client.ok(query, json!({ "input": input })).await;
        (lease, taken["takeLeases"]["leases"][0]["epoch"].as_i64().unwrap_or_default())
    }

    pub(super) async fn report(&self, reports: Value) -> Value {
        let input = json!({"holder": self.holder, "reports": reports});
        self.client.ok(REPORT, json!({ "input": input })).await["reportHosts"].take()
    }
}

fn lease_of(host: &Value) -> String {
    let id = host["id"].as_str().expect("an id");
    let last = u8::from_str_radix(&id[id.len() - 2..], 16).expect("a byte");
    format!("hosts/{:02}", last % 64)
}

/// The reported fields of a host as they are.
fn unchanged(host: &Value) -> Value {
    let step = match host["step"].is_null() {
        true => Value::Null,
        false => json!({"attempt": host["step"]["attempt"], "name": host["step"]["name"], "of": host["step"]["of"]}),
    };
    json!({"basedOn": host["observedVersion"], "generation": host["generation"], "order": host["wanted"]["id"], "state": host["state"],
        "power": host["power"], "step": step, "generationDone": host["generationDone"], "conditions": []})
}

pub(super) fn changed(host: &Value, changes: Value) -> Value {
    let mut change = unchanged(host);
    for (name, value) in changes.as_object().expect("changes") {
        change[name] = value.clone();
    }
    change
}

/// A report about a host with its lease.
pub(super) fn report(host: &Value, (lease, epoch): &(String, i64), parts: Value) -> Value {
    let mut report = json!({"host": host["id"], "lease": lease, "epoch": epoch});
    for (name, value) in parts.as_object().expect("parts") {
        report[name] = value.clone();
    }
    report
}

/// The error of the only report.
fn error(payload: &Value) -> (String, String) {
    let error = &payload["results"][0]["error"];
    (error["code"].as_str().unwrap_or_default().to_owned(), error["message"].as_str().unwrap_or_default().to_owned())
}

on_both_databases! {
    async fn a_report_moves_the_host_and_not_its_version(mut server: Server) {
        server.client().apply_all(vec![json!({"host": {"name": "h"}})]).await;
        let discover = json!({"host": {"name": "h", "wanted": {"act": "DISCOVER"}, "generation": 1}});
        write_as_server(&mut server, vec![discover]).await;
        let (client, controller) = (server.client(), Controller::of(&server, "one"));
        let before = host(&client, "h", FIELDS).await;
        let lease = controller.take(&before, 600).await;
        let step = json!({"attempt": 1, "name": "register", "of": 1});
        let change = changed(&before, json!({"state": "DISCOVERING", "power": "ON", "step": step}));
        let seen = json!({"seenAt": "2026-11-01T00:00:00Z", "powerAt": "2026-11-01T00:00:00Z", "detail": {"word": 7}});
        let acts = json!([{"at": "2026-11-01T00:00:00Z", "act": "register", "message": "it was accepted"}]);
        let all = report(&before, &lease, json!({"change": change, "observed": seen, "acts": acts}));
        let payload = controller.report(json!([all.clone()])).await;
        assert_eq!(payload["results"][0]["error"], Value::Null, "{payload}");
        assert_eq!(payload["results"][0]["host"]["state"], "DISCOVERING");
        assert!(payload["history"].is_string() && payload["observeOnly"].is_null(), "{payload}");
        let after = host(&client, "h", FIELDS).await;
        assert_eq!((&after["version"], &after["updatedAt"]), (&before["version"], &before["updatedAt"]));
        assert_eq!(after["observedVersion"], payload["revision"]);
        assert!(after["step"]["since"].is_string() && after["power"] == "ON", "{after}");
        assert_eq!((&after["observed"]["by"], &after["observed"]["detail"]), (&json!("one"), &json!({"word": 7})));
        let line = json!({"number": 1, "act": "register", "message": "it was accepted", "by": "one"});
        assert_eq!(after["history"]["nodes"], json!([line]));

        // The same again comes too late, but what was seen is written.
        let payload = controller.report(json!([all])).await;
        assert_eq!((error(&payload).0.as_str(), &payload["revision"]), ("STALE_VERSION", &Value::Null), "{payload}");
        // A step that goes on keeps its time, and what differs in nothing makes no revision.
        let payload = controller.report(json!([report(&after, &lease, json!({"change": unchanged(&after)}))])).await;
        assert_eq!((&payload["results"][0]["error"], &payload["revision"]), (&Value::Null, &Value::Null), "{payload}");
        let observed = json!({"observed": {"seenAt": "2026-11-01T00:01:00Z"}});
        let payload = controller.report(json!([report(&after, &lease, observed)])).await;
        assert_eq!((&payload["results"][0]["error"], &payload["revision"]), (&Value::Null, &Value::Null), "{payload}");
        assert_eq!(host(&client, "h", "observed { seenAt detail }").await["observed"]["detail"], Value::Null);
    }

    async fn a_report_is_refused_by_itself_with_a_sentence(mut server: Server) {
        let names = ["a", "b", "c"];
        server.client().apply_all(names.iter().map(|name| json!({"host": {"name": name}})).collect()).await;
        let wanted = json!({"host": {"name": "b", "wanted": {"act": "POWER_ON"}, "generation": 1}});
        write_as_server(&mut server, vec![wanted]).await;
        let (client, controller) = (server.client(), Controller::of(&server, "one"));
        let (a, b) = (host(&client, "a", FIELDS).await, host(&client, "b", FIELDS).await);
        let (lease, lease_b) = (controller.take(&a, 600).await, controller.take(&b, 600).await);
        let other = (lease.0.clone(), lease.1 + 1);
        let wrong = ("hosts/by/one".to_owned(), 1);
        let fine = json!({"change": unchanged(&a)});
        let step = json!({"attempt": 1, "name": "power-on", "of": 1});
        let long = json!({"seenAt": "2026-11-01T00:00:00Z", "detail": "x".repeat(5_000)});
        let act = json!({"at": "2026-11-01T00:00:00Z", "act": "", "message": "m"});
        let missing = json!({"id": "00000000-0000-4000-8000-000000000001"});
        let missing_lease = controller.take(&missing, 600).await;
        let table = [
            (report(&a, &other, fine.clone()), "LEASE_LOST", "is no longer held under epoch"),
            (report(&a, &wrong, fine.clone()), "INVALID", "the lease of this object"),
            (report(&missing, &missing_lease, fine.clone()), "NOT_FOUND", "does not exist"),
            (report(&a, &lease, json!({"change": changed(&a, json!({"basedOn": 0}))})), "STALE_VERSION", "the report of host a"),
            (report(&a, &lease, json!({"change": changed(&a, json!({"generation": 7}))})), "STALE_VERSION", "the order of host a"),
            (report(&b, &lease_b, json!({"change": changed(&b, json!({"order": missing["id"]}))})), "STALE_VERSION", "the order 1 of host b is another one"),
            (report(&a, &lease, json!({"change": changed(&a, json!({"generationDone": 7}))})), "INVALID", "must be 0 or 0"),
            (report(&a, &lease, json!({"change": changed(&a, json!({"state": "AVAILABLE"}))})), "INVALID", "has no open order"),
            (report(&b, &lease_b, json!({"change": changed(&b, json!({"state": "INSTALLED"}))})), "INVALID", "its order is POWER_ON"),
            (report(&a, &lease, json!({"change": changed(&a, json!({"step": step}))})), "INVALID", "a step begins for the open order"),
            (report(&a, &lease, json!({"observed": long})), "INVALID", "at most 4096 are allowed"),
            (report(&a, &lease, json!({"acts": [act]})), "INVALID", "must not be empty"),
            (report(&a, &lease, json!({"cleared": true})), "INVALID", "marked for deletion"),
            (report(&json!({"id": "x0"}), &lease, fine.clone()), "INVALID", "must be a UUID"),
        ];
        let revision = client.ok("{ revision }", json!({})).await["revision"].clone();
        for (report, code, says) in &table {
            let payload = controller.report(json!([report])).await;
            let (found, message) = error(&payload);
            assert!(found == *code && message.contains(says), "{report}: {payload}");
        }
        assert_eq!(client.ok("{ revision }", json!({})).await["revision"], revision, "nothing was written");

        // Each report stands by itself, whatever the others are.
        let good = report(&b, &lease_b, json!({"change": changed(&b, json!({"power": "OFF"}))}));
        let payload = controller.report(json!([table[3].0, good, table[0].0])).await;
        let codes: Vec<&Value> = (0..3).map(|at| &payload["results"][at]["error"]["code"]).collect();
        assert_eq!(codes, [&json!("STALE_VERSION"), &Value::Null, &json!("INVALID")], "{payload}");
        assert_eq!(host(&client, "b", "power").await["power"], "OFF");

        // As a whole: too many, and a wrong name.
        let many: Vec<Value> = (0..1_001).map(|_| report(&a, &lease, json!({}))).collect();
        for (holder, reports, field) in [("one", json!(many), "reports"), ("", json!([]), "holder")] {
            let input = json!({"holder": holder, "reports": reports});
            let errors = client.refused(REPORT, json!({ "input": input })).await;
            assert_eq!((errors[0].code.as_str(), errors[0].field.as_deref()), ("INVALID", Some(field)));
        }
    }

    async fn reports_that_come_too_often_wait(server: Server) {
        let client = server.client();
        client.apply_all(vec![json!({"host": {"name": "h"}})]).await;
        let controller = Controller::of(&server, "one");
        let mut now = host(&client, "h", FIELDS).await;
        let lease = controller.take(&now, 600).await;
        let (begun, mut refused) = (Instant::now(), None);
        for (accepted, power) in (0..).zip(["ON", "OFF"].into_iter().cycle()) {
            // One more is accepted each second, however slow this machine is.
            let waited = begun.elapsed();
            assert!(accepted < 60 + waited.as_secs() && waited < HANG, "{accepted} changes are accepted");
            let change = changed(&now, json!({ "power": power }));
            let payload = controller.report(json!([report(&now, &lease, json!({ "change": change }))])).await;
            if payload["results"][0]["error"].is_null() {
                now["observedVersion"] = payload["results"][0]["host"]["observedVersion"].clone();
            } else {
                refused = Some(error(&payload));
                break;
            }
        }
        let (code, message) = refused.expect("sixty changes in no time");
        assert!(code == "UNAVAILABLE" && message.contains("come too often: wait"), "{code}: {message}");
    }

    async fn facts_find_the_machine_and_the_class(mut server: Server) {
        server.client().apply_all(vec![
            json!({"site": {"name": "ams1", "type": "DATACENTER"}}),
            json!({"device": {"site": {"site": "ams1"}, "name": "n1", "role": "SERVER", "serial": "CZJ1"}}),
            json!({"hostClass": {"name": "small", "match": {"cpuCores": 8}}}),
            json!({"hostClass": {"name": "large", "match": {"cpuCores": 64}}}),
            json!({"host": {"name": "h"}}),
            json!({"host": {"name": "i"}}),
            json!({"host": {"name": "alone"}}),
        ]).await;
        let order = |name: &str| json!({"host": {"name": name, "wanted": {"act": "DISCOVER"}, "generation": 1, "state": "DISCOVERING"}});
        write_as_server(&mut server, vec![order("h"), order("i"), order("alone")]).await;
        let (client, controller) = (server.client(), Controller::of(&server, "one"));
        for (name, cores, class, condition) in [("h", 8, json!({"name": "small"}), json!([])), ("i", 64, Value::Null,
            json!([{"type": "ClassAmbiguous", "status": "TRUE", "message": "2 classes fit, such as large, small: set one of them"}]))]
        {
            let now = host(&client, name, FIELDS).await;
            let lease = controller.take(&now, 600).await;
            let facts = json!({"identities": ["To Be Filled", " czj1 "], "cpuCores": cores, "bootMac": "02:00:00:00:00:01"});
            let change = changed(&now, json!({"facts": facts}));
            let payload = controller.report(json!([report(&now, &lease, json!({ "change": change }))])).await;
            assert_eq!(payload["results"][0]["error"], Value::Null, "{payload}");
            let found = host(&client, name, FIELDS).await;
            assert_eq!((&found["class"], &found["conditions"]), (&class, &condition), "{name}");
            // What the machine of another host says of itself makes no host that machine.
            let (uid, mac, machine) = match name {
                "h" => (json!("czj1"), json!("02:00:00:00:00:01"), json!({"name": "n1"})),
                _ => Default::default(),
            };
            assert_eq!((&found["uid"], &found["bootMac"], &found["machine"]), (&uid, &mac, &machine), "{name}");
        }
        // What is found stays with the host where there is no device. What means nothing is left out, and refuses nothing.
        let now = host(&client, "alone", FIELDS).await;
        let lease = controller.take(&now, 600).await;
        let disk = |name: &str, bytes: i64| json!({"name": name, "sizeBytes": bytes, "type": "NVME"});
        let facts = json!({"identities": ["CZJ9"], "cpuCores": 32, "cpuArchitecture": "ARM64", "memoryBytes": 0,
            "disks": [disk("nvme0n1", 100), disk("nvme0n1", 200), disk("", 1), disk("sr0", 0)]});
        let payload = controller.report(json!([report(&now, &lease, json!({ "change": changed(&now, json!({"facts": facts})) }))])).await;
        assert_eq!(payload["results"][0]["error"], Value::Null, "{payload}");
        let hardware = "machine { __typename } hardware { cpuCores cpuArchitecture memoryBytes disks { name sizeBytes type } }";
        let found = host(&client, "alone", hardware).await;
        let expected = json!({"cpuCores": 32, "cpuArchitecture": "ARM64", "memoryBytes": null, "disks": [disk("nvme0n1", 100)]});
        assert_eq!((&found["machine"], &found["hardware"]), (&Value::Null, &expected));
        let described = server.cli(["describe", "host/alone"]).await;
        assert!(described.stdout.contains("32"), "{described:?}");
        // Another machine in its place is another hardware.
        let accept = "mutation($ids: [ID!]!) { acceptMachines(input: {ids: $ids}) { hosts { hardware { cpuCores } } } }";
        write_as_server(&mut server, vec![json!({"host": {"name": "alone", "generationDone": 1}})]).await;
        let client = server.client();
        let accepted = client.ok(accept, json!({"ids": [now["id"]]})).await;
        assert_eq!(accepted["acceptMachines"]["hosts"][0]["hardware"], Value::Null, "{accepted}");
    }

    async fn a_machine_that_becomes_known_later_is_linked(server: Server) {
        let client = server.client();
        client.apply_all(vec![
            json!({"site": {"name": "ams1", "type": "DATACENTER"}}),
            json!({"device": {"site": {"site": "ams1"}, "name": "n1", "role": "SERVER"}}),
            json!({"host": {"name": "h", "uid": "CZJ1"}}),
        ]).await;
        client.apply_all(vec![json!({"device": {"site": {"site": "ams1"}, "name": "n1", "serial": "czj1"}})]).await;
        until("the host is linked", async || host(&client, "h", FIELDS).await["machine"] == json!({"name": "n1"})).await;
    }

    async fn a_host_that_is_given_back_belongs_to_nobody(mut server: Server) {
        server.client().apply_all(vec![json!({"cluster": {"name": "k1"}}), json!({"host": {"name": "h", "cluster": {"cluster": "k1"}}})]).await;
        let order = json!({"host": {"name": "h", "wanted": {"act": "RELEASE"}, "generation": 3, "generationDone": 2,
            "state": "RELEASING", "acquiredFor": "tests"}});
        write_as_server(&mut server, vec![order]).await;
        let (client, controller) = (server.client(), Controller::of(&server, "one"));
        let now = host(&client, "h", FIELDS).await;
        let lease = controller.take(&now, 600).await;
        let change = changed(&now, json!({"state": "AVAILABLE", "generationDone": 3, "step": null}));
        controller.report(json!([report(&now, &lease, json!({ "change": change }))])).await;
        let after = host(&client, "h", FIELDS).await;
        let found = [&after["state"], &after["acquiredFor"], &after["cluster"]];
        assert_eq!(found, [&json!("AVAILABLE"), &Value::Null, &Value::Null]);

        // A host that is marked is deleted when everything is cleared up, with its history.
        let payload = controller.report(json!([report(&after, &lease, json!({"cleared": true}))])).await;
        assert_eq!(error(&payload).0, "INVALID");
        write_as_server(&mut server, vec![json!({"host": {"name": "h", "deleting": true}})]).await;
        let (client, controller) = (server.client(), Controller::of(&server, "one"));
        let payload = controller.report(json!([report(&after, &lease, json!({"cleared": true}))])).await;
        assert_eq!((&payload["results"][0]["error"], &payload["results"][0]["host"]), (&Value::Null, &Value::Null), "{payload}");
        assert_eq!(host(&client, "h", "id").await, Value::Null);
    }

    async fn observe_only_stops_steps_and_an_admin_ends_it(mut server: Server) {
        server.client().apply_all(vec![json!({"host": {"name": "h"}})]).await;
        let order = json!({"host": {"name": "h", "wanted": {"act": "POWER_ON"}, "generation": 1}});
        write_as_server(&mut server, vec![order]).await;
        let (client, controller) = (server.client(), Controller::of(&server, "one"));
        let now = host(&client, "h", FIELDS).await;
        let lease = controller.take(&now, 600).await;
        let observe = "mutation($r: String!) { observeHosts(input: {reason: $r}) { observeOnly { reason } } }";
        for reason in ["the first", "the second"] {
            let set = client.ok(observe, json!({"r": reason})).await;
            assert_eq!(set["observeHosts"]["observeOnly"]["reason"], "the first", "an earlier reason stays");
        }
        let hosts_status = "{ hostsStatus { history position observeOnly { reason by } hasTakenHosts now \
            contradictions { host { name } message } } }";
        let found = client.ok(hosts_status, json!({})).await["hostsStatus"].take();
        assert_eq!(found["observeOnly"]["reason"], "the first");
        assert_eq!(found["hasTakenHosts"], false);
        let message = "is REGISTERED, and its order to POWER_ON ends without an act: order again";
        assert_eq!(found["contradictions"], json!([{"host": {"name": "h"}, "message": message}]));
        let step = json!({"attempt": 1, "name": "power-on", "of": 1});
        let change = changed(&now, json!({"step": step}));
        let payload = controller.report(json!([report(&now, &lease, json!({ "change": change.clone() }))])).await;
        let (code, message) = error(&payload);
        assert!(code == "INCOMPATIBLE" && message.contains("underlay hosts resume"), "{payload}");
        // The observation is written.
        let seen = changed(&now, json!({"power": "ON"}));
        let payload = controller.report(json!([report(&now, &lease, json!({ "change": seen }))])).await;
        assert_eq!((&payload["results"][0]["error"], &payload["observeOnly"]["reason"]), (&Value::Null, &json!("the first")));
        let resume = "mutation { resumeHosts { observeOnly { reason } contradictions { message } } }";
        let resumed = client.ok(resume, json!({})).await;
        assert_eq!(resumed["resumeHosts"]["observeOnly"]["reason"], "the first");
        // The order waited meanwhile, and nobody knows if it is still wanted.
        let ended = host(&client, "h", "generationDone lastOrder { number act outcome reason }").await;
        let last = json!({"number": 1, "act": "POWER_ON", "outcome": "EXPIRED", "reason": "ObservedOnly"});
        assert_eq!((&ended["generationDone"], &ended["lastOrder"]), (&json!(1), &last));
        let now = host(&client, "h", FIELDS).await;
        let change = changed(&now, json!({"step": step}));
        let payload = controller.report(json!([report(&now, &lease, json!({ "change": change }))])).await;
        assert!(error(&payload).1.contains("a step begins for the open order"), "{payload}");
    }

    async fn a_thousand_reports_go_in_one_call(server: Server) {
        let client = server.client();
        client.apply_all((0..1_000).map(|number| json!({"host": {"name": format!("h{number}")}})).collect()).await;
        let controller = Controller::of(&server, "one");
        let names: Vec<String> = (0..64).map(|number| format!("hosts/{number:02}")).collect();
        let take = "mutation($input: TakeLeasesInput!) { takeLeases(input: $input) { leases { epoch } } }";
        client.ok(take, json!({"input": {"names": names, "holder": "one", "seconds": 600}})).await;
        let list = "{ hosts(first: 1000) { nodes { id observedVersion generation generationDone state power step { name } } } }";
        let hosts = client.ok(list, json!({})).await["hosts"]["nodes"].take();
        let acts = json!([{"at": "2026-11-01T00:00:00Z", "act": "look", "message": "it was seen"}]);
        let reports: Vec<Value> = hosts.as_array().expect("hosts").iter().map(|host| {
            let lease = (lease_of(host), 1);
            let seen = json!({"seenAt": "2026-11-01T00:00:00Z"});
            report(host, &lease, json!({"change": changed(host, json!({"power": "OFF"})), "observed": seen, "acts": acts}))
        }).collect();
        let payload = controller.report(json!(reports)).await;
        let results = payload["results"].as_array().expect("results");
        assert!(results.len() == 1_000 && results.iter().all(|it| it["error"].is_null() && it["host"]["power"] == "OFF"));
        let seen = "{ hosts(first: 50) { nodes { observed { by } history(first: 5) { nodes { act } } } } }";
        let hosts = client.ok(seen, json!({})).await["hosts"]["nodes"].take();
        for host in hosts.as_array().expect("hosts") {
            let expected = json!({"observed": {"by": "one"}, "history": {"nodes": [{"act": "look"}]}});
            assert_eq!(*host, expected);
        }
    }

    /// A controller that is killed in an act leaves the line that it wrote with the step.
    async fn an_act_is_in_the_history_before_it_is_made(mut server: Server) {
        server.client().apply_all(vec![json!({"host": {"name": "h"}})]).await;
        let wanted = json!({"host": {"name": "h", "wanted": {"act": "POWER_CYCLE"}, "generation": 1}});
        write_as_server(&mut server, vec![wanted]).await;
        let (client, controller) = (server.client(), Controller::of(&server, "one"));
        let now = host(&client, "h", FIELDS).await;
        let lease = controller.take(&now, 600).await;
        let act = |part: &str, name: &str, message: &str| {
            json!([{"at": "2026-11-01T00:00:00Z", "act": name, "message": message, "part": part}])
        };
        let lines = async || {
            let now = host(&client, "h", "history { nodes { number act message } }").await;
            let lines = now["history"]["nodes"].as_array().expect("lines").iter();
            lines.map(|line| format!("{} {} {}", line["number"], line["act"], line["message"])).collect::<Vec<_>>()
        };
        let step = json!({"attempt": 1, "name": "power-cycle", "of": 1});
        let begins = json!({"change": changed(&now, json!({ "step": step })), "acts": act("BEGIN", "power-cycle", "begins")});
        let written = controller.report(json!([report(&now, &lease, begins.clone())])).await;
        assert_eq!(written["results"][0]["error"], Value::Null, "{written}");
        assert_eq!(lines().await, ["1 \"power-cycle\" \"begins\""]);
        // A step that is not written begins nothing.
        let refused = controller.report(json!([report(&now, &lease, begins)])).await;
        assert_eq!(error(&refused).0, "STALE_VERSION");
        assert_eq!(lines().await, ["1 \"power-cycle\" \"begins\""]);

        controller.report(json!([report(&now, &lease, json!({"acts": act("END", "power-cycle", "ended")}))])).await;
        assert_eq!(lines().await, ["1 \"power-cycle\" \"ended\""]);
        // The end of another act takes the place of nothing.
        controller.report(json!([report(&now, &lease, json!({"acts": act("END", "power-on", "ended")}))])).await;
        assert_eq!(lines().await, ["2 \"power-on\" \"ended\"", "1 \"power-cycle\" \"ended\""]);
    }

    async fn the_history_keeps_a_thousand_lines(server: Server) {
        let client = server.client();
        client.apply_all(vec![json!({"host": {"name": "h"}})]).await;
        let controller = Controller::of(&server, "one");
        let now = host(&client, "h", FIELDS).await;
        let lease = controller.take(&now, 600).await;
        for round in 0..11 {
            let line = |number: i64| json!({"at": "2026-11-01T00:00:00Z", "act": "look", "message": format!("{round}-{number}")});
            let acts: Vec<Value> = (0..100).map(line).collect();
            let payload = controller.report(json!([report(&now, &lease, json!({ "acts": acts }))])).await;
            assert_eq!(payload["results"][0]["error"], Value::Null, "{payload}");
        }
        let page = "query($after: String) { host(name: \"h\") { history(first: 600, after: $after) { \
            nodes { number message } pageInfo { hasNextPage endCursor } } } }";
        let first = client.ok(page, json!({})).await["host"]["history"].take();
        assert_eq!((first["nodes"].as_array().map(Vec::len), &first["nodes"][0]["message"]), (Some(600), &json!("10-99")));
        assert_eq!(first["pageInfo"]["hasNextPage"], true);
        let next = client.ok(page, json!({"after": first["pageInfo"]["endCursor"]})).await["host"]["history"].take();
        assert_eq!(next["nodes"].as_array().map(Vec::len), Some(400), "the last 1,000 are kept");
        assert_eq!((&next["nodes"][399]["message"], &next["pageInfo"]["hasNextPage"]), (&json!("1-0"), &json!(false)));
        let wrong = client.refused(page, json!({"after": "x"})).await;
        assert_eq!((wrong[0].code.as_str(), wrong[0].field.as_deref()), ("INVALID", Some("after")));
    }
}
