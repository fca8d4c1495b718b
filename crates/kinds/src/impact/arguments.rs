//! The arguments of an impact query, and its answer: computed at the current revision, or the one that a page
//! continues.

use std::sync::Arc;

use async_graphql::{Context, Result};
use serde_json::json;
use sha2::{Digest, Sha256};

use super::answer::ImpactAnswer;
use super::cursor::{Cursor, first_after};
use super::errors::{no_cursor, not_kept};
use super::part::{into_whole, seen_of, whole};
use super::{MAX_IDS, unanswered};
use crate::errors::named_kinds;
use crate::object_arguments::{NamedObject, find_named};
use crate::query_metrics::{AnsweredFrom, QueryTimer};
use crate::request::Request;
use crate::shared_values::ValueKey;
use crate::topology;
use underlay_engine::feed::{AnswerKey, QuestionDigest};
use underlay_inventory::Snapshot;
use underlay_topology::impact::{ImpactQuery, impact};

/// The arguments of the query, as the client gave them.
#[derive(Debug)]
pub struct ImpactArguments {
    pub of: Vec<NamedObject>,
    /// The anchors; `None` if neither of their arguments is given.
    pub anchors: Option<Vec<NamedObject>>,
    pub kinds: Option<Vec<String>>,
    pub within: Option<NamedObject>,
}

impl ImpactArguments {
    /// Returns the answer that the request is about. If the request gives a cursor, this is the answer of the cursor;
    /// otherwise it is an answer at the current revision.
    /// Equal fields of a request share it.
    pub async fn answer(&self, context: &Context<'_>) -> Result<Arc<ImpactAnswer>> {
        let request = Request::of(context);
        let current = request.snapshot();
        let question = self.digest(request.view.answers.viewer());
        let Some(after) = first_after(context) else { return self.shared(request, current, question).await };
        let cursor = Cursor::decode(&after, &question).ok_or_else(no_cursor)?;
        let key = AnswerKey { question, revision: cursor.revision, batch_id: cursor.batch_id };
        if let Some(kept) = request.view.answers.get::<ImpactAnswer>(key) {
            AnsweredFrom::Kept.count();
            return Ok(kept);
        }
        let is_of = |snapshot: &Arc<Snapshot>| {
            snapshot.head().revision == key.revision && snapshot.head().batch_id == key.batch_id
        };
        let snapshot = Some(&current).filter(|current| is_of(current)).cloned();
        let snapshot = snapshot.or_else(|| request.view.at_hand(request.caller_key(), key.revision).filter(is_of));
        match snapshot {
            Some(snapshot) => self.shared(request, snapshot, question).await,
            None => Err(not_kept(key.revision, &current)),
        }
    }

    async fn shared(
        &self,
        request: &Request,
        snapshot: Arc<Snapshot>,
        question: QuestionDigest,
    ) -> Result<Arc<ImpactAnswer>> {
        let key = ValueKey::of_digest("impact", &snapshot, &question);
        let work = async {
            let answer = self.work_out(request, snapshot, question).await?;
            request.pace.hold(answer.bytes()).await;
            Ok(answer)
        };
        request.shared.get(key, work).await
    }

    async fn work_out(
        &self,
        request: &Request,
        snapshot: Arc<Snapshot>,
        question: QuestionDigest,
    ) -> Result<ImpactAnswer> {
        let of = find_named(&snapshot, "of", &self.of, 1..=MAX_IDS)?;
        let anchors = self.anchors.as_ref().map(|anchors| find_named(&snapshot, "anchors", anchors, 1..=MAX_IDS));
        let anchors = anchors.transpose()?.map(|anchors| into_whole(&snapshot, anchors));
        let kinds = self.kinds.as_ref().map(|names| named_kinds(&snapshot, names)).transpose()?;
        let within = self.within.as_ref().map(|place| place.found(&snapshot)).transpose()?;
        let timer = QueryTimer::begin("impact");
        let failing = ImpactQuery { of: into_whole(&snapshot, of.clone()), anchors, ..ImpactQuery::default() };
        let whole = Arc::clone(whole(&snapshot));
        let found =
            request.compute(move |stop| impact(&whole, topology(), &ImpactQuery { stop: Some(stop), ..failing }));
        let found = found.await;
        let found = seen_of(&snapshot, found.map_err(|error| unanswered(&error))?);
        timer.answered(found.affected().len());
        AnsweredFrom::WorkedOut.count();
        Ok(ImpactAnswer::new(snapshot, question, of, found, kinds, within).await)
    }

    /// Returns a digest that distinguishes the query of a viewer from all other queries.
    fn digest(&self, viewer: Option<&str>) -> QuestionDigest {
        let keys = |named: &[NamedObject]| named.iter().map(|it| json!(it.key())).collect::<Vec<_>>();
        let within = self.within.as_ref().map(NamedObject::key);
        let content = (viewer, keys(&self.of), self.anchors.as_deref().map(keys), &self.kinds, within);
        // Plain data without maps can always be serialized.
        let digest = Sha256::digest(serde_json::to_vec(&content).unwrap_or_default());
        std::array::from_fn(|at| digest[at])
    }
}
