//! Describes the kinds to the reader of manifests: their names, their fields, and which fields hold
//! references.
//!
//! The caller implements [`Kinds`] from its registry. Manifests can therefore hold a new kind without a change here.

/// The kinds that manifests can hold or refer to.
pub trait Kinds {
    /// Returns the kind with this name (`PowerFeed`). Also finds a kind that is written only as a part of another kind.
    fn kind(&self, name: &str) -> Option<KindForm>;

    /// Returns the names of the kinds that manifests are printed for. A manifest can also hold the other kinds, which
    /// are parts of these.
    fn names(&self) -> Vec<&'static str>;
}

/// The form of a kind in a manifest.
#[derive(Clone, Debug)]
pub struct KindForm {
    /// The name of the kind, such as `PowerFeed`.
    pub name: &'static str,
    /// The member of an item that holds an object of the kind, such as `powerFeed`.
    pub singular: &'static str,
    /// The member of a reference that holds the name, such as `powerFeed`; for CircuitTermination it is `side`.
    pub member: &'static str,
    /// True if an object can be written without a name.
    pub unnamed: bool,
    /// The fields that `spec` can hold. `name` and `labels` can be among them; a manifest has these two in `metadata`.
    pub fields: Vec<FieldForm>,
}

/// The form of a field in a manifest.
#[derive(Clone, Copy, Debug)]
pub struct FieldForm {
    /// The name of the field in GraphQL.
    pub name: &'static str,
    /// The references in the field, if it holds any.
    pub reference: Option<ReferenceForm>,
}

/// The references that a field holds.
#[derive(Clone, Copy, Debug)]
pub struct ReferenceForm {
    /// The names of the kinds that the field can refer to.
    pub targets: &'static [&'static str],
    /// The position of the references in the field.
    pub form: Form,
}

/// The position of references in a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The field is a reference.
    One,
    /// The field is an object whose one member, named after the kind, is a reference.
    OneOf,
    /// The field is an object in which this member is a reference.
    Member(&'static str),
    /// The field is a list of references.
    Many,
    /// The field is a list of objects as in `OneOf`.
    ManyOf,
    /// The field is a list of objects as in `Member`.
    ManyMember(&'static str),
    /// The field is an object that becomes an object of the target kind. It can hold these fields of that kind.
    Part(&'static [&'static str]),
}

/// A registry for the tests of this module, with the fields that they use.
#[cfg(test)]
pub(super) mod sample {
    use super::*;

    /// Kind, singular, fields; a reference field is followed by its form and targets.
    type Row = (&'static str, &'static str, &'static [(&'static str, Option<ReferenceForm>)]);

    pub(in super::super) struct Sample;

    const fn to(form: Form, targets: &'static [&'static str]) -> Option<ReferenceForm> {
        Some(ReferenceForm { targets, form })
    }

    const ENDS: &[&str] = &["Port", "PowerFeed", "CircuitTermination"];
    const LINKED: &[&str] = &["Site", "Cluster", "Device"];
    const END: Option<ReferenceForm> = to(Form::Part(&["site", "providerNetwork", "port"]), &["CircuitTermination"]);

    const ROWS: &[Row] = &[
        ("Region", "region", &[("displayName", None), ("parent", to(Form::One, &["Region"]))]),
        ("Site", "site", &[("type", None), ("region", to(Form::One, &["Region"]))]),
        ("Location", "location", &[("site", to(Form::One, &["Site"])), ("parent", to(Form::One, &["Location"]))]),
        ("Rack", "rack", &[("site", to(Form::One, &["Site"])), ("heightU", None), ("row", None), ("status", None)]),
        (
            "PowerFeed",
            "powerFeed",
            &[("rack", to(Form::One, &["Rack"])), ("upstream", to(Form::OneOf, &["PowerFeed", "Port"]))],
        ),
        ("Device", "device", &[("role", None), ("placement", to(Form::Member("rack"), &["Rack"]))]),
        (
            "Port",
            "port",
            &[
                ("device", to(Form::One, &["Device"])),
                ("passThrough", to(Form::ManyMember("rear"), &["Port"])),
                ("fedBy", to(Form::ManyOf, &["Port", "PowerFeed"])),
            ],
        ),
        ("Cable", "cable", &[("label", None), ("aEnds", to(Form::ManyOf, ENDS)), ("bEnds", to(Form::ManyOf, ENDS))]),
        (
            "Link",
            "link",
            &[("a", to(Form::OneOf, LINKED)), ("b", to(Form::OneOf, LINKED)), ("cables", to(Form::Many, &["Cable"]))],
        ),
        ("Provider", "provider", &[("type", None)]),
        ("ProviderNetwork", "providerNetwork", &[("provider", to(Form::One, &["Provider"]))]),
        ("Circuit", "circuit", &[("aEnd", END), ("zEnd", END)]),
        (
            "CircuitTermination",
            "circuitTermination",
            &[
                ("site", to(Form::One, &["Site"])),
                ("providerNetwork", to(Form::One, &["ProviderNetwork"])),
                ("port", to(Form::One, &["Port"])),
            ],
        ),
        ("Cluster", "cluster", &[("controlPlaneSite", to(Form::One, &["Site"]))]),
        ("VirtualMachine", "virtualMachine", &[("host", to(Form::One, &["Device"]))]),
    ];
    const COMMON: [&str; 6] = ["name", "labels", "tenant", "description", "attributes", "externalRefs"];

    impl Kinds for Sample {
        fn kind(&self, name: &str) -> Option<KindForm> {
            let (name, singular, own) = ROWS.iter().find(|(kind, ..)| *kind == name)?;
            let common = COMMON.iter().map(|name| FieldForm { name, reference: None });
            let own = own.iter().map(|(name, reference)| FieldForm { name, reference: *reference });
            let member = if *name == "CircuitTermination" { "side" } else { singular };
            Some(KindForm { name, singular, member, unnamed: *name == "Cable", fields: common.chain(own).collect() })
        }

        fn names(&self) -> Vec<&'static str> {
            ROWS.iter().map(|(name, ..)| *name).filter(|name| *name != "CircuitTermination").collect()
        }
    }
}
