//! A page of the handbook, read as its blocks of code.

use std::path::Path;
use std::process::Command;

/// The blocks of a page, in their order.
pub struct Page {
    name: String,
    blocks: Vec<Block>,
}

/// A block of code.
pub struct Block {
    /// The heading above it.
    pub heading: String,
    /// The page and the line at which it begins.
    pub place: String,
    pub content: Content,
}

/// What a reader does with a block.
pub enum Content {
    /// Runs commands, which print something.
    Session(Vec<Step>),
    /// Runs commands of which nothing is said but that they work.
    Script(Vec<String>),
    /// Saves a text under a name.
    File { name: String, text: String },
    /// Only reads it.
    Other,
}

/// A command, and what it prints.
pub struct Step {
    pub command: String,
    pub output: String,
}

impl Page {
    pub fn read(name: &str) -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
        let blocks = blocks(name, &text);
        assert!(!blocks.is_empty(), "{name} has no block of code");
        Self { name: name.to_owned(), blocks }
    }

    /// Leaves out what stands under a heading.
    pub fn without(mut self, heading: &str) -> Self {
        let before = self.blocks.len();
        self.blocks.retain(|block| block.heading != heading);
        assert_ne!(before, self.blocks.len(), "{} has no block under {heading}", self.name);
        self
    }

    /// Leaves out everything but what stands under a heading.
    pub fn only(mut self, heading: &str) -> Self {
        self.blocks.retain(|block| block.heading == heading);
        assert!(!self.blocks.is_empty(), "{} has no block under {heading}", self.name);
        self
    }

    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }
}

fn blocks(page: &str, text: &str) -> Vec<Block> {
    let (mut blocks, mut heading, mut before) = (Vec::new(), String::new(), "");
    let mut lines = text.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        if let Some(language) = line.strip_prefix("```") {
            let inside: Vec<&str> = lines.by_ref().map(|(_, line)| line).take_while(|line| *line != "```").collect();
            let place = format!("{page}:{}", number + 1);
            let content = content(language, &inside, before);
            blocks.push(Block { heading: heading.clone(), place, content });
        } else if line.starts_with('#') {
            heading = line.trim_start_matches('#').trim().to_owned();
        } else if !line.trim().is_empty() {
            before = line;
        }
    }
    blocks
}

/// `before` is the last line of text above the block.
fn content(language: &str, lines: &[&str], before: &str) -> Content {
    match (language, saved_as(before)) {
        ("console", _) => Content::Session(steps(lines)),
        ("sh", _) => Content::Script(lines.iter().map(|line| (*line).to_owned()).collect()),
        (_, Some(name)) => Content::File { name, text: lines.join("\n") + "\n" },
        (_, None) => Content::Other,
    }
}

/// Returns the name in a text such as "Save this as `rack.yaml`:".
fn saved_as(text: &str) -> Option<String> {
    let (_, name) = text.split_once("ave this as `")?;
    let (name, _) = name.split_once('`')?;
    Some(name.to_owned())
}

fn steps(lines: &[&str]) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut is_complete = true;
    for line in lines {
        match (line.strip_prefix("$ "), steps.last_mut()) {
            (Some(command), _) if is_complete => {
                steps.push(Step { command: command.to_owned(), output: String::new() });
                is_complete = is_command(command);
            }
            (_, Some(step)) if !is_complete => {
                step.command = format!("{}\n{line}", step.command);
                is_complete = is_command(&step.command);
            }
            (_, Some(step)) => step.output += &format!("{line}\n"),
            (_, None) => panic!("this is above the first command: {line}"),
        }
    }
    steps
}

/// Returns true if the shell sees the end of the command, and would not wait for more lines.
fn is_command(text: &str) -> bool {
    let checked = Command::new("bash").args(["-n", "-c", text]).output().expect("run bash");
    // Of a document within a command that does not end, it only warns.
    checked.status.success() && checked.stderr.is_empty() && !text.ends_with('\\')
}
