//! OBJECT on the command line: `rack/ams1/A14`, `port/leaf-3/Ethernet1`, or an id.
//!
//! An [`ObjectName`] is what somebody typed: a kind and the names of parents and object, or an id. [`find`] asks the
//! server, in one request, for everything that it can mean, and gives the one [`Object`] that it does mean. Parents
//! that are not needed to tell the object may be left out, and names may have `/` in them. Commands about lines also take
//! a port as DEVICE:PORT ([`end`]).
//!
//! An [`ObjectPath`] is the way back: what an object is called, so that it can be typed again.

mod end;
mod find;
mod kind;
mod name;
mod path;
mod readings;

pub(super) use end::end;
pub(super) use find::{FindError, Object, find};
pub(super) use kind::{KindName, UnknownKind, kinds, plural};
pub(super) use name::ObjectName;
pub(super) use path::{ObjectPath, selection};
