//! A process that can be frozen, as SIGSTOP does.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};

use futures_util::task::AtomicWaker;

/// The switch of a process.
#[derive(Clone, Default)]
pub struct Freezer {
    inner: Arc<Inner>,
}

#[derive(Default)]
struct Inner {
    is_frozen: AtomicBool,
    waker: AtomicWaker,
}

impl Freezer {
    /// Freezes the process, or lets it go on.
    pub fn set(&self, is_frozen: bool) {
        self.inner.is_frozen.store(is_frozen, Ordering::SeqCst);
        self.inner.waker.wake();
    }

    /// Returns a process under this switch.
    pub fn process<F: Future<Output = ()>>(&self, work: F) -> impl Future<Output = ()> + use<F> {
        Process { freezer: self.clone(), work: Box::pin(work) }
    }
}

struct Process<F> {
    freezer: Freezer,
    work: Pin<Box<F>>,
}

impl<F: Future<Output = ()>> Future for Process<F> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        self.freezer.inner.waker.register(context.waker());
        if self.freezer.inner.is_frozen.load(Ordering::SeqCst) {
            Poll::Pending
        } else {
            self.work.as_mut().poll(context)
        }
    }
}
