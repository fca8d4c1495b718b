//! The cases, by what they are about. What is expected was worked out by hand from the rules of the walk.

mod bounds;
mod bundles;
mod cables;
mod circuits;
mod demo;
mod lanes;
mod loops;
mod panels;
mod power;
mod strands;

use super::told::{Case, check};
