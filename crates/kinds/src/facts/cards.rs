//! The devices at PCI and the GPUs as they are reported, in the API.

use async_graphql::Object;
use underlay_entity::long::Long;
use underlay_facts::{Device, Gpu};

use super::parts::{int, long};

/// A device at PCI. Bridges, what belongs to the chipset, virtual functions, and what is listed as a GPU are none.
/// Vendors and devices are numbers: names are those of the PCI ID database.
#[derive(Clone, Debug)]
pub struct FactsDevice(pub Device);

/// A device at PCI. Bridges, what belongs to the chipset, virtual functions, and what is listed as a GPU are none.
/// Vendors and devices are numbers: names are those of the PCI ID database.
#[Object]
impl FactsDevice {
    /// The PCI address, such as `0000:41:00.0`. Unique in a report.
    async fn place(&self) -> &str {
        &self.0.place
    }

    /// The number of the vendor, of four hexadecimal digits in lower case, such as `15b3`.
    async fn vendor(&self) -> Option<&str> {
        self.0.vendor.as_deref()
    }

    /// The number of the device among those of the vendor, of four hexadecimal digits in lower case.
    async fn device(&self) -> Option<&str> {
        self.0.device.as_deref()
    }

    /// The number of the vendor of the card, which may be another one than that of the chip.
    async fn subsystem_vendor(&self) -> Option<&str> {
        self.0.subsystem_vendor.as_deref()
    }

    /// The number of the card among those of its vendor.
    async fn subsystem_device(&self) -> Option<&str> {
        self.0.subsystem_device.as_deref()
    }

    /// The class, of six hexadecimal digits in lower case, such as `010802` for NVMe.
    async fn class(&self) -> Option<&str> {
        self.0.class.as_deref()
    }

    /// The revision, of two hexadecimal digits in lower case.
    async fn revision(&self) -> Option<&str> {
        self.0.revision.as_deref()
    }

    /// The driver that works with it.
    async fn driver(&self) -> Option<&str> {
        self.0.driver.as_deref()
    }

    /// The speed of a lane of the link at present, in million transfers a second.
    async fn link_speed_mts(&self) -> Option<i32> {
        self.0.link_speed_mts.map(int)
    }

    /// The highest speed of a lane that the device can use, in million transfers a second.
    async fn max_link_speed_mts(&self) -> Option<i32> {
        self.0.max_link_speed_mts.map(int)
    }

    /// The number of lanes of the link at present.
    async fn link_width(&self) -> Option<i32> {
        self.0.link_width.map(int)
    }

    /// The highest number of lanes that the device can use.
    async fn max_link_width(&self) -> Option<i32> {
        self.0.max_link_width.map(int)
    }

    /// The number of the NUMA node to which it is connected, on machines that have several.
    async fn numa_node(&self) -> Option<i32> {
        self.0.numa_node.map(int)
    }
}

/// A GPU, or another accelerator of a maker of GPUs. The displays of BMCs and of hypervisors are none. The speed of its
/// link is left out, because drivers lower it while the GPU is idle.
#[derive(Clone, Debug)]
pub struct FactsGpu(pub Gpu);

/// A GPU, or another accelerator of a maker of GPUs. The displays of BMCs and of hypervisors are none. The speed of its
/// link is left out, because drivers lower it while the GPU is idle.
#[Object]
impl FactsGpu {
    /// The PCI address, such as `0000:17:00.0`. Unique in a report.
    async fn place(&self) -> &str {
        &self.0.place
    }

    /// The number of the vendor, of four hexadecimal digits in lower case, such as `10de`.
    async fn vendor(&self) -> Option<&str> {
        self.0.vendor.as_deref()
    }

    /// The number of the device among those of the vendor, of four hexadecimal digits in lower case.
    async fn device(&self) -> Option<&str> {
        self.0.device.as_deref()
    }

    /// The model, such as `NVIDIA H100 80GB HBM3`.
    async fn model(&self) -> Option<&str> {
        self.0.model.as_deref()
    }

    /// The serial number.
    async fn serial(&self) -> Option<&str> {
        self.0.serial.as_deref()
    }

    /// The UUID, as the driver writes it, such as `GPU-8a3c5e1f-…`.
    async fn uuid(&self) -> Option<&str> {
        self.0.uuid.as_deref()
    }

    /// The size of its memory in bytes.
    async fn memory_bytes(&self) -> Option<Long> {
        self.0.memory_bytes.map(long)
    }

    /// The version of its firmware (VBIOS).
    async fn firmware_version(&self) -> Option<&str> {
        self.0.firmware_version.as_deref()
    }

    /// The driver that works with it.
    async fn driver(&self) -> Option<&str> {
        self.0.driver.as_deref()
    }

    /// The version of the driver.
    async fn driver_version(&self) -> Option<&str> {
        self.0.driver_version.as_deref()
    }

    /// The number of lanes of the link at present.
    async fn link_width(&self) -> Option<i32> {
        self.0.link_width.map(int)
    }

    /// The highest number of lanes that the GPU can use.
    async fn max_link_width(&self) -> Option<i32> {
        self.0.max_link_width.map(int)
    }

    /// The number of the NUMA node to which it is connected, on machines that have several.
    async fn numa_node(&self) -> Option<i32> {
        self.0.numa_node.map(int)
    }

    /// True if it fell off the bus: its place is known, but it does not answer there.
    async fn off_bus(&self) -> bool {
        self.0.off_bus
    }
}
