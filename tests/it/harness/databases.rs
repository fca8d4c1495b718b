//! Runs one test body on both databases, because everything must work equally on both.

/// Defines the tests `name::sqlite` and `name::postgres` from one body, each with a running server of its own, which can
/// have further arguments.
///
/// ```ignore
/// on_both_databases! {
///     async fn a_site_survives_a_crash(mut server: Server) { … server.kill(); server.restart().await; … }
///
///     async fn nothing_is_dropped(server: Server) with ["--feed-retention", "0"] { … }
/// }
/// ```
macro_rules! on_both_databases {
    ($($(#[$attribute:meta])* async fn $name:ident($($server:tt)+) $(with [$($argument:literal),+])? $body:block)+) => { $(
        mod $name {
            use super::*;

            $(#[$attribute])*
            async fn run(started: $crate::harness::Server) {
                let $($server)+ = started;
                $body
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn sqlite() {
                let server = $crate::harness::Server::start($crate::harness::Database::Sqlite);
                run(server$($(.arg($argument))+)?.await).await;
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            #[ignore = "needs PostgreSQL"]
            async fn postgres() {
                let url = $crate::harness::postgres::create_database().await;
                let server = $crate::harness::Server::start($crate::harness::Database::Postgres(url.clone()));
                run(server$($(.arg($argument))+)?.await).await;
                // After a failure the database is kept for inspection. The whole database server is removed at the end.
                $crate::harness::postgres::drop_database(&url).await;
            }
        }
    )+ };
}

pub(crate) use on_both_databases;
