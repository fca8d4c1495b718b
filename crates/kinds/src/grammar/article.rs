//! The indefinite article before the name of a kind, in descriptions of the API and in messages.

/// Puts the indefinite article before the name of a kind, as a literal: `an Appliance`, or with `A` before it `An
/// Appliance`.
#[macro_export]
macro_rules! with_article {
    (Appliance) => {
        "an Appliance"
    };
    (A Appliance) => {
        "An Appliance"
    };
    ($name:ident) => {
        concat!("a ", stringify!($name))
    };
    (A $name:ident) => {
        concat!("A ", stringify!($name))
    };
}

/// Puts the indefinite article before the name of a kind.
pub fn with_article(name: &str) -> String {
    let article = if name.starts_with(['A', 'E', 'I', 'O', 'a', 'e', 'i', 'o']) { "an" } else { "a" };
    format!("{article} {name}")
}
