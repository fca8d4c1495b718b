//! Boots from the network: a machine gets its disk unless the order that is at work says otherwise, and the machine is the
//! host by everything that it says of itself.

use serde_json::{Value, json};

use super::host;
use super::reports::{Controller, changed, report};
use crate::harness::{Client, Server, on_both_databases, until};

const ANSWER: &str = "mutation($input: AnswerBootInput!) { answerBoot(input: $input) {
  target reason host text contentType files { name url }
} }";
const REPORT: &str = "mutation($input: ReportBootInput!) { reportBoot(input: $input) { host message } }";
const ATTEMPT: &str = "mutation($input: BootAttemptInput!) { attempt: OPERATION(input: $input) {
  attempt { state boots order purpose } refused
} }";
const FIELDS: &str = "id observedVersion wanted { id } generation generationDone state power \
    step { attempt name of since } conditions { type } boots { number target reason mac address } \
    bootAttempt { order state purpose boots bootedAt loadedAt textAt rebootedAt heardAt stage percent message \
      facts { serial uuid bootMac cpuCores memoryBytes disks { name sizeBytes type } } }";

const MAC: &str = "52:54:00:aa:00:01";
const UUID: &str = "4c4c4544-0051-3610-8052-b4c04f4d3232";
const SERIAL: &str = "7QR6M22";
const URL: &str = "http://10.0.0.1:8090";

/// A host with a discovery, and the controller that works on it.
struct Scene {
    client: Client,
    controller: Controller,
    lease: (String, i64),
}

impl Scene {
    /// Begins a discovery of the host `m1`, which goes to its step `prepare`.
    async fn prepared(server: &Server) -> Self {
        let (client, controller) = (server.client(), Controller::of(server, "one"));
        let profile = json!({"profile": {"name": "discovery", "purpose": "DISCOVER", "kernel": "http://files/vmlinuz",
            "initrd": "http://files/initrd.gz", "arguments": ["console=ttyS0", "name=a b"]}});
        let host =
            json!({"host": {"name": "m1", "provisioner": "direct", "bootMac": MAC, "uid": UUID, "serial": SERIAL}});
        let site = json!({"site": {"name": "s1", "type": "EDGE"}});
        let other = json!({"host": {"name": "m2", "provisioner": "direct", "bootMac": "52:54:00:aa:00:02"}});
        client.apply_all(vec![profile, site, host, other]).await;
        let mut scene = Self { client, controller, lease: (String::new(), 0) };
        scene.lease = scene.controller.take(&scene.host().await, 600).await;
        scene.discover().await;
        scene
    }

    async fn host(&self) -> Value {
        host(&self.client, "m1", FIELDS).await
    }

    async fn discover(&self) {
        let id = self.host().await["id"].take();
        let discover = "mutation($input: DiscoverHostsInput!) { discoverHosts(input: $input) { hosts { name } } }";
        self.client.ok(discover, json!({"input": {"ids": [id], "adopt": true}})).await;
        self.step("DISCOVERING", "prepare").await;
    }

    /// Moves the host to a step, as a controller does.
    async fn step(&self, state: &str, name: &str) {
        let host = self.host().await;
        let step = json!({"attempt": 1, "name": name, "of": host["generation"]});
        self.change(json!({"state": state, "step": step})).await;
    }

    async fn change(&self, changes: Value) {
        let host = self.host().await;
        let change = json!({"change": changed(&host, changes)});
        let payload = self.controller.report(json!([report(&host, &self.lease, change)])).await;
        assert_eq!(payload["results"][0]["error"], Value::Null, "{payload}");
    }

    /// Opens or closes the attempt of the order that the host has.
    async fn attempt(&self, operation: &str) -> Value {
        let host = self.host().await;
        let input = json!({"holder": "one", "lease": self.lease.0, "epoch": self.lease.1, "host": host["id"],
            "order": host["wanted"]["id"]});
        let operation = ATTEMPT.replace("OPERATION", operation);
        self.client.ok(&operation, json!({ "input": input })).await["attempt"].take()
    }

    async fn opened(&self) {
        let opened = self.attempt("openBootAttempt").await;
        assert_eq!((&opened["refused"], &opened["attempt"]["state"]), (&Value::Null, &json!("OPEN")), "{opened}");
    }

    async fn answer(&self, changes: Value) -> Value {
        let mut input = json!({"stage": "START", "program": "GRUB", "macs": [MAC], "url": URL});
        for (name, value) in changes.as_object().expect("members") {
            input[name] = value.clone();
        }
        self.client.ok(ANSWER, json!({ "input": input })).await["answerBoot"].take()
    }

    /// Boots the machine. Returns the token of the boot.
    async fn boot(&self) -> String {
        let answer = self.answer(json!({})).await;
        assert_eq!(answer["target"], "DISCOVER", "{answer}");
        token_of(answer["text"].as_str().expect("a text"))
    }

    async fn text(&self, token: &str) -> Value {
        self.answer(json!({"stage": "TEXT", "token": token, "macs": []})).await
    }

    async fn report(&self, token: &str, changes: Value) -> Value {
        let mut input = json!({"token": token, "outcome": "WORKING"});
        for (name, value) in changes.as_object().expect("members") {
            input[name] = value.clone();
        }
        self.client.ok(REPORT, json!({ "input": input })).await["reportBoot"].take()
    }
}

/// Returns the token in the address of the text.
fn token_of(text: &str) -> String {
    let rest = text.split_once("/boot/text/").expect("the address of a text").1;
    rest.chars().take_while(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_')).collect()
}

fn facts() -> Value {
    json!({"format": 1, "agent": {"version": "discovery"}, "observedAt": "2026-11-30T00:00:00Z",
        "system": {"complete": true, "found": {"uuid": UUID, "serial": SERIAL}},
        "processors": {"complete": true, "found": [{"socket": 0, "cores": 16, "threads": 32}]},
        "memory": {"complete": true, "found": {"modules": [{"slot": "A1", "sizeBytes": 17_179_869_184_i64}]}},
        "disks": {"complete": true, "found": [{"name": "nvme0n1", "sizeBytes": 1_000_000_000, "medium": "NVME"}]},
        "interfaces": {"complete": true, "found": [{"name": "eth0", "permanentMac": MAC}]}})
}

on_both_databases! {
    async fn a_machine_is_discovered(server: Server) {
        let scene = Scene::prepared(&server).await;
        scene.opened().await;
        scene.step("DISCOVERING", "power-on").await;

        let loader = scene.answer(json!({"stage": "LOADER"})).await;
        assert_eq!((&loader["target"], &loader["text"]), (&json!("DISCOVER"), &Value::Null), "{loader}");
        let start = scene.answer(json!({"serial": SERIAL, "uuid": UUID, "address": "10.0.0.7"})).await;
        let text = start["text"].as_str().expect("a text");
        let token = token_of(text);
        assert_eq!(token.len(), 43, "{text}");
        assert!(text.contains(&format!("/boot/f/{token}/kernel")) && text.contains("console=ttyS0"), "{text}");
        let kernel = json!({"name": "kernel", "url": "http://files/vmlinuz"});
        assert_eq!((&start["host"], &start["files"][0]), (&json!("m1"), &kernel), "{start}");

        let files = scene.answer(json!({"stage": "FILES", "token": token, "macs": []})).await;
        assert_eq!(files["files"], start["files"], "{files}");
        let early = scene.report(&token, json!({"outcome": "DONE", "facts": facts()})).await;
        assert!(early["message"].as_str().is_some_and(|it| it.contains("has not fetched")), "{early}");
        let text = scene.text(&token).await;
        assert_eq!(text["contentType"], "text/x-shellscript", "{text}");
        assert!(text["text"].as_str().is_some_and(|it| it.starts_with("#!/bin/sh") && it.contains(&token)), "{text}");
        assert_eq!(scene.text(&token).await, text, "the same boot gets the same again");

        let working = scene.report(&token, json!({"stage": "disks", "percent": 40, "message": "3 of 8"})).await;
        assert_eq!((&working["host"], &working["message"]), (&json!("m1"), &Value::Null), "{working}");
        let without = scene.report(&token, json!({"outcome": "DONE"})).await;
        assert!(without["message"].as_str().is_some_and(|it| it.contains("hardware")), "{without}");
        let done = scene.report(&token, json!({"outcome": "DONE", "facts": facts()})).await;
        assert_eq!(done["message"], Value::Null, "{done}");

        let host = scene.host().await;
        let attempt = &host["bootAttempt"];
        assert_eq!((&attempt["state"], &attempt["boots"]), (&json!("DONE"), &json!(1)), "{host:#}");
        assert!(attempt["loadedAt"].is_string() && attempt["textAt"].is_string(), "{host:#}");
        let found = json!({"serial": SERIAL, "uuid": UUID, "bootMac": MAC, "cpuCores": 32,
            "memoryBytes": 17_179_869_184_i64,
            "disks": [{"name": "nvme0n1", "sizeBytes": 1_000_000_000, "type": "NVME"}]});
        assert_eq!(attempt["facts"], found);
        assert_eq!(host["boots"][0]["target"], "DISCOVER", "{host:#}");
        assert_eq!((&host["boots"][0]["mac"], &host["boots"][0]["address"]), (&json!(MAC), &json!("10.0.0.7")));

        // The work has ended, so the next boot gets the disk, and nothing more is taken.
        let again = scene.answer(json!({})).await;
        assert_eq!((&again["target"], &again["text"]), (&json!("LOCAL"), &Value::Null), "{again}");
        let late = scene.report(&token, json!({"outcome": "FAILED"})).await;
        assert!(late["message"].as_str().is_some_and(|it| it.contains("ended")), "{late}");
    }

    /// Each row changes one thing about a machine that would be discovered. It gets its disk, with a sentence.
    async fn whatever_is_not_certain_gets_the_disk(server: Server) {
        let scene = Scene::prepared(&server).await;
        let asked = |changes: Value| scene.answer(changes);
        assert!(asked(json!({})).await["reason"].as_str().is_some_and(|it| it.contains("has not come to the boot")));
        scene.step("DISCOVERING", "power-on").await;
        assert!(asked(json!({})).await["reason"].as_str().is_some_and(|it| it.contains("nothing is prepared")));
        scene.step("DISCOVERING", "prepare").await;
        scene.opened().await;
        assert_eq!(asked(json!({})).await["target"], "LOCAL", "its machine was not looked at");
        scene.step("DISCOVERING", "power-on").await;

        for (changes, sentence) in [
            (json!({"macs": ["52:54:00:aa:00:09"]}), "no host has a MAC address"),
            (json!({"macs": []}), "no host has"),
            (json!({"macs": ["52:54:00:aa:00:02"]}), "the host m2 has no order"),
            (json!({"macs": [MAC, "52:54:00:aa:00:02"]}), "any of the hosts"),
            (json!({"macs": ["52:54:00:aa:00:02"], "serial": SERIAL}), "different hosts"),
            (json!({"serial": "OTHER77"}), "another serial number"),
            (json!({"uuid": "00112233-4455-6677-8899-aabbccddeeff"}), "another UUID"),
            (json!({"within": "s1"}), "not at the site"),
            (json!({"stage": "FILES", "token": "x"}), "token"),
            (json!({"stage": "TEXT", "token": "x"}), "token"),
        ] {
            let answer = asked(changes.clone()).await;
            assert_eq!((&answer["target"], &answer["text"]), (&json!("LOCAL"), &Value::Null), "{changes} {answer}");
            assert!(answer["reason"].as_str().is_some_and(|it| it.contains(sentence)), "{changes} {answer}");
            assert_eq!(answer["files"], json!([]), "{changes}");
        }
        for changes in [json!({}), json!({"serial": "7qr6m22"}), json!({"serial": "To Be Filled By O.E.M."})] {
            let mut loader = changes.clone();
            loader["stage"] = json!("LOADER");
            assert_eq!(asked(loader).await["target"], "DISCOVER", "{changes}");
        }
        // What a machine got its disk for is written down soon after.
        until("the boots are listed", async || {
            let host = host(&scene.client, "m1", "boots(first: 100) { target reason }").await;
            let local = host["boots"].as_array().is_some_and(|it| it.iter().any(|boot| boot["target"] == "LOCAL"));
            if local { Ok(()) } else { Err(format!("{host:#}")) }
        })
        .await;

        let observe = "mutation($input: ObserveHostsInput!) { observeHosts(input: $input) { observeOnly { reason } } }";
        scene.client.ok(observe, json!({"input": {"reason": "a test"}})).await;
        let answer = asked(json!({})).await;
        assert!(answer["reason"].as_str().is_some_and(|it| it.contains("only observe")), "{answer}");
    }

    /// Three boots are free while none fetches its text. Each has its own token, and only the last one counts.
    async fn boots_without_a_text_are_free_three_times(server: Server) {
        let scene = Scene::prepared(&server).await;
        scene.opened().await;
        scene.step("DISCOVERING", "power-on").await;
        let tokens = [scene.boot().await, scene.boot().await, scene.boot().await];
        assert!(tokens[0] != tokens[1] && tokens[1] != tokens[2]);
        let fourth = scene.answer(json!({})).await;
        assert!(fourth["reason"].as_str().is_some_and(|it| it.contains("booted 3 times")), "{fourth}");
        for old in &tokens[..2] {
            assert_eq!(scene.text(old).await["target"], "LOCAL", "an earlier boot is over");
            assert!(scene.report(old, json!({})).await["message"].is_string());
        }
        assert_eq!(scene.text(&tokens[2]).await["target"], "DISCOVER");
    }

    async fn from_the_first_text_on_the_next_boot_gets_the_disk(server: Server) {
        let scene = Scene::prepared(&server).await;
        scene.opened().await;
        scene.step("DISCOVERING", "power-on").await;
        let token = scene.boot().await;
        scene.text(&token).await;
        assert_eq!(scene.host().await["bootAttempt"]["rebootedAt"], Value::Null);
        for stage in ["LOADER", "START"] {
            let answer = scene.answer(json!({ "stage": stage })).await;
            assert_eq!(answer["target"], "LOCAL", "{stage} {answer}");
            assert!(answer["reason"].as_str().is_some_and(|it| it.contains("fetched what it works by")), "{answer}");
        }
        assert!(scene.host().await["bootAttempt"]["rebootedAt"].is_string(), "and that is known");

        // A controller that asks for the attempt again gets none, because the machine may be in use.
        scene.step("DISCOVERING", "prepare").await;
        let again = scene.attempt("openBootAttempt").await;
        assert!(again["refused"].as_str().is_some_and(|it| it.contains("has worked")), "{again}");
    }

    async fn an_attempt_is_for_its_order_and_its_lease(server: Server) {
        let scene = Scene::prepared(&server).await;
        let host = scene.host().await;
        let base = json!({"holder": "one", "lease": scene.lease.0, "epoch": scene.lease.1, "host": host["id"],
            "order": host["wanted"]["id"]});
        let open = ATTEMPT.replace("OPERATION", "openBootAttempt");
        for (field, value, code) in [
            ("holder", json!("two"), "LEASE_LOST"),
            ("epoch", json!(scene.lease.1 + 1), "LEASE_LOST"),
            ("lease", json!("hosts/x"), "INVALID"),
            ("host", json!("00000000-0000-4000-8000-000000000001"), "NOT_FOUND"),
            ("order", json!("x"), "INVALID"),
        ] {
            let mut input = base.clone();
            input[field] = value;
            let errors = scene.client.refused(&open, json!({ "input": input })).await;
            assert_eq!(errors[0].code, code, "{input}");
        }
        let mut input = base.clone();
        input["order"] = json!("00000000-0000-4000-8000-000000000001");
        let refused = scene.client.ok(&open, json!({ "input": input })).await;
        assert!(refused["attempt"]["refused"].as_str().is_some_and(|it| it.contains("no such order")), "{refused}");
        assert_eq!(scene.host().await["bootAttempt"], Value::Null, "nothing was opened");

        scene.opened().await;
        scene.opened().await;
        scene.step("DISCOVERING", "power-on").await;
        let token = scene.boot().await;
        let closed = scene.attempt("closeBootAttempt").await;
        assert_eq!(closed["attempt"]["state"], "CLOSED", "{closed}");
        assert_eq!(scene.answer(json!({})).await["target"], "LOCAL");
        assert_eq!(scene.text(&token).await["target"], "LOCAL", "also for what has booted");
        scene.step("DISCOVERING", "prepare").await;
        assert!(scene.attempt("openBootAttempt").await["refused"].is_string(), "it is not opened twice");
    }

    /// A profile that no loader can start is found before the machine is touched.
    async fn an_attempt_is_refused_for_what_cannot_be_booted(server: Server) {
        let scene = Scene::prepared(&server).await;
        for (changes, sentence) in [
            (json!({"arguments": ["a='b c'"]}), "a quote or a backslash"),
            (json!({"arguments": ["a=${net0/mac}"]}), "which iPXE replaces"),
            (json!({"arguments": [], "kernel": null, "initrd": null}), "has no kernel"),
        ] {
            let mut profile = changes.clone();
            profile["name"] = json!("discovery");
            scene.client.apply_all(vec![json!({ "profile": profile })]).await;
            let refused = scene.attempt("openBootAttempt").await;
            assert!(refused["refused"].as_str().is_some_and(|it| it.contains(sentence)), "{changes} {refused}");
        }
        assert_eq!(scene.host().await["bootAttempt"], Value::Null, "nothing was opened");
    }

    async fn a_boot_of_bad_input_is_refused_with_its_field(server: Server) {
        let scene = Scene::prepared(&server).await;
        let (client, long) = (&scene.client, "x".repeat(300));
        for (changes, field) in [
            (json!({"macs": ["nonsense"]}), "macs[0]"),
            (json!({"macs": vec![MAC; 65]}), "macs"),
            (json!({"serial": long}), "serial"),
            (json!({"uuid": ""}), "uuid"),
            (json!({"url": ""}), "url"),
            (json!({"program": null}), "program"),
            (json!({"stage": "FILES"}), "token"),
            (json!({"stage": "TEXT"}), "token"),
        ] {
            let mut input = json!({"stage": "START", "program": "IPXE", "macs": [MAC], "url": URL});
            for (name, value) in changes.as_object().expect("members") {
                input[name] = value.clone();
            }
            let errors = client.refused(ANSWER, json!({ "input": input })).await;
            assert_eq!((errors[0].code.as_str(), errors[0].field.as_deref()), ("INVALID", Some(field)), "{changes}");
        }
        let input = json!({"stage": "START", "program": "IPXE", "macs": [MAC], "url": URL, "within": "nowhere"});
        let errors = client.refused(ANSWER, json!({ "input": input })).await;
        assert_eq!((errors[0].code.as_str(), errors[0].field.as_deref()), ("NOT_FOUND", Some("within")));
        for (changes, field) in [
            (json!({"percent": 101}), "percent"),
            (json!({"stage": "x".repeat(101)}), "stage"),
            (json!({"message": ""}), "message"),
            (json!({"facts": {"format": "x"}}), "facts"),
        ] {
            let mut input = json!({"token": "x", "outcome": "WORKING"});
            for (name, value) in changes.as_object().expect("members") {
                input[name] = value.clone();
            }
            let errors = client.refused(REPORT, json!({ "input": input })).await;
            assert_eq!((errors[0].code.as_str(), errors[0].field.as_deref()), ("INVALID", Some(field)), "{changes}");
        }
    }
}
