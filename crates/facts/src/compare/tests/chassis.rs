//! Power supplies, fans and firmware between two reports.

use super::*;

#[test]
fn power_supplies_and_fans_are_told_with_their_health() {
    let supply = |serial: &str, health: &str| json!([{"place": "PSU1", "serial": serial, "health": health}]);
    let fan = |health: &str| json!([{"place": "Fan 1", "health": health}]);
    for (section, before, after, expected) in [
        ("powerSupplies", supply("S1", "OK"), supply("S1", "OK"), vec![]),
        ("powerSupplies", supply("S1", "OK"), supply("S1", "CRITICAL"), vec![PartChange::Failing]),
        ("powerSupplies", supply("S1", "CRITICAL"), supply("S1", "OK"), vec![PartChange::Changed]),
        ("powerSupplies", supply("S1", "OK"), supply("S2", "OK"), vec![PartChange::Replaced]),
        ("powerSupplies", json!([]), supply("S1", "CRITICAL"), vec![PartChange::Added, PartChange::Failing]),
        ("powerSupplies", supply("S1", "OK"), json!([]), vec![]),
        ("fans", fan("OK"), fan("WARNING"), vec![PartChange::Changed]),
        ("fans", fan("WARNING"), fan("CRITICAL"), vec![PartChange::Failing]),
        ("fans", fan("OK"), json!([{"place": "Fan 1"}]), vec![]),
    ] {
        let told = told(section, before.clone(), after.clone());
        let changes: Vec<PartChange> = told.iter().map(|event| event.change).collect();
        assert_eq!(changes, expected, "{section}: {before} {after}");
    }
}

#[test]
fn another_version_of_firmware_is_one_event() {
    let listed = |version: &str| json!([{"name": "BIOS", "version": version}, {"name": "CPLD"}]);
    let told = told("firmware", listed("1.0"), listed("1.1"));
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!((told[0].part, told[0].change, told[0].place.as_str()), (Part::Firmware, PartChange::Changed, "BIOS"));
    assert_eq!((&told[0].before, &told[0].after), (&Some(json!({"version": "1.0"})), &Some(json!({"version": "1.1"}))));
}

/// Returns the events between two contents of a section.
fn told(section: &str, before: Value, after: Value) -> Vec<PartEvent> {
    let report = |found: Value| -> Report {
        let text = json!({
            "format": 1, "agent": {"version": "1"}, "observedAt": "2026-11-01T10:00:00Z",
            section: {"complete": true, "found": found},
        });
        serde_json::from_value(text).expect("a report")
    };
    compare(&report(before), &MissingParts::default(), &report(after)).events
}
