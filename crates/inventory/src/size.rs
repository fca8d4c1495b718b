//! Estimates the size of objects.

use super::number::KindId;
use super::snapshot::Snapshot;

/// The number of objects in a sample.
const SAMPLE_OBJECTS: usize = 100;

impl Snapshot {
    /// Estimates the total size of the fields of all objects of a kind as JSON, in bytes, from a sample. The size in
    /// memory grows with it; indexes come on top.
    pub fn about_bytes(&self, kind: KindId) -> f64 {
        let (table, kind) = (self.table(kind), self.kind(kind));
        let step = (table.next as usize / SAMPLE_OBJECTS).max(1);
        let mut text = Vec::new();
        let mut count = 0_u32;
        let rows = (0..table.next).step_by(step).filter_map(|slot| table.row(slot));
        for row in rows {
            count += 1;
            for field in kind.fields {
                // A field that cannot be written is not counted.
                let _ = (field.write)(row.as_ref(), &mut text);
            }
        }
        match count {
            0 => 0.0,
            count => text.len() as f64 / f64::from(count) * table.len() as f64,
        }
    }
}
