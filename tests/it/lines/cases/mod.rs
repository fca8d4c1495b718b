//! The cases, by what they are about.

mod cables;

use super::told::{Case, check};
