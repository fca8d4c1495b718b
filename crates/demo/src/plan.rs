//! Plans the fleet: its sites, pods and racks, and their names and addresses.
//!
//! This module writes no items. The stages take names and addresses from the plan, so that a stage can refer to the
//! objects of another stage without access to its items.

use std::net::Ipv4Addr;

use serde_json::{Value, json};

use super::fit_out::{self, FitOut};
use super::refs::{self, Owner};
use super::{DEMO_RACKS, MAX_RACKS, Size};

/// The number of compute racks in a row; a pod has two rows.
pub(super) const RACKS_PER_ROW: usize = 4;
/// The number of compute racks in a pod.
pub(super) const RACKS_PER_POD: usize = 2 * RACKS_PER_ROW;
/// The height of every rack in units.
pub(super) const RACK_UNITS: u32 = 47;

/// The ranges of IPv4 addresses: one for the first racks, and one for all further racks. The second ranges are in the
/// block shared by providers and their customers (100.64.0.0/10). No two ranges overlap.
const HOSTS: [Range; 2] = [Range([10, 0, 0, 0], 1 << 23), Range([100, 64, 0, 0], 20 << 16)];
const MANAGEMENT: [Range; 2] = [Range([10, 128, 0, 0], 1 << 23), Range([100, 84, 0, 0], 20 << 16)];
const LOOPBACKS: [Range; 2] = [Range([192, 168, 0, 0], 1 << 16), Range([100, 104, 0, 0], 1 << 19)];
const TRANSFERS: [Range; 2] = [Range([172, 16, 0, 0], 1 << 20), Range([100, 112, 0, 0], 1 << 20)];

/// The name of the edge site.
pub(super) const EDGE: &str = "rtm1";

/// The data centres: name, and the profiles of the compute racks of a pod, in order.
const METRO: [(&str, [Profile; RACKS_PER_POD]); 2] = [
    (
        "ams1",
        [
            Profile::Kubernetes,
            Profile::Blades,
            Profile::Database,
            Profile::Hypervisor,
            Profile::Kubernetes,
            Profile::Storage,
            Profile::Kubernetes,
            Profile::Gpu,
        ],
    ),
    (
        "ams2",
        [
            Profile::Kubernetes,
            Profile::Storage,
            Profile::KubernetesArm,
            Profile::Hypervisor,
            Profile::Database,
            Profile::Gpu,
            Profile::Kubernetes,
            Profile::Planned,
        ],
    ),
];

/// The use of a rack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Profile {
    /// The rack holds spines and, in the first pod, the border tier.
    Network,
    /// The rack holds panels only.
    MeetMe,
    Edge,
    Kubernetes,
    KubernetesArm,
    Blades,
    Database,
    Hypervisor,
    Storage,
    Gpu,
    /// The rack is ordered but not built yet.
    Planned,
}

/// The plan of a fleet.
pub(super) struct Plan {
    pub(super) sites: Vec<SitePlan>,
    pub(super) edge: [RackPlan; 2],
}

/// The plan of a data centre.
pub(super) struct SitePlan {
    pub(super) name: &'static str,
    /// The pods, at least one; the first has the border tier.
    pub(super) pods: Vec<PodPlan>,
    pub(super) fit_out: &'static FitOut,
    /// The racks in the two meet-me rooms, one in each.
    pub(super) meet_me: [RackPlan; 2],
}

/// The plan of a pod: two rows of racks with their own fabric.
pub(super) struct PodPlan {
    pub(super) number: usize,
    /// The number of its hall, whose pods share border leaves.
    pub(super) hall: usize,
    /// The position in the hall; the first pod has the border leaves.
    pub(super) index: usize,
    /// The network racks, one at the head of each row.
    pub(super) network: [RackPlan; 2],
    /// The compute racks: up to eight, four in each row.
    pub(super) compute: Vec<RackPlan>,
}

/// The place, the profile and the addresses of one rack.
pub(super) struct RackPlan {
    pub(super) site: &'static str,
    pub(super) name: String,
    pub(super) location: String,
    pub(super) cage: Option<String>,
    pub(super) row: Option<String>,
    pub(super) profile: Profile,
    /// The lifecycle status of the rack and its devices; absent means ACTIVE.
    pub(super) status: Option<&'static str>,
    pub(super) fit_out: &'static FitOut,
    /// The number of the rack among all racks, from which its addresses are derived.
    index: usize,
}

impl Plan {
    /// Plans a fleet of a size. Its compute racks are distributed over the data centres.
    pub(super) fn new(size: Size) -> Self {
        let (racks, fit_out, edge_fit_out): (_, &'static FitOut, &'static FitOut) = match size {
            Size::Demo => (DEMO_RACKS, &fit_out::DEMO, &fit_out::DEMO),
            Size::Fleet { racks } => (racks.min(MAX_RACKS), &fit_out::FLEET, &fit_out::FLEET_EDGE),
        };
        let mut count = 0;
        let shares = [racks.div_ceil(2), racks / 2];
        let sites = METRO.iter().zip(shares).map(|((site, pattern), racks)| {
            let pods = (0..racks.div_ceil(RACKS_PER_POD).max(1))
                .map(|pod| {
                    let held = racks.saturating_sub(pod * RACKS_PER_POD).min(RACKS_PER_POD);
                    PodPlan::new((site, fit_out), pod, &pattern[..held], &mut count)
                })
                .collect();
            let meet_me = [0, 1].map(|room| RackPlan {
                location: format!("mmr-{}", room + 1),
                ..RackPlan::new((site, fit_out), format!("M{:02}", room + 1), Profile::MeetMe, &mut count)
            });
            SitePlan { name: site, pods, meet_me, fit_out }
        });
        let sites = sites.collect();
        let edge = ["R01", "R02"].map(|name| RackPlan {
            location: "cage-1".to_owned(),
            cage: Some("1".to_owned()),
            ..RackPlan::new((EDGE, edge_fit_out), name.to_owned(), Profile::Edge, &mut count)
        });
        Self { sites, edge }
    }
}

impl SitePlan {
    pub(super) fn halls(&self) -> usize {
        self.pods.last().map_or(1, |pod| pod.hall + 1)
    }

    /// Returns the pods of a hall.
    pub(super) fn hall(&self, number: usize) -> impl Iterator<Item = &PodPlan> {
        self.pods.iter().filter(move |pod| pod.hall == number)
    }
}

/// The name of a site, and the equipment of its racks.
type Fitted = (&'static str, &'static FitOut);

impl PodPlan {
    fn new(site: Fitted, number: usize, profiles: &[Profile], count: &mut usize) -> Self {
        let rows = [row_name(2 * number), row_name(2 * number + 1)];
        let cage = format!("C{}", number + 1);
        let mut rack = |row: &str, index: usize, profile: Profile| RackPlan {
            location: format!("row-{}", row.to_lowercase()),
            cage: Some(cage.clone()),
            row: Some(row.to_owned()),
            ..RackPlan::new(site, format!("{row}{}", 10 + index), profile, count)
        };
        let network = [0, 1].map(|row| rack(&rows[row], 0, Profile::Network));
        let compute = profiles.iter().enumerate();
        let compute = compute.map(|(n, profile)| rack(&rows[n / RACKS_PER_ROW], 1 + n % RACKS_PER_ROW, *profile));
        let compute = compute.collect();
        let pods = site.1.pods_in_hall;
        Self { number, hall: number / pods, index: number % pods, network, compute }
    }

    /// Returns the names of the two rows.
    pub(super) fn rows(&self) -> [String; 2] {
        [row_name(2 * self.number), row_name(2 * self.number + 1)]
    }
}

impl RackPlan {
    fn new((site, fit_out): Fitted, name: String, profile: Profile, count: &mut usize) -> Self {
        *count += 1;
        let status = (profile == Profile::Planned).then_some("PLANNED");
        Self { site, name, location: String::new(), cage: None, row: None, profile, status, fit_out, index: *count }
    }

    /// Returns the position of the site among the data centres, from 0.
    pub(super) fn site_number(&self) -> usize {
        METRO.iter().position(|(site, _)| *site == self.site).unwrap_or_default()
    }

    pub(super) fn reference(&self) -> Value {
        json!({"site": self.site, "rack": self.name})
    }

    pub(super) fn owner(&self) -> Owner {
        Owner::rack(self.site, self.name.clone())
    }

    /// Returns a reference to the feed of the rack on one side.
    pub(super) fn feed(&self, side: &str) -> Value {
        refs::power_feed(self.site, Some(&self.name), &format!("feed-{side}"))
    }

    /// Returns the name of a device in the rack, such as `ams1-a14-leaf-1`.
    pub(super) fn device_name(&self, name: &str) -> String {
        format!("{}-{}", self.series(), name)
    }

    /// Returns a device in the rack, by the end of its name.
    pub(super) fn device(&self, name: &str) -> Owner {
        Owner::device(self.site, self.device_name(name))
    }

    /// Returns the prefix of the names of its devices and cables, such as `ams1-a14`.
    pub(super) fn series(&self) -> String {
        format!("{}-{}", self.site, self.name.to_lowercase())
    }

    /// Returns the status of the rack's cables: PLANNED if the rack has a status, otherwise none.
    pub(super) fn cable_status(&self) -> Option<&'static str> {
        self.status.is_some().then_some("PLANNED")
    }

    /// Returns an address of the network of the rack's servers, which is a /24.
    pub(super) fn host_address(&self, host: usize) -> Ipv4Addr {
        address(HOSTS, self.index * 256 + host)
    }

    /// Returns an address of the rack's management network, which is a /24.
    pub(super) fn management_address(&self, host: usize) -> Ipv4Addr {
        address(MANAGEMENT, self.index * 256 + host)
    }

    /// Returns the loopback address of one of up to eight network devices.
    pub(super) fn loopback(&self, device: usize) -> Ipv4Addr {
        address(LOOPBACKS, self.index * 8 + device)
    }

    /// Returns the two addresses of one of the rack's transfer networks.
    pub(super) fn transfer(&self, link: usize) -> [String; 2] {
        self.transfer_addresses(link).map(|address| format!("{address}/31"))
    }

    pub(super) fn transfer_addresses(&self, link: usize) -> [Ipv4Addr; 2] {
        let first = (self.index * self.fit_out.transfer_networks + link) * 2;
        [first, first + 1].map(|host| address(TRANSFERS, host))
    }
}

/// A range of addresses: the first address and the number of addresses.
#[derive(Clone, Copy)]
struct Range([u8; 4], usize);

/// Returns an address by its number in two ranges, of which the second continues the first. The limits of the plan keep
/// the number within the ranges.
fn address([first, more]: [Range; 2], number: usize) -> Ipv4Addr {
    let (range, number) = if number < first.1 { (first, number) } else { (more, number - first.1) };
    Ipv4Addr::from_bits(Ipv4Addr::from(range.0).to_bits() + number as u32)
}

/// Returns the name of a row: A, B … Z, AA, AB …
fn row_name(number: usize) -> String {
    let last = char::from(b'A' + (number % 26) as u8);
    match number / 26 {
        0 => last.to_string(),
        higher => row_name(higher - 1) + &last.to_string(),
    }
}
