//! The size of a GraphQL text, before it is parsed: how deep its brackets stand in each other, for each of which the
//! parser calls itself, so that a text of many would end the process; and how many lexical tokens it has, for each of
//! which the parser makes something.
//!
//! The tokens are read by rules of the parser's own grammar (`tokens.pest`), so that both see the same brackets. They are
//! read one at a time: a text that has too much is read no further.

use async_graphql::{Pos, ServerError};
use pest::Parser as _;

use super::execute::with;
use super::limits::Limit;
use underlay_inventory::Code;

/// How deep brackets may stand in each other: far more than a query of the greatest depth with its arguments needs.
pub const MOST: usize = 128;

/// The sizes of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Text {
    /// How deep brackets outside of strings and comments stand in each other.
    pub depth: usize,
    /// How many lexical tokens there are: names, numbers, strings and punctuation.
    pub tokens: usize,
}

/// Why a text must not be parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Excess {
    /// Its brackets stand too deep in each other.
    TooDeep,
    /// It has more tokens than these.
    TooLong { most: usize },
    /// A string that begins at this place does not end. Until the end of the text the parser would look for the end of
    /// every such string.
    Unclosed(Pos),
}

impl std::fmt::Display for Excess {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::TooDeep => write!(f, "the query is nested too deep: at most {MOST} brackets may stand in each other"),
            Self::TooLong { most } => f.write_str(&Limit::Tokens.passed(*most)),
            Self::Unclosed(Pos { line, column }) => {
                write!(f, "the string that begins in line {line}, column {column} of the query is not closed")
            }
        }
    }
}

impl Excess {
    /// The code of the error that a client gets.
    pub fn code(self) -> Code {
        match self {
            Self::TooDeep | Self::TooLong { .. } => Code::TooComplex,
            Self::Unclosed(_) => Code::Invalid,
        }
    }
}

impl From<Excess> for ServerError {
    fn from(excess: Excess) -> Self {
        let Self { extensions, .. } = with(excess.code(), String::new());
        let place = match excess {
            Excess::Unclosed(place) => Some(place),
            Excess::TooDeep | Excess::TooLong { .. } => None,
        };
        Self { extensions, ..Self::new(excess.to_string(), place) }
    }
}

/// The tokens of a document.
mod tokens {
    #[derive(pest_derive::Parser)]
    #[grammar = "http/tokens.pest"]
    pub struct Tokens;
}

/// The sizes of a text that may have so many tokens. Of a text that is no document they are those of the part up to the
/// first thing that is no token, which the parser does not get over either.
///
/// # Errors
/// When it must not be parsed.
pub fn look(text: &str, most_tokens: usize) -> Result<Text, Excess> {
    use tokens::Rule;

    let (mut seen, mut depth, mut at) = (Text::default(), 0_usize, 0);
    while let Some(rest) = text.get(at..)
        && let Ok(mut found) = tokens::Tokens::parse(Rule::next, rest)
        && let Some(next) = found.next()
    {
        let end = next.as_span().end();
        let Some(token) = next.into_inner().next() else { break };
        match token.as_rule() {
            Rule::open => depth += 1,
            Rule::close => depth = depth.saturating_sub(1),
            Rule::unclosed => return Err(Excess::Unclosed(place(text, at + token.as_span().start()))),
            Rule::EOI => break,
            _ => {}
        }
        seen = Text { depth: seen.depth.max(depth), tokens: seen.tokens + 1 };
        if depth > MOST {
            return Err(Excess::TooDeep);
        }
        if seen.tokens > most_tokens {
            return Err(Excess::TooLong { most: most_tokens });
        }
        at += end;
    }
    Ok(seen)
}

/// The line and the column of a place in a text.
fn place(text: &str, at: usize) -> Pos {
    let before = text.get(..at).unwrap_or_default();
    let line = before.rsplit(['\n', '\r']).next().unwrap_or_default();
    let lines = before.replace("\r\n", "\n").matches(['\n', '\r']).count();
    Pos { line: lines + 1, column: line.chars().count() + 1 }
}

#[cfg(test)]
#[path = "nesting_tests.rs"]
mod tests;
