//! The grammar that every kind follows in the API. There is one macro for each file of a kind, so the shape of the API
//! is written once and a kind defines only its own parts.

mod article;
mod filter;
mod inputs;
mod object;
mod order;
mod roots;
mod serve;

pub use article::with_article;
pub use inputs::ExternalRefInput;
pub use object::{ManagedField, ManagerType, holdings, managed_fields, required};
pub use serve::{
    Change, DeletePayload, Deleted, DeletedObject, KeyPart, RequestedPage, by_key, delete, enum_name, enum_text, list,
    look_up, to_fields, write_one,
};
