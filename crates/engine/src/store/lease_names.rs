//! The names of leases that exclude each other.
//!
//! Work can be divided as a whole or by parts. As a whole it is divided over a *family* of leases: `a/00`, `a/01` and
//! so on. By parts, each part has a family of its own: `a/b/00`, `a/b/01` and so on. If both were held, one object
//! could have two holders. So while a holder has a lease of the family `a`, no other one gets a lease of a family
//! `a/b`, and the other way round. Names that do not end with a number of two digits are of no family, and exclude
//! nothing.

use std::collections::BTreeSet;

/// The families of the leases that are to be taken.
pub(super) struct Families<'a>(BTreeSet<&'a str>);

impl<'a> Families<'a> {
    /// Returns the families of leases.
    pub(super) fn of(names: impl Iterator<Item = &'a str>) -> Self {
        Self(names.filter_map(family).collect())
    }

    /// Returns true if there is no family, so that nothing is excluded.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns true if a lease excludes one of the families.
    pub(super) fn are_excluded_by(&self, name: &str) -> bool {
        family(name).is_some_and(|other| self.0.iter().any(|own| is_part(own, other) || is_part(other, own)))
    }
}

fn family(name: &str) -> Option<&str> {
    let (family, number) = name.rsplit_once('/')?;
    (number.len() == 2 && number.bytes().all(|it| it.is_ascii_digit())).then_some(family)
}

fn is_part(part: &str, whole: &str) -> bool {
    part.rsplit_once('/').is_some_and(|(of, _)| of == whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_and_its_parts_exclude_each_other() {
        for (wanted, held, expected) in [
            ("work/00", "work/s1/00", true),
            ("work/00", "work/s1/63", true),
            ("work/s1/00", "work/07", true),
            ("work/00", "work/01", false),
            ("work/s1/00", "work/s2/00", false),
            ("work/s1/00", "work/s1/01", false),
            ("work/00", "others/s1/00", false),
            ("work/00", "work/s1/x/00", false),
            ("work/00", "work/by/one", false),
            ("work/by/one", "work/s1/00", false),
            ("work/00", "work/s1/by/one", false),
            ("work/s1/00", "work/by/one", false),
            ("00", "s1/00", false),
            ("a", "b", false),
        ] {
            assert_eq!(Families::of([wanted].into_iter()).are_excluded_by(held), expected, "{wanted} {held}");
        }
    }
}
