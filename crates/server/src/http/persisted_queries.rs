//! Automatic persisted queries, by the protocol of Apollo
//! (<https://www.apollographql.com/docs/apollo-server/performance/apq>): a client sends the SHA-256 of a query instead
//! of the query. A server that does not know the hash reports that, and the client sends both once.
//!
//! The cache is bounded: it holds at most [`MAX_CACHED_QUERIES`] queries of at most [`MAX_QUERY_BYTES`] bytes, and
//! evicts the least recently used one first. Each tenant has a cache of its own with at most [`MAX_TENANT_QUERIES`]
//! queries, so that no tenant learns the queries of others. A hash grants nothing: each request is checked as if it
//! contained the query.

use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};

use async_graphql::Request;
use lru::LruCache;
use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::refusal::Refused;
use underlay_error::Code;

/// The most queries that are cached.
const MAX_CACHED_QUERIES: NonZeroUsize = NonZeroUsize::new(1_000).unwrap();
/// The most queries that are cached for a tenant.
const MAX_TENANT_QUERIES: NonZeroUsize = NonZeroUsize::new(100).unwrap();
/// The most tenants for which queries are cached.
const MAX_TENANTS: NonZeroUsize = NonZeroUsize::new(64).unwrap();
/// The longest query that is cached, in bytes. A longer one is answered, and not cached.
const MAX_QUERY_BYTES: usize = 32 * 1024;
/// The member of `extensions` that names a query.
const EXTENSION: &str = "persistedQuery";
/// The message for an unknown hash. Clients of the protocol look for this text, or for the code.
const NOT_FOUND: &str = "PersistedQueryNotFound";

type Hash = [u8; 32];

type Queries = LruCache<Hash, Arc<str>>;

/// The queries that clients name by their hashes. Cloning is cheap.
#[derive(Clone, Debug)]
pub struct Persisted(Arc<Mutex<QueryCache>>);

#[derive(Debug)]
struct QueryCache {
    /// The queries of callers that belong to no tenant.
    whole: Queries,
    tenants: LruCache<String, Queries>,
}

impl Default for Persisted {
    fn default() -> Self {
        let kept = QueryCache { whole: LruCache::new(MAX_CACHED_QUERIES), tenants: LruCache::new(MAX_TENANTS) };
        Self(Arc::new(Mutex::new(kept)))
    }
}

impl QueryCache {
    fn of(&mut self, tenant: Option<&str>) -> &mut Queries {
        match tenant {
            None => &mut self.whole,
            Some(tenant) => self.tenants.get_or_insert_mut_ref(tenant, || LruCache::new(MAX_TENANT_QUERIES)),
        }
    }
}

/// The extension that names a query.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PersistedQuery {
    version: i64,
    sha256_hash: String,
}

impl Persisted {
    /// Returns the request of a caller with the query that it names. A request that names none is returned unchanged.
    ///
    /// # Errors
    /// Returns an error if the query is not cached, if the request contains another query than the hash names, or if the
    /// extension is not valid.
    pub fn resolve(&self, tenant: Option<&str>, mut request: Request) -> Result<Request, Refused> {
        let Some(extension) = request.extensions.get(EXTENSION) else { return Ok(request) };
        let named: PersistedQuery = async_graphql::from_value(extension.clone())
            .map_err(|error| invalid(format!("extensions.{EXTENSION} is not valid: {error}")))?;
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
        if request.query.len() <= MAX_QUERY_BYTES {
            kept.get_or_insert(hash, || request.query.as_str().into());
        }
        Ok(request)
    }
}

/// Returns the bytes that 64 hexadecimal digits encode.
fn hash(text: &str) -> Option<Hash> {
    let digits: Vec<u8> = text.chars().map(|digit| digit.to_digit(16).map(|it| it as u8)).collect::<Option<_>>()?;
    let bytes: Vec<u8> = digits.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]).collect();
    bytes.try_into().ok().filter(|_| digits.len() == 64)
}

fn invalid(message: String) -> Refused {
    Refused::request_error(Code::Invalid, message)
}

fn not_found() -> Refused {
    Refused::request_error(Code::PersistedQueryNotFound, NOT_FOUND)
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
    fn a_query_with_a_wrong_hash_is_refused_and_not_cached() {
        let persisted = Persisted::default();
        for (request, says) in [
            (request("{ a }", 1, &of("{ b }")), "is not that of the query"),
            (request("{ a }", 2, &of("{ a }")), "only 1 is understood"),
            (request("{ a }", 1, "12"), "64 hexadecimal digits"),
            (request("{ a }", 1, &"é".repeat(64)), "64 hexadecimal digits"),
        ] {
            let refusal = refused(&persisted, request);
            assert!(refusal.contains(says), "{refusal}");
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
        for number in 0..2 * MAX_CACHED_QUERIES.get() {
            let other = format!("{{ a{number} }}");
            assert!(resolve(Some("red"), request(&other, 1, &of(&other))).is_ok());
        }
        assert_eq!(resolve(Some("blue"), named()).as_deref(), Ok(query), "nobody takes its room");
    }

    #[test]
    fn the_cache_is_bounded() {
        let persisted = Persisted::default();
        let queries: Vec<String> = (0..=MAX_CACHED_QUERIES.get()).map(|number| format!("{{ a{number} }}")).collect();
        for query in &queries {
            persisted.resolve(None, request(query, 1, &of(query))).expect("it fits");
        }
        assert_eq!(refused(&persisted, request("", 1, &of(&queries[0]))), "PersistedQueryNotFound");
        assert!(persisted.resolve(None, request("", 1, &of(&queries[1]))).is_ok());
        let long = format!("{{ {} }}", "a".repeat(MAX_QUERY_BYTES));
        assert!(persisted.resolve(None, request(&long, 1, &of(&long))).is_ok(), "it is answered");
        assert_eq!(refused(&persisted, request("", 1, &of(&long))), "PersistedQueryNotFound");
    }
}
