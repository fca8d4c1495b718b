//! Writes a declaration out as calls of the macros of the grammar, each in a module of its own, as their texts expect.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use syn::spanned::Spanned as _;
use syn::{Error, ImplItem, ItemImpl, ItemStruct, LitInt, LitStr, Result, Type};

use super::arguments::{Arguments, Member, Searched};
use super::element::{Element, Filtered, Role};
use super::value::{Value, inside};
use super::words::{camel, pascal, snake};

/// Expands `#[kind]`.
pub fn kind(arguments: &Arguments, item: &ItemStruct, elements: &[Element]) -> Result<TokenStream> {
    let kind = Kind { arguments, item, elements };
    let (describe, input, api, object) = (kind.describe()?, kind.input()?, kind.api()?, kind.object()?);
    let name = &item.ident;
    let exported = ["Input", "Patch", "Payload", "Ref", "Filter", "ListFilter"].map(|end| format_ident!("{name}{end}"));
    let [query, mutation] = ["Query", "Mutation"].map(|end| format_ident!("{name}{end}"));
    Ok(quote! {
        #describe
        #input
        #api
        #object

        pub use self::api::{#query, #mutation};
        pub use self::describe::DESCRIPTION;
        #[allow(unused_imports, reason = "not every kind needs all of them elsewhere")]
        pub use self::input::{#(#exported),*};
        pub use self::node::#name;
    })
}

/// Expands `#[resolvers]`.
pub fn resolvers(item: &ItemImpl) -> Result<TokenStream> {
    let Type::Path(path) = &*item.self_ty else {
        return Err(Error::new_spanned(&item.self_ty, "resolvers stand on an `impl` of the struct of their kind"));
    };
    if let Some((_, of, _)) = &item.trait_ {
        return Err(Error::new_spanned(of, "resolvers stand on an `impl` of the struct of their kind, not of a trait"));
    }
    for inner in &item.items {
        if !matches!(inner, ImplItem::Fn(function) if function.sig.asyncness.is_some()) {
            return Err(Error::new_spanned(
                inner,
                "a resolver is an `async fn`; helpers stand in an `impl` of their own",
            ));
        }
    }
    let name = path.path.segments.last().map(|last| last.ident.clone());
    let name = name.ok_or_else(|| Error::new_spanned(&item.self_ty, "resolvers need the name of their kind"))?;
    let (object, functions) = (object_macro(&name), &item.items);
    Ok(quote!(#object! { #(#functions)* }))
}

/// The macro through which the resolvers of a kind get into its object.
fn object_macro(name: &Ident) -> Ident {
    format_ident!("__object_{}", snake(name))
}

/// A declared kind.
struct Kind<'a> {
    arguments: &'a Arguments,
    item: &'a ItemStruct,
    elements: &'a [Element],
}

impl<'a> Kind<'a> {
    /// Writes the description of the kind for the engine.
    fn describe(&self) -> Result<TokenStream> {
        let Arguments { id, row, key, searched, .. } = self.arguments;
        let name = &self.item.ident;
        let fields = self.elements.iter().filter_map(|it| it.described().transpose()).collect::<Result<Vec<_>>>()?;
        let constants = self.elements.iter().filter_map(|element| element.constant(id));
        let observed = self.arguments.is_observed.then(|| quote!(observed_version: 0));
        let blank = self.elements.iter().flat_map(Element::blank).chain(observed);
        let parents = key.iter().map(camel);
        let own = self.own_member()?;
        let (text, singular, member) = (name.to_string(), lower_first(name), camel(&own.name));
        let searched = searched.iter().map(|Searched { name: column, texts }| {
            let name = camel(column);
            let texts = texts.as_ref().map_or_else(|| quote!(|row| &row.#column), |texts| quote!(#texts));
            quote!(#name => #texts)
        });
        let described = |name: &str| self.arguments.described(name);
        let others = ["rules", "parts", "on_loss", "on_write", "unnamed", "unique", "audience", "echo", "reserves"];
        let others = others.into_iter().chain(["protection", "arrival", "packed_state"]).map(|name| {
            let (member, value) = (Ident::new(name, Span::call_site()), described(name));
            quote!(#member: #value)
        });
        let family = described("family");
        Ok(quote! {
            mod describe {
                use super::*;
                use underlay_inventory::{Description, Field, KindId, ReferenceId};

                const FIELDS: &[Field] = crate::fields![#(#fields),*];

                /// The description of the kind in the registry.
                pub static DESCRIPTION: Description = Description {
                    id: crate::ids::#id,
                    name: #text,
                    singular: #singular,
                    fields: FIELDS,
                    key: underlay_inventory::Key { parents: &[#(#parents),*], family: #family, name_member: #member },
                    blank: || std::sync::Arc::new(blank()),
                    searched: underlay_inventory::searched!(Row { #(#searched),* }),
                    #(#others),*
                };

                impl underlay_inventory::Kind for #name {
                    type Row = #row;
                    const ID: KindId = crate::ids::#id;

                    fn describe() -> &'static Description {
                        &DESCRIPTION
                    }
                }

                impl #name {
                    #(#constants)*
                }

                type Row = #row;
                crate::blank!(Row { #(#blank),* });
            }
        })
    }

    /// Writes the inputs, the filter and the sort orders.
    fn input(&self) -> Result<TokenStream> {
        let name = &self.item.ident;
        let row = &self.arguments.row;
        let member = Ident::new(&snake(name), name.span());
        let [input, patch, payload, reference, filter, list_filter, order, order_by] =
            ["Input", "Patch", "Payload", "Ref", "Filter", "ListFilter", "Order", "OrderBy"]
                .map(|end| format_ident!("{name}{end}"));
        let members = self.arguments.members.iter().map(|Member { name, value, text }| {
            let text = spaced(text);
            quote!(#[doc = #text] #name: #value;)
        });
        let written = |is_fixed: bool| {
            let elements = self.elements.iter().filter(move |element| element.options.is_fixed == is_fixed);
            elements.filter_map(Element::written).collect::<Vec<_>>()
        };
        let (fixed, fields) = (written(true), written(false));
        let filters = self.elements.iter().map(|element| element.filters(name)).collect::<Result<Vec<_>>>()?;
        let [mut values, mut references, mut lists, mut more] = [const { Vec::new() }; 4];
        for filter in filters.into_iter().flatten() {
            match filter {
                Filters::Value(text) => values.push(text),
                Filters::Reference(text) => references.push(text),
                Filters::List(text) => lists.push(text),
                Filters::More(text) => more.push(text),
            }
        }
        let orders = self.elements.iter().filter_map(Element::ordered);
        Ok(quote! {
            mod input {
                use super::*;

                #[allow(dead_code, reason = "a kind without values of its own does not need it")]
                type Row = #row;
                crate::inputs! {
                    #name as #member;
                    input #input;
                    patch #patch;
                    payload #payload;
                    reference #reference { #(#members)* }
                    fixed { #(#fixed)* }
                    fields { #(#fields)* }
                }

                crate::filter! {
                    #name: Row;
                    filter #filter, #list_filter;
                    values { #(#values)* }
                    references { #(#references)* }
                    lists { #(#lists)* }
                    more { #(#more)* }
                }

                crate::order! {
                    #name: Row;
                    order #order, #order_by;
                    values { #(#orders)* }
                }
            }
        })
    }

    /// Writes the root fields.
    fn api(&self) -> Result<TokenStream> {
        let name = &self.item.ident;
        let [query, mutation, input, patch, payload] =
            ["Query", "Mutation", "Input", "Patch", "Payload"].map(|end| format_ident!("{name}{end}"));
        let one = Ident::new(&snake(name), name.span());
        let many = self.arguments.plural.clone().unwrap_or_else(|| format_ident!("{one}s"));
        let [create, update, delete] = ["create", "update", "delete"].map(|act| format_ident!("{act}_{one}"));
        let delete = self.arguments.has_delete.then(|| quote!(, #delete));
        let own = self.own_member()?;
        let parents = self.arguments.members.iter().filter(|member| member.name != own.name);
        let parents = parents.map(|Member { name, value, text }| {
            let text = spaced(text);
            quote!(#[doc = #text] #name: #value)
        });
        Ok(quote! {
            mod api {
                use super::*;

                crate::roots! {
                    #name;
                    query #query { #one(#(#parents),*), #many }
                    mutation #mutation { #create, #update #delete }
                    with #input, #patch, #payload { #one }
                }
            }
        })
    }

    /// Writes the GraphQL object as a macro that gets the resolvers.
    fn object(&self) -> Result<TokenStream> {
        let name = &self.item.ident;
        let docs = self.item.attrs.iter().filter(|it| it.path().is_ident("doc"));
        let row = &self.arguments.row;
        let object = object_macro(name);
        let own = self.elements.iter().filter_map(Element::own);
        let refers = |is_required: bool| {
            let elements = self.elements.iter().filter(move |it| it.is_required() == is_required);
            elements.filter_map(|element| element.refers(name)).collect::<Vec<_>>()
        };
        let (requires, refers) = (refers(true), refers(false));
        let lists = self.elements.iter().map(Element::listed).collect::<Result<Vec<_>>>()?;
        let lists = lists.into_iter().flatten();
        let observed = self.arguments.is_observed.then(|| quote!(observed {}));
        let traced = self.arguments.is_traced.then(|| quote!(traced {}));
        Ok(quote! {
            macro_rules! #object {
                ($($more:tt)*) => {
                    mod node {
                        use super::*;

                        #[allow(dead_code, reason = "a kind without values of its own does not need it")]
                        type Row = #row;
                        crate::object! {
                            #(#docs)*
                            #name: Row;
                            own { #(#own)* }
                            requires { #(#requires)* }
                            refers { #(#refers)* }
                            lists { #(#lists)* }
                            #observed
                            #traced
                            more { $($more)* }
                        }
                    }
                };
            }
        })
    }

    /// Returns the member by which a client names the object itself.
    fn own_member(&self) -> Result<&'a Member> {
        let text = "a kind needs `reference(…)`: the members by which clients name an object, its own name last";
        self.arguments.members.last().ok_or_else(|| Error::new_spanned(&self.item.ident, text))
    }
}

/// A condition of a filter, by the section that it stands in.
enum Filters {
    Value(TokenStream),
    Reference(TokenStream),
    List(TokenStream),
    More(TokenStream),
}

impl Element {
    fn row() -> Ident {
        Ident::new("row", Span::call_site())
    }

    fn column(&self) -> Ident {
        match (&self.options.column, &self.role) {
            (Some(column), _) => column.clone(),
            (None, Role::Reference(_)) if self.options.form.is_none() => format_ident!("{}_id", self.name),
            (None, _) => self.name.clone(),
        }
    }

    /// Returns the kind of the objects that a reference or a list leads to.
    fn target(&self) -> &Type {
        inside(&self.declared, "Vec").or_else(|| inside(&self.declared, "Option")).unwrap_or(&self.declared)
    }

    fn is_required(&self) -> bool {
        let is_single = inside(&self.declared, "Vec").is_none() && inside(&self.declared, "Option").is_none();
        matches!(self.role, Role::Reference(_)) && is_single
    }

    /// Returns the field as it is described to the engine.
    fn described(&self) -> Result<Option<TokenStream>> {
        let (name, column, methods) = (camel(&self.name), self.column(), &self.options.methods);
        match &self.role {
            Role::Field(number) => {
                let shape = self.shape(number)?;
                Ok(Some(quote!(underlay_inventory::field!(#number, Row.#column, #name, #shape) #(#methods)*)))
            }
            Role::Reference(number) => {
                let form = self.options.form.as_ref();
                let form = form.map_or_else(|| quote!(underlay_inventory::Form::One), |form| quote!(#form));
                let kinds = match self.options.kinds.is_empty() {
                    true => vec![self.target_name()?],
                    false => self.options.kinds.iter().map(LitStr::value).collect(),
                };
                let field = quote!(underlay_inventory::reference!(#number, Row.#column, #name, #form, &[#(#kinds),*]));
                Ok(Some(quote!(#field #(#methods)*)))
            }
            Role::Described(field) => Ok(Some(quote!(#field #(#methods)*))),
            _ => Ok(None),
        }
    }

    fn shape(&self, number: &LitInt) -> Result<TokenStream> {
        if let Some((least, most)) = &self.options.range {
            return Ok(quote!(underlay_inventory::Shape::Integer { least: #least, most: #most }));
        }
        let given = self.options.shape.as_ref().map(|shape| quote!(#shape));
        let shape = given.or_else(|| Value::new(&self.declared).shape());
        let text = "the type does not say which values the field takes: add `range = 1..=100` or `shape = …`";
        shape.ok_or_else(|| Error::new(number.span(), text))
    }

    /// Returns the name of the kind that a reference leads to.
    fn target_name(&self) -> Result<String> {
        let Type::Path(path) = self.target() else {
            return Err(Error::new_spanned(&self.declared, "a reference has the type of the kind that it leads to"));
        };
        Ok(path.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default())
    }

    /// Returns the constant by which code names a reference.
    fn constant(&self, id: &Ident) -> Option<TokenStream> {
        let name = match &self.role {
            Role::Reference(_) => camel(&self.name),
            Role::Through(field) => field.value(),
            _ => return None,
        };
        let docs = &self.docs;
        let constant = Ident::new(&self.name.to_string().to_uppercase(), self.name.span());
        Some(quote! {
            #(#docs)*
            pub const #constant: ReferenceId = Description::reference(crate::ids::#id, FIELDS, #name);
        })
    }

    /// Returns the columns of a new row.
    fn blank(&self) -> Vec<TokenStream> {
        let column = self.column();
        let default = self.options.default.as_ref().map(|default| quote!(#default));
        let usual = match &self.role {
            Role::Field(_) => Value::new(&self.declared).default(),
            Role::Reference(_) if self.is_required() => quote!(uuid::Uuid::nil()),
            Role::Reference(_) => quote!(Default::default()),
            Role::Described(_) => {
                return self.options.columns.iter().map(|(name, value)| quote!(#name: #value)).collect();
            }
            _ => return Vec::new(),
        };
        let value = default.unwrap_or(usual);
        vec![quote!(#column: #value)]
    }

    /// Returns the field of the inputs.
    fn written(&self) -> Option<TokenStream> {
        let (docs, name) = (&self.input_docs, &self.name);
        let usual = match &self.role {
            Role::Field(_) | Role::Described(_) | Role::InputOnly => {
                let of = Value::new(&self.declared).of;
                quote!(#of)
            }
            Role::Reference(_) => {
                let reference = self.with_end("Ref");
                quote!(#reference)
            }
            _ => return None,
        };
        let input = self.options.input.as_ref().map(|input| quote!(#input)).unwrap_or(usual);
        (!self.options.is_unwritten).then(|| quote!(#(#docs)* #name: #input;))
    }

    /// Returns the name of a type that belongs to the kind that a reference or a list leads to.
    fn with_end(&self, end: &str) -> Option<Ident> {
        let Type::Path(path) = self.target() else { return None };
        path.path.segments.last().map(|last| format_ident!("{}{end}", last.ident))
    }

    /// Returns the conditions on the member in a filter.
    fn filters(&self, of: &Ident) -> Result<Option<Filters>> {
        let (name, target, row) = (&self.name, self.target(), Self::row());
        if let Role::Filter(function) = &self.role {
            let (docs, declared) = (&self.docs, &self.declared);
            return Ok(Some(Filters::More(quote!(#(#docs)* #name: #declared = #function;))));
        }
        let Some(filter) = &self.options.filter else { return Ok(None) };
        let wrong = |text: &str| Err(Error::new(name.span(), text));
        if let (Filtered::Given(filter, function), Some(text)) = (filter, &self.options.filter_text) {
            let text = spaced(text);
            return Ok(Some(Filters::More(quote!(#[doc = #text] #name: #filter = #function;))));
        }
        let text = match (&self.role, filter) {
            (Role::Field(_) | Role::Described(_) | Role::Computed(_), Filtered::Given(filter, value)) => {
                Filters::Value(quote!(#name: #filter = #value;))
            }
            (Role::Field(_), Filtered::Usual) => match Value::new(&self.declared).filter(&row, &self.column()) {
                Some((filter, value)) => Filters::Value(quote!(#name: #filter = #value;)),
                None => return wrong("values of this type have no usual filter: write `filter(Type, |row| …)`"),
            },
            (Role::Computed(_) | Role::Described(_), Filtered::Usual) => {
                return wrong("what is computed or described has no usual filter: write `filter(Type, |row| …)`");
            }
            (Role::Reference(_) | Role::Through(_), Filtered::Usual) => {
                let filter = self.with_end("Filter");
                let constant = Ident::new(&name.to_string().to_uppercase(), name.span());
                Filters::Reference(quote!(#name: #filter => #target, #of::#constant;))
            }
            (Role::List(by), Filtered::Usual) => {
                let filter = self.with_end("ListFilter");
                Filters::List(quote!(#name: #filter => #target, #by;))
            }
            (Role::Reference(_) | Role::Through(_), Filtered::Given(..)) => {
                return wrong("a filter on objects of several kinds needs `filter_text = …`, its text");
            }
            (Role::List(_), Filtered::Given(..)) => {
                return wrong("lists are filtered by the filter of their kind: write `filter`");
            }
            (Role::InputOnly, _) => return wrong("what is no field has no filter"),
            (Role::Filter(_), _) => return Ok(None),
        };
        Ok(Some(text))
    }

    /// Returns the sort order by the member.
    fn ordered(&self) -> Option<TokenStream> {
        let (words, given) = self.options.order.as_ref()?;
        let (variant, text) = (Ident::new(&pascal(&self.name), self.name.span()), camel(&self.name));
        let usual = || Value::new(&self.declared).order(&Self::row(), &self.column());
        let value = given.as_ref().map_or_else(usual, |value| quote!(#value));
        Some(quote!(#variant as #text: #words = #value;))
    }

    /// Returns the field of the object that is read from the row.
    fn own(&self) -> Option<TokenStream> {
        let (docs, name, declared) = (&self.docs, &self.name, &self.declared);
        match (&self.role, &self.options.output) {
            _ if self.options.is_unread => None,
            (Role::Field(_) | Role::Described(_), Some((output, value))) => {
                Some(quote!(#(#docs)* #name: #output = #value;))
            }
            (Role::Field(_), None) => {
                let (value, row, column) = (Value::new(declared), Self::row(), self.column());
                let (output, value) = match self.options.is_borrowed {
                    true => value.borrowed(&row, &column),
                    false => value.output(&row, &column),
                };
                Some(quote!(#(#docs)* #name: #output = #value;))
            }
            (Role::Computed(value), _) => Some(quote!(#(#docs)* #name: #declared = #value;)),
            _ => None,
        }
    }

    /// Returns the field of the object that leads to another object.
    fn refers(&self, of: &Ident) -> Option<TokenStream> {
        let (Role::Reference(_) | Role::Through(_)) = &self.role else { return None };
        let (docs, name, target) = (&self.docs, &self.name, self.target());
        let constant = Ident::new(&name.to_string().to_uppercase(), name.span());
        (!self.options.is_unread).then(|| quote!(#(#docs)* #name: #target by #of::#constant;))
    }

    /// Returns the field of the object that lists others.
    fn listed(&self) -> Result<Option<TokenStream>> {
        let Role::List(by) = &self.role else { return Ok(None) };
        let (docs, name) = (&self.docs, &self.name);
        match inside(&self.declared, "Vec") {
            Some(_) if self.options.is_unread => Ok(None),
            Some(target) => Ok(Some(quote!(#(#docs)* #name: #target by #by;))),
            None => Err(Error::new(self.declared.span(), "a list has the type `Vec` of the kind that it lists")),
        }
    }
}

/// Returns a text with the space before it that a doc comment has.
fn spaced(text: &LitStr) -> LitStr {
    LitStr::new(&format!(" {}", text.value()), text.span())
}

fn lower_first(name: &Ident) -> String {
    let text = name.to_string();
    let mut letters = text.chars();
    letters.next().map(|first| first.to_lowercase().chain(letters).collect()).unwrap_or_default()
}
