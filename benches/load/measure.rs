//! Measures a server with a number of clients, each with one request at a time, for a number of rounds. Reports rates
//! and percentiles.
//!
//! Every round is counted separately, and the median of the rounds is reported. So a round that the machine disturbed
//! has no effect. Nothing is counted during the warm-up.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use hdrhistogram::Histogram;
use tokio::task::JoinSet;

use super::client::{Connection, Prepared};
use super::problem::{LoadError, Result, within};

/// The time by which a measurement may exceed its plan, which is the maximum time to wait for an answer.
const GRACE_PERIOD: Duration = Duration::from_secs(90);
/// The longest time that a histogram can hold, in nanoseconds.
const MAX_NANOSECONDS: u64 = 200_000_000_000;

/// The schedule of a measurement.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// The warm-up, during which nothing is counted.
    pub warm_up: Duration,
    /// The length of a round.
    pub round: Duration,
    /// The number of rounds.
    pub rounds: usize,
}

impl Pace {
    /// Returns a schedule with all rounds merged into one, for percentiles of rare events.
    pub fn as_one_round(self) -> Self {
        Self { round: self.round * u32::try_from(self.rounds).unwrap_or(u32::MAX), rounds: 1, ..self }
    }

    /// Returns the total length.
    fn length(self) -> Duration {
        self.warm_up + self.round * u32::try_from(self.rounds).unwrap_or(u32::MAX)
    }
}

/// The results as clients see them: medians of the rounds.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    /// The number of answers per second.
    pub per_second: f64,
    /// The time within which half of the answers came, in seconds.
    pub p50: f64,
    /// The time within which 99 of 100 answers came, in seconds.
    pub p99: f64,
    /// The processor time of this program for each answer, in seconds.
    pub client: f64,
    /// The number of all answers, including those of the warm-up.
    pub answers: u64,
}

impl Measured {
    /// Returns the medians of rounds that were measured separately.
    pub fn of_rounds(rounds: &[Self]) -> Self {
        let of_each = |value: fn(&Self) -> f64| median(rounds.iter().map(value).collect());
        Self {
            per_second: of_each(|round| round.per_second),
            p50: of_each(|round| round.p50),
            p99: of_each(|round| round.p99),
            client: of_each(|round| round.client),
            answers: rounds.iter().map(|round| round.answers).sum(),
        }
    }
}

/// A server and the requests to it.
#[derive(Clone, Debug)]
pub struct Workload {
    pub server: SocketAddr,
    pub requests: Vec<Prepared>,
}

/// Measures two servers or requests alternately, round by round, so that both see the machine in the same states.
pub async fn beside(real: &Workload, reference: &Workload, connections: usize, pace: Pace) -> Result<[Measured; 2]> {
    let mut rounds = [Vec::new(), Vec::new()];
    for number in 0..pace.rounds {
        // After the first round everything except the connections is warm.
        let warm_up = if number == 0 { pace.warm_up } else { pace.warm_up / 4 };
        let pace = Pace { warm_up, rounds: 1, ..pace };
        for (workload, rounds) in [real, reference].into_iter().zip(&mut rounds) {
            rounds.push(load(workload.server, connections, workload.requests.clone(), pace).await?);
        }
    }
    Ok(rounds.map(|rounds| Measured::of_rounds(&rounds)))
}

/// Loads a server from `connections` clients. Client *n* sends the requests *n*, *n* + `connections` and so on, in a
/// loop.
pub async fn load(server: SocketAddr, connections: usize, requests: Vec<Prepared>, pace: Pace) -> Result<Measured> {
    let requests: Arc<[Prepared]> = requests.into();
    within(pace.length() + GRACE_PERIOD, "a measurement", async {
        let mut open = Vec::with_capacity(connections);
        for _ in 0..connections {
            open.push(Connection::open(server).await?);
        }
        let (begin, worked) = (Instant::now(), processor_time());
        let mut clients = JoinSet::new();
        for (number, connection) in open.into_iter().enumerate() {
            let client = Client { connection, number, step: connections, requests: Arc::clone(&requests) };
            clients.spawn(client.run(begin, pace));
        }
        let mut rounds = empty(pace.rounds)?;
        let mut answers = 0;
        while let Some(client) = clients.join_next().await {
            let seen = client.map_err(|error| LoadError::Answer(format!("a client ended: {error}")))??;
            answers += seen.answers;
            for (all, its) in rounds.iter_mut().zip(&seen.rounds) {
                all.add(its).map_err(|error| LoadError::Answer(format!("a histogram: {error}")))?;
            }
        }
        let worked = processor_time().saturating_sub(worked);
        Ok(summary(&rounds, pace.round, answers, worked))
    })
    .await
}

struct Client {
    connection: Connection,
    number: usize,
    step: usize,
    requests: Arc<[Prepared]>,
}

/// The results of one client.
struct Seen {
    rounds: Vec<Histogram<u64>>,
    answers: u64,
}

impl Client {
    async fn run(mut self, begin: Instant, pace: Pace) -> Result<Seen> {
        let mut rounds = empty(pace.rounds)?;
        let mut answers = 0;
        let mut next = self.number % self.requests.len();
        loop {
            let sent = Instant::now();
            // A request belongs to the round in which it was sent. A request that is still waiting at the end of a
            // round must be counted, because it is a slow one.
            let since = sent.duration_since(begin);
            let round = since.saturating_sub(pace.warm_up).as_nanos() / pace.round.as_nanos().max(1);
            let round = usize::try_from(round).unwrap_or(usize::MAX);
            if round >= rounds.len() {
                return Ok(Seen { rounds, answers });
            }
            self.connection.exchange(&self.requests[next]).await?;
            answers += 1;
            next = (next + self.step) % self.requests.len();
            if since >= pace.warm_up {
                rounds[round].saturating_record(nanoseconds(sent.elapsed()));
            }
        }
    }
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(MAX_NANOSECONDS).clamp(1, MAX_NANOSECONDS)
}

fn empty(rounds: usize) -> Result<Vec<Histogram<u64>>> {
    let histogram = || Histogram::new_with_bounds(1, MAX_NANOSECONDS, 3);
    let histograms = (0..rounds).map(|_| histogram()).collect::<std::result::Result<_, _>>();
    histograms.map_err(|error| LoadError::Answer(format!("a histogram: {error}")))
}

fn summary(rounds: &[Histogram<u64>], length: Duration, answers: u64, worked: Duration) -> Measured {
    let of_each = |value: &dyn Fn(&Histogram<u64>) -> f64| median(rounds.iter().map(value).collect());
    Measured {
        per_second: of_each(&|round| round.len() as f64 / length.as_secs_f64()),
        p50: of_each(&|round| round.value_at_quantile(0.50) as f64 / 1e9),
        p99: of_each(&|round| round.value_at_quantile(0.99) as f64 / 1e9),
        client: worked.as_secs_f64() / answers.max(1) as f64,
        answers,
    }
}

/// Returns the processor time that this process has used so far.
fn processor_time() -> Duration {
    // SAFETY: an `rusage` of zeros is valid, and the call only writes to it.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_SELF, &raw mut usage);
        usage
    };
    let time = |of: libc::timeval| Duration::from_micros(of.tv_sec as u64 * 1_000_000 + of.tv_usec as u64);
    time(usage.ru_utime) + time(usage.ru_stime)
}

/// Returns a percentile of numbers; 0 if there are none.
pub fn percentile(mut times: Vec<f64>, quantile: f64) -> f64 {
    times.sort_unstable_by(f64::total_cmp);
    let last = times.len().saturating_sub(1);
    times.get((last as f64 * quantile).round() as usize).copied().unwrap_or_default()
}

/// Returns the median of numbers; 0 if there are none.
pub fn median(values: Vec<f64>) -> f64 {
    percentile(values, 0.5)
}

/// Runs a function several times and returns the median time in seconds.
pub fn time_of<T>(times: usize, mut work: impl FnMut() -> T) -> f64 {
    let once = || {
        let begin = Instant::now();
        std::hint::black_box(work());
        begin.elapsed().as_secs_f64()
    };
    median(std::iter::repeat_with(once).take(times).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_in_the_middle() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(Vec::new()), 0.0);
        let hundred: Vec<f64> = (0..=100).map(f64::from).collect();
        assert_eq!(percentile(hundred, 0.99), 99.0);
    }

    #[test]
    fn a_round_that_was_disturbed_does_not_count() {
        let mut rounds = empty(3).expect("histograms");
        for (round, times) in rounds.iter_mut().zip([[1_000, 1_000], [2_000, 2_000], [9_000_000, 9_000_000]]) {
            times.into_iter().for_each(|time| round.saturating_record(time));
        }
        let measured = summary(&rounds, Duration::from_secs(2), 10, Duration::from_secs(5));
        assert_eq!((measured.per_second, measured.client, measured.answers), (1.0, 0.5, 10));
        assert!((measured.p99 - 2e-6).abs() < 1e-8, "{}", measured.p99);
    }
}
