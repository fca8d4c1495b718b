//! The page of the documentation that the table stands in: written by hand around two marks, and by this program
//! between them.

use std::fs;
use std::path::{Path, PathBuf};

use super::problem::{Doing, LoadError, Result};

/// The name of the page.
pub const NAME: &str = "performance.md";
const BEGIN: &str = "<!-- table -->";
const END: &str = "<!-- end of table -->";

/// Where the documentation is.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs")
}

/// The page with another table in it.
pub fn with_table(table: &str) -> Result<String> {
    let file = folder().join(NAME);
    between_marks(&fs::read_to_string(&file).doing(|| format!("read {}", file.display()))?, table)
}

fn between_marks(text: &str, table: &str) -> Result<String> {
    let parts = text.split_once(BEGIN).and_then(|(before, rest)| Some((before, rest.split_once(END)?.1)));
    let missing = || LoadError::Answer(format!("{NAME} has no place for the table, between {BEGIN} and {END}"));
    let (before, after) = parts.ok_or_else(missing)?;
    Ok(format!("{before}{BEGIN}\n\n{}\n\n{END}{after}", table.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_takes_the_place_of_the_last_one() {
        let text = "before\n<!-- table -->\nold\n<!-- end of table -->\nafter\n";
        let first = between_marks(text, "| new |\n").expect("marks");
        assert_eq!(first, "before\n<!-- table -->\n\n| new |\n\n<!-- end of table -->\nafter\n");
        assert_eq!(between_marks(&first, "| new |").expect("marks"), first, "a second time changes nothing");
        assert!(between_marks("no marks", "").is_err());
    }

    #[test]
    fn the_page_has_a_place_for_it() {
        assert!(with_table("| table |").expect("the page").contains("| table |"));
    }
}
