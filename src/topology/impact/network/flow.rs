//! Disjoint ways from a node to anchors: a flow in which every node and every line carries one way at most, found way
//! by way. Each way is looked for from both sides at once, so that a near anchor is found without a look at the rest of
//! the network, and a small cut on either side ends the search.

use std::collections::VecDeque;

use foldhash::{HashMap, HashSet};

use super::super::error::ImpactError;
use super::super::fall::Fall;
use super::super::picture::Moment;
use super::graph::{Graph, NodeId, Way};
use crate::topology::steps::Steps;

/// Where a search is at a node: before it, or past it. Only one way leads from the one to the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Spot {
    /// Arrived.
    In(NodeId),
    /// About to leave.
    Out(NodeId),
}

impl Spot {
    fn node(self) -> NodeId {
        match self {
            Self::In(node) | Self::Out(node) => node,
        }
    }
}

/// The lines that ways run over, each with the node that it is left from, and the nodes that they run through.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct Flow {
    lines: HashSet<(u32, NodeId)>,
    through: HashSet<NodeId>,
    /// How many ways there are.
    pub ways: u32,
}

/// What a search for another way came to.
#[derive(Debug)]
pub(in super::super) enum Search {
    /// There is one; the flow has it now.
    Found,
    /// There is none.
    None {
        /// The nodes from which an anchor could be reached, or a part of them where the search ended on the other side.
        behind: HashSet<NodeId>,
        /// Whether `behind` is all of them.
        closed: bool,
    },
}

/// Whether a search that fails goes on to know all nodes behind the cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Thorough {
    No,
    /// As long as they are not more than so many.
    UpTo(usize),
}

/// From where to where ways are looked for.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Between<'s> {
    pub source: NodeId,
    pub anchors: &'s HashSet<NodeId>,
    pub at: Moment,
    /// What they must not pass.
    pub around: Option<&'s HashSet<NodeId>>,
}

/// One side of a search: each spot with the one that it was reached from.
struct Side {
    reached: HashMap<Spot, Spot>,
    queue: VecDeque<Spot>,
}

impl Side {
    fn from(starts: impl Iterator<Item = Spot>) -> Self {
        let queue: VecDeque<Spot> = starts.collect();
        Self { reached: queue.iter().map(|spot| (*spot, *spot)).collect(), queue }
    }

    /// Adds a spot; whether it is new.
    fn reach(&mut self, spot: Spot, from: Spot) -> bool {
        let new = !self.reached.contains_key(&spot);
        if new {
            self.reached.insert(spot, from);
            self.queue.push_back(spot);
        }
        new
    }

    /// The spots from a start to this one.
    fn path(&self, spot: Spot) -> Vec<Spot> {
        let next = |at: &Spot| self.reached.get(at).copied().filter(|from| from != at);
        std::iter::successors(Some(spot), next).collect()
    }
}

/// A network, a fall and the steps that are left: what every search needs.
pub(in super::super) struct Field<'f, 'a> {
    pub graph: &'f mut Graph<'a>,
    pub fall: &'f mut Fall<'a>,
    pub steps: &'f mut Steps,
}

impl Field<'_, '_> {
    /// Whether a line is up at a moment.
    pub async fn is_up(&mut self, way: &Way, at: Moment) -> Result<bool, ImpactError> {
        self.graph.is_up(self.fall, way, at, self.steps).await
    }
}

impl Flow {
    /// Looks for one more disjoint way.
    pub async fn augment(
        &mut self,
        field: &mut Field<'_, '_>,
        between: Between<'_>,
        thorough: Thorough,
    ) -> Result<Search, ImpactError> {
        let mut forward = Side::from(std::iter::once(Spot::Out(between.source)));
        let mut anchors: Vec<NodeId> = between.anchors.iter().copied().collect();
        anchors.sort_unstable();
        let mut backward = Side::from(anchors.into_iter().map(Spot::In));
        let mut next = Vec::new();
        while !forward.queue.is_empty() && !backward.queue.is_empty() {
            let ahead = forward.queue.len() <= backward.queue.len();
            let (own, other) = if ahead { (&mut forward, &mut backward) } else { (&mut backward, &mut forward) };
            let Some(spot) = own.queue.pop_front() else { break };
            next.clear();
            match ahead {
                true => self.successors(field, between, spot, own, &mut next).await?,
                false => self.predecessors(field, between, spot, thorough, own, &mut next).await?,
            }
            for reached in next.drain(..) {
                if own.reach(reached, spot) && other.reached.contains_key(&reached) {
                    self.take(field, between.at, &forward, &backward, reached);
                    return Ok(Search::Found);
                }
            }
        }
        if let Thorough::UpTo(most) = thorough {
            while backward.reached.len() <= most
                && let Some(spot) = backward.queue.pop_front()
            {
                next.clear();
                self.predecessors(field, between, spot, thorough, &backward, &mut next).await?;
                for reached in next.drain(..) {
                    backward.reach(reached, spot);
                }
            }
        }
        let closed = backward.queue.is_empty();
        Ok(Search::None { behind: backward.reached.into_keys().map(Spot::node).collect(), closed })
    }

    /// The lines that the ways run over, each with the node that it is left from; `None` where the network does not know
    /// one of them from there.
    pub fn lines(&self, graph: &Graph<'_>) -> Option<Vec<(NodeId, Way)>> {
        self.lines.iter().map(|(line, from)| Some((*from, graph.known(*from, *line)?))).collect()
    }

    /// Where a way can go on from a spot, of where its side has not been.
    async fn successors(
        &self,
        field: &mut Field<'_, '_>,
        between: Between<'_>,
        spot: Spot,
        own: &Side,
        next: &mut Vec<Spot>,
    ) -> Result<(), ImpactError> {
        let node = spot.node();
        let carries = self.through.contains(&node);
        if let Spot::In(_) = spot
            && !carries
        {
            if self.passes(field, between, node) {
                next.push(Spot::Out(node));
            }
            return Ok(());
        }
        let leads = |graph: &Graph<'_>, to: NodeId| {
            to != between.source && (graph.node(to).forwards || between.anchors.contains(&to))
        };
        for way in field.graph.ways_onward(field.fall, node, field.steps).await?.iter() {
            field.steps.take().await?;
            let onward = match spot {
                Spot::Out(_) if leads(field.graph, way.to) && !self.lines.contains(&(way.line, node)) => {
                    Spot::In(way.to)
                }
                Spot::In(_) if self.lines.contains(&(way.line, way.to)) => Spot::Out(way.to),
                _ => continue,
            };
            if !own.reached.contains_key(&onward) && field.is_up(way, between.at).await? {
                next.push(onward);
            }
        }
        if let Spot::Out(_) = spot
            && carries
        {
            next.push(Spot::In(node));
        }
        Ok(())
    }

    /// From where a way can come to a spot, of where its side has not been. Whoever only wants a way need not know of what passes none on.
    async fn predecessors(
        &self,
        field: &mut Field<'_, '_>,
        between: Between<'_>,
        spot: Spot,
        thorough: Thorough,
        own: &Side,
        next: &mut Vec<Spot>,
    ) -> Result<(), ImpactError> {
        let node = spot.node();
        let carries = self.through.contains(&node);
        if let Spot::Out(_) = spot
            && !carries
        {
            if self.passes(field, between, node) {
                next.push(Spot::In(node));
            }
            return Ok(());
        }
        let matters = |graph: &Graph<'_>, from: NodeId| {
            thorough != Thorough::No || from == between.source || graph.node(from).forwards
        };
        // What is joined to the source was reached from there first, so the source need not be found from here.
        let ways = match thorough {
            Thorough::No => field.graph.ways_onward(field.fall, node, field.steps).await?,
            Thorough::UpTo(_) => field.graph.ways(field.fall, node, field.steps).await?,
        };
        for way in ways.iter() {
            field.steps.take().await?;
            let back = match spot {
                Spot::In(_) if matters(field.graph, way.to) && !self.lines.contains(&(way.line, way.to)) => {
                    Spot::Out(way.to)
                }
                Spot::Out(_) if self.lines.contains(&(way.line, node)) => Spot::In(way.to),
                _ => continue,
            };
            if !own.reached.contains_key(&back) && field.is_up(way, between.at).await? {
                next.push(back);
            }
        }
        if let Spot::In(_) = spot
            && carries
        {
            next.push(Spot::Out(node));
        }
        Ok(())
    }

    /// Whether a way may pass a node that carries none yet.
    fn passes(&self, field: &Field<'_, '_>, between: Between<'_>, node: NodeId) -> bool {
        node != between.source
            && field.graph.node(node).forwards
            && !between.anchors.contains(&node)
            && between.around.is_none_or(|around| !around.contains(&node))
    }

    /// Takes over a way that both sides found together.
    fn take(&mut self, field: &Field<'_, '_>, at: Moment, forward: &Side, backward: &Side, middle: Spot) {
        let mut path = forward.path(middle);
        path.reverse();
        path.extend(backward.path(middle).into_iter().skip(1));
        for step in path.windows(2) {
            let [from, to] = [step[0], step[1]];
            match (from, to) {
                (Spot::In(node), Spot::Out(other)) if node == other => drop(self.through.insert(node)),
                (Spot::Out(node), Spot::In(other)) if node == other => drop(self.through.remove(&node)),
                (Spot::Out(node), Spot::In(other)) => {
                    let lines = field.graph.lines_between(field.fall, node, other, at);
                    let free = lines.into_iter().find(|line| !self.lines.contains(&(*line, node)));
                    self.lines.extend(free.map(|line| (line, node)));
                }
                (Spot::In(node), Spot::Out(other)) => {
                    let lines = field.graph.lines_between(field.fall, other, node, at);
                    let used = lines.into_iter().find(|line| self.lines.contains(&(*line, other)));
                    used.map(|line| self.lines.remove(&(line, other)));
                }
                _ => {}
            }
        }
        self.ways += 1;
    }
}
