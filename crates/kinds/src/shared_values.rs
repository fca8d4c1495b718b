//! The values that equal fields of a request share. The library resolves a field once for each place where a document
//! has it, also if all of these places are the same field of the answer. Fields that need long computations or the
//! database compute their value here once, for all places and aliases with the same arguments.

use std::any::Any;
use std::fmt::{self, Write as _};
use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};

use async_graphql::{Context, Result};
use foldhash::HashMap;
use sha2::{Digest as _, Sha256};
use tokio::sync::OnceCell;

use super::errors::internal;
use underlay_inventory::Snapshot;

/// The values of one request, which are kept until its end.
#[derive(Debug, Default)]
pub struct SharedValues {
    values: Mutex<HashMap<ValueKey, Arc<SharedCell>>>,
}

type SharedCell = OnceCell<Result<Arc<dyn Any + Send + Sync>>>;

/// The identity of a value: a field of the root, the revision that it reads, and a digest of its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ValueKey {
    field: &'static str,
    revision: i64,
    digest: [u8; 32],
}

impl ValueKey {
    /// Returns the key of the field that is being resolved.
    ///
    /// # Errors
    /// Returns an error if the arguments of the field cannot be read.
    pub fn of(context: &Context<'_>, field: &'static str, snapshot: &Snapshot) -> Result<Self> {
        let mut arguments = context.field().arguments()?;
        arguments.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        let mut digest = DigestWriter(Sha256::new());
        for (name, value) in &arguments {
            // The text of a value is that of the GraphQL language, so different values have different texts.
            write!(digest, "{name}:{value},")?;
        }
        Ok(Self { field, revision: snapshot.revision(), digest: digest.0.finalize().into() })
    }

    /// Returns the key of a value that more than the arguments of its field decide about: their digest is given.
    pub fn of_digest(field: &'static str, snapshot: &Snapshot, digest: &[u8]) -> Self {
        Self { field, revision: snapshot.revision(), digest: Sha256::digest(digest).into() }
    }
}

impl SharedValues {
    /// Returns the value with this key. If there is none yet, computes it; others with the same key wait for it.
    ///
    /// # Errors
    /// Returns the error of the computation, to all who want the value.
    pub async fn get<T: Any + Send + Sync>(
        &self,
        key: ValueKey,
        work: impl Future<Output = Result<T>>,
    ) -> Result<Arc<T>> {
        let cell = Arc::clone(self.values.lock().unwrap_or_else(PoisonError::into_inner).entry(key).or_default());
        let work = async { work.await.map(|value| Arc::new(value) as Arc<dyn Any + Send + Sync>) };
        let value = cell.get_or_init(|| work).await.clone()?;
        value.downcast().map_err(|_| internal("two types of values have the same key"))
    }
}

/// A digest of text.
struct DigestWriter(Sha256);

impl fmt::Write for DigestWriter {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.update(text);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    use async_graphql::{EmptyMutation, EmptySubscription, Error, Object, Schema};

    use super::*;
    use underlay_inventory::Registry;

    /// A root whose field shares its values.
    struct Root {
        values: SharedValues,
        computed: AtomicUsize,
        snapshot: Snapshot,
    }

    #[Object]
    impl Root {
        async fn twice(&self, context: &Context<'_>, of: i32, then: Option<i32>) -> Result<i32> {
            let key = ValueKey::of(context, "twice", &self.snapshot)?;
            let work = async {
                tokio::task::yield_now().await;
                self.computed.fetch_add(1, Relaxed);
                if of < 0 { Err(Error::new("negative")) } else { Ok(of * 2 + then.unwrap_or_default()) }
            };
            self.values.get(key, work).await.map(|value| *value)
        }
    }

    #[tokio::test]
    async fn equal_fields_are_computed_once() {
        let snapshot = Snapshot::empty(Arc::new(Registry::new(Vec::new())));
        let root = Root { values: SharedValues::default(), computed: AtomicUsize::new(0), snapshot };
        let root = Arc::new(root);
        let schema = Schema::build(Arc::clone(&root), EmptyMutation, EmptySubscription).finish();
        let same = "twice(of: 2) a: twice(of: 2) ... { twice(of: 2) } b: twice(of: $two)".to_owned();
        let others = "c: twice(of: 3) d: twice(of: 2, then: 1) e: twice(then: 1, of: 2)";
        let request = async_graphql::Request::new(format!("query($two: Int!) {{ {same} {same} {others} }}"));
        let two = async_graphql::Variables::from_json(serde_json::json!({"two": 2}));
        let answer = schema.execute(request.variables(two)).await;
        assert_eq!(
            answer.into_result().map(|it| it.data.into_json().expect("JSON")).expect("an answer"),
            serde_json::json!({"twice": 4, "a": 4, "b": 4, "c": 6, "d": 5, "e": 5})
        );
        assert_eq!(root.computed.load(Relaxed), 3);
        let wrong = schema.execute("{ twice(of: -1) a: twice(of: -1) }").await;
        assert!(!wrong.errors.is_empty(), "{wrong:?}");
        assert_eq!(root.computed.load(Relaxed), 4, "errors are shared too");
    }
}
