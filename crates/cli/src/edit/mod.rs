//! `underlay edit`: opens an object as a manifest in the user's editor.
//!
//! The saved manifest is written as a patch, only if the object still has the version that was read. If the server
//! rejects it, the editor opens again with the reason as a comment. The user gives up by saving the text unchanged; the
//! text is then kept in a file.

mod editor;
mod patch;

use std::io::{self, Write};

use clap::Args;
use clap_complete::ArgValueCompleter;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use underlay_client::{Client, ClientError};

use self::editor::{Editor, EditorError};
use super::batch::Conflicts;
use super::complete;
use super::exit::Exit;
use super::kinds::KnownKinds;
use super::manifest::{self, Kinds};
use super::object::{Object, ObjectName, find};
use super::server;
use super::target::ServerAccess;
use underlay_error::Code;
use underlay_kit::{line, printable};

/// The number of times that a rejected text is opened again.
const EDITING_ROUNDS: usize = 20;

#[derive(Debug, Args)]
pub struct Arguments {
    /// The object to edit: rack/ams1/A14, port/leaf-3/Ethernet1, or an id.
    #[arg(value_name = "OBJECT", add = ArgValueCompleter::new(complete::objects))]
    object: ObjectName,
    /// The handling of fields that a source owns. Default: fail.
    #[arg(long, value_enum)]
    conflicts: Option<Conflicts>,
}

pub(super) fn run(arguments: Arguments, server: ServerAccess) -> Exit {
    server::talk(server, async |client| edit(&client, &arguments).await)
}

async fn edit(client: &Client, arguments: &Arguments) -> Exit {
    let object = match find(client, &arguments.object).await {
        Ok(object) => object,
        Err(error) => return error.explain(),
    };
    let kinds = KnownKinds::new();
    let form = kinds.kind(object.kind.name).filter(|form| kinds.names().contains(&form.name));
    let Some(form) = form else {
        eprintln!("error: {} is a part of another object: edit that object instead", object.path);
        return Exit::Failed;
    };
    let (version, item) = match load(client, &object).await {
        Ok(loaded) => loaded,
        Err(error) => return server::explain(&error),
    };
    let editor = match Editor::from_environment() {
        Ok(editor) => editor,
        Err(error) => return failed(&error),
    };
    let original = format!("# {}\n{}", object.path, manifest::yaml(&manifest::manifest(&form, &item, &kinds)));
    let session = Session { client, arguments, kinds: &kinds, object: &object, version, original };
    session.run(editor).await
}

/// Returns the object as an item, and its version.
async fn load(client: &Client, object: &Object) -> Result<(i64, Value), ClientError> {
    #[derive(Deserialize)]
    struct Data {
        node: EditedNode,
    }
    #[derive(Deserialize)]
    struct EditedNode {
        version: i64,
        item: Value,
    }
    let query = "query($id: ID!) { node(id: $id) { ... on Object { version item } } }";
    let data: Data = client.query(query, json!({"id": object.id})).await?;
    Ok((data.node.version, data.node.item))
}

fn failed(error: &EditorError) -> Exit {
    eprintln!("error: {}", printable(&error.to_string()));
    Exit::Failed
}

/// The result of saving a text.
enum Saved {
    /// The text was written, or there was nothing to write.
    Settled(Exit),
    /// The text was rejected, for these reasons.
    Refused(Vec<String>),
    /// The object changed, or the server cannot be reached. Editing the text cannot correct that.
    Hopeless(ClientError),
}

/// An editing session for one object.
struct Session<'a> {
    client: &'a Client,
    arguments: &'a Arguments,
    kinds: &'a KnownKinds,
    object: &'a Object,
    version: i64,
    /// The text when the editor opens first.
    original: String,
}

impl Session<'_> {
    async fn run(&self, mut editor: Editor) -> Exit {
        let mut text = self.original.clone();
        let mut reasons = Vec::new();
        for _ in 0..EDITING_ROUNDS {
            let shown = format!("{}{text}", comments(&reasons));
            let saved = match editor.edit(&shown) {
                Ok(saved) => saved,
                Err(error) => return failed(&error),
            };
            let is_unchanged = saved == shown;
            text = without_comments_of(&reasons, &saved);
            if saved.trim().is_empty() || (is_unchanged && reasons.is_empty()) {
                say("nothing was changed");
                return Exit::Done;
            }
            if is_unchanged {
                break;
            }
            reasons = match self.save(&text).await {
                Saved::Settled(exit) => return exit,
                Saved::Refused(reasons) => reasons,
                Saved::Hopeless(error) => {
                    let exit = server::explain(&error);
                    return self.keep(editor, &text, exit);
                }
            };
        }
        for reason in &reasons {
            eprintln!("error: {}", line(reason));
        }
        self.keep(editor, &text, Exit::Failed)
    }

    fn keep(&self, editor: Editor, text: &str, exit: Exit) -> Exit {
        eprintln!("nothing was written");
        match editor.keep(text) {
            Ok(path) => eprintln!("hint: what you edited is kept in {}", line(&path.to_string_lossy())),
            Err(error) => return failed(&error),
        }
        exit
    }

    async fn save(&self, text: &str) -> Saved {
        let read = |text: &str| manifest::read_from("the manifest", text.as_bytes(), self.kinds);
        let items = match read(text) {
            Ok(items) => items,
            Err(errors) => return Saved::Refused(errors.iter().map(ToString::to_string).collect()),
        };
        let [item] = items.as_slice() else {
            return Saved::Refused(vec![format!("there must be one manifest, not {}", items.len())]);
        };
        // The original is parsed in the same way as the edited text, so that short and long forms compare as equal.
        let before = read(&self.original).ok().and_then(|items| items.into_iter().next());
        let before = before.map_or(Value::Null, |before| before.item);
        let patch = match patch::patch(self.object.kind, &before, &item.item) {
            Ok(patch) => patch,
            Err(error) => return Saved::Refused(vec![error.to_string()]),
        };
        if patch.is_empty() {
            say("nothing was changed");
            return Saved::Settled(Exit::Done);
        }
        match self.write(patch).await {
            Ok(()) => {
                say(&format!("updated {}", self.object.path));
                Saved::Settled(Exit::Done)
            }
            Err(ClientError::Graphql(errors))
                if errors.iter().all(|it| it.code() != Some(Code::StaleVersion.as_str())) =>
            {
                let reasons = errors.iter().map(|error| match error.code() {
                    Some(code) => format!("{} ({code})", error.message),
                    None => error.message.clone(),
                });
                Saved::Refused(reasons.collect())
            }
            Err(error) => Saved::Hopeless(error),
        }
    }

    async fn write(&self, patch: Map<String, Value>) -> Result<(), ClientError> {
        let kind = self.object.kind.name;
        let mutation = format!(
            "mutation($id: ID!, $patch: {kind}Patch!, $version: Revision, $conflicts: ConflictPolicy, $requestId: String) {{
               update{kind}(id: $id, patch: $patch, ifVersion: $version, conflicts: $conflicts, requestId: $requestId) {{
                 revision
               }}
             }}"
        );
        let conflicts = self.arguments.conflicts;
        let variables = |request_id: String| {
            json!({"id": self.object.id, "patch": patch, "version": self.version, "conflicts": conflicts,
                "requestId": request_id})
        };
        self.client.mutate(&mutation, variables).await.map(|_: Value| ())
    }
}

/// Prints what was done. The reader may be gone; it is done nevertheless.
fn say(text: &str) {
    let _ = writeln!(io::stdout(), "{text}");
}

/// Formats reasons as comments above a text.
fn comments(reasons: &[String]) -> String {
    let mut text = String::new();
    for reason in reasons {
        text += &format!("# error: {}\n", line(reason));
    }
    if !reasons.is_empty() {
        text += "# Correct the manifest, or save it unchanged to give up.\n";
    }
    text
}

/// Returns a text without the comments that were added above it.
fn without_comments_of(reasons: &[String], text: &str) -> String {
    text.strip_prefix(&comments(reasons)).unwrap_or(text).to_owned()
}
