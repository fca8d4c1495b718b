//! Compares what a machine says of itself with what is known of the machine of a host, so that nothing ever acts on another
//! machine.
//!
//! What people and sources say of it is compared first: a UUID, and a serial number where no UUID can be compared. What the
//! machine was found to be at the first look must not differ in either: vendors ship boards with one UUID. Only where
//! neither agrees nor differs are MAC addresses compared, and they differ only if none of those that the machine lists is
//! known.

use underlay_address::{IgnoredIdentities, hex, is_junk, swapped};

use super::Identity;
use crate::host::{Host, SeenIdentity, Time};

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

/// Compares a machine with what is known of the machine of a host. `named` is what the address of the host says of it by
/// itself.
pub fn recognise(host: &Host, named: &Identity, machine: &Identity) -> Same {
    let (serials, uuids) = (machine.serials(), machine.uuids());
    let mut same = Same::Unknown;

    for uid in [&host.uid, &host.serial, &named.uuid, &named.serial].into_iter().flatten() {
        match compare(uid, &serials, &uuids) {
            // The serial number beside a UUID can be that of a chassis.
            Same::No(_) if same == Same::Yes => {}
            Same::Unknown => {}
            found => same = found,
        }
        if matches!(same, Same::No(_)) {
            return same;
        }
    }

    let Some(seen) = &host.seen_identity else { return same };
    let own_serial: Vec<&str> = machine.serial.as_deref().into_iter().collect();
    let pinned = [(&seen.uuid, &[][..], uuids.as_slice()), (&seen.serial, own_serial.as_slice(), &[])];
    for (pinned, serials, uuids) in pinned {
        let Some(pinned) = pinned else { continue };
        match compare(pinned, serials, uuids) {
            Same::Unknown => {}
            Same::Yes => same = Same::Yes,
            found @ Same::No(_) => return found,
        }
    }
    same
}

/// Compares the MAC addresses that a machine lists with those that are known of the machine of a host.
pub fn recognise_by_macs(known: &[String], listed: &[String]) -> Same {
    let known: Vec<String> = known.iter().map(|mac| hex(mac)).filter(|mac| !mac.is_empty()).collect();
    match listed.first() {
        Some(_) if listed.iter().any(|mac| known.contains(&hex(mac))) => Same::Yes,
        Some(first) if !known.is_empty() => Same::No(format!("the MAC address {first} and none that is known")),
        _ => Same::Unknown,
    }
}

impl Identity {
    /// Returns what means something at the server of a host.
    pub fn without(mut self, ignored: &IgnoredIdentities) -> Self {
        let means = |text: &String| !ignored.has(text);
        self.uuid = self.uuid.filter(means);
        self.serial = self.serial.filter(means);
        self.aliases.retain(means);
        self
    }

    /// Returns the numbers that people may have as the serial number of the machine, its own first.
    fn serials(&self) -> Vec<&str> {
        self.serial.iter().chain(&self.aliases).map(String::as_str).collect()
    }

    /// Returns the UUID in all spellings that people may have of it.
    fn uuids(&self) -> Vec<&str> {
        let is_uuid = |text: &&str| hex(text).len() == 32 && !is_junk(&hex(text));
        self.uuid.iter().chain(&self.aliases).map(String::as_str).filter(is_uuid).collect()
    }
}

impl SeenIdentity {
    /// Returns what a machine says of itself, without the texts that mean nothing. `macs` are those that it was asked for.
    pub fn of(machine: &Identity, macs: Vec<String>, at: Time) -> Self {
        let uuid = machine.uuid.clone().filter(|uuid| hex(uuid).len() == 32 && !is_junk(&hex(uuid)));
        Self { uuid, serial: machine.serial.clone().filter(|serial| !is_junk(serial)), macs, at }
    }

    /// Returns true if the machine says nothing by which it could be recognised.
    pub const fn is_silent(&self) -> bool {
        self.uuid.is_none() && self.serial.is_none() && self.macs.is_empty()
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

    const A: &str = "38947555-7742-3448-3784-823347823834";
    const A_TURNED: &str = "55759438-4277-4834-3784-823347823834";
    const B: &str = "48947555-7742-3448-3784-823347823834";

    fn machine(uuid: Option<&str>, serial: Option<&str>, aliases: &[&str]) -> Identity {
        let owned = |text: &str| text.to_owned();
        let aliases = aliases.iter().map(|text| owned(text)).collect();
        Identity { uuid: uuid.map(owned), serial: serial.map(owned), aliases }
    }

    /// A host with this `uid`, this `serial`, and the UUID and the serial number of the first look.
    type Known<'a> = (Option<&'a str>, Option<&'a str>, Option<(Option<&'a str>, Option<&'a str>)>);

    fn host(known: Known<'_>) -> Host {
        let (uid, serial, seen) = known;
        let at = "2026-01-01T00:00:00Z".parse::<Time>().unwrap();
        let seen = seen.map(|(uuid, serial)| SeenIdentity::of(&machine(uuid, serial, &[]), Vec::new(), at));
        let (uid, serial) = (uid.map(str::to_owned), serial.map(str::to_owned));
        Host { uid, serial, seen_identity: seen, ..crate::life::cases::free_host() }
    }

    #[test]
    fn what_is_known_of_a_machine_decides_if_it_is_the_right_one() {
        let (a, b) = (machine(Some(A), Some("S-A"), &[]), machine(Some(B), Some("S-B"), &[]));
        let twin = machine(Some(A), Some("S-B"), &[]);
        let (dell, bare) = (machine(None, Some("CN7"), &["TAG7"]), machine(None, None, &[]));
        let (yes, no, unknown) = ("yes", "no", "unknown");
        let table: Vec<(&str, Known<'_>, &Identity, &str)> = vec![
            ("nothing is known", (None, None, None), &a, unknown),
            ("its uid", (Some(A), None, None), &a, yes),
            ("its uid, turned", (Some(A_TURNED), None, None), &a, yes),
            ("another uid", (Some(A), None, None), &b, no),
            ("a serial number as uid", (Some("s-a"), None, None), &a, yes),
            ("another serial number as uid", (Some("S-A"), None, None), &b, no),
            ("a service tag as uid", (Some("TAG7"), None, None), &dell, yes),
            ("the serial number of a chassis beside the uid", (Some(A), Some("CHASSIS"), None), &a, yes),
            ("its serial number, where no UUID is told", (Some(A), Some("CN7"), None), &dell, yes),
            ("another serial number, where no UUID is told", (Some(A), Some("CN8"), None), &dell, no),
            ("seen before", (None, None, Some((Some(A), Some("S-A")))), &a, yes),
            ("another one was seen", (None, None, Some((Some(A), Some("S-A")))), &b, no),
            ("another board with the same UUID", (None, None, Some((Some(A), Some("S-A")))), &twin, no),
            ("and the uid agrees", (Some(A), None, Some((Some(A), Some("S-A")))), &twin, no),
            ("the uid agrees, and another one was seen", (Some(A), None, Some((Some(B), None))), &a, no),
            ("seen before, and tells nothing now", (None, None, Some((Some(A), Some("S-A")))), &bare, unknown),
            ("told nothing before", (None, None, Some((None, None))), &a, unknown),
            ("junk was entered", (Some("To Be Filled By O.E.M."), Some("None"), None), &a, unknown),
        ];
        for (name, known, machine, expected) in table {
            let found = match recognise(&host(known), &Identity::default(), machine) {
                Same::Yes => yes,
                Same::No(_) => no,
                Same::Unknown => unknown,
            };
            assert_eq!(found, expected, "{name}");
        }
        // What the address says by itself counts like a uid.
        assert_eq!(recognise(&host((None, None, None)), &a, &a), Same::Yes);
        assert!(matches!(recognise(&host((None, None, None)), &a, &b), Same::No(_)));
        assert!(matches!(recognise(&host((None, None, Some((Some(B), None)))), &a, &a), Same::No(_)));
    }

    #[test]
    fn a_host_that_is_known_only_by_what_means_nothing_is_known_by_nothing() {
        let ignored = |texts: &[&str]| std::sync::Arc::new(texts.iter().map(|text| (*text).to_owned()).collect());
        let known = || host((Some(A), None, Some((Some(A), Some("S-A")))));
        let kept = known().ignoring(&ignored(&[A_TURNED]));
        assert_eq!((kept.uid.as_deref(), kept.is_pinned(), kept.is_pinned_by_nothing), (None, true, false));
        assert!(matches!(recognise(&kept, &Identity::default(), &machine(Some(A), Some("S-B"), &[])), Same::No(_)));
        let lost = known().ignoring(&ignored(&[A, "s-a"]));
        assert!(!lost.is_pinned() && lost.is_pinned_by_nothing);
        assert!(!host((None, None, None)).ignoring(&ignored(&[A])).is_pinned_by_nothing, "nobody has looked");
        let said = machine(Some(A), Some("S-B"), &["s-a"]).without(&ignored(&[A, "S-A"]));
        assert_eq!((said.uuid, said.serial.as_deref(), said.aliases), (None, Some("S-B"), Vec::new()));
    }

    #[test]
    fn mac_addresses_differ_only_if_none_is_known() {
        let macs = |list: &[&str]| list.iter().map(|mac| (*mac).to_owned()).collect::<Vec<_>>();
        for (known, listed, expected) in [
            (&[][..], &[][..], Same::Unknown),
            (&[], &["52:54:00:00:00:01"], Same::Unknown),
            (&["52:54:00:00:00:01"], &[], Same::Unknown),
            (&["52:54:00:00:00:01"], &["52-54-00-00-00-01"], Same::Yes),
            (&["52:54:00:00:00:01", "52:54:00:00:00:0A"], &["52:54:00:00:00:09", "52540000000a"], Same::Yes),
            (
                &["52:54:00:00:00:01"],
                &["52:54:00:00:00:02"],
                Same::No("the MAC address 52:54:00:00:00:02 and none that is known".to_owned()),
            ),
        ] {
            assert_eq!(recognise_by_macs(&macs(known), &macs(listed)), expected, "{known:?} {listed:?}");
        }
    }
}
