//! Orders names naturally: runs of digits compare as numbers, so that Ethernet1/2 comes before Ethernet1/10.

use std::cmp::Ordering;

/// Compares two names naturally. Names that are equal in this order are compared by their bytes.
pub fn compare(left: &str, right: &str) -> Ordering {
    // The common prefix is skipped, except for its last digits, which can be part of numbers that differ.
    let same = left.bytes().zip(right.bytes()).take_while(|(a, b)| a == b).count();
    let digits = left.as_bytes()[..same].iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let (mut a, mut b) = (&left.as_bytes()[same - digits..], &right.as_bytes()[same - digits..]);
    loop {
        match (a.first(), b.first()) {
            (Some(x), Some(y)) if x.is_ascii_digit() && y.is_ascii_digit() => {
                let (number_a, rest_a) = split_number(a);
                let (number_b, rest_b) = split_number(b);
                let order = number_a.len().cmp(&number_b.len()).then_with(|| number_a.cmp(number_b));
                if order != Ordering::Equal {
                    return order;
                }
                (a, b) = (rest_a, rest_b);
            }
            (Some(x), Some(y)) if x == y => (a, b) = (&a[1..], &b[1..]),
            (Some(x), Some(y)) => return x.cmp(y),
            (None, None) => return left.cmp(right),
            (None, Some(_)) => return Ordering::Less,
            (Some(_), None) => return Ordering::Greater,
        }
    }
}

/// Splits a text into its leading number, without leading zeros, and the rest.
fn split_number(text: &[u8]) -> (&[u8], &[u8]) {
    let end = text.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    let start = digits.iter().position(|byte| *byte != b'0').unwrap_or(digits.len());
    (&digits[start..], rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_compare_as_numbers() {
        let sorted = [
            "",
            "0",
            "00",
            "1",
            "01",
            "2",
            "10",
            "Ethernet1",
            "Ethernet1/2",
            "Ethernet1/10",
            "Ethernet2/1",
            "Ethernet10",
            "a",
            "a-1",
            "a1",
            "a1b",
            "a2",
            "b",
        ];
        for (i, left) in sorted.iter().enumerate() {
            for (j, right) in sorted.iter().enumerate() {
                let wanted = i.cmp(&j);
                // "0" and "00", and "1" and "01", are equal as numbers and differ by their bytes.
                assert_eq!(compare(left, right), wanted_or_bytes(left, right, wanted), "{left:?} {right:?}");
            }
        }
    }

    fn wanted_or_bytes(left: &str, right: &str, wanted: Ordering) -> Ordering {
        let same_number = left.trim_start_matches('0') == right.trim_start_matches('0');
        if same_number { left.cmp(right) } else { wanted }
    }
}
