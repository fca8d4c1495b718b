//! A cache of parsed documents. Clients send the same few texts again and again, and parsing a text is a good part of
//! the cost of a small query.
//!
//! The cache is bounded. All texts together have at most [`MAX_CACHED_BYTES`] bytes and [`MAX_CACHED_TOKENS`] tokens,
//! and each text has at most [`MAX_DOCUMENT_BYTES`] bytes. The least recently used text is evicted first. The same text
//! always has the same document, so the cache does not change answers. The order of the fields of an answer follows
//! from the document, and is cached with it.
//!
//! All documents are read here: the size of a text is checked before the text is parsed (`nesting`).

use std::sync::{Arc, Mutex, PoisonError};

use async_graphql::Request;
use async_graphql::parser::types::ExecutableDocument;
use lru::LruCache;

use super::field_order::Order;
use super::nesting::{self, Excess};
use crate::api::operation;

/// The most bytes that all cached texts have together.
const MAX_CACHED_BYTES: usize = 128 * 1024;
/// The most lexical tokens that all cached texts have together. A token can be one byte of the text, and takes up to
/// 300 bytes of the document.
const MAX_CACHED_TOKENS: usize = 32 * 1024;
/// The longest text that is cached, in bytes. A longer text is parsed each time.
const MAX_DOCUMENT_BYTES: usize = 8 * 1024;

/// The cached documents, by their texts. Cloning is cheap.
#[derive(Clone, Debug)]
pub struct Documents(Arc<Mutex<DocumentCache>>);

#[derive(Debug)]
struct DocumentCache {
    documents: LruCache<Arc<str>, Document>,
    /// The length of all texts together, in bytes.
    length: usize,
    /// The number of tokens of all texts together.
    tokens: usize,
}

/// The parsed document of a text.
#[derive(Debug)]
struct Document {
    parsed: Arc<ExecutableDocument>,
    /// The number of tokens in the text.
    tokens: usize,
    /// The order of the operation that was requested last, with the operation's name.
    order: Option<(Option<String>, Arc<Order>)>,
}

impl Default for Documents {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(DocumentCache { documents: LruCache::unbounded(), length: 0, tokens: 0 })))
    }
}

impl Documents {
    /// Sets the document of a request whose text may have at most `max_tokens` tokens. A long text, or one that cannot
    /// be parsed, gets no document here.
    ///
    /// # Errors
    /// Returns an error if the text must not be parsed.
    pub fn read(&self, request: &mut Request, max_tokens: usize) -> Result<(), Excess> {
        if let Some(parsed) = self.known(&request.query, |document| Some(Arc::clone(&document.parsed))) {
            request.set_parsed_query(ExecutableDocument::clone(&parsed));
            return Ok(());
        }
        let tokens = nesting::look(&request.query, max_tokens)?.tokens;
        if request.query.len() <= MAX_DOCUMENT_BYTES
            && let Ok(parsed) = request.parsed_query().cloned()
        {
            self.keep(&request.query, Document { parsed: Arc::new(parsed), tokens, order: None });
        }
        Ok(())
    }

    /// Returns the order in which a request asks for fields. A request that cannot be executed asks for none.
    pub fn order(&self, request: &mut Request) -> Arc<Order> {
        let name = request.operation_name.clone();
        if let Some(order) = self.known_order(&request.query, name.as_deref()) {
            return order;
        }
        // Variables may be large, and the whole request is borrowed to read the document.
        let variables = std::mem::take(&mut request.variables);
        let document = request.parsed_query().ok();
        let order = match document.and_then(|document| operation(document, name.as_deref()).ok()) {
            Some(operation) => match Order::of_any(operation).map(Arc::new) {
                Some(order) => {
                    self.keep_order(&request.query, name, &order);
                    order
                }
                None => Order::of(operation, &variables).into(),
            },
            None => Arc::default(),
        };
        request.variables = variables;
        order
    }

    fn known_order(&self, text: &str, operation: Option<&str>) -> Option<Arc<Order>> {
        self.known(text, |document| {
            let (name, order) = document.order.as_ref()?;
            (name.as_deref() == operation).then(|| Arc::clone(order))
        })
    }

    /// Caches an order if its document is cached, and if the order is not larger than the document. Fragments that are
    /// used again and again can give the order far more fields.
    fn keep_order(&self, text: &str, operation: Option<String>, order: &Arc<Order>) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(document) = kept.documents.peek_mut(text)
            && order.size() <= document.tokens
        {
            document.order = Some((operation, Arc::clone(order)));
        }
    }

    /// Reads from the cached document of a text, if there is one.
    fn known<T>(&self, text: &str, take: impl FnOnce(&Document) -> Option<T>) -> Option<T> {
        if text.len() > MAX_DOCUMENT_BYTES {
            return None;
        }
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.documents.get(text).and_then(take)
    }

    fn keep(&self, text: &str, document: Document) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let tokens = document.tokens;
        if kept.documents.put(text.into(), document).is_none() {
            kept.length += text.len();
            kept.tokens += tokens;
        }
        while (kept.length > MAX_CACHED_BYTES || kept.tokens > MAX_CACHED_TOKENS)
            && let Some((text, document)) = kept.documents.pop_lru()
        {
            kept.length -= text.len();
            kept.tokens -= document.tokens;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(documents: &Documents, text: &str) -> String {
        let mut request = Request::new(text);
        documents.read(&mut request, usize::MAX).expect("it may be parsed");
        format!("{:?}", request.parsed_query())
    }

    /// Returns the number of cached texts, and their length together.
    fn kept(documents: &Documents) -> (usize, usize) {
        let kept = documents.0.lock().expect("nothing panics");
        assert_eq!(kept.length, kept.documents.iter().map(|(text, _)| text.len()).sum::<usize>());
        assert_eq!(kept.tokens, kept.documents.iter().map(|(_, document)| document.tokens).sum::<usize>());
        (kept.documents.len(), kept.length)
    }

    #[test]
    fn a_text_has_the_same_document_each_time() {
        let documents = Documents::default();
        let text = "query A($a: ID!) {\n  device(id: $a) { ...F }\n}\nfragment F on Device { name }";
        let first = read(&documents, text);
        assert!(first.contains("device"), "{first}");
        assert_eq!(kept(&documents), (1, text.len()));
        assert_eq!(read(&documents, text), first);
        assert_eq!(read(&documents, text), read(&Documents::default(), text));
        assert_eq!(kept(&documents), (1, text.len()), "it is kept once");
    }

    #[test]
    fn an_order_is_kept_where_variables_do_not_decide_about_it() {
        let documents = Documents::default();
        let order = |text: &str, operation: Option<&str>| {
            let mut request = Request::new(text);
            request.operation_name = operation.map(str::to_owned);
            documents.read(&mut request, usize::MAX).expect("it may be parsed");
            documents.order(&mut request)
        };
        let two = "query A { a b } query B { b a }";
        let (first, again, other) = (order(two, Some("A")), order(two, Some("A")), order(two, Some("B")));
        assert!(Arc::ptr_eq(&first, &again) && !Arc::ptr_eq(&first, &other));
        let conditional = "query($no: Boolean!) { a @skip(if: $no) b }";
        assert!(!Arc::ptr_eq(&order(conditional, None), &order(conditional, None)));
        assert!(format!("{:?}", order("{ a", None)).contains("fields: []"));
        let fragments =
            (0..12).map(|n| format!(" fragment F{n} on A {{ a {{ ...F{m} }} b {{ ...F{m} }} }}", m = n + 1));
        let large = format!("{{ ...F0 }} fragment F12 on A {{ a b }} {}", fragments.collect::<String>());
        assert!(!Arc::ptr_eq(&order(&large, None), &order(&large, None)), "it is larger than its document");
    }

    #[test]
    fn invalid_and_long_documents_are_not_cached() {
        let documents = Documents::default();
        assert!(read(&documents, "{ a").starts_with("Err"));
        assert!(read(&documents, &format!("{{ {} }}", "a ".repeat(MAX_DOCUMENT_BYTES))).starts_with("Ok"));
        assert_eq!(kept(&documents), (0, 0));
    }

    #[test]
    fn the_cache_is_bounded_and_holds_the_requested_document() {
        let documents = Documents::default();
        let text = |number: usize| format!("{{ a(b: \"{number:0>2000}\") }}");
        let first = read(&documents, &text(0));
        for number in 1..200 {
            read(&documents, &text(number));
            assert_eq!(read(&documents, &text(0)), first);
        }
        let (count, length) = kept(&documents);
        assert!(count > 50 && length <= MAX_CACHED_BYTES, "{count} of {length} bytes");
        let kept = documents.0.lock().expect("nothing panics");
        let has = |number: usize| kept.documents.contains(text(number).as_str());
        assert!(has(0) && has(199) && !has(1));
    }

    #[test]
    fn documents_of_many_small_tokens_are_bounded_too() {
        let documents = Documents::default();
        let text = |number: usize| format!("{{ a{number}{} }}", " b{a}".repeat(800));
        (0..30).for_each(|number| drop(read(&documents, &text(number))));
        let (count, length) = kept(&documents);
        assert!((5..13).contains(&count) && length < MAX_CACHED_BYTES / 2, "{count} of {length} bytes");
    }

    #[test]
    fn a_rejected_document_is_not_parsed() {
        let documents = Documents::default();
        for (text, most) in [(format!("{{ a(x: #\r{}", "[".repeat(4_000)), usize::MAX), ("{ a b c }".to_owned(), 4)] {
            let mut request = Request::new(text);
            assert!(documents.read(&mut request, most).is_err(), "{}", request.query);
        }
        assert_eq!(kept(&documents), (0, 0));
        // A cached text is not rejected by a lower limit, because it was parsed already.
        read(&documents, "{ a b c }");
        assert!(documents.read(&mut Request::new("{ a b c }"), 4).is_ok());
    }
}
