//! Splits the source text of the repository into words, without comments and tests, with strings separated.

use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

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
        Source { tokens: tokens(&text).unwrap_or_else(|error| panic!("{path}: {error}")), path }
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

fn tokens(text: &str) -> Result<Vec<Token>, proc_macro2::LexError> {
    let mut found = Vec::new();
    flatten(text.parse()?, &mut found);
    Ok(found)
}

/// Appends the tokens of a stream, without documentation and without items that are only for tests.
fn flatten(stream: TokenStream, found: &mut Vec<Token>) {
    let mut trees = stream.into_iter().peekable();
    while let Some(tree) = trees.next() {
        match tree {
            TokenTree::Ident(word) => found.push(Token::Word(word.to_string().trim_start_matches("r#").to_owned())),
            TokenTree::Literal(literal) => {
                if let Ok(text) = syn::parse_str::<syn::LitStr>(&literal.to_string()) {
                    found.push(Token::Text(text.value()));
                }
            }
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ('(', ')'),
                    Delimiter::Brace => ('{', '}'),
                    Delimiter::Bracket | Delimiter::None => ('[', ']'),
                };
                found.push(Token::Mark(open));
                flatten(group.stream(), found);
                found.push(Token::Mark(close));
            }
            TokenTree::Punct(mark) if mark.as_char() == '#' => {
                let is_inner = trees.next_if(|next| next.to_string() == "!").is_some();
                let Some(TokenTree::Group(attribute)) = trees.peek().cloned() else { continue };
                let text = attribute.stream().to_string().replace(' ', "");
                if text.starts_with("doc=") {
                    trees.next();
                } else if text == "cfg(test)" && !is_inner {
                    // The attribute, and the item up to its end.
                    let ends = |tree: &TokenTree| match tree {
                        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
                        tree => tree.to_string() == ";",
                    };
                    trees.by_ref().find(ends);
                }
            }
            TokenTree::Punct(mark) => found.push(Token::Mark(mark.as_char())),
        }
    }
}

#[test]
fn comments_and_tests_are_removed_and_strings_separated() {
    let text = r##"
        // a comment with "quotes"
        /// A documentation of `use`.
        use crate::read; /* and { another */ let a: &'static str = "a \" b"; let c = '"'; let d = '\''; r#"raw " text"#
        #[cfg(test)] mod tests { fn hidden() { {} } }
        #[cfg(test)] mod tests;
        end
    "##;
    let found = tokens(text).expect("a text of Rust");
    let words: Vec<_> = found.into_iter().filter(|it| !matches!(it, Token::Mark(_))).collect();
    let word = |text: &str| Token::Word(text.to_owned());
    let expected = [
        word("use"),
        word("crate"),
        word("read"),
        word("let"),
        word("a"),
        word("static"),
        word("str"),
        Token::Text(r#"a " b"#.to_owned()),
        word("let"),
        word("c"),
        word("let"),
        word("d"),
        Token::Text(r#"raw " text"#.to_owned()),
        word("end"),
    ];
    assert_eq!(words, expected);
}
