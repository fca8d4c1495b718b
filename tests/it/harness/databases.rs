//! Runs one test body on both databases, because everything must work equally on both.

/// Defines the tests `name::sqlite` and `name::postgres` from one body, each with a running server of its own.
///
/// ```ignore
/// on_both_databases! {
///     async fn a_site_survives_a_crash(mut server: Server) { … server.kill(); server.restart().await; … }
/// }
/// ```
macro_rules! on_both_databases {
    ($($(#[$attribute:meta])* async fn $name:ident($($server:tt)+) $body:block)+) => { $(
        mod $name {
            use super::*;

            $(#[$attribute])*
            async fn run(started: $crate::harness::Server) {
                let $($server)+ = started;
                $body
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn sqlite() {
                run($crate::harness::Server::start($crate::harness::Database::Sqlite).await).await;
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            #[ignore = "needs PostgreSQL"]
            async fn postgres() {
                let url = $crate::harness::postgres::create_database().await;
                run($crate::harness::Server::start($crate::harness::Database::Postgres(url.clone())).await).await;
                // After a failure the database is kept for inspection. The whole database server is removed at the end.
                $crate::harness::postgres::drop_database(&url).await;
            }
        }
    )+ };
}

pub(crate) use on_both_databases;
