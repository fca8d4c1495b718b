//! Splits the source text of the repository into words, without comments and tests, with strings separated.

use std::fs;
use std::path::{Path, PathBuf};

/// A word of a source text, or a mark between words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    Word(String),
    Text(String),
    Mark(char),
}

/// A source file.
pub struct Source {
    /// From the root of the repository, with `/`.
    pub path: String,
    pub tokens: Vec<Token>,
}

impl Source {
    /// The first names of the paths that begin with a word: of `crate::{demo, read::Page}` these are `demo` and `read`.
    pub fn after(&self, start: &str) -> Vec<String> {
        let mut names = Vec::new();
        let marks = [Token::Mark(':'), Token::Mark(':')];
        let starts = |index: &usize| {
            matches!(&self.tokens[*index], Token::Word(word) if word == start)
                && self.tokens[index + 1..].starts_with(&marks)
        };
        for index in (0..self.tokens.len()).filter(starts) {
            let rest = &self.tokens[index + 3..];
            match rest.first() {
                Some(Token::Word(name)) => names.push(name.clone()),
                Some(Token::Mark('{')) => names.extend(group(rest)),
                _ => {}
            }
        }
        names
    }

    /// True if the source has a word, such as the name of a crate.
    pub fn has(&self, name: &str) -> bool {
        self.tokens.iter().any(|token| matches!(token, Token::Word(word) if word == name))
    }
}

/// The first names in a group of a `use`.
fn group(tokens: &[Token]) -> Vec<String> {
    let mut names = Vec::new();
    let (mut depth, mut begins) = (0, true);
    for token in tokens {
        match token {
            Token::Mark('{') => depth += 1,
            Token::Mark('}') => depth -= 1,
            Token::Mark(',') if depth == 1 => begins = true,
            Token::Word(name) if depth == 1 && begins => {
                names.push(name.clone());
                begins = false;
            }
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    names
}

/// The root of the repository.
pub fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The Rust files in a folder of the repository, without their tests.
pub fn sources(folder: &str) -> Vec<Source> {
    let mut files = Vec::new();
    collect(&repository().join(folder), &mut files);
    files.sort();
    assert!(!files.is_empty(), "there is no Rust in {folder}");
    let read = |file: PathBuf| {
        let path = file.strip_prefix(repository()).expect("a file of the repository").to_string_lossy().into_owned();
        let text = fs::read_to_string(&file).expect("read a source file");
        Source { path, tokens: without_tests(tokens(&text)) }
    };
    let is_test = |file: &Path| file.file_stem().is_some_and(|stem| stem.to_string_lossy().ends_with("tests"));
    files.into_iter().filter(|file| !is_test(file)).map(read).collect()
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("read a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

fn tokens(text: &str) -> Vec<Token> {
    let characters: Vec<char> = text.chars().collect();
    let at = |index: usize| characters.get(index).copied().unwrap_or('\0');
    let mut tokens = Vec::new();
    let mut index = 0;
    while index < characters.len() {
        let character = at(index);
        if character == '/' && at(index + 1) == '/' {
            while index < characters.len() && at(index) != '\n' {
                index += 1;
            }
        } else if character == '/' && at(index + 1) == '*' {
            index += 2;
            while index < characters.len() && !(at(index) == '*' && at(index + 1) == '/') {
                index += 1;
            }
            index += 2;
        } else if character == '"' || (character == 'r' && raw_string(&characters[index..]).is_some()) {
            let (text, length) = string(&characters[index..]);
            tokens.push(Token::Text(text));
            index += length;
        } else if character == '\'' {
            // A character has its end after one character or after an escape; a lifetime has none.
            let escaped = at(index + 1) == '\\';
            let end = (index + 2..index + 12).find(|end| at(*end) == '\'' && !(escaped && *end == index + 2));
            index = match end {
                Some(end) if escaped || end == index + 2 => end + 1,
                _ => index + 1,
            };
        } else if character.is_alphanumeric() || character == '_' {
            let end = (index..).find(|end| !(at(*end).is_alphanumeric() || at(*end) == '_')).unwrap_or(index + 1);
            tokens.push(Token::Word(characters[index..end].iter().collect()));
            index = end;
        } else {
            if !character.is_whitespace() {
                tokens.push(Token::Mark(character));
            }
            index += 1;
        }
    }
    tokens
}

/// Returns the number of `#` of a raw string that begins here, or `None` if none begins.
fn raw_string(characters: &[char]) -> Option<usize> {
    let hashes = characters[1..].iter().take_while(|it| **it == '#').count();
    (characters.get(hashes + 1) == Some(&'"')).then_some(hashes)
}

/// The content of a string that begins here, and its length with its marks.
fn string(characters: &[char]) -> (String, usize) {
    if characters[0] == 'r' {
        let hashes = raw_string(characters).unwrap_or_default();
        let begin = hashes + 2;
        let closes = |end: &usize| {
            characters[*end] == '"'
                && characters[end + 1..].iter().take(hashes).filter(|it| **it == '#').count() == hashes
        };
        let end = (begin..characters.len()).find(closes).unwrap_or(characters.len());
        return (characters[begin..end].iter().collect(), end + 1 + hashes);
    }
    let mut end = 1;
    while end < characters.len() && characters[end] != '"' {
        end += if characters[end] == '\\' { 2 } else { 1 };
    }
    (characters[1..end.min(characters.len())].iter().collect(), end + 1)
}

/// Cuts off `#[cfg(test)]` with the item that follows.
fn without_tests(tokens: Vec<Token>) -> Vec<Token> {
    let word = |text: &str| Token::Word(text.to_owned());
    let marker = [
        Token::Mark('#'),
        Token::Mark('['),
        word("cfg"),
        Token::Mark('('),
        word("test"),
        Token::Mark(')'),
        Token::Mark(']'),
    ];
    let mut kept = Vec::new();
    let mut rest = tokens.as_slice();
    while let Some(first) = rest.first() {
        if !rest.starts_with(&marker) {
            kept.push(first.clone());
            rest = &rest[1..];
            continue;
        }
        let mut depth = 0;
        let end = rest.iter().position(|token| {
            depth += i32::from(*token == Token::Mark('{')) - i32::from(*token == Token::Mark('}'));
            depth == 0 && (*token == Token::Mark('}') || *token == Token::Mark(';'))
        });
        rest = &rest[end.map_or(rest.len(), |end| end + 1)..];
    }
    kept
}

#[test]
fn comments_and_tests_are_removed_and_strings_separated() {
    let text = r##"
        // a comment with "quotes"
        use crate::read; /* and { another */ let a: &'static str = "a \" b"; let c = '"'; let d = '\''; r#"raw " text"#
        #[cfg(test)] mod tests { fn hidden() { {} } }
        end
    "##;
    let words: Vec<_> = without_tests(tokens(text)).into_iter().filter(|it| !matches!(it, Token::Mark(_))).collect();
    let word = |text: &str| Token::Word(text.to_owned());
    let expected = [
        word("use"),
        word("crate"),
        word("read"),
        word("let"),
        word("a"),
        word("static"),
        word("str"),
        Token::Text(r#"a \" b"#.to_owned()),
        word("let"),
        word("c"),
        word("let"),
        word("d"),
        Token::Text(r#"raw " text"#.to_owned()),
        word("end"),
    ];
    assert_eq!(words, expected);
}
