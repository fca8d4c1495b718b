//! The acts on a node, as calls of Ironic.

use serde_json::{Map, Value, json};
use underlay_address::Host as Name;
use underlay_hosts::host::{Host, Order};
use underlay_hosts::life::Duty;
use underlay_hosts::machine::{CallError, NameError, Target as Machine, resolve};
use underlay_hosts::provisioner::Job;

use super::decide::{Act, At};
use super::failure::{Effect, call_error};
use super::image::{configdrive, instance_info};
use super::machine::{Settings, properties};
use super::mark::{Mark, Prepared};
use super::{IronicProvisioner, refused};
use crate::client::{IronicError, Node, Patch, Provision, Target};

/// The members of `driver_info` that an address can have or leave out.
const OPTIONAL: [&str; 2] = ["redfish_system_id", "ipmi_port"];

impl IronicProvisioner {
    /// Makes an act.
    pub(super) async fn make(&self, job: &Job<'_>, node: Option<&Node>, act: Act) -> Result<(), CallError> {
        let Some(node) = node else { return self.create(job).await };
        let id = node.uuid.as_str();
        match act {
            Act::Create => self.create(job).await,
            Act::Refresh => self.refresh(job, node).await,
            Act::Verb(verb) => {
                let mut order = Provision::to(verb);
                let wanted = job.host.order().filter(|_| verb == Target::Deploy);
                if let Some(drive) = wanted.and_then(|wanted| configdrive(job.host, wanted)) {
                    order = order.configdrive(drive);
                }
                self.client.set_provision_state(id, &order).await.map_err(changes)
            }
            Act::Record => self.patch(node, &record(job, node)).await,
            Act::KeepDisks => self.patch(node, &[Patch::set("/automated_clean", false)]).await,
            Act::EndFault => self.client.clear_maintenance(id).await.map_err(changes),
            Act::Maintain => {
                let reason = "the host is deleted, and its machine is left as it is";
                self.client.set_maintenance(id, reason).await.map_err(changes)
            }
            Act::Unmark => self.patch(node, &[Mark::removal()]).await,
            Act::Delete => self.client.delete_node(id).await.map(drop).map_err(changes),
        }
    }

    async fn create(&self, job: &Job<'_>) -> Result<(), CallError> {
        let settings = self.settings(job.target).await?;
        let created_for = (job.duty == Duty::Prepare).then(|| Prepared::of(job.order, None));
        let mark = Mark { host: job.host.id, name: job.host.name.clone(), order: None, created_for };
        let mut members = Map::new();
        members.insert("uuid".to_owned(), json!(job.host.id));
        members.insert("driver".to_owned(), json!(settings.driver));
        members.insert("driver_info".to_owned(), Value::Object(settings.driver_info));
        members.insert("properties".to_owned(), Value::Object(properties(job.host, &Map::new())));
        members.insert("extra".to_owned(), Value::Object([mark.member()].into_iter().collect()));
        members.insert("automated_clean".to_owned(), json!(false));
        if let Some(interface) = settings.boot_interface {
            members.insert("boot_interface".to_owned(), json!(interface));
        }
        let node = self.client.create_node(members).await.map_err(changes)?;
        self.port(job.host, &node).await
    }

    /// Brings a node up to date. One that somebody else made keeps its settings, and gets our mark.
    async fn refresh(&self, job: &Job<'_>, node: &Node) -> Result<(), CallError> {
        let mut steps = Vec::new();
        if is_ours(job.host, node)
            && let Some(target) = job.target.filter(|target| !target.url.is_empty())
        {
            let settings = self.settings(Some(target)).await?;
            steps.extend(changed(job.host, node, &settings));
        }
        let old = Mark::of(node);
        if old.as_ref().is_none_or(|mark| mark.name != job.host.name) {
            let (order, created_for) = old.map(|mark| (mark.order, mark.created_for)).unwrap_or_default();
            steps.push(Mark { host: job.host.id, name: job.host.name.clone(), order, created_for }.patch());
        }
        self.patch(node, &steps).await?;
        if is_ours(job.host, node) { self.port(job.host, node).await } else { Ok(()) }
    }

    /// Gives Ironic the credential of a BMC again, which may have changed.
    pub(super) async fn renew(&self, host: &Host, target: &Machine, node: &Node) -> Result<(), CallError> {
        if !is_ours(host, node) || target.url.is_empty() {
            return Ok(());
        }
        let settings = self.settings(Some(target)).await?;
        self.patch(node, &driver_info(node, &settings)).await
    }

    /// Returns the settings of a machine, after the addresses of its BMC were checked.
    async fn settings(&self, target: Option<&Machine>) -> Result<Settings, CallError> {
        let none = || CallError::NotMade { reason: "the address of the BMC is not known in this call".to_owned() };
        let target = target.ok_or_else(none)?;
        let mut settings = Settings::of(target)?;
        if let Some(name) = &settings.connects_to {
            self.driver_info.add_to(&mut settings.driver_info);
            let wrong = |message: String| CallError::Refused { reason: "WrongAddress".to_owned(), message };
            self.exceptions
                .refuse_host(name)
                .map_err(|reason| wrong(format!("{} {reason}; allow its network at the controller", target.url)))?;
            if let Name::Name(name) = name {
                // Ironic resolves the name by itself a moment later.
                let checked = resolve(name, &self.exceptions, target.allowed_hosts()).await;
                checked.map_err(|error| match error {
                    NameError::Reserved { .. } | NameError::NotAllowed { .. } => wrong(error.to_string()),
                    NameError::Unresolved { .. } | NameError::Nothing { .. } => {
                        CallError::NotMade { reason: error.to_string() }
                    }
                })?;
            }
            if target.secret.is_some() && self.is_readable() {
                return Err(wrong(format!(
                    "the password of the BMC is not sent to {}, because anybody on the network could read it; use https://",
                    self.client.base()
                )));
            }
        }
        Ok(settings)
    }

    /// Returns true if what is sent to Ironic can be read on the network.
    fn is_readable(&self) -> bool {
        let base = self.client.base();
        let is_local = base.host_str().is_some_and(|host| {
            let ip = host.trim_start_matches('[').trim_end_matches(']').parse::<std::net::IpAddr>();
            ip.map_or(host == "localhost", |ip| ip.is_loopback())
        });
        base.scheme() != "https" && !is_local
    }

    /// Gives a node the port that its host boots from.
    async fn port(&self, host: &Host, node: &Node) -> Result<(), CallError> {
        let Some(mac) = host.boot_mac.as_deref().map(str::to_ascii_lowercase) else { return Ok(()) };
        let ports = self.client.ports_of(&node.uuid).await.map_err(|error| call_error(&error, Effect::Reads))?;
        if ports.iter().any(|port| port.address.eq_ignore_ascii_case(&mac)) {
            return Ok(());
        }
        let mut members = Map::new();
        members.insert("node_uuid".to_owned(), json!(node.uuid));
        members.insert("address".to_owned(), json!(mac));
        match self.client.create_port(members).await {
            Ok(_) => Ok(()),
            Err(error @ IronicError::Conflict { .. }) => {
                let sentence = format!("another node has the MAC address {mac}, which the host boots from ({error})");
                Err(refused(node, &sentence))
            }
            Err(error) => Err(changes(error)),
        }
    }

    async fn patch(&self, node: &Node, steps: &[Patch]) -> Result<(), CallError> {
        if steps.is_empty() {
            return Ok(());
        }
        self.client.patch_node(&node.uuid, steps).await.map(drop).map_err(changes)
    }
}

/// Returns true if we made a node for a host.
fn is_ours(host: &Host, node: &Node) -> bool {
    node.uuid == host.id.to_string()
}

/// Returns the steps that bring the settings of a node up to date.
fn changed(host: &Host, node: &Node, settings: &Settings) -> Vec<Patch> {
    let mut steps = driver_info(node, settings);
    // Ironic keeps drivers and interfaces of nodes that are in use.
    if matches!(At::of(node), At::Enroll | At::Manageable | At::Available) {
        if node.driver.as_deref() != Some(settings.driver) {
            steps.push(Patch::set("/driver", settings.driver));
        }
        if let Some(interface) = settings.boot_interface
            && node.boot_interface.as_deref() != Some(interface)
        {
            steps.push(Patch::set("/boot_interface", interface));
        }
    }
    let wanted = properties(host, &node.properties);
    let differs = |(name, value): &(String, Value)| node.properties.get(name) != Some(value);
    let changed = wanted.into_iter().filter(differs);
    steps.extend(changed.map(|(name, value)| Patch::set(&format!("/properties/{name}"), value)));
    steps
}

/// Returns the steps that bring the address and the credential of a BMC up to date. Ironic does not show passwords, so they
/// are always set.
fn driver_info(node: &Node, settings: &Settings) -> Vec<Patch> {
    let differs = |name: &String, value: &Value| node.driver_info.get(name) != Some(value);
    let mut steps: Vec<Patch> = (settings.driver_info.iter())
        .filter(|(name, value)| differs(name, value))
        .map(|(name, value)| Patch::set(&format!("/driver_info/{name}"), value.clone()))
        .collect();
    for name in OPTIONAL {
        if node.driver_info.contains_key(name) && !settings.driver_info.contains_key(name) {
            steps.push(Patch::remove(&format!("/driver_info/{name}")));
        }
    }
    steps
}

/// Returns the steps that record an order at a node, with what it needs.
fn record(job: &Job<'_>, node: &Node) -> Vec<Patch> {
    let host = job.host;
    let prepared = Prepared::of(job.order, node.inspection_finished_at.clone());
    let created_for = Mark::of(node).and_then(|mark| mark.created_for);
    let mark = Mark { host: host.id, name: host.name.clone(), order: Some(prepared), created_for };
    let mut steps = vec![mark.patch()];
    let Some(order) = host.order() else { return steps };
    // Disks are cleaned for an order to wipe alone.
    steps.push(Patch::set("/automated_clean", order.act == Order::Wipe));
    if let (Order::Install, Some(image)) = (order.act, order.profile.as_ref().and_then(|it| it.image.as_ref())) {
        steps.push(Patch::set("/instance_info", Value::Object(instance_info(image))));
    }
    steps
}

fn changes(error: IronicError) -> CallError {
    call_error(&error, Effect::Changes)
}
