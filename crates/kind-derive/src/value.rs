//! This module derives from the type of a field how the row is read for the API, what a client writes, how the field is
//! filtered, and which values the engine takes. Each can be given in the declaration instead.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{GenericArgument, Ident, PathArguments, Type};

/// The type of a field: a value, or a value that can be absent.
pub struct Value<'a> {
    /// The type of the value, without `Option`.
    pub of: &'a Type,
    /// True if the value can be absent.
    pub is_optional: bool,
}

impl<'a> Value<'a> {
    /// Reads the type of a field.
    pub fn new(declared: &'a Type) -> Self {
        match inside(declared, "Option") {
            Some(of) => Self { of, is_optional: true },
            None => Self { of: declared, is_optional: false },
        }
    }

    /// Returns the type of the field in the API, and how it is read from the row. Texts and lists are borrowed; large
    /// numbers and dates are converted; all other values are copied.
    pub fn output(&self, row: &Ident, column: &Ident) -> (TokenStream, TokenStream) {
        let of = self.of;
        if let Some(entry) = inside(of, "Vec") {
            return (quote!(&[#entry]), quote!(|#row| &#row.#column.0));
        }
        match (self.is("String"), self.is_optional) {
            (true, true) => (quote!(Option<&str>), quote!(|#row| #row.#column.as_deref())),
            (true, false) => (quote!(&str), quote!(|#row| &#row.#column)),
            (false, true) if self.is_wrapped() => (quote!(Option<#of>), quote!(|#row| #row.#column.map(#of))),
            (false, false) if self.is_wrapped() => (quote!(#of), quote!(|#row| #of(#row.#column))),
            (false, true) => (quote!(Option<#of>), quote!(|#row| #row.#column)),
            (false, false) => (quote!(#of), quote!(|#row| #row.#column)),
        }
    }

    /// Returns the same for a value that is borrowed.
    pub fn borrowed(&self, row: &Ident, column: &Ident) -> (TokenStream, TokenStream) {
        let of = self.of;
        match self.is_optional {
            true => (quote!(Option<&#of>), quote!(|#row| #row.#column.as_ref())),
            false => (quote!(&#of), quote!(|#row| &#row.#column)),
        }
    }

    /// Returns the type of the filter, and the value that it compares; `None` if the type has no usual filter.
    pub fn filter(&self, row: &Ident, column: &Ident) -> Option<(TokenStream, TokenStream)> {
        let of = self.of;
        let (filter, value) = match self.name()?.to_string().as_str() {
            "String" if self.is_optional => (quote!(underlay_read::TextFilter), quote!(#row.#column.as_deref())),
            "String" => (quote!(underlay_read::TextFilter), quote!(Some(&#row.#column))),
            "bool" if self.is_optional => (quote!(underlay_read::BooleanFilter), quote!(#row.#column)),
            "bool" => (quote!(underlay_read::BooleanFilter), quote!(Some(#row.#column))),
            "i32" if self.is_optional => (quote!(underlay_read::IntFilter), quote!(#row.#column.map(i64::from))),
            "i32" => (quote!(underlay_read::IntFilter), quote!(Some(#row.#column.into()))),
            name @ ("Long" | "Date") => {
                let filter = format_ident!("{name}Filter");
                let value =
                    if self.is_optional { quote!(#row.#column.map(#of)) } else { quote!(Some(#of(#row.#column))) };
                (quote!(underlay_read::#filter), value)
            }
            "f64" if self.is_optional => (quote!(underlay_read::FloatFilter), quote!(#row.#column)),
            "f64" => (quote!(underlay_read::FloatFilter), quote!(Some(#row.#column))),
            name => {
                let filter = format_ident!("{name}Filter");
                (quote!(#filter), if self.is_optional { quote!(#row.#column) } else { quote!(Some(#row.#column)) })
            }
        };
        Some((filter, quote!(|#row| #value)))
    }

    /// Returns the value by which a list is sorted.
    pub fn order(&self, row: &Ident, column: &Ident) -> TokenStream {
        match self.is("String") && self.is_optional {
            true => quote!(|#row| #row.#column.as_deref()),
            false => quote!(|#row| #row.#column),
        }
    }

    /// Returns the values that the engine takes, if the type says it.
    pub fn shape(&self) -> Option<TokenStream> {
        let of = self.of;
        match self.name()?.to_string().as_str() {
            "String" => Some(quote!(crate::common::TEXT)),
            "bool" => Some(quote!(underlay_inventory::Shape::Boolean)),
            "Date" => Some(quote!(underlay_inventory::Shape::Date)),
            "i32" | "i64" | "f64" | "Long" => None,
            _ => Some(quote!(underlay_inventory::Shape::Choice(crate::common::words::<#of>))),
        }
    }

    /// Returns the value of a new row, if the type says it.
    pub fn default(&self) -> TokenStream {
        if self.is_optional { quote!(None) } else { quote!(Default::default()) }
    }

    /// Returns true if the row has the value within the type of the API.
    fn is_wrapped(&self) -> bool {
        self.is("Long") || self.is("Date")
    }

    fn is(&self, name: &str) -> bool {
        self.name().is_some_and(|own| own == name)
    }

    /// Returns the name of the type, if it is one without arguments.
    fn name(&self) -> Option<&'a Ident> {
        let Type::Path(path) = self.of else { return None };
        path.path.segments.last().filter(|last| last.arguments.is_empty()).map(|last| &last.ident)
    }
}

/// Returns the argument of a generic type with this name.
pub fn inside<'a>(declared: &'a Type, name: &str) -> Option<&'a Type> {
    let Type::Path(path) = declared else { return None };
    let last = path.path.segments.last().filter(|last| last.ident == name)?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    match arguments.args.first()? {
        GenericArgument::Type(of) => Some(of),
        _ => None,
    }
}
