//! The registry of the roles of all kinds, with the facts that follow from them.

use underlay_inventory::{KindId, ReferenceId, Registry};

use super::{Dependency, End, Part, Reported, Role};

/// The roles of all kinds, with the facts that follow from them.
#[derive(Clone, Debug)]
pub struct Roles {
    roles: Vec<Role>,
    /// For each kind, what its objects go down with: the dependencies that the role lists, and those that its part
    /// implies.
    dependencies: Vec<Vec<Dependency>>,
    /// For each kind, the objects that it stands for at the ends of a path.
    stands_for: Vec<StandsFor>,
    /// For each field of each kind, how a failure propagates from the target of the reference.
    propagates: Vec<Vec<Propagates>>,
    /// The references from spans to their ends, each with the reference to the ends of the other side.
    pub(crate) sides: Vec<SpanSide>,
    /// The references from ends to the ends that they are plugged into directly.
    pub(crate) plugged: Vec<ReferenceId>,
    /// The references from connectors to machines.
    pub(crate) machines: Vec<ReferenceId>,
    /// The references from connectors to bundles.
    pub(crate) bundles: Vec<ReferenceId>,
    /// The references from machines to pools.
    pub(crate) pools: Vec<ReferenceId>,
    /// The references from machines to groups and pools.
    pub(crate) groups: Vec<ReferenceId>,
    /// The references from machines to the machines that they are parts of.
    pub(crate) wholes: Vec<ReferenceId>,
    /// For each kind of association both references, in both orders.
    pub(crate) associations: Vec<[ReferenceId; 2]>,
}

/// One side of a kind of span.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SpanSide {
    /// The index of the side, 0 or 1.
    pub index: usize,
    /// The reference to the ends of this side.
    pub own: ReferenceId,
    /// The reference to the ends of the other side.
    pub other: ReferenceId,
}

/// The propagation of a failure from the target of a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Propagates {
    /// The failure does not propagate.
    Nowhere,
    /// The failure propagates to the object that has the reference.
    ToReferrer,
    /// The failure propagates to the object of which the referrer is a part. Contains the reference from part to
    /// object.
    ToWhole(ReferenceId),
    /// The failure propagates to the referrer by the service rules, after all physical rules.
    ByService,
}

/// The objects that a kind stands for at the ends of a path.
#[derive(Clone, Debug)]
pub(crate) enum StandsFor {
    /// No path begins or ends at the object.
    Nothing,
    /// The object stands for itself.
    Itself,
    /// The object stands for the objects behind the first of these references that leads to any.
    FirstOf(Vec<Toward>),
    /// The object stands for the objects at the ends of the line over it.
    EndsOfItsLine,
}

/// A step from an object to related objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Toward {
    /// To the objects that the object refers to.
    To(ReferenceId),
    /// To the objects that refer to the object.
    From(ReferenceId),
}

impl Roles {
    /// Creates the registry from the roles, in the order of the kinds.
    ///
    /// # Panics
    /// Panics if there is not exactly one role for every kind. This would be a mistake in the list of kinds.
    pub fn new(registry: &Registry, roles: Vec<Role>) -> Self {
        assert_eq!(registry.kinds().len(), roles.len(), "every kind has a role");
        let mut all = Self {
            dependencies: roles.iter().map(dependencies).collect(),
            stands_for: roles.iter().map(stands_for).collect(),
            propagates: registry.kinds().map(|kind| vec![Propagates::Nowhere; kind.fields.len()]).collect(),
            sides: Vec::new(),
            plugged: Vec::new(),
            machines: Vec::new(),
            bundles: Vec::new(),
            pools: Vec::new(),
            groups: Vec::new(),
            wholes: Vec::new(),
            associations: Vec::new(),
            roles: Vec::new(),
        };
        for role in &roles {
            all.add_propagation(role);
            all.add_references(role);
        }
        all.roles = roles;
        all
    }

    /// Adds how failures propagate to objects of a kind.
    fn add_propagation(&mut self, role: &Role) {
        for dependency in dependencies(role) {
            let to = dependency.part_of.map_or(Propagates::ToReferrer, Propagates::ToWhole);
            self.propagate(dependency.by, to);
        }
        match role.part {
            Part::Span(span) => span.sides.into_iter().for_each(|side| self.propagate(side, Propagates::ToReferrer)),
            Part::Connector(connector) => {
                connector.end.fed_by.into_iter().for_each(|by| self.propagate(by, Propagates::ToReferrer))
            }
            Part::Guest(guest) => guest.hosts.iter().for_each(|host| self.propagate(*host, Propagates::ByService)),
            Part::Association(association) => {
                let references = association.ends.into_iter().chain([association.carriers]);
                references.for_each(|reference| self.propagate(reference, Propagates::ByService));
            }
            _ => {}
        }
    }

    fn propagate(&mut self, reference: ReferenceId, to: Propagates) {
        self.propagates[usize::from(reference.kind.0)][usize::from(reference.field)] = to;
    }

    /// Adds the references of a kind to the lists that are searched for objects of any kind.
    fn add_references(&mut self, role: &Role) {
        self.plugged.extend(role.end().and_then(|end| end.plugged_into));
        self.groups.extend(role.group().map(|group| group.members));
        match role.part {
            Part::Pool(pool) => self.pools.push(pool.members),
            Part::Span(span) => {
                let [a, b] = span.sides;
                self.sides.push(SpanSide { index: 0, own: a, other: b });
                self.sides.push(SpanSide { index: 1, own: b, other: a });
            }
            Part::Connector(connector) => {
                self.machines.push(connector.machine);
                self.bundles.push(connector.bundle);
            }
            Part::Machine(machine) => self.wholes.push(machine.whole),
            Part::Association(association) => {
                let [a, b] = association.ends;
                self.associations.extend([[a, b], [b, a]]);
            }
            _ => {}
        }
    }

    /// Returns the role of a kind.
    #[inline]
    pub fn of(&self, kind: KindId) -> &Role {
        &self.roles[usize::from(kind.0)]
    }

    /// Returns the description of a kind of ends; `None` if objects of the kind are not ends.
    #[inline]
    pub fn end(&self, kind: KindId) -> Option<&End> {
        self.of(kind).end()
    }

    /// Returns what objects of a kind go down with.
    #[inline]
    pub(crate) fn dependencies(&self, kind: KindId) -> &[Dependency] {
        &self.dependencies[usize::from(kind.0)]
    }

    /// Returns the objects that a kind stands for at the ends of a path.
    pub(crate) fn stands_for(&self, kind: KindId) -> &StandsFor {
        &self.stands_for[usize::from(kind.0)]
    }

    /// Returns how a failure propagates from the target of a reference.
    pub(crate) fn propagates(&self, reference: ReferenceId) -> Propagates {
        self.propagates[usize::from(reference.kind.0)][usize::from(reference.field)]
    }

    /// Returns true if objects of a kind are part of the infrastructure: they can fail, lead a line or contain others.
    /// Objects of the other kinds, such as a credential, change no answer about failures.
    pub fn is_infrastructure(&self, kind: KindId) -> bool {
        let role = self.of(kind);
        !matches!(role.part, Part::Plain) || role.reported != Reported::Never
    }

    /// Returns the names of the kinds from which a line can be traced.
    pub fn ends_of_lines(&self, registry: &Registry) -> Vec<&'static str> {
        registry.kinds().filter(|kind| self.end(kind.id).is_some()).map(|kind| kind.name).collect()
    }

    /// Returns the names of the kinds at which paths can begin and end.
    pub fn ends_of_paths(&self, registry: &Registry) -> Vec<&'static str> {
        let is_end = |kind: KindId| !matches!(self.stands_for(kind), StandsFor::Nothing);
        registry.kinds().filter(|kind| is_end(kind.id)).map(|kind| kind.name).collect()
    }
}

/// Returns what objects of a kind go down with: first what its part implies, then what the role lists, and last what
/// supplies it.
fn dependencies(role: &Role) -> Vec<Dependency> {
    let (owners, supply) = match role.part {
        Part::Connector(connector) => ([Some(connector.machine), connector.guest], None),
        Part::End(end) => ([None, None], end.fed_by),
        _ => ([None, None], None),
    };
    let owners = owners.into_iter().flatten().map(Dependency::inside);
    owners.chain(role.depends_on.iter().copied()).chain(supply.map(Dependency::supplied)).collect()
}

/// Returns the objects that a kind stands for at the ends of a path.
fn stands_for(role: &Role) -> StandsFor {
    let first_of = |references: &[ReferenceId], toward: fn(ReferenceId) -> Toward| {
        StandsFor::FirstOf(references.iter().copied().map(toward).collect())
    };
    match role.part {
        _ if !role.represented_by.is_empty() => first_of(role.represented_by, Toward::From),
        Part::Machine(_) | Part::Outside(_) => StandsFor::Itself,
        Part::Group(group) | Part::Pool(group) => first_of(&[group.members], Toward::From),
        Part::Guest(guest) => first_of(guest.hosts, Toward::To),
        Part::OpaqueSpan(opaque_span) => first_of(&[opaque_span.ends], Toward::From),
        Part::Connector(connector) => {
            let owners: Vec<ReferenceId> = [connector.machine].into_iter().chain(connector.guest).collect();
            first_of(&owners, Toward::To)
        }
        Part::End(end) if end.opaque_span.is_some() => StandsFor::EndsOfItsLine,
        Part::End(_) | Part::Plain | Part::Span(_) | Part::Association(_) => StandsFor::Nothing,
    }
}
