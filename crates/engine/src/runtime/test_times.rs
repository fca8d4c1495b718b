//! A setting for the tests of this program alone: with `UNDERLAY_TEST_TIMES=20`, the deadlines of connections, leases and
//! steps are twenty times shorter.
//!
//! Without it, tests would wait minutes for real deadlines. It shortens what keeps machines safe, so only debug builds
//! accept it.

/// The variable by which the tests of a debug build shorten its deadlines. No message names it.
pub const VARIABLE: &str = "UNDERLAY_TEST_TIMES";

/// Returns the number by which times are divided: 1, unless a test sets another one.
///
/// # Errors
/// Returns a sentence if the variable is set and is no number from 1 to 100, or this is a release build.
pub fn divisor() -> Result<u32, String> {
    let Some(value) = std::env::var_os(VARIABLE) else { return Ok(1) };
    if !cfg!(debug_assertions) {
        return Err(format!("{VARIABLE} is set: it shortens times for tests, and a release build does not accept it"));
    }
    let number = value.to_str().and_then(|text| text.parse().ok()).filter(|number| (1..=100).contains(number));
    number.ok_or_else(|| format!("{VARIABLE} must be a number from 1 to 100"))
}
