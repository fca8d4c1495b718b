//! The conclusions from the facts of hosts and of the inventory.

mod cabling;
