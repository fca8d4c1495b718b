//! Writes the image of a profile and the variables of an order as Ironic deploys them.

use serde_json::{Map, Value, json};
use underlay_hosts::host::{Host, Image, Wanted};

/// The variable that becomes the user data of the system.
const USER_DATA: &str = "user_data";

/// Returns `instance_info` for an image. Ironic wants the digest by the name of its algorithm, and the format in small letters.
pub fn instance_info(image: &Image) -> Map<String, Value> {
    let mut members = Map::new();
    members.insert("image_source".to_owned(), json!(image.url));
    members.insert("image_disk_format".to_owned(), json!(image.format.to_ascii_lowercase()));
    if let Some((algorithm, digest)) = image.checksum.split_once(':') {
        members.insert("image_os_hash_algo".to_owned(), json!(algorithm));
        members.insert("image_os_hash_value".to_owned(), json!(digest));
    }
    members
}

/// Returns the configuration drive of an order that has variables, as cloud-init reads it (OpenStack's `config-2`).
pub fn configdrive(host: &Host, order: &Wanted) -> Option<Value> {
    if order.variables.is_empty() {
        return None;
    }
    let rest: Map<String, Value> = order
        .variables
        .iter()
        .filter(|(name, _)| *name != USER_DATA)
        .map(|(name, value)| (name.clone(), json!(value)))
        .collect();
    let meta_data = json!({"uuid": host.id, "name": host.name, "hostname": host.name, "meta": rest});
    Some(json!({"meta_data": meta_data, "user_data": order.variables.get(USER_DATA).map_or("", String::as_str)}))
}

#[cfg(test)]
mod tests {
    use underlay_hosts::host::{Order, State};

    use super::*;
    use crate::provisioner::samples::{host, ordered};

    #[test]
    fn an_image_and_variables_are_given_as_ironic_takes_them() {
        let image = Image { url: "http://a/b.qcow2".into(), checksum: "sha256:ab".into(), format: "QCOW2".into() };
        let expected = json!({"image_source": "http://a/b.qcow2", "image_disk_format": "qcow2",
            "image_os_hash_algo": "sha256", "image_os_hash_value": "ab"});
        assert_eq!(Value::Object(instance_info(&image)), expected);
        let mut host = ordered(host(State::Installing), Order::Install);
        assert_eq!(configdrive(&host, host.wanted.as_ref().expect("an order")), None);
        let order = host.wanted.as_mut().expect("an order");
        order.variables = [("role".into(), "gpu".into()), ("user_data".into(), "#cloud-config".into())].into();
        let drive = configdrive(&host, host.wanted.as_ref().expect("an order")).expect("a drive");
        assert_eq!(
            (&drive["user_data"], &drive["meta_data"]["meta"]),
            (&json!("#cloud-config"), &json!({"role": "gpu"}))
        );
        assert_eq!(drive["meta_data"]["hostname"], "h");
    }
}
