//! Filters on enums that several kinds share.

use underlay_entity::lifecycle::Status;

use underlay_read::enum_filter;

enum_filter!(StatusFilter, Status);
