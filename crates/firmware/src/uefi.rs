//! UEFI firmware that boots by HTTP, and shim.

use crate::http::{Failure, Reply, split};
use crate::machine::{End, Running};

const AGENT: &str = "UefiHttpBoot/1.0";
/// The text in a GRUB that can fetch by HTTP.
const CAN_HTTP: &[u8] = b"UefiHttpBoot";
/// The files that shim asks for before its second stage.
const BESIDE_SHIM: [&str; 3] = ["revocations_sku.efi", "revocations_sbat.efi", "shim_certificate_0.efi"];

impl Running<'_> {
    /// Boots a URL as firmware does. An error leads to the next boot entry, which is the disk.
    pub(crate) async fn uefi(&mut self, url: &str) -> End {
        let wait = self.machine.patience.firmware;
        for method in ["HEAD", "GET"] {
            match self.send(method, url, AGENT, wait).await {
                Ok(reply) if reply.status == 200 && method == "GET" => return self.image(url, &reply.body).await,
                Ok(reply) if reply.status == 200 && reply.header("content-length").is_some() => {}
                Ok(reply) => return self.next_entry(&format!("status {}", reply.status)),
                Err(failure) => return self.next_entry(&format!("{failure:?}")),
            }
        }
        self.next_entry("no answer")
    }

    fn next_entry(&mut self, reason: &str) -> End {
        self.show(format!("firmware: {reason}"));
        End::Disk("the next boot entry".to_owned())
    }

    /// Starts an image: the tests write its kind at its beginning.
    async fn image(&mut self, url: &str, image: &[u8]) -> End {
        if image.starts_with(b"shim") {
            self.shim(url).await
        } else if image.starts_with(b"grub") {
            self.grub_image(url, image).await
        } else if image.starts_with(b"ipxe") {
            let beside = beside(url, "autoexec.ipxe");
            self.ipxe(&beside).await
        } else {
            self.next_entry("this is no image")
        }
    }

    /// Shim fetches GRUB from the folder from which it came, with two slashes.
    async fn shim(&mut self, url: &str) -> End {
        let wait = self.machine.patience.firmware;
        for file in BESIDE_SHIM {
            match self.send("GET", &beside(url, file), AGENT, wait).await {
                Ok(Reply { status: 404, body, .. }) if body.is_empty() => {
                    return End::Hang("shim, at a 404 without a body".to_owned());
                }
                Err(Failure::TimedOut) => return End::Hang("shim, without an answer".to_owned()),
                _ => {}
            }
        }
        let second = beside(url, "/grubx64.efi");
        match self.send("GET", &second, AGENT, wait).await {
            Ok(reply) if reply.status == 200 => Box::pin(self.image(&second, &reply.body)).await,
            _ => self.next_entry("shim has no second stage"),
        }
    }

    async fn grub_image(&mut self, url: &str, image: &[u8]) -> End {
        let Some((server, _)) = split(url) else { return End::Prompt };
        if !image.windows(CAN_HTTP.len()).any(|window| window == CAN_HTTP) {
            self.show("grub>");
            return End::Prompt;
        }
        let server = server.to_owned();
        self.grub(&server).await
    }
}

/// Returns the URL of a file beside another one, as shim makes it: it cuts the text at the last slash.
fn beside(url: &str, name: &str) -> String {
    let folder = url.rsplit_once('/').map_or(url, |(folder, _)| folder);
    format!("{folder}/{name}")
}
