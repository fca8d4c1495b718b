//! Splits the lines of a script of iPXE, and replaces settings.

/// The most replacements in one word. iPXE has no such bound: it would never end.
const MAX_REPLACEMENTS: usize = 10_000;

/// A command of a line, and the condition for the one that follows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// The words, before settings are replaced.
    pub words: Vec<String>,
    /// The condition. Nothing if the command is the last one of the line.
    pub next: Option<Next>,
}

/// The condition for the next command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    OnSuccess,
    OnFailure,
    Always,
}

/// Splits a line into commands.
pub fn commands(line: &str) -> Vec<Command> {
    let is_space = |letter: char| letter.is_ascii_whitespace() || letter == '\u{b}';
    let (mut found, mut words) = (Vec::new(), Vec::new());
    for word in line.split(is_space).filter(|word| !word.is_empty()) {
        let next = match word {
            "||" => Next::OnFailure,
            "&&" => Next::OnSuccess,
            ";" => Next::Always,
            _ if word.starts_with('#') => break,
            _ => {
                words.push(word.to_owned());
                continue;
            }
        };
        found.push(Command { words: std::mem::take(&mut words), next: Some(next) });
    }
    found.push(Command { words, next: None });
    found
}

/// Replaces the settings of a word, also those that a value brings, until none is left.
pub fn expand(word: &str, value: impl Fn(&str) -> Vec<u8>) -> Vec<u8> {
    let mut text = word.as_bytes().to_vec();
    for _ in 0..MAX_REPLACEMENTS {
        // The last opener before the first closer.
        let (mut start, mut end) = (None, None);
        for at in 0..text.len() {
            if text[at..].starts_with(b"${") {
                start = Some(at);
            }
            if start.is_some() && text[at] == b'}' {
                end = Some(at);
                break;
            }
        }
        let (Some(start), Some(end)) = (start, end) else { return text };
        let name = String::from_utf8_lossy(&text[start + 2..end]).into_owned();
        text.splice(start..=end, value(&name));
    }
    text
}
