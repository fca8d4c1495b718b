//! GraphQL over HTTP: the audits of the specification, and persisted queries of Apollo's client, under Node against a
//! running server.

use serde_json::{Value, json};

use crate::harness::{Database, Server, node};

/// Runs all audits; a line for each.
const AUDITS: &str = r#"
import { serverAudits } from 'graphql-http';
for (const audit of serverAudits({ url: process.argv[2] + '/graphql', fetchFn: fetch })) {
  const { status, reason } = await audit.fn();
  console.log(JSON.stringify({ status, name: audit.name, reason: String(reason ?? '') }));
}
"#;

/// Sends the same query twice by its hash. Prints a line for each request on the wire, and for each answer.
const PERSISTED: &str = r#"
import { createHash } from 'node:crypto';
import core from '@apollo/client/core/core.cjs';
import links from '@apollo/client/link/persisted-queries/persisted-queries.cjs';
const { ApolloClient, HttpLink, InMemoryCache, gql } = core;
const say = (line) => console.log(JSON.stringify(line));
const watched = async (uri, options) => {
  const address = new URL(uri);
  const sent = options.method === 'GET' ? Object.fromEntries(address.searchParams) : JSON.parse(options.body);
  say({ method: options.method, hasQuery: Boolean(sent.query) });
  return fetch(uri, options);
};
const sha256 = (text) => createHash('sha256').update(text).digest('hex');
const [url, useGET] = [process.argv[2], process.argv[3] === 'GET'];
const named = links.createPersistedQueryLink({ sha256, useGETForHashedQueries: useGET });
const link = named.concat(new HttpLink({ uri: url + '/graphql', fetch: watched }));
const client = new ApolloClient({ link, cache: new InMemoryCache(), defaultOptions: { query: { fetchPolicy: 'no-cache' } } });
const query = gql`query Sites($first: Int) { sites(first: $first) { nodes { id name } } }`;
for (let asked = 0; asked < 2; asked++) {
  const { data } = await client.query({ query, variables: { first: 1 } });
  say({ names: data.sites.nodes.map(({ name }) => name) });
}
"#;

/// Returns the output of a program, line by line, once it has ended.
async fn run_script(packages: &[&str], text: &str, arguments: &[&str]) -> Vec<Value> {
    let folder = node::libraries(packages).await;
    let mut process = node::start(folder.path(), "program.mjs", text, arguments);
    assert!(process.end().await.success(), "it ends well");
    process.stdout().lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs Node"]
async fn every_must_and_should_of_graphql_over_http_holds() {
    let server = Server::start(Database::Sqlite).await;
    let audits = run_script(&["graphql@16", "graphql-http@1"], AUDITS, &[server.url()]).await;
    assert!(audits.len() > 50, "{} audits", audits.len());
    // A failed MAY is a notice, a failed SHOULD a warning, and a failed MUST an error.
    let failed = audits.iter().filter(|audit| audit["status"] == "error" || audit["status"] == "warn");
    assert_eq!(failed.collect::<Vec<_>>(), Vec::<&Value>::new());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs Node"]
async fn apollo_client_uses_persisted_queries() {
    for method in ["POST", "GET"] {
        let server = Server::start(Database::Sqlite).await;
        server.client().apply_all(vec![json!({"site": {"name": "ams1", "type": "EDGE"}})]).await;
        let lines = run_script(&["graphql@16", "@apollo/client@3"], PERSISTED, &[server.url(), method]).await;
        let names = json!({"names": ["ams1"]});
        let by_hash = json!({"method": method, "hasQuery": false});
        let whole = json!({"method": "POST", "hasQuery": true});
        assert_eq!(lines, [by_hash.clone(), whole, names.clone(), by_hash, names]);
    }
}
