//! Follows lines from the fields of the rows.

use std::rc::Rc;

use uuid::Uuid;

use super::Naive;

/// A line from a data port: where it ends, over what.
pub(super) struct Line {
    pub(super) end: Uuid,
    pub(super) complete: bool,
    pub(super) active: bool,
    pub(super) guessed: bool,
    pub(super) hops: Vec<Uuid>,
}

impl Naive {
    /// The lines of a port, outwards.
    pub(super) fn lines(&self, port: Uuid) -> Rc<Vec<Line>> {
        if let Some(known) = self.lines.borrow().get(&port) {
            return Rc::clone(known);
        }
        let mut found = Vec::new();
        let start = Line { end: port, complete: false, active: self.runs(port), guessed: false, hops: vec![port] };
        self.leave(start, &[], &mut found);
        let found = Rc::new(found);
        self.lines.borrow_mut().insert(port, Rc::clone(&found));
        found
    }

    fn on(&self, line: &Line, hop: Uuid, stack: &[i64], arrives: bool, found: &mut Vec<Line>) {
        let is_active = match self.objects[&hop].kind {
            "Circuit" | "Site" => self.text(hop, "status") == "ACTIVE",
            "Port" | "Cable" => self.runs(hop),
            _ => true,
        };
        let hops = line.hops.iter().copied().chain([hop]).collect();
        let next = Line { end: hop, complete: false, active: line.active && is_active, guessed: line.guessed, hops };
        if line.hops.len() > 100 {
            return;
        }
        if arrives { self.arrive(next, stack, found) } else { self.leave(next, stack, found) }
    }

    fn leave(&self, line: Line, stack: &[i64], found: &mut Vec<Line>) {
        let end = line.end;
        if let Some(cable) = self.cable_on(end) {
            let (a, b) = (self.ids(cable, "aEnds"), self.ids(cable, "bEnds"));
            let others = if a.contains(&end) { b } else { a };
            let active = line.active && self.runs(cable);
            let hops: Vec<Uuid> = line.hops.iter().copied().chain([cable]).collect();
            for other in others.iter().copied() {
                let over = Line { end, complete: false, active, guessed: line.guessed, hops: hops.clone() };
                self.on(&over, other, stack, true, found);
            }
        } else if let Some(port) = self.one(end, "port").filter(|_| self.is(end, "CircuitTermination")) {
            self.on(&line, port, stack, true, found);
        } else if let Some(plugged) = self.with("CircuitTermination", "port", end).first() {
            self.on(&line, *plugged, stack, true, found);
        } else if let Some(network) = self.one(end, "providerNetwork") {
            let hops = line.hops.iter().copied().chain([network]).collect();
            found.push(Line { end: network, complete: true, hops, ..line });
        } else {
            found.push(line);
        }
    }

    fn arrive(&self, line: Line, stack: &[i64], found: &mut Vec<Line>) {
        let end = line.end;
        if self.is(end, "CircuitTermination") {
            let circuit = self.one(end, "circuit").unwrap();
            let active = line.active && self.text(circuit, "status") == "ACTIVE";
            let hops: Vec<Uuid> = line.hops.iter().copied().chain([circuit]).collect();
            let other = self.with("CircuitTermination", "circuit", circuit).into_iter().find(|it| *it != end);
            let over = Line { end: circuit, complete: false, active, guessed: line.guessed, hops };
            return match other {
                Some(other) => self.on(&over, other, stack, false, found),
                None => found.push(over),
            };
        }
        if !self.text(end, "type").starts_with("PATCH") {
            return found.push(Line { complete: true, ..line });
        }
        let own_positions = self.get(end, "positions").as_i64().unwrap();
        let (wanted, rest) = match (own_positions, stack) {
            (1, _) => (Some(1), stack),
            (_, [rest @ .., top]) => (Some(*top), rest),
            (_, []) => (None, stack),
        };
        for (position, mirror, mirror_position) in self.mappings(end) {
            if wanted.is_some_and(|wanted| wanted != position) {
                continue;
            }
            let mut stack = rest.to_vec();
            if self.get(mirror, "positions").as_i64().unwrap() > 1 {
                stack.push(mirror_position);
            }
            let over = Line { guessed: line.guessed || wanted.is_none(), hops: line.hops.clone(), ..line };
            self.on(&over, mirror, &stack, false, found);
        }
    }

    /// (position, mirror port, its position).
    fn mappings(&self, port: Uuid) -> Vec<(i64, Uuid, i64)> {
        let mut found = Vec::new();
        let fronts = self.with("Port", "passThrough", port);
        for front in std::collections::BTreeSet::from_iter(fronts.into_iter().chain([port])) {
            for mapping in self.get(front, "passThrough").as_array().into_iter().flatten() {
                let (own, rear_position) = (mapping["position"].as_i64(), mapping["rearPosition"].as_i64());
                let (own, rear_position) = (own.unwrap_or(1), rear_position.unwrap_or(1));
                let rear: Uuid = mapping["rear"].as_str().unwrap().parse().unwrap();
                if front == port {
                    found.push((own, rear, rear_position));
                } else if rear == port {
                    found.push((rear_position, front, own));
                }
            }
        }
        found
    }
}
