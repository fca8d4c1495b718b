//! Tables of addresses that are read or refused.

use std::net::IpAddr;

use super::*;

#[test]
fn addresses_are_read_with_all_their_parts() {
    let name = |text: &str| Host::Name(text.to_owned());
    let ip = |text: &str| Host::Ip(text.parse().unwrap());
    let table = [
        ("redfish://10.0.0.7", Scheme::Redfish, Transport::Https, ip("10.0.0.7"), None, ""),
        (
            "REDFISH+HTTP://bmc-1:8000/redfish/v1/Systems/1",
            Scheme::Redfish,
            Transport::Http,
            name("bmc-1"),
            Some(8000),
            "/redfish/v1/Systems/1",
        ),
        (
            "redfish-virtualmedia+https://[2001:db8::1]:443",
            Scheme::RedfishVirtualMedia,
            Transport::Https,
            ip("2001:db8::1"),
            Some(443),
            "",
        ),
        ("redfish-uefihttp://bmc.example.", Scheme::RedfishUefiHttp, Transport::Https, name("bmc.example."), None, ""),
        ("idrac-virtualmedia://b", Scheme::RedfishVirtualMedia, Transport::Https, name("b"), None, ""),
        ("idrac-redfish+http://b", Scheme::Redfish, Transport::Http, name("b"), None, ""),
        ("ilo5-virtualmedia+https://b", Scheme::RedfishVirtualMedia, Transport::Https, name("b"), None, ""),
        ("ilo5-uefihttp+https://b", Scheme::RedfishUefiHttp, Transport::Https, name("b"), None, ""),
        ("ilo5-redfish://b", Scheme::Redfish, Transport::Https, name("b"), None, ""),
        ("ipmi://10.0.0.7:6230", Scheme::Ipmi, Transport::Udp, ip("10.0.0.7"), Some(6230), ""),
        ("libvirt+ssh://kvm-1/system", Scheme::Libvirt, Transport::Ssh, name("kvm-1"), None, "/system"),
        ("simulated://rack-1?fault=power&delay=5", Scheme::Simulated, Transport::None, name("rack-1"), None, ""),
        ("exec://vmware#vm-17", Scheme::Exec, Transport::None, name("vmware"), None, ""),
    ];
    for (text, scheme, transport, host, port, path) in table {
        let address = Address::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let found = (address.scheme, address.transport, address.host, address.port, address.path.as_str());
        assert_eq!(found, (scheme, transport, host, port, path), "{text}");
    }
    let uuid = "4c4c4544-0042-3510-8056-b2c04f513432";
    let address = Address::parse(&format!("libvirt+tls://kvm-1:16514/system?driver=test#{uuid}")).unwrap();
    assert_eq!((address.machine.as_deref(), address.parameter("driver")), (Some(uuid), Some("test")));
    assert_eq!(Address::parse("exec://vmware#vm-17").unwrap().machine.as_deref(), Some("vm-17"));
}

#[test]
fn other_texts_are_refused_with_the_reason() {
    let long = format!("redfish://{}", "a".repeat(2_048));
    let table = [
        ("10.0.0.7", "must be an address such as"),
        ("", "must be an address such as"),
        ("https://bmc-1", "unknown scheme \"https\""),
        ("redfish+ftp://bmc-1", "unknown scheme"),
        ("ilo4-redfish://bmc-1", "unknown scheme"),
        ("libvirt://kvm-1/system", "use libvirt+tls://"),
        ("libvirt+unix://kvm-1/system", "unknown scheme"),
        ("redfish://", "has no host"),
        ("redfish:///redfish/v1", "has no host"),
        ("redfish://root:calvin@bmc-1", "use a credential"),
        ("redfish://bmc 1", "spaces"),
        ("redfish://bmc-1\u{7}", "spaces"),
        ("redfish://bmc_\u{e9}", "invalid host"),
        ("redfish://-bmc", "invalid host"),
        ("redfish://bmc..example", "invalid host"),
        ("redfish://127.1", "invalid host"),
        ("redfish://2130706433", "invalid host"),
        ("redfish://0x7f000001", "invalid host"),
        ("redfish://0177.0.0.1", "invalid host"),
        ("redfish://[::1", "invalid host"),
        ("redfish://[fe80::1%25eth0]", "invalid host"),
        ("redfish://[::1]x", "invalid host"),
        ("redfish://bmc-1:0", "invalid port"),
        ("redfish://bmc-1:65536", "invalid port"),
        ("redfish://bmc-1:", "invalid port"),
        ("redfish://bmc-1:+1", "invalid port"),
        ("redfish://bmc-1?verify=no", "unknown parameter \"verify\"; redfish:// takes none"),
        ("redfish://bmc-1#1", "must name no machine"),
        ("ipmi://bmc-1/1", "must have no path"),
        ("libvirt+tls://kvm-1", "must have the path /system"),
        ("libvirt+tls://kvm-1/session", "must have the path /system"),
        ("libvirt+tls://kvm-1/system#web", "by its UUID"),
        ("libvirt+ssh://kvm-1/system?command=/bin/sh", "unknown parameter \"command\"; libvirt:// takes driver"),
        ("libvirt+tls://kvm-1/system?driver=lxc", "allowed are qemu, test"),
        ("libvirt+tls://kvm-1/system?driver=test&driver=qemu", "twice"),
        ("simulated://rack-1?faults=power", "takes fault, delay, machines, seed"),
        ("simulated://rack-1:80", "must have no port"),
        ("exec://vmware/bin/sh", "must have no path"),
        (long.as_str(), "at most 2048 characters"),
    ];
    for (text, reason) in table {
        let error = Address::parse(text).expect_err(text).to_string();
        assert!(error.contains(reason), "{text}: {error}");
    }
}

#[test]
fn reserved_addresses_are_refused_in_every_notation() {
    let table = [
        ("127.0.0.1", Some(Reserved::Loopback)),
        ("127.255.0.3", Some(Reserved::Loopback)),
        ("::1", Some(Reserved::Loopback)),
        ("::ffff:127.0.0.1", Some(Reserved::Loopback)),
        ("::127.0.0.1", Some(Reserved::Loopback)),
        ("64:ff9b::7f00:1", Some(Reserved::Loopback)),
        ("2002:7f00:1::", Some(Reserved::Loopback)),
        ("169.254.1.1", Some(Reserved::LinkLocal)),
        ("fe80::1", Some(Reserved::LinkLocal)),
        ("169.254.169.254", Some(Reserved::Metadata)),
        ("::ffff:169.254.169.254", Some(Reserved::Metadata)),
        ("fd00:ec2::254", Some(Reserved::Metadata)),
        ("100.100.100.200", Some(Reserved::Metadata)),
        ("168.63.129.16", Some(Reserved::Metadata)),
        ("0.0.0.0", Some(Reserved::Unspecified)),
        ("0.1.2.3", Some(Reserved::Unspecified)),
        ("::", Some(Reserved::Unspecified)),
        ("224.0.0.1", Some(Reserved::Multicast)),
        ("255.255.255.255", Some(Reserved::Multicast)),
        ("ff02::1", Some(Reserved::Multicast)),
        ("10.0.0.7", None),
        ("192.168.0.1", None),
        ("100.64.0.1", None),
        ("fd00::1", None),
        ("2001:db8::1", None),
    ];
    let none = Exceptions::default();
    for (text, reason) in table {
        let address: IpAddr = text.parse().unwrap();
        assert_eq!(none.refuse(address).err(), reason, "{text}");
        assert_eq!(none.refuse_host(&Host::Ip(address)).err(), reason, "{text}");
    }
    let names = [
        ("localhost", Some(Reserved::Loopback)),
        ("LOCALHOST.", Some(Reserved::Loopback)),
        ("a.localhost", Some(Reserved::Loopback)),
        ("metadata.google.internal", Some(Reserved::Metadata)),
        ("localhost.example", None),
        ("bmc-1", None),
    ];
    for (name, reason) in names {
        assert_eq!(none.refuse_host(&Host::Name(name.to_owned())).err(), reason, "{name}");
    }
}

#[test]
fn an_exception_allows_its_network_and_nothing_else() {
    let exceptions = Exceptions::new(vec!["127.0.0.0/8".parse().unwrap(), "169.254.3.0/24".parse().unwrap()]);
    let table = [
        ("127.0.0.1", true),
        ("::ffff:127.0.0.1", true),
        ("169.254.3.9", true),
        ("169.254.4.9", false),
        ("::1", false),
        ("169.254.169.254", false),
    ];
    for (text, is_allowed) in table {
        assert_eq!(exceptions.refuse(text.parse().unwrap()).is_ok(), is_allowed, "{text}");
    }
    assert_eq!(exceptions.refuse_host(&Host::Name("localhost".to_owned())), Ok(()));
    let everything = Exceptions::everything();
    for text in ["127.0.0.1", "::1", "fe80::1", "169.254.169.254", "ff02::1", "0.0.0.0"] {
        assert_eq!(everything.refuse(text.parse().unwrap()), Ok(()), "{text}");
    }
    for name in ["localhost", "metadata.google.internal"] {
        assert_eq!(everything.refuse_host(&Host::Name(name.to_owned())), Ok(()), "{name}");
    }
}

#[test]
fn networks_contain_the_addresses_with_their_prefix() {
    let table = [
        ("10.1.0.0/16", "10.1.255.255", true),
        ("10.1.0.0/16", "10.2.0.0", false),
        ("10.1.2.3", "10.1.2.3", true),
        ("10.1.2.3", "10.1.2.4", false),
        ("0.0.0.0/0", "203.0.113.9", true),
        ("0.0.0.0/0", "2001:db8::1", false),
        ("2001:db8::/33", "2001:db8:7fff::1", true),
        ("2001:db8::/33", "2001:db8:8000::1", false),
        ("::/0", "2001:db8::1", true),
    ];
    for (network, address, contains) in table {
        let network: Network = network.parse().unwrap();
        assert_eq!(network.contains(address.parse().unwrap()), contains, "{network} {address}");
    }
    for text in ["", "10.1.0.0/", "10.1.0.0/33", "10.1.0.0/+8", "10.1/16", "2001:db8::/129", "bmc-1/8"] {
        assert!(text.parse::<Network>().is_err(), "{text}");
    }
}

#[test]
fn a_credential_is_for_its_hosts_only() {
    let allowed: Vec<AllowedHost> = ["BMC-1.example", "10.1.0.0/16"].iter().map(|text| text.parse().unwrap()).collect();
    let names: Vec<AllowedHost> = vec!["bmc-1".parse().unwrap()];
    let name = |text: &str| Host::Name(text.to_owned());
    let ip = |text: &str| Host::Ip(text.parse().unwrap());
    let table = [
        (&allowed[..], ip("10.1.2.3"), Some(true)),
        (&allowed, ip("10.2.2.3"), Some(false)),
        (&allowed, name("bmc-1.example."), Some(true)),
        (&allowed, name("bmc-2.example"), None),
        (&names, name("bmc-2"), Some(false)),
        (&names, ip("10.1.2.3"), Some(false)),
        (&[], name("bmc-2"), Some(true)),
    ];
    for (allowed, host, answer) in table {
        assert_eq!(allows(allowed, &host), answer, "{host}");
    }
    for text in ["", "10.1.0.0/40", "a b", "*", "127.1", "http://", "https://bmc-1", "http://bmc-1/", "HTTP://bmc-1"] {
        assert!(text.parse::<AllowedHost>().is_err(), "{text}");
    }
}

#[test]
fn an_allowed_host_permits_plain_http_only_if_it_says_so() {
    let listed = Ok(Permission::Listed);
    let by_addresses = Ok(Permission::ByItsAddresses);
    let host = |text: &str| Err(NotPermitted::Host(Host::Name(text.to_owned())));
    let plain = |text: &str| {
        let ip = text.parse().map(Host::Ip);
        Err(NotPermitted::PlainHttp(ip.unwrap_or_else(|_| Host::Name(text.to_owned()))))
    };
    for (allowed, address, expected) in [
        (&[][..], "redfish+http://bmc-1", Ok(Permission::Unlisted)),
        (&["10.1.0.0/16"], "redfish://10.1.2.3", listed.clone()),
        (&["10.1.0.0/16"], "redfish+http://10.1.2.3", plain("10.1.2.3")),
        (&["10.1.0.0/16"], "ilo5-virtualmedia+http://10.1.2.3:80", plain("10.1.2.3")),
        (&["10.1.0.0/16"], "ipmi://10.1.2.3", listed.clone()),
        (&["http://10.1.0.0/16"], "redfish+http://10.1.2.3", listed.clone()),
        (&["http://10.1.0.0/16"], "redfish://10.1.2.3", listed.clone()),
        (&["http://bmc-1", "bmc-2"], "redfish+http://BMC-1", listed.clone()),
        (&["http://bmc-1", "bmc-2"], "redfish+http://bmc-2", plain("bmc-2")),
        (&["http://bmc-1", "bmc-2"], "redfish+http://bmc-3", host("bmc-3")),
        (&["10.1.0.0/16"], "redfish://bmc-3", by_addresses.clone()),
        (&["10.1.0.0/16"], "redfish+http://bmc-3", plain("bmc-3")),
        (&["10.1.0.0/16", "http://10.2.0.0/16"], "redfish+http://bmc-3", by_addresses.clone()),
        (&["10.1.0.0/16"], "exec://lab", by_addresses),
    ] {
        let list: Vec<AllowedHost> = allowed.iter().map(|text| text.parse().unwrap()).collect();
        assert_eq!(
            list.iter().map(ToString::to_string).collect::<Vec<_>>(),
            allowed,
            "the entries as they were written"
        );
        let address = Address::parse(address).unwrap();
        assert_eq!(permits(&list, &address), expected, "{allowed:?} {address:?}");
    }
}

#[test]
fn an_ipv6_address_without_brackets_gets_a_hint() {
    for scheme in ["redfish", "redfish+http", "ipmi", "idrac-virtualmedia", "libvirt+tls"] {
        for address in ["2001:db8::1", "fe80::1%eth0", "::1", "2001:db8::1:8443"] {
            for rest in ["", "/system", "/redfish/v1?x=y"] {
                let error = Address::parse(&format!("{scheme}://{address}{rest}")).expect_err("refused").to_string();
                let expected = format!("has an IPv6 address without brackets: write it as [{address}]");
                assert!(error.starts_with(&expected), "{scheme} {address}{rest}: {error}");
            }
        }
    }
    let error = Address::parse("2001:db8::1").expect_err("refused").to_string();
    assert!(error.starts_with("has an IPv6 address without brackets"), "{error}");
    for address in
        ["redfish://[2001:db8::1]", "redfish://[2001:db8::1]:8443", "redfish://10.0.0.7:443", "redfish://bmc-1"]
    {
        assert!(Address::parse(address).is_ok(), "{address}");
    }
}
