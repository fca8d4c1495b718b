//! The projection of rows: makes the form of a row that a tenant sees.

use std::sync::Arc;

use serde_json::{Map, Value as Json};
use uuid::Uuid;

use super::error::{Result, UnseenError};
use super::visibility::{Visibilities, Visibility};
use crate::{Description, Field, Form, Loss, ObjectRef, Snapshot};
use underlay_entity::row::Row;

/// A projected row, and the objects of others that must be shown with it.
pub(super) type RowProjected = (Arc<dyn Row>, Vec<Uuid>);

/// Returns true if a tenant's own object makes no sense without the target of a field.
fn is_stood_on(field: &Field, form: Form) -> bool {
    field.required || matches!(form, Form::One | Form::OneOf | Form::Member(_) | Form::OptionalMember(_))
}

/// Projects an object that is shown in full: removes the references to objects that are not shown, and the fields that
/// no tenant sees.
pub(super) fn in_full(
    snapshot: &Snapshot,
    object: ObjectRef,
    row: &Arc<dyn Row>,
    visibilities: &mut Visibilities<'_>,
) -> Result<RowProjected> {
    let own = visibilities.of(object) == Visibility::Own;
    let (mut stands_on, mut lost) = (Vec::new(), Vec::new());
    for edge in snapshot.outgoing(object).iter() {
        if visibilities.of(edge.other()) != Visibility::Hidden {
            continue;
        }
        let field = snapshot.registry().field(edge.reference());
        let (Some(reference), Some(target)) = (field.reference, snapshot.row(edge.other())) else { continue };
        let is_shown =
            own && is_stood_on(field, reference.form) && !visibilities.is_for_operators(field, edge.other().kind);
        let ids = if is_shown { &mut stands_on } else { &mut lost };
        ids.push(target.common().id);
    }
    distinct(&mut stands_on);
    lost.retain(|id| !stands_on.contains(id));
    let kind = visibilities.kind(object.kind);
    let row = if lost.is_empty() { Arc::clone(row) } else { without(kind, row, &lost)? };
    let hidden = visibilities
        .hidden(object.kind)
        .iter()
        .map(|field| (*field, field.redact.map_or(Json::Null, |redact| redact((field.get)(row.as_ref())))));
    let hidden: Vec<_> = hidden.collect();
    let row = if hidden.is_empty() { row } else { with(kind, &row, &hidden)? };
    Ok((row, stands_on))
}

/// Removes the references to some objects from a row.
fn without(kind: &'static Description, row: &Arc<dyn Row>, lost: &[Uuid]) -> Result<Arc<dyn Row>> {
    let is_lost = |id: Uuid| lost.contains(&id);
    let loss = kind.on_loss.map(|on_loss| on_loss(row.as_ref(), &is_lost));
    if let Some(Loss::SetNull(row)) = loss {
        return Ok(row);
    }
    // A row that must not lose some references is shown without any of them. With the rest alone, it would show a
    // connection that does not exist.
    let loses_all = matches!(loss, Some(Loss::Restrict));
    let mut fields = Vec::new();
    for (_, field) in kind.references() {
        let Some(reference) = field.reference else { continue };
        let mut loses = false;
        (reference.each)(row.as_ref(), &mut |id| loses |= is_lost(id));
        if loses {
            let kept = |id: Json| {
                let lost = id.as_str().and_then(|id| Uuid::parse_str(id).ok()).is_some_and(is_lost);
                (!lost && !loses_all).then_some(id)
            };
            fields.push((field, reference.form.replace((field.get)(row.as_ref()), &kept)));
        }
    }
    with(kind, row, &fields)
}

/// Projects an object of another tenant. It keeps its name, its key, its required references and the fields that its
/// kind marks as `reduced`. All other fields have their default.
pub(super) fn reduced(
    snapshot: &Snapshot,
    object: ObjectRef,
    row: &dyn Row,
    visibilities: &mut Visibilities<'_>,
) -> Result<RowProjected> {
    let kind = visibilities.kind(object.kind);
    let mut blank = (kind.blank)().duplicate();
    if let Some(blank) = Arc::get_mut(&mut blank) {
        let common = blank.common_mut();
        *common.id = row.common().id;
        *common.name = row.common().name.to_owned();
    }
    let family = kind.key.family.and_then(|family| kind.field(family.field)).map(|index| &kind.fields[index]);
    let parent = kind.parent_fields().map(|(_, field)| field);
    let parent = parent.filter(|field| field.reference.is_some_and(|it| it.first(row).is_some())).take(1);
    let reduced = kind.fields.iter().filter(|field| {
        let single = field
            .reference
            .is_some_and(|it| matches!(it.form, Form::One | Form::OneOf | Form::Member(_) | Form::OptionalMember(_)));
        field.reduced || field.required && single
    });
    let mut fields: Vec<(&Field, Json)> = Vec::new();
    for field in family.into_iter().chain(parent).chain(reduced) {
        if !fields.iter().any(|(there, _)| there.name == field.name) {
            fields.push((field, bare(field, (field.get)(row))));
        }
    }
    let projected = with(kind, &blank, &fields)?;
    let mut stands_on = Vec::new();
    for reference in fields.iter().filter_map(|(field, _)| field.reference) {
        (reference.each)(projected.as_ref(), &mut |id| stands_on.push(id));
    }
    stands_on.retain(|id| snapshot.find(*id).is_some_and(|object| visibilities.of(object) == Visibility::Hidden));
    distinct(&mut stands_on);
    Ok((projected, stands_on))
}

/// Removes everything but the reference from the value of a field.
fn bare(field: &Field, value: Json) -> Json {
    match (field.reference.map(|reference| reference.form), value) {
        (Some(Form::Member(member)), Json::Object(mut members)) => {
            Json::Object(Map::from_iter(members.remove_entry(member)))
        }
        (_, value) => value,
    }
}

/// Returns a copy of a row with other values in some fields.
fn with(kind: &'static Description, row: &Arc<dyn Row>, fields: &[(&'static Field, Json)]) -> Result<Arc<dyn Row>> {
    let mut row = row.duplicate();
    let object = row.common().id;
    if let Some(row) = Arc::get_mut(&mut row) {
        for (field, value) in fields {
            let unfit = |error| UnseenError::Field { kind: kind.name, object, field: field.name, error };
            (field.set)(row, value).map_err(unfit)?;
        }
    }
    Ok(row)
}

fn distinct(ids: &mut Vec<Uuid>) {
    ids.sort_unstable();
    ids.dedup();
}
