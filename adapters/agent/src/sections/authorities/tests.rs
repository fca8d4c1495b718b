//! Lists of certificates that are made here, and bytes that are none.

use rand::rngs::StdRng;
use rand::{Rng as _, SeedableRng as _};
use rcgen::{CertificateParams, DistinguishedName, DnType, DnValue, KeyPair};

use super::*;

/// A certificate with a subject.
fn certificate(subject: &[(DnType, DnValue)]) -> Vec<u8> {
    let mut params = CertificateParams::new(Vec::new()).expect("parameters");
    params.distinguished_name = DistinguishedName::new();
    for (kind, value) in subject {
        params.distinguished_name.push(kind.clone(), value.clone());
    }
    let key = KeyPair::generate().expect("a key");
    params.self_signed(&key).expect("a certificate").der().to_vec()
}

/// A list of entries of one size, with some bytes between its head and them.
fn list(kind: [u8; 16], header: &[u8], entries: &[&[u8]]) -> Vec<u8> {
    let entry = entries.first().map_or(0, |content| OWNER + content.len());
    let whole = HEAD_OF_LIST + header.len() + entry * entries.len();
    let mut bytes = kind.to_vec();
    for size in [whole, header.len(), entry] {
        bytes.extend((size as u32).to_le_bytes());
    }
    bytes.extend(header);
    for content in entries {
        bytes.extend([7; OWNER]);
        bytes.extend(*content);
    }
    bytes
}

fn microsoft() -> Vec<u8> {
    let names = [
        (DnType::CountryName, DnValue::from("US")),
        (DnType::OrganizationName, DnValue::from("Microsoft Corporation")),
        (DnType::CommonName, DnValue::from("Microsoft UEFI CA 2023")),
    ];
    certificate(&names)
}

#[test]
fn authorities_are_named_in_order_and_once() {
    let by_organization = certificate(&[(DnType::OrganizationName, DnValue::from("Example Ltd"))]);
    let name = rcgen::string::BmpString::try_from("Bücher").expect("a text");
    let wide = certificate(&[(DnType::CommonName, DnValue::BmpString(name))]);
    let nameless = certificate(&[]);
    let digests = list([9; 16], &[], &[&[1; 32], &[2; 32]]);
    let lists = [
        list(X509, &[], &[&microsoft()]),
        digests,
        list(X509, &[0, 0], &[&by_organization]),
        list(X509, &[], &[&wide]),
        list(X509, &[], &[&nameless]),
        list(X509, &[], &[&microsoft()]),
    ];
    let expected = ["Bücher", "Example Ltd", "Microsoft UEFI CA 2023"].map(str::to_owned);
    assert_eq!(names(&lists.concat()), Some(expected.to_vec()));
    assert_eq!(names(&[]), Some(Vec::new()));
}

#[test]
fn what_is_no_list_has_no_names() {
    let whole = list(X509, &[], &[&microsoft()]);
    for (name, bytes) in [
        ("a part of a head", whole[..20].to_vec()),
        ("a part of a list", whole[..whole.len() - 1].to_vec()),
        ("a list within its head", [&X509[..], &[5, 0, 0, 0], &[0; 8]].concat()),
        ("entries without a certificate", [&X509[..], &[28, 0, 0, 0], &[0; 4], &[16, 0, 0, 0]].concat()),
        ("a header beyond the list", [&X509[..], &[28, 0, 0, 0], &[0xff; 4], &[17, 0, 0, 0]].concat()),
    ] {
        assert_eq!(names(&bytes), None, "{name}");
    }
}

#[test]
fn no_bytes_make_it_panic() {
    let seed = rand::random();
    println!("seed {seed}");
    let random = &mut StdRng::seed_from_u64(seed);
    let whole = list(X509, &[], &[&microsoft()]);
    for _ in 0..20_000 {
        let mut bytes = whole.clone();
        for _ in 0..random.random_range(0..6) {
            let at = random.random_range(0..bytes.len());
            bytes[at] = random.random();
        }
        if random.random_ratio(1, 4) {
            bytes.truncate(random.random_range(0..bytes.len()));
        }
        let _ = names(&bytes);
    }
}
