//! Translates our field names to Milo's by the table, for messages about items that the server rejects.

use underlay_kit::{Step, written};

use super::table::{Form, KINDS, Member, Naming, OWNERS, POWER_FEED, POWER_FEEDS, To};

/// Returns the field of a manifest that a field of its item was made from, or the nearest field above it.
pub fn field(kind: &str, item: &str, steps: &[Step]) -> String {
    let Some(kind) = KINDS.iter().find(|known| known.name == kind) else { return "spec".to_owned() };
    let below = |above: &str, found: Option<String>| match found {
        Some(found) => format!("{above}.{found}"),
        None => above.to_owned(),
    };
    if item != kind.ours {
        return below(&below("spec", Some(POWER_FEEDS.to_owned())), find(POWER_FEED, steps));
    }
    let first = |name| steps.first().is_some_and(|step: &Step| step.is(name));
    let by_reference = kind.naming == Naming::ExternalRef;
    if (first("name") && !by_reference) || (first("externalRefs") && by_reference) {
        return "metadata.name".to_owned();
    }
    match find(kind.spec, steps) {
        None if first("labels") => written("metadata", steps),
        found => below("spec", found),
    }
}

fn find(members: &[Member], steps: &[Step]) -> Option<String> {
    let (first, rest) = steps.split_first()?;
    members.iter().find_map(|member| match &member.to {
        To::Field(ours, form) if first.is(ours) => Some(format!("{}{}", member.milo, inside(*form, rest))),
        To::Level(members) => find(members, steps).map(|found| format!("{}.{found}", member.milo)),
        To::Label(key, _) if first.is("labels") => rest.first()?.is(key).then(|| member.milo.to_owned()),
        To::Two(ours, _) => {
            let index = ours.iter().position(|ours| first.is(ours))?;
            Some(format!("{}[{index}]", member.milo))
        }
        To::Owner => OWNERS.iter().any(|(_, ours)| first.is(ours)).then(|| member.milo.to_owned()),
        _ => None,
    })
}

/// Returns the rest of the path, within a value.
fn inside(form: Form, steps: &[Step]) -> String {
    match (form, steps) {
        (Form::Object(members), _) => find(members, steps).map(|found| format!(".{found}")).unwrap_or_default(),
        (Form::Objects(members), [Step::Item(index), rest @ ..]) => {
            let found = find(members, rest).map(|found| format!(".{found}")).unwrap_or_default();
            format!("[{index}]{found}")
        }
        (Form::Names(_), [Step::Item(index), ..]) => format!("[{index}]"),
        _ => String::new(),
    }
}
