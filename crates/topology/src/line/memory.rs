//! Lists of distinct keys with lookup, and stacks of positions stored in such a list. A walk uses them to recognize
//! visited states.
//!
//! Most lines are short, and scanning a short list is faster than hashing. A long list gets an index.

use std::collections::HashMap;
use std::hash::Hash;

/// The length up to which a list is scanned.
const MAX_SCANNED_LENGTH: usize = 24;

/// Distinct keys in the order in which they were added.
#[derive(Debug)]
pub(super) struct Memory<K> {
    keys: Vec<K>,
    index: HashMap<K, u32>,
}

impl<K> Default for Memory<K> {
    fn default() -> Self {
        Self { keys: Vec::new(), index: HashMap::new() }
    }
}

impl<K: Copy + Eq + Hash> Memory<K> {
    /// Returns the index of a key. If it was added several times, returns the last index.
    pub fn find(&self, key: K) -> Option<u32> {
        match self.keys.len() > MAX_SCANNED_LENGTH {
            true => self.index.get(&key).copied(),
            false => self.keys.iter().rposition(|there| *there == key).map(|index| index as u32),
        }
    }

    /// Adds a key and returns its index.
    pub fn add(&mut self, key: K) -> u32 {
        let index = self.keys.len() as u32;
        self.keys.push(key);
        match self.keys.len() {
            length if length <= MAX_SCANNED_LENGTH => {}
            length if length == MAX_SCANNED_LENGTH + 1 => {
                self.index.extend(self.keys.iter().enumerate().map(|(index, key)| (*key, index as u32)));
            }
            _ => drop(self.index.insert(key, index)),
        }
        index
    }

    /// Returns the key at an index.
    pub fn get(&self, index: u32) -> K {
        self.keys[index as usize]
    }

    /// Returns true if there is no key.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Removes all keys, but keeps the memory.
    pub fn clear(&mut self) {
        self.keys.clear();
        self.index.clear();
    }
}

/// A stack of positions. Equal stacks have equal numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Stack(u32);

impl Stack {
    /// The stack without positions.
    pub const EMPTY: Self = Self(u32::MAX);
}

/// All stacks of a walk. Each is a position on top of another stack.
#[derive(Debug, Default)]
pub(super) struct Stacks {
    all: Memory<(Stack, u32)>,
    /// The number of positions of each stack.
    depths: Vec<u32>,
}

impl Stacks {
    /// Returns the stack with one more position on top.
    pub fn push(&mut self, stack: Stack, position: u32) -> Stack {
        let key = (stack, position);
        Stack(self.all.find(key).unwrap_or_else(|| {
            self.depths.push(self.depth(stack) + 1);
            self.all.add(key)
        }))
    }

    /// Returns the number of positions on a stack.
    pub fn depth(&self, stack: Stack) -> u32 {
        if stack == Stack::EMPTY { 0 } else { self.depths[stack.0 as usize] }
    }

    /// Returns true if no position was ever pushed.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Returns the position on top and the stack below it.
    pub fn pop(&self, stack: Stack) -> Option<(u32, Stack)> {
        (stack != Stack::EMPTY).then(|| {
            let (below, position) = self.all.get(stack.0);
            (position, below)
        })
    }

    /// Removes all stacks, but keeps the memory.
    pub fn clear(&mut self) {
        self.all.clear();
        self.depths.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_stacks_are_one_however_many_there_are() {
        let mut stacks = Stacks::default();
        let mut deep = Stack::EMPTY;
        for position in 0..1_000 {
            deep = stacks.push(deep, position);
            assert_eq!(stacks.push(Stack::EMPTY, position), stacks.push(Stack::EMPTY, position));
            let (top, below) = stacks.pop(deep).expect("not empty");
            assert_eq!(top, position);
            assert_eq!(stacks.push(below, top), deep);
            assert_eq!((stacks.depth(deep), stacks.depth(below)), (position + 1, position));
        }
        assert_eq!(stacks.pop(Stack::EMPTY), None);
    }

    #[test]
    fn a_memory_finds_every_key_at_its_place() {
        let mut memory = Memory::default();
        for key in 0..100_u32 {
            assert_eq!(memory.find(key), None);
            assert_eq!(memory.add(key), key);
            assert!((0..=key).all(|key| memory.find(key) == Some(key)), "after {key}");
        }
        for key in 0..100_u32 {
            assert_eq!(memory.add(key), 100 + key);
            assert_eq!(memory.find(key), Some(100 + key), "the last one is found");
        }
        memory.clear();
        assert_eq!(memory.find(7), None);
        for key in [7, 8, 7] {
            memory.add(key);
        }
        assert_eq!((memory.find(7), memory.find(8)), (Some(2), Some(1)), "also in a short list");
    }
}
