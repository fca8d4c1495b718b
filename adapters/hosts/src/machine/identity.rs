//! Compares what a machine says of itself with the `uid` of a host, so that a driver never acts on another machine.

use underlay_address::{hex, is_junk, swapped};

/// The result of comparing a machine with the `uid` of a host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Same {
    /// It is the machine of the host.
    Yes,
    /// It is certainly another machine, which is identified by this: `the serial number X` or `the UUID X`.
    No(String),
    /// The machine says nothing that can be compared.
    Unknown,
}

/// Compares a machine with the `uid` of a host, which is a UUID or a serial number. A UUID is compared with `uuids`, and
/// anything else with `serials`. Texts that firmware has where nobody entered a serial number are ignored.
pub fn compare(uid: &str, serials: &[&str], uuids: &[&str]) -> Same {
    let (uid, digits) = (uid.trim(), hex(uid));
    if digits.len() == 32 {
        let own: Vec<(&str, String)> =
            uuids.iter().map(|uuid| (*uuid, hex(uuid))).filter(|(_, own)| own.len() == 32).collect();
        let is_same = own.iter().any(|(_, own)| *own == digits || swapped(own) == digits);
        return match own.first() {
            _ if is_same => Same::Yes,
            Some((first, _)) => Same::No(format!("the UUID {first}")),
            None => Same::Unknown,
        };
    }
    let mut own = serials.iter().map(|serial| serial.trim()).filter(|serial| !is_junk(serial)).peekable();
    match own.peek().copied() {
        Some(first) if !is_junk(uid) => {
            let is_same = own.any(|serial| serial.eq_ignore_ascii_case(uid));
            if is_same { Same::Yes } else { Same::No(format!("the serial number {first}")) }
        }
        _ => Same::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_is_another_one_if_what_can_be_compared_differs() {
        let uuid = "38947555-7742-3448-3784-823347823834";
        let (serials, uuids) = (["CN123", "7XKT0Z1"], [uuid]);
        let (serial_differs, uuid_differs) =
            (Same::No("the serial number CN123".to_owned()), Same::No(format!("the UUID {uuid}")));
        for (uid, expected) in [
            (uuid, Same::Yes),
            ("38947555774234483784823347823834", Same::Yes),
            ("{38947555-7742-3448-3784-823347823834}", Same::Yes),
            ("55759438-4277-4834-3784-823347823834", Same::Yes),
            ("38947555-7742-3448-3784-823347823835", uuid_differs.clone()),
            (" cn123 ", Same::Yes),
            ("7xkt0z1", Same::Yes),
            ("OTHER", serial_differs.clone()),
            ("To Be Filled By O.E.M.", Same::Unknown),
            ("", Same::Unknown),
        ] {
            assert_eq!(compare(uid, &serials, &uuids), expected, "{uid}");
        }
        // Firmware without a number says nothing, and a UUID cannot be compared with a serial number.
        for serials in [&[][..], &["To be filled"], &["0000", "None"]] {
            assert_eq!(compare("CN123", serials, &[uuid]), Same::Unknown, "{serials:?}");
        }
        assert_eq!(compare("B1", &["None", "b1"], &[]), Same::Yes);
        assert_eq!(compare("CN123", &["None", "b1"], &[]), Same::No("the serial number b1".to_owned()));
        assert_eq!(compare(uuid, &["CN123"], &["unknown"]), Same::Unknown);
    }
}
