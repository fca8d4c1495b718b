//! The tests of the reports that machines send.

use serde_json::json;
use underlay_boot_server::Times;

use crate::server::Does;
use crate::site::{Site, patient};

#[tokio::test]
async fn reports_reach_the_server() {
    let site = Site::start().await;
    let reply = site.post("/boot/report/T1", r#"{"stage": "write", "percent": 60, "message": "disk vda"}"#).await;
    assert_eq!((reply.status, reply.body.as_slice()), (200, &b"ok\n"[..]));
    site.post("/boot/report/T1", "stage=done&percent=100").await;
    assert_eq!(
        site.server.world().asked,
        [
            json!({"token": "T1", "outcome": "WORKING", "stage": "write", "percent": 60, "message": "disk vda"}),
            json!({"token": "T1", "outcome": "DONE", "stage": "done", "percent": 100}),
        ]
    );
}

#[tokio::test]
async fn facts_of_a_shell_become_a_report() {
    let site = Site::start().await;
    let reply = site.post("/boot/facts/T1", "system.serial=ABC123\ninterface.eth0.mac=525400770001\n").await;
    assert_eq!(reply.status, 200);
    let asked = site.server.world().asked[0].clone();
    assert_eq!((&asked["outcome"], &asked["stage"]), (&"WORKING".into(), &"facts".into()));
    assert_eq!(asked["facts"]["system"]["found"]["serial"], "ABC123");
    assert_eq!(asked["facts"]["interfaces"]["found"][0]["mac"], "52:54:00:77:00:01");
}

#[tokio::test]
async fn a_bad_report_is_refused_with_the_field() {
    let site = Site::start().await;
    let long = "x".repeat((1 << 20) + 1);
    for (path, body, status, says) in [
        ("/boot/report/T1", "percent=300&stage=x", 400, "percent: must be"),
        ("/boot/report/T1", "", 400, "stage: a report has"),
        ("/boot/facts/T1", "x", 400, "neither a report"),
        ("/boot/facts/T1", &long, 413, "at most 1048576 bytes"),
    ] {
        let reply = site.post(path, body).await;
        let text = String::from_utf8(reply.body).expect("a text");
        assert_eq!(reply.status, status, "{path}: {text}");
        assert!(text.contains(says), "{path}: {text}");
    }
    assert!(site.server.world().asked.is_empty());
    site.server.world().does = vec![("REPORT", Does::Refuses("INVALID"))];
    assert_eq!(site.post("/boot/report/T1", "stage=x").await.status, 400);
    site.server.world().does = vec![("REPORT", Does::Refuses("FORBIDDEN"))];
    assert_eq!(site.post("/boot/report/T1", "stage=x").await.status, 503);
}

#[tokio::test]
async fn a_report_is_sent_again_while_the_server_is_away() {
    let site = Site::start().await;
    site.server.world().does = vec![("REPORT", Does::Fails)];
    let (reply, ()) = tokio::join!(site.post("/boot/report/T1", "stage=done"), async {
        underlay_testing::until("the report came twice", async || site.server.world().asked.len() > 1).await;
        site.server.world().does.clear();
    });
    assert_eq!(reply.status, 200);

    let short = Times { report: std::time::Duration::from_millis(50), ..patient() };
    let site = Site::with(short).await;
    site.server.world().does = vec![("REPORT", Does::Hangs)];
    assert_eq!(site.post("/boot/report/T1", "stage=done").await.status, 503);
}
