//! The models of the parts of a machine, by which hosts with the same ones are found.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::compare::Part;
use crate::report::Sections;
use crate::section::Section;
use crate::value::clean;

/// The greatest length of a text, in characters.
const MAX_CHARACTERS: usize = 200;
/// The greatest number of models of a machine. Only a machine that makes up parts has more.
const MAX_MODELS: usize = 200;

/// The signs by which parts are of one model.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PartModel {
    /// The kind of part.
    pub part: Part,
    /// The maker. For a device at PCI, and a GPU without a name, the number of the vendor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub manufacturer: Option<String>,
    /// The model, or the maker's part number. For an interface the name of its driver; for a device at PCI, and a GPU without a
    /// name, the number of the device.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The size of a disk, a memory module or the memory of a GPU, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size_bytes: Option<u64>,
    /// The version of the firmware; for a processor, that of the microcode.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub firmware_version: Option<String>,
}

/// The number of parts of a model in a machine.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ModelCount {
    /// The model.
    #[serde(flatten)]
    pub model: PartModel,
    /// The number of parts, at least 1.
    pub count: u32,
}

/// Returns the models of the parts of a report, each once, in order.
pub(super) fn of(sections: &Sections) -> Vec<ModelCount> {
    let mut counts: BTreeMap<PartModel, u32> = BTreeMap::new();
    for model in all(sections) {
        if counts.len() < MAX_MODELS || counts.contains_key(&model) {
            *counts.entry(model).or_default() += 1;
        }
    }
    counts.into_iter().map(|(model, count)| ModelCount { model, count }).collect()
}

fn all(sections: &Sections) -> impl Iterator<Item = PartModel> + '_ {
    let system = sections.system.iter().map(|section| &section.found).map(|system| {
        let firmware = system.firmware_version.as_ref();
        model(Part::System, system.manufacturer.as_ref(), system.model.as_ref(), None, firmware)
    });
    let modules = sections.memory.iter().flat_map(|section| &section.found.modules).map(|module| {
        model(Part::Memory, module.manufacturer.as_ref(), module.part_number.as_ref(), module.size_bytes, None)
    });
    let processors = parts(&sections.processors)
        .map(|it| model(Part::Processor, None, it.model.as_ref(), None, it.microcode.as_ref()));
    let disks = parts(&sections.disks).map(|disk| {
        let firmware = disk.firmware_version.as_ref();
        model(Part::Disk, disk.manufacturer.as_ref(), disk.model.as_ref(), disk.size_bytes, firmware)
    });
    let interfaces = parts(&sections.interfaces)
        .map(|it| model(Part::Interface, None, it.driver.as_ref(), None, it.firmware_version.as_ref()));
    let devices =
        parts(&sections.devices).map(|it| model(Part::Device, it.vendor.as_ref(), it.device.as_ref(), None, None));
    let gpus = parts(&sections.gpus).map(|gpu| {
        let (maker, name) = match &gpu.model {
            Some(name) => (None, Some(name)),
            None => (gpu.vendor.as_ref(), gpu.device.as_ref()),
        };
        model(Part::Gpu, maker, name, gpu.memory_bytes, gpu.firmware_version.as_ref())
    });
    let cards = interfaces.chain(devices).chain(gpus);
    system.chain(modules).chain(processors).chain(disks).chain(cards)
}

fn parts<T>(section: &Option<Section<Vec<T>>>) -> impl Iterator<Item = &T> {
    section.iter().flat_map(|section| &section.found)
}

fn model(
    part: Part,
    manufacturer: Option<&String>,
    model: Option<&String>,
    size_bytes: Option<u64>,
    firmware_version: Option<&String>,
) -> PartModel {
    let text = |text: Option<&String>| {
        let text: String = clean(text?.as_bytes()).chars().take(MAX_CHARACTERS).collect();
        (!text.is_empty()).then_some(text)
    };
    PartModel {
        part,
        manufacturer: text(manufacturer),
        model: text(model),
        size_bytes,
        firmware_version: text(firmware_version),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn equal_parts_are_one_model() {
        let section = |found| json!({"complete": false, "found": found});
        let disk = |name: &str, firmware: &str| json!({"name": name, "model": " PM 1733 ", "serial": name, "sizeBytes": 5, "firmwareVersion": firmware});
        let sections: Sections = serde_json::from_value(json!({
            "disks": section(json!([disk("a", "1"), disk("b", "2"), disk("c", "1")])),
            "gpus": section(json!([
                {"place": "1", "vendor": "10de", "device": "2330"},
                {"place": "2", "vendor": "10de", "device": "2330", "model": "H100", "memoryBytes": 80},
            ])),
            "system": section(json!({"manufacturer": "ACME", "model": "", "firmwareVersion": "2.1"})),
            "memory": section(json!({"modules": [{"slot": "A", "partNumber": "M1"}, {"slot": "B", "partNumber": "M1"}]})),
        }))
        .expect("sections");
        let texts = of(&sections).into_iter().map(|it| {
            let PartModel { part, manufacturer, model, size_bytes, firmware_version } = it.model;
            let size = size_bytes.map(|size| size.to_string());
            let texts = [manufacturer, model, size, firmware_version].map(Option::unwrap_or_default);
            format!("{} {part:?} {}", it.count, texts.join("|"))
        });
        let expected = [
            "1 System ACME|||2.1",
            "2 Memory |M1||",
            "2 Disk |PM 1733|5|1",
            "1 Disk |PM 1733|5|2",
            "1 Gpu |H100|80|",
            "1 Gpu 10de|2330||",
        ];
        assert_eq!(texts.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn the_models_of_a_machine_that_makes_up_parts_are_bounded() {
        let disks: Vec<_> = (0..MAX_MODELS + 50).map(|at| json!({"name": "d", "model": format!("{at}")})).collect();
        let sections = json!({"disks": {"complete": true, "found": disks}});
        assert_eq!(of(&serde_json::from_value(sections).expect("sections")).len(), MAX_MODELS);
    }
}
