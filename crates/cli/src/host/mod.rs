//! `underlay host`: lists hosts, and takes, installs, powers and gives them back.
//!
//! A command orders something for hosts, and controllers do it. With `--wait` the command follows the hosts until their
//! orders are done or have failed.

mod accept;
mod acquire;
mod choose;
mod hardware;
mod list;
mod order;
mod past;
mod read;
mod wait;

use std::time::Duration;

use clap::{Args, Subcommand, ValueEnum};
use serde_json::{Map, Value, json};
use underlay_client::{Client, ClientError};

pub(super) use choose::{host_named, object};
pub(super) use list::age;
pub(super) use wait::follow_of_appliance;

use super::exit::{EXIT_CODES, Exit};
use super::object::FindError;
use super::server;
use super::target::ServerAccess;
use order::{Boot, HostStateArg, Order, OrderAct, Power};

const EXAMPLES: &str = "\
Examples:
  underlay host list --state AVAILABLE --within site/ams1
  underlay host adopt $(underlay host list --state REGISTERED -o name)
  underlay host acquire --class gpu-large --count 4 --spread failure --for training
  underlay host install brave-otter calm-heron --profile fedora --set role=worker --wait
  underlay host release brave-otter --wipe --wait
  underlay host power off brave-otter
  underlay host history brave-otter
  underlay host hardware brave-otter";

const WAIT_HELP: &str = "With --wait, the exit code is 1 if the order of a host fails, or is not done in time.";

#[derive(Debug, Args)]
#[command(after_help = format!("{EXAMPLES}\n\n{WAIT_HELP}\n\n{EXIT_CODES}"))]
pub struct Arguments {
    #[command(subcommand)]
    act: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// List hosts with their state, power, class, machine, rack, cluster and age.
    List(list::Arguments),
    /// Take over REGISTERED hosts without touching their machines.
    Adopt {
        #[command(flatten)]
        hosts: Hosts,
        /// The state that the hosts get: AVAILABLE if they are free, INSTALLED if somebody uses them.
        #[arg(long = "as", value_enum, value_name = "STATE", default_value_t = Adopted::Available)]
        state: Adopted,
        /// Also adopt as AVAILABLE what was seen running.
        #[arg(long)]
        force: bool,
    },
    /// Find out the hardware of hosts. Their machines boot once; those that run are left alone.
    Discover {
        #[command(flatten)]
        hosts: Hosts,
        /// Make REGISTERED hosts AVAILABLE afterwards. Otherwise they stay REGISTERED until they are adopted.
        #[arg(long)]
        adopt: bool,
        /// Also reboot the machine if it runs, for one host alone. Its users lose what they do.
        #[arg(long)]
        force: bool,
        #[command(flatten)]
        begin: Begin,
        #[command(flatten)]
        waiting: Waiting,
    },
    /// Acquire free hosts: as many as were asked for, or none.
    Acquire(acquire::Arguments),
    /// Install a system on ACQUIRED hosts. Their disks are overwritten; machines that run are left alone.
    Install {
        #[command(flatten)]
        hosts: Hosts,
        /// The profile to install.
        #[arg(long, value_name = "PROFILE")]
        profile: String,
        /// A variable of the profile. Can be given several times.
        #[arg(long = "set", value_name = "NAME=VALUE", value_parser = variable)]
        variables: Vec<(String, String)>,
        /// Also reboot the machine if it runs, for one host alone. Its users lose what they do.
        #[arg(long)]
        force: bool,
        #[command(flatten)]
        begin: Begin,
        #[command(flatten)]
        waiting: Waiting,
    },
    /// Give hosts back: they are switched off, and then free again.
    Release {
        #[command(flatten)]
        hosts: Hosts,
        /// Also erase their disks.
        #[arg(long)]
        wipe: bool,
        /// Switch off machines that do not shut down, also those on which nothing was installed.
        #[arg(long)]
        force: bool,
        #[command(flatten)]
        begin: Begin,
        #[command(flatten)]
        waiting: Waiting,
    },
    /// Switch hosts on or off, or off and on.
    Power {
        /// The power to set.
        #[arg(value_enum, value_name = "POWER")]
        power: Power,
        #[command(flatten)]
        hosts: Hosts,
        /// Also switch off several hosts that may be in use, and machines that do not shut down.
        #[arg(long)]
        force: bool,
        #[command(flatten)]
        begin: Begin,
        #[command(flatten)]
        waiting: Waiting,
    },
    /// Set the device that hosts boot from the next time.
    Boot {
        /// The device to boot from.
        #[arg(value_enum, value_name = "DEVICE")]
        boot: Boot,
        #[command(flatten)]
        hosts: Hosts,
        /// Also have one host that may be in use boot from the network.
        #[arg(long)]
        force: bool,
        #[command(flatten)]
        begin: Begin,
        #[command(flatten)]
        waiting: Waiting,
    },
    /// Order again what failed.
    Retry {
        #[command(flatten)]
        hosts: Hosts,
        #[command(flatten)]
        waiting: Waiting,
    },
    /// End orders that touched no machine yet.
    Cancel {
        #[command(flatten)]
        hosts: Hosts,
    },
    /// Forget what machines said of themselves, after they or their boards were exchanged. The next look learns it anew.
    AcceptMachine {
        #[command(flatten)]
        hosts: Hosts,
    },
    /// Take the hardware that agents reported last for what hosts should have. Less than that is HARDWARE_MISSING later.
    AcknowledgeHardware {
        #[command(flatten)]
        hosts: Hosts,
    },
    /// Have the hardware of hosts read from their BMCs soon, besides once a day. The machines are not touched.
    ReadHardware {
        #[command(flatten)]
        hosts: Hosts,
    },
    /// Set the state of a host, whatever it was. For administrators; the machine is not touched.
    Override {
        /// The host, by name, short id or id.
        #[arg(value_name = "HOST")]
        host: String,
        /// The state in which the host rests: registered, available, acquired, installed or failed.
        #[arg(long, value_enum, value_name = "STATE", hide_possible_values = true)]
        state: HostStateArg,
        /// The reason, which a condition of the host shows.
        #[arg(long, value_name = "TEXT")]
        reason: String,
    },
    /// Show what controllers did with a host, the latest first.
    History(past::Arguments),
    /// Show what was last reported of the hardware of a host: by its agent, OpenStack's recorder, and its BMC.
    Hardware(hardware::Arguments),
}

/// The hosts that a command is about.
#[derive(Debug, Args)]
struct Hosts {
    /// Hosts, by name (brave-otter, host/brave-otter), short id (h-1a2b3c4) or id.
    #[arg(required = true, value_name = "HOST")]
    hosts: Vec<String>,
}

/// The argument of orders that end by themselves if they are not begun.
#[derive(Debug, Args)]
struct Begin {
    /// The time within which the order must begin: seconds, minutes, hours or days, such as 90s or 2h. Default: an hour, and
    /// ten minutes for the power.
    #[arg(long, value_name = "TIME", value_parser = duration)]
    valid_for: Option<Duration>,
}

impl Begin {
    fn seconds(&self) -> Option<Value> {
        self.valid_for.map(|time| json!(time.as_secs()))
    }
}

/// The arguments of commands that can follow their hosts.
#[derive(Debug, Args)]
struct Waiting {
    /// Follow the hosts until their orders are done or have failed.
    #[arg(long)]
    wait: bool,
    /// The longest time to wait: seconds, minutes, hours or days, such as 30m. The orders go on afterwards.
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "6h", requires = "wait")]
    timeout: Duration,
}

/// A state that a host can be adopted as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Adopted {
    /// The host is free.
    Available,
    /// Somebody uses the host.
    Installed,
}

/// The reason why an order was not given.
pub(super) enum Refused {
    /// The names or arguments are wrong.
    Usage(String),
    /// The server refuses.
    Server(ClientError),
    /// An object was not found.
    Find(FindError),
}

impl From<ClientError> for Refused {
    fn from(error: ClientError) -> Self {
        Self::Server(error)
    }
}

impl From<FindError> for Refused {
    fn from(error: FindError) -> Self {
        Self::Find(error)
    }
}

impl Refused {
    /// Prints the error and a hint how to solve it.
    pub(super) fn explain(&self) -> Exit {
        match self {
            Self::Usage(reason) => {
                eprintln!("error: {reason}");
                Exit::Failed
            }
            Self::Server(error) => server::explain(error),
            Self::Find(error) => error.explain(),
        }
    }
}

pub(super) fn run(arguments: Arguments, server: ServerAccess) -> Exit {
    server::talk(server, async |client| match act(&client, arguments.act).await {
        Ok(exit) => exit,
        Err(refused) => refused.explain(),
    })
}

async fn act(client: &Client, command: Command) -> Result<Exit, Refused> {
    let (hosts, act, begin, waiting) = match command {
        Command::List(arguments) => return list::list(client, &arguments).await,
        Command::History(arguments) => return past::show(client, &arguments).await,
        Command::Hardware(arguments) => return hardware::show(client, &arguments).await,
        Command::Acquire(arguments) => return acquire::acquire(client, &arguments).await,
        Command::AcceptMachine { hosts } => return accept::accept(client, &hosts.hosts).await,
        Command::AcknowledgeHardware { hosts } => return hardware::acknowledge(client, &hosts.hosts).await,
        Command::ReadHardware { hosts } => return hardware::ask(client, &hosts.hosts).await,
        Command::Adopt { hosts, state, force } => {
            let state = match state {
                Adopted::Available => HostStateArg::Available,
                Adopted::Installed => HostStateArg::Installed,
            };
            (hosts, OrderAct::Adopt { state, force }, None, None)
        }
        Command::Discover { hosts, adopt, force, begin, waiting } => {
            (hosts, OrderAct::Discover { adopt, force }, Some(begin), Some(waiting))
        }
        Command::Install { hosts, profile, variables, force, begin, waiting } => {
            let variables: Map<String, Value> = variables.into_iter().map(|(name, text)| (name, text.into())).collect();
            let profile = choose::profile(client, &profile).await?;
            (hosts, OrderAct::Install { profile, variables, force }, Some(begin), Some(waiting))
        }
        Command::Release { hosts, wipe, force, begin, waiting } => {
            (hosts, OrderAct::Release { wipe, force }, Some(begin), Some(waiting))
        }
        Command::Power { power, hosts, force, begin, waiting } => {
            (hosts, OrderAct::Power { power, force }, Some(begin), Some(waiting))
        }
        Command::Boot { boot, hosts, force, begin, waiting } => {
            (hosts, OrderAct::Boot { boot, force }, Some(begin), Some(waiting))
        }
        Command::Retry { hosts, waiting } => (hosts, OrderAct::Retry, None, Some(waiting)),
        Command::Cancel { hosts } => (hosts, OrderAct::Cancel, None, None),
        Command::Override { host, state, reason } => {
            (Hosts { hosts: vec![host] }, OrderAct::Override { state, reason }, None, None)
        }
    };
    let chosen = choose::hosts(client, &hosts.hosts).await?;
    let valid_for = begin.as_ref().and_then(Begin::seconds);
    let order = Order { act, hosts: chosen.into_iter().map(|host| host.id).collect(), valid_for };
    let ordered = order.give(client).await?;
    match waiting {
        Some(Waiting { wait: true, timeout }) => wait::follow(client, ordered, timeout).await,
        _ => Ok(list::print(&ordered, list::Width::Narrow)),
    }
}

/// Parses a variable of a profile.
fn variable(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("must have the form NAME=VALUE")?;
    match name.is_empty() {
        true => Err("must have the form NAME=VALUE".to_owned()),
        false => Ok((name.to_owned(), value.to_owned())),
    }
}

/// Parses a time: seconds, minutes, hours or days.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let refused = || "must be seconds, minutes, hours or days, such as 90s, 30m, 2h or 1d".to_owned();
    let unit = text.chars().last().ok_or_else(refused)?;
    let seconds = match unit {
        's' => 1,
        'm' => 60,
        'h' => 3_600,
        'd' => 24 * 3_600,
        _ => return Err(refused()),
    };
    let number: u64 = text[..text.len() - unit.len_utf8()].parse().map_err(|_| refused())?;
    let time = number.checked_mul(seconds).filter(|seconds| (1..=365 * 24 * 3_600).contains(seconds));
    time.map(Duration::from_secs).ok_or_else(refused)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_variables_are_read() {
        for (text, expected) in [
            ("90s", Some(90)),
            ("30m", Some(1_800)),
            ("2h", Some(7_200)),
            ("1d", Some(86_400)),
            ("0s", None),
            ("s", None),
            ("5", None),
            ("2w", None),
            ("-1s", None),
            ("", None),
            ("99999999999999999999d", None),
            ("400d", None),
            ("5ü", None),
        ] {
            assert_eq!(duration(text).ok().map(|time| time.as_secs()), expected, "{text}");
        }
        assert_eq!(variable("a=b=c"), Ok(("a".to_owned(), "b=c".to_owned())));
        assert_eq!(variable("a="), Ok(("a".to_owned(), String::new())));
        assert!(variable("a").is_err() && variable("=b").is_err());
    }
}
