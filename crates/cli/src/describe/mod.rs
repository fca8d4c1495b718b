//! `underlay describe`: shows an object with all its fields, its neighbours and its recent changes.
//!
//! The request and the output are derived from the schema and the descriptions of the kinds, so a new field or kind
//! needs no change here.

mod history;
mod runs;
mod sections;

use std::io::{self, Write};

use clap::Args;
use clap_complete::ArgValueCompleter;
use serde::Deserialize;
use serde_json::{Value, json};
use underlay_client::Client;

use super::complete;
use super::exit::Exit;
use super::object::{FindError, Object, ObjectName, find, plural};
use super::output::{Printed, printed};
use super::server;
use super::show::{HEADING, of_word, time};
use super::target::ServerAccess;
pub(super) use history::{author, difference};
use sections::Sections;

#[derive(Debug, Args)]
pub struct Arguments {
    /// The objects to show: KIND/NAME with as many parents as are needed, such as rack/ams1/A14, or an id.
    #[arg(required = true, value_name = "OBJECT", add = ArgValueCompleter::new(complete::objects))]
    objects: Vec<ObjectName>,
}

#[derive(Deserialize)]
struct DescribeData {
    found: Nodes,
}

#[derive(Deserialize)]
struct Nodes {
    nodes: Vec<Value>,
}

pub(super) fn run(arguments: Arguments, server: ServerAccess) -> Exit {
    server::talk(server, async |client| match describe_all(&client, &arguments.objects).await {
        Ok(exit) => exit,
        Err(error) => error.explain(),
    })
}

async fn describe_all(client: &Client, names: &[ObjectName]) -> Result<Exit, FindError> {
    for (index, name) in names.iter().enumerate() {
        let object = find(client, name).await?;
        let sections = Sections::of(object.kind);
        let answer: DescribeData = client.query(&query(&object, &sections), json!({ "id": object.id })).await?;
        // The object can be deleted after it was found.
        let gone = || FindError::NotFound { name: name.to_string() };
        let found = answer.found.nodes.first().ok_or_else(gone)?;
        let mut out = anstream::stdout().lock();
        let blank = if index > 0 { writeln!(out) } else { Ok(()) };
        match printed(blank.and_then(|()| print(&object, &sections, found, &mut out))) {
            Printed::Whole => {}
            ended => return Ok(ended.exit()),
        }
    }
    Ok(Exit::Done)
}

fn query(object: &Object, sections: &Sections) -> String {
    format!(
        "query($id: ID!) {{ found: {}(first: 1, filter: {{id: {{eq: $id}}}}) {{ nodes {{ \
           id version createdAt updatedAt {} {} {} }} }} }}",
        plural(object.kind),
        sections.selection(),
        runs::selection(object.kind),
        history::SELECTION
    )
}

fn print(object: &Object, sections: &Sections, found: &Value, out: &mut dyn Write) -> io::Result<()> {
    let word = found["status"].as_str().unwrap_or_default();
    let style = of_word(word);
    write!(out, "{HEADING}{}{HEADING:#}", object.path)?;
    if word.is_empty() {
        writeln!(out)?
    } else {
        writeln!(out, "  {style}{word}{style:#}")?
    }
    let version = found["version"].as_i64().unwrap_or(object.version);
    writeln!(out, "{}, version {version}", object.id)?;
    writeln!(out, "created {}, changed {}", time(&found["createdAt"]), time(&found["updatedAt"]))?;
    sections.print(found, out)?;
    runs::print(found, out)?;
    history::print(object.kind, found, out)
}
