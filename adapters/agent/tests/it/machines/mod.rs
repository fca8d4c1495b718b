//! The machines.

mod gpu_server;
mod server;
mod small;

pub use self::gpu_server::gpu_server;
pub use self::server::server;
pub use self::small::{arm, broken, virtual_machine};
use crate::tree::Tree;

/// All machines, by name.
pub fn all() -> Vec<(&'static str, Tree)> {
    vec![
        ("server", server()),
        ("server with GPUs", gpu_server()),
        ("arm", arm()),
        ("virtual machine", virtual_machine()),
        ("broken", broken()),
        ("empty", Tree::new()),
    ]
}

/// An interface, its PCI device and its driver.
fn interface(tree: Tree, device: &str, name: &str, driver: &str, files: &[(&str, &str)]) -> Tree {
    let real = format!("{device}/net/{name}");
    let has_driver = tree.path().join(format!("{device}/driver").trim_start_matches('/')).is_symlink();
    let up = "../".repeat(device.matches('/').count() - 1);
    let last = device.rsplit('/').next().expect("a name");
    let tree = tree.folder(device).device("/sys/class/net", &real, files);
    let tree = tree.link(&format!("{real}/device"), &format!("../../../{last}"));
    let tree = tree.folder(&format!("/sys/bus/drivers/{driver}"));
    if has_driver { tree } else { tree.link(&format!("{device}/driver"), &format!("{up}bus/drivers/{driver}")) }
}

/// A device at PCI, and its driver unless it has one already.
fn pci(tree: Tree, device: &str, driver: &str, files: &[(&str, &str)]) -> Tree {
    let has_driver = tree.path().join(format!("{device}/driver").trim_start_matches('/')).is_symlink();
    let up = "../".repeat(device.matches('/').count() - 1);
    let tree = tree.device("/sys/bus/pci/devices", device, files);
    if has_driver || driver.is_empty() {
        return tree;
    }
    tree.folder(&format!("/sys/bus/drivers/{driver}"))
        .link(&format!("{device}/driver"), &format!("{up}bus/drivers/{driver}"))
}

/// The link of a device: its speed and width at present, and the highest ones.
fn lanes<'a>(speed: &'a str, width: &'a str, most: &'a str) -> [(&'a str, &'a str); 4] {
    [("current_link_speed", speed), ("current_link_width", width), ("max_link_speed", speed), ("max_link_width", most)]
}
