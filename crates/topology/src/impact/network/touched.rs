//! The part of the network that a failure touches: the ends from which broken lines can be found, and the bundles on
//! them.

use std::collections::BTreeSet;

use super::super::error::ImpactError;
use super::super::findings::{Effect, Finding};
use super::super::marks::DOWN;
use super::super::physical_state::{each, each_by};
use super::super::propagate::Propagation;
use super::graph::{About, NetworkGraph};
use super::lines::{ends_of, family};
use crate::role::{Part, Plane, Purpose, Rule};
use crate::steps::Steps;
use underlay_inventory::ObjectRef;

/// The part of the network that a failure touches.
#[derive(Debug, Default)]
pub(in super::super) struct Touched {
    /// Ends on lines that may be broken. A broken line with at least one end up passes at least one of these ends.
    pub ends: BTreeSet<ObjectRef>,
    /// Machines that are up and are connected inside a machine with one that went down.
    pub family: BTreeSet<ObjectRef>,
    /// Bundles that are up and may have lost members.
    bundles: BTreeSet<ObjectRef>,
}

impl Touched {
    /// Finds the part of the network that a failure touches. Follow a broken line from an end that is up to the first
    /// object that is down. There is a cable or a circuit with an end that is up, or an end that went down by itself.
    pub fn by(propagation: &mut Propagation<'_>, steps: &mut Steps) -> Result<Self, ImpactError> {
        let mut touched = Self::default();
        for at in 0..propagation.down.len() {
            steps.take()?;
            let object = propagation.down[at].object;
            touched.add(propagation, object);
        }
        for object in propagation
            .touched
            .iter()
            .filter(|object| matches!(propagation.physical_state.role(**object).part, Part::Span(_)))
        {
            steps.take()?;
            touched.add_span(propagation, *object);
        }
        touched.find_bundles(propagation, steps)?;
        Ok(touched)
    }

    fn add(&mut self, propagation: &Propagation<'_>, object: ObjectRef) {
        let physical_state = &propagation.physical_state;
        match &physical_state.role(object).part {
            Part::Span(_) => self.add_span(propagation, object),
            Part::OpaqueSpan(_) | Part::Outside(_) => self.ends.extend(ends_of(propagation, object)),
            Part::Connector(connector) => {
                let Some((_, state)) = physical_state.connector(object) else { return };
                if matches!(state.purpose, Purpose::Inlet | Purpose::Outlet) {
                    return;
                }
                let machine_is_up =
                    physical_state.follow(object, connector.machine).is_none_or(|it| !physical_state.went_down(it));
                if machine_is_up || physical_state.span_on(object).is_none() {
                    self.ends.insert(object);
                }
                self.add_bundle(propagation, object);
            }
            Part::Machine(_) => {
                let is_up = |other: &ObjectRef| *other != object && !physical_state.marks.has(*other, DOWN);
                let forwards = physical_state
                    .machine(object)
                    .and_then(|(_, state)| state.on(Plane::Data))
                    .is_some_and(|it| it.forwards);
                if forwards {
                    self.family.extend(family(propagation, object).into_iter().filter(is_up));
                }
            }
            // An end of a circuit that was given as failed. It is only a part of the circuit.
            Part::End(_) => self.ends.extend((!physical_state.role(object).reported.is_loss()).then_some(object)),
            Part::Plain | Part::Group(_) | Part::Guest(_) | Part::Pool(_) | Part::Association(_) => {}
        }
    }

    fn add_span(&mut self, propagation: &Propagation<'_>, span: ObjectRef) {
        let Part::Span(role) = &propagation.physical_state.role(span).part else { return };
        each(propagation.physical_state.snapshot.outgoing(span), &mut |by, end| {
            let powers = || {
                let purpose = propagation.physical_state.connector(end).map(|(_, state)| state.purpose);
                matches!(purpose, Some(Purpose::Inlet | Purpose::Outlet))
            };
            if role.sides.contains(&by) && !propagation.physical_state.marks.has(end, DOWN) && !powers() {
                self.ends.insert(end);
            }
        });
    }

    fn add_bundle(&mut self, propagation: &Propagation<'_>, connector: ObjectRef) {
        let bundle = propagation
            .physical_state
            .connector(connector)
            .and_then(|(role, _)| propagation.physical_state.follow(connector, role.bundle));
        self.bundles.extend(bundle.filter(|bundle| !propagation.physical_state.marks.has(*bundle, DOWN)));
    }

    fn find_bundles(&mut self, propagation: &mut Propagation<'_>, steps: &mut Steps) -> Result<(), ImpactError> {
        let mut graph = NetworkGraph::new(propagation, About::OneFailure);
        let mut far = Vec::new();
        for end in &self.ends {
            steps.take()?;
            graph.each_far(propagation, *end, &mut |_, connector| far.push(connector));
        }
        far.into_iter().for_each(|connector| self.add_bundle(propagation, connector));
        Ok(())
    }

    /// Applies the group rule. A bundle is degraded if some of the members that carried traffic fail; it is down if
    /// none is left.
    pub fn bundles<'a>(
        &self,
        propagation: &mut Propagation<'a>,
        steps: &mut Steps,
    ) -> Result<Vec<Finding>, ImpactError> {
        let mut graph = NetworkGraph::new(propagation, About::OneFailure);
        let mut found = Vec::new();
        for bundle in &self.bundles {
            propagation.explore(*bundle, steps)?;
            let mut members = Vec::new();
            for by in &propagation.physical_state.roles.bundles {
                each_by(propagation.physical_state.snapshot.incoming(*bundle), *by, &mut |member| members.push(member));
            }
            let (mut lost, mut left) = (Vec::new(), 0);
            for member in members {
                let (before, after, cause) = graph.carries(propagation, member, steps)?;
                left += usize::from(after);
                lost.extend(cause.filter(|_| before && !after));
            }
            lost.sort_unstable();
            lost.dedup();
            if !lost.is_empty() {
                let effect = if left == 0 { Effect::Down } else { Effect::Degraded };
                found.push(Finding::new(*bundle, effect, Rule::Group, lost));
            }
        }
        Ok(found)
    }
}
