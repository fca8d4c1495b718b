//! Checks of the values of ports: MAC addresses, IP addresses and the mappings of a front port.

use std::net::IpAddr;

use serde_json::Value as Json;

use crate::common::{at_least_one, entries, member};
use underlay_inventory::{Unfit, shorten};

/// Returns a MAC address of 48 or 64 bits in lower case with colons.
pub fn mac(value: Json) -> Result<Json, Unfit> {
    bytes(value, &[6, 8])
}

/// Returns the address of an interface in lower case with colons: a MAC address, or the 20 bytes of an interface for IP
/// over InfiniBand (RFC 4391, section 9.1.1).
pub fn interface_address(value: Json) -> Result<Json, Unfit> {
    bytes(value, &[6, 8, 20])
}

/// Returns bytes in lower case with colons, if there is one of these numbers of them.
fn bytes(value: Json, lengths: &[usize]) -> Result<Json, Unfit> {
    let text = value.as_str().unwrap_or_default();
    let plain = |character: &char| !":-. ".contains(*character);
    let digits: String = text.chars().filter(plain).map(|character| character.to_ascii_lowercase()).collect();
    let hexadecimal = digits.chars().all(|character| character.is_ascii_hexdigit());
    if !hexadecimal || !lengths.iter().any(|length| digits.len() == 2 * length) {
        return Err(Unfit::new("", format!("must be a MAC address such as 00:00:5e:00:53:01, not {text:?}")));
    }
    let pairs: Vec<&str> = (0..digits.len()).step_by(2).map(|at| &digits[at..at + 2]).collect();
    Ok(Json::String(pairs.join(":")))
}

/// Checks IP addresses with their prefix lengths, and that none appears twice.
pub fn addresses(value: Json) -> Result<Json, Unfit> {
    let normal = entries(value, address)?;
    let list = normal.as_array().map(Vec::as_slice).unwrap_or_default();
    for (at, entry) in list.iter().enumerate() {
        if list[..at].contains(entry) {
            return Err(Unfit::new(format!("[{at}]"), format!("is {entry}, which is in the list already")));
        }
    }
    Ok(normal)
}

fn address(value: Json) -> Result<Json, Unfit> {
    let text = value.as_str().unwrap_or_default();
    let parsed = text.split_once('/').and_then(|(address, prefix)| {
        let address: IpAddr = address.parse().ok()?;
        let longest = if address.is_ipv4() { 32 } else { 128 };
        let prefix: u8 = prefix.parse().ok().filter(|prefix| *prefix <= longest)?;
        Some(format!("{address}/{prefix}"))
    });
    let reason =
        || format!("must be an IP address with its prefix length such as 192.0.2.1/24, not {}", shorten(&value));
    parsed.map(Json::String).ok_or_else(|| Unfit::new("", reason()))
}

/// Returns mappings whose positions are at least 1; a missing position becomes 1.
pub fn mappings(value: Json) -> Result<Json, Unfit> {
    entries(value, |mut mapping| {
        for name in ["position", "rearPosition"] {
            let missing = mapping.get(name).is_none_or(Json::is_null);
            if let Some(members) = mapping.as_object_mut().filter(|_| missing) {
                members.insert(name.to_owned(), 1.into());
            }
        }
        member(member(mapping, "position", at_least_one)?, "rearPosition", at_least_one)
    })
}

/// Checks that a power draw holds a number, and that no more is allocated than the maximum.
pub fn draw(value: Json) -> Result<Json, Unfit> {
    let watts = |name: &str| value.get(name).filter(|watts| !watts.is_null());
    for name in ["maximum", "allocated"] {
        let Some(given) = watts(name) else { continue };
        if !given.as_i64().is_some_and(|watts| (0..=i64::from(i32::MAX)).contains(&watts)) {
            let reason = format!("must be a whole number from 0 to {}, not {}", i32::MAX, shorten(given));
            return Err(Unfit::new(name, reason));
        }
    }
    match (watts("maximum").and_then(Json::as_i64), watts("allocated").and_then(Json::as_i64)) {
        (None, None) => Err(Unfit::new("", "must hold maximum or allocated, or be null")),
        (Some(maximum), Some(allocated)) if allocated > maximum => {
            Err(Unfit::new("allocated", format!("must be at most the maximum, {maximum}, not {allocated}")))
        }
        _ => Ok(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mac_addresses_have_one_form() {
        for text in ["00:00:5E:00:53:01", "00-00-5e-00-53-01", "0000.5e00.5301", "00005E005301"] {
            assert_eq!(mac(text.into()), Ok("00:00:5e:00:53:01".into()), "{text}");
        }
        for text in ["", "00:00:5e:00:53", "00:00:5e:00:53:0g", "00:00:5e:00:53:01:02"] {
            assert!(mac(text.into()).is_err(), "{text}");
        }
    }

    #[test]
    fn addresses_need_a_prefix() {
        assert_eq!(address("2001:DB8::1/64".into()), Ok("2001:db8::1/64".into()));
        for text in ["192.0.2.1", "192.0.2.1/33", "192.0.2/24", "2001:db8::1/129", "x/1", "192.0.2.1/"] {
            assert!(address(text.into()).is_err(), "{text}");
        }
    }
}
