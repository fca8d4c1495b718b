//! The read path: pages, orders and filters on one snapshot, without the database; the change log, which is read from
//! the database; and events, which use both.

mod connection;
mod cursor;
mod diff;
mod error;
mod events;
mod facets;
mod filter;
mod history;
mod item;
mod labels;
mod log_cursor;
mod order;
mod pace;
mod page;
mod pinned;
mod search;
mod values;
mod window;

pub use connection::{Connection, PageInfo};
pub use cursor::{Cursor, ListPosition};
pub use diff::{DiffPage, DiffQuery, MOST_CHANGES, diff};
pub use error::ReadError;
pub use events::{Event, EventFilter, EventType, Events, MAX_EVENT_INTERVAL, Move, What, lost};
pub use filter::{
    At, Filter, any_reference_fits, common_candidates, is_within, reference_candidates, reference_fits, referrers_fit,
};
pub use history::{Bounds, held, not_future};
pub use item::{ItemReferences, item, named};
pub use labels::LabelSelector;
pub use log_cursor::{DiffPosition, LogPosition};
pub use order::{By, Direction, IntoSortValue, SortValue};
pub use pace::{Answers, Budget, Over, Pace, Paced};
pub use page::{Cursors, ListScope, Listed, Listing, Page};
pub use search::{Hit, Rank, search};
pub use values::{
    BooleanFilter, DateFilter, ExternalRefFilter, FloatFilter, IdFilter, IntFilter, LongFilter, TextFilter, TimeFilter,
    ValueFilter,
};
pub use window::{MAX_PAGE_OBJECTS, PageArguments};
