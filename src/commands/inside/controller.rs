//! The host controller in the process of a server.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio::sync::watch;
use underlay_cli::run::hosts::{self, Hosts, Reach};
use underlay_cli::run::state;
use underlay_client::{Client, Patience, ServerAddress};
use underlay_hosts::controller::Scope;
use underlay_server::config::Settings;

use super::Way;

/// The host controller, before the server listens.
pub(super) struct Controller {
    state: PathBuf,
    reach: Reach,
}

impl Controller {
    /// Prepares the controller.
    pub(super) fn of(settings: &Settings, temporary: Option<&Path>) -> Result<Self, String> {
        let reach = Reach { allowed_addresses: settings.hosts.allowed_addresses.clone(), ..Reach::default() };
        Ok(Self { state: state_file(settings, temporary)?, reach })
    }

    /// Runs the controller once the server listens.
    pub(super) async fn run(self, way: Way, stop: watch::Receiver<bool>) {
        // Without an address the server failed to start, and says why.
        let Ok(address) = way.address.await else { return };
        let token = way.token.token().to_owned();
        let server = format!("http://{address}").parse::<ServerAddress>().map_err(|error| error.to_string());
        let started = server.and_then(|server| {
            let client =
                Client::new(server, hosts::patience(Patience::default())).map_err(|error| error.to_string())?;
            let client = client.with_tokens(Some(Arc::new(move || Ok(token.clone()))));
            Hosts::new(client, self.state, Scope::default(), self.reach)
        });
        match started {
            Ok(hosts) => hosts.run(stop, |reason| tracing::warn!("{reason}")).await,
            Err(error) => tracing::error!("the host controller cannot start: {error}"),
        }
    }
}

/// Returns the state file of a controller in this process. It is apart from the data directory, so that the file is not
/// rolled back together with the database.
fn state_file(settings: &Settings, temporary: Option<&Path>) -> Result<PathBuf, String> {
    let configured = temporary.map(Path::to_owned).or_else(|| settings.hosts.state_dir.clone());
    let folder = configured.or_else(state::usual_folder).ok_or_else(|| {
        "there is no home directory to keep the state of the host controller in: name a directory with hosts.stateDir \
         (--hosts-state-dir)"
            .to_owned()
    })?;
    let server = match (&settings.database, temporary) {
        (Some(url), _) => url.public_name().map_err(|error| error.to_string())?,
        (None, Some(temporary)) => temporary.display().to_string(),
        (None, None) => {
            let folder = settings.folder().map_err(|error| error.to_string())?;
            folder.canonicalize().unwrap_or(folder).display().to_string()
        }
    };
    Ok(state::state_file(&folder, &server))
}
