//! Tests streams as people and tools write them, and streams that are invalid.

use serde_json::json;

use super::*;

fn good(text: &str) -> Vec<Value> {
    read(text, false).into_iter().map(|document| document.unwrap_or_else(|error| panic!("{text:?}: {error}"))).collect()
}

fn bad(text: &str, json: bool) -> String {
    let errors: Vec<String> = read(text, json).into_iter().filter_map(Result::err).collect();
    assert_eq!(errors.len(), 1, "{text:.200}: {errors:?}");
    errors.concat()
}

#[test]
fn streams_of_yaml_and_json_are_cut_into_documents() {
    let (a, b) = (json!({"a": 1}), json!({"b": 2}));
    for text in [
        "a: 1\n---\nb: 2\n",
        "# fleet\n\n---\na: 1\n---\n# second\nb: 2",
        "\u{feff}---\na: 1\n--- # second\nb: 2\n",
        "%YAML 1.2\n---\na: 1\n...\n# more\n---\nb: 2\n...\n",
        "a: 1\r\n---\r\nb: 2\r\n",
        "a: 1\r---\rb: 2\r",
        "{\"a\": 1}\n{\"b\": 2}",
        "{\"a\":1}{\"b\":2}",
        "--- {a: 1}\n--- {\"b\": 2}\n",
        "{a: 1} # in braces\n---\n{\"b\": 2} # and again\n",
        "a: 1\n--- \n# comment\n{\"b\": 2}\n",
    ] {
        assert_eq!(good(text), [a.clone(), b.clone()], "{text:?}");
    }
}

#[test]
fn empty_documents_count_but_hold_nothing() {
    assert_eq!(good(""), Vec::<Value>::new());
    assert_eq!(good("# nothing\n\n"), Vec::<Value>::new());
    assert_eq!(good("---\n---\na: 1\n---\n"), [json!(null), json!({"a": 1}), json!(null)]);
}

#[test]
fn markers_within_texts_do_not_cut() {
    assert_eq!(good("a: |\n  x\n  ---\n  y\n"), [json!({"a": "x\n---\ny\n"})]);
    assert_eq!(good("a: ---b\n"), [json!({"a": "---b"})]);
    assert_eq!(good("{\"a\":\n\"---\"}"), [json!({"a": "---"})]);
}

#[test]
fn words_stay_words() {
    assert_eq!(good("a: \"nan\"\nb: 'inf'\n"), [json!({"a": "nan", "b": "inf"})]);
    let words = json!({"a": "no", "b": "on", "c": "0x", "d": "2026-11-20", "e": true, "f": 1.5, "g": null});
    assert_eq!(good("a: no\nb: on\nc: 0x\nd: 2026-11-20\ne: true\nf: 1.5\ng:\n"), [words]);
    assert_eq!(good("base: &x {k: 1}\nuse: *x\n"), [json!({"base": {"k": 1}, "use": {"k": 1}})]);
}

#[test]
fn one_broken_document_hides_no_other() {
    let documents = read("a: 1\n---\nb: [1,\n---\nc: 3\n---\nd: \"x\n", false);
    let fine: Vec<bool> = documents.iter().map(Result::is_ok).collect();
    assert_eq!(fine, [true, false, true, false]);
    assert!(documents[1].as_ref().is_err_and(|error| error.contains("at line ")), "{documents:?}");
    let json = read("{\"a\":1}\n{\"b\":", true);
    assert!(json[0].is_ok() && json[1].is_err());
}

#[test]
fn an_unreadable_document_is_refused_with_line_and_reason() {
    for (text, expected) in [
        ("a: 1\na: 2\n", "at line 2, column 1: the member \"a\" stands twice"),
        ("x: 1\n---\n\n{\"a\": 1, \"a\": 2}\n", "at line 4"),
        ("a: {b: 1", "is not YAML"),
        ("a: \"b", "is not YAML"),
        ("a: [1, 2\nb: 3\n", "is not YAML"),
        ("a: *nowhere\n", "unknown anchor"),
        ("a:\n\tb: 1\n", "is not YAML"),
        ("a: 1\n b: 2\n", "is not YAML"),
        ("a: 1\n]\n", "is not YAML"),
        ("a: \"x\\0y\"\n", "holds a NUL character"),
        ("a: nan\n", "reads as a number that is not finite (.nan): put it in quotation marks"),
        ("a: -Infinity\n", "reads as a number that is not finite (-.inf)"),
        ("a: 1e400\n", "reads as a number that is not finite (.inf)"),
        ("{null: a}\n", "the name of a member must be a text, not null"),
        ("{[a]: b}\n", "there must be a string scalar here"),
    ] {
        let error = bad(text, false);
        assert!(error.contains(expected), "{text:?}: {error}");
    }
    for (text, expected) in [
        ("{\"a\": 1, \"a\": 2}", "the member \"a\" stands twice"),
        ("{\"a\": ", "is not JSON that can be read, at line 1, column 6: EOF while parsing a value"),
        ("\n\n{\"a\": x}", "is not JSON that can be read, at line 3, column 7: expected value"),
        ("a: 1", "is not JSON"),
        ("{\"a\": 1e999}", "number out of range"),
    ] {
        let error = bad(text, true);
        assert!(error.contains(expected), "{text:?}: {error}");
    }
}

#[test]
fn a_flood_of_documents_is_refused() {
    for text in ["---\n".repeat(MAX_DOCUMENTS * 2), "{}".repeat(MAX_DOCUMENTS * 2)] {
        let documents = read(&text, false);
        assert_eq!(documents.len(), MAX_DOCUMENTS + 1);
        let last = documents.last().and_then(|last| last.clone().err()).unwrap_or_default();
        assert!(last.contains("more than 100000 documents"), "{last}");
    }
}

#[test]
fn bombs_are_refused_early() {
    let laughs: String = (0..30)
        .map(|level| match level {
            0 => "a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned(),
            _ => format!("a{level}: &a{level} [{}]\n", vec![format!("*a{}", level - 1); 9].join(", ")),
        })
        .collect();
    let merges: String = (0..30)
        .map(|level| match level {
            0 => "a0: &a0 {k: v}\n".to_owned(),
            _ => format!("a{level}: &a{level} {{x{level}: *a{0}, y{level}: *a{0}}}\n", level - 1),
        })
        .collect();
    let nested_by_aliases: String = (1..100)
        .fold("a0: &a0 []\n".to_owned(), |text, level| format!("{text}a{level}: &a{level} [*a{}]\n", level - 1));
    let long = format!("a: &a \"{}\"\nb: [{}]\n", "x".repeat(1 << 20), vec!["*a"; 20].join(", "));
    let wide = "[a,".repeat(200_000);
    for (text, expected) in [
        (laughs.as_str(), "aliases expand to more than 100000 values"),
        (&merges, "aliases expand to more than 100000 values"),
        (&nested_by_aliases, "nested deeper than 32 levels"),
        (&long, "longer than 16 MiB"),
        (&"[".repeat(100_000), "nested deeper than 32 levels"),
        (&"{a: ".repeat(100_000), "nested deeper than 32 levels"),
        (&"- ".repeat(100_000), "nested deeper than 32 levels"),
        (&"? ".repeat(100_000), "nested deeper than 32 levels"),
        (&wide, "nested deeper than 32 levels"),
        (&"{\"a\":".repeat(100_000), "nested deeper than 32 levels"),
        (&format!("- [x{}]", ",1".repeat(MAX_VALUES)), "more than 2000000 values"),
        (&"- 1\n".repeat(MAX_VALUES), "more than 2000000 values"),
    ] {
        let error = bad(text, false);
        assert!(error.contains(expected), "{text:.40}: {error}");
    }
}

#[test]
fn the_values_of_a_file_are_bounded() {
    // Each document has room, three of them do not.
    let list = format!("[{}0]", "0,".repeat(MAX_VALUES / 2));
    let yaml = format!("---\n[{}0]\n", "0, ".repeat(MAX_VALUES / 2));
    for (text, json) in [(list.repeat(9), true), (yaml.repeat(9), false)] {
        let documents = read(&text, json);
        assert_eq!(documents.len(), 4, "{:?}", documents.last().map(|it| it.as_ref().err()));
        assert!(documents[..3].iter().all(Result::is_ok));
        let error = documents[3].as_ref().expect_err("refused");
        assert!(error.contains("the file holds more than 4000000 values"), "{error}");
    }
}
