//! What is worked out of the facts of hosts and of the inventory.

mod cabling;
