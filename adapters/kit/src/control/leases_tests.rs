use std::collections::HashMap;

use super::*;

const SECOND: Duration = Duration::from_secs(1);

/// A plain model of the leases of a server, as one of its clients sees it.
struct Model {
    client: usize,
    table: Arc<Mutex<Table>>,
}

#[derive(Default)]
struct Table {
    rows: HashMap<String, Row>,
    is_away: bool,
    /// The time after which a request to take leases comes to the server.
    delay: Duration,
}

struct Row {
    holder: Option<usize>,
    epoch: u64,
    until: Instant,
}

impl Model {
    fn table(&self) -> Result<MutexGuard<'_, Table>, String> {
        let table = self.table.lock().unwrap();
        if table.is_away { Err("the server is away".to_owned()) } else { Ok(table) }
    }
}

impl LeaseServer for Model {
    type Error = String;

    async fn leases(&self, prefix: &str) -> Result<Vec<LeaseSeen>, String> {
        let table = self.table()?;
        let now = Instant::now();
        let is_held =
            |(name, row): &(&String, &Row)| name.starts_with(prefix) && row.holder.is_some() && row.until > now;
        // The looks of this model have no time of their own, and nothing here compares the ends of leases.
        let seen = |(name, row): (&String, &Row)| LeaseSeen { name: name.clone(), epoch: row.epoch, until: 0 };
        Ok(table.rows.iter().filter(is_held).map(seen).collect())
    }

    async fn take(&self, names: &[String], ttl: Duration) -> Result<Vec<Taken>, String> {
        let delay = self.table()?.delay;
        sleep(delay).await;
        let mut table = self.table()?;
        let mut taken = Vec::new();
        for name in names {
            let now = Instant::now();
            let row = table.rows.entry(name.clone()).or_insert(Row { holder: None, epoch: 0, until: now });
            if row.holder.is_none() || row.until <= now {
                *row = Row { holder: Some(self.client), epoch: row.epoch + 1, until: now + ttl };
                taken.push(Taken { name: name.clone(), epoch: row.epoch });
            }
        }
        Ok(taken)
    }

    async fn renew(&self, leases: &[Taken], ttl: Duration) -> Result<Vec<Taken>, String> {
        let mut table = self.table()?;
        let mut still = Vec::new();
        for lease in leases {
            let now = Instant::now();
            if let Some(row) = table.rows.get_mut(&lease.name)
                && row.holder == Some(self.client)
                && row.epoch == lease.epoch
                && row.until > now
            {
                row.until = now + ttl;
                still.push(lease.clone());
            }
        }
        Ok(still)
    }

    async fn release(&self, leases: &[Taken]) -> Result<(), String> {
        let mut table = self.table()?;
        for lease in leases {
            if let Some(row) = table.rows.get_mut(&lease.name)
                && row.epoch == lease.epoch
            {
                row.holder = None;
            }
        }
        Ok(())
    }
}

struct Running {
    leases: Arc<Leases<Model>>,
    stop: watch::Sender<bool>,
    task: tokio::task::JoinHandle<()>,
    /// The indices that were said to be taken, in their order.
    taken: Arc<Mutex<Vec<usize>>>,
}

fn start(table: &Arc<Mutex<Table>>, client: usize) -> Running {
    let server = Arc::new(Model { client, table: Arc::clone(table) });
    let status = Arc::new(Status::new("test"));
    let leases = Leases::new(server, "things", 64, &client.to_string(), LeaseTiming::default(), status);
    let leases = Arc::new(leases);
    let (stop, stopped) = watch::channel(false);
    let taken = Arc::new(Mutex::new(Vec::new()));
    let task = tokio::spawn({
        let (leases, taken) = (Arc::clone(&leases), Arc::clone(&taken));
        async move { leases.run(stopped, || async { Ok(()) }, |new| taken.lock().unwrap().extend(new)).await }
    });
    Running { leases, stop, task, taken }
}

fn counts(running: &[Running]) -> Vec<usize> {
    let held: Vec<BTreeSet<usize>> = running.iter().map(|it| it.leases.all_held()).collect();
    let all: BTreeSet<usize> = held.iter().flatten().copied().collect();
    assert_eq!(all.len(), held.iter().map(BTreeSet::len).sum::<usize>(), "no lease has two holders");
    let mut counts: Vec<usize> = held.iter().map(BTreeSet::len).collect();
    counts.sort_unstable();
    counts
}

#[test]
fn shares_are_fair_and_are_all() {
    for controllers in 1..=70 {
        let shares: Vec<usize> = (0..controllers).map(|index| share_of(64, controllers, index)).collect();
        assert_eq!(shares.iter().sum::<usize>(), 64);
        assert!(shares.iter().max().unwrap() - shares.iter().min().unwrap() <= 1, "{shares:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn controllers_that_come_and_go_hold_fair_shares() {
    let table = Arc::new(Mutex::new(Table::default()));
    let mut running = vec![start(&table, 0)];
    sleep(SECOND).await;
    assert_eq!(counts(&running), [64]);
    running.push(start(&table, 1));
    running.push(start(&table, 2));
    sleep(SECOND * 40).await;
    assert_eq!(counts(&running), [21, 21, 22]);
    // One is killed: its leases end after their time.
    running.remove(0).task.abort();
    sleep(SECOND * 30).await;
    let left: usize = counts(&running).iter().sum();
    assert!((42..=43).contains(&left), "the leases of the killed one are not free yet: {left}");
    sleep(SECOND * 60).await;
    assert_eq!(counts(&running), [32, 32]);
    // One ends as it should: its leases are free at once.
    let last = running.remove(0);
    last.stop.send_replace(true);
    last.task.await.unwrap();
    assert!(last.leases.all_held().is_empty());
    sleep(SECOND * 20).await;
    assert_eq!(counts(&running), [64]);
}

#[tokio::test(start_paused = true)]
async fn a_lease_that_cannot_be_renewed_ends_and_the_next_holder_waits() {
    let table = Arc::new(Mutex::new(Table::default()));
    let first = start(&table, 0);
    sleep(SECOND).await;
    let held = first.leases.held(7).unwrap();
    assert_eq!((held.epoch, held.name.as_str()), (1, "things/07"));
    assert!(held.settled <= Instant::now(), "nobody held it before");
    table.lock().unwrap().is_away = true;
    sleep(SECOND * 60).await;
    assert_eq!(first.leases.held(7), None);
    first.task.abort();
    table.lock().unwrap().is_away = false;
    let second = start(&table, 1);
    sleep(SECOND).await;
    let held = second.leases.held(7).unwrap();
    assert_eq!(held.epoch, 2, "each holder has an epoch of its own");
    let waits = held.settled.duration_since(Instant::now());
    assert!(waits > SECOND * 18 && waits <= SECOND * 20, "{waits:?}");
}

/// A request that took long ends for the server later than for the controller, which worked for nobody in between.
#[tokio::test(start_paused = true)]
async fn a_lease_that_was_over_here_and_is_renewed_is_taken_up_again() {
    let table = Arc::new(Mutex::new(Table { delay: SECOND * 20, ..Table::default() }));
    let first = start(&table, 0);
    sleep(SECOND * 45).await;
    let held = first.leases.held(7).expect("it was taken");
    let taken = || first.taken.lock().unwrap().iter().filter(|index| **index == 7).count();
    assert_eq!(taken(), 1);
    let set_away = |is_away| {
        let mut table = table.lock().unwrap();
        (table.is_away, table.delay) = (is_away, Duration::ZERO);
    };
    set_away(true);
    until_over(&first, 7).await;
    set_away(false);
    sleep(SECOND * 2).await;
    let again = first.leases.held(7).expect("the server has not ended it");
    assert_eq!((again.epoch, taken()), (held.epoch, 2), "somebody must look at what belongs to it");
}

/// Waits until the time of a lease is over here.
async fn until_over(running: &Running, index: usize) {
    while running.leases.held(index).is_some() {
        sleep(SECOND / 10).await;
    }
}
