//! Reads the statements of a script of GRUB.

use std::collections::VecDeque;

use super::words::{SyntaxError, Token, Word, split};

/// The deepest nesting that is read.
const MAX_DEPTH: usize = 100;

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    /// A command with its arguments.
    Command(Vec<Word>),
    /// `if`, with its branches and the rest.
    If { branches: Vec<Branch>, otherwise: Vec<Statement> },
    /// `for NAME in WORDS; do …; done`.
    For { name: String, words: Vec<Word>, body: Vec<Statement> },
}

/// A branch of `if`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    pub condition: Vec<Statement>,
    pub body: Vec<Statement>,
}

/// Reads a script.
///
/// # Errors
/// Returns the reason why GRUB does not accept it.
pub fn parse(text: &str) -> Result<Vec<Statement>, SyntaxError> {
    let mut tokens = split(text)?.into();
    let statements = until(&mut tokens, &[], 0)?.0;
    Ok(statements)
}

/// Reads statements up to one of these words of the language, or up to the end of the text if there is none.
fn until(tokens: &mut VecDeque<Token>, ends: &[&str], depth: usize) -> Result<(Vec<Statement>, String), SyntaxError> {
    if depth > MAX_DEPTH {
        return Err(SyntaxError("the nesting is too deep".to_owned()));
    }
    let mut statements = Vec::new();
    loop {
        let Some(token) = tokens.pop_front() else {
            return if ends.is_empty() { Ok((statements, String::new())) } else { Err(lacks(ends)) };
        };
        let Token::Word { word, keyword } = token else { continue };
        match word.plain().filter(|_| keyword) {
            Some(found) if ends.contains(&found) => return Ok((statements, found.to_owned())),
            Some("if") => statements.push(branches(tokens, depth)?),
            Some("for") => statements.push(repeat(tokens, depth)?),
            Some(found @ ("then" | "elif" | "else" | "fi" | "do" | "done" | "in" | "{" | "}")) => {
                return Err(SyntaxError(format!("syntax error at {found}")));
            }
            // `while` and functions are not in our texts.
            Some(found @ ("while" | "until" | "function" | "case" | "select" | "time" | "!")) => {
                return Err(SyntaxError(format!("{found} is not simulated")));
            }
            _ => {
                let mut words = vec![word];
                words.append(&mut rest(tokens));
                statements.push(Statement::Command(words));
            }
        }
    }
}

/// Reads the words up to the end of a command.
fn rest(tokens: &mut VecDeque<Token>) -> Vec<Word> {
    let mut words = Vec::new();
    while let Some(Token::Word { word, .. }) = tokens.pop_front() {
        words.push(word);
    }
    words
}

fn branches(tokens: &mut VecDeque<Token>, depth: usize) -> Result<Statement, SyntaxError> {
    let mut branches = Vec::new();
    loop {
        let (condition, _) = until(tokens, &["then"], depth + 1)?;
        let (body, end) = until(tokens, &["elif", "else", "fi"], depth + 1)?;
        if condition.is_empty() || body.is_empty() {
            return Err(SyntaxError("an empty part of if".to_owned()));
        }
        branches.push(Branch { condition, body });
        match end.as_str() {
            "elif" => {}
            "else" => {
                let otherwise = until(tokens, &["fi"], depth + 1)?.0;
                ended(tokens)?;
                return Ok(Statement::If { branches, otherwise });
            }
            _ => {
                ended(tokens)?;
                return Ok(Statement::If { branches, otherwise: Vec::new() });
            }
        }
    }
}

fn repeat(tokens: &mut VecDeque<Token>, depth: usize) -> Result<Statement, SyntaxError> {
    let mut head = rest(tokens).into_iter();
    let name = head.next().and_then(|word| word.plain().map(str::to_owned)).ok_or_else(|| lacks(&["a name"]))?;
    if head.next().as_ref().and_then(Word::plain) != Some("in") {
        return Err(lacks(&["in"]));
    }
    let (before, _) = until(tokens, &["do"], depth + 1)?;
    if !before.is_empty() {
        return Err(lacks(&["do"]));
    }
    let (body, _) = until(tokens, &["done"], depth + 1)?;
    ended(tokens)?;
    Ok(Statement::For { name, words: head.collect(), body })
}

/// After `fi` and `done` the command ends.
fn ended(tokens: &mut VecDeque<Token>) -> Result<(), SyntaxError> {
    match tokens.pop_front() {
        Some(Token::End) | None => Ok(()),
        Some(Token::Word { .. }) => Err(lacks(&["the end of the command"])),
    }
}

fn lacks(what: &[&str]) -> SyntaxError {
    SyntaxError(format!("{} is missing", what.join(" or ")))
}
