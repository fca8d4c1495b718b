//! An appliance: a system that lists machines and switches them on and off, such as a BMC, a hypervisor or a program
//! that is configured at a controller. Only operators see appliances.
//!
//! Guarantees: the address has a scheme of the appliance's type and no reserved host. A write that changes the address
//! without a credential clears the credential.

mod kind;
mod place;
mod register;
mod rules;
mod topology;
mod write;

pub use kind::{
    Appliance, ApplianceFilter, ApplianceInput, ApplianceListFilter, ApplianceMutation, ApplianceQuery, ApplianceRef,
    DESCRIPTION,
};
pub use place::appliance_site;
pub use register::RegisterMutation;
pub use topology::TOPOLOGY;
