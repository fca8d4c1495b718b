//! Claims: hosts on the servers of a fleet are acquired, without a spread, over racks, and over failures.

use std::net::SocketAddr;
use std::time::Instant;

use serde_json::{Value, json};

use crate::client::ask;
use crate::measure::median;
use crate::problem::{LoadError, Result};
use crate::quantity::{Quantity, thousands};
use crate::report::Report;
use crate::table::{Row, Target};

/// The number of hosts in a call.
const HOSTS_PER_CALL: usize = 1_000;
/// The number of claims of each kind, each for a hundredth of the hosts.
const CLAIMS: usize = 9;

const SERVERS: &str = "query($after: String) {
  devices(first: 1000, after: $after, filter: {role: {eq: SERVER}}) { nodes { id } pageInfo { hasNextPage endCursor } }
}";
const APPLY: &str =
    "mutation($items: [ApplyItem!]!) { apply(input: {items: $items}) { results { id error { message } } } }";
const ADOPT: &str = "mutation($ids: [ID!]!) { adoptHosts(input: {ids: $ids, as: AVAILABLE}) { revision } }";
const ACQUIRE: &str = "mutation($count: Int!, $spread: HostSpread) {
  acquireHosts(input: {class: {hostClass: \"bench\"}, count: $count, for: \"bench\", spread: $spread}) {
    hosts { id } worst { path takes { id } }
  }
}";

/// Measures claims on a server with a fleet, on which at most `most` servers become hosts.
pub async fn claims(report: &mut Report, fleet: &str, server: SocketAddr, most: usize) -> Result<()> {
    let hosts = prepare(server, most).await?;
    let count = hosts / 100;
    for (what, spread, budget) in
        [("anywhere", Value::Null, None), ("RACK", json!("RACK"), Some(0.02)), ("FAILURE", json!("FAILURE"), Some(0.2))]
    {
        let mut took = Vec::with_capacity(CLAIMS);
        for _ in 0..CLAIMS {
            let begin = Instant::now();
            let answer = ask(server, ACQUIRE, json!({"count": count, "spread": spread})).await?;
            took.push(begin.elapsed().as_secs_f64());
            if answer["acquireHosts"]["hosts"].as_array().map(Vec::len) != Some(count) {
                return Err(LoadError::Answer(format!("{count} hosts were acquired as {answer}")));
            }
        }
        let all = thousands(&hosts.to_string());
        let row = |what: String, seconds| Row::new(what, fleet, Quantity::Seconds(seconds));
        // The first claim looks at the whole infrastructure, and later ones at what it found.
        if what == "FAILURE" {
            report.add(row(format!("{count} of {all} hosts acquired, spread {what}, the first time"), took[0]));
        }
        let row = row(format!("{count} of {all} hosts acquired, spread {what}"), median(took));
        report.add(match budget {
            Some(budget) => row.should(Target::AtMost(Quantity::Seconds(budget))),
            None => row,
        });
    }
    Ok(())
}

/// Makes hosts of servers, and returns their number.
async fn prepare(server: SocketAddr, most: usize) -> Result<usize> {
    let (mut machines, mut after) = (Vec::new(), Value::Null);
    while machines.len() < most {
        let page = ask(server, SERVERS, json!({ "after": after })).await?;
        let nodes = page["devices"]["nodes"].as_array().cloned().unwrap_or_default();
        machines.extend(nodes.into_iter().map(|node| node["id"].clone()));
        if page["devices"]["pageInfo"]["hasNextPage"] != true {
            break;
        }
        after = page["devices"]["pageInfo"]["endCursor"].clone();
    }
    machines.truncate(most);
    ask(server, APPLY, json!({"items": [{"hostClass": {"name": "bench"}}]})).await?;
    for machines in machines.chunks(HOSTS_PER_CALL) {
        let host = |machine: &Value| json!({"host": {"class": {"hostClass": "bench"}, "machine": {"device": {"id": machine}}}});
        let items: Vec<Value> = machines.iter().map(host).collect();
        let written = ask(server, APPLY, json!({ "items": items })).await?;
        let results = written["apply"]["results"].as_array().cloned().unwrap_or_default();
        if let Some(refused) = results.iter().find(|result| !result["error"].is_null()) {
            return Err(LoadError::Answer(format!("a host was refused: {refused}")));
        }
        let ids: Vec<&Value> = results.iter().map(|result| &result["id"]).collect();
        ask(server, ADOPT, json!({ "ids": ids })).await?;
    }
    match machines.len() < 100 {
        true => Err(LoadError::Answer(format!("the fleet has {} servers, which is too few", machines.len()))),
        false => Ok(machines.len()),
    }
}
