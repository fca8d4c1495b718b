//! A newer version takes over a database while this one still runs: this one stops writing, or stops being ready, with
//! a readable reason.

use serde_json::{Value, json};

use super::replicas::{Written, site, sites, write};
use crate::harness::{Server, Sql, on_both_databases, until};

/// Waits until `/readyz` has a status, and gives its answer.
async fn becomes(server: &Server, status: &str) -> (u16, Value) {
    until(format!("the server is {status}"), async || {
        let ready = server.client().get("/readyz").await;
        if ready.json()["status"] == status { Ok((ready.status, ready.json())) } else { Err(ready.text()) }
    })
    .await
}

on_both_databases! {
    async fn an_outdated_process_stops_writing_or_being_ready(server: Server) {
        let client = server.client();
        assert_eq!(write(&client, vec![site("before")], None).await, Written::Yes(1));
        let sql = Sql::connect(&server.database_url()).await;

        sql.run("UPDATE revision SET writer_format = writer_format + 1").await;
        // The first write after it is refused: nobody had looked.
        for request in [None, Some("named".to_owned())] {
            let answer = write(&client, vec![site("old")], request).await;
            let Written::No(why) = answer else { panic!("{answer:?}") };
            assert!(why.starts_with("UNAVAILABLE: this server is too old to write"), "{why}");
            assert!(why.contains("nothing was written; use a server of the newer version"), "{why}");
        }
        let (status, ready) = becomes(&server, "degraded").await;
        assert_eq!((status, &ready["writes"], &ready["database"]), (200, &json!("outdated"), &json!("ok")), "{ready}");
        assert_eq!(sites(&client).await.1.len(), 1, "reads go on");
        assert_eq!(sql.number("SELECT count(*) FROM batch").await, 1, "nothing was written");
        assert_eq!(sql.number("SELECT count(*) FROM request").await, 0, "nothing was written");

        sql.run("UPDATE revision SET reader_format = reader_format + 1").await;
        let (status, ready) = becomes(&server, "outdated").await;
        assert_eq!((status, &ready["writes"]), (503, &json!("outdated")), "{ready}");

        sql.run("UPDATE revision SET reader_format = reader_format - 1, writer_format = writer_format - 1").await;
        assert_eq!(becomes(&server, "ready").await.0, 200);
        assert_eq!(write(&client, vec![site("after")], None).await, Written::Yes(2));
        sql.close().await;
    }
}
