//! The validation rules of virtual machines.

use super::kind::VirtualMachine;
use underlay_inventory::{Checked, Problems, Refusal};

/// Checks that a virtual machine is on a host, in a cluster or at a provider.
pub fn home(checked: &Checked<'_>, problems: &mut Problems) {
    for (_, vm) in checked.written::<VirtualMachine>() {
        if vm.host_id.is_none() && vm.cluster_id.is_none() && vm.provider_id.is_none() {
            let (field, all) = ("host".to_owned(), "host, cluster or provider");
            problems.add(vm.id, Refusal::RequiredOneOf { field, all, kind: "VirtualMachine" });
        }
    }
}
