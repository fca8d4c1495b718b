//! What a rule sees: the objects that a batch touches, in the value before it and in the value after it.

use std::collections::HashSet;
use std::sync::Arc;

use uuid::Uuid;

use super::kind::{Kind, KindId};
use super::snapshot::Snapshot;
use crate::store::Row;

/// An object that a batch touches.
#[derive(Clone, Debug)]
pub struct Touched {
    /// The kind of the object.
    pub kind: KindId,
    /// Its id.
    pub id: Uuid,
    /// The row before the batch; `None` when the batch creates it.
    pub before: Option<Arc<dyn Row>>,
    /// The row after the batch; `None` when the batch deletes it.
    pub after: Option<Arc<dyn Row>>,
}

/// A whole batch, planned, for the rules to look at.
#[derive(Debug)]
pub struct Checked<'a> {
    /// The value before the batch.
    pub before: &'a Snapshot,
    /// The value that the batch would make.
    pub after: &'a Snapshot,
    /// What it touches.
    pub touched: &'a [Touched],
}

impl<'a> Checked<'a> {
    /// The objects of a kind that the batch creates or changes: the row before, if there was one, and after.
    pub fn written<K: Kind>(&self) -> impl Iterator<Item = (Option<&'a K::Row>, &'a K::Row)> {
        self.touched.iter().filter(|touched| touched.kind == K::ID).filter_map(|touched| {
            let after = touched.after.as_ref()?.as_any().downcast_ref()?;
            let before = touched.before.as_ref().and_then(|row| row.as_any().downcast_ref());
            Some((before, after))
        })
    }

    /// Whether going up from an object by `parent` leads back to it.
    pub fn leads_back<K: Kind>(&self, id: Uuid, parent: impl Fn(&K::Row) -> Option<Uuid>) -> bool {
        let mut seen = HashSet::new();
        let mut at = self.after.get::<K>(id).and_then(&parent);
        while let Some(up) = at {
            if up == id {
                return true;
            }
            // A circle further up is told at the objects that are in it.
            if !seen.insert(up) {
                return false;
            }
            at = self.after.get::<K>(up).and_then(&parent);
        }
        false
    }
}
