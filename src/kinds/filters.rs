//! Filters on enums that several kinds share.

use underlay_entity::lifecycle::Status;

use crate::enum_filter;

enum_filter!(StatusFilter, Status);
