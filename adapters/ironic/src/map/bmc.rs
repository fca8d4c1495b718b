//! The BMC of a node: its address, its certificate, and the credential by which it is opened.
//!
//! Ironic shows passwords as `******`. Such a value is never written, so the credential has a user name only, and an
//! operator adds the password.

use serde_json::Value;
use underlay_kit::sync::Secret;

use super::draft::Draft;
use super::{CREDENTIAL, Context};
use crate::bmc_url::{bmc_url, text};
use crate::client::Node;

/// The text that Ironic shows instead of a password.
const MASKED: &str = "******";

/// The BMC of a node.
#[derive(Debug)]
pub struct Bmc {
    /// The address, `None` if the node has no BMC with one; or the reason why it cannot be expressed.
    pub url: Result<Option<String>, String>,
    /// True if the certificate is not checked; `None` if Ironic does not say it.
    pub insecure: Option<bool>,
    /// The user name.
    pub user: Option<String>,
    /// The password, if Ironic shows it.
    pub password: Option<String>,
    /// True if there is a password that Ironic does not show.
    pub is_masked: bool,
}

/// Reads the BMC of a node.
pub fn read(node: &Node) -> Bmc {
    let speaks_ipmi = text(node, "ipmi_address").is_some() && text(node, "redfish_address").is_none();
    let protocol = if speaks_ipmi { "ipmi" } else { "redfish" };
    let shown = |value: &String| value != MASKED;
    let password = text(node, &format!("{protocol}_password"));
    Bmc {
        url: bmc_url(node),
        insecure: match node.driver_info.get("redfish_verify_ca") {
            Some(Value::Bool(verify)) => Some(!verify),
            _ => None,
        },
        user: text(node, &format!("{protocol}_username")).filter(shown),
        is_masked: password.as_deref() == Some(MASKED),
        password: password.filter(shown),
    }
}

/// Returns the credential of the BMC of a node. It has no list of allowed hosts: a credential that a source wrote is for
/// the objects of that source alone, and with a list no item could be written when the address of a BMC changes.
pub fn credential(cx: &Context, node: &Node, user: &str) -> Draft {
    let mut draft = Draft::new(CREDENTIAL, &node.uuid);
    draft.set("name", format!("bmc-{}", node.name.as_deref().unwrap_or(&node.uuid)));
    draft.set("type", "BASIC");
    draft.set("username", user);
    draft.set("externalRefs", cx.external_ref(&node.uuid, None));
    draft
}

/// Returns the password of the BMC of a node, as a secret of its credential.
pub fn secret(node: &Node, password: String) -> Secret {
    Secret { credential: node.uuid.clone(), field: "password", value: password }
}
