//! The numbers and names that all processes on one PostgreSQL database use, whatever their version. They never change.

/// The advisory lock that a process takes before it runs migrations. Other programs are unlikely to use this number.
pub(super) const MIGRATION_LOCK: i64 = 0x756e_6465_726c_6179;
/// The advisory lock that a process takes while it prunes changes. Other programs are unlikely to use this number.
pub(super) const PRUNE_LOCK: i64 = 0x756e_6465_726c_6f67;
/// The advisory lock that a transaction takes before it takes leases. Other programs are unlikely to use this number.
pub(super) const LEASE_LOCK: i64 = 0x756e_6465_726c_6c65;
/// The advisory lock that a transaction takes before it writes facts. Other programs are unlikely to use this number.
pub(super) const FACTS_LOCK: i64 = 0x756e_6465_726c_6661;
/// The advisory lock that a transaction takes before it gives a host a token. Other programs are unlikely to use this
/// number.
pub(super) const TOKENS_LOCK: i64 = 0x756e_6465_726c_746f;
/// The channel of the notifications of commits.
pub(super) const CHANNEL: &str = "underlay_revision";
/// The prefix of a notification that names the process which committed.
pub(super) const COMMITTER_PREFIX: &str = "by ";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processes_of_all_versions_agree() {
        assert_eq!((MIGRATION_LOCK, PRUNE_LOCK), (8_461_811_136_749_920_633, 8_461_811_136_749_924_199));
        assert_eq!(LEASE_LOCK, 8_461_811_136_749_923_429);
        assert_eq!((FACTS_LOCK, TOKENS_LOCK), (8_461_811_136_749_921_889, 8_461_811_136_749_925_487));
        assert_eq!((CHANNEL, COMMITTER_PREFIX), ("underlay_revision", "by "));
    }
}
