//! Libraries that clients use: `graphql-ws` and `graphql-sse` from npm, under Node, and `gql` from PyPI, under Python,
//! against a server that restarts on the same address, and `graphql-js` and `graphql-core`, which print its schema.

use serde_json::{Value, json};

use super::subscriptions::CHANGES;
use crate::harness::{Client, Database, Process, Server, node, python, until};

const PACKAGES: [&str; 4] = ["graphql@16", "graphql-ws@6", "graphql-sse@2", "ws@8"];

/// A client that follows all changes over WebSocket, and begins again after the last one when it has to.
const WEB_SOCKET: &str = r#"
import WebSocket from 'ws';
import { createClient } from 'graphql-ws';
const [url, query] = process.argv.slice(2);
const client = createClient({
  url: url.replace('http', 'ws') + '/graphql/ws', webSocketImpl: WebSocket, retryAttempts: 1000,
  retryWait: () => new Promise((done) => setTimeout(done, 100)), keepAlive: 1000,
});
const once = await new Promise((done, failed) =>
  client.subscribe({ query: '{ revision }' }, { next: done, error: failed, complete: () => {} }));
console.log(JSON.stringify({ once: once.data }));
client.subscribe({ query: '{ nothing }' }, { next: () => {}, complete: () => {},
  error: (errors) => console.log(JSON.stringify({ refused: errors[0].extensions.code })) });
let after = 0;
for (;;) {
  // The library repeats the same request; a client that resumes after its last event sends a new one.
  await new Promise((done) => {
    const stop = client.subscribe({ query, get variables() { return { after }; } }, {
      next: ({ data }) => {
        after = data.changes.cursor;
        if (data.changes.type !== 'PROGRESS') console.log(JSON.stringify({ name: data.changes.name }));
      },
      error: (error) => { console.error(error); done(); }, complete: done,
    });
  });
}
"#;

/// A client that does the same over Server-Sent Events.
const EVENT_STREAM: &str = r#"
import { createClient } from 'graphql-sse';
const [url, query] = process.argv.slice(2);
const client = createClient({ url: url + '/graphql/stream', retryAttempts: 1000,
  retry: () => new Promise((done) => setTimeout(done, 100)) });
const once = await new Promise((done, failed) =>
  client.subscribe({ query: '{ revision }' }, { next: done, error: failed, complete: () => {} }));
console.log(JSON.stringify({ once: once.data }));
try {
  // A client that repeats takes a refusal for a fault of the network.
  const impatient = createClient({ url: url + '/graphql/stream', retryAttempts: 0 });
  for await (const answer of impatient.iterate({ query: '{ nothing }' })) {
    if (answer.errors) console.log(JSON.stringify({ refused: answer.errors[0].extensions.code }));
  }
} catch (error) {
  console.log(JSON.stringify({ refused: 'INVALID' }));
}
let after = 0;
for (;;) {
  try {
    for await (const { data } of client.iterate({ query, get variables() { return { after }; } })) {
      after = data.changes.cursor;
      if (data.changes.type !== 'PROGRESS') console.log(JSON.stringify({ name: data.changes.name }));
    }
  } catch (error) {
    console.error(error);
    await new Promise((done) => setTimeout(done, 100));
  }
}
"#;

/// A client by Python's `gql` that does the same over WebSocket.
const GQL: &str = r#"
import asyncio, json, sys
from gql import Client, gql
from gql.transport.exceptions import TransportQueryError
from gql.transport.websockets import WebsocketsTransport

url, query = sys.argv[1:3]

def show(**members):
    print(json.dumps(members), flush=True)

async def ask(session):
    show(once=await session.execute(gql("{ revision }")))
    try:
        await session.execute(gql("{ nothing }"))
    except TransportQueryError as error:
        show(refused=error.errors[0]["extensions"]["code"])

async def follow():
    after, asked = 0, False
    while True:
        try:
            transport = WebsocketsTransport(url=url.replace("http", "ws") + "/graphql/ws")
            async with Client(transport=transport) as session:
                if not asked:
                    await ask(session)
                    asked = True
                request = gql(query)
                request.variable_values = {"after": after}
                async for data in session.subscribe(request):
                    after = data["changes"]["cursor"]
                    if data["changes"]["type"] != "PROGRESS":
                        show(name=data["changes"]["name"])
        except Exception as error:
            # The library does not connect again by itself in the middle of a subscription.
            print(repr(error), file=sys.stderr)
        await asyncio.sleep(0.1)

asyncio.run(follow())
"#;

/// A running client, and the lines that it printed.
struct Running {
    process: Process,
    name: &'static str,
}

impl Running {
    /// Waits until it has printed this many lines, and returns them.
    async fn lines(&mut self, count: usize) -> Vec<Value> {
        until(format!("{} has printed {count} lines", self.name), async || {
            let printed = self.process.stdout();
            let lines: Vec<&str> = printed.lines().collect();
            if lines.len() >= count && printed.ends_with('\n') {
                return Ok(lines.into_iter().map(|line| serde_json::from_str(line).expect("JSON")).collect());
            }
            assert!(self.process.ended().is_none(), "{} has ended", self.name);
            Err(printed)
        })
        .await
    }
}

async fn write(client: &Client, names: std::ops::Range<usize>) {
    for name in names {
        client.apply_all(vec![json!({"region": {"name": format!("r{name}")}})]).await;
    }
}

/// A server with some regions, on an address that it keeps.
async fn kept_server() -> Server {
    let mut server = Server::start(Database::Sqlite).await;
    server.keep_port();
    write(&server.client(), 0..5).await;
    server
}

/// Stops and kills the server in turn. The clients come back to the same address, and get each change once, in order.
async fn follow_over_restarts(mut server: Server, mut clients: Vec<Running>) {
    let expected = |names: usize| {
        let begin = [json!({"once": {"revision": 5}}), json!({"refused": "INVALID"})];
        begin.into_iter().chain((0..names).map(|name| json!({"name": format!("r{name}")}))).collect::<Vec<_>>()
    };
    let sorted = |mut lines: Vec<Value>| {
        // The refusal and the first changes come in any order.
        lines.sort_by_key(|line| u8::from(line["name"].is_string()));
        lines
    };
    for client in &mut clients {
        assert_eq!(sorted(client.lines(7).await), expected(5), "{}", client.name);
    }
    let mut names = 5;
    for round in 0..4 {
        write(&server.client(), names..names + 5).await;
        names += 5;
        if round % 2 == 0 {
            server.stop().await;
        } else {
            server.kill();
        }
        server.restart().await;
        write(&server.client(), names..names + 5).await;
        names += 5;
        for client in &mut clients {
            assert_eq!(sorted(client.lines(2 + names).await), expected(names), "{}", client.name);
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs Node"]
async fn graphql_ws_and_graphql_sse_follow_over_restarts() {
    let folder = node::libraries(&PACKAGES).await;
    let server = kept_server().await;
    let start = |name: &'static str, text: &str| Running {
        process: node::start(folder.path(), name, text, &[server.url(), CHANGES]),
        name,
    };
    let clients = vec![start("ws.mjs", WEB_SOCKET), start("sse.mjs", EVENT_STREAM)];
    follow_over_restarts(server, clients).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs Python"]
async fn gql_follows_over_restarts() {
    let folder = python::libraries(&["gql[websockets]==4.0.0"]).await;
    let server = kept_server().await;
    let process = python::start(folder.path(), "follow.py", GQL, &[server.url(), CHANGES]);
    follow_over_restarts(server, vec![Running { process, name: "follow.py" }]).await;
}

/// Prints the schema of a server from its introspection, as code generators and inspectors do.
const PRINTED_BY_JS: &str = r#"
import { buildClientSchema, buildSchema, getIntrospectionQuery, printSchema } from 'graphql';
const [url] = process.argv.slice(2);
const answer = await fetch(url + '/graphql', { method: 'POST', headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ query: getIntrospectionQuery({ inputValueDeprecation: true, specifiedByUrl: true }) }) });
const { data } = await answer.json();
const printed = printSchema(buildClientSchema(data));
buildSchema(printed);
console.log(JSON.stringify({ lines: printed.split('\n').length }));
"#;

/// The same by graphql-core, on which the Python clients stand.
const PRINTED_BY_PYTHON: &str = r#"
import json, sys, urllib.request
from graphql import build_client_schema, build_schema, get_introspection_query, print_schema
body = json.dumps({"query": get_introspection_query(input_value_deprecation=True, specified_by_url=True)}).encode()
request = urllib.request.Request(sys.argv[1] + "/graphql", body, {"content-type": "application/json"})
data = json.load(urllib.request.urlopen(request))["data"]
printed = print_schema(build_client_schema(data))
build_schema(printed)
print(json.dumps({"lines": len(printed.split("\n"))}))
"#;

/// No client library can print a default of a scalar of ours.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs Node and Python"]
async fn the_schema_can_be_printed_by_graphql_js_and_graphql_core() {
    let folder = node::libraries(&["graphql@16"]).await;
    let packages = python::libraries(&["graphql-core==3.2.6"]).await;
    let server = Server::start(Database::Sqlite).await;
    let of_js = node::start(folder.path(), "print.mjs", PRINTED_BY_JS, &[server.url()]);
    let of_python = python::start(packages.path(), "print.py", PRINTED_BY_PYTHON, &[server.url()]);
    for (name, mut process) in [("graphql-js", of_js), ("graphql-core", of_python)] {
        assert!(process.end().await.success(), "{name}: {}", process.stderr());
        let printed: Value = serde_json::from_str(&process.stdout()).expect("JSON");
        assert!(printed["lines"].as_u64().is_some_and(|lines| lines > 5_000), "{name}: {printed}");
    }
}
