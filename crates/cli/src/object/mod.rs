//! Handles OBJECT on the command line: `rack/ams1/A14`, `port/leaf-3/Ethernet1`, `ams1/A14` as tables print it, or an id.
//!
//! An [`ObjectName`] is what the user typed: a kind with the names of parents and object, or an id. [`find`] asks the
//! server, in one request, for every object that the name can mean, and returns the one [`Object`] that it means.
//! Parents that are not needed to identify the object can be left out, and names can contain `/`. Commands about lines
//! also accept a port as DEVICE:PORT ([`end`]).
//!
//! An [`ObjectPath`] is the inverse: it shows an object in a form that can be typed again.

mod end;
mod find;
mod kind;
mod name;
mod path;
mod readings;

pub(super) use end::end;
pub(super) use find::{FindError, Object, find};
pub(super) use kind::{KindName, UnknownKind, kinds, listing, plural};
pub(super) use name::ObjectName;
pub(super) use path::{ObjectPath, selection};
