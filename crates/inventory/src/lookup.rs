//! Finds an object by its id, by its external reference, or by its name and parents.

use serde_json::{Map, Value as Json};
use uuid::Uuid;

use super::edges::ObjectRef;
use super::kind::Description;
use super::shape::{shorten, shorten_text};
use super::snapshot::Snapshot;
use super::table::KeyOf;
use underlay_error::Refusal;

/// The number of candidates that an `AMBIGUOUS` error lists.
const MAX_LISTED_CANDIDATES: usize = 5;
/// The number of levels of parents that are searched. A snapshot that is still being checked may contain a cycle.
const MAX_PARENT_LEVELS: usize = 32;

/// A parsed reference to an object. In JSON it is an `id`, a `source` with an `externalId`, or a name with as many
/// parents as are needed to make it unique. Plain text is an id or a name.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Selector {
    /// The id; it takes precedence over everything else.
    pub id: Option<Uuid>,
    /// The external reference: source and external id.
    pub external: Option<(String, String)>,
    /// The name of the object within its parent.
    pub name: Option<String>,
    /// All other members: parents by the names of their fields, and the family.
    pub parents: Vec<(String, String)>,
}

impl Selector {
    /// Parses a reference to an object of a kind. `source` is the default for an `externalId` without a source.
    pub fn parse(kind: &Description, field: &str, value: &Json, source: Option<&str>) -> Result<Self, Refusal> {
        match value {
            Json::String(text) => Ok(match Uuid::parse_str(text) {
                Ok(id) => Self { id: Some(id), ..Self::default() },
                Err(_) => Self { name: Some(text.clone()), ..Self::default() },
            }),
            Json::Object(members) => Self::from_members(kind, field, members, source),
            other => Err(unfit(field, format!("must be a reference to a {}, not {}", kind.name, shorten(other)))),
        }
    }

    fn from_members(
        kind: &Description,
        field: &str,
        members: &Map<String, Json>,
        source: Option<&str>,
    ) -> Result<Self, Refusal> {
        let mut selector = Self::default();
        let mut external = (source.map(str::to_owned), None);
        for (member, value) in members {
            let Some(text) = value.as_str() else {
                if value.is_null() {
                    continue;
                }
                return Err(unfit(
                    &format!("{field}.{}", shorten_text(member)),
                    format!("must be text, not {}", shorten(value)),
                ));
            };
            match member.as_str() {
                "id" => selector.id = Some(parse_id(&format!("{field}.id"), text)?),
                "source" => external.0 = Some(text.to_owned()),
                "externalId" => external.1 = Some(text.to_owned()),
                member if member == kind.key.name_member => selector.name = Some(text.to_owned()),
                _ => selector.parents.push((member.clone(), text.to_owned())),
            }
        }
        selector.external = match external {
            (Some(source), Some(id)) => Some((source, id)),
            (None, Some(_)) => return Err(unfit(field, "names an externalId without its source")),
            (_, None) => None,
        };
        match selector.id.is_none() && selector.external.is_none() && selector.name.is_none() {
            true => {
                Err(unfit(field, format!("must name a {} by id, externalId or {}", kind.name, kind.key.name_member)))
            }
            false => Ok(selector),
        }
    }

    /// Describes the selector in words, such as `rack A14 (site ams1)`.
    pub fn words(&self, kind: &Description) -> String {
        let name = match (self.id, &self.external, &self.name) {
            (Some(id), _, _) => id.to_string(),
            (None, Some((source, id)), _) => format!("{} of source {}", shorten_text(id), shorten_text(source)),
            (None, None, name) => shorten_text(name.as_deref().unwrap_or_default()).into_owned(),
        };
        let parents: Vec<_> =
            self.parents.iter().map(|(member, value)| format!("{member} {}", shorten_text(value))).collect();
        match parents.is_empty() {
            true => format!("{} {name}", kind.name),
            false => format!("{} {name} ({})", kind.name, parents.join(", ")),
        }
    }
}

/// Returns the names that a path may end with, the longest first: names can contain slashes too.
pub fn ends_of_path(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices('/').map(|(at, _)| &path[at + 1..])
}

/// Parses an id. The error names the field.
pub fn parse_id(field: &str, text: &str) -> Result<Uuid, Refusal> {
    let id = Uuid::parse_str(text).ok().filter(|id| !id.is_nil());
    id.ok_or_else(|| unfit(field, format!("must be a UUID, not {:?}", shorten_text(text))))
}

fn unfit(field: &str, reason: impl Into<String>) -> Refusal {
    Refusal::Invalid { field: field.to_owned(), reason: reason.into() }
}

impl Snapshot {
    /// Returns the object that a selector names; `None` if there is none.
    ///
    /// # Errors
    /// Returns `AMBIGUOUS` if several objects match, and `INVALID` if the selector names a member that is not part of
    /// the key.
    pub fn select(
        &self,
        kind: &'static Description,
        field: &str,
        selector: &Selector,
    ) -> Result<Option<ObjectRef>, Refusal> {
        if let Some(id) = selector.id {
            return Ok(self.find(id).filter(|object| object.kind == kind.id));
        }
        if let Some((source, external_id)) = &selector.external {
            let slot = self.table(kind.id).by_external(source, external_id);
            return Ok(slot.map(|slot| ObjectRef { kind: kind.id, slot }));
        }
        let candidates = self.candidates_of(kind, field, selector)?;
        self.only(kind, field, selector, &candidates)
    }

    /// Returns the object with a name, which is no path here; `None` if there is none.
    ///
    /// # Errors
    /// Returns `AMBIGUOUS` if several objects have it.
    pub fn select_named(&self, kind: &'static Description, name: &str) -> Result<Option<ObjectRef>, Refusal> {
        let selector = Selector { name: Some(name.to_owned()), ..Selector::default() };
        self.only(kind, "name", &selector, &self.candidates(kind, "name", name, &[])?)
    }

    /// Returns the object of any kind with an id, or with a path as objects are printed: `rack/ams1/A14`, or without the
    /// kind; `None` if there is none.
    ///
    /// # Errors
    /// Returns `INVALID` if the text is neither an id nor a path, and `AMBIGUOUS` if several objects have the path.
    pub fn find_by_id_or_path(&self, field: &str, text: &str) -> Result<Option<ObjectRef>, Refusal> {
        if let Ok(id) = Uuid::parse_str(text) {
            return Ok(self.find(id));
        }
        if !text.contains('/') {
            let reason = format!("must be a UUID or a path such as rack/ams1/A14, not {:?}", shorten_text(text));
            return Err(unfit(field, reason));
        }
        let candidates: Vec<ObjectRef> = self.registry().kinds().flat_map(|kind| self.at_path(kind, text)).collect();
        self.only_one(field, &candidates, || shorten_text(text).into_owned())
    }

    fn only(
        &self,
        kind: &Description,
        field: &str,
        selector: &Selector,
        candidates: &[ObjectRef],
    ) -> Result<Option<ObjectRef>, Refusal> {
        self.only_one(field, candidates, || selector.words(kind))
    }

    fn only_one(
        &self,
        field: &str,
        candidates: &[ObjectRef],
        words: impl FnOnce() -> String,
    ) -> Result<Option<ObjectRef>, Refusal> {
        match candidates {
            [] => Ok(None),
            [one] => Ok(Some(*one)),
            several => {
                let listed = several.iter().take(MAX_LISTED_CANDIDATES).map(|it| self.path(*it));
                Err(Refusal::Ambiguous {
                    field: field.to_owned(),
                    what: words(),
                    count: several.len(),
                    candidates: listed.collect::<Vec<_>>().join(", "),
                })
            }
        }
    }

    /// Returns the only object that a selector names among those in an object; `None` if there is none, or several.
    ///
    /// # Errors
    /// Returns `INVALID` if the selector names a member that is not part of the key.
    pub fn select_within(
        &self,
        kind: &'static Description,
        field: &str,
        selector: &Selector,
        within: Uuid,
    ) -> Result<Option<ObjectRef>, Refusal> {
        let mut candidates = self.candidates_of(kind, field, selector)?;
        candidates.retain(|object| self.containers(*object).contains(&within));
        Ok(if let [one] = candidates.as_slice() { Some(*one) } else { None })
    }

    /// Returns the objects that the name and the parents of a selector fit. A name that no object has is read as a path,
    /// as objects are printed: `ams1/A14` or `rack/ams1/A14`.
    fn candidates_of(
        &self,
        kind: &'static Description,
        field: &str,
        selector: &Selector,
    ) -> Result<Vec<ObjectRef>, Refusal> {
        let Some(name) = &selector.name else { return Ok(Vec::new()) };
        self.check_members(kind, field, &selector.parents)?;
        let candidates = self.candidates(kind, field, name, &selector.parents)?;
        if !candidates.is_empty() || !selector.parents.is_empty() {
            return Ok(candidates);
        }
        Ok(self.at_path(kind, name))
    }

    /// Returns the objects of a kind with a path, as objects are printed: `rack/ams1/A14`, or without the kind.
    fn at_path(&self, kind: &'static Description, path: &str) -> Vec<ObjectRef> {
        let mut found: Vec<ObjectRef> = self.named_by_path(kind, path).collect();
        found.retain(|object| self.has_path(*object, path));
        found
    }

    /// Returns the objects of a kind that a path can mean, by their names alone.
    pub fn named_by_path<'a>(&'a self, kind: &Description, path: &'a str) -> impl Iterator<Item = ObjectRef> + 'a {
        let (kind, table) = (kind.id, self.table(kind.id));
        let ends = std::iter::once(path).chain(ends_of_path(path));
        ends.flat_map(|end| table.named(end)).map(move |slot| ObjectRef { kind, slot })
    }

    /// Returns true if a path is one of an object, as objects are printed.
    pub fn has_path(&self, object: ObjectRef, path: &str) -> bool {
        let can_be = self.row(object).is_some_and(|row| path.ends_with(row.common().name));
        can_be && self.paths(object).iter().any(|own| own == path)
    }

    /// Returns all forms in which the path of an object is printed: with and without its kind, and with and without the
    /// family before its name.
    pub fn paths(&self, object: ObjectRef) -> Vec<String> {
        let path = self.path(object);
        let mut paths: Vec<String> = path.split_once('/').map(|(_, rest)| rest.to_owned()).into_iter().collect();
        let kind = self.kind(object.kind);
        if let (Some(family), Some(row)) = (kind.key.family, self.row(object)) {
            let name = row.common().name;
            let family = family.names.get(usize::from(kind.family(row.as_ref()))).copied().unwrap_or_default();
            let with_family = |path: &String| Some(format!("{}{family}/{name}", path.strip_suffix(name)?));
            paths.extend(paths.iter().chain([&path]).filter_map(with_family).collect::<Vec<_>>());
        }
        paths.push(path);
        paths
    }

    fn candidates(
        &self,
        kind: &'static Description,
        field: &str,
        name: &str,
        parents: &[(String, String)],
    ) -> Result<Vec<ObjectRef>, Refusal> {
        let families = self.families(kind, field, parents)?;
        let object = |slot: u32| ObjectRef { kind: kind.id, slot };
        // If the first possible parent is given, the key is complete and the index finds it.
        for (at, (_, parent)) in kind.parent_fields().enumerate() {
            let Some((_, parent_name)) = parents.iter().find(|(member, _)| member == parent.name) else { continue };
            let Some(target) = parent.reference.and_then(|it| self.registry().named(it.targets[0])) else { continue };
            let rest: Vec<_> = parents.iter().filter(|(member, _)| member != parent.name).cloned().collect();
            let mut found = Vec::new();
            for parent in self.candidates(target, field, parent_name, &self.known_members(target, &rest))? {
                let Some(parent) = self.row(parent).map(|row| row.common().id) else { continue };
                found.extend(families.clone().filter_map(|family| {
                    let key = KeyOf { parent, family, name: name.into() };
                    self.table(kind.id).by_key(&key).map(object)
                }));
            }
            // A later field can also hold an ancestor that is not the parent, such as the site of a location.
            if at == 0 || !found.is_empty() {
                return Ok(found);
            }
        }
        let named = self.table(kind.id).named(name).map(object);
        let named = named.filter(|it| self.row(*it).is_some_and(|row| families.contains(&kind.family(row.as_ref()))));
        Ok(named.filter(|it| parents.iter().all(|(member, value)| self.is_beneath(*it, member, value, 0))).collect())
    }

    /// Returns true if an object or one of its ancestors refers to an object with this name by a field with this name.
    fn is_beneath(&self, object: ObjectRef, member: &str, value: &str, depth: usize) -> bool {
        let kind = self.kind(object.kind);
        if kind.key.family.is_some_and(|family| family.member == member) {
            return true;
        }
        let mut fits = false;
        let mut parents = Vec::new();
        for (reference, field) in kind.references() {
            let is_parent = kind.key.parents.contains(&field.name);
            for target in self.outgoing(object).by(reference) {
                let named = self.row(target).is_some_and(|row| row.common().name == value);
                fits |= named && field.name == member;
                if is_parent && depth < MAX_PARENT_LEVELS {
                    parents.push(target);
                }
            }
        }
        fits || parents.into_iter().any(|parent| self.is_beneath(parent, member, value, depth + 1))
    }

    fn families(
        &self,
        kind: &Description,
        field: &str,
        parents: &[(String, String)],
    ) -> Result<std::ops::RangeInclusive<u8>, Refusal> {
        let Some(family) = kind.key.family else { return Ok(0..=0) };
        let Some((_, family_name)) = parents.iter().find(|(member, _)| member == family.member) else {
            return Ok(0..=(family.names.len() as u8 - 1));
        };
        match family.names.iter().position(|name| name == family_name) {
            Some(at) => Ok(at as u8..=at as u8),
            None => Err(unfit(
                &format!("{field}.{}", family.member),
                format!("must be one of {}, not {}", family.names.join(", "), shorten_text(family_name)),
            )),
        }
    }

    /// Rejects a member that cannot be part of a reference to the kind.
    fn check_members(
        &self,
        kind: &'static Description,
        field: &str,
        parents: &[(String, String)],
    ) -> Result<(), Refusal> {
        let allowed = self.members(kind, 0);
        match parents.iter().find(|(member, _)| !allowed.contains(&member.as_str())) {
            None => Ok(()),
            Some((member, _)) => Err(unfit(
                &format!("{field}.{}", shorten_text(member)),
                format!(
                    "is not part of a reference to a {}; allowed are id, source, externalId, {}{}{}",
                    kind.name,
                    kind.key.name_member,
                    if allowed.is_empty() { "" } else { ", " },
                    allowed.join(", ")
                ),
            )),
        }
    }

    fn known_members(&self, kind: &'static Description, parents: &[(String, String)]) -> Vec<(String, String)> {
        let allowed = self.members(kind, 0);
        parents.iter().filter(|(member, _)| allowed.contains(&member.as_str())).cloned().collect()
    }

    /// Returns the members that a reference to a kind may have besides the name: its parents, their parents, and the
    /// family.
    fn members(&self, kind: &'static Description, depth: usize) -> Vec<&'static str> {
        let mut members: Vec<_> = kind.key.family.iter().map(|family| family.member).collect();
        for (_, field) in kind.parent_fields() {
            members.push(field.name);
            let target = field.reference.and_then(|it| self.registry().named(it.targets[0]));
            // A kind that can be its own parent would recurse forever. No kind has a deeper chain of parents than
            // this.
            if let Some(target) = target.filter(|target| target.id != kind.id && depth < 4) {
                members.extend(self.members(target, depth + 1));
            }
        }
        members
    }
}
