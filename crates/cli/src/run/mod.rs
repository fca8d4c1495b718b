//! `underlay run`: runs controllers and boot servers, which are clients of the server that work on things outside.

mod boot;
pub mod hosts;
mod ironic;
mod rights;
pub mod state;

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use tokio::sync::watch;
use underlay_address::{Exceptions, NetworkError};
use underlay_client::{Client, Patience};
use underlay_hosts::controller::Scope;

use self::boot::BootFlags;
use self::hosts::{Hosts, Reach, patience};
use self::ironic::IronicFlags;
use self::rights::RightsError;
use super::exit::Exit;
use super::listen::listen;
use super::server::{self, ServerAccess};
use super::signals::Signals;

#[derive(Debug, Args)]
pub struct Arguments {
    #[command(subcommand)]
    controller: Controller,
}

#[derive(Debug, Subcommand)]
enum Controller {
    /// Power, discover, install and wipe hosts, as people order it.
    ///
    /// Several controllers of one server divide the hosts, and those with the same --within the hosts of that site.
    /// Either all controllers of a server have --within, or none. A host that no controller serves has the condition
    /// NoController. The token of a controller has the roles reconciler and secrets-reader.
    Hosts(Box<HostsFlags>),
    /// Answer the firmware, the loaders and the installers of machines that boot from the network.
    ///
    /// The server decides what a machine boots. A machine for which it has no order, and every machine while the server
    /// does not answer, gets its disk. The token has the role boot-server. Several boot servers can run.
    Boot(BootFlags),
}

#[derive(Debug, Args)]
struct HostsFlags {
    /// Serve the hosts whose machine or appliance is in this site, and leave the others to other controllers. A
    /// controller without a site can only run when those of all sites have ended, and the other way round.
    #[arg(long, value_name = "SITE")]
    within: Option<String>,
    /// Serve only hosts of appliances whose names fit this pattern, with * and ?. Other hosts of its site, or of all
    /// sites, wait if this controller holds their lease.
    #[arg(long, value_name = "PATTERN")]
    appliances: Option<String>,
    /// The file with what the controller knows of the server's database: the id of its history, the newest revision, and
    /// the batch that made it. By it the controller notices that the database was rolled back, and then lets all
    /// controllers only observe. Keep it over restarts, and apart from the database and its backups: in a container, on a
    /// volume. A controller that starts without it while hosts are in use looks for a minute if another one works; if none
    /// does, it lets all controllers only observe. Default: a file in --state-dir that is named after the server.
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// The directory of the state file, if --state does not name one. Default: hosts in the platform's directory for state,
    /// such as ~/.local/state/underlay.
    #[arg(long, value_name = "DIR", env = "UNDERLAY_HOSTS_STATE_DIR")]
    state_dir: Option<PathBuf>,
    /// Networks whose addresses BMCs and appliances may have although they are loopback, link-local or metadata
    /// addresses, with commas or spaces between them, as hosts.allowedAddresses of the server has them.
    #[arg(long, value_name = "NETWORKS", env = "UNDERLAY_HOSTS_ALLOWED_ADDRESSES", value_parser = exceptions)]
    allowed_addresses: Option<Exceptions>,
    /// The http:// or https:// URL that the firmware of machines with redfish-uefihttp:// fetches when they boot from
    /// the network. Without it, or at a BMC that takes none, their DHCP server says what to fetch.
    #[arg(long, value_name = "URL", value_parser = boot_uri)]
    boot_uri: Option<String>,
    /// A program that reaches the machines of exec://NAME, as docs/hosts.md describes it. It is run without a shell.
    /// Can be given several times.
    #[arg(long = "program", value_name = "NAME=COMMAND")]
    programs: Vec<String>,
    #[command(flatten)]
    ironic: IronicFlags,
    /// Answer /healthz, /readyz and /metrics at this address, such as 127.0.0.1:9465.
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<SocketAddr>,
}

pub(super) fn run(arguments: Arguments, server: ServerAccess) -> Exit {
    match tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build() {
        Ok(runtime) => runtime.block_on(async {
            match arguments.controller {
                Controller::Hosts(flags) => work(*flags, server).await,
                Controller::Boot(flags) => boot::work(flags, server).await,
            }
        }),
        Err(error) => {
            eprintln!("error: cannot start: {error}");
            Exit::Failed
        }
    }
}

async fn work(flags: HostsFlags, server: ServerAccess) -> Exit {
    let mut signals = Signals::listen();
    // Controllers of several sites on one machine have a file each.
    let named = format!("{}/{}", server.server, flags.within.as_deref().unwrap_or_default());
    let folder = flags.state_dir.or_else(state::usual_folder);
    let Some(state) = flags.state.or_else(|| Some(state::state_file(&folder?, named.trim_end_matches('/')))) else {
        eprintln!("error: there is no home directory to keep the state in: name a file with --state");
        return Exit::Usage;
    };
    let client = match Client::new(server.server, patience(Patience::default())) {
        Ok(client) => client.with_tokens(server.credentials.tokens()),
        Err(error) => return server::explain(&error),
    };
    let scope = Scope { site: flags.within, appliances: flags.appliances };
    let allowed_addresses = flags.allowed_addresses.unwrap_or_default();
    let reach = flags.ironic.reached().and_then(|ironic| {
        let reach = Reach { allowed_addresses, boot_uri: flags.boot_uri, ironic, ..Reach::default() };
        reach.with_programs(&flags.programs)
    });
    let reach = match reach {
        Ok(reach) => reach,
        Err(reason) => {
            eprintln!("error: {reason}");
            return Exit::Usage;
        }
    };
    if let Some(ironic) = &reach.ironic
        && let Err(reason) = ironic.connection.auth.check().await
    {
        eprintln!("error: Ironic cannot be used: {reason}");
        return Exit::Failed;
    }
    let hosts = match Hosts::new(client.clone(), state, scope, reach) {
        Ok(hosts) => hosts,
        Err(reason) => {
            eprintln!("error: {reason}");
            return Exit::Failed;
        }
    };
    if let Some(at) = flags.listen
        && let Err(reason) = listen(at, hosts.status()).await
    {
        eprintln!("error: {reason}");
        return Exit::Failed;
    }
    let mut checked = Box::pin(rights::check(&client));
    let mut is_checked = false;
    let (stop, stopped) = watch::channel(false);
    let mut running = tokio::spawn(hosts.run(stopped, |reason| eprintln!("warning: {reason}")));
    loop {
        tokio::select! {
            ended = &mut running => return if ended.is_ok() { Exit::Done } else { Exit::Failed },
            rights = &mut checked, if !is_checked => match rights {
                Ok(()) => is_checked = true,
                Err(error) => {
                    stop.send_replace(true);
                    // It gives back what it has before the reason is the last line.
                    drop(running.await);
                    return refused(&error);
                }
            },
            () = signals.next() => {
                stop.send_replace(true);
                if signals.count() > 1 {
                    return Exit::Done;
                }
            }
        }
    }
}

/// Says why the controller ends, and returns its exit code.
fn refused(error: &RightsError) -> Exit {
    match error {
        RightsError::Client(error) => server::explain(error),
        RightsError::Role { .. } | RightsError::Connection { .. } => {
            eprintln!("error: {error}");
            Exit::Failed
        }
    }
}

/// Reads networks, which are separated by commas or spaces.
fn exceptions(text: &str) -> Result<Exceptions, NetworkError> {
    let networks = text.split([',', ' ']).filter(|word| !word.is_empty()).map(str::parse);
    networks.collect::<Result<_, _>>().map(Exceptions::new)
}

/// Reads the URL of a boot over HTTP.
fn boot_uri(text: &str) -> Result<String, String> {
    match text.parse::<reqwest::Url>() {
        Ok(url) if matches!(url.scheme(), "http" | "https") && url.has_host() => Ok(text.to_owned()),
        _ => Err("it must be a URL such as http://10.0.0.1/boot/shim.efi".to_owned()),
    }
}
