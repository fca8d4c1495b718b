//! This module divides work on many objects between two threads.

use super::background;

/// The number of objects from which a second thread pays off.
const MIN_OBJECTS_FOR_TWO_THREADS: usize = 1_000;

/// Works on slices of independent things. If they stand for at least `MIN_OBJECTS_FOR_TWO_THREADS` objects, two threads
/// work on the two halves at the same time. Returns the results in the order of the things.
///
/// A thread for long work does all of it itself. While it waited for another thread, it would begin with other long
/// work, on top of this work on its stack, and this work would take as long as both.
pub fn parallel<T: Sync, R: Send>(things: &[T], objects: usize, work: impl Fn(&[T]) -> Vec<R> + Sync) -> Vec<R> {
    if objects < MIN_OBJECTS_FOR_TWO_THREADS || background::is_current() {
        return work(things);
    }
    let (first, second) = things.split_at(things.len() / 2);
    let (mut results, second) = rayon::join(|| work(first), || work(second));
    results.extend(second);
    results
}

#[cfg(test)]
mod tests {
    use super::super::run_in_background;
    use super::*;

    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn a_thread_for_long_work_waits_for_no_other() {
        let things: Vec<usize> = (0..MIN_OBJECTS_FOR_TWO_THREADS).collect();
        let slices = || parallel(&things, things.len(), |slice| vec![slice.len()]).len();
        assert_eq!((slices(), run_in_background(slices)), (2, 1));
    }

    #[test]
    fn results_are_in_order() {
        for count in
            [0, 1, MIN_OBJECTS_FOR_TWO_THREADS - 1, MIN_OBJECTS_FOR_TWO_THREADS, 2 * MIN_OBJECTS_FOR_TWO_THREADS + 1]
        {
            let things: Vec<usize> = (0..count).collect();
            let doubled = parallel(&things, count, |things| things.iter().map(|thing| thing * 2).collect());
            assert_eq!(doubled, things.iter().map(|thing| thing * 2).collect::<Vec<_>>());
        }
    }

    #[test]
    #[should_panic(expected = "in the other half")]
    fn a_panic_in_the_other_half_is_handed_on() {
        let things: Vec<usize> = (0..MIN_OBJECTS_FOR_TWO_THREADS).collect();
        parallel(&things, MIN_OBJECTS_FOR_TWO_THREADS, |things| -> Vec<()> {
            assert!(!things.contains(&(MIN_OBJECTS_FOR_TWO_THREADS - 1)), "in the other half");
            Vec::new()
        });
    }
}
