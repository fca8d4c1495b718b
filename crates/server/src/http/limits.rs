//! The limits on one request, and on all requests together.

use std::time::Duration;

/// The limits. `config.default.toml` has their defaults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most bytes of a body.
    pub body: usize,
    /// The most bytes of a body of a caller that may write batches.
    pub apply_body: usize,
    /// The most bytes of all bodies that are read or answered at a time. One caller gets at most half of them.
    pub bodies: usize,
    /// The most bytes of an answer.
    pub answer: usize,
    /// The most bytes of all answers that are computed or sent at a time.
    pub answers: usize,
    /// The most lexical tokens of a document.
    pub tokens: usize,
    /// The greatest depth of nested fields.
    pub depth: usize,
    /// The most fields of a document. The fields of a fragment count wherever it is used, and so do its uses and inline
    /// fragments.
    pub fields: usize,
    /// The most values of a request: in its variables, and in arguments wherever they are used.
    pub values: usize,
    /// The most steps that a filter takes on one list.
    pub steps: usize,
    /// The most objects that an answer can have, as measured on the document.
    pub objects: usize,
    /// The most aliases in a document.
    pub aliases: usize,
    /// The most directives in a document.
    pub directives: usize,
    /// The most items of a batch.
    pub items: usize,
    /// The longest time that a request may take.
    pub timeout: Duration,
    /// The most requests that run at a time. One caller gets at most half of them.
    pub requests: usize,
    /// The most connections at a time.
    pub connections: usize,
    /// The most subscriptions of one token.
    pub subscriptions: usize,
    /// True if clients may query the schema.
    pub introspection: bool,
}

#[cfg(test)]
impl Limits {
    /// Returns limits that no request reaches.
    pub fn unbounded() -> Self {
        let most = usize::MAX;
        Self {
            body: most,
            apply_body: 0,
            bodies: most,
            answer: most,
            answers: most,
            tokens: most,
            depth: most,
            fields: most,
            values: most,
            steps: most,
            objects: most,
            aliases: most,
            directives: most,
            items: most,
            timeout: Duration::MAX,
            requests: most,
            connections: most,
            subscriptions: most,
            introspection: true,
        }
    }
}

/// One of the limits, by its name in the configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    Body,
    ApplyBody,
    Bodies,
    Answer,
    Answers,
    Tokens,
    Depth,
    Fields,
    Values,
    Objects,
    Aliases,
    Directives,
    Requests,
    Subscriptions,
    Introspection,
}

impl Limit {
    /// Returns the name in the configuration.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Body => "limits.body",
            Self::ApplyBody => "limits.applyBody",
            Self::Bodies => "limits.bodies",
            Self::Answer => "limits.answer",
            Self::Answers => "limits.answers",
            Self::Tokens => "limits.tokens",
            Self::Depth => "limits.depth",
            Self::Fields => "limits.fields",
            Self::Values => "limits.values",
            Self::Objects => "limits.objects",
            Self::Aliases => "limits.aliases",
            Self::Directives => "limits.directives",
            Self::Requests => "limits.requests",
            Self::Subscriptions => "limits.subscriptions",
            Self::Introspection => "limits.introspection",
        }
    }

    const fn what(self) -> &'static str {
        match self {
            Self::Body | Self::ApplyBody => "bytes in the body",
            Self::Bodies => "bytes in all bodies that are being answered",
            Self::Answer => "bytes in the answer",
            Self::Answers => "bytes in all answers that are worked out or sent",
            Self::Tokens => "tokens in the document",
            Self::Depth => "fields in each other: it is too deep",
            Self::Fields => "fields in the document, with those of fragments wherever they are used",
            Self::Values => {
                "values in its variables and arguments, with those of arguments for each object that they are read for"
            }
            Self::Objects => "objects in the answer: ask for shorter pages",
            Self::Aliases => "aliases in the document",
            Self::Directives => "directives in the document",
            Self::Requests => "requests at a time",
            Self::Subscriptions => "subscriptions of one caller at a time",
            Self::Introspection => "the schema",
        }
    }

    /// Returns the message for a request that needs more than is allowed.
    pub fn exceeded(self, needs: u64, most: usize) -> String {
        let needs = match needs {
            u64::MAX => "more than can be counted".to_owned(),
            needs => needs.to_string(),
        };
        format!("the request needs {needs} {}; at most {most} are allowed ({})", self.what(), self.name())
    }

    /// Returns the message for a request that comes while the limit is reached.
    pub fn reached(self, most: usize) -> String {
        format!("there are {most} {} already, as many as are allowed ({}): try again later", self.what(), self.name())
    }

    /// Returns the message for a request whose caller has reached its share.
    pub fn reached_by_one(self, share: usize) -> String {
        format!(
            "this caller has {share} {} already, as many as one caller may have of {}: try again later",
            self.what(),
            self.name()
        )
    }

    /// Returns the message for a client that is not authenticated yet, where such clients have reached their share.
    pub fn reached_by_strangers(self, share: usize) -> String {
        format!(
            "clients that are not authenticated yet have {share} {} already, as many as they may have of {}: try again \
             later",
            self.what(),
            self.name()
        )
    }

    /// Returns the message for something that was stopped at the limit.
    pub fn passed(self, most: usize) -> String {
        match self {
            Self::Answer => format!(
                "the answer has more bytes than are allowed: {most} ({}): ask for shorter pages, or for fewer fields",
                self.name()
            ),
            _ => format!("the request has more {} than are allowed: {most} ({})", self.what(), self.name()),
        }
    }

    /// Returns the message for something that is turned off.
    pub fn off(self) -> String {
        format!("asking for {} is turned off here ({})", self.what(), self.name())
    }
}
