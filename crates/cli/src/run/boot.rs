//! The boot server, as `underlay run boot` runs it.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use tokio::sync::watch;
use tokio::time::sleep;
use underlay_boot_server::{
    Api, BootServer, CONNECTIONS, Listener, Loaders, Origin, Settings, SettingsError, Status, Times, monotonic, own_url,
};
use underlay_client::{Client, ClientError, Patience};
use underlay_kit::control::{BackOff, jitter};
use underlay_kit::printable;

use super::super::exit::Exit;
use super::super::listen::{Health, listen};
use super::super::server::{self, ServerAccess};
use super::super::signals::Signals;

/// The bounds of the pauses between questions to a server that does not answer.
const PAUSES: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(30));
/// The pause between two questions to a server that answers.
const PROBE_PAUSE: Duration = Duration::from_secs(30);
/// The time for a connection to the server: firmware waits.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);

#[derive(Debug, Args)]
pub(super) struct BootFlags {
    /// Answer machines at this address, such as 10.0.0.1:8090, by plain HTTP.
    #[arg(long, value_name = "ADDRESS", env = "UNDERLAY_BOOT_LISTEN")]
    listen: SocketAddr,
    /// The URL under which machines reach this address, such as http://10.0.0.1:8090.
    #[arg(long, value_name = "URL", env = "UNDERLAY_BOOT_URL", value_parser = url)]
    url: String,
    /// Serve the hosts whose machine is in this site. Every other machine gets its disk.
    #[arg(long, value_name = "SITE", env = "UNDERLAY_BOOT_WITHIN")]
    within: Option<String>,
    /// A folder with shimx64.efi and grubx64.efi, for machines whose profile has none of its own, and with ipxe.efi,
    /// snponly.efi and ipxe-shimx64.efi, if machines boot by iPXE.
    #[arg(long, value_name = "FOLDER", env = "UNDERLAY_BOOT_LOADERS")]
    loaders: Option<PathBuf>,
    /// Fetch files whose URL begins with this one, such as https://mirror.example.com/rhel. Files from elsewhere are
    /// refused. Can be given several times.
    #[arg(long = "origin", value_name = "URL", env = "UNDERLAY_BOOT_ORIGINS", value_delimiter = ',', value_parser = origin)]
    origins: Vec<Origin>,
    /// Answer /healthz, /readyz and /metrics at this address, such as 127.0.0.1:9466.
    #[arg(long, value_name = "ADDRESS")]
    health: Option<SocketAddr>,
}

fn url(text: &str) -> Result<String, SettingsError> {
    own_url(text)
}

fn origin(text: &str) -> Result<Origin, SettingsError> {
    Origin::parse(text)
}

impl Health for Status {
    fn not_ready(&self) -> Vec<String> {
        Self::not_ready(self)
    }

    fn metrics(&self) -> String {
        Self::metrics(self)
    }
}

/// Runs the boot server until a signal comes.
pub(super) async fn work(flags: BootFlags, server: ServerAccess) -> Exit {
    let mut signals = Signals::listen();
    let failed = |reason: String| {
        eprintln!("error: {}", printable(&reason));
        Exit::Failed
    };
    let loaders = match &flags.loaders {
        Some(folder) => match Loaders::open(folder).await {
            Ok(loaders) => Some(loaders),
            Err(error) => return failed(error.to_string()),
        },
        None => None,
    };
    if let Some(loaders) = &loaders {
        loaders.faults().await.iter().for_each(|fault| eprintln!("warning: {}", printable(fault)));
    }
    let times = Times::default();
    let patience = Patience { connect: CONNECT_TIMEOUT, answer: times.report, ..Patience::default() };
    let client = match Client::new(server.server, patience) {
        Ok(client) => client.with_tokens(server.credentials.tokens()),
        Err(error) => return server::explain(&error),
    };
    let settings = Settings {
        url: flags.url.clone(),
        within: flags.within,
        origins: flags.origins,
        connections: CONNECTIONS,
        times,
    };
    let api = Api::new(client, &settings);
    let note = |note: &str| eprintln!("note: {}", printable(note));
    let boot = Arc::new(BootServer::new(api, settings, loaders, monotonic(), note));
    let listener = match Listener::open(flags.listen).await {
        Ok(listener) => listener,
        Err(error) => return failed(format!("cannot listen at {}: {error}", flags.listen)),
    };
    if let Some(at) = flags.health
        && let Err(reason) = listen(at, boot.status()).await
    {
        return failed(reason);
    }
    eprintln!("note: machines boot by {}, and are answered at {}", flags.url, listener.address());
    let (stop, stopped) = watch::channel(false);
    let mut serving = tokio::spawn(listener.serve(Arc::clone(&boot), stopped));
    let mut probing = Box::pin(probe(&boot));
    loop {
        tokio::select! {
            ended = &mut serving => return if ended.is_ok() { Exit::Done } else { Exit::Failed },
            error = &mut probing => return server::explain(&error),
            () = signals.next() => {
                stop.send_replace(true);
                if signals.count() > 1 {
                    return Exit::Done;
                }
            }
        }
    }
}

/// Asks the server now and then, so that health checks know if it answers. Returns the reason why it does not let this
/// boot server ask, if that is so at the start.
async fn probe(boot: &BootServer) -> ClientError {
    let mut pauses = BackOff::new(PAUSES.0, PAUSES.1);
    let mut has_asked = false;
    loop {
        match boot.probe().await {
            Ok(()) => {
                has_asked = true;
                pauses.succeeded(&());
                sleep(jitter(PROBE_PAUSE)).await;
            }
            Err(error) if has_asked || error.is_passing() => sleep(pauses.failed(())).await,
            Err(error) => return error,
        }
    }
}
