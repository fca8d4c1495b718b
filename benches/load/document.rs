//! The documentation page with the tables. A human writes the text outside of the marks, and this program writes the
//! text between them.

use std::fs;
use std::path::{Path, PathBuf};

use super::problem::{Doing, LoadError, Result};

/// The file name of the page.
pub const NAME: &str = "performance.md";

/// A section of the page that contains a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    /// All parts except those below.
    Whole,
    /// The soak, which is a separate run.
    Soak,
    /// The synchronizers, which are a separate run.
    Sources,
    /// The lives of hosts, which are a separate run.
    Lives,
    /// The polls of BMCs, which are a separate run.
    Bmcs,
    /// The reports of agents, which are a separate run.
    Facts,
}

impl Section {
    /// Returns the name of the file with the same data as JSON.
    pub fn file(self) -> &'static str {
        match self {
            Self::Whole => "performance.json",
            Self::Soak => "soak.json",
            Self::Sources => "sources.json",
            Self::Lives => "lives.json",
            Self::Bmcs => "bmcs.json",
            Self::Facts => "facts.json",
        }
    }

    fn marks(self) -> [&'static str; 2] {
        match self {
            Self::Whole => ["<!-- table -->", "<!-- end of table -->"],
            Self::Soak => ["<!-- soak -->", "<!-- end of soak -->"],
            Self::Sources => ["<!-- sources -->", "<!-- end of sources -->"],
            Self::Lives => ["<!-- lives -->", "<!-- end of lives -->"],
            Self::Bmcs => ["<!-- bmcs -->", "<!-- end of bmcs -->"],
            Self::Facts => ["<!-- facts -->", "<!-- end of facts -->"],
        }
    }
}

/// Returns the folder of the documentation.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs")
}

/// Returns the page with a new table in one of its sections.
pub fn with_table(section: Section, table: &str) -> Result<String> {
    let file = folder().join(NAME);
    between_marks(&fs::read_to_string(&file).doing(|| format!("read {}", file.display()))?, section, table)
}

fn between_marks(text: &str, section: Section, table: &str) -> Result<String> {
    let [begin, end] = section.marks();
    let parts = text.split_once(begin).and_then(|(before, rest)| Some((before, rest.split_once(end)?.1)));
    let missing = || LoadError::Answer(format!("{NAME} has no place for the table, between {begin} and {end}"));
    let (before, after) = parts.ok_or_else(missing)?;
    Ok(format!("{before}{begin}\n\n{}\n\n{end}{after}", table.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_takes_the_place_of_the_last_one() {
        let text = "before\n<!-- table -->\nold\n<!-- end of table -->\nafter\n";
        let first = between_marks(text, Section::Whole, "| new |\n").expect("marks");
        assert_eq!(first, "before\n<!-- table -->\n\n| new |\n\n<!-- end of table -->\nafter\n");
        assert_eq!(
            between_marks(&first, Section::Whole, "| new |").expect("marks"),
            first,
            "a second time changes nothing"
        );
        assert!(between_marks("no marks", Section::Soak, "").is_err());
    }

    #[test]
    fn the_page_has_a_place_for_each() {
        use Section::{Bmcs, Facts, Lives, Soak, Sources, Whole};
        for section in [Whole, Soak, Sources, Lives, Bmcs, Facts] {
            assert!(with_table(section, "| table |").expect("the page").contains("| table |"));
        }
    }
}
