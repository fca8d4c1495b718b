//! The macro that defines the root fields of a kind: one object by key, all objects, create, update and delete.

/// Defines the root fields of a kind. A kind whose objects are deleted in a way of its own leaves out the last mutation.
/// The parentheses after the first query field list the parents that a key may name,
/// each with its documentation.
#[macro_export]
macro_rules! roots {
    (
        $name:ident;
        query $query:ident { $one:ident($( $(#[doc = $part_docs:literal])* $part:ident: $part_type:ty ),* $(,)?), $many:ident }
        mutation $mutation:ident { $create:ident, $update:ident $(, $delete:ident)? }
        with $input:ident, $patch:ident, $payload:ident { $member:ident }
    ) => {
        #[doc = concat!("Root fields that read objects of kind ", stringify!($name), ".")]
        #[derive(Debug, Default)]
        pub struct $query;

        #[doc = concat!("Root fields that read objects of kind ", stringify!($name), ".")]
        #[async_graphql::Object]
        impl $query {
            #[doc = concat!(
                "Returns the ", stringify!($name), " with a key, or null if there is none. Parents that are not needed to make ",
                "the key unambiguous may be left out. The error AMBIGUOUS lists the candidates."
            )]
            #[allow(clippy::too_many_arguments, reason = "each is an argument of the field")]
            async fn $one(
                &self,
                context: &async_graphql::Context<'_>,
                $( #[graphql(desc = $($part_docs)*)] $part: Option<$part_type>, )*
                #[graphql(desc = "The name of the object.")]
                name: String,
            ) -> async_graphql::Result<Option<$name>> {
                let parents = [$( (stringify!($part), $part.map(<$part_type as $crate::grammar::KeyPart>::text)) ),*];
                $crate::grammar::by_key(context, name, &parents)
            }

            #[doc = concat!("Lists objects of kind ", stringify!($name), ".")]
            #[expect(clippy::too_many_arguments, reason = "a jump into a list is one argument more than the others")]
            async fn $many(
                &self,
                context: &async_graphql::Context<'_>,
                #[graphql(desc = "Selects the objects to list. Defaults to all.")]
                filter: Option<Box<<$name as underlay_read::Listed>::Filter>>,
                #[graphql(desc = "The sort order. Defaults to the key.")]
                order_by: Option<<$name as underlay_read::Listed>::Order>,
                #[graphql(desc = "The maximum number of entries from the beginning: 0 to 1000. Defaults to 50.")]
                first: Option<i32>,
                #[graphql(desc = "Returns only entries after this cursor.")]
                after: Option<String>,
                #[graphql(desc = "The maximum number of entries from the end: 0 to 1000.")]
                last: Option<i32>,
                #[graphql(desc = "Returns only entries before this cursor.")]
                before: Option<String>,
                #[graphql(desc = "Keeps the revision of this list for one minute after each use. Pages that use its cursors, and lists that pass its number as `atRevision`, read the same revision. Defaults to false.")]
                pin: Option<bool>,
                #[graphql(desc = "Reads the list as of this revision, which a list with `pin` keeps. Fails with REVISION_COMPACTED if the revision is not kept. Defaults to the cursor's revision if it was pinned, otherwise to the current one.")]
                at_revision: Option<$crate::scalars::Revision>,
                #[graphql(desc = "Leaves out so many entries after the cursor, or from the beginning. Only on a list of a fixed revision (with `pin`, `atRevision`, or a cursor of a pinned list), and not with `last`. Defaults to 0.")]
                skip: Option<i32>,
            ) -> async_graphql::Result<Option<underlay_read::Connection<$name>>> {
                let request = $crate::request::Request::of(context);
                let (snapshot, share) = (request.snapshot(), request.filter_share());
                let scope = underlay_read::ListScope::All;
                let cursors = underlay_read::Cursors::CurrentSnapshot;
                let listing = underlay_read::Listing {
                    snapshot, scope, filter: filter.map(Into::into), order: order_by, cursors, share,
                };
                let page = $crate::grammar::RequestedPage { first, after, last, before, pin, at_revision, skip };
                $crate::grammar::list(context, listing, page).await
            }
        }

        #[doc = concat!("Root fields that write objects of kind ", stringify!($name), ".")]
        #[derive(Debug, Default)]
        pub struct $mutation;

        #[doc = concat!("Root fields that write objects of kind ", stringify!($name), ".")]
        #[async_graphql::Object]
        impl $mutation {
            #[doc = concat!("Creates ", $crate::with_article!($name), ". Fails with DUPLICATE if it already exists.")]
            async fn $create(
                &self,
                context: &async_graphql::Context<'_>,
                #[graphql(desc = "The fields of the new object.")]
                input: $input,
                #[graphql(desc = "Checks the request and returns the object that would be created, without writing it. The payload has no revision. Defaults to false.")]
                dry_run: Option<bool>,
                #[graphql(desc = "A unique name for the request. A repeat within a day writes nothing and gets the answer of the first request.")]
                request_id: Option<String>,
            ) -> async_graphql::Result<Option<$payload>> {
                let change = $crate::grammar::Change::create(&input, input.if_version.clone(), dry_run, request_id);
                let (held, revision) = $crate::grammar::write_one(context, change).await?;
                Ok(Some($payload { $member: $name(held), revision }))
            }

            #[doc = concat!("Changes fields of ", $crate::with_article!($name), ".")]
            async fn $update(
                &self,
                context: &async_graphql::Context<'_>,
                #[graphql(desc = "The id of the object.")]
                id: async_graphql::ID,
                #[graphql(desc = "The fields to change. An absent field stays as it is, and null clears a field.")]
                patch: $patch,
                #[graphql(desc = "Changes the object only if it has this version.")]
                if_version: Option<$crate::scalars::Revision>,
                #[graphql(desc = "The policy for fields that a source owns. Defaults to FAIL.")]
                conflicts: Option<$crate::apply::ConflictPolicy>,
                #[graphql(desc = "Checks the request and returns the object as it would be, without writing it. The payload has no revision. Defaults to false.")]
                dry_run: Option<bool>,
                #[graphql(desc = "A unique name for the request. A repeat within a day writes nothing and gets the answer of the first request.")]
                request_id: Option<String>,
            ) -> async_graphql::Result<Option<$payload>> {
                let change = $crate::grammar::Change::update(&id, &patch, if_version, conflicts, dry_run, request_id);
                let (held, revision) = $crate::grammar::write_one(context, change).await?;
                Ok(Some($payload { $member: $name(held), revision }))
            }

            $(
            #[doc = concat!("Deletes ", $crate::with_article!($name), ". Fails with IN_USE while other objects refer to it.")]
            async fn $delete(
                &self,
                context: &async_graphql::Context<'_>,
                #[graphql(desc = "The id of the object.")]
                id: async_graphql::ID,
                #[graphql(desc = "Deletes the object only if it has this version.")]
                if_version: Option<$crate::scalars::Revision>,
                #[graphql(desc = "Also deletes the objects that it contains, and the cables that are left without an end on a side. Defaults to false.")]
                cascade: Option<bool>,
                #[graphql(desc = "Returns the objects that would be deleted, without writing anything. Defaults to false.")]
                dry_run: Option<bool>,
                #[graphql(desc = "A unique name for the request. A repeat within a day writes nothing and gets the answer of the first request.")]
                request_id: Option<String>,
            ) -> async_graphql::Result<Option<$crate::grammar::DeletePayload>> {
                let delete = $crate::grammar::Deleted { id, if_version, cascade, dry_run, request_id };
                $crate::grammar::delete::<$name>(context, delete).await.map(Some)
            }
            )?
        }
    };
}
