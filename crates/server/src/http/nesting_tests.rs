//! Tests that the counts of a text are at least those of the parser.

use async_graphql::parser::parse_query;
use async_graphql::parser::types::{
    BaseType, Directive, ExecutableDocument, OperationDefinition, Selection, SelectionSet, Type,
};
use async_graphql::{Name, Positioned, Value};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::*;

const MANY_BRACKETS: usize = 1 << 20;

fn sizes(text: &str) -> Text {
    look(text, MANY_BRACKETS).unwrap_or_else(|excess| panic!("{text}: {excess}"))
}

fn is_too_deep(text: &str) -> bool {
    look(text, MANY_BRACKETS) == Err(Excess::TooDeep)
}

#[test]
fn tokens_are_words_strings_and_punctuation() {
    for (text, tokens) in [
        ("", 0),
        (" ,\n\t# a comment { of words\n", 0),
        ("{ a }", 3),
        ("query Q($n: Int = 12) { a(n: $n, s: \"x y\") @skip(if: true) { b_1 } }", 32),
        ("\"\"\"a block \" of { words\"\"\"", 1),
        ("aaaa bbbb", 2),
        ("{{{{", 4),
        ("{ a(x: -1.5e3) ...F }", 10),
        ("[truefalsenull-1.5]", 6),
        ("[true1.5 nullab]", 6),
        ("{ true1ab }", 3),
    ] {
        assert_eq!(sizes(text).tokens, tokens, "{text}");
    }
    assert_eq!(look("{ a b }", 3), Err(Excess::TooLong { most: 3 }));
}

#[test]
fn brackets_count_where_they_nest() {
    let deep = "{a:".repeat(MAX_BRACKET_DEPTH);
    assert!(!is_too_deep(&deep));
    assert!(is_too_deep(&format!("{deep}[")));
    assert!(is_too_deep(&format!("{deep}\"}}\"(")), "a bracket in a string closes nothing");
    assert!(is_too_deep(&format!("{deep} # }}\n(")), "nor one in a comment");
    assert!(!is_too_deep(&"{a(b: [1])}".repeat(10_000)), "beside each other they do not nest");
}

#[test]
fn brackets_in_strings_and_comments_do_not_count() {
    let many = "({[".repeat(MAX_BRACKET_DEPTH);
    for text in [
        format!("\"{many}\""),
        format!("\"\\\"{many}\""),
        format!("\"\"\"{many} \" {many}\"\"\""),
        format!("\"\"\"\\\"\"\"{many}\"\"\""),
        format!("# {many}"),
        format!("# {many}\r# {many}\r\n"),
    ] {
        assert!(!is_too_deep(&text), "{text}");
    }
}

#[test]
fn brackets_cannot_be_hidden_from_the_parser() {
    let many = "[".repeat(2_000);
    for text in [
        format!("{{ a(x: #\r{many}"),
        format!("{{ a(x: [\"\"\"\\\\\"\"\" \"\"\" {many}"),
        format!("{{ a(x: [ \"\" {many}"),
        format!("{{ a(x: #\u{2028}\n{many}"),
        format!("{{ a(x: \u{feff}{many}"),
        format!("{{ a(x: [true1.5 {many}"),
        format!("{{ a(x: [nullfalse2e1 {many}"),
    ] {
        assert!(look(&text, MANY_BRACKETS).is_err(), "{text}");
    }
    for (text, column) in [(format!("{{ a(x: [\"\"\"b\" {many}"), 9), ("{ a(x: \"b\n\") }".to_owned(), 8)] {
        let excess = look(&text, MANY_BRACKETS).expect_err("a string that does not end");
        assert_eq!(excess, Excess::Unclosed(Pos { line: 1, column }), "{text}");
    }
    let second = look("{ a(x: 1)\r\n b(y: \"\"\"c", MANY_BRACKETS);
    assert_eq!(second, Err(Excess::Unclosed(Pos { line: 2, column: 7 })));
}

#[test]
fn no_name_is_longer_than_any_that_is_known() {
    let (longest, longer) = ("n".repeat(MAX_NAME_BYTES), "n".repeat(MAX_NAME_BYTES + 1));
    assert_eq!(sizes(&format!("{{ {longest} {longest} }}")).tokens, 4);
    let refused = look(&format!("{{ a\n {longer} }}"), MANY_BRACKETS);
    assert_eq!(refused, Err(Excess::LongName(Pos { line: 2, column: 2 })));
    for text in [format!("query {longer} {{ a }}"), format!("{{ a(b: ${longer}) }}"), format!("{{ a @{longer} }}")] {
        assert!(matches!(look(&text, MANY_BRACKETS), Err(Excess::LongName(_))), "{text}");
    }
    let elsewhere = format!("{{ a(b: \"{longer}\") }} # {longer}");
    assert_eq!(sizes(&elsewhere).tokens, 8, "a string or a comment is no name");
}

/// The depth of the brackets of a document, and the least number of its tokens.
#[derive(Default)]
struct Made {
    deepest: usize,
    tokens: usize,
}

impl Made {
    fn document(document: &ExecutableDocument) -> Self {
        let mut made = Self::default();
        document.operations.iter().for_each(|(_, operation)| made.operation(&operation.node));
        for fragment in document.fragments.values() {
            made.directives(&fragment.node.directives, 0);
            made.selections(&fragment.node.selection_set.node, 0);
        }
        made
    }

    fn at(&mut self, depth: usize) {
        self.tokens += 1;
        self.deepest = self.deepest.max(depth);
    }

    fn operation(&mut self, operation: &OperationDefinition) {
        for variable in &operation.variable_definitions {
            self.of_type(&variable.node.var_type.node, 1);
            let default = variable.node.default_value.as_ref();
            default.into_iter().for_each(|default| self.value(&default.node, 1));
        }
        self.directives(&operation.directives, 0);
        self.selections(&operation.selection_set.node, 0);
    }

    fn selections(&mut self, set: &SelectionSet, depth: usize) {
        for item in &set.items {
            self.at(depth + 1);
            self.directives(item.node.directives(), depth + 1);
            match &item.node {
                Selection::Field(field) => {
                    for (_, value) in &field.node.arguments {
                        self.argument(value.node.clone().into_const_with(nothing), depth + 1);
                    }
                    self.selections(&field.node.selection_set.node, depth + 1);
                }
                Selection::InlineFragment(inline) => self.selections(&inline.node.selection_set.node, depth + 1),
                Selection::FragmentSpread(_) => {}
            }
        }
    }

    fn directives(&mut self, directives: &[Positioned<Directive>], depth: usize) {
        for (_, value) in directives.iter().flat_map(|directive| &directive.node.arguments) {
            self.argument(value.node.clone().into_const_with(nothing), depth);
        }
    }

    fn argument(&mut self, value: Result<Value, ()>, depth: usize) {
        self.value(&value.expect("every variable has a value"), depth + 1);
    }

    fn value(&mut self, value: &Value, depth: usize) {
        match value {
            Value::List(list) => {
                self.at(depth + 1);
                list.iter().for_each(|value| self.value(value, depth + 1));
            }
            Value::Object(members) => {
                self.at(depth + 1);
                members.values().for_each(|value| self.value(value, depth + 1));
            }
            _ => self.at(depth),
        }
    }

    fn of_type(&mut self, of: &Type, depth: usize) {
        match &of.base {
            BaseType::Named(_) => self.at(depth),
            BaseType::List(inner) => self.of_type(inner, depth + 1),
        }
    }
}

/// The value that stands for a variable.
fn nothing(_: Name) -> Result<Value, ()> {
    Ok(Value::Null)
}

/// Pieces of which readers of text may think differently where they begin and end.
fn pieces() -> impl Strategy<Value = String> {
    let tricks = select(vec![
        "\"", "\"\"", "\"\"\"", "\"\"\"\"", "\\", "\\\"", "\\\\", "\\\"\"\"", "\\u00e9", "#", "\r", "\n", "\r\n", " ",
        ",", "\u{feff}", "\u{2028}", "\t", "[", "]", "[]", "{", "}", "{a:1}", "(", ")", "a", "$v", "-0", "1.5", "01",
        "true", "...", ":", "=", "!", "@d", "é",
    ]);
    vec(tricks, 0..10).prop_map(|pieces| pieces.concat())
}

/// Values that nest, with the pieces in strings, comments and between them.
fn values() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("1".to_owned()),
        pieces(),
        pieces().prop_map(|text| format!("\"{text}\"")),
        pieces().prop_map(|text| format!("\"\"\"{text}\"\"\"")),
        pieces().prop_map(|text| format!("#{text}\r")),
        pieces().prop_map(|text| format!("#{text}\n")),
    ];
    leaf.prop_recursive(12, 40, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(|all| format!("[{}]", all.join(" "))),
            inner.clone().prop_map(|one| format!("{{a:{one}}}")),
            (inner.clone(), inner).prop_map(|(one, two)| format!("[{one}][{two}]")),
        ]
    })
}

fn documents() -> impl Strategy<Value = String> {
    (values(), values(), pieces(), 0..4_usize).prop_map(|(one, two, between, form)| match form {
        0 => format!("{{ a(x: [{one}]) {{ b @d(y: [{two}]) }} }}"),
        1 => format!("query($v: [[Int]] = [{one}]) {{ a(x: [{two}]) }}"),
        2 => format!("{{ a(x: [{one}]) }} {between} fragment F on T {{ b(y: [{two}]) }}"),
        _ => format!("{{ a(x: [{one}]) {between} b }}"),
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_parser_makes_no_more_than_was_seen(text in documents()) {
        match (look(&text, MANY_BRACKETS), parse_query(&text)) {
            (Ok(seen), Ok(document)) => {
                let made = Made::document(&document);
                prop_assert!(made.deepest <= seen.depth && made.tokens <= seen.tokens, "{}: {:?}", text, seen);
            }
            (Err(Excess::TooDeep | Excess::TooLong { .. }), _) => prop_assert!(false, "it is small: {}", text),
            // It is refused, or the parser does not take it.
            (Err(Excess::Unclosed(_) | Excess::LongName(_)), _) | (Ok(_), Err(_)) => {}
        }
    }
}

#[test]
fn many_of_the_random_documents_are_parsed() {
    use proptest::strategy::ValueTree as _;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let parsed = (0..1_000).filter(|_| {
        let text = documents().new_tree(&mut runner).expect("a document").current();
        look(&text, MANY_BRACKETS).is_ok() && parse_query(&text).is_ok()
    });
    let parsed = parsed.count();
    assert!(parsed > 50, "{parsed} of 1000");
}
