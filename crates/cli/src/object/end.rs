//! Parses DEVICE:PORT on the command line. Names of devices and ports can contain colons, so every colon can be the
//! separator.

use super::kind::kinds;
use super::name::{BadName, ObjectName};

/// The maximum number of colons to try; names contain few.
const MAX_COLONS: usize = 8;

/// Parses DEVICE:PORT, or an object in any other form that [`ObjectName`] accepts.
pub(crate) fn end(text: &str) -> Result<ObjectName, BadName> {
    // Names can contain colons too, but no colon comes before the first slash of KIND/NAME.
    let before_slash = text.find('/').unwrap_or(text.len());
    let colons: Vec<usize> = text[..before_slash].match_indices(':').map(|(at, _)| at).collect();
    let (Some(first), Some(port)) = (colons.first(), kinds().named("port")) else { return text.parse() };
    if colons.len() > MAX_COLONS {
        return Err(BadName::TooManyColons { most: MAX_COLONS });
    }
    let reading = |at: &usize| ObjectName::of_kind(port, &format!("{}/{}", &text[..*at], &text[at + 1..]));
    let mut readings: Vec<ObjectName> = colons.iter().filter_map(|at| reading(at).ok()).collect();
    match readings.len() {
        // The error of the first reading explains the problem.
        0 => reading(first),
        1 => Ok(readings.remove(0)),
        _ => Ok(ObjectName::OneOf { text: text.to_owned(), readings }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_have_a_short_form() {
        for (text, expected) in [
            ("leaf-3:Ethernet1/2", "port/leaf-3/Ethernet1/2"),
            ("port/leaf-3/xe:1", "port/leaf-3/xe:1"),
            ("powerFeed/ams1/A", "powerFeed/ams1/A"),
            ("leaf-3:0/1:2", "port/leaf-3/0/1:2"),
            ("leaf-3::", "port/leaf-3/:"),
        ] {
            assert_eq!(end(text).map(|name| name.to_string()), Ok(expected.to_owned()));
        }
        for text in ["leaf-3", ":Ethernet1", "leaf-3:", "a:b:c:d:e:f:g:h:i:j"] {
            assert!(end(text).is_err(), "{text}");
        }
    }

    #[test]
    fn every_colon_is_tried() {
        let Ok(ObjectName::OneOf { text, readings }) = end("sw1:eth0:1/2") else { panic!("there are two readings") };
        let readings: Vec<String> = readings.iter().map(ToString::to_string).collect();
        assert_eq!(text, "sw1:eth0:1/2");
        assert_eq!(readings, ["port/sw1/eth0:1/2", "port/sw1:eth0/1/2"]);
    }
}
