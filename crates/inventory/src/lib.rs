//! The inventory in memory: immutable snapshots with every object, its keys and both directions of every reference at
//! one revision. A draft makes the next snapshot from the last one.
//!
//! Guarantees: a snapshot never changes; the memos that it collects about its objects do not affect any answer. The
//! cost of the next snapshot is proportional to its changes. Nothing in this module knows a kind by name, waits, or
//! uses the database.

mod build;
mod check;
mod draft;
mod echo;
mod edges;
mod field;
mod identity;
mod kind;
mod lookup;
mod manager;
mod memo;
mod number;
mod passwords;
mod place;
mod protection;
mod reference;
mod shape;
mod size;
mod snapshot;
mod table;
mod tenant;
mod texts;

pub use build::BuildError;
pub use check::{Checked, Touched, Writer, check_all};
pub use draft::{Collision, Draft};
pub use echo::Echo;
pub use edges::{Edge, Edges, ObjectRef};
pub use field::{Audience, Field, HIGHEST_NUMBER, Normalise, STORED_YEARS, Setter, cast, cast_mut, column};
pub use identity::{Twins, twins};
pub use kind::{
    Arrival, Description, Family, InUse, Key, Kind, Loss, MadeName, OnLoss, OnWrite, Part, Protection, Registry,
    Rewrite, Unique, Unnamed,
};
pub use lookup::{Selector, ends_of_path, parse_id};
pub use manager::{CONTROLLER, Manager, SOURCE, USER};
pub use memo::Dependencies;
pub use number::{KindId, ReferenceId};
pub use passwords::names_user;
pub use reference::{Form, Reference};
pub use shape::{Shape, shorten, shorten_text};
pub use snapshot::{Head, Held, Snapshot};
pub use table::{ExternalOf, KeyOf, Table, UniqueOf};
pub use tenant::{TenantView, UnseenError};
pub use texts::{Searched, Texts, fold};
// Rules of kinds return these, so those who write rules need no other crate.
pub use underlay_error::{Problems, Refusal, Role, Roles, Unfit, Users};
pub use underlay_persistent::{Slots, compare_names};
