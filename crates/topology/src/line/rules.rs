//! The rules of the walk: how a line continues from an end at which it arrives, and from an end that it leaves.
//!
//! An end with several positions takes its position from the top of the stack. If the stack is empty, the line splits
//! into a branch for each position, and is marked as guessed.

use super::memory::Stack;
use super::node::{Entry, Outcome, Phase, Through, WalkEdge};
use super::walk::Walk;
use crate::role::{End, Group, Lane, Mapping, Onward, PackedState, Part, Span, SpanSide};
use underlay_inventory::ObjectRef;

impl<'a> Walk<'a> {
    /// Continues a line that has arrived at an end from outside.
    pub fn arrive(&mut self, node: u32, at: &Entry) {
        let Some(end) = self.roles.end(at.object.kind) else { return };
        match at.state.onward {
            Onward::Ends => self.finish(node, Outcome::Complete, false),
            Onward::Inside => self.go_inside(node, at, end),
            Onward::Across => self.go_across(node, at, end),
            Onward::Fed => self.go_to_sources(node, at, end),
        }
    }

    fn go_inside(&mut self, node: u32, at: &Entry, end: &End) {
        let (wanted, stack) = self.take(node, at.state.positions.unwrap_or(1), at.stack);
        let mut found = self.mirrors(at.object, end, wanted);
        found.sort_unstable_by_key(|(position, ..)| *position);
        if found.is_empty() {
            self.finish(node, Outcome::Unmapped, false);
        }
        let edge = WalkEdge { guessed: wanted.is_none(), ..WalkEdge::from(node) };
        for (_, mirror, position) in found {
            let Some((_, state)) = self.end(mirror) else { continue };
            let stack = self.put(state.positions.unwrap_or(1), stack, position);
            if !self.push(Entry { object: mirror, stack, phase: Phase::Out, edge, state, ending: None }) {
                return;
            }
        }
    }

    /// Returns the mirror ends of an end at a position, or at all positions: (position, mirror end, its position).
    fn mirrors(&mut self, object: ObjectRef, end: &End, wanted: Option<u32>) -> Vec<(u32, ObjectRef, u32)> {
        let Some(inside) = end.inside else { return Vec::new() };
        let snapshot = self.snapshot;
        let mut found = Vec::new();
        let mut looks = 0;
        let mut each = |owner: ObjectRef, visit: &mut dyn FnMut(ObjectRef, Mapping)| {
            let Some(row) = snapshot.row(owner) else { return };
            let mut mirrors = snapshot.outgoing(owner).by(inside.by);
            (inside.each)(row.as_ref(), &mut |mapping| {
                looks += 1;
                if let Some(mirror) = mirrors.next() {
                    visit(mirror, mapping);
                }
            });
        };
        let wants = |position: u32| wanted.is_none_or(|wanted| wanted == position);
        each(object, &mut |mirror, mapping| {
            if wants(mapping.own) {
                found.push((mapping.own, mirror, mapping.mirror));
            }
        });
        for owner in snapshot.incoming(object).by(inside.by) {
            each(owner, &mut |mirror, mapping| {
                if mirror == object && wants(mapping.mirror) {
                    found.push((mapping.mirror, owner, mapping.own));
                }
            });
        }
        self.look(looks);
        found
    }

    fn go_across(&mut self, node: u32, at: &Entry, end: &End) {
        let Some((opaque_span, other)) = self.across(at.object, end) else {
            return self.finish(node, Outcome::Open, false);
        };
        let active = self.packed_state(opaque_span).is_none_or(PackedState::is_active);
        match other {
            Some(other) => {
                let edge = WalkEdge { via: Some(opaque_span), active, ..WalkEdge::from(node) };
                self.push_end(other, at.stack, Phase::Out, edge);
            }
            None => self.push_last(opaque_span, at.stack, node, active, Outcome::Open),
        }
    }

    /// Returns the circuit of which an end is one of the two ends, and its other end.
    fn across(&self, object: ObjectRef, end: &End) -> Option<(ObjectRef, Option<ObjectRef>)> {
        let by = end.opaque_span?;
        let opaque_span = self.snapshot.outgoing(object).first_by(by)?;
        Some((opaque_span, self.snapshot.incoming(opaque_span).by(by).find(|other| *other != object)))
    }

    /// Returns the ends that feed an end, if the walk follows sources.
    pub fn sources(
        &self,
        object: ObjectRef,
        end: &End,
    ) -> Option<(ObjectRef, impl Iterator<Item = ObjectRef> + Send + use<'a>)> {
        let by = end.fed_by.filter(|_| self.through == Through::Sources)?;
        let mut sources = self.snapshot.outgoing(object).by(by);
        Some((sources.next()?, sources))
    }

    fn go_to_sources(&mut self, node: u32, at: &Entry, end: &End) {
        let Some((first, rest)) = self.sources(at.object, end) else {
            return self.finish(node, Outcome::Complete, false);
        };
        for source in std::iter::once(first).chain(rest) {
            let Some((_, state)) = self.end(source) else { continue };
            // A source that is itself fed is entered. Any other source is left through the object plugged into it.
            let phase = if state.onward == Onward::Fed { Phase::In } else { Phase::Out };
            let entry =
                Entry { object: source, stack: at.stack, phase, edge: WalkEdge::from(node), state, ending: None };
            if !self.push(entry) {
                return;
            }
        }
    }

    /// Continues a line that leaves an end through the object plugged into it.
    pub fn depart(&mut self, node: u32, at: &Entry) {
        if let Some((span, object, side)) = self.span_on(at.object) {
            return self.go_over(node, at, span, object, side);
        }
        let Some(end) = self.roles.end(at.object.kind) else { return };
        let (outgoing, incoming) = (self.snapshot.outgoing(at.object), self.snapshot.incoming(at.object));
        let plugged = end.plugged_into.and_then(|by| outgoing.first_by(by));
        let plugged = plugged.or_else(|| self.roles.plugged.iter().find_map(|by| incoming.first_by(*by)));
        if let Some(other) = plugged {
            self.push_end(other, at.stack, Phase::In, WalkEdge::from(node));
            return;
        }
        if let Some(object) = end.stands_in.iter().find_map(|by| outgoing.first_by(*by))
            && let (Some(outcome), Some(packed)) =
                (outcome_in(&self.roles.of(object.kind).part), self.packed_state(object))
        {
            return self.push_last(object, at.stack, node, packed.is_active(), outcome);
        }
        let outcome = if at.state.outside { Outcome::Complete } else { Outcome::Open };
        self.finish(node, outcome, at.state.outside);
    }

    /// Returns the cable on an end, and the side of the cable that the end is on.
    pub fn span_on(&self, end: ObjectRef) -> Option<(&'a Span, ObjectRef, SpanSide)> {
        let incoming = self.snapshot.incoming(end);
        let (object, side) = self.roles.sides.iter().find_map(|side| Some((incoming.first_by(side.own)?, *side)))?;
        match &self.roles.of(object.kind).part {
            Part::Span(span) => Some((span, object, side)),
            _ => None,
        }
    }

    /// Continues a line over a cable. Without lanes it leads to every end of the other side; with lanes, to where they
    /// lead.
    fn go_over(&mut self, node: u32, at: &Entry, span: &Span, object: ObjectRef, side: SpanSide) {
        let Some(packed) = self.packed_state(object) else { return };
        let edge = WalkEdge { via: Some(object), active: packed.is_active(), ..WalkEdge::from(node) };
        let mut others = self.snapshot.outgoing(object).by(side.other);
        if !packed.has_lanes() {
            others.all(|other| self.push_end(other, at.stack, Phase::In, edge));
            return;
        }
        let Some(row) = self.snapshot.row(object) else { return };
        let mut lanes: Vec<Lane> = Vec::new();
        (span.each_lane)(row.as_ref(), &mut |lane| lanes.push(lane));
        self.go_by_lanes(at, &lanes, &others.collect::<Vec<_>>(), edge, side);
    }

    fn go_by_lanes(&mut self, at: &Entry, lanes: &[Lane], others: &[ObjectRef], edge: WalkEdge, side: SpanSide) {
        self.look(lanes.len() + others.len());
        let Some(object) = edge.via else { return };
        let own = self.snapshot.outgoing(object).by(side.own).position(|end| end == at.object);
        let own = own.unwrap_or_default() as u32;
        let (here, there) = (side.index, 1 - side.index);
        let positions = at.state.positions.unwrap_or_else(|| self.of_lanes(at.object, lanes, here, own));
        let (wanted, stack) = self.take(edge.parent, positions, at.stack);
        let fits = |lane: &&Lane| lane.ends[here] == own && wanted.is_none_or(|wanted| wanted == lane.positions[here]);
        let mut leads = false;
        for lane in lanes.iter().filter(fits) {
            if self.is_worn_out() {
                return;
            }
            let Some(other) = others.get(lane.ends[there] as usize) else { continue };
            let Some((_, state)) = self.end(*other) else { continue };
            leads = true;
            let positions = state.positions.unwrap_or_else(|| {
                self.look(lanes.len());
                self.of_lanes(*other, lanes, there, lane.ends[there])
            });
            let stack = self.put(positions, stack, lane.positions[there]);
            let edge = WalkEdge { guessed: wanted.is_none(), ..edge };
            if !self.push(Entry { object: *other, stack, phase: Phase::In, edge, state, ending: None }) {
                return;
            }
        }
        if !leads {
            self.push_last(object, at.stack, edge.parent, edge.active, Outcome::Open);
        }
    }

    /// Returns the number of positions that the lanes of a cable give to an end that has no number of its own.
    pub fn named(&mut self, end: ObjectRef) -> u32 {
        let Some((lanes, side, own)) = self.lanes_on(end) else { return 1 };
        self.of_lanes(end, &lanes, side, own)
    }

    /// Returns true if the cable on an end has lanes.
    pub fn has_lanes(&self, end: ObjectRef) -> bool {
        let span = self.span_on(end).and_then(|(_, span, _)| self.packed_state(span));
        span.is_some_and(PackedState::has_lanes)
    }

    /// Returns the lanes of the cable on an end, the side that the end is on, and its index there; `None` if it has no
    /// lanes.
    fn lanes_on(&mut self, end: ObjectRef) -> Option<(Vec<Lane>, usize, u32)> {
        let (span, object, side) = self.span_on(end)?;
        self.packed_state(object).filter(|packed| packed.has_lanes())?;
        let mut lanes: Vec<Lane> = Vec::new();
        (span.each_lane)(self.snapshot.row(object)?.as_ref(), &mut |lane| lanes.push(lane));
        self.look(lanes.len());
        let own = self.snapshot.outgoing(object).by(side.own).position(|other| other == end);
        Some((lanes, side.index, own.unwrap_or_default() as u32))
    }

    /// Returns the number of positions that lanes give to one of their ends. The two ends of a circuit carry the same
    /// strands. So if both have lanes, each has as many positions as the larger of the two numbers.
    fn of_lanes(&mut self, end: ObjectRef, lanes: &[Lane], side: usize, own: u32) -> u32 {
        let here = highest(lanes, side, own);
        let other = self.roles.end(end.kind).and_then(|it| self.across(end, it)?.1);
        match other.and_then(|other| self.lanes_on(other)) {
            Some((lanes, side, other)) => here.max(highest(&lanes, side, other)),
            None => here,
        }
    }

    /// Returns the position at which a line continues from an end, or `None` if it has to be guessed, and the remaining
    /// stack.
    fn take(&mut self, node: u32, positions: u32, stack: Stack) -> (Option<u32>, Stack) {
        if positions <= 1 {
            return (Some(1), stack);
        }
        self.read(node, self.stacks.depth(stack) as i32 - 1);
        match self.stacks.pop(stack) {
            Some((position, below)) => (Some(position), below),
            None => (None, stack),
        }
    }

    /// Returns the stack of a line that comes to an end at a position.
    fn put(&mut self, positions: u32, stack: Stack, position: u32) -> Stack {
        if positions > 1 { self.stacks.push(stack, position) } else { stack }
    }
}

/// Returns how a line ends in an object that one of its ends stands in; `None` if lines do not end in such objects.
const fn outcome_in(part: &Part) -> Option<Outcome> {
    match part {
        Part::Outside(_) => Some(Outcome::Complete),
        Part::Group(Group { ends: Some(_), .. }) | Part::Pool(Group { ends: Some(_), .. }) => Some(Outcome::Open),
        _ => None,
    }
}

/// Returns the highest position that lanes name for an end of a side; 1 if they name none.
fn highest(lanes: &[Lane], side: usize, end: u32) -> u32 {
    let of_end = lanes.iter().filter(|lane| lane.ends[side] == end);
    of_end.map(|lane| lane.positions[side]).max().unwrap_or(1)
}
