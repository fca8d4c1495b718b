//! The attributes that declare a kind of objects in one place.
//!
//! `#[kind(…)]` stands on a struct whose members are the fields, references and lists of the kind. `#[resolvers]` stands
//! on an `impl` of the same struct, and holds the fields of the API that are computed. Together they expand to the calls
//! of the macros in `crates/kinds/src/grammar` that a kind needs: its description for the engine, its inputs, filter and
//! sort orders, its root fields, and its GraphQL object. The row of the database stays written by hand, in `entity`.
//!
//! Guarantee: what is wrong in a declaration is an error at that place, in a sentence.

mod arguments;
mod element;
mod expand;
mod value;
mod words;

#[cfg(test)]
mod tests;

use proc_macro::TokenStream;
use syn::{ItemImpl, ItemStruct, parse_macro_input};

use arguments::Arguments;
use element::Element;

/// Declares a kind. CONTRIBUTING lists what can stand in it.
#[proc_macro_attribute]
pub fn kind(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let arguments = parse_macro_input!(arguments as Arguments);
    let item = parse_macro_input!(item as ItemStruct);
    let expanded = Element::all(&item).and_then(|elements| expand::kind(&arguments, &item, &elements));
    expanded.unwrap_or_else(syn::Error::into_compile_error).into()
}

/// Holds the fields of the API that are computed. It follows the declaration of its kind, and may be empty.
#[proc_macro_attribute]
pub fn resolvers(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let _: syn::parse::Nothing = parse_macro_input!(arguments);
    let item = parse_macro_input!(item as ItemImpl);
    expand::resolvers(&item).unwrap_or_else(syn::Error::into_compile_error).into()
}
