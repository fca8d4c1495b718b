//! Measuring: a number of clients, each with one request on its way, for a number of rounds; rates and percentiles.
//!
//! Every round is counted by itself and the median of the rounds is what is reported, so that a round in which the
//! machine did something else does not count. Nothing is measured while things warm up.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use hdrhistogram::Histogram;
use tokio::task::JoinSet;

use super::client::{Connection, Prepared};
use super::problem::{LoadError, Result, within};

/// How much longer than planned a measurement may take: the longest answer that is waited for.
const GRACE: Duration = Duration::from_secs(90);
/// The longest time that a histogram holds, in nanoseconds.
const LONGEST: u64 = 200_000_000_000;

/// How something is measured.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// How long nothing is counted.
    pub warm_up: Duration,
    /// How long a round is.
    pub round: Duration,
    /// How many rounds there are.
    pub rounds: usize,
}

impl Pace {
    /// All rounds as one: for percentiles of what happens seldom.
    pub fn as_one_round(self) -> Self {
        Self { round: self.round * u32::try_from(self.rounds).unwrap_or(u32::MAX), rounds: 1, ..self }
    }

    /// How long it takes.
    fn length(self) -> Duration {
        self.warm_up + self.round * u32::try_from(self.rounds).unwrap_or(u32::MAX)
    }
}

/// What clients saw: medians of the rounds.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    /// Answers in a second.
    pub per_second: f64,
    /// The time that half of the answers took, in seconds.
    pub p50: f64,
    /// The time that all but one in a hundred took, in seconds.
    pub p99: f64,
    /// The processor time that this program took for each answer, in seconds.
    pub client: f64,
    /// All answers, also those while it warmed up.
    pub answers: u64,
}

/// A server and what it is asked.
#[derive(Clone, Debug)]
pub struct Asked {
    pub server: SocketAddr,
    pub requests: Vec<Prepared>,
}

/// Measures two things beside each other, round by round in turn, so that both see the machine in the same states.
pub async fn beside(real: &Asked, reference: &Asked, connections: usize, pace: Pace) -> Result<[Measured; 2]> {
    let mut rounds = [Vec::new(), Vec::new()];
    for number in 0..pace.rounds {
        // Warm already, but for the connections.
        let warm_up = if number == 0 { pace.warm_up } else { pace.warm_up / 4 };
        let pace = Pace { warm_up, rounds: 1, ..pace };
        for (asked, rounds) in [real, reference].into_iter().zip(&mut rounds) {
            rounds.push(load(asked.server, connections, asked.requests.clone(), pace).await?);
        }
    }
    Ok(rounds.map(|rounds| Measured {
        per_second: median(rounds.iter().map(|round| round.per_second).collect()),
        p50: median(rounds.iter().map(|round| round.p50).collect()),
        p99: median(rounds.iter().map(|round| round.p99).collect()),
        client: median(rounds.iter().map(|round| round.client).collect()),
        answers: rounds.iter().map(|round| round.answers).sum(),
    }))
}

/// Loads a server from `connections` clients. Client *n* sends the requests *n*, *n* + `connections` and so on, over and
/// over.
pub async fn load(server: SocketAddr, connections: usize, requests: Vec<Prepared>, pace: Pace) -> Result<Measured> {
    let requests: Arc<[Prepared]> = requests.into();
    within(pace.length() + GRACE, "a measurement", async {
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

/// What one client saw.
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
            // A request belongs to the round in which it was sent: one that is waited for when a round ends, because
            // something held it up, is just the one that must not be lost.
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
    u64::try_from(time.as_nanos()).unwrap_or(LONGEST).clamp(1, LONGEST)
}

fn empty(rounds: usize) -> Result<Vec<Histogram<u64>>> {
    let histogram = || Histogram::new_with_bounds(1, LONGEST, 3);
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

/// The processor time that this process has taken so far.
fn processor_time() -> Duration {
    // SAFETY: a usage of zeros is a valid one, and the call only writes to it.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_SELF, &raw mut usage);
        usage
    };
    let time = |of: libc::timeval| Duration::from_micros(of.tv_sec as u64 * 1_000_000 + of.tv_usec as u64);
    time(usage.ru_utime) + time(usage.ru_stime)
}

/// A percentile of numbers; 0 of none.
pub fn percentile(mut times: Vec<f64>, quantile: f64) -> f64 {
    times.sort_unstable_by(f64::total_cmp);
    let last = times.len().saturating_sub(1);
    times.get((last as f64 * quantile).round() as usize).copied().unwrap_or_default()
}

/// The one in the middle; 0 of none.
pub fn median(values: Vec<f64>) -> f64 {
    percentile(values, 0.5)
}

/// How long something takes, in seconds: the median of some times.
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
