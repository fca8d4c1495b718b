//! `underlay find`: finds objects by a part of a name or a similar field.

use super::apply::done;
use super::get::fleet;

#[tokio::test]
async fn find_matches_names_and_similar_fields() {
    let server = fleet().await;
    for (arguments, expected) in [
        (&["leaf"][..], &["device/gent-1/leaf-1 name leaf-1"][..]),
        (&["AT-1"], &["device/gent-1/srv-1 assetTag AT-1"]),
        (&["rear-1", "--kind", "port"], &["port/gent-1/panel-1/REAR/rear-1 name rear-1"]),
        (&["1", "--kind", "racks", "-k", "region"], &["rack/gent-1/r01 name r01", "rack/gent-1/r01 serial R-1"]),
        (&["nowhere"], &[]),
    ] {
        let outcome = server.cli(["find"].iter().chain(arguments)).await;
        assert_eq!(outcome.code, 0, "{outcome:?}");
        let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
        let found: Vec<String> = outcome.stdout.lines().skip(1).map(words).collect();
        let is_one =
            found.iter().all(|line| expected.contains(&line.as_str())) && found.is_empty() == expected.is_empty();
        assert!(is_one, "{arguments:?}: {outcome:?}");
        let printed = if expected.is_empty() { "no object matches \"nowhere\"\n" } else { "" };
        assert_eq!(outcome.stderr, printed);
        // The printed names are accepted as arguments.
        for line in &found {
            let name = line.split(' ').next().unwrap_or_default();
            assert_eq!(done(&server.cli(["get", name, "-o", "name"]).await), format!("{name}\n"));
        }
    }
    for (arguments, expected) in [
        (&["find"][..], "required arguments were not provided"),
        (&["find", ""], "a value is required for '<TEXT>'"),
        (&["find", "a", "--limit", "1001"], "must be a whole number from 1 to 1000"),
        (&["find", "a", "--kind", "rak"], "there is no kind \"rak\"; did you mean rack?"),
    ] {
        let outcome = server.cli(arguments).await;
        assert_eq!((outcome.code, outcome.stdout.as_str()), (2, ""), "{outcome:?}");
        assert!(outcome.stderr.contains(expected), "{outcome:?}");
    }
    let first = server.cli(["find", "e", "--limit", "1"]).await;
    assert_eq!(
        (first.stdout.lines().count(), first.stderr.as_str()),
        (2, "there may be more; --limit can be up to 1000\n")
    );
}
