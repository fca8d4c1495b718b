//! Collects the items of one stage in order, and makes all random choices for them.

use std::collections::HashMap;

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use serde_json::{Value, json};

use super::catalogue::Model;
use super::plan::RackPlan;
use super::refs::{self, Owner};

/// The letters of serial numbers: letters that are easily confused are left out.
const SERIAL_LETTERS: &[u8] = b"ABCDEFGHJKLMNPQRSTUVWXYZ23456789";

/// The items of a stage. Some values must be unique in the fleet: asset tags, MACs, names of cables. They are counted
/// within the stage and contain the stage's number or a rack's name, so that stages do not depend on each other.
pub(super) struct Items {
    list: Vec<Value>,
    rng: StdRng,
    stage: usize,
    assets: usize,
    macs: usize,
    cables: HashMap<String, usize>,
}

/// The position of a device in its rack.
#[derive(Clone, Copy, Debug)]
pub(super) enum RackPosition {
    /// On the front, from this unit upwards.
    Front(f64),
    /// On the rear, from this unit upwards.
    Rear(f64),
    /// Beside the units, as vertical PDUs do.
    Beside,
}

/// A cable to be written.
pub(super) struct Cable {
    /// The prefix of its generated name; a number follows.
    pub(super) series: String,
    pub(super) media: &'static str,
    pub(super) length_m: f64,
    pub(super) a: Vec<Value>,
    pub(super) b: Vec<Value>,
    pub(super) name: Option<String>,
    pub(super) status: Option<&'static str>,
    pub(super) color: Option<&'static str>,
    pub(super) risk_groups: Vec<String>,
    pub(super) lanes: Value,
}

impl Cable {
    /// Returns a cable between two ends.
    pub(super) fn new(series: &str, media: &'static str, length_m: f64, a: Value, b: Value) -> Self {
        Self {
            series: series.to_owned(),
            media,
            length_m,
            a: vec![a],
            b: vec![b],
            name: None,
            status: None,
            color: None,
            risk_groups: Vec::new(),
            lanes: Value::Null,
        }
    }

    pub(super) fn named(mut self, name: String) -> Self {
        self.name = Some(name);
        self
    }

    pub(super) fn colored(mut self, color: &'static str) -> Self {
        self.color = Some(color);
        self
    }

    pub(super) fn status(mut self, status: Option<&'static str>) -> Self {
        self.status = status;
        self
    }

    pub(super) fn at_risk(mut self, groups: &[String]) -> Self {
        self.risk_groups = groups.to_vec();
        self
    }
}

impl Items {
    pub(super) fn new(seed: u64, stage: usize) -> Self {
        // An odd factor spreads the seeds of the stages, so that neighbouring seeds of fleets do not share a stage's
        // seed.
        let rng = StdRng::seed_from_u64(seed ^ (stage as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        Self { list: Vec::new(), rng, stage, assets: 0, macs: 0, cables: HashMap::new() }
    }

    pub(super) fn into_list(self) -> Vec<Value> {
        self.list
    }

    /// Adds an item. Fields that are `null` are left out, so that callers can write optional ones in place.
    pub(super) fn add(&mut self, kind: &str, mut fields: Value) {
        if let Some(members) = fields.as_object_mut() {
            members.retain(|_, value| !value.is_null());
        }
        self.list.push(json!({kind: fields}));
    }

    /// Adds a device of a model in a rack. If the rack is planned, the device is planned too.
    pub(super) fn device(
        &mut self,
        rack: &RackPlan,
        model: &Model,
        name: &str,
        place: RackPosition,
        more: Value,
    ) -> Owner {
        let device = Owner::device(rack.site, name.to_owned());
        let mut fields = self.boxed(model, &device);
        let mut placement = json!({"rack": rack.reference()});
        match place {
            RackPosition::Front(unit) => extend(&mut placement, json!({"startUnit": unit, "unitHeight": model.units})),
            RackPosition::Rear(unit) => {
                extend(&mut placement, json!({"startUnit": unit, "unitHeight": model.units, "face": "REAR"}));
            }
            RackPosition::Beside => {}
        }
        if model.full_depth && !matches!(place, RackPosition::Beside) {
            extend(&mut placement, json!({"fullDepth": true}));
        }
        extend(&mut fields, json!({"placement": placement, "status": rack.status}));
        extend(&mut fields, more);
        self.add("device", fields);
        device
    }

    /// Adds a device that is not placed in a rack by itself.
    pub(super) fn unracked(&mut self, site: &'static str, model: &Model, name: &str, more: Value) -> Owner {
        let device = Owner::device(site, name.to_owned());
        let mut fields = self.boxed(model, &device);
        extend(&mut fields, more);
        self.add("device", fields);
        device
    }

    /// Returns the fields that a device has from its model, and those on the labels of its case.
    fn boxed(&mut self, model: &Model, device: &Owner) -> Value {
        json!({
            "name": device.name,
            "site": refs::site(device.site),
            "role": model.role,
            "manufacturer": model.manufacturer,
            "model": model.name,
            "serial": self.serial(model.serial),
            "assetTag": self.asset_tag(),
            "platform": model.platform,
            "plane": model.plane,
            "forwards": model.forwards,
            "labels": {"env": "prod", "team": model.team},
        })
    }

    /// Adds a port and returns its reference.
    pub(super) fn port(&mut self, owner: &Owner, port_type: &str, name: &str, more: Value) -> Value {
        let mut fields = json!({"name": name, owner.kind(): owner.reference(), "type": port_type});
        extend(&mut fields, more);
        self.add("port", fields);
        owner.port(port_type, name)
    }

    /// Adds a cable and returns its name: the given one, or the next number of its series.
    pub(super) fn cable(&mut self, cable: Cable) -> String {
        let name = cable.name.unwrap_or_else(|| {
            let number = self.cables.entry(cable.series.clone()).or_default();
            *number += 1;
            format!("{}-c{number:03}", cable.series)
        });
        let label = format!("{} / {}", captions(&cable.a), captions(&cable.b));
        let risk_groups = (!cable.risk_groups.is_empty()).then_some(cable.risk_groups);
        self.add(
            "cable",
            json!({
                "name": name,
                "label": label,
                "media": cable.media,
                "status": cable.status,
                "lengthM": cable.length_m,
                "color": cable.color,
                "riskGroups": risk_groups,
                "aEnds": cable.a,
                "bEnds": cable.b,
                "lanes": cable.lanes,
            }),
        );
        name
    }

    /// Returns a random element.
    pub(super) fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.rng.random_range(0..of.len())]
    }

    /// Returns a random whole number between two bounds, both included.
    pub(super) fn between(&mut self, least: u32, most: u32) -> u32 {
        self.rng.random_range(least..=most)
    }

    /// Returns a random length in half metres, as cables are sold, between two bounds, both included.
    pub(super) fn length(&mut self, least: u32, most: u32) -> f64 {
        f64::from(self.between(least * 2, most * 2)) / 2.0
    }

    fn serial(&mut self, prefix: &str) -> String {
        let mut serial = prefix.to_owned();
        for _ in 0..8 {
            serial.push(char::from(self.pick(SERIAL_LETTERS)));
        }
        serial
    }

    /// Returns the next asset tag: four digits for the stage, five for the object.
    pub(super) fn asset_tag(&mut self) -> String {
        self.assets += 1;
        format!("AT-{:04}{:05}", self.stage, self.assets)
    }

    /// Returns the next MAC address. It is locally administered, so it belongs to no manufacturer.
    pub(super) fn mac(&mut self) -> String {
        self.macs += 1;
        let ([.., a, b], [.., c, d, e]) = (self.stage.to_be_bytes(), self.macs.to_be_bytes());
        format!("02:{a:02x}:{b:02x}:{c:02x}:{d:02x}:{e:02x}")
    }
}

/// Adds members to an object; existing members are replaced.
pub(super) fn extend(fields: &mut Value, more: Value) {
    if let (Some(fields), Value::Object(more)) = (fields.as_object_mut(), more) {
        fields.extend(more);
    }
}

/// Returns the text on a cable's label about the ends of a side: `ams1-a14-leaf-1 Ethernet25`.
fn captions(ends: &[Value]) -> String {
    let captions: Vec<String> = ends.iter().map(caption).collect();
    captions.join(", ")
}

fn caption(end: &Value) -> String {
    let members = end.as_object().and_then(|end| end.values().next()).and_then(Value::as_object);
    let named =
        members.into_iter().flatten().filter(|(key, _)| !matches!(key.as_str(), "site" | "provider" | "family"));
    let words: Vec<&str> = named.filter_map(|(_, value)| value.as_str()).collect();
    words.join(" ")
}
