//! Answers that clients read page by page, kept in memory for their next pages.
//!
//! Computing a large answer can take seconds, and a page shows a thousand of its entries. An answer is kept for one
//! viewer, one question and one revision. It holds the snapshot from which it was computed.
//!
//! Guarantees: all viewers together have at most [`MAX_KEPT_ANSWERS`] answers with at most [`MAX_KEPT_BYTES`] in total.
//! If a new answer does not fit, the least recently used ones are evicted. A background task drops an answer that was
//! not used for [`PIN_TIMEOUT`], even if no client requests it. A viewer never receives the answer of another viewer.

use std::any::Any;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use uuid::Uuid;

use super::current::retire;
use super::pins::PIN_TIMEOUT;

/// The maximum number of kept answers. Each keeps a revision alive, and so all data that has changed since.
pub const MAX_KEPT_ANSWERS: usize = 16;
/// The maximum total size of the kept answers, in bytes. A larger answer is not kept.
pub const MAX_KEPT_BYTES: usize = 256 * 1024 * 1024;
/// A digest of a question's arguments, which distinguishes the questions of one viewer.
pub type QuestionDigest = [u8; 16];

/// A question at a revision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnswerKey {
    /// The digest of the question.
    pub question: QuestionDigest,
    /// The revision at which the answer was computed.
    pub revision: i64,
    /// The batch that made the revision, which distinguishes histories.
    pub batch_id: Uuid,
}

/// The answers of one viewer. All viewers share one store and its limits.
#[derive(Clone, Debug, Default)]
pub struct Answers {
    kept: Arc<Mutex<AnswerCache>>,
    /// The tenant of the viewer. `None` for a viewer that sees everything.
    viewer: Option<Arc<str>>,
}

impl Answers {
    /// Returns the answers of a tenant, which share the store and its limits with these.
    pub fn of_tenant(&self, tenant: &str) -> Self {
        Self { kept: Arc::clone(&self.kept), viewer: Some(tenant.into()) }
    }

    /// Returns the tenant of the viewer, or `None` for a viewer that sees everything.
    pub fn viewer(&self) -> Option<&str> {
        self.viewer.as_deref()
    }

    /// Keeps an answer that takes `bytes` bytes.
    pub fn keep<T: Any + Send + Sync>(&self, key: AnswerKey, answer: &Arc<T>, bytes: usize) {
        let what = Arc::clone(answer) as Arc<dyn Any + Send + Sync>;
        let answer = CachedAnswer { key: self.key(key), what, bytes, used: Instant::now() };
        let (begins, dropped) = {
            let mut kept = self.lock();
            let dropped = kept.keep(answer);
            (!kept.answers.is_empty() && !std::mem::replace(&mut kept.swept, true), dropped)
        };
        dropped.into_iter().for_each(retire);
        if begins {
            tokio::spawn(drop_unused(Arc::clone(&self.kept)));
        }
    }

    /// Returns the answer to a question at a revision if it is kept, and marks it as used now.
    pub fn get<T: Any + Send + Sync>(&self, key: AnswerKey) -> Option<Arc<T>> {
        let found = self.lock().get(&self.key(key), Instant::now())?;
        found.downcast().ok()
    }

    /// Returns the number of answers of all viewers, and their total size in bytes.
    pub fn size(&self) -> (usize, usize) {
        let kept = self.lock();
        (kept.answers.len(), kept.bytes())
    }

    fn key(&self, of: AnswerKey) -> CacheKey {
        CacheKey { viewer: self.viewer.clone(), of }
    }

    fn lock(&self) -> MutexGuard<'_, AnswerCache> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Drops unused answers until none is left.
async fn drop_unused(kept: Arc<Mutex<AnswerCache>>) {
    loop {
        tokio::time::sleep(PIN_TIMEOUT).await;
        let (goes_on, dropped) = {
            let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
            let dropped = kept.expire(Instant::now());
            kept.swept = !kept.answers.is_empty();
            (kept.swept, dropped)
        };
        dropped.into_iter().for_each(retire);
        if !goes_on {
            return;
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct CacheKey {
    viewer: Option<Arc<str>>,
    of: AnswerKey,
}

#[derive(Debug)]
struct CachedAnswer {
    key: CacheKey,
    what: Arc<dyn Any + Send + Sync>,
    bytes: usize,
    used: Instant,
}

#[derive(Debug, Default)]
struct AnswerCache {
    /// The answers, with the most recently used one at the end.
    answers: Vec<CachedAnswer>,
    /// True if a background task drops unused answers.
    swept: bool,
}

impl AnswerCache {
    fn bytes(&self) -> usize {
        self.answers.iter().map(|answer| answer.bytes).sum()
    }

    /// Keeps an answer and returns the answers that were dropped to make room.
    fn keep(&mut self, answer: CachedAnswer) -> Vec<CachedAnswer> {
        let mut dropped = self.expire(answer.used);
        dropped.extend(self.answers.extract_if(.., |it| it.key == answer.key));
        if answer.bytes > MAX_KEPT_BYTES {
            return dropped;
        }
        while self.answers.len() >= MAX_KEPT_ANSWERS || self.bytes() + answer.bytes > MAX_KEPT_BYTES {
            dropped.push(self.answers.remove(0));
        }
        self.answers.push(answer);
        dropped
    }

    fn get(&mut self, key: &CacheKey, now: Instant) -> Option<Arc<dyn Any + Send + Sync>> {
        let at = self.answers.iter().position(|answer| answer.key == *key && !answer.is_unused(now))?;
        let mut answer = self.answers.remove(at);
        answer.used = now;
        let what = Arc::clone(&answer.what);
        self.answers.push(answer);
        Some(what)
    }

    fn expire(&mut self, now: Instant) -> Vec<CachedAnswer> {
        self.answers.extract_if(.., |answer| answer.is_unused(now)).collect()
    }
}

impl CachedAnswer {
    fn is_unused(&self, now: Instant) -> bool {
        now.saturating_duration_since(self.used) >= PIN_TIMEOUT
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn of(question: u8, revision: i64) -> AnswerKey {
        AnswerKey { question: [question; 16], revision, batch_id: Uuid::nil() }
    }

    fn key(viewer: Option<&str>, question: u8, revision: i64) -> CacheKey {
        CacheKey { viewer: viewer.map(Into::into), of: of(question, revision) }
    }

    fn answer(key: CacheKey, bytes: usize, used: Instant) -> CachedAnswer {
        CachedAnswer { key, what: Arc::new(bytes), bytes, used }
    }

    #[test]
    fn keeps_an_answer_as_long_as_it_is_used() {
        let (mut kept, start) = (AnswerCache::default(), Instant::now());
        let at = |seconds: u64| start + Duration::from_secs(seconds);
        let key = key(None, 1, 1);
        kept.keep(answer(key.clone(), 10, at(0)));
        assert!(kept.get(&key, at(59)).is_some(), "used 59 s ago");
        assert!(kept.get(&key, at(118)).is_some(), "each use counts");
        assert!(kept.expire(at(177)).is_empty());
        assert!(kept.get(&key, at(178)).is_none(), "unused for 60 s, even before it is dropped");
        assert_eq!((kept.expire(at(178)).len(), kept.answers.len()), (1, 0));
    }

    #[test]
    fn evicts_the_least_recently_used_by_number_and_by_bytes() {
        let (mut kept, now) = (AnswerCache::default(), Instant::now());
        for question in 0..MAX_KEPT_ANSWERS as u8 {
            assert!(kept.keep(answer(key(None, question, 1), 1, now)).is_empty());
        }
        assert!(kept.get(&key(None, 0, 1), now).is_some());
        let evicted = kept.keep(answer(key(None, 100, 1), 1, now));
        assert_eq!(evicted.iter().map(|it| it.key.of.question[0]).collect::<Vec<_>>(), [1], "0 was used since");
        let large = kept.keep(answer(key(None, 101, 1), MAX_KEPT_BYTES - 1, now));
        assert_eq!(large.len(), MAX_KEPT_ANSWERS - 1, "all but the last one go for the bytes");
        assert_eq!(kept.bytes(), MAX_KEPT_BYTES);
        assert!(kept.keep(answer(key(None, 102, 1), MAX_KEPT_BYTES + 1, now)).is_empty(), "too large for anything");
        assert!(kept.get(&key(None, 102, 1), now).is_none());
    }

    #[test]
    fn tells_viewers_questions_and_revisions_apart() {
        let (mut kept, now) = (AnswerCache::default(), Instant::now());
        kept.keep(answer(key(Some("blue"), 1, 1), 1, now));
        for other in [key(None, 1, 1), key(Some("red"), 1, 1), key(Some("blue"), 2, 1), key(Some("blue"), 1, 2)] {
            assert!(kept.get(&other, now).is_none(), "{other:?}");
        }
        let restored = CacheKey { of: AnswerKey { batch_id: Uuid::max(), ..of(1, 1) }, ..key(Some("blue"), 1, 1) };
        assert!(kept.get(&restored, now).is_none(), "the same number in another history");
        assert!(kept.get(&key(Some("blue"), 1, 1), now).is_some());
    }

    #[tokio::test]
    async fn an_answer_goes_to_its_viewer_alone() {
        let whole = Answers::default();
        let (blue, red) = (whole.of_tenant("blue"), whole.of_tenant("red"));
        blue.keep(of(7, 1), &Arc::new("of blue"), 7);
        assert_eq!(blue.get::<&str>(of(7, 1)).as_deref(), Some(&"of blue"));
        assert!(red.get::<&str>(of(7, 1)).is_none() && whole.get::<&str>(of(7, 1)).is_none());
        assert_eq!((whole.size(), red.viewer()), ((1, 7), Some("red")), "the room is that of all");
    }
}
