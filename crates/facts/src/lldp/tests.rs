//! Frames by tables of bytes, and bytes that are no frames.

use rand::rngs::StdRng;
use rand::{Rng as _, SeedableRng as _};

use super::*;

/// A value of a frame.
fn value(kind: u8, content: &[u8]) -> Vec<u8> {
    let head = (u16::from(kind) << 9 | content.len() as u16).to_be_bytes();
    [&head[..], content].concat()
}

/// The three values that begin each frame.
fn beginning() -> Vec<u8> {
    [value(1, b"\x04\x00\x1c\x73\x00\x00\x01"), value(2, b"\x05Ethernet12"), value(3, &[0, 120])].concat()
}

fn with(values: &[Vec<u8>]) -> Vec<u8> {
    [&[beginning()], values].concat().concat()
}

fn neighbour(frame: &[u8]) -> Neighbour {
    read(frame).expect("a frame").neighbour
}

#[test]
fn a_frame_of_a_switch_is_read() {
    let frame = with(&[
        value(4, b"to rack 7, u12"),
        value(5, b"leaf-1a.example.org"),
        value(6, b"Arista Networks EOS\nversion 4.31\0"),
        value(7, &[0, 0x14, 0, 0x14]),
        value(8, &[5, 1, 10, 0, 0, 1, 2, 0, 0, 0, 7, 0]),
        value(8, &[[17, 2].as_slice(), &[0xfe, 0x80], &[0; 13], &[1], &[2, 0, 0, 0, 7, 0]].concat()),
        value(8, &[7, 6, 0, 0x1c, 0x73, 0, 0, 1, 2, 0, 0, 0, 7, 0]),
        value(127, &[0, 0x80, 0xc2, 1, 0, 1]),
        value(0, &[]),
        b"what fills the frame".to_vec(),
    ]);
    let Advertisement { neighbour, ttl } = read(&frame).expect("a frame");
    assert_eq!(ttl, 120);
    let text = |text: &str| Some(text.to_owned());
    assert_eq!(
        neighbour,
        Neighbour {
            chassis_id: "00:1c:73:00:00:01".to_owned(),
            chassis_id_subtype: Some(NeighbourIdSubtype::MacAddress),
            port_id: "Ethernet12".to_owned(),
            port_id_subtype: Some(NeighbourIdSubtype::InterfaceName),
            port_description: text("to rack 7, u12"),
            system_name: text("leaf-1a.example.org"),
            system_description: text("Arista Networks EOS version 4.31"),
            management_addresses: vec!["10.0.0.1".to_owned(), "fe80::1".to_owned()],
            capabilities: vec![NeighbourCapability::Bridge, NeighbourCapability::Router],
            ..Neighbour::default()
        }
    );
}

#[test]
fn ids_are_what_they_mean() {
    for (id, text, meaning) in [
        (&b"\x04\x00\x1C\x73\xAB\xCD\xEF"[..], "00:1c:73:ab:cd:ef", Some(NeighbourIdSubtype::MacAddress)),
        (b"\x04\x00\x1c", "00:1c", Some(NeighbourIdSubtype::MacAddress)),
        (b"\x05\x01\x0a\x00\x00\x01", "10.0.0.1", Some(NeighbourIdSubtype::NetworkAddress)),
        (b"\x05\x01\x0a", "01:0a", Some(NeighbourIdSubtype::NetworkAddress)),
        (b"\x05\x63ab", "63:61:62", Some(NeighbourIdSubtype::NetworkAddress)),
        (b"\x01slot 3", "slot 3", Some(NeighbourIdSubtype::ChassisComponent)),
        (b"\x02uplink", "uplink", Some(NeighbourIdSubtype::InterfaceAlias)),
        (b"\x03PSU", "PSU", Some(NeighbourIdSubtype::PortComponent)),
        (b"\x06eth0\0", "eth0", Some(NeighbourIdSubtype::InterfaceName)),
        (b"\x077", "7", Some(NeighbourIdSubtype::Local)),
        (b"\x07\x00\x01", "00:01", Some(NeighbourIdSubtype::Local)),
        (b"\x07a\x1b[2J", "61:1b:5b:32:4a", Some(NeighbourIdSubtype::Local)),
        (b"\x07\xff\xfe", "ff:fe", Some(NeighbourIdSubtype::Local)),
        (b"\x07  ", "20:20", Some(NeighbourIdSubtype::Local)),
        (b"\x00reserved", "reserved", None),
        (b"\x09reserved", "reserved", None),
    ] {
        let found = neighbour(&[value(1, id), value(2, b"\x011"), value(3, &[0, 1])].concat());
        assert_eq!((found.chassis_id.as_str(), found.chassis_id_subtype), (text, meaning), "{id:?}");
        assert_eq!(found.port_id_subtype, Some(NeighbourIdSubtype::InterfaceAlias));
    }
}

#[test]
fn frames_that_are_malformed_are_ignored() {
    let missing = |expected, found| Err(Fault::Missing { expected, found });
    let [chassis, port, ttl] = [value(1, b"\x07C"), value(2, b"\x07P"), value(3, &[0, 1])];
    let cut = [&beginning()[..], &[4 << 1, 5], b"abcd"].concat();
    for (name, frame, expected) in [
        ("empty", vec![], missing(1, None)),
        ("one byte", vec![2], missing(1, None)),
        ("only zeros", vec![0; 46], missing(1, Some(0))),
        ("chassis alone", chassis.clone(), missing(2, None)),
        ("without a port", [chassis.clone(), ttl.clone()].concat(), missing(2, Some(3))),
        ("another order", [port.clone(), chassis.clone(), ttl.clone()].concat(), missing(1, Some(2))),
        ("without a time", [chassis.clone(), port.clone(), value(0, &[])].concat(), missing(3, Some(0))),
        ("no chassis", [value(1, &[]), port.clone()].concat(), Err(Fault::Length { kind: 1, length: 0 })),
        ("an empty id", [value(1, &[7]), port.clone()].concat(), Err(Fault::Length { kind: 1, length: 1 })),
        (
            "a short time",
            [chassis.clone(), port.clone(), value(3, &[1])].concat(),
            Err(Fault::Length { kind: 3, length: 1 }),
        ),
        ("longer than the frame", vec![2 | 1, 0xff, 4, 1, 2], Err(Fault::CutOff { kind: 1 })),
        ("a text longer than the frame", cut, Err(Fault::CutOff { kind: 4 })),
        ("a second port", [beginning(), port].concat(), Err(Fault::Again { kind: 2 })),
    ] {
        assert_eq!(read(&frame), expected, "{name}");
    }
}

#[test]
fn what_is_odd_is_left_out_and_the_rest_is_read() {
    // A frame that does not say where it ends, one that goes on after its end, and a byte too much.
    for tail in [vec![], [value(0, &[]), value(5, b"after")].concat(), vec![9]] {
        assert_eq!(neighbour(&[beginning(), tail].concat()).system_name, None);
    }
    let found = neighbour(&with(&[
        value(5, b""),
        value(5, b"first"),
        value(5, b"second"),
        value(7, &[0, 4, 0]),
        value(8, &[]),
        value(8, &[0]),
        value(8, &[200, 1, 10, 0, 0, 1]),
        value(8, &[4, 1, 10, 0, 0]),
        value(8, &[5, 1, 10, 0, 0, 9]),
    ]));
    assert_eq!(found.system_name.as_deref(), Some("first"));
    assert_eq!((found.capabilities, found.management_addresses), (vec![], vec!["10.0.0.9".to_owned()]));
    let many: Vec<Vec<u8>> = (0..100).map(|number| value(8, &[5, 1, 10, 0, 0, number])).collect();
    assert_eq!(neighbour(&with(&many)).management_addresses.len(), MOST_ADDRESSES);
}

#[test]
fn no_bytes_make_it_panic() {
    let seed = rand::random();
    println!("seed {seed}");
    let random = &mut StdRng::seed_from_u64(seed);
    let whole = with(&[
        value(5, b"name"),
        value(7, &[0, 4, 0, 4]),
        value(8, &[5, 1, 10, 0, 0, 1, 2, 0, 0, 0, 7, 0]),
        value(0, &[]),
    ]);
    let mut read_well = 0;
    for _ in 0..50_000 {
        let mut frame = if random.random_ratio(1, 4) {
            (0..random.random_range(0..60)).map(|_| random.random()).collect()
        } else {
            whole.clone()
        };
        for _ in 0..random.random_range(0..4) {
            if !frame.is_empty() {
                let at = random.random_range(0..frame.len());
                frame[at] = random.random();
            }
        }
        frame.truncate(random.random_range(0..=frame.len() * 2));
        if let Ok(Advertisement { neighbour, .. }) = read(&frame) {
            read_well += 1;
            let texts = [Some(&neighbour.chassis_id), Some(&neighbour.port_id), neighbour.system_name.as_ref()];
            let is_clean = |text: &&String| !text.is_empty() && !text.chars().any(char::is_control);
            assert!(texts.iter().flatten().all(is_clean), "seed {seed}: {frame:?}");
        }
    }
    assert!(read_well > 1000, "seed {seed}: {read_well}");
}
