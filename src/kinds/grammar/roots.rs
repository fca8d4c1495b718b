//! The root fields of a kind: one object by key, all objects, create, update, delete.

/// Defines the root fields of a kind. `key` lists the parents that a key may name, each with its documentation.
#[macro_export]
macro_rules! roots {
    (
        $name:ident;
        query $query:ident { $one:ident($( $(#[doc = $part_docs:literal])* $part:ident: $part_type:ty ),* $(,)?), $many:ident }
        mutation $mutation:ident { $create:ident, $update:ident, $delete:ident }
        with $input:ident, $patch:ident, $payload:ident { $member:ident }
    ) => {
        #[doc = concat!("Root fields that read objects of kind ", stringify!($name), ".")]
        #[derive(Debug, Default)]
        pub struct $query;

        #[doc = concat!("Root fields that read objects of kind ", stringify!($name), ".")]
        #[async_graphql::Object]
        impl $query {
            #[doc = concat!(
                "The ", stringify!($name), " of a key; null where there is none. Parents that are not needed to tell it ",
                "apart may be left out; the error AMBIGUOUS lists the candidates."
            )]
            #[allow(clippy::too_many_arguments, reason = "each is an argument of the field")]
            async fn $one(
                &self,
                context: &async_graphql::Context<'_>,
                $( #[graphql(desc = $($part_docs)*)] $part: Option<$part_type>, )*
                #[graphql(desc = "The name.")]
                name: String,
            ) -> async_graphql::Result<Option<$name>> {
                let parents = [$( (stringify!($part), $part.map(<$part_type as $crate::kinds::grammar::KeyPart>::text)) ),*];
                $crate::kinds::grammar::by_key(context, name, &parents)
            }

            #[doc = concat!("Objects of kind ", stringify!($name), ".")]
            async fn $many(
                &self,
                context: &async_graphql::Context<'_>,
                #[graphql(desc = "Which of them; default: all.")]
                filter: Option<Box<<$name as $crate::read::Listed>::Filter>>,
                #[graphql(desc = "In which order; default: by key.")]
                order_by: Option<<$name as $crate::read::Listed>::Order>,
                #[graphql(desc = "At most so many, from the beginning: 0 to 1000, default 50.")]
                first: Option<i32>,
                #[graphql(desc = "Only what comes after this cursor.")]
                after: Option<String>,
                #[graphql(desc = "At most so many, from the end: 0 to 1000.")]
                last: Option<i32>,
                #[graphql(desc = "Only what comes before this cursor.")]
                before: Option<String>,
                #[graphql(desc = "Keep the revision of this list for a minute after each use: pages from its cursors, and lists with its number as `atRevision`, are of the same revision. Default: false.")]
                pin: Option<bool>,
                #[graphql(desc = "The list as of this revision, which a list with `pin` keeps; REVISION_COMPACTED when it is not kept. Default: that of the cursor if it was pinned, else the newest.")]
                at_revision: Option<$crate::kinds::scalars::Revision>,
            ) -> async_graphql::Result<Option<$crate::read::Connection<$name>>> {
                let snapshot = $crate::kinds::request::Request::of(context).snapshot();
                let scope = $crate::read::Scope::All;
                let cursors = $crate::read::Cursors::Newest;
                let listing = $crate::read::Listing { snapshot, scope, filter, order: order_by, cursors };
                let page = $crate::kinds::grammar::PageAsked { first, after, last, before, pin, at_revision };
                $crate::kinds::grammar::list(context, listing, page).await
            }
        }

        #[doc = concat!("Root fields that write objects of kind ", stringify!($name), ".")]
        #[derive(Debug, Default)]
        pub struct $mutation;

        #[doc = concat!("Root fields that write objects of kind ", stringify!($name), ".")]
        #[async_graphql::Object]
        impl $mutation {
            #[doc = concat!("Creates a ", stringify!($name), ". Refused as DUPLICATE when it is there.")]
            async fn $create(
                &self,
                context: &async_graphql::Context<'_>,
                #[graphql(desc = "The fields of the new object.")]
                input: $input,
                #[graphql(desc = "Only say what would be created. The payload has no revision. Default: false.")]
                dry_run: Option<bool>,
                #[graphql(desc = "A name for the request: a repeat within a day gets the first answer and writes nothing.")]
                request_id: Option<String>,
            ) -> async_graphql::Result<Option<$payload>> {
                let change = $crate::kinds::grammar::Change::create(&input, input.if_version.clone(), dry_run, request_id);
                let (held, revision) = $crate::kinds::grammar::write_one(context, change).await?;
                Ok(Some($payload { $member: $name(held), revision }))
            }

            #[doc = concat!("Changes a ", stringify!($name), ".")]
            async fn $update(
                &self,
                context: &async_graphql::Context<'_>,
                #[graphql(desc = "The object.")]
                id: async_graphql::ID,
                #[graphql(desc = "What changes: absent leaves alone, null clears.")]
                patch: $patch,
                #[graphql(desc = "Only when the object is at this version.")]
                if_version: Option<$crate::kinds::scalars::Revision>,
                #[graphql(desc = "What happens to fields that a source holds. Default: FAIL.")]
                conflicts: Option<$crate::kinds::apply::ConflictPolicy>,
                #[graphql(desc = "Only say what the object would be. The payload has no revision. Default: false.")]
                dry_run: Option<bool>,
                #[graphql(desc = "A name for the request: a repeat within a day gets the first answer and writes nothing.")]
                request_id: Option<String>,
            ) -> async_graphql::Result<Option<$payload>> {
                let change = $crate::kinds::grammar::Change::update(&id, &patch, if_version, conflicts, dry_run, request_id);
                let (held, revision) = $crate::kinds::grammar::write_one(context, change).await?;
                Ok(Some($payload { $member: $name(held), revision }))
            }

            #[doc = concat!("Deletes a ", stringify!($name), ". Refused as IN_USE while others refer to it.")]
            async fn $delete(
                &self,
                context: &async_graphql::Context<'_>,
                #[graphql(desc = "The object.")]
                id: async_graphql::ID,
                #[graphql(desc = "Only when the object is at this version.")]
                if_version: Option<$crate::kinds::scalars::Revision>,
                #[graphql(desc = "Take along what it contains, and the cables that are left without an end. Default: false.")]
                cascade: Option<bool>,
                #[graphql(desc = "Only say what would be deleted. Default: false.")]
                dry_run: Option<bool>,
                #[graphql(desc = "A name for the request: a repeat within a day gets the first answer and writes nothing.")]
                request_id: Option<String>,
            ) -> async_graphql::Result<Option<$crate::kinds::grammar::DeletePayload>> {
                let delete = $crate::kinds::grammar::Deleted { id, if_version, cascade, dry_run, request_id };
                $crate::kinds::grammar::delete::<$name>(context, delete).await.map(Some)
            }
        }
    };
}
