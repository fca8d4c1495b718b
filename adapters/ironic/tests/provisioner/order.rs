//! Hosts, and orders for them as a controller works on them: each duty begins once, and is then asked for.

use std::time::Duration;

use underlay_address::Exceptions;
use underlay_hosts::host::{BootMode, Host, Image, Observed, Order, Power, Profile, State, StepName, Wanted};
use underlay_hosts::life::Duty;
use underlay_hosts::machine::{CallError, Secret, Target};
use underlay_hosts::provisioner::{Call, Job, Progress, Provisioner as _};
use underlay_ironic::client::{Auth, Client, Connection, Pace};
use underlay_ironic::provisioner::{IronicProvisioner, NAME, Tempo};
use uuid::Uuid;

/// The password of the BMC, which is in no message.
pub const PASSWORD: &str = "hunter2-of-the-bmc";
/// The address of the BMC, as Ironic has it.
pub const ADDRESS: &str = "https://10.0.0.7";
/// The image of an order.
const IMAGE: &str = "http://127.0.0.1:9/linux.qcow2";
/// The maximum number of times that a duty is asked for.
const MAX_ASKS: usize = 60;

/// The end of a duty or an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    Done,
    Failed(String),
    /// Nobody knows of the work any more.
    Unknown,
}

/// Returns a provisioner that works by an Ironic.
pub fn provisioner(url: &str, tempo: Tempo) -> IronicProvisioner {
    let mut connection = Connection::new(url, Auth::None);
    connection.pace = Pace {
        connect: Duration::from_secs(5),
        answer: Duration::from_secs(30),
        first_pause: Duration::from_millis(5),
        longest_pause: Duration::from_millis(20),
        repeats: 1,
    };
    let client = Client::new(&connection).expect("a client");
    IronicProvisioner::new(client, Exceptions::everything(), tempo)
}

/// Returns a tempo for tests: a call waits for nothing, and the next one comes at once.
pub fn at_once() -> Tempo {
    Tempo { look: Duration::from_millis(1), within: Duration::from_secs(20), again: Duration::from_millis(1) }
}

/// Returns a host.
pub fn host(url: &str) -> Host {
    Host {
        id: Uuid::new_v4(),
        name: "calm-otter".into(),
        observed_version: 1,
        bmc_url: Some(url.into()),
        bmc_credential: None,
        bmc_insecure: false,
        bmc_trusted_cas: None,
        uid: None,
        serial: None,
        seen_identity: None,
        look_asked: None,
        hardware_asked: None,
        ignored: std::sync::Arc::default(),
        is_pinned_by_nothing: false,
        boot_mac: Some("52:54:00:AA:BB:01".into()),
        boot_mode: Some(BootMode::Uefi),
        root_device: None,
        provisioner: Some(NAME.into()),
        in_maintenance: false,
        deleting: false,
        wanted: None,
        generation: 0,
        generation_done: 0,
        state: State::Available,
        power: Power::Unknown,
        step: None,
        conditions: Vec::new(),
        failure: None,
        was_installed: false,
        observed: Observed::default(),
        site: None,
        appliance: None,
        interval: None,
    }
}

/// Gives a host its next order.
pub fn order(host: &mut Host, act: Order) {
    host.generation += 1;
    host.generation_done = host.generation - 1;
    let image = Image { url: IMAGE.into(), checksum: format!("sha256:{}", "ab".repeat(32)), format: "QCOW2".into() };
    host.wanted = Some(Wanted {
        id: Some(Uuid::new_v4()),
        profile: Some(Profile { id: Uuid::from_u128(9), image: Some(image) }),
        ..Wanted::of(act)
    });
}

/// Returns the machine of a host, as the controller gives it.
pub fn target(host: &Host) -> Target {
    let secret = Secret { username: "admin".into(), password: PASSWORD.into(), ..Secret::default() };
    Target { url: host.bmc_url.clone().unwrap_or_default(), secret: Some(secret), ..Target::default() }
}

/// Has a provisioner work on a duty once.
pub async fn ask(provisioner: &IronicProvisioner, host: &Host, duty: Duty, call: Call) -> Result<Progress, CallError> {
    let target = target(host);
    let given = (call == Call::Begin).then_some(&target);
    let job = Job { host, order: host.order_key(), step: StepName::Register, duty, call, target: given, fence: None };
    provisioner.work(job).await
}

/// Works on a duty to its end, as a controller does: a call that was certainly not made is made again, and one without an
/// answer is asked for and never made again.
pub async fn work(provisioner: &IronicProvisioner, host: &Host, duty: Duty) -> End {
    let (mut call, mut has_word) = (Call::Begin, false);
    for _ in 0..MAX_ASKS {
        match ask(provisioner, host, duty, call).await {
            Ok(Progress::Done { .. }) => return End::Done,
            Ok(Progress::Failed { sentence, .. }) => return End::Failed(sentence),
            Ok(Progress::Wait { again, .. }) => {
                (call, has_word) = (Call::Continue, true);
                tokio::time::sleep(again).await;
            }
            Ok(Progress::Unknown) if has_word || call == Call::Begin => return End::Unknown,
            // The deadline of the step ends it; a person then looks.
            Ok(Progress::Unknown) => {}
            Err(CallError::NotMade { .. }) => {}
            Err(CallError::Unanswered { .. }) => call = Call::Continue,
            Err(CallError::Refused { message, .. }) if call == Call::Begin => return End::Failed(message),
            Err(CallError::Refused { .. }) => {}
        }
    }
    End::Failed("TimedOut".to_owned())
}

/// Works on an order to its end, by the duties that the life of a host has for it.
pub async fn carry_out(provisioner: &IronicProvisioner, host: &mut Host, act: Order) -> End {
    order(host, act);
    carry_on(provisioner, host, act).await
}

/// Works on an order that a host has to its end.
pub async fn carry_on(provisioner: &IronicProvisioner, host: &mut Host, act: Order) -> End {
    let (working, duties, rests): (State, &[Duty], State) = match act {
        Order::Discover => (State::Discovering, &[Duty::Register, Duty::Prepare, Duty::Inspect], State::Available),
        Order::Install => (State::Installing, &[Duty::Prepare, Duty::Install], State::Installed),
        Order::Release => (State::Releasing, &[Duty::Detach], State::Available),
        Order::Wipe => (State::Releasing, &[Duty::Detach, Duty::Prepare, Duty::Deinstall], State::Available),
        Order::PowerOn | Order::PowerOff | Order::PowerCycle | Order::BootLocal | Order::BootNetwork => {
            panic!("a change of power is no work")
        }
    };
    host.state = working;
    for duty in duties {
        match work(provisioner, host, *duty).await {
            End::Done => {}
            end => {
                host.state = State::Failed;
                host.generation_done = host.generation;
                return end;
            }
        }
    }
    (host.state, host.generation_done) = (rests, host.generation);
    End::Done
}
