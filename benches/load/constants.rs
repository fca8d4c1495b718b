//! The reference for reads: the same selection, answered from constants.
//!
//! It stands on async-graphql-axum, as the documentation of that library shows it, and its resolvers look nothing up:
//! every value is an existing text, every list a slice. It gets the answers of the real server and returns the same data.
//! Its cost is the cost of HTTP, GraphQL and JSON. The additional cost of the real server is that of the inventory, and
//! of what its transports do beyond the library.

use std::collections::HashMap;
use std::net::Ipv4Addr;
use std::path::Path;

use async_graphql::{Context, EmptyMutation, EmptySubscription, Object, Schema, Union};
use async_graphql_axum::GraphQL;
use axum::Router;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::problem::{Doing, LoadError, Result};
use crate::server::READY;

/// An answer of the real server.
#[derive(Debug, Serialize)]
pub struct Answered<'a> {
    /// The cursor of the request.
    pub after: Option<&'a str>,
    /// The content of `data` in the answer.
    pub data: Value,
}

/// Serves the answers in a file until the process is killed.
pub async fn serve(file: &Path) -> Result<()> {
    let text = std::fs::read_to_string(file).doing(|| format!("read {}", file.display()))?;
    let pages: Vec<Page> = serde_json::from_str(text.leak())?;
    let pages = pages.into_iter().map(|page| (page.after, page.data.devices));
    let pages: Pages = Pages(pages.collect());
    let api = Schema::build(Query, EmptyMutation, EmptySubscription).limit_depth(16).limit_complexity(2_000);
    let routes = Router::new().route_service("/graphql", GraphQL::new(api.data(pages).finish()));
    let listener = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await;
    let listener = listener.doing(|| "listen".to_owned())?;
    let address = listener.local_addr().doing(|| "listen".to_owned())?;
    println!("{READY}{address}/");
    axum::serve(listener, routes).await.doing(|| "serve".to_owned())
}

struct Pages(HashMap<Option<&'static str>, &'static List<DeviceFacts>>);

struct Query;

#[Object]
impl Query {
    async fn devices(
        &self,
        context: &Context<'_>,
        #[graphql(name = "first")] _first: Option<i32>,
        after: Option<String>,
    ) -> async_graphql::Result<Option<Devices>> {
        let pages = context.data_unchecked::<Pages>();
        Ok(pages.0.get(&after.as_deref()).copied().map(Devices))
    }
}

#[derive(Clone, Copy)]
struct Devices(&'static List<DeviceFacts>);

#[Object]
impl Devices {
    async fn nodes(&self) -> Vec<Device> {
        self.0.nodes.iter().map(Device).collect()
    }
}

#[derive(Clone, Copy)]
struct Device(&'static DeviceFacts);

#[Object]
impl Device {
    async fn name(&self) -> &str {
        self.0.name
    }

    async fn role(&self) -> &str {
        self.0.role
    }

    async fn site(&self) -> async_graphql::Result<Site> {
        Ok(Site(&self.0.site))
    }

    async fn placement(&self) -> Option<Placement> {
        self.0.placement.as_ref().map(Placement)
    }

    async fn ports(
        &self,
        #[graphql(name = "first")] _first: Option<i32>,
        #[graphql(name = "after")] _after: Option<String>,
    ) -> async_graphql::Result<Option<Ports>> {
        Ok(Some(Ports(&self.0.ports)))
    }
}

#[derive(Clone, Copy)]
struct Site(&'static Named);

#[Object]
impl Site {
    async fn name(&self) -> &str {
        self.0.name
    }
}

#[derive(Clone, Copy)]
struct Placement(&'static PlacementFacts);

#[Object]
impl Placement {
    async fn rack(&self) -> async_graphql::Result<Rack> {
        Ok(Rack(&self.0.rack))
    }
}

#[derive(Clone, Copy)]
struct Rack(&'static Named);

#[Object]
impl Rack {
    async fn name(&self) -> &str {
        self.0.name
    }
}

#[derive(Clone, Copy)]
struct Ports(&'static List<PortFacts>);

#[Object]
impl Ports {
    async fn nodes(&self) -> Vec<Port> {
        let port = |facts: &'static PortFacts| Port { name: facts.name, peers: &facts.peers, device: None };
        self.0.nodes.iter().map(port).collect()
    }
}

#[derive(Clone, Copy)]
struct Port {
    name: &'static str,
    peers: &'static [Option<PeerFacts>],
    device: Option<&'static Named>,
}

#[Object]
impl Port {
    async fn name(&self) -> &str {
        self.name
    }

    async fn peers(&self) -> Vec<CableEnd> {
        let end = |facts: &'static Option<PeerFacts>| match facts {
            Some(PeerFacts { name: Some(name), device }) => {
                CableEnd::Port(Port { name, peers: &[], device: device.as_ref() })
            }
            _ => CableEnd::PowerFeed(PowerFeed),
        };
        self.peers.iter().map(end).collect()
    }

    async fn device(&self) -> Option<Owner> {
        self.device.map(Owner)
    }
}

#[derive(Clone, Copy)]
struct Owner(&'static Named);

#[Object]
impl Owner {
    async fn name(&self) -> &str {
        self.0.name
    }
}

/// A cable end that is not a port. The query selects no field of it.
#[derive(Clone, Copy)]
struct PowerFeed;

#[Object]
impl PowerFeed {
    async fn name(&self) -> &str {
        ""
    }
}

#[derive(Clone, Copy, Union)]
enum CableEnd {
    Port(Port),
    PowerFeed(PowerFeed),
}

#[derive(Deserialize)]
struct Page {
    after: Option<&'static str>,
    data: PageData,
}

#[derive(Deserialize)]
#[serde(bound(deserialize = "'de: 'static"))]
struct PageData {
    #[serde(deserialize_with = "for_ever")]
    devices: &'static List<DeviceFacts>,
}

#[derive(Deserialize)]
#[serde(bound(deserialize = "T: Deserialize<'de>"))]
struct List<T> {
    nodes: Vec<T>,
}

#[derive(Deserialize)]
struct DeviceFacts {
    name: &'static str,
    role: &'static str,
    site: Named,
    placement: Option<PlacementFacts>,
    ports: List<PortFacts>,
}

#[derive(Deserialize)]
struct Named {
    name: &'static str,
}

#[derive(Deserialize)]
#[serde(bound(deserialize = "'de: 'static"))]
struct PlacementFacts {
    rack: Named,
}

#[derive(Deserialize)]
struct PortFacts {
    name: &'static str,
    peers: Vec<Option<PeerFacts>>,
}

/// A far end. The query selects no field of an end that is not a port, so for it the library returns null or an object
/// without members.
#[derive(Deserialize)]
struct PeerFacts {
    name: Option<&'static str>,
    device: Option<Named>,
}

/// Reads a value that is never dropped, because the constants live as long as the process.
fn for_ever<'de: 'static, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> std::result::Result<&'static List<DeviceFacts>, D::Error> {
    List::deserialize(deserializer).map(|list| &*Box::leak(Box::new(list)))
}

/// Checks that the constants give the same answer as the real server.
pub fn same(real: &Value, constant: &Value) -> Result<()> {
    match real == constant {
        true => Ok(()),
        false => Err(LoadError::Answer("the constants answer something else than the server".to_owned())),
    }
}
