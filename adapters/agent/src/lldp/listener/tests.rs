//! A frame on a real link.

use std::process::Command;

use underlay_testing::until_seen;

use super::*;

/// The names of the two ends of a link: one listens, the other one speaks.
const ENDS: [&str; 2] = ["ullldp0", "ullldp1"];

/// A link of two interfaces, which is removed at the end.
struct Link;

impl Link {
    fn new() -> Self {
        // One that an earlier run left behind.
        let _ = Command::new("ip").args(["link", "del", ENDS[0]]).output();
        ip(&["link", "add", ENDS[0], "type", "veth", "peer", "name", ENDS[1]]);
        ENDS.iter().for_each(|end| ip(&["link", "set", end, "up"]));
        Self
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        let _ = Command::new("ip").args(["link", "del", ENDS[0]]).output();
    }
}

fn ip(arguments: &[&str]) {
    let output = Command::new("ip").args(arguments).output().expect("run ip");
    assert!(output.status.success(), "{arguments:?}: {output:?}");
}

fn index_of(name: &str) -> u32 {
    let text = fs::read_to_string(format!("{INTERFACES}/{name}/ifindex")).expect("a number");
    text.trim().parse().expect("a number")
}

/// A frame of a neighbour that goes away after a time.
fn frame(ttl: u8) -> Vec<u8> {
    [&b"\x02\x07\x04\x00\x1c\x73\x00\x00\x01\x04\x04\x05Et7\x06\x02\x00"[..], &[ttl], b"\x0a\x04leaf\x00\x00"].concat()
}

#[tokio::test]
#[ignore = "needs root and ip"]
async fn a_frame_is_heard_at_the_interface_to_which_it_came() {
    let _link = Link::new();
    let [hears, speaks] = ENDS.map(index_of);
    let listener = Listener::start_at(|name| ENDS.contains(&name), Duration::ZERO);
    let mouth = Socket::open(LOOK).expect("a socket");
    let heard_at = |interface| match listener.word(interface) {
        Word::Heard(heard) => heard,
        Word::TooEarly => Vec::new(),
        Word::Deaf(reason) => panic!("{reason}"),
    };
    // What was sent before anybody listened is lost.
    until_seen("the neighbour is heard", || {
        mouth.send(speaks, &frame(120)).expect("send a frame");
        !heard_at(hears).is_empty()
    })
    .await;
    let early = Listener::start_at(|name| ENDS.contains(&name), LISTEN);
    assert_eq!(early.word(hears), Word::TooEarly);
    let heard = heard_at(hears);
    assert_eq!(heard.len(), 1);
    assert_eq!(heard[0].chassis_id, "00:1c:73:00:00:01");
    assert_eq!((heard[0].port_id.as_str(), heard[0].system_name.as_deref()), ("Et7", Some("leaf")));
    assert_eq!(heard_at(speaks), [], "it does not hear itself");

    until_seen("the neighbour is gone", || {
        mouth.send(speaks, &frame(0)).expect("send a frame");
        heard_at(hears).is_empty()
    })
    .await;
}
