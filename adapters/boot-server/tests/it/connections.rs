//! Connections that cost too much.

use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use underlay_boot_server::Times;
use underlay_testing::until;

use crate::site::{Site, patient};

async fn connect(site: &Site) -> TcpStream {
    TcpStream::connect(site.url.trim_start_matches("http://")).await.expect("a connection")
}

/// Waits until the other end closes a connection.
async fn is_closed(stream: &mut TcpStream) {
    let mut rest = Vec::new();
    // It may be reset as well.
    let _ = stream.read_to_end(&mut rest).await;
}

#[tokio::test]
async fn a_client_that_sends_no_head_or_no_body_is_closed() {
    let site = Site::with(Times { request: Duration::from_millis(50), ..patient() }).await;
    for begun in
        ["", "GET /grub/grub.cfg HTTP/1.1\r\nHos", "POST /boot/report/T HTTP/1.1\r\nContent-Length: 9\r\n\r\nst"]
    {
        let mut stream = connect(&site).await;
        stream.write_all(begun.as_bytes()).await.expect("sent");
        is_closed(&mut stream).await;
    }
}

#[tokio::test]
async fn the_number_of_connections_is_bounded() {
    let site = Site::with_room_for(2).await;
    let idle = [connect(&site).await, connect(&site).await];
    until("both have their room", async || site.status.metrics().contains("underlay_boot_connections 2")).await;
    assert!(site.send("GET", "/grub/grub.cfg").await.is_err());
    drop(idle);
    until("there is room again", async || site.send("GET", "/grub/grub.cfg").await.is_ok_and(|it| it.status == 200))
        .await;
}

/// Firmware resets its connections: that is worth no note.
#[tokio::test]
async fn connections_that_are_reset_are_no_error() {
    let site = Site::start().await;
    for _ in 0..5 {
        let mut stream = connect(&site).await;
        stream.write_all(b"GET /grub/grub.cfg HTTP/1.1\r\nHost: a\r\n\r\n").await.expect("sent");
        stream.set_zero_linger().expect("an option");
    }
    until("all ended", async || site.status.metrics().contains("underlay_boot_connections 0")).await;
    assert_eq!(*site.notes.lock().expect("the notes"), Vec::<String>::new());
}
