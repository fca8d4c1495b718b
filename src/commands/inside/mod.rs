//! The programs that run in the process of a server, as `serve --with` names them: each is a client of the server, with a
//! token of its own, over a listener on loopback.

mod agents;
mod controller;

use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use clap::ValueEnum;
use tokio::sync::{oneshot, watch};
use tokio::task::{JoinHandle, JoinSet};

use self::agents::Agents;
use self::controller::Controller;
use underlay_engine::access::{OwnToken, Role};
use underlay_server::app::{self, Inside};
use underlay_server::config::Settings;

/// The time that the programs have to end when the server stops.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(10);

/// A program that runs in the process of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum With {
    /// Power, discover, install and wipe hosts, as `underlay run hosts` does.
    Hosts,
    /// Report made-up hardware in the name of the hosts that a simulated appliance lists. Parts fail, move and come back.
    Agents,
}

/// The programs in the process of a server, before it listens.
#[derive(Default)]
pub(super) struct Programs {
    controller: Option<(Controller, Way)>,
    agents: Option<(Agents, Way)>,
}

/// The way of a program to the server.
struct Way {
    token: OwnToken,
    /// Receives the address once the server listens. It fails if the server does not start.
    address: oneshot::Receiver<SocketAddr>,
}

impl Programs {
    /// Prepares programs, and their access to the server if there are any.
    ///
    /// # Errors
    /// Returns a sentence if one of them cannot run.
    pub(super) fn of(
        with: &[With],
        settings: &Settings,
        temporary: Option<&Path>,
    ) -> Result<(Option<Inside>, Self), String> {
        let mut access = Inside { tokens: Vec::new(), addresses: Vec::new() };
        let mut programs = Self::default();
        if with.contains(&With::Hosts) {
            let way = Way::add_to(&mut access, "host-controller", &[Role::Reconciler, Role::SecretsReader])?;
            programs.controller = Some((Controller::of(settings, temporary)?, way));
        }
        if with.contains(&With::Agents) {
            let way = Way::add_to(&mut access, agents::ACTOR, &[Role::Operator])?;
            programs.agents = Some((Agents::of_demo(), way));
        }
        Ok(((!access.tokens.is_empty()).then_some(access), programs))
    }

    /// Returns true if there is no program.
    pub(super) fn is_empty(&self) -> bool {
        self.controller.is_none() && self.agents.is_none()
    }

    /// Starts the programs. They run until `stopped` is true.
    pub(super) fn start(self, stopped: &watch::Receiver<bool>) -> JoinHandle<()> {
        let mut running = JoinSet::new();
        if let Some((controller, way)) = self.controller {
            running.spawn(controller.run(way, stopped.clone()));
        }
        if let Some((agents, way)) = self.agents {
            running.spawn(agents.run(way, stopped.clone()));
        }
        tokio::spawn(async move { while running.join_next().await.is_some() {} })
    }
}

impl Way {
    fn add_to(access: &mut Inside, actor: &str, roles: &[Role]) -> Result<Self, String> {
        let token = OwnToken::of(actor, roles).map_err(|error| error.to_string())?;
        let (sender, address) = oneshot::channel();
        access.tokens.push(token.clone());
        access.addresses.push(sender);
        Ok(Self { token, address })
    }
}

/// Returns a future that waits for a signal, and then until the programs have ended: a controller gives its leases back,
/// which needs the server.
pub(super) fn stopping(stop: watch::Sender<bool>, mut running: JoinHandle<()>) -> impl Future<Output = ()> {
    let signal = app::signal();
    async move {
        signal.await;
        stop.send_replace(true);
        // A program that panicked has ended too.
        if tokio::time::timeout(SHUTDOWN_TIMEOUT, &mut running).await.is_err() {
            running.abort();
        }
    }
}
