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
    /// Where the structure begins in the table, and where the next one does.
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
