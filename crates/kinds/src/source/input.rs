//! The GraphQL inputs, filters and sort orders of sources.

use underlay_entity::source::{Model, SourceHealth, SourceHostsArrive, SourceLimits, SourcePrune};

use crate::{filter, inputs, order};
use underlay_read::enum_filter;
use underlay_read::{BooleanFilter, IntFilter, TextFilter};

enum_filter!(SourcePruneFilter, SourcePrune);
enum_filter!(SourceHealthFilter, SourceHealth);
enum_filter!(SourceHostsArriveFilter, SourceHostsArrive);

inputs! {
    Source as source;
    input SourceInput;
    patch SourcePatch;
    payload SourcePayload;

    reference SourceRef {
        /// The name of the source.
        source_name: String;
    }

    fixed {}

    fields {
        /// The type of the outside system: free text, such as `netbox`. Required to create a source.
        r#type: String;
        /// The address of the outside system, for people: at most 2,000 characters.
        url: String;
        /// The time between two full runs, in seconds: 10 to 2,592,000 (30 days). Defaults to 300.
        interval: i32;
        /// The effect on an object that the source no longer has. Defaults to KEEP. Only operators and administrators
        /// set it.
        prune: SourcePrune;
        /// The limits on what the runs of the source remove or empty within 24 hours, for each kind. Only operators and
        /// administrators set them.
        limits: SourceLimits;
        /// True pauses the source: its synchronizer starts no runs. Defaults to false. Only operators and
        /// administrators set it.
        paused: bool;
        /// The state of the hosts that a run of the source creates. Defaults to REGISTERED. Only operators and
        /// administrators set it.
        hosts_arrive: SourceHostsArrive;
    }
}

filter! {
    Source: Model;
    filter SourceFilter, SourceListFilter;

    values {
        r#type: TextFilter = |source| Some(source.r#type.as_str());
        url: TextFilter = |source| source.url.as_deref();
        interval: IntFilter = |source| Some(i64::from(source.interval_seconds));
        prune: SourcePruneFilter = |source| Some(source.prune);
        paused: BooleanFilter = |source| Some(source.paused);
        health: SourceHealthFilter = |source| Some(source.health);
        hosts_arrive: SourceHostsArriveFilter = |source| Some(source.hosts_arrive);
    }

    references {}

    lists {}

    more {}
}

order! {
    Source: Model;
    order SourceOrder, SourceOrderBy;

    values {
        Type as "type": "the type" = |source| Some(source.r#type.as_str());
    }
}
