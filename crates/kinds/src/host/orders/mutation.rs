//! The mutations that give orders for hosts.

use async_graphql::{Context, Object, Result};
use chrono::TimeDelta;

use super::input::{
    AcceptMachinesInput, AcknowledgeHardwareInput, AdoptHostsInput, CancelHostsInput, DiscoverHostsInput,
    InstallHostsInput, OverrideHostInput, ReadHardwareInput, ReleaseHostsInput, RetryHostsInput, SetHostBootInput,
    SetHostPowerInput,
};
use super::payload::HostsPayload;
use super::{RequestedOrder, host_refused, named, order, read_ids};
use crate::errors::forbidden;
use crate::hosts::{Act, Afterwards};
use crate::profile::Profile;
use crate::request::Request;
use underlay_engine::access::WriteKind;
use underlay_inventory::{Kind, Refusal};

/// The longest time for which an order is valid, in seconds: a week.
const MAX_VALID_SECONDS: i32 = 7 * 24 * 60 * 60;
/// The longest reason for an override, in characters.
const MAX_REASON_CHARACTERS: usize = 1_000;

/// Root fields that give orders for hosts.
#[derive(Debug, Default)]
pub struct OrderMutation;

/// Root fields that give orders for hosts.
#[Object]
impl OrderMutation {
    /// Moves REGISTERED hosts on without touching their machines: all of them, or none.
    async fn adopt_hosts(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The hosts, and the state that they get.")] input: AdoptHostsInput,
        #[graphql(
            desc = "A unique name for the request. A repeat within a day writes nothing and gets the answer of the first request."
        )]
        request_id: Option<String>,
    ) -> Result<Option<HostsPayload>> {
        let act = Act::Adopt { state: input.r#as.into(), force: input.force.into() };
        let requested = RequestedOrder { name: "adoptHosts", input: &input, request_id };
        Box::pin(order(context, WriteKind::Order, read_ids(&input.ids)?, act, requested)).await
    }

    /// Orders to find out the hardware of hosts: of all of them, or of none. Each boots from the network once, and is
    /// switched off afterwards. A machine that runs is left alone.
    async fn discover_hosts(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The hosts.")] input: DiscoverHostsInput,
        #[graphql(
            desc = "A unique name for the request. A repeat within a day writes nothing and gets the answer of the first request."
        )]
        request_id: Option<String>,
    ) -> Result<Option<HostsPayload>> {
        let afterwards = if input.adopt { Afterwards::Available } else { Afterwards::Registered };
        let valid_for = input.valid_for.map(valid_for).transpose()?;
        let act = Act::Discover { force: input.force.into(), afterwards, valid_for };
        let requested = RequestedOrder { name: "discoverHosts", input: &input, request_id };
        Box::pin(order(context, WriteKind::Order, read_ids(&input.ids)?, act, requested)).await
    }

    /// Orders to install the system of a profile on ACQUIRED hosts: on all of them, or on none. What is on their disks is
    /// lost. A machine that runs is left alone.
    async fn install_hosts(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The hosts, and the system.")] input: InstallHostsInput,
        #[graphql(
            desc = "A unique name for the request. A repeat within a day writes nothing and gets the answer of the first request."
        )]
        request_id: Option<String>,
    ) -> Result<Option<HostsPayload>> {
        let request = Request::of(context);
        // Only callers that may order learn which profiles exist.
        request.handle(WriteKind::Order).map_err(|it| forbidden(&it))?;
        let profile = named(&request.snapshot(), Profile::describe(), "profile", &input.profile)?;
        let valid_for = input.valid_for.map(valid_for).transpose()?;
        let variables = input.variables.clone().unwrap_or_default();
        let act = Act::Install { profile, variables, force: input.force.into(), valid_for };
        let requested = RequestedOrder { name: "installHosts", input: &input, request_id };
        Box::pin(order(context, WriteKind::Order, read_ids(&input.ids)?, act, requested)).await
    }

    /// Orders to give hosts back: all of them, or none. Each is asked to shut down, detached, wiped if that is ordered,
    /// and AVAILABLE again. The running machine of a host on which nothing was installed since it was acquired is left
    /// alone.
    async fn release_hosts(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The hosts.")] input: ReleaseHostsInput,
        #[graphql(
            desc = "A unique name for the request. A repeat within a day writes nothing and gets the answer of the first request."
        )]
        request_id: Option<String>,
    ) -> Result<Option<HostsPayload>> {
        let valid_for = input.valid_for.map(valid_for).transpose()?;
        let act = Act::Release { wipe: input.wipe, force: input.force.into(), valid_for };
        let requested = RequestedOrder { name: "releaseHosts", input: &input, request_id };
        Box::pin(order(context, WriteKind::Order, read_ids(&input.ids)?, act, requested)).await
    }

    /// Orders to switch hosts on or off: all of them, or none. OFF asks the machine to shut down. OFF and CYCLE of a host
    /// that may be in use need `force`, or an order for it alone.
    async fn set_host_power(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The hosts, and the change.")] input: SetHostPowerInput,
        #[graphql(
            desc = "A unique name for the request. A repeat within a day writes nothing and gets the answer of the first request."
        )]
        request_id: Option<String>,
    ) -> Result<Option<HostsPayload>> {
        let valid_for = input.valid_for.map(valid_for).transpose()?;
        let act = Act::Power { act: input.power.into(), force: input.force.into(), valid_for };
        let requested = RequestedOrder { name: "setHostPower", input: &input, request_id };
        Box::pin(order(context, WriteKind::Order, read_ids(&input.ids)?, act, requested)).await
    }

    /// Orders to set the device that hosts boot from the next time: of all of them, or of none. NETWORK for a host that may be
    /// in use needs `force`, and an order for it alone.
    async fn set_host_boot(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The hosts, and the device.")] input: SetHostBootInput,
        #[graphql(
            desc = "A unique name for the request. A repeat within a day writes nothing and gets the answer of the first request."
        )]
        request_id: Option<String>,
    ) -> Result<Option<HostsPayload>> {
        let valid_for = input.valid_for.map(valid_for).transpose()?;
        let act = Act::Boot { boot: input.boot, force: input.force.into(), valid_for };
        let requested = RequestedOrder { name: "setHostBoot", input: &input, request_id };
        Box::pin(order(context, WriteKind::Order, read_ids(&input.ids)?, act, requested)).await
    }

    /// Orders again what failed, for all of the hosts or for none.
    async fn retry_hosts(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The hosts.")] input: RetryHostsInput,
        #[graphql(
            desc = "A unique name for the request. A repeat within a day writes nothing and gets the answer of the first request."
        )]
        request_id: Option<String>,
    ) -> Result<Option<HostsPayload>> {
        let requested = RequestedOrder { name: "retryHosts", input: &input, request_id };
        Box::pin(order(context, WriteKind::Order, read_ids(&input.ids)?, Act::Retry, requested)).await
    }

    /// Ends the open orders of hosts: of all of them, or of none. An order that touched its machine already is not ended.
    /// If a controller has prepared the machine, it takes that back first, and the order is open until then.
    async fn cancel_hosts(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The hosts.")] input: CancelHostsInput,
        #[graphql(
            desc = "A unique name for the request. A repeat within a day writes nothing and gets the answer of the first request."
        )]
        request_id: Option<String>,
    ) -> Result<Option<HostsPayload>> {
        let requested = RequestedOrder { name: "cancelHosts", input: &input, request_id };
        Box::pin(order(context, WriteKind::Order, read_ids(&input.ids)?, Act::Cancel, requested)).await
    }

    /// Forgets what the machines of hosts said of themselves, of all hosts or of none, after machines or their boards were
    /// exchanged. The next look at each machine learns it anew, unless it contradicts `uid` or `serial` of the host.
    async fn accept_machines(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The hosts.")] input: AcceptMachinesInput,
        #[graphql(
            desc = "A unique name for the request. A repeat within a day writes nothing and gets the answer of the first request."
        )]
        request_id: Option<String>,
    ) -> Result<Option<HostsPayload>> {
        let requested = RequestedOrder { name: "acceptMachines", input: &input, request_id };
        Box::pin(order(context, WriteKind::Order, read_ids(&input.ids)?, Act::AcceptMachine, requested)).await
    }

    /// Takes the hardware that the agents of hosts reported last for the hardware that the hosts should have, for all of them
    /// or for none. A host that has less later gets the condition HARDWARE_MISSING. The machines are not touched.
    async fn acknowledge_hardware(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The hosts.")] input: AcknowledgeHardwareInput,
        #[graphql(
            desc = "A unique name for the request. A repeat within a day writes nothing and gets the answer of the first request."
        )]
        request_id: Option<String>,
    ) -> Result<Option<HostsPayload>> {
        let act = Act::AcknowledgeHardware { actor: Request::of(context).caller().actor().to_owned() };
        let requested = RequestedOrder { name: "acknowledgeHardware", input: &input, request_id };
        Box::pin(order(context, WriteKind::Order, read_ids(&input.ids)?, act, requested)).await
    }

    /// Has the hardware of hosts read from their BMCs soon, of all of them or of none. A controller reads it when no order is at
    /// work on the host, and changes nothing. `facts` of the host has it then, with the origin BMC.
    async fn read_hardware(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The hosts.")] input: ReadHardwareInput,
        #[graphql(
            desc = "A unique name for the request. A repeat within a day writes nothing and gets the answer of the first request."
        )]
        request_id: Option<String>,
    ) -> Result<Option<HostsPayload>> {
        let act = Act::ReadHardware { actor: Request::of(context).caller().actor().to_owned() };
        let requested = RequestedOrder { name: "readHardware", input: &input, request_id };
        Box::pin(order(context, WriteKind::Order, read_ids(&input.ids)?, act, requested)).await
    }

    /// Sets the state of a host, from any other state, and ends its order. The host gets the condition `Overridden` with the
    /// reason, until its next order. Nothing is done with the machine.
    async fn override_host(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The host, the state, and the reason.")] input: OverrideHostInput,
        #[graphql(
            desc = "A unique name for the request. A repeat within a day writes nothing and gets the answer of the first request."
        )]
        request_id: Option<String>,
    ) -> Result<Option<HostsPayload>> {
        let handle = Request::of(context).handle(WriteKind::Override).map_err(|it| forbidden(&it))?;
        let reason = input.reason.trim().to_owned();
        if reason.is_empty() || reason.chars().count() > MAX_REASON_CHARACTERS {
            let reason = format!("must be text of 1 to {MAX_REASON_CHARACTERS} characters");
            return Err(host_refused(&Refusal::Invalid { field: "reason".to_owned(), reason }));
        }
        let actor = handle.author().actor;
        tracing::warn!(host = %input.id.as_str(), state = ?input.state, actor, reason, "a host is overridden");
        let act = Act::Override { state: input.state.into(), reason, actor };
        let requested = RequestedOrder { name: "overrideHost", input: &input, request_id };
        let ids = read_ids(std::slice::from_ref(&input.id))?;
        Box::pin(order(context, WriteKind::Override, ids, act, requested)).await
    }
}

fn valid_for(seconds: i32) -> Result<TimeDelta> {
    match (1..=MAX_VALID_SECONDS).contains(&seconds) {
        true => Ok(TimeDelta::seconds(seconds.into())),
        false => {
            let reason = format!("must be from 1 to {MAX_VALID_SECONDS} seconds, not {seconds}");
            Err(host_refused(&Refusal::Invalid { field: "validFor".to_owned(), reason }))
        }
    }
}
