//! The parts of a row that refer to objects, whatever their form: one id, several, or a structure that holds ids.

use uuid::Uuid;

/// A part of a row that refers to objects.
pub trait Targets {
    /// Calls back with the id of each object, in order.
    fn each(&self, visit: &mut dyn FnMut(Uuid));
}

impl Targets for Uuid {
    fn each(&self, visit: &mut dyn FnMut(Uuid)) {
        visit(*self);
    }
}

impl<T: Targets> Targets for Option<T> {
    fn each(&self, visit: &mut dyn FnMut(Uuid)) {
        if let Some(target) = self {
            target.each(visit);
        }
    }
}

impl<T: Targets> Targets for [T] {
    fn each(&self, visit: &mut dyn FnMut(Uuid)) {
        for target in self {
            target.each(visit);
        }
    }
}
