//! The size of a GraphQL text, which is checked before the text is parsed: the depth of nested brackets, the number of
//! lexical tokens, and the length of names. The parser recurses for each bracket, so a text with many would overflow
//! the stack. It allocates something for each token. The library compares each unknown name with all known ones, letter
//! by letter.
//!
//! The tokens are read by rules of the parser's own grammar (`tokens.pest`), so both see the same brackets. Reading
//! stops at the first token that is too much.

use async_graphql::Pos;
use pest::Parser as _;

use super::limits::Limit;
use underlay_error::Code;

/// The greatest depth of nested brackets. A query of the greatest depth with its arguments needs far less.
pub const MAX_BRACKET_DEPTH: usize = 128;

/// The longest name, in bytes. No name of the schema has half as many.
const MAX_NAME_BYTES: usize = 128;

/// The sizes of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Text {
    /// The depth of nested brackets outside of strings and comments.
    pub depth: usize,
    /// The number of lexical tokens: names, numbers, strings and punctuation.
    pub tokens: usize,
}

/// The reason for which a text must not be parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Excess {
    /// The brackets are nested too deep.
    TooDeep,
    /// The text has more tokens than are allowed.
    TooLong { most: usize },
    /// The name that begins at this position is too long.
    LongName(Pos),
    /// The string that begins at this position does not end. The parser would search the whole text for the end of every
    /// such string.
    Unclosed(Pos),
}

impl std::fmt::Display for Excess {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::TooDeep => {
                write!(f, "the query is nested too deep: at most {MAX_BRACKET_DEPTH} brackets can be nested")
            }
            Self::TooLong { most } => f.write_str(&Limit::Tokens.passed(*most)),
            Self::LongName(Pos { line, column }) => write!(
                f,
                "the name that begins in line {line}, column {column} of the query is too long: at most \
                 {MAX_NAME_BYTES} bytes are allowed"
            ),
            Self::Unclosed(Pos { line, column }) => {
                write!(f, "the string that begins in line {line}, column {column} of the query is not closed")
            }
        }
    }
}

impl Excess {
    /// Returns the error code for clients.
    pub fn code(self) -> Code {
        match self {
            Self::TooDeep | Self::TooLong { .. } | Self::LongName(_) => Code::TooComplex,
            Self::Unclosed(_) => Code::Invalid,
        }
    }
}

/// The tokens of a document.
mod tokens {
    #[derive(pest_derive::Parser)]
    #[grammar = "http/tokens.pest"]
    pub struct Tokens;
}

/// Returns the size of a text that may have at most `max_tokens` tokens. If the text is not a document, the size is that
/// of the part before the first invalid token, beyond which the parser does not read either.
///
/// # Errors
/// Returns an error if the text must not be parsed.
pub fn look(text: &str, max_tokens: usize) -> Result<Text, Excess> {
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
            Rule::name if token.as_str().len() > MAX_NAME_BYTES => {
                return Err(Excess::LongName(position_of(text, at + token.as_span().start())));
            }
            Rule::unclosed => return Err(Excess::Unclosed(position_of(text, at + token.as_span().start()))),
            Rule::EOI => break,
            _ => {}
        }
        seen = Text { depth: seen.depth.max(depth), tokens: seen.tokens + 1 };
        if depth > MAX_BRACKET_DEPTH {
            return Err(Excess::TooDeep);
        }
        if seen.tokens > max_tokens {
            return Err(Excess::TooLong { most: max_tokens });
        }
        at += end;
    }
    Ok(seen)
}

/// Returns the line and the column of a position in a text.
fn position_of(text: &str, at: usize) -> Pos {
    let before = text.get(..at).unwrap_or_default();
    let line = before.rsplit(['\n', '\r']).next().unwrap_or_default();
    let lines = before.replace("\r\n", "\n").matches(['\n', '\r']).count();
    Pos { line: lines + 1, column: line.chars().count() + 1 }
}

#[cfg(test)]
#[path = "nesting_tests.rs"]
mod tests;
