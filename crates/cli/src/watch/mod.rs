//! `underlay watch`: prints changes as they happen, and can run a command for each change.
//!
//! Guarantee: each change after the starting position is printed, or handled by the command, at least once and in
//! order. This holds over lost connections and server restarts. With a state file it also holds when the watch itself
//! ends, however it ends.

mod event;
mod filter;
mod hook;
mod keep;
mod line;
mod start;
mod state;

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::NonEmptyStringValueParser;
use clap::{Args, ValueEnum, value_parser};
use clap_complete::ArgValueCompleter;
use serde_json::json;
use underlay_client::{ChangeStream, Client, ClientError};

use self::event::{Event, EventType, subscription};
use self::hook::{CommandLine, Hook, HookResult};
use self::keep::Keeper;
use self::start::Started;
use self::state::StateError;
use super::complete;
use super::exit::{EXIT_CODES_OF_WATCH, Exit};
use super::follow::{AtStart, Followed as _, Follower};
use super::object::{KindName, ObjectName};
use super::output::{Printed, printed};
use super::print::Printer;
use super::server;
use super::signals::Signals;
use super::target::ServerAccess;
use underlay_error::Code;
use underlay_kit::printable;

const EXAMPLES: &str = "\
CMD is split into words as a shell does, but no shell runs it. It receives the event as one line of JSON on its standard \
input, and UNDERLAY_EVENT (CREATED, UPDATED, DELETED, ENTERED, LEFT), UNDERLAY_KIND, UNDERLAY_ID, UNDERLAY_NAME, \
UNDERLAY_REVISION, UNDERLAY_CURSOR and UNDERLAY_SERVER in its environment. It can receive an event twice. With \
--state it does so only after the first run has ended, because CMD and its child processes lock the state file.

If the server cannot be reached at the start, watch fails; with --state it waits. Later it always waits.

Examples:
  underlay watch --within rack/ams1/A14
  underlay watch --kind devices --label env=prod -o json --after 0
  underlay watch --kind cables --state cables.state --exec './label-printer --queue b'";

#[derive(Debug, Args)]
#[command(after_help = format!("{EXAMPLES}\n\n{EXIT_CODES_OF_WATCH}"))]
pub struct Arguments {
    /// Watch only objects of this kind. Can be given several times.
    #[arg(short, long = "kind", value_name = "KIND", add = ArgValueCompleter::new(complete::kinds_only))]
    kinds: Vec<KindName>,
    /// Watch only objects anywhere below this one, before or after the change: a region, site, location, rack or
    /// device.
    #[arg(long, value_name = "OBJECT", add = ArgValueCompleter::new(complete::objects))]
    within: Option<ObjectName>,
    /// Watch only objects whose labels match a selector before or after the change, such as env=prod,!legacy.
    #[arg(short, long, value_name = "SELECTOR")]
    label: Option<String>,
    /// Watch only this type of event. Can be given several times.
    #[arg(long = "operation", value_name = "OPERATION", value_enum, ignore_case = true)]
    operations: Vec<EventType>,
    /// Watch only changes written on behalf of this source. Can be given several times.
    #[arg(long = "source", value_name = "NAME")]
    sources: Vec<String>,
    /// Begin after this position: the cursor of an event, or a revision; 0 is before the first. Default: now.
    #[arg(long, value_name = "CURSOR|REVISION", value_parser = NonEmptyStringValueParser::new())]
    after: Option<String>,
    /// Save the position in this file, and resume from it. If the file does not exist, the watch begins now, or at
    /// --after.
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Run this command for each event, one after the other. An event is handled when the command ends with exit code
    /// 0.
    #[arg(long, value_name = "CMD")]
    exec: Option<CommandLine>,
    /// The number of times that CMD is tried for an event before the watch ends: 1 to 1000.
    #[arg(long, value_name = "NUMBER", requires = "exec", default_value_t = 5, value_parser = value_parser!(u32).range(1..=1000))]
    tries: u32,
    /// The time in seconds after which one run of CMD is killed and counts as failed: 1 to 86400.
    #[arg(long, value_name = "SECONDS", requires = "exec", default_value_t = 60, value_parser = value_parser!(u64).range(1..=86_400))]
    timeout: u64,
    /// The output format. Default: line; with --exec, events are not printed.
    #[arg(short, long, value_enum)]
    output: Option<Output>,
}

/// The output format of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Output {
    /// A line for each event: time, type, object, actor, old and new values.
    Line,
    /// A JSON object in a line for each event; PROGRESS says at least every 10 s how far the watch is.
    Json,
}

pub(super) fn run(arguments: Arguments, server: ServerAccess) -> Exit {
    let state = match start::state(&arguments) {
        Ok(state) => state,
        Err(error) => return error.explain(),
    };
    server::talk(server, async |client| {
        let mut signals = Signals::listen();
        let started = tokio::select! {
            biased;
            () = signals.next() => return Exit::Done,
            started = start::start(&client, &arguments, state) => started,
        };
        let Started { position, within_id, keeper } = match started {
            Ok(started) => started,
            Err(error) => return error.explain(),
        };
        let output = arguments.output.or(arguments.exec.is_none().then_some(Output::Line));
        let printer = match output.map(|output| Ok((output, Printer::start()?))).transpose() {
            Ok(printer) => printer,
            Err(error) => return printed(Err(error)).exit(),
        };
        let filter = arguments.filter().variable(within_id.as_deref());
        let at_start = if keeper.is_some() { AtStart::Wait } else { AtStart::Fail };
        let (subscription, variables) = (subscription(&arguments.kinds), json!({ "filter": filter }));
        let changes = ChangeStream::new(client.clone(), subscription, variables, position.cursor.clone());
        let follower = Follower::new(&client, changes, position, at_start);
        let hook = arguments.hook(&client);
        Watch { signals, keeper, printer, hook }.follow(follower).await
    })
}

impl Arguments {
    fn filter(&self) -> filter::WatchFilter {
        let label = self.label.as_deref();
        filter::WatchFilter::of(&self.kinds, self.within.as_ref(), label, &self.operations, &self.sources)
    }

    fn hook(&self, client: &Client) -> Option<Hook> {
        let command = self.exec.clone()?;
        let limit = Duration::from_secs(self.timeout);
        Some(Hook { command, server: client.server().to_string(), tries: self.tries, limit })
    }
}

/// A running watch: prints events, runs the command for them and keeps the position.
struct Watch {
    signals: Signals,
    keeper: Option<Keeper>,
    printer: Option<(Output, Printer)>,
    hook: Option<Hook>,
}

impl Watch {
    async fn follow(mut self, mut follower: Follower<'_, Event>) -> Exit {
        loop {
            let event = tokio::select! {
                biased;
                () = self.signals.next() => return self.end(Exit::Done),
                () = due(self.keeper.as_ref()) => {
                    if let ControlFlow::Break(exit) = self.write() {
                        return exit;
                    }
                    continue;
                }
                event = follower.next() => event,
            };
            let done = match event {
                Ok(event) => self.take(event).await,
                Err(error) => ControlFlow::Break(explain(&error, self.keeper.is_some())),
            };
            if let ControlFlow::Break(exit) = done {
                return self.end(exit);
            }
        }
    }

    /// Handles an event and keeps the position after it.
    async fn take(&mut self, event: Event) -> ControlFlow<Exit> {
        if event.what == EventType::Progress {
            self.print(&event).await?;
            self.reached(&event)?;
            return self.write();
        }
        if let Some(hook) = &self.hook {
            match hook.run(&event, &mut self.signals).await {
                Ok(HookResult::Done) => {}
                Ok(HookResult::Stopped) => return ControlFlow::Break(Exit::Done),
                Ok(HookResult::Failed) => {
                    eprintln!("error: {} failed {} times; the watch ends before this event", hook.command, hook.tries);
                    return ControlFlow::Break(Exit::CommandFailed);
                }
                Err(error) => {
                    eprintln!("error: {}", printable(&error.to_string()));
                    return ControlFlow::Break(Exit::CommandFailed);
                }
            }
            // A command that succeeded must not run again for the same event.
            self.reached(&event)?;
            self.write()?;
        }
        self.print(&event).await?;
        self.reached(&event)?;
        if self.signals.asked() { ControlFlow::Break(Exit::Done) } else { ControlFlow::Continue(()) }
    }

    async fn print(&mut self, event: &Event) -> ControlFlow<Exit> {
        let Some((output, printer)) = &self.printer else { return ControlFlow::Continue(()) };
        let text = match output {
            Output::Line if event.what == EventType::Progress => return ControlFlow::Continue(()),
            Output::Line => line::line(event),
            Output::Json => event.json() + "\n",
        };
        tokio::select! {
            biased;
            written = printer.print(text) => match printed(written) {
                Printed::Whole => ControlFlow::Continue(()),
                ended => ControlFlow::Break(ended.exit()),
            },
            () = self.signals.next() => ControlFlow::Break(Exit::Done),
        }
    }

    fn reached(&mut self, event: &Event) -> ControlFlow<Exit> {
        saved(self.keeper.as_mut().map_or(Ok(()), |keeper| keeper.reached(event.position())))
    }

    fn write(&mut self) -> ControlFlow<Exit> {
        saved(self.keeper.as_mut().map_or(Ok(()), Keeper::write))
    }

    /// Saves the position and returns the exit code.
    fn end(mut self, exit: Exit) -> Exit {
        match self.write() {
            ControlFlow::Continue(()) => exit,
            ControlFlow::Break(failed) => failed,
        }
    }
}

fn saved(written: Result<(), StateError>) -> ControlFlow<Exit> {
    match written {
        Ok(()) => ControlFlow::Continue(()),
        Err(error) => ControlFlow::Break(error.explain()),
    }
}

async fn due(keeper: Option<&Keeper>) {
    match keeper {
        Some(keeper) => keeper.due().await,
        None => std::future::pending().await,
    }
}

/// Prints why the events ended and a hint what to do. Returns the exit code.
fn explain(error: &ClientError, has_state: bool) -> Exit {
    if !error.has_code(Code::RevisionCompacted.as_str()) {
        return server::explain(error);
    }
    eprintln!("error: {}", printable(&error.to_string()));
    let file = if has_state { "delete the state file and " } else { "" };
    eprintln!(
        "hint: read the inventory again (`underlay export`, `underlay get`), then {file}begin with --after REVISION, the \
         revision of what you read; without --after it begins at now"
    );
    Exit::Compacted
}
