//! `underlay query`: sends any operation to the GraphQL API and prints the answer.

use std::io::{self, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Map, Value};
use underlay_client::{Client, ClientError, GraphqlError};

use super::exit::{EXIT_CODES, Exit};
use super::output::printed;
use super::server;
use super::show::{escaped, pretty};
use super::target::ServerAccess;
use underlay_kit::{line, printable};

/// The maximum length of a file in bytes: longer than any operation that a server accepts.
const FILE_BYTES: u64 = 32 << 20;

const AFTER_HELP: &str = "\
The data is printed as JSON, over several lines in a terminal and on one otherwise; errors go to standard error. An \
operation is sent once: give mutations a requestId before you repeat them.

Examples:
  underlay query racks.graphql --var site=ams1 --var 'first=10'
  echo '{ revision }' | underlay query -";

#[derive(Debug, Args)]
#[command(after_help = format!("{AFTER_HELP}\n\n{EXIT_CODES}"))]
pub struct Arguments {
    /// The file with the operation, or - for standard input.
    #[arg(value_name = "FILE|-")]
    file: PathBuf,
    /// A variable as JSON; a value that is not JSON is a text. Can be given several times.
    #[arg(long = "var", value_name = "NAME=JSON", value_parser = variable)]
    variables: Vec<(String, Value)>,
    /// A file with a JSON object of variables; --var takes precedence.
    #[arg(long = "variables", value_name = "FILE")]
    file_of_variables: Option<PathBuf>,
    /// The name of the operation to run, if the file has several.
    #[arg(long, value_name = "NAME")]
    operation: Option<String>,
}

fn variable(text: &str) -> Result<(String, Value), String> {
    let (name, value) = text.split_once('=').filter(|(name, _)| !name.is_empty()).ok_or("write NAME=JSON")?;
    let value = serde_json::from_str(value).unwrap_or_else(|_| Value::String(value.to_owned()));
    Ok((name.trim_start_matches('$').to_owned(), value))
}

pub(super) fn run(arguments: Arguments, server: ServerAccess) -> Exit {
    let read = read(&arguments.file).and_then(|query| Ok((query, variables(&arguments)?)));
    let (query, variables) = match read {
        Ok(read) => read,
        Err(reason) => {
            eprintln!("error: {}", printable(&reason));
            return Exit::Failed;
        }
    };
    server::talk(server, async |client| match ask(&client, &query, variables, arguments.operation.as_deref()).await {
        Ok(exit) => exit,
        Err(error) => server::explain(&error),
    })
}

fn read(file: &Path) -> Result<String, String> {
    let mut text = String::new();
    let read = if file.as_os_str() == "-" {
        io::stdin().lock().take(FILE_BYTES + 1).read_to_string(&mut text)
    } else {
        std::fs::File::open(file).and_then(|opened| opened.take(FILE_BYTES + 1).read_to_string(&mut text))
    };
    let name = if file.as_os_str() == "-" { "standard input".into() } else { file.display().to_string() };
    match read {
        Err(error) => Err(format!("{name} cannot be read: {error}")),
        Ok(length) if length as u64 > FILE_BYTES => Err(format!("{name} is longer than {FILE_BYTES} bytes")),
        Ok(_) => Ok(text),
    }
}

fn variables(arguments: &Arguments) -> Result<Map<String, Value>, String> {
    let mut variables = match &arguments.file_of_variables {
        None => Map::new(),
        Some(file) => serde_json::from_str(&read(file)?)
            .map_err(|error| format!("{} is no JSON object of variables: {error}", file.display()))?,
    };
    variables.extend(arguments.variables.iter().cloned());
    Ok(variables)
}

async fn ask(
    client: &Client,
    query: &str,
    variables: Map<String, Value>,
    operation: Option<&str>,
) -> Result<Exit, ClientError> {
    let answer = client.ask(query, variables.into(), operation).await?;
    let mut out = io::stdout();
    let text = match out.is_terminal() {
        true => pretty(&answer.data, 0),
        false => escaped(&answer.data.to_string()),
    };
    let shown = if answer.data.is_null() { Ok(()) } else { writeln!(out, "{text}") };
    for error in &answer.errors {
        eprintln!("error: {}", describe(error));
    }
    let exit = printed(shown).exit();
    Ok(if answer.errors.is_empty() { exit } else { Exit::Failed })
}

/// Formats an error with its code and the position in the answer that it left empty.
fn describe(error: &GraphqlError) -> String {
    let code = error.code().map(|code| format!(" ({code})")).unwrap_or_default();
    let steps = error.path.iter().map(|step| step.as_str().map_or_else(|| step.to_string(), str::to_owned));
    let path = steps.collect::<Vec<_>>().join(".");
    let prefix = if path.is_empty() { String::new() } else { format!("{path}: ") };
    line(&format!("{prefix}{}{code}", error.message))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn variables_are_json_or_text() {
        for (text, expected) in [
            ("first=10", ("first", json!(10))),
            ("site=ams1", ("site", json!("ams1"))),
            ("$site=\"10\"", ("site", json!("10"))),
            ("a={\"b\": [1]}", ("a", json!({"b": [1]}))),
            ("a=b=c", ("a", json!("b=c"))),
            ("a=", ("a", json!(""))),
        ] {
            assert_eq!(variable(text), Ok((expected.0.to_owned(), expected.1)));
        }
        assert!(variable("a").is_err() && variable("=1").is_err());
    }
}
