//! A link: a logical connection between two sites, clusters or devices, which cables may realise. Its name is unique
//! over all links.

mod api;
mod describe;
mod ends;
mod input;
mod node;
mod rules;
mod topology;

pub use api::{LinkMutation, LinkQuery};
pub use describe::DESCRIPTION;
pub use input::{LinkFilter, LinkInput, LinkListFilter, LinkRef};
pub use node::Link;
pub use topology::TOPOLOGY;
