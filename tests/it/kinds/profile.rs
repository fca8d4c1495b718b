//! Profiles: what their purposes and methods need.

use serde_json::{Value, json};

use crate::harness::world::{World, accept_all, refuse_all};

fn profile(more: Value) -> Value {
    let mut fields = json!({"name": "p", "purpose": "INSTALL", "method": "DISK_IMAGE", "image": image()});
    fields.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    json!([{ "profile": fields }])
}

fn image() -> Value {
    json!({"url": "https://images.example/a", "checksum": format!("sha256:{}", "A1".repeat(32)), "format": "RAW"})
}

#[test]
fn a_profile_has_what_its_method_needs() {
    let world = World::empty();
    let rpm = json!({"method": "KICKSTART_RPM", "image": null, "repository": "http://repo.example"});
    accept_all(
        &world,
        &[
            ("an image", profile(json!({}))),
            ("packages", profile(rpm.clone())),
            (
                "ostree",
                profile(json!({"method": "KICKSTART_OSTREE", "image": null, "repository": "http://repo.example"})),
            ),
            ("the installer unpacks an image", profile(json!({"method": "KICKSTART_IMAGE"}))),
            ("discover", profile(json!({"purpose": "DISCOVER", "method": null, "image": null}))),
            ("wipe by an image", profile(json!({"purpose": "WIPE", "method": null}))),
            ("debug", profile(json!({"debug": true, "arguments": ["console=ttyS0", "a b"]}))),
        ],
    );
    let table = [
        ("no method", json!({"method": null}), "method", "is required for the purpose INSTALL"),
        ("a method to wipe", json!({"purpose": "WIPE"}), "method", "must be absent"),
        ("no image", json!({"image": null}), "image", "is required for the methods"),
        (
            "no repository",
            json!({"method": "KICKSTART_RPM", "image": null}),
            "repository",
            "is required for the methods",
        ),
        ("both", json!({"repository": "http://repo.example"}), "image", "must be absent"),
        ("initrd", json!({"initrd": "http://repo.example/i"}), "kernel", "is required with an initrd"),
        ("kernel", json!({"kernel": "nfs://a/b"}), "kernel", "must be an http or https URL"),
        (
            "url",
            json!({"image": {"url": "file:///a", "checksum": image()["checksum"], "format": "RAW"}}),
            "image.url",
            "http",
        ),
        (
            "md5",
            json!({"image": {"url": "http://a", "checksum": "md5:00", "format": "RAW"}}),
            "image.checksum",
            "sha256:",
        ),
        ("no checksum", json!({"image": {"url": "http://a", "format": "RAW"}}), "image", "missing field `checksum`"),
        (
            "format",
            json!({"image": {"url": "http://a", "checksum": image()["checksum"], "format": "ISO"}}),
            "image",
            "ISO",
        ),
        ("argument", json!({"arguments": ["a\nb"]}), "arguments[0]", "without control characters"),
        ("arguments", json!({"arguments": vec!["x".repeat(1_001)]}), "arguments[0]", "1 to 1000 characters"),
    ];
    let table: Vec<_> =
        table.into_iter().map(|(what, more, field, says)| (what, profile(more), "INVALID", field, says)).collect();
    refuse_all(&world, &table);
}

#[test]
fn checksums_are_kept_in_lower_case() {
    let world = World::of(profile(json!({})));
    assert_eq!(world.field("profile", "p", "image")["checksum"], format!("sha256:{}", "a1".repeat(32)));
}
