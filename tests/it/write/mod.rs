//! The rules of the write path, which hold for all kinds. Batches are planned on a snapshot alone, in process, without
//! a server or a database. Tables list the writes, and the rejected ones with code, field and message.

mod assigned;
mod attributes;
mod batches;
mod deletes;
mod digest;
mod hostile;
mod identity;
pub mod in_use;
mod large;
mod managers;
mod references;
