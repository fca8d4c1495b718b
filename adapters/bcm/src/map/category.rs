//! A category of devices becomes a host class.

use underlay_kit::sync::{AdapterError, BadThing};

use super::draft::Draft;
use super::{Context, Mapped};
use crate::notes::{self, MAX_DESCRIPTION_CHARACTERS, MAX_TITLE_CHARACTERS};
use crate::object::Object;

/// The kind that a category becomes.
const CLASS: &str = "hostClass";

/// Maps a category. The name of the class is the one in the notes, else that of the category.
///
/// # Errors
/// Returns an error if the object has no id.
pub fn category(cx: &Context, object: &Object) -> Result<Mapped, AdapterError> {
    let (uuid, part, mut mapped) = (object.uuid()?, object.part(), Mapped::default());
    let name = match part.text("name") {
        Ok(Some(name)) => name,
        Ok(None) => {
            mapped.bad.push(BadThing::new(Some(CLASS), uuid, "name is empty"));
            return Ok(mapped);
        }
        Err(fault) => {
            mapped.bad.push(BadThing::new(Some(CLASS), uuid, fault));
            return Ok(mapped);
        }
    };
    let annotations = notes::read(&part);
    let mut draft = Draft::new(CLASS, uuid);
    draft.set("name", annotations.class.as_deref().unwrap_or(name));
    let title = annotations.title.unwrap_or_else(|| format!("BCM {name} category"));
    draft.set_text("title", Some(&title), MAX_TITLE_CHARACTERS);
    draft.set_text("description", annotations.description.as_deref(), MAX_DESCRIPTION_CHARACTERS);
    draft.set("labels", annotations.labels);
    draft.set("externalRefs", cx.external_ref(uuid, None));
    annotations.faults.into_iter().for_each(|fault| draft.fault(fault));
    mapped.left_out.extend(annotations.left_out);
    draft.finish(&mut mapped);
    Ok(mapped)
}
