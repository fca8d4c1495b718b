//! Documents that were read lately. Clients send the same few texts again and again, and to read one is a good part of
//! what a small query costs.
//!
//! What is kept is bounded: texts of at most [`MOST`] bytes together, and of at most [`LONGEST`] each; the one that was
//! longest not asked for goes first. A text always has the same document, so an answer is the same whether it was kept.

use std::sync::{Arc, Mutex, PoisonError};

use async_graphql::Request;
use async_graphql::parser::types::ExecutableDocument;
use lru::LruCache;

/// How long the texts are together, in bytes. A document can take two hundred times the room of its text.
const MOST: usize = 128 * 1024;
/// How long a text may be, in bytes. A longer one is read each time.
const LONGEST: usize = 8 * 1024;

/// The documents of texts; cheap to clone.
#[derive(Clone, Debug)]
pub struct Documents(Arc<Mutex<Kept>>);

#[derive(Debug)]
struct Kept {
    documents: LruCache<Arc<str>, Arc<ExecutableDocument>>,
    /// How long their texts are together.
    length: usize,
}

impl Default for Documents {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(Kept { documents: LruCache::unbounded(), length: 0 })))
    }
}

impl Documents {
    /// Gives a request the document of its text. One that is long or cannot be read gets none.
    pub fn read(&self, request: &mut Request) {
        if request.query.len() > LONGEST {
            return;
        }
        if let Some(document) = self.known(&request.query) {
            request.set_parsed_query(ExecutableDocument::clone(&document));
            return;
        }
        if let Ok(document) = request.parsed_query().cloned() {
            self.keep(&request.query, document);
        }
    }

    fn known(&self, text: &str) -> Option<Arc<ExecutableDocument>> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.documents.get(text).cloned()
    }

    fn keep(&self, text: &str, document: ExecutableDocument) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.documents.put(text.into(), Arc::new(document)).is_none() {
            kept.length += text.len();
        }
        while kept.length > MOST
            && let Some((text, _)) = kept.documents.pop_lru()
        {
            kept.length -= text.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(documents: &Documents, text: &str) -> String {
        let mut request = Request::new(text);
        documents.read(&mut request);
        format!("{:?}", request.parsed_query())
    }

    /// How many texts are kept, and how long they are together.
    fn kept(documents: &Documents) -> (usize, usize) {
        let kept = documents.0.lock().expect("nothing panics");
        assert_eq!(kept.length, kept.documents.iter().map(|(text, _)| text.len()).sum::<usize>());
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
    fn what_cannot_be_read_or_is_long_is_not_kept() {
        let documents = Documents::default();
        assert!(read(&documents, "{ a").starts_with("Err"));
        assert!(read(&documents, &format!("{{ {} }}", "a".repeat(LONGEST))).starts_with("Ok"));
        assert_eq!(kept(&documents), (0, 0));
    }

    #[test]
    fn what_is_kept_is_bounded_and_the_one_asked_for_stays() {
        let documents = Documents::default();
        let text = |number: usize| format!("{{ a{number:0>2000} }}");
        let first = read(&documents, &text(0));
        for number in 1..200 {
            read(&documents, &text(number));
            assert_eq!(read(&documents, &text(0)), first);
        }
        let (count, length) = kept(&documents);
        assert!(count > 50 && length <= MOST, "{count} of {length} bytes");
        let kept = documents.0.lock().expect("nothing panics");
        let has = |number: usize| kept.documents.contains(text(number).as_str());
        assert!(has(0) && has(199) && !has(1));
    }
}
