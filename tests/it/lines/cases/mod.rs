//! The cases by topic. The expected traces were derived by hand from the rules of the walk.

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

use super::formatted::{Case, check};
