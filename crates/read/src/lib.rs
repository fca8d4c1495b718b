//! The read path: pages, orders and filters on one snapshot, without the database; the change log, which is read from
//! the database; and events, which use both.

mod budget;
mod connection;
mod cursor;
mod diff;
mod error;
mod events;
mod facets;
mod filter;
mod fitting;
mod history;
mod item;
mod labels;
mod listing;
mod log_cursor;
mod order;
mod pace;
mod page;
mod pinned;
mod places;
mod search;
mod steps;
mod values;
mod window;

pub use budget::{Answers, Budget, Over};
pub use connection::{Connection, PageInfo};
pub use cursor::{Cursor, ListPosition};
pub use diff::{DiffPage, DiffQuery, MAX_CHANGES, diff};
pub use error::ReadError;
pub use events::{Event, EventFilter, EventType, Events, MAX_EVENT_INTERVAL, Move, What, lost};
pub use filter::{
    At, Filter, Nests, PathFilter, any_reference_fits, common_candidates, is_within, reference_candidates,
    reference_fits, referrers_fit,
};
pub use history::{Bounds, held, not_future};
pub use item::{ItemReferences, item, named};
pub use labels::LabelSelector;
pub use listing::{Cursors, ListScope, Listed, Listing};
pub use log_cursor::{DiffPosition, LogPosition};
pub use order::{By, Direction, IntoSortValue, SortValue};
pub use pace::{LONG_REQUEST_OBJECTS, Pace, Paced};
pub use page::Page;
pub use places::{FilterShare, Places};
pub use search::{Hit, Rank, search};
pub use steps::Steps;
pub use values::{
    BooleanFilter, DateFilter, ExternalRefFilter, FloatFilter, IdFilter, IntFilter, LongFilter, MAX_FILTER_ENTRIES,
    TextFilter, TimeFilter, ValueFilter, few,
};
pub use window::{MAX_PAGE_OBJECTS, PageArguments};
