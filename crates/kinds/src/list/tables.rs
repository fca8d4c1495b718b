//! The facts that the engine knows about all kinds: their ids, the registry of their descriptions, their database
//! tables, and the registry of their roles in topology.

use std::sync::LazyLock;

use underlay_engine::store::{Rows, Tables};
use underlay_inventory::Registry;
use underlay_topology::role::Roles;

/// Makes the module `ids` with a constant for each kind, and the functions `registry`, `tables` and `topology`. Each
/// reads a constant from the module of every kind.
macro_rules! tables {
    ($( $id:literal $constant:ident $module:ident $kind:ident $input:ident $reference:ident; )*) => {
        /// The ids of the kinds in the registry.
        pub mod ids {
            use underlay_inventory::KindId;

            $(
                #[doc = concat!("The id of the kind ", stringify!($kind), ".")]
                pub const $constant: KindId = KindId($id);
            )*
        }

        /// Returns the registry of all kinds.
        pub fn registry() -> Registry {
            Registry::new(vec![$( &crate::$module::DESCRIPTION ),*])
        }

        /// Returns the database tables of all kinds, in the order of their ids.
        pub fn tables() -> Tables {
            const TABLES: Tables = &[$( &Rows::<underlay_entity::$module::Entity>::new() ),*];
            TABLES
        }

        static TOPOLOGY: LazyLock<Roles> =
            LazyLock::new(|| Roles::new(&registry(), vec![$( crate::$module::TOPOLOGY ),*]));

        /// Returns the roles of all kinds in topology.
        pub fn topology() -> &'static Roles {
            &TOPOLOGY
        }
    };
}

for_each_kind!(tables);
