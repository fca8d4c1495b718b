//! Objects of a small NetBox that are replaced: they keep their names, and get new ids.

use serde_json::{Value, json};

use super::net::{CABLES, DEVICES, INTERFACES, Net, RACKS, id};

impl Net {
    /// Replaces a device by one with the same name and place. Its interfaces get new ids, and new cables lead where the
    /// old ones led.
    pub fn replace_device(&self, number: u64) -> u64 {
        let (device, new) = (self.get(DEVICES, number), self.fresh());
        let interfaces = self.list(INTERFACES);
        let interfaces: Vec<Value> = interfaces.into_iter().filter(|port| id(&port["device"]) == number).collect();
        let cables: Vec<Value> = self.list(CABLES);
        self.delete_device(number);
        let name = device["name"].as_str().unwrap_or_default().to_owned();
        // A device without a name is shown as its type.
        let names = json!({"name": device["name"], "display": device["display"], "primary_ip4": null});
        self.make(DEVICES, new, &name, device, names);
        for port in interfaces {
            let (old, port_id) = (id(&port), self.fresh());
            let name = port["name"].as_str().unwrap_or_default().to_owned();
            let members = json!({"device": self.nested(DEVICES, new), "lag": null, "parent": null, "bridge": null});
            self.make(INTERFACES, port_id, &name, port, members);
            let is_old = |end: &Value| end["object_type"] == "dcim.interface" && end["object_id"] == old;
            for side in ["a_terminations", "b_terminations"] {
                let mut ended =
                    cables.iter().filter(|cable| cable[side].as_array().is_some_and(|it| it.iter().any(is_old)));
                let Some(cable) = ended.next() else { continue };
                let end = json!({"object_type": "dcim.interface", "object_id": port_id, "object": {"id": port_id}});
                self.replace_cable(cable, json!({ side: [end] }));
            }
        }
        new
    }

    /// Replaces a cable by one that has other members.
    pub fn replace_cable(&self, cable: &Value, members: Value) -> u64 {
        let new = self.fresh();
        self.delete(CABLES, id(cable));
        self.make(CABLES, new, "", cable.clone(), members);
        new
    }

    /// Replaces a rack by one with the same name. What is in it goes along.
    pub fn replace_rack(&self, number: u64) -> u64 {
        let (rack, new) = (self.get(RACKS, number), self.fresh());
        let name = rack["name"].as_str().unwrap_or_default().to_owned();
        self.make(RACKS, new, &name, rack, json!({}));
        let nested = self.nested(RACKS, new);
        for path in [DEVICES, "dcim/power-feeds"] {
            for object in self.list(path).iter().filter(|it| id(&it["rack"]) == number).map(id) {
                self.change(path, object, json!({ "rack": nested }));
            }
        }
        self.delete(RACKS, number);
        new
    }
}
