//! What a failure does, in the API.

use std::collections::BTreeMap;
use std::sync::Arc;

use async_graphql::{ID, Object, Result, SimpleObject};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use uuid::Uuid;

use super::{ImpactEffect, ImpactRule, limit};
use crate::inventory::{Description, Place, Snapshot};
use crate::kinds::Node;
use crate::kinds::errors::{internal, named_kinds, unreadable};
use crate::kinds::scalars::Revision;
use crate::read::{At, PageInfo, ReadError, Turn, is_within};
use crate::topology::impact::{Affected, Effect, Impact as Found};

/// All effects, the strongest first.
const EFFECTS: [Effect; 3] = [Effect::Down, Effect::Isolated, Effect::Degraded];

/// What a failure does.
pub struct Impact {
    shared: Arc<Shared>,
    of: Vec<Place>,
    /// Of everything that is affected what is asked about, the strongest effects first.
    kept: Vec<usize>,
}

/// The snapshot, and what was found in it.
struct Shared {
    snapshot: Arc<Snapshot>,
    found: Found,
}

/// How many objects of a kind have an effect.
#[derive(Clone, Debug, SimpleObject)]
pub struct ImpactCount {
    /// The kind.
    kind: &'static str,
    /// The effect.
    effect: ImpactEffect,
    /// How many objects.
    count: usize,
}

impl Impact {
    /// An answer, narrowed to some kinds and to what is beneath an object.
    pub async fn new(
        snapshot: Arc<Snapshot>,
        of: Vec<Place>,
        found: Found,
        kinds: Option<Vec<&'static Description>>,
        within: Option<ID>,
    ) -> Self {
        let mut kept = Vec::new();
        let mut turn = Turn::begin();
        for effect in EFFECTS {
            for (at, affected) in found.affected().iter().enumerate() {
                turn.give_way().await;
                let place = affected.place;
                let wanted = affected.effect == effect
                    && kinds.as_ref().is_none_or(|kinds| kinds.iter().any(|kind| kind.id == place.kind))
                    && within.as_ref().is_none_or(|within| is_within(within, At { snapshot: &snapshot, place }));
                if wanted {
                    kept.push(at);
                }
            }
        }
        Self { shared: Arc::new(Shared { snapshot, found }), of, kept }
    }
}

/// What a failure does.
#[Object]
impl Impact {
    /// The revision that the answer is of.
    async fn revision(&self) -> Revision {
        Revision(self.shared.snapshot.revision())
    }

    /// What fails.
    async fn of(&self) -> Result<Vec<Node>> {
        self.of.iter().map(|place| self.shared.node(*place)).collect()
    }

    /// What is affected besides that: each object once, with its strongest effect; DOWN first, then ISOLATED, then
    /// DEGRADED, within these from what fails outwards.
    async fn affected(
        &self,
        #[graphql(desc = "Only of these kinds, such as `Device`; default: of all.")] kinds: Option<Vec<String>>,
        #[graphql(desc = "Only with these effects; default: with any.")] effects: Option<Vec<ImpactEffect>>,
        #[graphql(desc = "At most so many, from the beginning: 0 to 1000, default 50.")] first: Option<i32>,
        #[graphql(desc = "Only what comes after this cursor.")] after: Option<String>,
    ) -> Result<AffectedConnection> {
        let most = limit("first", first)?;
        let kinds = kinds.map(|names| named_kinds(&self.shared.snapshot, &names)).transpose()?;
        let mut list = Vec::new();
        let mut turn = Turn::begin();
        for at in &self.kept {
            turn.give_way().await;
            let affected = self.shared.found.affected()[*at];
            let of_kind = |kinds: &Vec<&Description>| kinds.iter().any(|kind| kind.id == affected.place.kind);
            let with_effect = |effects: &Vec<ImpactEffect>| effects.contains(&affected.effect.into());
            if kinds.as_ref().is_none_or(of_kind) && effects.as_ref().is_none_or(with_effect) {
                list.push(affected);
            }
        }
        let skipped = after.map(|cursor| self.shared.place_after(&list, &cursor)).transpose()?.unwrap_or(0);
        Ok(AffectedConnection { shared: Arc::clone(&self.shared), list, skipped, most })
    }

    /// How many objects of each kind have each effect.
    async fn counts(&self) -> Vec<ImpactCount> {
        let mut counts: BTreeMap<_, usize> = BTreeMap::new();
        let mut turn = Turn::begin();
        for at in &self.kept {
            turn.give_way().await;
            let affected = &self.shared.found.affected()[*at];
            *counts.entry((affected.effect, affected.place.kind)).or_default() += 1;
        }
        let count = |((effect, kind), count): ((Effect, _), usize)| ImpactCount {
            kind: self.shared.snapshot.kind(kind).name,
            effect: effect.into(),
            count,
        };
        counts.into_iter().map(count).collect()
    }

    /// How many devices are in connected parts that the failure touches and that have no anchor: nothing can be said of
    /// what they reach.
    async fn unanchored(&self) -> usize {
        self.shared.found.unanchored.len()
    }
}

impl Shared {
    fn node(&self, place: Place) -> Result<Node> {
        Node::at(&self.snapshot, place).ok_or_else(|| internal("what is affected is not there"))
    }

    fn id(&self, place: Place) -> Option<Uuid> {
        self.snapshot.row(place).map(|row| row.common().id)
    }

    fn cursor(&self, affected: &Affected) -> String {
        URL_SAFE_NO_PAD.encode(self.id(affected.place).unwrap_or_default())
    }

    /// How many come up to a cursor, itself included.
    fn place_after(&self, list: &[Affected], cursor: &str) -> Result<usize> {
        let refused = |reason: &str| unreadable(&ReadError::Argument { argument: "after", reason: reason.to_owned() });
        let id = URL_SAFE_NO_PAD.decode(cursor).ok().and_then(|bytes| Uuid::from_slice(&bytes).ok());
        let id = id.ok_or_else(|| refused("is no cursor of such a list: take one from pageInfo or edges"))?;
        let at = list.iter().position(|affected| self.id(affected.place) == Some(id));
        at.map(|at| at + 1).ok_or_else(|| refused("is of an object that is not in the list any more: begin again"))
    }
}

/// A part of a list of what is affected.
pub struct AffectedConnection {
    shared: Arc<Shared>,
    list: Vec<Affected>,
    skipped: usize,
    most: usize,
}

impl AffectedConnection {
    fn page(&self) -> &[Affected] {
        let rest = &self.list[self.skipped..];
        &rest[..rest.len().min(self.most)]
    }

    fn shown(&self, affected: &Affected) -> AffectedObject {
        AffectedObject { shared: Arc::clone(&self.shared), affected: *affected }
    }
}

/// A part of a list of what is affected.
#[Object]
impl AffectedConnection {
    /// The entries of this page, each with its cursor.
    async fn edges(&self) -> Vec<AffectedEdge> {
        let edge =
            |affected: &Affected| AffectedEdge { cursor: self.shared.cursor(affected), node: self.shown(affected) };
        self.page().iter().map(edge).collect()
    }

    /// The entries of this page.
    async fn nodes(&self) -> Vec<AffectedObject> {
        self.page().iter().map(|affected| self.shown(affected)).collect()
    }

    /// Where this page stands in the list.
    async fn page_info(&self) -> PageInfo {
        let cursor = |affected: Option<&Affected>| affected.map(|affected| self.shared.cursor(affected));
        PageInfo {
            has_next_page: self.skipped + self.page().len() < self.list.len(),
            has_previous_page: self.skipped > 0,
            start_cursor: cursor(self.page().first()),
            end_cursor: cursor(self.page().last()),
        }
    }

    /// How many entries the whole list has.
    async fn total_count(&self) -> usize {
        self.list.len()
    }
}

/// An entry in a list of what is affected, with its place in it.
#[derive(SimpleObject)]
pub struct AffectedEdge {
    /// The place of the entry in the list, to go on from.
    cursor: String,
    /// The entry.
    node: AffectedObject,
}

/// An object that is affected by a failure.
pub struct AffectedObject {
    shared: Arc<Shared>,
    affected: Affected,
}

/// An object that led to an effect on another one.
#[derive(Clone, Debug, SimpleObject)]
pub struct ImpactReason {
    /// The object: one that fails, or one that is affected itself.
    node: Node,
    /// The kind of the object.
    kind: &'static str,
    /// The way to the object as a person would write it: `rack/ams1/A14`.
    path: String,
}

/// An object that is affected by a failure.
#[Object]
impl AffectedObject {
    /// The object.
    async fn node(&self) -> Result<Node> {
        self.shared.node(self.affected.place)
    }

    /// The kind of the object.
    async fn kind(&self) -> &'static str {
        self.shared.snapshot.kind(self.affected.place.kind).name
    }

    /// The way to the object as a person would write it: `rack/ams1/A14`.
    async fn path(&self) -> String {
        self.shared.snapshot.path(self.affected.place)
    }

    /// The strongest of its effects.
    async fn effect(&self) -> ImpactEffect {
        self.affected.effect.into()
    }

    /// The rule by which it is affected.
    async fn rule(&self) -> ImpactRule {
        self.affected.rule.into()
    }

    /// Of a cluster: how many of its servers and storage are gone. Null of all else, and for a token of a tenant.
    async fn lost(&self) -> Option<u32> {
        self.affected.share.map(|share| share.lost)
    }

    /// Of a cluster: how many servers and storage it had up before. Null of all else, and for a token of a tenant.
    async fn of(&self) -> Option<u32> {
        self.affected.share.map(|share| share.of)
    }

    /// The neighbours that led to the effect. Following them always ends at what fails.
    async fn because(
        &self,
        #[graphql(desc = "At most so many: 0 to 1000, default 50.")] first: Option<i32>,
    ) -> Result<Vec<ImpactReason>> {
        let reasons = self.shared.found.because(&self.affected).iter().take(limit("first", first)?);
        let reason = |place: &Place| {
            let kind = self.shared.snapshot.kind(place.kind).name;
            Ok(ImpactReason { node: self.shared.node(*place)?, kind, path: self.shared.snapshot.path(*place) })
        };
        reasons.map(reason).collect()
    }
}
