//! The attempts of hosts over the API of the server.

use futures_util::future::BoxFuture;
use serde::Deserialize;
use serde_json::json;
use underlay_client::Client;
use uuid::Uuid;

use super::{BootAttempt, Boots};
use crate::api::{ApiError, Fence};
use crate::host::Time;

const OPEN: &str = "mutation($input: BootAttemptInput!) { attempt: openBootAttempt(input: $input) { refused } }";
const CLOSE: &str = "mutation($input: BootAttemptInput!) { attempt: closeBootAttempt(input: $input) { refused } }";
const ATTEMPT: &str = "query($id: ID!) {
  node(id: $id) { ... on Host { bootAttempt {
    order state boots bootedAt loadedAt textAt rebootedAt stage percent message
    facts { serial uuid bootMac cpuCores cpuArchitecture memoryBytes disks { name sizeBytes type } }
  } } }
  hostsStatus { now }
}";

/// The attempts at a server, for the controller with one name.
pub struct RemoteBoots {
    client: Client,
    holder: String,
}

#[derive(Deserialize)]
struct Answered {
    attempt: Payload,
}

#[derive(Deserialize)]
struct Payload {
    refused: Option<String>,
}

impl RemoteBoots {
    /// Returns the attempts at the server of a client. `holder` is the name under which the controller takes its leases.
    pub fn new(client: Client, holder: impl Into<String>) -> Self {
        Self { client, holder: holder.into() }
    }

    async fn call(&self, mutation: &str, host: Uuid, order: Uuid, fence: &Fence) -> Result<Payload, ApiError> {
        let Fence { lease, epoch } = fence;
        let input = json!({"holder": self.holder, "lease": lease, "epoch": epoch, "host": host, "order": order});
        let answered: Answered = self.client.query(mutation, json!({ "input": input })).await?;
        Ok(answered.attempt)
    }
}

impl Boots for RemoteBoots {
    fn open<'a>(
        &'a self,
        host: Uuid,
        order: Uuid,
        fence: &'a Fence,
    ) -> BoxFuture<'a, Result<Result<(), String>, ApiError>> {
        Box::pin(async move {
            let Payload { refused } = self.call(OPEN, host, order, fence).await?;
            Ok(refused.map_or(Ok(()), Err))
        })
    }

    fn close<'a>(&'a self, host: Uuid, order: Uuid, fence: &'a Fence) -> BoxFuture<'a, Result<(), ApiError>> {
        Box::pin(async move { self.call(CLOSE, host, order, fence).await.map(drop) })
    }

    fn attempt(&self, host: Uuid) -> BoxFuture<'_, Result<(Option<BootAttempt>, Time), ApiError>> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Data {
            node: Option<Node>,
            hosts_status: Status,
        }
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Node {
            boot_attempt: Option<BootAttempt>,
        }
        #[derive(Deserialize)]
        struct Status {
            now: Time,
        }
        Box::pin(async move {
            let Data { node, hosts_status } = self.client.query(ATTEMPT, json!({ "id": host })).await?;
            Ok((node.and_then(|node| node.boot_attempt), hosts_status.now))
        })
    }
}

#[cfg(test)]
mod tests {
    use underlay_testing::graphql::assert_valid;

    use super::*;

    #[test]
    fn the_server_has_what_is_asked() {
        for document in [OPEN, CLOSE, ATTEMPT] {
            assert_valid(document);
        }
    }
}
