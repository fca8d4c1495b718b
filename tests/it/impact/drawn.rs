//! Random small fleets, written line by line in the format of [`super::Fleet`].

use std::fmt::Write;

use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};

/// A random fleet, line by line.
pub struct Drawn {
    random: SmallRng,
    text: String,
    devices: Vec<String>,
    sources: Vec<String>,
    cables: usize,
}

impl Drawn {
    pub fn fleet(seed: u64) -> String {
        let random = SmallRng::seed_from_u64(seed);
        let mut drawn = Self { random, text: String::new(), devices: Vec::new(), sources: Vec::new(), cables: 0 };
        drawn.places();
        drawn.power();
        drawn.devices();
        drawn.network();
        drawn.outside();
        drawn.compute();
        drawn.text
    }

    fn line(&mut self, line: impl AsRef<str>) {
        writeln!(self.text, "{}", line.as_ref()).expect("a text grows");
    }

    fn chance(&mut self, percent: u32) -> bool {
        self.random.random_ratio(percent, 100)
    }

    fn one(&mut self, list: &[&str]) -> String {
        (*list.choose(&mut self.random).expect("a list")).to_owned()
    }

    fn status(&mut self) -> &'static str {
        match self.random.random_range(0..24) {
            0 => " status=PLANNED",
            1 => " status=FAILED",
            2 => " status=STAGED",
            3 => " status=DECOMMISSIONING",
            _ => "",
        }
    }

    fn places(&mut self) {
        self.line("location hall");
        self.line("location row parent=hall");
        for rack in ["A", "B", "C"] {
            let location = if self.chance(50) { " location=row" } else { "" };
            let status = self.status();
            self.line(format!("rack {rack}{location}{status}"));
        }
    }

    fn power(&mut self) {
        self.line("feed f1");
        let upstream = if self.chance(50) { " < f1" } else { "" };
        self.line(format!("feed f2{upstream}"));
        if self.chance(50) {
            self.line("ups u1 < f1");
            self.line("feed f3 < u1:out");
            self.sources.push("f3".to_owned());
        }
        self.sources.extend(["f1", "f2"].map(str::to_owned));
        for number in 1..=3 {
            let count = self.random.random_range(1..=2);
            let feeds: Vec<String> = self.sources.iter().filter(|it| it.starts_with('f')).cloned().collect();
            let feeds: Vec<String> =
                (0..count).map(|_| feeds.choose(&mut self.random).expect("feeds").clone()).collect();
            let status = self.status();
            self.line(format!("pdu p{number}{status} < {}", feeds.join(" ")));
            self.sources.push(format!("p{number}"));
        }
    }

    fn devices(&mut self) {
        self.line("cluster k");
        let roles = [
            "server",
            "server",
            "server",
            "leaf",
            "leaf",
            "spine",
            "switch",
            "border_router",
            "storage",
            "firewall",
            "console_server",
            "chassis",
            "other",
        ];
        let count = self.random.random_range(4..=11);
        for number in 0..count {
            let role = self.one(&roles);
            let name = format!("d{number}");
            let mut line = format!("{role} {name}{}", self.status());
            let parent = self.devices.choose(&mut self.random).cloned().filter(|_| self.random.random_ratio(1, 6));
            match parent {
                Some(parent) => line += &format!(" parent={parent}"),
                None if self.chance(50) => line += &format!(" rack={}", self.one(&["A", "B", "C"])),
                None if self.chance(30) => line += " location=row",
                None => {}
            }
            if self.chance(30) {
                line += &format!(" inlets={}", self.random.random_range(1..=2));
            }
            if self.chance(8) {
                line += " plane=MANAGEMENT";
            }
            if self.chance(10) {
                line += &format!(" forwards={}", self.random.random_bool(0.5));
            }
            if self.chance(40) {
                line += " cluster=k";
            }
            let inlets = self.random.random_range(0..=3);
            if inlets > 0 {
                line += " <";
                for _ in 0..inlets {
                    let source = self.sources.choose(&mut self.random).expect("sources").clone();
                    let source = if self.chance(8) { "?".to_owned() } else { source };
                    line += &format!(" {source}");
                }
            }
            self.line(line);
            self.devices.push(name);
        }
    }

    fn two(&mut self) -> (String, String) {
        let pair: Vec<String> = self.devices.choose_multiple(&mut self.random, 2).cloned().collect();
        (pair[0].clone(), pair[1].clone())
    }

    fn cable(&mut self) -> String {
        self.cables += 1;
        let planned = if self.chance(8) { " status=PLANNED" } else { "" };
        format!("cable=c{}{planned}", self.cables)
    }

    fn network(&mut self) {
        self.line("patch_panel pp1 rack=A");
        self.line("patch_panel pp2 rack=B");
        self.line("trunk t pp1 = pp2 3");
        let count = self.devices.len() + self.random.random_range(0..6);
        for _ in 0..count {
            let (a, b) = self.two();
            let cable = self.cable();
            self.line(format!("{a} -- {b} {cable}"));
        }
        for strand in 1..=self.random.random_range(0..=3) {
            let (a, b) = self.two();
            let (near, far) = (self.cable(), self.cable());
            self.line(format!("{a} -- pp1:t-{strand} {near}"));
            self.line(format!("{b} -- pp2:t-{strand} {far}"));
        }
        if self.chance(40) {
            let count = self.random.random_range(3..=4).min(self.devices.len());
            let ends: Vec<String> = self.devices.choose_multiple(&mut self.random, count).cloned().collect();
            self.line(format!("cable breakout {} -- {}", ends[0], ends[1..].join(" ")));
        }
        if self.chance(50) {
            let (a, b) = self.two();
            self.line(format!("lag {a}:bond of {a}:m1 {a}:m2"));
            let (first, second) = (self.cable(), self.cable());
            self.line(format!("{a}:m1 -- {b} {first}"));
            if self.chance(70) {
                self.line(format!("{a}:m2 -- {b} {second}"));
            }
        }
    }

    fn outside(&mut self) {
        self.line("provider x");
        self.line("provider y");
        self.line("network nx of x");
        self.line("network ny of y");
        for number in 0..self.random.random_range(0..=3) {
            let (provider, network) = if self.chance(50) { ("x", "nx") } else { ("y", "ny") };
            let (a, b) = self.two();
            let kind = self.one(&["TRANSIT", "PROVIDER_CIRCUIT", "CROSS_CONNECT"]);
            let far = match self.random.random_range(0..5) {
                0 | 1 => format!("net:{network}"),
                2 => "nowhere".to_owned(),
                3 => "site:s".to_owned(),
                _ => b,
            };
            let status = self.status();
            self.line(format!("circuit q{number} of {provider} {kind} {a} -> {far}{status}"));
        }
    }

    fn compute(&mut self) {
        for number in 0..self.random.random_range(0..=3) {
            let device = self.devices.choose(&mut self.random).expect("devices").clone();
            let home = match self.random.random_range(0..3) {
                0 => format!("host={device}"),
                1 => "cluster=k".to_owned(),
                _ => "provider=x".to_owned(),
            };
            let status = self.status();
            self.line(format!("vm v{number} {home}{status}"));
            if self.chance(50) {
                self.line(format!("host hv{number} on virtualMachine v{number}"));
            }
        }
        if self.chance(50) {
            let device = self.devices.choose(&mut self.random).expect("devices").clone();
            self.line(format!("host hd on device {device}"));
        }
        if self.chance(60) {
            let (a, b) = self.two();
            let cables = if self.cables > 1 && self.chance(60) { " c1 c2" } else { "" };
            self.line(format!("link l1 device {a} device {b}{cables}"));
            self.line(format!("link l2 device {a} cluster k"));
        }
    }
}
