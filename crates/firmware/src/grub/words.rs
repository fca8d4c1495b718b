//! Splits a script of GRUB into words.

use std::iter::Peekable;
use std::str::Chars;

/// The reason why GRUB does not accept a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError(pub String);

/// A word, of parts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Word(pub Vec<Part>);

/// A part of a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// Characters without a meaning.
    Text(String),
    /// The value of a variable. Outside of quotes it is split at spaces.
    Variable { name: String, is_quoted: bool },
}

impl Word {
    /// Returns the text of a word without variables.
    pub fn plain(&self) -> Option<&str> {
        match self.0.as_slice() {
            [Part::Text(text)] => Some(text),
            _ => None,
        }
    }

    /// Appends the words that this one is with the values of variables.
    pub fn expand(&self, value: impl Fn(&str) -> String, words: &mut Vec<String>) {
        let mut word: Option<String> = None;
        for part in &self.0 {
            match part {
                Part::Text(text) => word.get_or_insert_default().push_str(text),
                Part::Variable { name, is_quoted: true } => word.get_or_insert_default().push_str(&value(name)),
                Part::Variable { name, is_quoted: false } => {
                    for (at, piece) in value(name).split_whitespace().enumerate() {
                        if at > 0 {
                            words.extend(word.take());
                        }
                        word.get_or_insert_default().push_str(piece);
                    }
                }
            }
        }
        words.extend(word);
    }
}

/// A piece of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// `keyword` is true for a word without quotes, which may be one of the language.
    Word { word: Word, keyword: bool },
    /// The end of a command: a new line or `;`.
    End,
}

/// Splits a script.
pub(super) fn split(text: &str) -> Result<Vec<Token>, SyntaxError> {
    let mut tokens = Vec::new();
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.peek().copied() {
        match letter {
            '\n' | ';' => {
                letters.next();
                tokens.push(Token::End);
            }
            ' ' | '\t' => drop(letters.next()),
            '#' => while letters.next_if(|letter| *letter != '\n').is_some() {},
            '&' | '|' | '<' | '>' => return Err(SyntaxError(format!("syntax error at {letter}"))),
            letter if letter.is_control() => return Err(SyntaxError(format!("the character {letter:?}"))),
            _ => tokens.push(word(&mut letters)?),
        }
    }
    tokens.push(Token::End);
    Ok(tokens)
}

fn word(letters: &mut Peekable<Chars<'_>>) -> Result<Token, SyntaxError> {
    let unfinished = || SyntaxError("a quote is not closed".to_owned());
    let (mut word, mut keyword) = (Word::default(), true);
    while let Some(letter) = letters.next_if(|letter| !" \t\n;&|<>".contains(*letter)) {
        match letter {
            '\'' => {
                keyword = false;
                word.push("");
                loop {
                    match letters.next().ok_or_else(unfinished)? {
                        '\'' => break,
                        letter => word.push(letter.encode_utf8(&mut [0; 4])),
                    }
                }
            }
            '"' => {
                keyword = false;
                word.push("");
                loop {
                    match letters.next().ok_or_else(unfinished)? {
                        '"' => break,
                        '\\' => match letters.next().ok_or_else(unfinished)? {
                            letter @ ('"' | '\\' | '$') => word.push(letter.encode_utf8(&mut [0; 4])),
                            letter => word.push(&format!("\\{letter}")),
                        },
                        '$' => word.0.push(Part::Variable { name: name(letters)?, is_quoted: true }),
                        letter => word.push(letter.encode_utf8(&mut [0; 4])),
                    }
                }
            }
            '\\' => {
                keyword = false;
                let letter = letters.next().ok_or_else(unfinished)?;
                word.push(letter.encode_utf8(&mut [0; 4]));
            }
            '$' => {
                keyword = false;
                word.0.push(Part::Variable { name: name(letters)?, is_quoted: false });
            }
            letter => word.push(letter.encode_utf8(&mut [0; 4])),
        }
    }
    Ok(Token::Word { word, keyword })
}

/// Reads the name of a variable.
fn name(letters: &mut Peekable<Chars<'_>>) -> Result<String, SyntaxError> {
    let is_braced = letters.next_if_eq(&'{').is_some();
    let mut name = String::new();
    while let Some(letter) = letters.next_if(|letter| letter.is_ascii_alphanumeric() || *letter == '_') {
        name.push(letter);
    }
    if name.is_empty() || (is_braced && letters.next() != Some('}')) {
        return Err(SyntaxError("a variable without a name".to_owned()));
    }
    Ok(name)
}

impl Word {
    fn push(&mut self, more: &str) {
        match self.0.last_mut() {
            Some(Part::Text(text)) => text.push_str(more),
            _ => self.0.push(Part::Text(more.to_owned())),
        }
    }
}
