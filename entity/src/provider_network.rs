//! The row of a provider network: the part of a provider's network behind its circuits, whose structure is not known.

use sea_orm::entity::prelude::*;

crate::row::kind_row! {
    /// One network of a provider in the table `provider_network`.
    table "provider_network" {
        /// The provider of the network. It never changes.
        pub provider_id: Uuid,
    }
}
