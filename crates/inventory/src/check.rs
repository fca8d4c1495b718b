//! The input of a rule: the objects that a batch touches, in the snapshot before the batch and in the one after it.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use uuid::Uuid;

use super::edges::ObjectRef;
use super::kind::Kind;
use super::number::{KindId, ReferenceId};
use super::snapshot::Snapshot;
use underlay_entity::row::Row;
use underlay_error::{Problems, Refusal};

/// An object that a batch creates, changes or deletes.
#[derive(Clone, Debug)]
pub struct Touched {
    /// The kind of the object.
    pub kind: KindId,
    /// The id of the object.
    pub id: Uuid,
    /// The row before the batch; `None` if the batch creates the object.
    pub before: Option<Arc<dyn Row>>,
    /// The row after the batch; `None` if the batch deletes the object.
    pub after: Option<Arc<dyn Row>>,
}

/// Runs the rules of all kinds on a whole snapshot, as if one batch had created every object in it. Returns the
/// problems, each with the id of its object.
pub fn check_all(snapshot: &Snapshot) -> Vec<(Uuid, Refusal)> {
    let empty = Snapshot::empty(Arc::clone(snapshot.registry()));
    let mut touched = Vec::with_capacity(snapshot.len());
    for kind in snapshot.registry().kinds() {
        let rows = snapshot.table(kind.id).rows(0).map(|(_, row)| row);
        touched.extend(rows.map(|row| Touched {
            kind: kind.id,
            id: row.common().id,
            before: None,
            after: Some(Arc::clone(row)),
        }));
    }
    let mut problems = Problems::default();
    let checked = Checked { before: &empty, after: snapshot, touched: &touched, writer: Writer::Nobody };
    for rule in snapshot.registry().kinds().flat_map(|kind| kind.rules) {
        rule(&checked, &mut problems);
    }
    problems.into_vec()
}

/// The author of a batch, as far as rules depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Writer<'a> {
    /// Nobody: a whole snapshot is checked. What only a write must not do is not checked.
    Nobody,
    /// A source, with this name, or somebody in its name.
    Source(&'a str),
    /// People, controllers or the server.
    Others,
}

impl<'a> Writer<'a> {
    /// Returns the source that writes.
    pub fn source(self) -> Option<&'a str> {
        match self {
            Self::Source(source) => Some(source),
            Self::Nobody | Self::Others => None,
        }
    }
}

/// A planned batch, as the rules check it.
#[derive(Debug)]
pub struct Checked<'a> {
    /// The snapshot before the batch.
    pub before: &'a Snapshot,
    /// The snapshot that the batch would make.
    pub after: &'a Snapshot,
    /// The objects that the batch touches.
    pub touched: &'a [Touched],
    /// The author of the batch.
    pub writer: Writer<'a>,
}

impl<'a> Checked<'a> {
    /// Returns the objects of a kind that the batch creates or changes: the row before, if there was one, and the row
    /// after.
    pub fn written<K: Kind>(&self) -> impl Iterator<Item = (Option<&'a K::Row>, &'a K::Row)> {
        self.touched.iter().filter(|touched| touched.kind == K::ID).filter_map(|touched| {
            let after = touched.after.as_ref()?.as_any().downcast_ref()?;
            let before = touched.before.as_ref().and_then(|row| row.as_any().downcast_ref());
            Some((before, after))
        })
    }

    /// Returns the touched objects that lie on a cycle of references from their kind to itself. Only a changed
    /// reference can close a cycle, and only on an object that others refer to. The walk visits each object once.
    pub fn cycles<K: Kind>(&self, reference: ReferenceId) -> Vec<Uuid> {
        let field = self.after.registry().field(reference);
        let up = |object: ObjectRef| self.after.outgoing(object).by(reference).find(|up| up.kind == K::ID);
        let mut seen: HashMap<ObjectRef, usize> = HashMap::new();
        let mut found = Vec::new();
        for (walk, touched) in self.touched.iter().enumerate().filter(|(_, touched)| touched.kind == K::ID) {
            let Some((after, start)) = touched.after.as_ref().zip(self.after.find(touched.id)) else { continue };
            let changed = touched.before.as_ref().is_none_or(|before| !(field.same)(before.as_ref(), after.as_ref()));
            if !changed || self.after.incoming(start).first_by(reference).is_none() {
                continue;
            }
            let (mut path, mut at) = (Vec::new(), Some(start));
            while let Some(object) = at {
                match seen.get(&object) {
                    Some(before) if *before == walk => {
                        let cycle = path.iter().skip_while(|passed| **passed != object);
                        found.extend(cycle.filter_map(|object| Some(self.after.row(*object)?.common().id)));
                        break;
                    }
                    Some(_) => break,
                    None => seen.insert(object, walk),
                };
                path.push(object);
                at = up(object);
            }
        }
        if found.is_empty() {
            return found;
        }
        let touched: HashSet<Uuid> = self.touched.iter().map(|touched| touched.id).collect();
        found.retain(|id| touched.contains(id));
        found
    }
}
