//! Applies the filter of a list to its objects, one after the other.
//!
//! Guarantees: no worker is busy with a filter for more than a few milliseconds at a time; the steps of a filter on one
//! list are bounded; the filters of one caller leave places for those of others; and the work ends soon after the
//! request has ended.

use std::sync::Arc;
use std::time::Duration;

use super::error::ReadError;
use super::filter::{At, Filter, Nests};
use super::listing::{Listed, Listing};
use super::steps::Steps;
use underlay_engine::runtime::{TimeSlice, compute};
use underlay_inventory::{Held, ObjectRef, Snapshot};

/// The maximum number of references and lists in each other in a filter: from a cable by its end to the port, its
/// device, rack, location, site and region.
const MAX_NESTING_LEVELS: usize = 6;
/// The time after which the filter of one object is applied on a thread of its own.
const OWN_THREAD_DELAY: Duration = Duration::from_millis(2);

/// A list whose filter is being applied.
pub(super) struct Fitting<'a, K: Listed> {
    listing: &'a Listing<K>,
    slice: TimeSlice,
    /// The number of steps that are left.
    left: u64,
}

impl<'a, K: Listed> Fitting<'a, K> {
    /// Begins with a list.
    ///
    /// # Errors
    /// Returns an error if the filter nests too deep.
    pub fn new(listing: &'a Listing<K>) -> Result<Self, ReadError> {
        let nesting = listing.filter.as_ref().map_or(0, |filter| filter.nesting());
        if nesting > MAX_NESTING_LEVELS {
            let reason =
                format!("has {nesting} references and lists in each other; at most {MAX_NESTING_LEVELS} are allowed");
            return Err(ReadError::Argument { argument: "filter", reason });
        }
        Ok(Self { listing, slice: TimeSlice::begin(), left: listing.share.max_steps })
    }

    /// Returns an object of the list if it matches the filter. Yields after each time slice.
    ///
    /// # Errors
    /// Returns an error if the steps are used up.
    pub async fn hold(&mut self, object: ObjectRef) -> Result<Option<Held<K>>, ReadError> {
        let listing = self.listing;
        let fits = match &listing.filter {
            Some(filter) => self.fits(filter, object).await?,
            None => {
                self.slice.steps(1).await;
                true
            }
        };
        Ok(if fits { listing.snapshot.hold(object) } else { None })
    }

    async fn fits(&mut self, filter: &Arc<K::Filter>, object: ObjectRef) -> Result<bool, ReadError> {
        let listing = self.listing;
        let snapshot = &listing.snapshot;
        // The slice can be nearly over. The second attempt has a whole one.
        for _ in 0..2 {
            let steps = Steps::within(self.left, self.slice.began(), OWN_THREAD_DELAY);
            let (fits, used) = (fits::<K>(filter, snapshot, object, &steps), steps.used());
            if let Some(fits) = fits {
                self.left -= used;
                self.slice.steps(used).await;
                return Ok(fits);
            }
            self.slice.renew().await;
        }
        let turn = listing.share.turn().await;
        let (filter, snapshot, left) = (Arc::clone(filter), Arc::clone(snapshot), self.left);
        let work = move |stop| {
            let steps = Steps::until(left, stop);
            let found = fits::<K>(&filter, &snapshot, object, &steps).map(|fits| (fits, steps.used()));
            // Work that nobody waits for any more has its place until it has stopped.
            drop(turn);
            found
        };
        let most = listing.share.max_steps;
        let (fits, used) = compute(work).await.ok_or(ReadError::TooManySteps { most })?;
        self.left -= used;
        Ok(fits)
    }
}

/// Returns true if an object matches a filter; `None` if the steps ended before that was known.
fn fits<K: Listed>(filter: &K::Filter, snapshot: &Arc<Snapshot>, object: ObjectRef, steps: &Steps) -> Option<bool> {
    let row = snapshot.row(object).and_then(|row| row.as_any().downcast_ref());
    let fits = row.is_some_and(|row| filter.fits(row, At { snapshot, object, steps }));
    (!steps.are_over()).then_some(fits)
}
