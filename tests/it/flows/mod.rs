//! What happens when things go wrong: crashes, several processes, a database that goes away.

mod away;
mod held;
mod replicas;
mod sequencer;
