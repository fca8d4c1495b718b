//! The rules of lists and filters, read from a snapshot alone, in process, without a server or a database.

mod listing;
