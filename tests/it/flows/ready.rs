//! `/readyz` needs no token, so many requests to it must not cost others anything.

use std::time::Instant;

use futures_util::future::join_all;

use crate::harness::metrics::Exported;
use crate::harness::{Server, on_both_databases};

const STATEMENTS: &str = "underlay_statements_total";
const FLOOD_REQUESTS: usize = 400;

on_both_databases! {
    async fn many_readyz_requests_query_the_database_rarely(server: Server) {
        let client = server.client();
        let begun = Instant::now();
        let before = Exported::of(&server).await.sum(STATEMENTS, &[]);
        for _ in 0..4 {
            let many = (0..FLOOD_REQUESTS / 4).map(|_| client.get("/readyz"));
            for ready in join_all(many).await {
                assert_eq!((ready.status, ready.json()["status"].as_str()), (200, Some("ready")), "{}", ready.text());
            }
        }
        let ran = Exported::of(&server).await.sum(STATEMENTS, &[]) - before;
        // A look each second, and what runs each second anyway, such as the work of a server that was just started.
        let most = FLOOD_REQUESTS as f64 / 4.0 + 5.0 * begun.elapsed().as_secs_f64();
        assert!(ran <= most, "{FLOOD_REQUESTS} questions ran {ran} statements, and not {most} at most");
    }
}
