//! The members of a declared struct: fields, references, lists, and what is computed from the row.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::ext::IdentExt as _;
use syn::parse::{Parse, ParseStream, Parser as _};
use syn::{Attribute, Error, Expr, ItemStruct, LitInt, LitStr, Meta, Result, Token, Type, parenthesized};

use super::arguments::{after_equals, listed};

/// A member of the struct.
pub struct Element {
    /// The role of the member in the kind.
    pub role: Role,
    /// The name, in the form of Rust.
    pub name: Ident,
    /// The type, as it is declared.
    pub declared: Type,
    /// The text of the object in the API, as attributes.
    pub docs: Vec<Attribute>,
    /// The text of the inputs, as attributes.
    pub input_docs: Vec<Attribute>,
    /// The other arguments of its attribute.
    pub options: Options,
}

/// The role of a member in its kind.
pub enum Role {
    /// A field of the row with this number.
    Field(LitInt),
    /// A reference with this number.
    Reference(LitInt),
    /// The objects that refer to the object by this reference.
    List(Expr),
    /// A field of the API that is read from the row by this function.
    Computed(Expr),
    /// A filter with this function and no field.
    Filter(Expr),
    /// A field that this constant describes, in the columns that the options list.
    Described(Expr),
    /// A reference that is a part of the field with this name.
    Through(LitStr),
    /// A member of the inputs that is no field.
    InputOnly,
}

/// The attributes of which a member has one.
const ROLES: &str = "field, reference, list, computed, filter, described, through, input_only";

/// A filter, by the type of the value or as it is given.
pub enum Filtered {
    Usual,
    Given(Box<Type>, Box<Expr>),
}

/// The arguments of the attribute of a member, besides its number.
#[derive(Default)]
pub struct Options {
    /// The column of the row. Usual: the name; of a reference of the usual form, the name with `_id`.
    pub column: Option<Ident>,
    /// The columns of a field that has several, and their values in a new row.
    pub columns: Vec<(Ident, Expr)>,
    /// The values that the engine takes.
    pub shape: Option<Expr>,
    /// The smallest and the largest number.
    pub range: Option<(Expr, Expr)>,
    /// The value of a new row.
    pub default: Option<Expr>,
    /// The type that clients write.
    pub input: Option<Type>,
    /// The type in the API, and how it is read from the row.
    pub output: Option<(Type, Expr)>,
    pub filter: Option<Filtered>,
    /// The text of a filter whose function gets the filter itself, the row and the snapshot.
    pub filter_text: Option<LitStr>,
    /// The words that complete `Orders by`, and the value if it is not the usual one.
    pub order: Option<(LitStr, Option<Expr>)>,
    /// The form of a reference.
    pub form: Option<Expr>,
    /// The kinds of the objects that a reference can lead to.
    pub kinds: Vec<LitStr>,
    /// True if the field cannot change after creation.
    pub is_fixed: bool,
    /// True if no client writes the field.
    pub is_unwritten: bool,
    /// True if the API borrows the value from the row. Others are copied.
    pub is_borrowed: bool,
    /// True if the API has no field that is read from the row: it is computed, or there is none.
    pub is_unread: bool,
    /// The methods of `underlay_inventory::Field` that the field gets, in this order.
    pub methods: Vec<TokenStream>,
}

impl Element {
    /// Reads all members of a struct.
    pub fn all(item: &ItemStruct) -> Result<Vec<Self>> {
        item.fields.iter().map(Self::read).collect()
    }

    fn read(field: &syn::Field) -> Result<Self> {
        let name = field.ident.clone().ok_or_else(|| Error::new_spanned(field, "a member of a kind has a name"))?;
        let docs: Vec<Attribute> = field.attrs.iter().filter(|it| it.path().is_ident("doc")).cloned().collect();
        let (mut role, mut options, mut input_docs) = (None, Options::default(), docs.clone());
        for attribute in &field.attrs {
            let is = |name: &str| attribute.path().is_ident(name);
            if is("doc") {
            } else if is("written") {
                let text: LitStr =
                    attribute.meta.require_name_value().and_then(|it| syn::parse2(text_of(&it.value)))?;
                let text = LitStr::new(&format!(" {}", text.value()), text.span());
                input_docs.push(syn::parse_quote!(#[doc = #text]));
            } else if is("input") {
                let text: LitStr =
                    attribute.meta.require_name_value().and_then(|it| syn::parse2(text_of(&it.value)))?;
                let text = LitStr::new(&format!(" {}", text.value()), text.span());
                input_docs = vec![syn::parse_quote!(#[doc = #text])];
            } else if role.is_some() {
                return Err(Error::new_spanned(attribute, format!("a member is one of {ROLES}")));
            } else {
                let read = |input: ParseStream<'_>| read_role(attribute, input, &mut options);
                role = Some(match &attribute.meta {
                    Meta::Path(_) => read.parse2(TokenStream::new())?,
                    _ => attribute.parse_args_with(read)?,
                });
            }
        }
        let role = role.ok_or_else(|| {
            let text = "what it is is missing: #[field(NUMBER)], #[reference(NUMBER)], #[list(REFERENCE)], #[computed(FUNCTION)] or another of the list in CONTRIBUTING";
            Error::new(name.span(), text)
        })?;
        Ok(Self { role, name, declared: field.ty.clone(), docs, input_docs, options })
    }
}

fn text_of(value: &Expr) -> TokenStream {
    quote!(#value)
}

/// Reads the arguments of the attribute that says what a member is.
fn read_role(attribute: &Attribute, input: ParseStream<'_>, options: &mut Options) -> Result<Role> {
    let name = attribute.path().get_ident().map(ToString::to_string).unwrap_or_default();
    let role = match name.as_str() {
        "field" => Role::Field(input.parse()?),
        "reference" => Role::Reference(input.parse()?),
        "list" => Role::List(input.parse()?),
        "computed" => Role::Computed(input.parse()?),
        "filter" => Role::Filter(input.parse()?),
        "described" => Role::Described(input.parse()?),
        "through" => Role::Through(input.parse()?),
        "input_only" => {
            if !input.is_empty() {
                options.read(input)?;
            }
            Role::InputOnly
        }
        _ => return Err(Error::new_spanned(attribute, format!("a member is one of {ROLES}"))),
    };
    while !input.is_empty() {
        input.parse::<Token![,]>()?;
        if !input.is_empty() {
            options.read(input)?;
        }
    }
    Ok(role)
}

impl Options {
    fn read(&mut self, input: ParseStream<'_>) -> Result<()> {
        let name = input.call(Ident::parse_any)?;
        match name.to_string().as_str() {
            "column" => self.column = Some(after_equals(input)?),
            "columns" => self.columns = listed::<Column>(input)?.into_iter().map(|it| (it.name, it.default)).collect(),
            "shape" => self.shape = Some(after_equals(input)?),
            "default" => self.default = Some(after_equals(input)?),
            "input" => self.input = Some(after_equals(input)?),
            "form" => self.form = Some(after_equals(input)?),
            "kinds" => self.kinds = listed(input)?,
            "range" => self.range = Some(range(input)?),
            "output" => self.output = Some(typed(input)?),
            "filter" if input.peek(syn::token::Paren) => {
                let (filter, value) = typed(input)?;
                self.filter = Some(Filtered::Given(Box::new(filter), Box::new(value)));
            }
            "filter" => self.filter = Some(Filtered::Usual),
            "filter_text" => self.filter_text = Some(after_equals(input)?),
            "order" => self.order = Some(ordered(input)?),
            "unwritten" => self.is_unwritten = true,
            "borrowed" => self.is_borrowed = true,
            "unread" => self.is_unread = true,
            method => {
                self.is_fixed |= method == "immutable";
                let arguments = match () {
                    () if input.peek(Token![=]) => {
                        let value: Expr = after_equals(input)?;
                        quote!(#value)
                    }
                    () if input.peek(syn::token::Paren) => {
                        let inner;
                        parenthesized!(inner in input);
                        inner.parse()?
                    }
                    () => TokenStream::new(),
                };
                self.methods.push(quote!(.#name(#arguments)));
            }
        }
        Ok(())
    }
}

/// A column of a field that has several, as in `columns(face = None)`.
struct Column {
    name: Ident,
    default: Expr,
}

impl Parse for Column {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        Ok(Self { name: input.parse()?, default: after_equals(input)? })
    }
}

/// Reads `= least..=most`.
fn range(input: ParseStream<'_>) -> Result<(Expr, Expr)> {
    let value: Expr = after_equals(input)?;
    match &value {
        Expr::Range(range) => match (&range.start, &range.end) {
            (Some(start), Some(end)) => Ok(((**start).clone(), (**end).clone())),
            _ => Err(Error::new_spanned(&value, "a range has both ends, such as 1..=100")),
        },
        _ => Err(Error::new_spanned(&value, "a range is written as 1..=100")),
    }
}

/// Reads `(Type, function)`.
fn typed(input: ParseStream<'_>) -> Result<(Type, Expr)> {
    let inner;
    parenthesized!(inner in input);
    let of = inner.parse()?;
    inner.parse::<Token![,]>()?;
    Ok((of, inner.parse()?))
}

/// Reads `("the words")`, or `("the words", function)`.
fn ordered(input: ParseStream<'_>) -> Result<(LitStr, Option<Expr>)> {
    let inner;
    parenthesized!(inner in input);
    let words = inner.parse()?;
    let value = if inner.is_empty() {
        None
    } else {
        inner.parse::<Token![,]>()?;
        Some(Expr::parse(&inner)?)
    };
    Ok((words, value))
}
