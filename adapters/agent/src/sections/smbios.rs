//! The table of structures in which firmware describes the hardware (SMBIOS).
//!
//! Guarantees: any bytes are read without a panic, and a table that is cut off or broken gives the structures before the
//! broken place.

/// The type of a memory device.
pub const MEMORY_DEVICE: u8 = 17;
/// The type of the structure at the end of the table.
pub const END: u8 = 127;

/// A structure of the table.
#[derive(Clone, Debug)]
pub struct Structure<'a> {
    /// The type.
    pub kind: u8,
    /// The place in the table at which the structure begins, and the one at which the next one does.
    pub range: (usize, usize),
    formatted: &'a [u8],
    strings: &'a [u8],
}

impl<'a> Structure<'a> {
    /// Returns the byte at an offset, if the structure has it.
    pub fn byte(&self, offset: usize) -> Option<u8> {
        self.formatted.get(offset).copied()
    }

    /// Returns the two bytes at an offset as a number.
    pub fn word(&self, offset: usize) -> Option<u16> {
        Some(u16::from_le_bytes(self.formatted.get(offset..offset + 2)?.try_into().ok()?))
    }

    /// Returns the four bytes at an offset as a number.
    pub fn double_word(&self, offset: usize) -> Option<u32> {
        Some(u32::from_le_bytes(self.formatted.get(offset..offset + 4)?.try_into().ok()?))
    }

    /// Returns the string whose number is at an offset. Strings are numbered from 1; 0 is none.
    pub fn string(&self, offset: usize) -> Option<&'a [u8]> {
        let number = usize::from(self.byte(offset)?).checked_sub(1)?;
        self.strings.split(|byte| *byte == 0).nth(number)
    }

    /// Returns where the string whose number is at an offset stands in the table.
    pub fn place_of_string(&self, offset: usize) -> Option<(usize, usize)> {
        let string = self.string(offset)?;
        let before = string.as_ptr() as usize - self.strings.as_ptr() as usize;
        let start = self.range.0 + self.formatted.len() + before;
        Some((start, start + string.len()))
    }
}

/// Returns the structures of a table, and whether the table is whole: it goes to its end mark.
pub fn structures(table: &[u8]) -> (Vec<Structure<'_>>, bool) {
    let mut found = Vec::new();
    let mut start = 0;
    while let Some(structure) = next(table, start) {
        start = structure.range.1;
        let is_end = structure.kind == END;
        found.push(structure);
        if is_end {
            return (found, true);
        }
    }
    (found, false)
}

/// Returns the structure that begins at a place: its formatted part, and strings of which two zeros end the last.
fn next(table: &[u8], start: usize) -> Option<Structure<'_>> {
    let rest = table.get(start..)?;
    let length = usize::from(*rest.get(1)?);
    if length < 4 {
        return None;
    }
    let (formatted, after) = rest.split_at_checked(length)?;
    let strings = after.windows(2).position(|pair| pair == [0, 0])?;
    Some(Structure {
        kind: *rest.first()?,
        range: (start, start + length + strings + 2),
        formatted,
        strings: after.get(..strings)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A memory device with two strings, and the end.
    const TABLE: [u8; 23] = [17, 8, 0, 0, 1, 2, 0, 9, b'A', b'1', 0, b'B', b'2', 0, 0, 127, 4, 0, 0, 0, 0, 17, 8];

    #[test]
    fn structures_have_numbers_and_strings() {
        let (found, is_whole) = structures(&TABLE);
        assert!(is_whole, "what comes after the end is nothing");
        assert_eq!(found.iter().map(|it| (it.kind, it.range)).collect::<Vec<_>>(), [(17, (0, 15)), (127, (15, 21))]);
        let strings = [4, 5, 6, 7, 8].map(|offset| found[0].string(offset));
        assert_eq!(strings, [Some(&b"A1"[..]), Some(&b"B2"[..]), None, None, None]);
        assert_eq!(found[0].place_of_string(5), Some((11, 13)));
        assert_eq!((found[0].word(6), found[0].word(7)), (Some(0x0900), None));
    }

    #[test]
    fn any_bytes_are_read() {
        for end in 0..21 {
            assert!(!structures(&TABLE[..end]).1, "{end}");
        }
        for place in 0..TABLE.len() {
            for byte in [0, 1, 3, 4, 255] {
                let mut table = TABLE;
                table[place] = byte;
                for structure in structures(&table).0 {
                    let strings = (0..300).filter_map(|offset| structure.place_of_string(offset));
                    assert!(strings.into_iter().all(|(from, to)| from <= to && to <= structure.range.1));
                }
            }
        }
    }
}
