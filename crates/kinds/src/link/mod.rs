//! A link: a logical connection between two sites, clusters or devices, which cables may realise. Its name is unique
//! over all links.

mod ends;
mod kind;
mod rules;
mod topology;

pub use kind::{DESCRIPTION, Link, LinkFilter, LinkInput, LinkListFilter, LinkMutation, LinkQuery, LinkRef};
pub use topology::TOPOLOGY;
