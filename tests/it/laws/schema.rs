//! The schema as text: the file in the repository, descriptions and names.

use async_graphql::Positioned;
use async_graphql::parser::types::{TypeDefinition, TypeKind};

use super::sdl::{Sdl, definitions};
use super::source::repository;

/// Words for which the vocabulary has another one.
const NOT_OURS: [&str; 12] = [
    "entity",
    "resource",
    "record",
    "relation",
    "relationship",
    "owner",
    "uuid",
    "transaction",
    "commit",
    "audit",
    "tag",
    "tags",
];
/// Names of the outside world that have such a word in them, or such fields by their types.
const OUTSIDE_NAMES: [&str; 8] = [
    "AnswerBootInput.uuid",
    "assetTag",
    "ASSET_TAG",
    "FactsGpu.uuid",
    "FactsSystem.uuid",
    "HostBootFacts.uuid",
    "HostSeenIdentity.uuid",
    "HostSeenIdentityInput.uuid",
];

#[test]
fn the_file_is_what_the_code_exports() {
    let file = std::fs::read_to_string(repository().join("schema.graphql")).expect("read schema.graphql");
    let code = underlay_server::api::text();
    let differs = file.lines().zip(code.lines()).position(|(file, code)| file != code);
    let line = differs.unwrap_or_else(|| file.lines().count().min(code.lines().count())) + 1;
    assert!(file == code, "schema.graphql is old from line {line}; renew it: cargo run -- schema > schema.graphql");
}

#[test]
fn everything_has_a_description() {
    let sdl = Sdl::of_the_code();
    let mut missing = Vec::new();
    for_each_name(&sdl, &mut |path, description| {
        if description.is_none_or(|text| text.trim().is_empty()) {
            missing.push(path.to_owned());
        }
    });
    assert!(missing.is_empty(), "without a description: {missing:#?}");
}

/// The scalars of the schema besides those of the specification of GraphQL.
const SCALARS: [&str; 12] = [
    "ChangeCursor",
    "Date",
    "DateTime",
    "JSON",
    "LabelSelector",
    "Labels",
    "Long",
    "MAC",
    "Revision",
    "Secret",
    "TextMap",
    "URL",
];
/// The beginnings of the addresses of real specifications.
const SPECIFICATIONS: [&str; 2] = ["https://datatracker.ietf.org/doc/html/rfc", "https://kubernetes.io/docs/"];

#[test]
fn every_scalar_says_what_specifies_it() {
    let text = underlay_server::api::text();
    let scalars = text.lines().filter_map(|line| line.strip_prefix("scalar "));
    let scalars: Vec<(&str, &str)> = scalars.map(|line| line.split_once(' ').unwrap_or((line, ""))).collect();
    assert_eq!(scalars.iter().map(|(name, _)| *name).collect::<Vec<_>>(), SCALARS);
    let docs = std::fs::read_to_string(repository().join("docs/api.md")).expect("read docs/api.md");
    for (name, directive) in scalars {
        let url = directive.strip_prefix("@specifiedBy(url: \"").and_then(|url| url.strip_suffix("\")"));
        let url = url.unwrap_or_else(|| panic!("{name} has no @specifiedBy: {directive}"));
        // What has no specification elsewhere has a section in the documents of the repository.
        let own = url == format!("docs/api.md#{}", name.to_lowercase()) && docs.contains(&format!("\n### {name}\n"));
        assert!(own || SPECIFICATIONS.iter().any(|begin| url.starts_with(begin)), "{name}: {url}");
    }
    // Descriptions of the library say how it is implemented.
    for words in ["Implement the", "A scalar that can represent"] {
        assert!(!text.contains(words), "{words}");
    }
}

#[test]
fn kinds_have_the_right_article() {
    let sdl = Sdl::of_the_code();
    let kinds = underlay_kinds::registry();
    let wrong = kinds.kinds().filter(|kind| kind.name.starts_with(['A', 'E', 'I', 'O'])).map(|kind| kind.name);
    let wrong: Vec<String> = wrong.flat_map(|name| [format!("a {name}"), format!("A {name}")]).collect();
    for_each_name(&sdl, &mut |path, description| {
        let text = description.unwrap_or_default();
        assert!(!wrong.iter().any(|words| text.contains(words)), "{path}: {text}");
    });
}

#[test]
fn names_follow_the_conventions_and_the_vocabulary() {
    let sdl = Sdl::of_the_code();
    let mut wrong = Vec::new();
    for_each_name(&sdl, &mut |path, _| {
        let name = path.rsplit('.').next().unwrap_or(path);
        let first = name.chars().next().unwrap_or_default();
        let is_type = !path.contains('.');
        let is_word = matches!(sdl.ty(path.split('.').next().unwrap_or(path)).kind, TypeKind::Enum(_)) && !is_type;
        let fits = match (is_type, is_word) {
            (true, _) => first.is_ascii_uppercase() && name.chars().all(|it| it.is_ascii_alphanumeric()),
            (_, true) => name.chars().all(|it| it.is_ascii_uppercase() || it.is_ascii_digit() || it == '_'),
            _ => first.is_ascii_lowercase() && name.chars().all(|it| it.is_ascii_alphanumeric()),
        };
        let is_outside = OUTSIDE_NAMES.contains(&name) || OUTSIDE_NAMES.contains(&path);
        let ours = is_outside || words(name).iter().all(|word| !NOT_OURS.contains(&word.as_str()));
        if !fits || !ours {
            wrong.push(path.to_owned());
        }
    });
    assert!(wrong.is_empty(), "names in another form, or with words that are not of the vocabulary: {wrong:#?}");
}

#[test]
fn mutations_are_nullable_and_can_be_repeated() {
    // `releaseSource` may write many batches; fields that are released already are not released again. A call for a run
    // is judged by the state of the run: a repeat is answered with the run, or refused with its state, and changes
    // nothing. A repeated `startRun` names the full run that is running already. A holder that takes its lease again
    // keeps its epoch, and a lease is renewed and released only under the epoch of its holder. A repeated report is
    // refused, because the host changed; what is a host already is not enlisted again; and observe only is set or not.
    // Strays take the place of those that were reported before. A secret that is set again is equal, and one that was
    // encrypted anew is not touched again. Of the tokens that were issued for an agent, only the last one is accepted, and
    // one that was revoked stays so. A token of an enrolment whose answer was lost is of no use to anybody, and ends; the
    // server cannot tell its secret again.
    const REPEAT_BY_THEMSELVES: [&str; 29] = [
        "answerBoot",
        "closeBootAttempt",
        "openBootAttempt",
        "reportBoot",
        "issueAgentToken",
        "issueEnrolmentToken",
        "revokeAgentToken",
        "revokeEnrolmentToken",
        "setSecrets",
        "rotateSecrets",
        "releaseSource",
        "startRun",
        "reportRun",
        "settleRun",
        "finishRun",
        "cancelRun",
        "approveRun",
        "rejectRun",
        "takeLeases",
        "renewLeases",
        "releaseLeases",
        "reportHardware",
        "reportHosts",
        "observeHosts",
        "resumeHosts",
        "acceptClock",
        "enlistAppliance",
        "enlistHosts",
        "reportStrays",
    ];
    let sdl = Sdl::of_the_code();
    for (name, field) in sdl.fields("Mutation") {
        assert!(!field.ty.ends_with('!'), "{name} takes its siblings' results with it when it fails");
        let has = |list: &[(String, String)]| list.contains(&("requestId".to_owned(), "String".to_owned()));
        let in_input = field.arguments.iter().any(|(argument, ty)| {
            argument == "input" && has(&sdl.members(ty.trim_end_matches('!')).into_iter().collect::<Vec<_>>())
        });
        assert!(
            has(&field.arguments) || in_input || REPEAT_BY_THEMSELVES.contains(&name.as_str()),
            "{name} has no requestId"
        );
    }
}

/// Calls back with every name in the schema (`Rack`, `Rack.name`, `Rack.ports.first`) and its description.
fn for_each_name(sdl: &Sdl, visit: &mut dyn FnMut(&str, Option<&str>)) {
    for (name, definition) in sdl.types() {
        visit(name, text(definition.description.as_ref()));
        for field in definitions(definition) {
            let path = format!("{name}.{}", field.node.name);
            visit(&path, text(field.node.description.as_ref()));
            for argument in &field.node.arguments {
                visit(&format!("{path}.{}", argument.node.name), text(argument.node.description.as_ref()));
            }
        }
        for (member, description) in members(definition) {
            visit(&format!("{name}.{member}"), description);
        }
    }
}

/// Input fields and enum values.
fn members(definition: &TypeDefinition) -> Vec<(&str, Option<&str>)> {
    match &definition.kind {
        TypeKind::Enum(list) => {
            list.values.iter().map(|it| (it.node.value.node.as_str(), text(it.node.description.as_ref()))).collect()
        }
        TypeKind::InputObject(input) => {
            input.fields.iter().map(|it| (it.node.name.node.as_str(), text(it.node.description.as_ref()))).collect()
        }
        TypeKind::Object(_) | TypeKind::Interface(_) | TypeKind::Scalar | TypeKind::Union(_) => Vec::new(),
    }
}

fn text(description: Option<&Positioned<String>>) -> Option<&str> {
    description.map(|it| it.node.as_str())
}

/// The words of a name, in small letters: `externalRef` has two.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut after_capital = true;
    for character in name.chars() {
        let capital = character.is_ascii_uppercase();
        if words.is_empty() || character == '_' || (capital && !after_capital) {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| character != '_') {
            word.push(character.to_ascii_lowercase());
        }
        after_capital = capital;
    }
    words
}
