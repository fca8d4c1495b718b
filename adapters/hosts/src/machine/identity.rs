//! Compares what a machine says of itself with the `uid` of a host, so that a driver never acts on another machine.

use underlay_address::is_junk;

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

/// Returns the digits of a UUID or a MAC address; nothing if the text is neither.
pub fn hex(text: &str) -> String {
    let text = text.trim().trim_start_matches("urn:uuid:").trim_matches(['{', '}']);
    let is_fitting = text.chars().all(|it| it.is_ascii_hexdigit() || matches!(it, '-' | ':' | '.'));
    let digits = text.chars().filter(char::is_ascii_hexdigit).map(|it| it.to_ascii_lowercase());
    if is_fitting { digits.collect() } else { String::new() }
}

/// Returns a UUID with the bytes of its first three groups in the other order. SMBIOS has them in little-endian order, and
/// some BMCs do not turn them.
fn swapped(digits: &str) -> String {
    in_order(digits, [3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15])
}

/// Returns a UUID with all of its bytes in the other order, in which IPMI sends them.
pub fn reversed(uuid: &str) -> String {
    in_order(&hex(uuid), [15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0])
}

fn in_order(digits: &str, order: [usize; 16]) -> String {
    order.iter().filter_map(|at| digits.get(at * 2..at * 2 + 2)).collect()
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
        assert_eq!(reversed("00112233-4455-6677-8899-aabbccddeeff"), "ffeeddccbbaa99887766554433221100");
    }
}
