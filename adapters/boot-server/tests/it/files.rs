//! Files, as they are passed on.

use sha2::{Digest as _, Sha256};
use underlay_firmware::Failure;

use crate::server::TOKEN;
use crate::site::{INITRD, KERNEL, Site};

#[tokio::test]
async fn a_file_with_the_right_digest_arrives_as_it_is() {
    let site = Site::start().await;
    site.send("GET", "/boot/ipxe?m=525400770001").await.expect("a boot");
    let digest: String = Sha256::digest(KERNEL).iter().map(|byte| format!("{byte:02x}")).collect();
    site.file("kernel", "good", Some(&format!("sha256:{digest}")));
    for (name, body) in [("kernel", KERNEL), ("initrd", INITRD), ("shim", b"shim")] {
        let path = format!("/boot/f/{TOKEN}1/{name}");
        assert_eq!(site.send("GET", &path).await.expect("a file").body, body);
        let head = site.send("HEAD", &path).await.expect("a head");
        assert_eq!(head.header_as_written("Content-Length"), Some(body.len().to_string().as_str()));
    }
}

#[tokio::test]
async fn a_file_with_another_digest_does_not_arrive() {
    let site = Site::start().await;
    site.send("GET", "/boot/ipxe?m=525400770001").await.expect("a boot");
    site.file("kernel", "good", Some(&format!("sha256:{}", "0".repeat(64))));
    let reply = site.send("GET", &format!("/boot/f/{TOKEN}1/kernel")).await;
    assert_eq!(reply, Err(Failure::Broken));
    let notes = site.notes.lock().expect("the notes").join("\n");
    assert!(notes.contains("the digest is"), "{notes}");
}
