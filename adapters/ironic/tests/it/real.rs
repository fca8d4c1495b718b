//! The client and the adapter against Ironic 39 from PyPI, with its fake hardware.

use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};
use serde_json::{Map, Value, json};
use tempfile::TempDir;
use tokio::time::timeout;
use underlay_ironic::client::{Auth, Client, Connection, Patch, Provision, ProvisionState, SecretSource, Target};
use underlay_ironic::{Ironic, Settings};
use underlay_kit::sync::{Adapter as _, AdapterError, ExternalId, Hint};
use underlay_testing::{HANG, free_port};

use crate::{scan, try_scan};

/// The account of `http_basic`: `admin` with the password `hunter2`, as bcrypt stores it.
const ACCOUNT: &str = "admin:$2y$04$83WY37RnXE5ZLeB2dzzYhuswFaF1lSJtjBQ8WDdkm5KiWtAiptFPy\n";
const PASSWORD: &str = "hunter2";

/// A running Ironic with fake hardware, on an empty database. Its processes end with it.
struct Real {
    running: Child,
    url: String,
    folder: TempDir,
}

impl Drop for Real {
    fn drop(&mut self) {
        // Ironic starts a worker, which is in the same group. The group may have ended already.
        if let Some(group) = i32::try_from(self.running.id()).ok().and_then(Pid::from_raw) {
            let _ended = kill_process_group(group, Signal::KILL);
        }
        let _ended = self.running.wait();
        if std::thread::panicking() {
            let log = std::fs::read_to_string(self.folder.path().join("log")).unwrap_or_default();
            eprintln!("--- log of Ironic:\n{log}");
        }
    }
}

impl Real {
    /// Starts Ironic. `more` is added to the section `DEFAULT`, and `api` to the section of that name.
    async fn start(more: &str, api: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let at = folder.path();
        for name in ["state", "lock", "tftpboot", "images", "httpboot"] {
            std::fs::create_dir(at.join(name)).expect("a folder");
        }
        std::fs::write(at.join("accounts"), ACCOUNT).expect("a file");
        let port = free_port();
        std::fs::write(at.join("ironic.conf"), configuration(at, port, more, api)).expect("a file");
        let command = |program: &str| {
            let mut command = Command::new(program);
            command.arg("--config-file").arg(at.join("ironic.conf")).stdin(Stdio::null()).stdout(Stdio::null());
            command.stderr(std::fs::File::create(at.join("log")).expect("a file"));
            command
        };
        let made = command("ironic-dbsync").arg("create_schema").status().expect("ironic-dbsync starts");
        assert!(made.success(), "{}", std::fs::read_to_string(at.join("log")).unwrap_or_default());
        let running = command("ironic").process_group(0).spawn().expect("ironic starts");
        let real = Self { running, url: format!("http://127.0.0.1:{port}"), folder };
        let client = real.client();
        // The API is there before the conductor, which brings the drivers.
        let first = || members(json!({"driver": "fake-hardware", "name": "first"}));
        underlay_testing::until("Ironic is ready", async || client.create_node(first()).await.is_ok()).await;
        assert_eq!(client.delete_node("first").await, Ok(true));
        real
    }

    fn connection(&self, password: &str) -> Connection {
        let password = SecretSource::Text(password.to_owned());
        Connection::new(&self.url, Auth::Basic { username: "admin".to_owned(), password })
    }

    fn client(&self) -> Client {
        Client::new(&self.connection(PASSWORD)).expect("a client")
    }

    fn ironic(&self, password: &str) -> Ironic {
        let settings = Settings::new("ironic", self.connection(password), "ams1");
        Ironic::new(Settings { hints: Duration::from_millis(200), ..settings }).expect("an adapter")
    }
}

fn configuration(at: &Path, port: u16, more: &str, api: &str) -> String {
    let at = at.display();
    format!(
        "[DEFAULT]\nhost = test\nmy_ip = 127.0.0.1\nrpc_transport = none\nuse_stderr = true\nstate_path = {at}/state\n\
         enabled_hardware_types = fake-hardware\nenabled_bios_interfaces = no-bios\nenabled_boot_interfaces = fake\n\
         enabled_console_interfaces = no-console\nenabled_deploy_interfaces = fake\n\
         enabled_firmware_interfaces = no-firmware\nenabled_inspect_interfaces = fake,agent\n\
         default_inspect_interface = fake\nenabled_management_interfaces = fake\nenabled_network_interfaces = noop\n\
         default_network_interface = noop\nenabled_power_interfaces = fake\nenabled_raid_interfaces = no-raid\n\
         enabled_rescue_interfaces = no-rescue\nenabled_storage_interfaces = noop\nenabled_vendor_interfaces = no-vendor\n\
         http_basic_auth_user_file = {at}/accounts\n{more}\n\
         [api]\nhost_ip = 127.0.0.1\nport = {port}\n{api}\n\
         [conductor]\nautomated_clean = false\nsync_power_state_interval = 0\ncheck_provision_state_interval = 1\n\
         [database]\nconnection = sqlite:///{at}/ironic.sqlite\n[inventory]\ndata_backend = database\n\
         [oslo_concurrency]\nlock_path = {at}/lock\n[oslo_messaging_notifications]\ndriver = noop\n\
         [pxe]\ntftp_root = {at}/tftpboot\ntftp_master_path =\nimages_path = {at}/images\ninstance_master_path =\n\
         [deploy]\nhttp_root = {at}/httpboot\n[dhcp]\ndhcp_provider = none\n\
         [service_catalog]\nendpoint_override = http://127.0.0.1:{port}\n\
         [inspector]\nrequire_managed_boot = false\nhooks = $default_hooks,parse-lldp,local-link-connection\n"
    )
}

fn members(value: Value) -> Map<String, Value> {
    let Value::Object(members) = value else { panic!("an object") };
    members
}

/// Waits until a node is in a provision state.
async fn until(client: &Client, node: &str, state: &ProvisionState) {
    underlay_testing::until(format!("{node} is {state}"), async || {
        let states = client.states(node).await.expect("states");
        let is_there = states.as_ref().and_then(|it| it.provision.as_ref()) == Some(state);
        if is_there { Ok(()) } else { Err(format!("{states:?}")) }
    })
    .await;
}

/// Orders a provision state, and waits until it is there.
async fn bring(client: &Client, node: &str, target: Target, state: ProvisionState) {
    client.set_provision_state(node, &Provision::to(target)).await.expect("accepted");
    until(client, node, &state).await;
}

/// Returns what the agent in the machine would report.
fn report() -> Value {
    json!({
        "inventory": {
            "interfaces": [{
                "name": "eno1", "mac_address": "52:54:00:00:00:01", "ipv4_address": "10.0.0.50", "has_carrier": true,
                "lldp": [[1, "04525400aa0001"], [2, "0545746831"], [5, "6c6561662d31"]], "speed_mbps": 25_000
            }],
            "cpu": {"model_name": "Fast", "frequency": "", "count": 64, "architecture": "x86_64", "flags": []},
            "disks": [{"name": "/dev/nvme0n1", "size": 1_000_000_000_000_u64, "rotational": false, "serial": "D1"}],
            "memory": {"total": 270_000_000_000_u64, "physical_mb": 262_144},
            "bmc_address": "10.0.0.7",
            "system_vendor": {"product_name": "R1", "serial_number": "S7", "manufacturer": "ACME"},
            "boot": {"current_boot_mode": "uefi", "pxe_interface": "52:54:00:00:00:01"}, "hostname": "gpu-1"
        },
        "root_disk": null, "boot_interface": "52:54:00:00:00:01", "error": null
    })
}

#[tokio::test]
#[ignore = "needs ironic"]
async fn a_real_node_is_followed_from_its_enrolment_to_its_end() {
    let real = Real::start("auth_strategy = http_basic", "").await;
    let (client, ironic) = (real.client(), real.ironic(PASSWORD));
    let refused = try_scan(&real.ironic("guess")).await.expect_err("a wrong password");
    assert!(matches!(refused, AdapterError::Refused { .. }), "{refused}");
    assert!(refused.to_string().contains("check the kind of authentication"), "{refused}");

    let node = client.create_node(members(json!({
        "driver": "fake-hardware", "name": "gpu-1", "resource_class": "gpu.large", "inspect_interface": "agent",
        "driver_info": {"redfish_address": "https://10.0.0.7", "redfish_username": "root", "redfish_password": "calvin"},
    })));
    let node = node.await.expect("a node").uuid;
    let port = client.create_port(members(json!({"node_uuid": node, "address": "52:54:00:00:00:01"})));
    let port = port.await.expect("a port").uuid;
    let again = client.create_port(members(json!({"node_uuid": node, "address": "52:54:00:00:00:01"}))).await;
    assert_eq!(again.expect_err("a MAC address is unique").status().map(|it| it.as_u16()), Some(409));

    let seen = scan(&ironic).await;
    assert!(seen.bad.is_empty() && seen.secrets.is_empty(), "{seen:?}");
    let host = seen.fields("host", &node);
    assert_eq!(host["attributes"]["ironic"]["provisionState"], "enroll");
    assert_eq!((&host["bmcUrl"], &host["bootMac"]), (&json!("redfish://10.0.0.7"), &json!("52:54:00:00:00:01")));
    assert_eq!(host.get("arrivesAs"), None);
    assert_eq!(seen.fields("credential", &node)["username"], "root");
    assert!(seen.fields("device", &node).get("hardware").is_none());

    let early = client.set_provision_state(&node, &Provision::to(Target::Inspect)).await.expect_err("not from here");
    assert!(early.message().contains("can not be performed on node"), "{early}");
    bring(&client, &node, Target::Manage, ProvisionState::Manageable).await;
    bring(&client, &node, Target::Inspect, ProvisionState::Working("inspect wait".to_owned())).await;
    let url = format!("{}/v1/continue_inspection?node_uuid={node}", real.url);
    let agent = reqwest::Client::new().post(url).header("x-openstack-ironic-api-version", "1.84").json(&report());
    assert!(agent.send().await.expect("an answer").status().is_success());
    until(&client, &node, &ProvisionState::Manageable).await;
    let seen = scan(&ironic).await;
    let device = seen.fields("device", &node);
    assert_eq!((&device["serial"], &device["model"]), (&json!("S7"), &json!("R1")));
    assert_eq!(device["hardware"]["disks"][0]["type"], "NVME");
    assert_eq!((seen.fields("port", &port)["name"].as_str(), seen.count("cable")), (Some("eno1"), 1));
    assert_eq!(seen.fields("device", "switch:52:54:00:aa:00:01")["name"], "leaf-1");

    bring(&client, &node, Target::Provide, ProvisionState::Available).await;
    client.set_power_state(&node, "power on", None).await.expect("accepted");
    underlay_testing::until("it is switched on", async || {
        client.states(&node).await.expect("states").and_then(|it| it.power).as_deref() == Some("power on")
    })
    .await;
    let host = scan(&ironic).await.fields("host", &node);
    assert_eq!((&host["arrivesAs"], &host["attributes"]["ironic"]["power"]), (&json!("AVAILABLE"), &json!("power on")));

    let image = Patch::set("/instance_info", json!({"image_source": "http://10.0.0.1/image", "image_checksum": "1"}));
    client.patch_node(&node, &[image]).await.expect("a node");
    bring(&client, &node, Target::Deploy, ProvisionState::Active).await;
    assert_eq!(scan(&ironic).await.fields("host", &node)["arrivesAs"], "INSTALLED");
    bring(&client, &node, Target::Undeploy, ProvisionState::Available).await;
    client.set_maintenance(&node, "the fan is loud").await.expect("accepted");
    assert_eq!(scan(&ironic).await.fields("host", &node)["maintenance"], json!({"ironic": "the fan is loud"}));
    client.clear_maintenance(&node).await.expect("accepted");
    client.set_boot_device_once(&node, "pxe").await.expect("accepted");

    assert_eq!(client.delete_node(&node).await, Ok(true));
    assert_eq!(client.delete_node(&node).await, Ok(false));
    assert_eq!(ironic.look(&ExternalId::new("host", node)).await, Ok(None));
    assert!(scan(&ironic).await.items.is_empty());
}

#[tokio::test]
#[ignore = "needs ironic"]
async fn a_real_list_is_read_in_pages_and_followed_by_hints() {
    let real = Real::start("auth_strategy = noauth", "max_limit = 4").await;
    let (client, ironic) = (real.client(), real.ironic(PASSWORD));
    let mut nodes = Vec::new();
    for number in 0..11 {
        let node = client.create_node(members(json!({"driver": "fake-hardware", "name": format!("n{number}")})));
        let node = node.await.expect("a node").uuid;
        let address = format!("52:54:00:00:00:{number:02x}");
        client.create_port(members(json!({"node_uuid": node, "address": address}))).await.expect("a port");
        nodes.push(node);
    }
    let seen = scan(&ironic).await;
    assert_eq!((seen.count("device"), seen.count("host"), seen.count("port")), (11, 11, 11));
    let mut hints = ironic.hints().expect("hints");
    bring(&client, &nodes[6], Target::Manage, ProvisionState::Manageable).await;
    let hint = timeout(HANG, hints.next()).await.expect("a hint");
    assert_eq!(hint, Ok(Some(Hint::Changed(ExternalId::new("host", &*nodes[6])))));
    client.patch_node(&nodes[2], &[Patch::set("/extra/underlay", json!({}))]).await.expect("a node");
    assert_eq!(scan(&ironic).await.count("host"), 10, "it is our own now");
}
