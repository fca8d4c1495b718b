//! Names in the forms of Rust and of GraphQL.

use proc_macro2::Ident;
use syn::ext::IdentExt as _;

/// Returns a name in the form of GraphQL fields: `height_u` becomes `heightU`, `r#type` becomes `type`.
pub fn camel(name: &Ident) -> String {
    let pascal = pascal(name);
    let mut letters = pascal.chars();
    letters.next().map(|first| first.to_lowercase().chain(letters).collect()).unwrap_or_default()
}

/// Returns a name in the form of types: `height_u` becomes `HeightU`.
pub fn pascal(name: &Ident) -> String {
    let name = name.unraw().to_string();
    let parts = name.split('_').map(|part| {
        let mut letters = part.chars();
        letters.next().map(|first| first.to_uppercase().chain(letters).collect::<String>()).unwrap_or_default()
    });
    parts.collect()
}

/// Returns a name in the form of modules and functions: `PowerFeed` becomes `power_feed`.
pub fn snake(name: &Ident) -> String {
    let mut text = String::new();
    for letter in name.unraw().to_string().chars() {
        if letter.is_uppercase() && !text.is_empty() {
            text.push('_');
        }
        text.extend(letter.to_lowercase());
    }
    text
}

#[cfg(test)]
mod tests {
    use proc_macro2::Span;

    use super::*;

    #[test]
    fn names_change_their_form() {
        let name = |text: &str| Ident::new(text, Span::call_site());
        assert_eq!([camel(&name("height_u")), pascal(&name("height_u"))], ["heightU", "HeightU"]);
        assert_eq!(camel(&Ident::new_raw("type", Span::call_site())), "type");
        assert_eq!([snake(&name("PowerFeed")), snake(&name("Rack"))], ["power_feed", "rack"]);
    }
}
