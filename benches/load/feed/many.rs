//! Many subscribers: their cost while nothing happens, and the delay until each receives an event.

use std::net::SocketAddr;
use std::time::Duration;

use serde_json::{Value, json};

use super::broadcast::NUMBER_PLACEHOLDER;
use super::crowd::{Crowd, Delivered};
use super::socket::number;
use super::writer::{Sent, Writer};
use super::{BATCH_CHANGES, BATCHES_PER_SECOND, PORTS};
use crate::client::Prepared;
use crate::measure::{Pace, median, percentile};
use crate::problem::{LoadError, Result};
use crate::quantity::{Quantity, thousands};
use crate::queries::{self, Devices};
use crate::report::Report;
use crate::server::Server;
use crate::table::{Row, Target};

/// The number of different filters of the subscribers.
const FILTERS: usize = 10;
/// The time of idle observation: a few PROGRESS events for each subscriber.
const IDLE_TIME: Duration = Duration::from_secs(30);

/// Kinds whose objects change in the measured fleets only if a measurement changes them.
const KINDS: [&str; FILTERS] =
    ["Provider", "Circuit", "Region", "Site", "Location", "Rack", "PowerFeed", "Cable", "Link", "Cluster"];

/// Measures idle subscribers: their cost, and their effect on one that receives events.
pub async fn idle(
    report: &mut Report,
    fleet: &str,
    server: &Server,
    devices: &Devices,
    pace: Pace,
    count: usize,
) -> Result<()> {
    let address = server.address();
    let subscribers = format!("{} idle subscribers", thousands(&count.to_string()));
    let alone = super::delays(address, address, devices, pace).await?;
    let (memory, after) = (server.memory()?, queries::revision(address).await?);
    let variables = |index: usize| json!({"filter": {"kinds": [KINDS[index % FILTERS]]}, "after": after});
    let mut crowd = Crowd::gather(address, count, variables).await?;
    let watched = IDLE_TIME.min(pace.as_one_round().round * 2);
    let before = server.processor_time()?;
    tokio::time::sleep(watched).await;
    let busy = (server.processor_time()? - before) / watched.as_secs_f64();
    let each = server.memory()?.saturating_sub(memory) as f64 / count as f64;
    report.add(Row::new(format!("{subscribers}, memory for each"), fleet, Quantity::Bytes(each)));
    let row = Row::new(format!("{subscribers}, processor time a second"), fleet, Quantity::Seconds(busy));
    report.add(row);
    let delays = super::delays(address, address, devices, pace).await?;
    let references = [0.5, 0.99].map(|quantile| percentile(alone.each.clone(), quantile));
    let what = format!(
        "from a batch of {BATCH_CHANGES} sent to its events beside {subscribers}, {BATCHES_PER_SECOND} a second"
    );
    super::add_rate(report, fleet, &what, &delays);
    let row = Row::new(format!("{what}, p50"), fleet, Quantity::Seconds(percentile(delays.each, 0.5)));
    let row = row.beside("without them", Quantity::Seconds(references[0]));
    report.add(row.should(Target::AtMost(Quantity::Seconds(5e-3))));
    match crowd.listening() {
        listening if listening == count => Ok(()),
        listening => Err(LoadError::Answer(format!("{listening} of {count} idle subscribers stayed"))),
    }
}

/// Measures subscribers with ten filters, each change matching one of them. Compares them with a plain broadcast of the
/// same texts to as many connections.
pub async fn fan_out(
    report: &mut Report,
    fleet: &str,
    server: &Server,
    devices: &Devices,
    pace: Pace,
    count: usize,
) -> Result<()> {
    let mut writer = Writer::open(server.address(), devices.batches(1, PORTS)).await?;
    let after = queries::revision(server.address()).await?;
    let ports = devices.changed(PORTS);
    let filter = |index: usize| ports.iter().skip(index % FILTERS).step_by(FILTERS).collect::<Vec<_>>();
    let variables = |index: usize| json!({"filter": {"ids": filter(index)}, "after": after});
    let crowd = Crowd::gather(server.address(), count, variables).await?;
    let receives = |member: usize, sent: &Sent| member % FILTERS == sent.request % FILTERS;
    crowd.until(&writer.write(BATCHES_PER_SECOND, pace.warm_up).await?, 1, receives).await?;
    let text = crowd.an_event().ok_or_else(|| LoadError::Answer("no subscriber received an event".to_owned()))?;
    let broadcast = Server::broadcast().await?;
    let mut sender =
        Writer::open(broadcast.address(), vec![Prepared::graphql(&numbered(&text)?, &Value::Null)]).await?;
    let connected = Crowd::gather(broadcast.address(), count / FILTERS, |_| Value::Null).await?;
    connected.until(&sender.write(BATCHES_PER_SECOND, pace.warm_up).await?, 1, |_, _| true).await?;
    let mut rounds = [Vec::new(), Vec::new()];
    for _ in 0..pace.rounds {
        rounds[0].push(Round::of(&crowd, &mut writer, server, pace, receives).await?);
        rounds[1].push(Round::of(&connected, &mut sender, &broadcast, pace, |_, _| true).await?);
    }
    drop(broadcast);
    let [real, plain] = rounds.map(|rounds| Round::median(&rounds));
    let what = format!(
        "{} subscribers with {FILTERS} filters, {BATCHES_PER_SECOND} changes a second",
        thousands(&count.to_string())
    );
    let row = |name: &str, of: &dyn Fn(&Round) -> Quantity| {
        let reference = format!("plain broadcast of the same texts to {}", count / FILTERS);
        Row::new(format!("{what}, {name}"), fleet, of(&real)).beside(reference, of(&plain))
    };
    let delivered = row("events", &|round| Quantity::PerSecond(round.events));
    let rows = [
        delivered.should(Target::RatioAtLeast(0.99)),
        row("bytes a second", &|round| Quantity::Bytes(round.bytes)),
        row("processor time for an event", &|round| Quantity::Seconds(round.processor)),
        row("from sent to event, p50", &|round| Quantity::Seconds(round.p50)),
        row("from sent to event, p99", &|round| Quantity::Seconds(round.p99)),
    ];
    rows.into_iter().for_each(|row| report.add(row));
    Ok(())
}

/// Returns an event with a placeholder for the number.
fn numbered(event: &[u8]) -> Result<String> {
    let text = String::from_utf8_lossy(event).into_owned();
    let revision = number(event, "revision").ok_or_else(|| LoadError::Answer(format!("no revision: {text}")))?;
    Ok(text.replacen(&format!("\"revision\":{revision}"), &format!("\"revision\":{NUMBER_PLACEHOLDER}"), 1))
}

/// The events that a crowd received in a round.
#[derive(Clone, Copy, Debug)]
struct Round {
    /// Events per second.
    events: f64,
    /// Bytes per second.
    bytes: f64,
    /// The processor time of the server in seconds for each event.
    processor: f64,
    p50: f64,
    p99: f64,
}

impl Round {
    async fn of(
        crowd: &Crowd,
        writer: &mut Writer,
        server: &Server,
        pace: Pace,
        receives: impl Fn(usize, &Sent) -> bool,
    ) -> Result<Self> {
        crowd.forget();
        let (begin, before) = (std::time::Instant::now(), server.processor_time()?);
        let sent = writer.write(BATCHES_PER_SECOND, pace.round).await?;
        let Delivered { delays, events, bytes } = crowd.delivered(&sent, 1, receives).await?;
        let (took, worked) = (begin.elapsed().as_secs_f64(), server.processor_time()? - before);
        Ok(Self {
            events: events as f64 / took,
            bytes: bytes as f64 / took,
            processor: worked / events.max(1) as f64,
            p50: percentile(delays.clone(), 0.5),
            p99: percentile(delays, 0.99),
        })
    }

    fn median(rounds: &[Self]) -> Self {
        let of = |value: &dyn Fn(&Self) -> f64| median(rounds.iter().map(value).collect());
        Self {
            events: of(&|round| round.events),
            bytes: of(&|round| round.bytes),
            processor: of(&|round| round.processor),
            p50: of(&|round| round.p50),
            p99: of(&|round| round.p99),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_numbered_once() {
        let event = br#"{"type":"next","payload":{"data":{"changes":{"revision":7,"name":"revision 7"}}}}"#;
        let text = numbered(event).expect("a revision");
        assert_eq!(text, r#"{"type":"next","payload":{"data":{"changes":{"revision":NUMBER,"name":"revision 7"}}}}"#);
        assert!(numbered(b"{}").is_err());
    }
}
