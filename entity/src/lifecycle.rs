//! The lifecycle status that several kinds share.

crate::choice::choice! {
    /// The lifecycle status of an object.
    #[derive(Default)]
    pub enum Status {
        /// The object is planned, but does not exist yet.
        Planned,
        /// The object exists, but is not in use yet.
        Staged,
        /// The object is in use.
        #[default]
        Active,
        /// The object is switched off on purpose.
        Offline,
        /// The object is broken and does not work.
        Failed,
        /// The object is about to be removed.
        Decommissioning,
        /// The object is removed, and kept for the record.
        Retired,
    }
}
