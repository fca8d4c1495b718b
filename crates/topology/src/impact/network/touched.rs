//! The part of the network that a failure touches: the ends from which broken lines can be found, and the bundles on
//! them.

use std::collections::BTreeSet;

use super::super::error::ImpactError;
use super::super::fall::Fall;
use super::super::findings::{Effect, Found};
use super::super::marks::DOWN;
use super::super::picture::{each, each_by};
use super::super::role::{Part, Purpose, Rule};
use super::graph::{About, Graph, ends_of, family};
use crate::line::Lines;
use crate::steps::Steps;
use underlay_inventory::Place;

/// The part of the network that a failure touches.
#[derive(Debug, Default)]
pub(in super::super) struct Touched {
    /// Ends on lines that may be broken. A broken line with at least one end up passes at least one of these ends.
    pub ends: BTreeSet<Place>,
    /// Machines that are up and are connected inside a machine with one that went down.
    pub family: BTreeSet<Place>,
    /// Bundles that are up and may have lost members.
    bundles: BTreeSet<Place>,
}

impl Touched {
    /// Finds the part of the network that a failure touches. Follow a broken line from an end that is up to the first
    /// object that is down. There is a cable or a circuit with an end that is up, or an end that went down by itself.
    pub fn by(fall: &mut Fall<'_>, lines: &Lines, steps: &mut Steps) -> Result<Self, ImpactError> {
        let mut touched = Self::default();
        for at in 0..fall.fallen.len() {
            steps.take()?;
            let place = fall.fallen[at].place;
            touched.add(fall, place);
        }
        for place in fall.touched.iter().filter(|place| matches!(fall.picture.role(**place).part, Part::Joint(_))) {
            steps.take()?;
            touched.add_joint(fall, *place);
        }
        touched.find_bundles(fall, lines, steps)?;
        Ok(touched)
    }

    fn add(&mut self, fall: &Fall<'_>, place: Place) {
        let picture = &fall.picture;
        match &picture.role(place).part {
            Part::Joint(_) => self.add_joint(fall, place),
            Part::Crossing(_) | Part::Outside => self.ends.extend(ends_of(fall, place)),
            Part::Plug(plug) => {
                let Some((_, state)) = picture.plug(place) else { return };
                if matches!(state.purpose, Purpose::Inlet | Purpose::Outlet) {
                    return;
                }
                let machine_stands = picture.follow(place, plug.machine).is_none_or(|it| !picture.fell(it));
                if machine_stands || picture.joint_on(place).is_none() {
                    self.ends.insert(place);
                }
                self.add_bundle(fall, place);
            }
            Part::Machine(_) => {
                let stands = |other: &Place| *other != place && !picture.marks.has(*other, DOWN);
                let forwards =
                    picture.machine(place).and_then(|(_, state)| state.network).is_some_and(|it| it.forwards);
                if forwards {
                    self.family.extend(family(fall, place).into_iter().filter(stands));
                }
            }
            // An end of a circuit that was given as failed. It is only a part of the circuit.
            Part::Plain => self.ends.extend((!picture.role(place).missed).then_some(place)),
            Part::Guest(_) | Part::Pool | Part::Association(_) => {}
        }
    }

    fn add_joint(&mut self, fall: &Fall<'_>, joint: Place) {
        let Part::Joint(role) = &fall.picture.role(joint).part else { return };
        each(fall.picture.snapshot.outgoing(joint), &mut |by, end| {
            let powers = || {
                let purpose = fall.picture.plug(end).map(|(_, state)| state.purpose);
                matches!(purpose, Some(Purpose::Inlet | Purpose::Outlet))
            };
            if role.sides.contains(&by) && !fall.picture.marks.has(end, DOWN) && !powers() {
                self.ends.insert(end);
            }
        });
    }

    fn add_bundle(&mut self, fall: &Fall<'_>, plug: Place) {
        let bundle = fall.picture.plug(plug).and_then(|(role, _)| fall.picture.follow(plug, role.bundle));
        self.bundles.extend(bundle.filter(|bundle| !fall.picture.marks.has(*bundle, DOWN)));
    }

    fn find_bundles(&mut self, fall: &mut Fall<'_>, lines: &Lines, steps: &mut Steps) -> Result<(), ImpactError> {
        let mut graph = Graph::new(fall, lines, About::OneFailure);
        let mut far = Vec::new();
        for end in &self.ends {
            steps.take()?;
            graph.each_far(fall, *end, &mut |_, plug| far.push(plug));
        }
        far.into_iter().for_each(|plug| self.add_bundle(fall, plug));
        Ok(())
    }

    /// Applies the group rule. A bundle is degraded if some of the members that carried traffic fail; it is down if
    /// none is left.
    pub fn bundles<'a>(
        &self,
        fall: &mut Fall<'a>,
        lines: &'a Lines,
        steps: &mut Steps,
    ) -> Result<Vec<Found>, ImpactError> {
        let mut graph = Graph::new(fall, lines, About::OneFailure);
        let mut found = Vec::new();
        for bundle in &self.bundles {
            fall.explore(*bundle, steps)?;
            let mut members = Vec::new();
            for by in &fall.picture.roles.bundles {
                each_by(fall.picture.snapshot.incoming(*bundle), *by, &mut |member| members.push(member));
            }
            let (mut lost, mut left) = (Vec::new(), 0);
            for member in members {
                let (before, after, cause) = graph.carries(fall, member, steps)?;
                left += usize::from(after);
                lost.extend(cause.filter(|_| before && !after));
            }
            lost.sort_unstable();
            lost.dedup();
            if !lost.is_empty() {
                let effect = if left == 0 { Effect::Down } else { Effect::Degraded };
                found.push(Found::new(*bundle, effect, Rule::Group, lost));
            }
        }
        Ok(found)
    }
}
