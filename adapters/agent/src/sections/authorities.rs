//! The names of the authorities in a list of certificates of UEFI, such as the variable `db` of Secure Boot.
//!
//! Guarantee: no bytes make it fail otherwise than by returning nothing. Each loop ends with the bytes.

use crate::value;

/// The type of lists of certificates (`EFI_CERT_X509_GUID`), as it stands in memory.
const X509: [u8; 16] = [0xa1, 0x59, 0xc0, 0xa5, 0xe4, 0x94, 0xa7, 0x4a, 0x87, 0xb5, 0xab, 0x15, 0x5c, 0x2b, 0xf0, 0x72];
/// The bytes of a list before its entries: its type, and three sizes.
const HEAD_OF_LIST: usize = 28;
/// The bytes of an entry before its certificate: who put it there.
const OWNER: usize = 16;

/// The tags of DER.
const SEQUENCE: u8 = 0x30;
const OBJECT_ID: u8 = 0x06;
const VERSION: u8 = 0xa0;
const BMP_STRING: u8 = 0x1e;
/// The object ids of the common name and of the organization.
const COMMON_NAME: [u8; 3] = [0x55, 0x04, 0x03];
const ORGANIZATION: [u8; 3] = [0x55, 0x04, 0x0a];

/// Returns the names of the authorities of a list, in order, each once. Digests of single programs have no names. Returns
/// `None` for what is no list.
pub fn names(mut lists: &[u8]) -> Option<Vec<String>> {
    let mut names = Vec::new();
    while !lists.is_empty() {
        let head = lists.get(..HEAD_OF_LIST)?;
        let [list, header, entry] = [16, 20, 24].map(|at| size(head, at));
        let (list, header, entry) = (list?, header?, entry?);
        if list < HEAD_OF_LIST {
            return None;
        }
        let (whole, rest) = lists.split_at_checked(list)?;
        lists = rest;
        if head.starts_with(&X509) {
            let entries = whole.get(HEAD_OF_LIST.checked_add(header)?..)?;
            if entry <= OWNER {
                return None;
            }
            names.extend(entries.chunks_exact(entry).filter_map(|entry| name_of(entry.get(OWNER..)?)));
        }
    }
    names.sort_unstable();
    names.dedup();
    Some(names)
}

fn size(head: &[u8], at: usize) -> Option<usize> {
    let bytes = head.get(at..at + 4)?.try_into().ok()?;
    usize::try_from(u32::from_le_bytes(bytes)).ok()
}

/// Returns the common name of a certificate's subject, or its organization.
fn name_of(certificate: &[u8]) -> Option<String> {
    let mut signed = Der(Der(Der(certificate).value(SEQUENCE)?).value(SEQUENCE)?);
    if signed.0.first() == Some(&VERSION) {
        signed.next()?;
    }
    // The serial number, the algorithm, the issuer and the validity come before the subject.
    for _ in 0..4 {
        signed.next()?;
    }
    let subject = signed.value(SEQUENCE)?;
    member(subject, COMMON_NAME).or_else(|| member(subject, ORGANIZATION))
}

/// Returns a member of a name, which is a sequence of sets of pairs.
fn member(name: &[u8], wanted: [u8; 3]) -> Option<String> {
    let mut sets = Der(name);
    while let Some((_, set)) = sets.next() {
        let mut pair = Der(Der(set).value(SEQUENCE)?);
        if pair.value(OBJECT_ID)? == wanted {
            let (tag, text) = pair.next()?;
            return Some(text_of(tag, text)).filter(|text| !text.is_empty());
        }
    }
    None
}

fn text_of(tag: u8, text: &[u8]) -> String {
    if tag == BMP_STRING {
        let letters = text.chunks_exact(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]]));
        let text: String = char::decode_utf16(letters).map(|it| it.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
        return value::clean(text.as_bytes());
    }
    value::clean(text)
}

/// The values in some bytes of DER, one after the other.
struct Der<'a>(&'a [u8]);

impl<'a> Der<'a> {
    /// Returns the tag and the content of the next value.
    fn next(&mut self) -> Option<(u8, &'a [u8])> {
        let [tag, first, rest @ ..] = self.0 else { return None };
        let (length, rest) = match usize::from(*first) {
            length @ ..0x80 => (length, rest),
            // The number of bytes of the length, which a certificate needs at most three of.
            head => {
                let (bytes, rest) =
                    rest.split_at_checked(head - 0x80).filter(|(bytes, _)| (1..=3).contains(&bytes.len()))?;
                (bytes.iter().fold(0, |sum, byte| sum << 8 | usize::from(*byte)), rest)
            }
        };
        let (content, rest) = rest.split_at_checked(length)?;
        self.0 = rest;
        Some((*tag, content))
    }

    /// Returns the content of the next value, which must have a tag.
    fn value(&mut self, wanted: u8) -> Option<&'a [u8]> {
        self.next().filter(|(tag, _)| *tag == wanted).map(|(_, content)| content)
    }
}

#[cfg(test)]
mod tests;
