//! A source: an outside system whose synchronizer keeps a part of the inventory true. Its name is the name of the
//! manager that owns the fields which the synchronizer writes. Only operators see sources: nothing of them is in the
//! snapshot of a tenant.
//!
//! Guarantees: only the server sets the health and the mark that the name is reserved. The name of a source does not
//! change once it is reserved. Only operators set what bounds the source: what becomes of objects that are gone, the
//! limits, and the pause. A synchronizer writes the rest of its own source, and nothing of another one.

mod kind;
mod role;
mod rules;
mod suggestions;
mod topology;

pub use kind::{
    DESCRIPTION, Source, SourceFilter, SourceInput, SourceListFilter, SourceMutation, SourceQuery, SourceRef,
};
pub use role::ROLE;
pub use topology::TOPOLOGY;
