//! The schema that the migrations make of an empty database is stored beside the source; `doctor` compares databases
//! with it.

use underlay_engine::store::Store;

use crate::harness::{Server, on_both_databases};

const SQLITE: &str = include_str!("../../../crates/engine/src/store/schema.sqlite.txt");
const POSTGRES: &str = include_str!("../../../crates/engine/src/store/schema.postgres.txt");

on_both_databases! {
    async fn the_schema_is_the_documented_one(server: Server) {
        let url = server.database_url();
        let store = Store::open(&url.parse().expect("a URL"), underlay_kinds::tables()).await.expect("open the database");
        let found: Vec<String> = store.schema().await.expect("the schema").into_iter().collect();
        let (file, pinned) = match url.starts_with("sqlite") {
            true => ("crates/engine/src/store/schema.sqlite.txt", SQLITE),
            false => ("crates/engine/src/store/schema.postgres.txt", POSTGRES),
        };
        crate::laws::renew(file, &(found.join("\n") + "\n"));
        let pinned: Vec<&str> = pinned.lines().collect();
        assert!(found == pinned, "{file} differs; if the migrations are right, run .ci/task renew: {found:#?}");
        assert!(store.schema_differences().await.expect("the schema") == Default::default());
        store.close().await.expect("close");
    }
}
