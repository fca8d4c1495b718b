//! Tests with a reader of plain lines: `kind id`, or anything else for what cannot be read.

use std::io::Read as _;
use std::sync::atomic::{AtomicUsize, Ordering};

use notify::{Event, EventKind};

use super::*;
use underlay_kit::sync::{Emitted, Hint};

struct Plain;

impl Reader for Plain {
    fn endings(&self) -> &[&'static str] {
        &["list", "txt"]
    }

    fn read(&self, file: &SourceFile, take: &mut dyn FnMut(Entry) -> ControlFlow<()>) {
        let mut text = String::new();
        match file.open() {
            Ok(mut opened) => drop(opened.read_to_string(&mut text).expect("text")),
            Err(error) => text = format!("{error}"),
        }
        for line in text.lines() {
            let item = line.split_once(' ').map(|(kind, id)| Item::new(ExternalId::new(kind, id), Default::default()));
            let entry = match item {
                Some(Ok(item)) => Entry::Item(item),
                _ => Entry::Bad(BadThing::new(None, line, "is no item")),
            };
            if take(entry).is_break() {
                return;
            }
        }
    }

    fn rank(&self, kind: &str) -> usize {
        usize::from(kind != "site")
    }
}

/// Reads lines, and changes another file while it does so, as a checkout that goes on.
struct Restless {
    other: PathBuf,
    /// The number of files that are read before the change ends.
    changes: AtomicUsize,
}

impl Reader for Restless {
    fn endings(&self) -> &[&'static str] {
        Plain.endings()
    }

    fn read(&self, file: &SourceFile, take: &mut dyn FnMut(Entry) -> ControlFlow<()>) {
        Plain.read(file, take);
        let left = self.changes.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1));
        if let Ok(left) = left {
            // Two changes can come within one tick of the clock of the file system, so the length differs too.
            let text = format!("rack of {left}{}\nrack late\n", "x".repeat(left % 5));
            std::fs::write(&self.other, text).expect("a file");
        }
    }

    fn rank(&self, kind: &str) -> usize {
        Plain.rank(kind)
    }
}

async fn scan<R: Reader>(files: &Files<R>) -> Result<Vec<String>, AdapterError> {
    let (mut sink, mut emitted) = Sink::new(100_000);
    files.scan(&mut sink).await?;
    let read: u64 = sink.report().types().map(|(_, counts)| counts.read).sum();
    drop(sink);
    let mut all = Vec::new();
    while let Some(one) = emitted.recv().await {
        all.push(match one {
            Emitted::Item(item) => item.id().to_string(),
            Emitted::Bad(thing) => format!("bad {}", thing.external_id),
            Emitted::Secret(secret) => panic!("{secret:?}"),
        });
    }
    assert_eq!(read, all.len() as u64, "each thing counts once");
    Ok(all)
}

#[tokio::test]
async fn items_come_in_the_order_of_their_kinds_from_whatever_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let inner = folder.path().join("inner");
    std::fs::create_dir_all(folder.path().join(".git")).expect("a folder");
    std::fs::create_dir(&inner).expect("a folder");
    for (file, text) in [
        ("a.list", "rack r1\nrack r2"),
        ("inner/b.txt", "site s1\nnothing"),
        ("c.other", "site s2"),
        (".git/d.list", "site s3"),
    ] {
        std::fs::write(folder.path().join(file), text).expect("a file");
    }
    let files = Files::new(vec![folder.path().to_owned()], Plain);
    let all = scan(&files).await.expect("a scan");
    assert_eq!(all, ["bad nothing", "site \"s1\"", "rack \"r1\"", "rack \"r2\""]);
    let found = files.look(&ExternalId::new("rack", "r2")).await.expect("a look");
    assert_eq!(found.map(|items| items.len()), Some(1));
    assert_eq!(files.look(&ExternalId::new("rack", "r3")).await, Ok(None));
}

#[tokio::test]
async fn a_folder_that_is_empty_or_missing_fails_the_scan() {
    let folder = tempfile::tempdir().expect("a folder");
    for (path, expected) in [
        (folder.path().to_owned(), "the folder is empty"),
        (folder.path().join("missing"), "the source cannot be reached: "),
    ] {
        let error = scan(&Files::new(vec![path], Plain)).await.expect_err("refused").to_string();
        assert!(error.starts_with("read /") && error.contains(expected), "{error}");
    }
    std::fs::write(folder.path().join("readme"), "").expect("a file");
    let error = scan(&Files::new(vec![folder.path().to_owned()], Plain)).await.expect_err("refused").to_string();
    assert!(error.contains("no file in it ends in .list or .txt"), "{error}");
}

#[tokio::test(start_paused = true)]
async fn files_that_change_while_they_are_read_are_read_again() {
    for (changes, expected) in [(0, None), (1, Some("1x")), (3, Some("1x")), (usize::MAX, None)] {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("a.list"), "rack r1\nnothing\n").expect("a file");
        let reader = Restless { other: folder.path().join("b.list"), changes: AtomicUsize::new(changes) };
        let scanned = scan(&Files::new(vec![folder.path().to_owned()], reader)).await;
        if changes == usize::MAX {
            let error = scanned.expect_err("it never ends");
            assert!(error.is_passing(), "{error}");
            let (call, reason) = ("read ", "the source changed while it was read: it changed each of 5 times");
            assert!(error.to_string().starts_with(call) && error.to_string().contains(reason), "{error}");
            continue;
        }
        let mut all = vec!["bad nothing".to_owned(), "rack \"r1\"".to_owned()];
        if let Some(last) = expected {
            all.extend([format!("rack \"of {last}\""), "rack \"late\"".to_owned()]);
        }
        assert_eq!(scanned.as_deref(), Ok(&all[..]), "{changes}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_change_after_a_part_was_written_fails_the_scan() {
    let folder = tempfile::tempdir().expect("a folder");
    let many: String = (0..CHUNK_ITEMS + 2 * PREFETCHED_ENTRIES).map(|number| format!("rack r{number}\n")).collect();
    std::fs::write(folder.path().join("a.list"), many).expect("a file");
    let reader = Restless { other: folder.path().join("b.list"), changes: AtomicUsize::new(1) };
    let (mut sink, mut emitted) = Sink::new(CHUNK_ITEMS + 10);
    let error = Files::new(vec![folder.path().to_owned()], reader).scan(&mut sink).await.expect_err("it changed");
    assert!(error.to_string().contains("what was read until then is written, and nothing counts as gone"), "{error}");
    assert!(matches!(emitted.recv().await, Some(Emitted::Item(_))));
}

#[tokio::test]
async fn a_change_of_a_file_is_a_hint_and_reading_is_none() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.list");
    std::fs::write(&path, "rack r1").expect("a file");
    std::fs::create_dir(folder.path().join(".git")).expect("a folder");
    let files = Files::new(vec![folder.path().to_owned()], Plain);
    let mut hints = files.hints().expect("hints");
    // The watch begins on another task, so files are changed until it sees that.
    let first = async {
        loop {
            std::fs::write(&path, "rack r2").expect("a file");
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    };
    tokio::select! {
        hint = hints.next() => assert_eq!(hint, Ok(Some(Hint::Everything))),
        () = first => {}
    }
    let root = [folder.path().to_owned()];
    let event = |kind, file: &str| Event { kind, paths: vec![folder.path().join(file)], attrs: Default::default() };
    let (read, written) =
        (EventKind::Access(notify::event::AccessKind::Any), EventKind::Modify(notify::event::ModifyKind::Any));
    for (event, expected) in [
        (event(read, "a.list"), false),
        (event(written, "a.list"), true),
        (event(written, ".git/index"), false),
        (event(EventKind::Remove(notify::event::RemoveKind::Any), "inner"), true),
    ] {
        assert_eq!(watch::matters(&root, &event), expected, "{event:?}");
    }
}

#[cfg(unix)]
#[tokio::test]
async fn links_within_a_folder_are_followed_and_those_out_of_it_are_refused() {
    use std::os::unix::fs::symlink;
    let outside = tempfile::tempdir().expect("a folder");
    let secret = outside.path().join("secret.list");
    std::fs::write(&secret, "rack secret").expect("a file");
    // As git-sync lays it out: the folder is a link, which is replaced as a whole.
    let folder = tempfile::tempdir().expect("a folder");
    let tree = folder.path().join(".worktrees/abc");
    std::fs::create_dir_all(tree.join("inner")).expect("a folder");
    symlink(".worktrees/abc", folder.path().join("current")).expect("a link");
    std::fs::write(tree.join("inner/a.list"), "rack r1").expect("a file");
    symlink("inner/a.list", tree.join("b.list")).expect("a link");
    symlink(&secret, tree.join("c.list")).expect("a link");
    symlink("../../../d.list", tree.join("d.list")).expect("a link");
    let all = scan(&Files::new(vec![folder.path().join("current")], Plain)).await.expect("a scan");
    let name = |file: &str| printable(&folder.path().join("current").join(file).to_string_lossy());
    let leaves = "is a link that leads out of the folder or to nothing: put the file itself into the folder";
    assert_eq!(all.len(), 4, "{all:?}");
    for file in ["c.list", "d.list"] {
        assert!(all.contains(&format!("bad {}: {leaves}", name(file))), "{all:?}");
    }
    assert_eq!(all.iter().filter(|it| **it == "rack \"r1\"").count(), 2, "the file and the link to it");
    // As a ConfigMap is mounted: each file is a link through a link to a folder that is replaced.
    let mounted = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(mounted.path().join("..2026")).expect("a folder");
    std::fs::write(mounted.path().join("..2026/a.list"), "rack r2").expect("a file");
    symlink("..2026", mounted.path().join("..data")).expect("a link");
    symlink("..data/a.list", mounted.path().join("a.list")).expect("a link");
    let all = scan(&Files::new(vec![mounted.path().to_owned()], Plain)).await.expect("a scan");
    assert_eq!(all, ["rack \"r2\""]);
    // What the user names is read, wherever it leads.
    symlink(&secret, mounted.path().join("mine.list")).expect("a link");
    let all = scan(&Files::new(vec![mounted.path().join("mine.list")], Plain)).await.expect("a scan");
    assert_eq!(all, ["rack \"secret\""]);
}
