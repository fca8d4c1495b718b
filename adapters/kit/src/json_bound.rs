//! Bounds texts of outside systems before they are read as JSON.
//!
//! Guarantee: a text that passes takes a bounded amount of memory once it is read. A bound on its bytes alone does not:
//! a value takes two bytes of the text at least, and forty times as much in memory.

/// Checks the number of values in a text of JSON.
///
/// # Errors
/// Returns what is expected, and what there is, if the text has more than `most` values.
pub fn check_values(json: &[u8], most: usize) -> Result<(), String> {
    let values = underlay_json::values(json);
    if values <= most { Ok(()) } else { Err(format!("at most {most} values, but it has {values}")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_with_too_many_values_is_refused() {
        assert_eq!(check_values(br#"[1,{"a":2}]"#, 4), Ok(()));
        assert_eq!(check_values(b"[1,1,1,1]", 4), Err("at most 4 values, but it has 5".to_owned()));
    }
}
