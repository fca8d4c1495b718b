use std::collections::{HashMap, HashSet};
use std::sync::Mutex;

use tokio::time::{sleep, timeout};

use super::*;

const SECOND: Duration = Duration::from_secs(1);

/// Work that records which worker works on which key, and how often.
#[derive(Default)]
struct Noted {
    inner: Mutex<Inner>,
    queue: Option<Arc<Queue<u32>>>,
    keys: u32,
    /// The time that a look takes.
    look_takes: Duration,
}

#[derive(Default)]
struct Inner {
    at_work: HashSet<u32>,
    max_at_work: usize,
    worked: HashMap<u32, Vec<Instant>>,
    looks: Vec<Instant>,
    failing_looks: usize,
}

impl Work for Noted {
    type Key = u32;

    async fn look(&self) -> Result<(), String> {
        let fails = {
            let mut inner = self.inner.lock().unwrap();
            inner.looks.push(Instant::now());
            let fails = inner.failing_looks > 0;
            inner.failing_looks = inner.failing_looks.saturating_sub(1);
            fails
        };
        if fails {
            return Err("the server is away".to_owned());
        }
        sleep(self.look_takes).await;
        (0..self.keys).for_each(|key| self.queue.as_ref().unwrap().add(key));
        Ok(())
    }

    async fn work(&self, key: &u32) -> Then {
        {
            let mut inner = self.inner.lock().unwrap();
            assert!(inner.at_work.insert(*key), "{key} has two workers");
            inner.max_at_work = inner.max_at_work.max(inner.at_work.len());
            inner.worked.entry(*key).or_default().push(Instant::now());
        }
        // A change that comes while the worker is at it.
        self.queue.as_ref().unwrap().add_at(*key, Instant::now() + SECOND * 100);
        sleep(SECOND).await;
        self.inner.lock().unwrap().at_work.remove(key);
        match key {
            1 => Then::Failed("it does not answer".to_owned()),
            2 => panic!("an error in the work"),
            _ => Then::Rest,
        }
    }
}

fn workers(keys: u32, failing_looks: usize) -> (Workers<Noted>, Arc<Noted>, Arc<Status>) {
    slow_workers(keys, failing_looks, Duration::ZERO)
}

fn slow_workers(keys: u32, failing_looks: usize, look_takes: Duration) -> (Workers<Noted>, Arc<Noted>, Arc<Status>) {
    let queue = Arc::new(Queue::new(50));
    let inner = Mutex::new(Inner { failing_looks, ..Inner::default() });
    let work = Arc::new(Noted { inner, queue: Some(Arc::clone(&queue)), keys, look_takes });
    let status = Arc::new(Status::new("test"));
    let timing = WorkTiming { at_once: 4, ..WorkTiming::default() };
    (Workers::new(Arc::clone(&work), queue, Arc::clone(&status), timing), work, status)
}

#[tokio::test(start_paused = true)]
async fn each_key_has_one_worker_and_a_failure_does_not_hold_up_the_others() {
    let (workers, work, status) = workers(10, 0);
    let (_stop, stopped) = watch::channel(false);
    assert!(timeout(SECOND * 90, workers.run(stopped)).await.is_err());
    let inner = work.inner.lock().unwrap();
    assert_eq!(inner.max_at_work, 4);
    for key in 0..10 {
        let times = inner.worked[&key].len();
        match key {
            1 | 2 => assert!((4..=8).contains(&times), "{key} failed and was tried again {times} times"),
            _ => assert_eq!(times, 1, "{key} rests until it is due"),
        }
    }
    let metrics = status.metrics();
    assert!(metrics.contains(r#"underlay_control_work_total{controller="test",result="done"} 8"#), "{metrics}");
    assert!(metrics.contains(r#"underlay_control_failing{controller="test"} 2"#), "{metrics}");
}

#[tokio::test(start_paused = true)]
async fn everything_is_looked_at_each_ten_minutes_and_soon_after_a_failure_or_an_overflow() {
    let (workers, work, status) = workers(3, 2);
    let queue = Arc::clone(&workers.queue);
    let (stop, stopped) = watch::channel(false);
    let running = tokio::spawn(async move { workers.run(stopped).await });
    sleep(SECOND / 2).await;
    assert_eq!(status.not_ready(), ["test: the last full look failed: the server is away"]);
    sleep(SECOND * 30).await;
    assert_eq!(status.not_ready(), Vec::<String>::new());
    assert_eq!(work.inner.lock().unwrap().looks.len(), 3, "two looks failed");
    sleep(SECOND * 1_400).await;
    assert_eq!(work.inner.lock().unwrap().looks.len(), 5, "two more after ten minutes each");
    (0..60).for_each(|key| queue.add_at(key + 100, Instant::now() + SECOND * 10_000));
    sleep(SECOND * 6).await;
    assert_eq!(work.inner.lock().unwrap().looks.len(), 6);
    stop.send_replace(true);
    running.await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_look_that_is_asked_for_during_another_one_follows_it() {
    let (workers, work, _) = slow_workers(0, 0, SECOND * 20);
    let queue = Arc::clone(&workers.queue);
    let (stop, stopped) = watch::channel(false);
    let running = tokio::spawn(async move { workers.run(stopped).await });
    sleep(SECOND * 3).await;
    // The look that is going on may have passed what this is about.
    queue.look_again();
    sleep(SECOND * 27).await;
    assert_eq!(work.inner.lock().unwrap().looks.len(), 2);
    sleep(SECOND * 60).await;
    assert_eq!(work.inner.lock().unwrap().looks.len(), 2, "it was asked for once");
    stop.send_replace(true);
    running.await.unwrap();
}
