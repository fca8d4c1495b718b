//! The arguments of `#[kind(…)]`, which hold for the kind as a whole.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Error, Expr, LitStr, Result, Token, Type, parenthesized};

/// The members of the description that a kind may set, besides those that have a form of their own. What a kind does not
/// set has the value of most kinds.
const DESCRIBED: [(&str, &str); 13] = [
    ("rules", "&[]"),
    ("parts", "&[]"),
    ("on_loss", "None"),
    ("on_write", "None"),
    ("unnamed", "None"),
    ("unique", "&[]"),
    ("audience", "underlay_inventory::Audience::Everyone"),
    ("echo", "underlay_inventory::Echo::Values"),
    ("reserves", "None"),
    ("protection", "None"),
    ("arrival", "None"),
    ("family", "None"),
    ("packed_state", "|row| TOPOLOGY.packed_state(row)"),
];

/// The arguments of `#[kind(…)]`, which hold for the kind as a whole.
pub struct Arguments {
    /// The name of the constant with the id of the kind.
    pub id: Ident,
    /// The type of its row.
    pub row: Type,
    /// The names of the objects of the kind in the API, such as `racks`.
    pub plural: Option<Ident>,
    /// The references to the parents of an object, whose names are a part of its key.
    pub key: Vec<Ident>,
    /// The members by which a client names an object, from the outermost to the own name.
    pub members: Vec<Member>,
    /// The fields that the search looks through.
    pub searched: Vec<Searched>,
    /// False if clients delete the objects of the kind in a way of its own.
    pub has_delete: bool,
    /// True if lines begin at the objects of the kind.
    pub is_traced: bool,
    /// True if controllers report fields of the kind.
    pub is_observed: bool,
    described: Vec<(Ident, Expr)>,
}

/// A member by which a client names an object.
pub struct Member {
    pub name: Ident,
    pub value: Type,
    pub text: LitStr,
}

/// A field that the search looks through.
pub struct Searched {
    pub name: Ident,
    /// The texts in the field, if they are not the field itself.
    pub texts: Option<Expr>,
}

impl Arguments {
    /// Returns a member of the description.
    pub fn described(&self, name: &str) -> TokenStream {
        if let Some((_, value)) = self.described.iter().find(|(own, _)| own == name) {
            return quote!(#value);
        }
        let usual = DESCRIBED.iter().find(|(own, _)| *own == name).map_or("None", |(_, usual)| usual);
        usual.parse().unwrap_or_default()
    }
}

impl Parse for Arguments {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let (mut id, mut row, mut plural) = (None, None, None);
        let (mut key, mut members, mut searched, mut described) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let (mut has_delete, mut is_traced, mut is_observed) = (true, false, false);
        while !input.is_empty() {
            let name: Ident = input.parse()?;
            match name.to_string().as_str() {
                "id" => id = Some(after_equals(input)?),
                "row" => row = Some(after_equals(input)?),
                "plural" => plural = Some(after_equals(input)?),
                "key" => key = listed(input)?,
                "reference" => members = listed(input)?,
                "searched" => searched = listed(input)?,
                "no_delete" => has_delete = false,
                "traced" => is_traced = true,
                "observed" => is_observed = true,
                known if DESCRIBED.iter().any(|(own, _)| *own == known) => described.push((name, after_equals(input)?)),
                unknown => {
                    let known = DESCRIBED.map(|(name, _)| name).join(", ");
                    let text = format!(
                        "a kind has no `{unknown}`; it has id, row, plural, key, reference, searched, no_delete, traced, \
                         observed, {known}"
                    );
                    return Err(Error::new(name.span(), text));
                }
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        let missing = |what: &str| Error::new(Span::call_site(), format!("a kind needs {what}"));
        Ok(Self {
            id: id.ok_or_else(|| missing("`id = …`, the name of its id in the list of kinds"))?,
            row: row.ok_or_else(|| missing("`row = …`, the type of its row"))?,
            plural,
            key,
            members,
            searched,
            has_delete,
            is_traced,
            is_observed,
            described,
        })
    }
}

impl Parse for Member {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let name = input.parse()?;
        let value = match input.parse::<Option<Token![:]>>()? {
            Some(_) => input.parse()?,
            None => syn::parse_quote!(String),
        };
        input.parse::<Token![=]>()?;
        Ok(Self { name, value, text: input.parse()? })
    }
}

impl Parse for Searched {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let name = input.parse()?;
        let texts = input.parse::<Option<Token![=>]>>()?.map(|_| input.parse()).transpose()?;
        Ok(Self { name, texts })
    }
}

/// Reads `= value`.
pub fn after_equals<T: Parse>(input: ParseStream<'_>) -> Result<T> {
    input.parse::<Token![=]>()?;
    input.parse()
}

/// Reads `(value, …)`.
pub fn listed<T: Parse>(input: ParseStream<'_>) -> Result<Vec<T>> {
    let inner;
    parenthesized!(inner in input);
    Ok(Punctuated::<T, Token![,]>::parse_terminated(&inner)?.into_iter().collect())
}
