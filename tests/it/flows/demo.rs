//! `underlay demo`: the fleet on a running server.

use super::apply::{done, revision};
use crate::harness::{Server, on_both_databases};

on_both_databases! {
    async fn the_demo_is_written_to_an_empty_inventory_only(server: Server) {
        let first = server.cli(["demo"]).await;
        let said = done(&first);
        assert!(said.contains(" Device\n") && said.contains(" VirtualMachine\n"), "{said}");
        let last = said.lines().last().unwrap_or_default();
        assert!(last.ends_with(&format!(" created: see {}/", server.url())), "{last}");
        let written = revision(&server).await;

        let again = server.cli(["demo"]).await;
        assert_eq!((again.code, again.stdout.as_str()), (1, ""), "{again:?}");
        assert!(again.stderr.contains(" is not empty (regions: ") && again.stderr.contains("hint: --force"), "{again:?}");

        let forced = server.cli(["demo", "--force"]).await;
        assert!(done(&forced).contains(" unchanged: see "), "{forced:?}");
        assert_eq!(revision(&server).await, written);
    }

    async fn a_larger_fleet_takes_several_batches(server: Server) {
        let outcome = server.cli(["demo", "--racks", "24"]).await;
        done(&outcome);
        assert!(revision(&server).await > 1);
    }
}
