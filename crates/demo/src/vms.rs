//! Writes virtual machines: several on each hypervisor, of a few applications of a few tenants.

use serde_json::{Value, json};

use super::catalogue::HYPERVISORS;
use super::item::Items;
use super::plan::RackPlan;
use super::refs::{self, Owner};

/// The applications: name, tenant, environment.
const APPLICATIONS: [(&str, Option<&str>, &str); 10] = [
    ("checkout-api", Some("payments"), "prod"),
    ("ledger-db", Some("payments"), "prod"),
    ("fraud-score", Some("payments"), "stage"),
    ("transcode", Some("media"), "prod"),
    ("thumbs", Some("media"), "prod"),
    ("notebook", Some("research"), "lab"),
    ("ci-runner", None, "prod"),
    ("dns", None, "prod"),
    ("metrics", None, "prod"),
    ("mail-relay", None, "prod"),
];
/// The sizes of VMs: vCPUs, GiB of memory, GB of disk.
const SIZES: [(u32, u64, u64); 4] = [(2, 8, 40), (4, 16, 80), (8, 32, 160), (16, 64, 400)];
/// The number of the first address of a VM in the network of its rack. The numbers before it are for servers.
const FIRST_ADDRESS: usize = 100;
/// The maximum number of VMs on a host, so that the addresses of a rack suffice.
const MAX_VMS_PER_HOST: u32 = 8;

/// Writes the VMs of a hypervisor. Their names contain the number of the host on which they were created.
pub(super) fn write(items: &mut Items, rack: &RackPlan, host: &Owner) {
    let host_number: usize = host.name.rsplit('-').next().and_then(|number| number.parse().ok()).unwrap_or(0);
    for n in 0..items.between(4, MAX_VMS_PER_HOST) as usize {
        let application = items.pick(&APPLICATIONS);
        let size = items.pick(&SIZES);
        let address =
            rack.host_address(FIRST_ADDRESS + (host_number.saturating_sub(1) * MAX_VMS_PER_HOST as usize) + n);
        let name = format!("{}-{}-{host_number:02}-{}", application.0, rack.series(), n + 1);
        let status = match items.between(1, 40) {
            1 => Some("OFFLINE"),
            2 => Some("FAILED"),
            _ => None,
        };
        let mut machine = fields(&name, application, size, &address.to_string());
        machine["host"] = host.reference();
        machine["cluster"] = refs::cluster(HYPERVISORS);
        machine["status"] = json!(status);
        items.add("virtualMachine", machine);
    }
}

/// Writes the VMs that a cloud provider hosts, which must work when the data centres do not.
pub(super) fn write_hosted(items: &mut Items, provider: &str) {
    for (n, name) in ["status-page-1", "bastion-1"].iter().enumerate() {
        let address = format!("203.0.113.{}", 200 + n);
        let mut machine = fields(name, ("outside", None, "prod"), SIZES[0], &address);
        machine["addresses"][0]["type"] = json!("EXTERNAL");
        machine["provider"] = refs::provider(provider);
        items.add("virtualMachine", machine);
    }
}

fn fields(
    name: &str,
    (application, tenant, env): (&str, Option<&str>, &str),
    (vcpus, gibibytes, gigabytes): (u32, u64, u64),
    address: &str,
) -> Value {
    let project = tenant.map(|tenant| {
        let group = "resourcemanager.example.net";
        json!({"apiGroup": group, "kind": "Project", "name": format!("{tenant}-{env}"), "namespace": tenant})
    });
    json!({
        "name": name,
        "tenant": tenant,
        "projectRef": project,
        "allocation": {
            "vcpus": vcpus,
            "memoryBytes": gibibytes << 30,
            "disks": [{"name": "vda", "sizeBytes": gigabytes * 1_000_000_000, "type": "NVME"}],
        },
        "addresses": [{"type": "INTERNAL", "address": address}],
        "labels": {"env": env, "app": application},
    })
}
