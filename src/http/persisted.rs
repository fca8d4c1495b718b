//! Automatic persisted queries, by the protocol of Apollo
//! (<https://www.apollographql.com/docs/apollo-server/performance/apq>): a client sends the SHA-256 of a query instead of
//! the query. Who does not know that says so, and is sent both once.
//!
//! What is kept is bounded: at most [`MOST`] queries of at most [`LONGEST`] bytes; the one that was longest not asked for
//! goes first. Each tenant has queries of its own, at most [`MOST_OF_TENANT`]: nobody learns what others ask. A hash says
//! nothing about who may ask what: each request is judged as if it held the query.

use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};

use async_graphql::{Request, ServerError};
use lru::LruCache;
use serde::Deserialize;
use sha2::{Digest, Sha256};

/// How many queries are kept.
const MOST: NonZeroUsize = NonZeroUsize::new(1_000).unwrap();
/// How many queries of a tenant are kept.
const MOST_OF_TENANT: NonZeroUsize = NonZeroUsize::new(100).unwrap();
/// For how many tenants queries are kept.
const TENANTS: NonZeroUsize = NonZeroUsize::new(64).unwrap();
/// How long a query that is kept may be, in bytes. A longer one is answered, and forgotten.
const LONGEST: usize = 32 * 1024;
/// The member of `extensions` that names a query.
const EXTENSION: &str = "persistedQuery";
/// What clients of the protocol look for, in the message or in the code.
const NOT_FOUND: [&str; 2] = ["PersistedQueryNotFound", "PERSISTED_QUERY_NOT_FOUND"];

type Hash = [u8; 32];

type Queries = LruCache<Hash, Arc<str>>;

/// The queries that clients name by their hashes; cheap to clone.
#[derive(Clone, Debug)]
pub struct Persisted(Arc<Mutex<Kept>>);

#[derive(Debug)]
struct Kept {
    /// Of all who are of no tenant.
    whole: Queries,
    tenants: LruCache<String, Queries>,
}

impl Default for Persisted {
    fn default() -> Self {
        let kept = Kept { whole: LruCache::new(MOST), tenants: LruCache::new(TENANTS) };
        Self(Arc::new(Mutex::new(kept)))
    }
}

impl Kept {
    fn of(&mut self, tenant: Option<&str>) -> &mut Queries {
        match tenant {
            None => &mut self.whole,
            Some(tenant) => self.tenants.get_or_insert_mut_ref(tenant, || LruCache::new(MOST_OF_TENANT)),
        }
    }
}

/// How a query is named.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Named {
    version: i64,
    sha256_hash: String,
}

impl Persisted {
    /// The request of somebody of a tenant, or of none, with the query that it names; one that names none as it is.
    ///
    /// # Errors
    /// When nobody has sent that query yet, when a query comes with the hash of another one, or when it is named in a way
    /// that is not understood.
    pub fn resolve(&self, tenant: Option<&str>, mut request: Request) -> Result<Request, ServerError> {
        let Some(extension) = request.extensions.get(EXTENSION) else { return Ok(request) };
        let named: Named = async_graphql::from_value(extension.clone())
            .map_err(|error| invalid(format!("extensions.{EXTENSION} is not understood: {error}")))?;
        if named.version != 1 {
            return Err(invalid(format!("extensions.{EXTENSION}.version is {}: only 1 is understood", named.version)));
        }
        let hash = hash(&named.sha256_hash)
            .ok_or_else(|| invalid(format!("extensions.{EXTENSION}.sha256Hash must be 64 hexadecimal digits")))?;
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = kept.of(tenant);
        if request.query.is_empty() {
            let query = kept.get(&hash).ok_or_else(not_found)?;
            request.query = query.to_string();
            return Ok(request);
        }
        if Hash::from(Sha256::digest(request.query.as_bytes())) != hash {
            return Err(invalid(format!("extensions.{EXTENSION}.sha256Hash is not that of the query")));
        }
        if request.query.len() <= LONGEST {
            kept.get_or_insert(hash, || request.query.as_str().into());
        }
        Ok(request)
    }
}

/// The bytes that 64 hexadecimal digits stand for.
fn hash(text: &str) -> Option<Hash> {
    let digits: Vec<u8> = text.chars().map(|digit| digit.to_digit(16).map(|it| it as u8)).collect::<Option<_>>()?;
    let bytes: Vec<u8> = digits.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]).collect();
    bytes.try_into().ok().filter(|_| digits.len() == 64)
}

fn invalid(message: String) -> ServerError {
    ServerError::new(message, None)
}

fn not_found() -> ServerError {
    let [message, code] = NOT_FOUND;
    let mut error = ServerError::new(message, None);
    error.extensions.get_or_insert_default().set("code", code);
    error
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn request(query: &str, version: i64, hash: &str) -> Request {
        let extensions = json!({EXTENSION: {"version": version, "sha256Hash": hash}});
        serde_json::from_value(json!({"query": query, "extensions": extensions})).expect("a request")
    }

    fn of(query: &str) -> String {
        Sha256::digest(query.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
    }

    fn refused(persisted: &Persisted, request: Request) -> String {
        persisted.resolve(None, request).map(|it| it.query).expect_err("refused").message
    }

    #[test]
    fn a_query_is_known_by_its_hash_once_it_was_sent() {
        let (persisted, query) = (Persisted::default(), "{ revision }");
        let named = || request("", 1, &of(query));
        assert_eq!(refused(&persisted, named()), "PersistedQueryNotFound");
        let sent = persisted.resolve(None, request(query, 1, &of(query)));
        assert_eq!(sent.expect("it fits").query, query);
        for named in [named(), request("", 1, &of(query).to_uppercase())] {
            assert_eq!(persisted.resolve(None, named).expect("it is known").query, query);
        }
        let plain = persisted.resolve(None, Request::new("{ a }"));
        assert_eq!(plain.expect("it names nothing").query, "{ a }");
    }

    #[test]
    fn what_is_named_wrongly_is_refused_and_not_kept() {
        let persisted = Persisted::default();
        for (request, says) in [
            (request("{ a }", 1, &of("{ b }")), "is not that of the query"),
            (request("{ a }", 2, &of("{ a }")), "only 1 is understood"),
            (request("{ a }", 1, "12"), "64 hexadecimal digits"),
            (request("{ a }", 1, &"é".repeat(64)), "64 hexadecimal digits"),
        ] {
            let said = refused(&persisted, request);
            assert!(said.contains(says), "{said}");
        }
        for query in ["{ a }", "{ b }"] {
            assert_eq!(refused(&persisted, request("", 1, &of(query))), "PersistedQueryNotFound");
        }
    }

    #[test]
    fn a_tenant_names_its_own_queries_alone() {
        let (persisted, query) = (Persisted::default(), "{ revision }");
        let named = || request("", 1, &of(query));
        let resolve = |tenant, request| persisted.resolve(tenant, request).map(|it| it.query).map_err(|it| it.message);
        assert!(resolve(Some("blue"), request(query, 1, &of(query))).is_ok());
        assert_eq!(resolve(Some("blue"), named()).as_deref(), Ok(query));
        for tenant in [Some("red"), None] {
            assert_eq!(resolve(tenant, named()), Err("PersistedQueryNotFound".to_owned()), "{tenant:?}");
        }
        for number in 0..2 * MOST.get() {
            let other = format!("{{ a{number} }}");
            assert!(resolve(Some("red"), request(&other, 1, &of(&other))).is_ok());
        }
        assert_eq!(resolve(Some("blue"), named()).as_deref(), Ok(query), "nobody takes its room");
    }

    #[test]
    fn what_is_kept_is_bounded() {
        let persisted = Persisted::default();
        let queries: Vec<String> = (0..=MOST.get()).map(|number| format!("{{ a{number} }}")).collect();
        for query in &queries {
            persisted.resolve(None, request(query, 1, &of(query))).expect("it fits");
        }
        assert_eq!(refused(&persisted, request("", 1, &of(&queries[0]))), "PersistedQueryNotFound");
        assert!(persisted.resolve(None, request("", 1, &of(&queries[1]))).is_ok());
        let long = format!("{{ {} }}", "a".repeat(LONGEST));
        assert!(persisted.resolve(None, request(&long, 1, &of(&long))).is_ok(), "it is answered");
        assert_eq!(refused(&persisted, request("", 1, &of(&long))), "PersistedQueryNotFound");
    }
}
