//! Compares an index with the ordered map of the standard library.

use std::collections::BTreeMap;
use std::ops::Bound;

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

use super::*;

type Pairs = Vec<(u32, u32)>;

fn pairs<'a>(entries: impl Iterator<Item = (&'a u32, &'a u32)>) -> Pairs {
    entries.map(|(key, value)| (*key, *value)).collect()
}

fn same(index: &Index<u32, u32>, map: &BTreeMap<u32, u32>) {
    assert_eq!(index.len(), map.len());
    assert_eq!(pairs(index.iter()), pairs(map.iter()));
    assert_eq!(pairs(index.iter().rev()), pairs(map.iter().rev()));
    assert_eq!(index.last(), map.last_key_value());
    index.root.iter().for_each(|root| in_order(root, None, None));
}

/// Checks that all keys of a node are between two bounds and in order, and that slices have valid lengths.
fn in_order(node: &Node<u32, u32>, from: Option<u32>, to: Option<u32>) {
    match node {
        Node::Leaf(entries) => {
            assert!(!entries.is_empty() && entries.len() <= most::<(u32, u32)>());
            assert!(entries.is_sorted_by(|left, right| left.0 < right.0));
            assert!(from.is_none_or(|from| from <= entries[0].0));
            assert!(to.is_none_or(|to| entries[entries.len() - 1].0 < to));
        }
        Node::Inner(children) => {
            assert!(!children.is_empty() && children.len() <= most::<Child<u32, u32>>());
            for (at, (bound, child)) in children.iter().enumerate() {
                let from = if at == 0 { from } else { Some(*bound) };
                in_order(child, from, children.get(at + 1).map(|(bound, _)| *bound).or(to));
            }
        }
    }
}

/// Returns the number of leaves.
fn leaves<K, V>(index: &Index<K, V>) -> usize {
    fn count<K, V>(node: &Node<K, V>) -> usize {
        match node {
            Node::Leaf(_) => 1,
            Node::Inner(children) => children.iter().map(|(_, child)| count(child)).sum(),
        }
    }
    index.root.as_ref().map_or(0, count)
}

#[test]
fn an_index_equals_a_map_and_changes_do_not_affect_clones() {
    let mut random = StdRng::seed_from_u64(1);
    let (mut index, mut map) = (Index::default(), BTreeMap::new());
    let mut earlier = Vec::new();
    // The index grows, then shrinks until it is empty, then grows again.
    for (steps, remove) in [(20_000, 0.2), (60_000, 0.7), (5_000, 0.3)] {
        for step in 0..steps {
            // Neighbouring keys are chosen together, so that whole slices are added and removed.
            let key = random.random_range(0..500) * 64 + step % 64;
            if random.random_bool(remove) {
                assert_eq!(index.remove(&key), map.remove(&key));
            } else {
                assert_eq!(index.insert(key, step), map.insert(key, step));
            }
            if let (Some(mine), Some(other)) = (index.get_mut(&(key + 1)), map.get_mut(&(key + 1))) {
                (*mine, *other) = (step, step);
            }
            assert_eq!(index.get(&(key + 2)), map.get(&(key + 2)));
            if step % 4_000 == 0 {
                same(&index, &map);
                earlier.push((index.clone(), map.clone()));
            }
        }
    }
    while let Some(key) = map.keys().nth(map.len() / 3).copied() {
        assert_eq!(index.remove(&key), map.remove(&key));
        assert_eq!(index.remove(&key), None);
    }
    assert!(index.is_empty() && index.root.is_none());
    earlier.iter().for_each(|(index, map)| same(index, map));
}

#[test]
fn ranges_are_those_of_a_map() {
    for count in [0, 1, 2, 200, 5_000] {
        let keys = (0..count).map(|key| (key * 3, key));
        let mut index: Index<u32, u32> = keys.clone().collect();
        let mut map: BTreeMap<u32, u32> = keys.collect();
        let mut random = StdRng::seed_from_u64(2);
        for _ in 0..500 {
            let key = random.random_range(0..=count * 3);
            assert_eq!(index.remove(&key), map.remove(&key));
            let mut bound = || match (random.random_range(0..3), random.random_range(0..=count * 3 + 1)) {
                (0, _) => Bound::Unbounded,
                (1, key) => Bound::Included(key),
                (_, key) => Bound::Excluded(key),
            };
            let range = (bound(), bound());
            let expected: Pairs =
                map.iter().map(|(key, value)| (*key, *value)).filter(|(key, _)| range.contains(key)).collect();
            assert_eq!(pairs(index.range(range)), expected, "{range:?}");
            let (mut both, mut front, mut back) = (index.range(range), Vec::new(), Vec::new());
            loop {
                front.extend(both.next());
                let Some(last) = both.next_back() else { break };
                back.push(last);
            }
            assert!(both.next().is_none() && both.next_back().is_none());
            front.extend(back.into_iter().rev());
            assert_eq!(pairs(front.into_iter()), expected, "from both ends, {range:?}");
        }
    }
}

#[test]
fn entries_in_order_fill_their_slices() {
    let count = 10_000_u32;
    let full = (count as usize).div_ceil(most::<(u32, u32)>());
    let all: Index<u32, u32> = (0..count).map(|key| (key, key)).collect();
    assert_eq!(leaves(&all), full);
    let mut single = Index::default();
    (0..count).for_each(|key| assert!(single.insert(key, key).is_none()));
    assert_eq!(leaves(&single), full);
    // If an index is built from entries in any order, the last entry of a key is kept.
    let mixed: Index<u32, u32> = (0..3 * count).map(|key| (key * 7_919 % count, key)).collect();
    assert_eq!((mixed.len(), leaves(&mixed)), (all.len(), full));
    assert!(mixed.iter().all(|(key, value)| value * 7_919 % count == *key && *value >= 2 * count));
    // Groups are added one after another, each between existing keys, like the ports of devices in any order.
    let mut groups = Index::default();
    for group in 0..50_u32 {
        (0..1_000_u32).for_each(|key| assert!(groups.insert((group * 7 % 50, key), ()).is_none()));
    }
    let least = groups.len().div_ceil(most::<((u32, u32), ())>());
    assert!(leaves(&groups) <= least + 100, "{} leaves instead of {least}", leaves(&groups));
    // Keys are inserted in random order.
    let mut mixed = Index::default();
    (0..count).for_each(|key| assert!(mixed.insert(key * 7_919 % count, key).is_none()));
    assert!(leaves(&mixed) <= 3 * full, "{} leaves instead of {full}", leaves(&mixed));
    // Removing entries leaves no nearly empty slices.
    (0..count).filter(|key| key % 50 != 0).for_each(|key| assert!(single.remove(&key).is_some()));
    assert!(leaves(&single) <= 8 * single.len().div_ceil(most::<(u32, u32)>()), "{} leaves", leaves(&single));
}
