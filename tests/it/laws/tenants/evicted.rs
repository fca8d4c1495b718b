//! The number of tenant views and their memory are limited: a view that nobody uses makes room for another one.

use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use underlay_engine::feed::{MAX_TENANTS, Room, ViewError, ViewRoom, Views};
use underlay_inventory::TenantView;

use super::super::history::History;
use super::super::snapshot::seed;
use super::write;
use crate::harness::inside::{Inside, batch, items, sqlite};
use crate::harness::{HANG, assert_same, until};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_evicted_view_is_built_again() {
    let (url, _folder) = sqlite();
    let inside = Inside::open_with(&url, Room { revisions: 0, changes: 0, bytes: 0 }).await;
    let mut history = History::new(seed());
    let view = Views::new(inside.view()).of(Some("blue")).await.expect("a view");
    for _ in 0..3 {
        write(&inside, &mut history, 10).await;
        let whole = inside.current.get();
        let snapshot = view.current.wait_for(whole.revision(), Duration::from_secs(20)).await;
        assert_same(&snapshot, TenantView::of(&whole, "blue").expect("a view").seen());
        assert!(view.current.recent(whole.revision()).is_none(), "what led there is not known");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_number_of_tenant_views_is_limited() {
    let (url, _folder) = sqlite();
    let inside = Inside::open(&url).await;
    let views = Views::new(inside.view());
    let mut held = Vec::new();
    for number in 0..MAX_TENANTS {
        held.push(views.of(Some(&format!("tenant-{number}"))).await.expect("a view"));
    }
    assert_eq!(views.of(Some("one-more")).await.err(), Some(ViewError::TooMany));
    assert!(views.of(None).await.is_ok() && views.of(Some("tenant-3")).await.is_ok(), "others are");
    held.pop();
    assert!(views.of(Some("one-more")).await.is_ok(), "in the place of one that nobody asks for");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_evicted_view_is_no_longer_updated() {
    let (url, _folder) = sqlite();
    let inside = Inside::open(&url).await;
    inside.writer.write(batch(items([json!({"region": {"name": "eu"}})]))).await.expect("written");
    for room in [ViewRoom { tenants: 2, ..ViewRoom::default() }, ViewRoom { bytes: 1, ..ViewRoom::default() }] {
        let views = Views::with_room(inside.view(), room);
        let mut gone = Vec::new();
        for number in 0..10 {
            let tenant = format!("tenant-{number}");
            let view = views.of(Some(&tenant)).await.expect("in the place of one that nobody asks for");
            gone.push(Arc::downgrade(&view.current.get()));
        }
        assert!(views.of_tenants().len() <= 2, "{room:?}");
        // The last ones are there still. The others take no memory, though nothing was written that they could notice.
        gone.truncate(8);
        until(format!("{room:?}: nobody keeps the snapshots"), async || {
            gone.retain(|snapshot| snapshot.upgrade().is_some());
            if gone.is_empty() { Ok(()) } else { Err(gone.len()) }
        })
        .await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn views_in_use_are_not_evicted() {
    let (url, _folder) = sqlite();
    let inside = Inside::open(&url).await;
    let views = Views::with_room(inside.view(), ViewRoom { bytes: 1, ..ViewRoom::default() });
    let red = views.of(Some("red")).await.expect("the first one always has room");
    assert_eq!(views.of(Some("blue")).await.err(), Some(ViewError::TooMany));
    assert!(views.of(Some("red")).await.is_ok() && views.of(None).await.is_ok(), "others are answered");
    drop(red);
    assert!(views.of(Some("blue")).await.is_ok(), "in the place of one that nobody asks for");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_tenant_keeps_no_revision_that_the_inventory_dropped() {
    let (url, _folder) = sqlite();
    let inside = Inside::open_with(&url, Room { revisions: 4, ..Room::default() }).await;
    let view = Views::new(inside.view()).of(Some("blue")).await.expect("a view");
    for number in 0..10 {
        let region = json!({"region": {"name": format!("eu-{number}")}});
        inside.writer.write(batch(items([region]))).await.expect("written");
        view.current.wait_for(inside.current.get().revision(), HANG).await;
    }
    until("the oldest revisions are dropped", async || {
        let oldest = view.current.oldest();
        if oldest >= inside.current.oldest() { Ok(()) } else { Err(oldest) }
    })
    .await;
    assert!(view.current.recent(inside.current.get().revision()).is_some(), "the current is held");
}
