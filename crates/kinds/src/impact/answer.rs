//! The answer of an impact query in the API, and its pages.

use std::sync::Arc;

use async_graphql::{Object, Result, SimpleObject};

use super::cursor::Cursor;
use super::errors::{no_cursor, not_kept};
use super::{ImpactEffect, ImpactRule, limit};
use crate::Node;
use crate::errors::{internal, named_kinds};
use crate::scalars::Revision;
use underlay_engine::feed::{AnswerKey, Answers, QuestionDigest};
use underlay_engine::runtime::TimeSlice;
use underlay_inventory::{Description, ObjectRef, Snapshot};
use underlay_read::{Paced, PageInfo};
use underlay_topology::impact::{Affected, Effect, Impact as Found};

/// All effects, the strongest first.
const EFFECTS: [Effect; 3] = [Effect::Down, Effect::Isolated, Effect::Degraded];

/// The full answer of an impact query at one revision. Its pages are cut from it.
pub struct ImpactAnswer {
    snapshot: Arc<Snapshot>,
    question: QuestionDigest,
    of: Vec<ObjectRef>,
    found: Found,
    /// The affected objects that the query asks about, as indexes into `found`, the strongest effects first.
    kept: Vec<u32>,
    counts: Vec<ImpactCount>,
    /// A digest of the order of `kept`. A cursor of the same answer in another order would repeat or miss entries.
    order: u64,
}

/// The impact of a failure.
pub struct Impact {
    answer: Arc<ImpactAnswer>,
    /// The cache that keeps the answer for its next pages.
    answers: Answers,
}

/// The number of objects of one kind that have one effect.
#[derive(Clone, Debug, SimpleObject)]
pub struct ImpactCount {
    /// The kind of the objects, such as `Device`.
    kind: &'static str,
    /// The effect on the objects.
    effect: ImpactEffect,
    /// The number of objects.
    count: usize,
}

impl ImpactAnswer {
    /// Creates an answer, narrowed to some kinds and to the objects beneath `within`.
    pub async fn new(
        snapshot: Arc<Snapshot>,
        question: QuestionDigest,
        of: Vec<ObjectRef>,
        found: Found,
        kinds: Option<Vec<&'static Description>>,
        within: Option<ObjectRef>,
    ) -> Self {
        let mut of_effects = EFFECTS.map(|_| Vec::new());
        let mut slice = TimeSlice::begin();
        for (at, affected) in (0..).zip(found.affected()) {
            slice.step().await;
            let object = affected.object;
            let wanted = kinds.as_ref().is_none_or(|kinds| kinds.iter().any(|kind| kind.id == object.kind))
                && within.is_none_or(|place| snapshot.is_in_place(object, place, || true));
            if wanted {
                of_effects[affected.effect as usize].push(at);
            }
        }
        let kept = of_effects.concat();
        let counts = counts(&snapshot, &found, &kept);
        let order = order(&found, &kept);
        Self { snapshot, question, of, found, kept, counts, order }
    }

    fn node(&self, object: ObjectRef) -> Result<Node> {
        Node::at(&self.snapshot, object).ok_or_else(|| internal("what is affected is not there"))
    }

    fn affected(&self, rank: u32) -> Option<&Affected> {
        self.found.affected().get(*self.kept.get(rank as usize)? as usize)
    }

    fn cursor(&self, rank: u32) -> String {
        let head = self.snapshot.head();
        let cursor = Cursor { revision: head.revision, batch_id: head.batch_id, order: self.order, rank };
        cursor.encode(&self.question)
    }

    /// Returns the rank of the entry that a cursor points at.
    fn rank(&self, text: &str) -> Result<u32> {
        let cursor = Cursor::decode(text, &self.question).ok_or_else(no_cursor)?;
        let head = self.snapshot.head();
        if (cursor.revision, cursor.batch_id) != (head.revision, head.batch_id) {
            return Err(no_cursor());
        }
        if cursor.order != self.order {
            return Err(not_kept(cursor.revision, &self.snapshot));
        }
        Ok(cursor.rank)
    }

    fn key(&self) -> AnswerKey {
        let head = self.snapshot.head();
        AnswerKey { question: self.question, revision: head.revision, batch_id: head.batch_id }
    }

    /// Returns the approximate number of bytes that the answer takes in memory, without its snapshot.
    pub fn bytes(&self) -> usize {
        size_of::<Self>() + self.found.bytes() + self.kept.capacity() * size_of::<u32>()
    }
}

/// The number of objects of each kind that have each effect.
fn counts(snapshot: &Snapshot, found: &Found, kept: &[u32]) -> Vec<ImpactCount> {
    let mut counts = EFFECTS.map(|_| [0_usize; 1 + u8::MAX as usize]);
    for affected in kept.iter().map(|at| &found.affected()[*at as usize]) {
        counts[affected.effect as usize][usize::from(affected.object.kind.0)] += 1;
    }
    let count = |effect: Effect, kind: &'static Description| {
        let count = counts[effect as usize][usize::from(kind.id.0)];
        (count > 0).then(|| ImpactCount { kind: kind.name, effect: effect.into(), count })
    };
    EFFECTS
        .into_iter()
        .flat_map(|effect| snapshot.registry().kinds().filter_map(move |kind| count(effect, kind)))
        .collect()
}

/// Returns a digest (FNV-1a) of the order of the entries.
fn order(found: &Found, kept: &[u32]) -> u64 {
    let affected = kept.iter().map(|at| &found.affected()[*at as usize]);
    affected.fold(0xcbf2_9ce4_8422_2325, |digest, affected| {
        let ObjectRef { kind, slot } = affected.object;
        let one = u64::from(slot) << 16 | u64::from(kind.0) << 8 | affected.effect as u64;
        (digest ^ one).wrapping_mul(0x0100_0000_01b3)
    })
}

impl Impact {
    /// Creates the API object of an answer. `answers` is the viewer's cache of answers.
    pub fn new(answer: Arc<ImpactAnswer>, answers: Answers) -> Self {
        Self { answer, answers }
    }
}

/// The impact of a failure.
#[Object]
impl Impact {
    /// The revision of the answer. If `affected` is given a cursor, this is the revision of the cursor.
    async fn revision(&self) -> Revision {
        Revision(self.answer.snapshot.revision())
    }

    /// The objects that fail.
    async fn of(&self) -> Result<Vec<Node>> {
        self.answer.of.iter().map(|object| self.answer.node(*object)).collect()
    }

    /// The affected objects besides those that fail: each once, with its strongest effect. DOWN comes first, then
    /// ISOLATED, then DEGRADED; within an effect, objects nearer to the failure come first. Further pages have the same
    /// revision as the first page: the server keeps the answer for 60 seconds after each page. A cursor is valid only
    /// with the same `of`, `anchors`, `kinds` and `within`. If the server no longer has the answer or the revision, it
    /// rejects the cursor with REVISION_COMPACTED. The client must then start again from the first page.
    async fn affected(
        &self,
        #[graphql(desc = "Returns only objects of these kinds, such as `Device`. Defaults to all kinds.")]
        kinds: Option<Vec<String>>,
        #[graphql(desc = "Only objects with these effects. Defaults to all.")] effects: Option<Vec<ImpactEffect>>,
        #[graphql(desc = "The maximum number of entries: 0 to 1000. Defaults to 50.")] first: Option<i32>,
        #[graphql(desc = "Returns only entries after this cursor.")] after: Option<String>,
    ) -> Result<AffectedConnection> {
        let most = limit("first", first)?;
        let answer = &self.answer;
        let kinds = kinds.map(|names| named_kinds(&answer.snapshot, &names)).transpose()?;
        let after = after.map(|cursor| answer.rank(&cursor)).transpose()?;
        let (skipped, ranks, total) = match (kinds, effects) {
            (None, None) => {
                let total = answer.kept.len();
                let skipped = after.map_or(0, |after| after as usize + 1).min(total);
                (skipped, (skipped as u32..total as u32).take(most).collect(), total)
            }
            (kinds, effects) => {
                let list = narrowed(answer, kinds.as_deref(), effects.as_deref()).await;
                let skipped = list.partition_point(|rank| after.is_some_and(|after| *rank <= after));
                (skipped, list[skipped..].iter().copied().take(most).collect::<Vec<u32>>(), list.len())
            }
        };
        let page = AffectedConnection { answer: Arc::clone(answer), ranks, skipped, total };
        if page.goes_on() && !page.ranks.is_empty() {
            self.answers.keep(answer.key(), answer, answer.bytes());
        }
        Ok(page)
    }

    /// The number of objects of each kind that have each effect.
    async fn counts(&self) -> &[ImpactCount] {
        &self.answer.counts
    }

    /// The number of devices in connected parts that the failure touches and that have no anchor. Nothing is known
    /// about what these devices reach.
    async fn unanchored(&self) -> usize {
        self.answer.found.unanchored.len()
    }
}

/// Returns the ranks of the entries with some kinds and some effects.
async fn narrowed(answer: &ImpactAnswer, kinds: Option<&[&Description]>, effects: Option<&[ImpactEffect]>) -> Vec<u32> {
    let mut list = Vec::new();
    let mut slice = TimeSlice::begin();
    for (rank, at) in (0..).zip(&answer.kept) {
        slice.step().await;
        let affected = &answer.found.affected()[*at as usize];
        let of_kind = |kinds: &[&Description]| kinds.iter().any(|kind| kind.id == affected.object.kind);
        let with_effect = |effects: &[ImpactEffect]| effects.contains(&affected.effect.into());
        if kinds.is_none_or(of_kind) && effects.is_none_or(with_effect) {
            list.push(rank);
        }
    }
    list
}

/// A page of the list of affected objects.
pub struct AffectedConnection {
    answer: Arc<ImpactAnswer>,
    /// The ranks of the page's entries in the answer.
    ranks: Vec<u32>,
    /// The number of entries before the page. `total` is the number of all entries.
    skipped: usize,
    total: usize,
}

impl AffectedConnection {
    fn goes_on(&self) -> bool {
        self.skipped + self.ranks.len() < self.total
    }

    fn shown(&self, rank: u32) -> Result<AffectedObject> {
        let affected = self.answer.affected(rank).ok_or_else(|| internal("an entry of a page is not in the answer"))?;
        Ok(AffectedObject { answer: Arc::clone(&self.answer), affected: *affected })
    }
}

/// A page of the list of affected objects.
#[Object]
impl AffectedConnection {
    /// The entries of this page, each with its cursor.
    async fn edges(&self) -> Result<Vec<Paced<AffectedEdge>>> {
        let edge = |rank: &u32| Ok(Paced(AffectedEdge { cursor: self.answer.cursor(*rank), node: self.shown(*rank)? }));
        self.ranks.iter().map(edge).collect()
    }

    /// The entries of this page.
    async fn nodes(&self) -> Result<Vec<Paced<AffectedObject>>> {
        self.ranks.iter().map(|rank| self.shown(*rank).map(Paced)).collect()
    }

    /// The cursors of this page, and if more entries exist before or after it.
    async fn page_info(&self) -> PageInfo {
        let cursor = |rank: Option<&u32>| rank.map(|rank| self.answer.cursor(*rank));
        PageInfo {
            has_next_page: self.goes_on(),
            has_previous_page: self.skipped > 0,
            start_cursor: cursor(self.ranks.first()),
            end_cursor: cursor(self.ranks.last()),
        }
    }

    /// The number of entries in the whole list.
    async fn total_count(&self) -> usize {
        self.total
    }
}

/// An entry of the list of affected objects, with its cursor.
#[derive(SimpleObject)]
pub struct AffectedEdge {
    /// The position of the entry in the list. Pass it as `after` to continue from here.
    cursor: String,
    /// The affected object with its effect.
    node: AffectedObject,
}

/// An object that is affected by a failure.
pub struct AffectedObject {
    answer: Arc<ImpactAnswer>,
    affected: Affected,
}

/// An object that led to an effect on another one.
#[derive(Clone, Debug, SimpleObject)]
pub struct ImpactReason {
    /// The object, which fails or is affected itself.
    node: Node,
    /// The kind of the object, such as `Rack`.
    kind: &'static str,
    /// The path of the object as a person would write it, such as `rack/ams1/A14`.
    path: String,
}

/// An object that is affected by a failure.
#[Object]
impl AffectedObject {
    /// The object that is affected.
    async fn node(&self) -> Result<Node> {
        self.answer.node(self.affected.object)
    }

    /// The kind of the object, such as `Rack`.
    async fn kind(&self) -> &'static str {
        self.answer.snapshot.kind(self.affected.object.kind).name
    }

    /// The path of the object as a person would write it, such as `rack/ams1/A14`.
    async fn path(&self) -> String {
        self.answer.snapshot.path(self.affected.object)
    }

    /// The strongest effect on the object.
    async fn effect(&self) -> ImpactEffect {
        self.affected.effect.into()
    }

    /// The rule that causes the effect.
    async fn rule(&self) -> ImpactRule {
        self.affected.rule.into()
    }

    /// For a cluster, the number of its servers and storage devices that are lost. Null for all other kinds, and for a
    /// token of a tenant.
    async fn lost(&self) -> Option<u32> {
        self.affected.share.map(|share| share.lost)
    }

    /// For a cluster, the number of its servers and storage devices that were up before. Null for all other kinds, and
    /// for a token of a tenant.
    async fn of(&self) -> Option<u32> {
        self.affected.share.map(|share| share.of)
    }

    /// The neighbours that led to the effect. A client that follows them always ends at an object that fails.
    async fn because(
        &self,
        #[graphql(desc = "The maximum number of entries: 0 to 1000. Defaults to 50.")] first: Option<i32>,
    ) -> Result<Vec<ImpactReason>> {
        let reasons = self.answer.found.because(&self.affected).iter().take(limit("first", first)?);
        let reason = |object: &ObjectRef| {
            let kind = self.answer.snapshot.kind(object.kind).name;
            Ok(ImpactReason { node: self.answer.node(*object)?, kind, path: self.answer.snapshot.path(*object) })
        };
        reasons.map(reason).collect()
    }
}
