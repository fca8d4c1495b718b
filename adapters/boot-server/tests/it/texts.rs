//! The texts of installers, and refusals.

use underlay_firmware::exchange;
use underlay_testing::HANG;

use crate::server::{Does, TEXT, TOKEN};
use crate::site::Site;

const OF_ANACONDA: &str = "X-Anaconda-Architecture: x86_64\r\nX-RHN-Provisioning-MAC-0: eth0 52:54:00:77:00:01\r\n\
    X-RHN-Provisioning-MAC-1: ib0 52540077000A\r\nX-System-Serial-Number: ABC123\r\n";

async fn get(site: &Site, path: &str, headers: &str) -> (u16, String, String) {
    let request = format!("GET {path} HTTP/1.1\r\nHost: a\r\n{headers}\r\n");
    let reply = exchange(site.url.trim_start_matches("http://"), request.as_bytes(), HANG).await.expect("an answer");
    let kind = reply.header("content-type").unwrap_or_default().to_owned();
    (reply.status, kind, String::from_utf8(reply.body).expect("a text"))
}

#[tokio::test]
async fn a_text_is_found_by_token_or_by_headers() {
    let site = Site::start().await;
    site.send("GET", "/boot/ipxe?m=525400770001").await.expect("a boot");
    let expected = (200, "text/x-kickstart".to_owned(), TEXT.to_owned());
    assert_eq!(get(&site, &format!("/boot/text/{TOKEN}1"), "").await, expected);
    assert_eq!(get(&site, "/boot/kickstart", OF_ANACONDA).await, expected);
    let asked = site.server.asked("TEXT");
    assert_eq!(asked[0]["token"], format!("{TOKEN}1"));
    assert_eq!(asked[1]["macs"], serde_json::json!(["52:54:00:77:00:01", "52:54:00:77:00:0a"]));
    assert_eq!((&asked[1]["serial"], &asked[1]["token"]), (&"ABC123".into(), &serde_json::Value::Null));
}

#[tokio::test]
async fn an_installer_that_is_refused_gets_a_text_that_says_why() {
    let site = Site::start().await;
    site.server.world().is_ordered = false;
    let mut texts = Vec::new();
    for (path, headers, begin) in [
        ("/boot/text/x", "", "#!/bin/sh\n"),
        ("/boot/text/x", OF_ANACONDA, "%pre"),
        ("/boot/kickstart", "", "%pre"),
        ("/boot/kickstart", OF_ANACONDA, "%pre"),
    ] {
        let (status, _, text) = get(&site, path, headers).await;
        assert_eq!(status, 200, "an installer asks again after an error");
        assert!(text.starts_with(begin) && text.contains("the host m1 is in use"), "{path}: {text}");
        texts.push(text);
    }
    for does in
        [Does::Fails, Does::Garbles, Does::Refuses("FORBIDDEN"), Does::Changes(serde_json::json!({"text": null}))]
    {
        site.server.world().is_ordered = true;
        site.server.world().does = vec![("TEXT", does.clone())];
        let (status, _, text) = get(&site, "/boot/kickstart", OF_ANACONDA).await;
        assert!(status == 200 && text.starts_with("%pre") && !text.contains(TEXT), "{does:?}: {text}");
    }
    // The shell reads them as they were meant.
    for text in texts {
        let script = text.replace("%pre --interpreter=/bin/sh\n", "").replace("%end\n", "");
        let checked = std::process::Command::new("sh").args(["-n", "-c", &script]).status().expect("a shell");
        assert!(checked.success(), "{script}");
    }
}
