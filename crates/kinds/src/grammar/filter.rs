//! The macro that defines the filter of a kind.

/// Defines the filter of a kind, and the filter on lists of it.
///
/// `values` filter fields of the row. `references` nest the filter of the object that is referred to. `lists` ask for
/// some or none of the objects that refer to the row's object. `more` are filters with a function of their own.
#[macro_export]
macro_rules! filter {
    (
        $name:ident: $model:ty;
        filter $filter:ident, $list_filter:ident;
        values { $( $value:ident: $value_filter:ty = $value_of:expr; )* }
        references { $( $reference:ident: $reference_filter:ty => $reference_kind:ty, $reference_by:expr; )* }
        lists { $( $list:ident: $list_type:ty => $list_kind:ty, $list_by:expr; )* }
        more { $( $(#[$more_docs:meta])* $more:ident: $more_type:ty = $more_fits:expr; )* }
    ) => {
        #[doc = concat!(
            "Selects objects of kind ", stringify!($name), ". All given members must match. Conditions on references and ",
            "lists can be in each other at most 6 deep."
        )]
        #[derive(Clone, Debug, Default, async_graphql::InputObject)]
        pub struct $filter {
            /// All of these filters must match.
            pub and: Option<Vec<$filter>>,
            /// At least one of these filters must match.
            pub or: Option<Vec<$filter>>,
            /// This filter must not match.
            pub not: Option<Box<$filter>>,
            /// For a filter on a reference only: true matches objects without the reference, false matches objects with
            /// it.
            pub is_null: Option<bool>,
            /// A condition on the id of the object.
            pub id: Option<underlay_read::IdFilter>,
            /// A condition on the path of the object, such as `rack/ams1/A14`, or `ams1/A14` without the kind.
            pub path: Option<underlay_read::PathFilter>,
            /// A condition on the name of the object.
            pub name: Option<underlay_read::TextFilter>,
            /// A condition on the labels: a selector as in Kubernetes, such as `env in (prod,stage),!legacy`.
            pub labels: Option<underlay_read::LabelSelector>,
            /// A condition on the tenant that owns the object.
            pub tenant: Option<underlay_read::TextFilter>,
            /// A condition on the description of the object.
            pub description: Option<underlay_read::TextFilter>,
            /// A condition on the external references of the object.
            pub external_ref: Option<underlay_read::ExternalRefFilter>,
            /// A condition on the revision that last changed the object.
            pub version: Option<underlay_read::LongFilter>,
            /// A condition on the time of creation.
            pub created_at: Option<underlay_read::TimeFilter>,
            /// A condition on the time of the last change.
            pub updated_at: Option<underlay_read::TimeFilter>,
            /// Matches objects anywhere beneath this object: a region, site, location, rack or chassis, by its id or its
            /// path, such as `rack/ams1/A14`. A cable, link or circuit counts as beneath each of its ends, and beneath
            /// everything that contains one of them. A virtual machine is where its host is, or else where its cluster
            /// is; a cluster is where its devices and its control plane are. An error says so if objects of the kind are
            /// in no place.
            pub within: Option<async_graphql::ID>,
            $(
                /// A condition on the field of the same name.
                pub $value: Option<$value_filter>,
            )*
            $(
                /// A condition on the object that the field of the same name refers to.
                pub $reference: Option<Box<$reference_filter>>,
            )*
            $(
                /// A condition on the objects in the list of the same name.
                pub $list: Option<Box<$list_type>>,
            )*
            $(
                $(#[$more_docs])*
                pub $more: Option<$more_type>,
            )*
        }

        #[doc = concat!("A condition on a list of objects of kind ", stringify!($name), ". All given members must match.")]
        #[derive(Clone, Debug, Default, async_graphql::InputObject)]
        pub struct $list_filter {
            /// At least one object of the list must match.
            pub some: Option<$filter>,
            /// No object of the list may match.
            pub none: Option<$filter>,
        }

        /// The filter of this kind.
        pub type Filter = $filter;

        impl underlay_read::Nests for $filter {
            fn nesting(&self) -> usize {
                let own = self.and.nesting().max(self.or.nesting()).max(self.not.nesting());
                own
                    $( .max(self.$reference.as_ref().map_or(0, |filter| 1 + filter.nesting())) )*
                    $( .max(self.$list.as_ref().map_or(0, |filter| 1 + filter.some.nesting().max(filter.none.nesting()))) )*
                    $( .max(self.$more.nesting()) )*
            }
        }

        impl underlay_read::Filter<super::node::$name> for $filter {
            fn fits(&self, row: &$model, at: underlay_read::At<'_>) -> bool {
                use underlay_read::ValueFilter as _;
                type Own = super::node::$name;
                if !at.steps.take() {
                    return true;
                }
                let fits = |filter: &Self| underlay_read::Filter::<Own>::fits(filter, row, at);
                self.and.as_ref().is_none_or(|all| all.iter().all(fits))
                    && self.or.as_ref().is_none_or(|any| any.iter().any(fits))
                    && self.not.as_ref().is_none_or(|not| !fits(not))
                    && self.is_null != Some(true)
                    && self.id.as_ref().is_none_or(|filter| filter.fits(Some(row.id)))
                    && self.path.as_ref().is_none_or(|filter| filter.fits(at.snapshot, at.object))
                    && self.name.as_ref().is_none_or(|filter| filter.fits(Some(&row.name)))
                    && self.labels.as_ref().is_none_or(|filter| filter.fits(&row.labels))
                    && self.tenant.as_ref().is_none_or(|filter| filter.fits(row.tenant.as_deref()))
                    && self.description.as_ref().is_none_or(|filter| filter.fits(row.description.as_deref()))
                    && self.external_ref.as_ref().is_none_or(|filter| filter.fits(&row.external_refs))
                    && self.version.as_ref().is_none_or(|filter| filter.fits(Some(underlay_entity::long::Long(row.version))))
                    && self.created_at.as_ref().is_none_or(|filter| filter.fits(Some(row.created_at)))
                    && self.updated_at.as_ref().is_none_or(|filter| filter.fits(Some(row.updated_at)))
                    && self.within.as_ref().is_none_or(|ancestor| underlay_read::is_within(ancestor, at))
                    $(
                        && self.$value.as_ref().is_none_or(|filter| {
                            let value: fn(&$model) -> Option<<$value_filter as underlay_read::ValueFilter>::Value<'_>> =
                                $value_of;
                            filter.fits(value(row))
                        })
                    )*
                    $(
                        && self.$reference.as_ref().is_none_or(|filter| {
                            underlay_read::reference_fits::<$reference_kind, _>(&**filter, $reference_by, at)
                        })
                    )*
                    $(
                        && self.$list.as_ref().is_none_or(|filter| {
                            let (some, none) = (filter.some.as_ref(), filter.none.as_ref());
                            underlay_read::referrers_fit::<$list_kind, _>(some, none, $list_by, at)
                        })
                    )*
                    $(
                        && self.$more.as_ref().is_none_or(|filter| {
                            let fits: fn(&$more_type, &$model, underlay_read::At<'_>) -> bool = $more_fits;
                            fits(filter, row, at)
                        })
                    )*
            }

            fn candidates(
                &self,
                snapshot: &underlay_inventory::Snapshot,
                steps: &underlay_read::Steps,
            ) -> Option<Vec<underlay_inventory::ObjectRef>> {
                type Own = super::node::$name;
                let common = underlay_read::common_candidates::<Own>(
                    self.id.as_ref(), self.path.as_ref(), self.name.as_ref(), self.external_ref.as_ref(), snapshot, steps,
                );
                let narrowed = |filter: &Self| underlay_read::Filter::<Own>::candidates(filter, snapshot, steps);
                common
                    .or_else(|| self.and.iter().flatten().find_map(narrowed))
                    $(
                        .or_else(|| {
                            let filter = self.$reference.as_ref()?;
                            underlay_read::reference_candidates::<$reference_kind, _>(
                                &**filter, $reference_by, snapshot, steps,
                            )
                        })
                    )*
            }

            fn is_null(&self) -> Option<bool> {
                self.is_null
            }
        }
    };
}
