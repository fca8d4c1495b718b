//! The database of the inventory: connections, transactions, the revision, the change log, loading.
//!
//! Guarantees: a group of batches is committed completely or not at all, and only by the process that takes the next
//! revision. Every step has a time-out. Nothing in this module knows a kind by name.

mod acts;
mod agent_tokens;
mod binary;
mod boot_token;
mod boots;
mod checkpoint;
mod clock;
mod commit;
mod connection;
mod copy;
mod database_file;
mod enlistments;
mod enrolment_tokens;
mod error;
mod facts;
mod fence;
mod insert;
mod inspect;
mod kept_clock;
mod lease_names;
mod leases;
mod listen;
mod load;
mod lock_file;
mod log;
mod migrate;
mod observations;
mod observe_only;
mod private;
mod reading;
mod retention;
mod run_changes;
mod runs;
mod schema;
mod scope;
mod secrets;
mod shared_names;
mod sqlite;
mod statement;
mod strays;
mod table;
mod transaction;
mod trouble;

pub use acts::{ActPlace, MAX_KEPT_ACTS, StoredAct};
pub use agent_tokens::NewAgentToken;
pub use boot_token::BootToken;
pub use boots::{BootDecision, BootGround, BootLine, MAX_KEPT_BOOTS};
pub use checkpoint::keep_moving_log;
pub use clock::Clock;
pub use commit::{Group, RowChanges, Writing};
pub use connection::{DatabaseUrl, Store, file_url};
pub use copy::{Contents, check_copy, settle};
pub use enlistments::{Enlisted, NewEnlistment};
pub use enrolment_tokens::{Enrolled, Enrolment, EnrolmentTerms, NewEnrolmentToken, Strangers};
pub use error::StoreError;
pub use facts::{
    FactsChange, FactsCount, FactsJudge, FactsMeaning, FactsStore, HardwareEventSelection, JudgedEvent, KnownParts,
    PartKey, PartQuery, PartRows, PartsChange, PartsMeaning, ReportedFacts, SeenPart, Sighting, TracedPart,
    add_facts_to_copy, facts_file, open_facts_to_look,
};
pub use fence::Fence;
pub use inspect::{Counted, End, Ends, Migrations, Stretch, Tally};
pub use kept_clock::ClockJump;
pub use leases::{LeasesAt, MAX_LEASES};
pub use listen::{Listener, Notification};
pub use load::Loaded;
pub use lock_file::LockFile;
pub use log::{ChangeQuery, Committed, LogPage, Made, Outline, Standing};
pub use observations::{MAX_DETAIL_BYTES, MAX_OBSERVATIONS, Observation, Observations, Seen, UnfitObservations};
pub use observe_only::set_observe_only_in;
pub use private::make_folder;
pub use retention::{Dropped, REPEATABLE_HOURS, Retention, RetentionError};
pub use run_changes::{RunChanges, Unheld};
pub use runs::{RunPosition, SourceFacts, Upkeep};
pub use schema::SchemaDifferences;
pub use scope::{LabelTest, ScopeQuery};
pub use secrets::{MAX_SECRETS, Renewed, SecretChanges, SecretCursor, SecretReads};
pub use strays::{MAX_STRAYS, SeenStrays};
pub use table::{RowTable, Rows, Tables};
pub use trouble::Trouble;
