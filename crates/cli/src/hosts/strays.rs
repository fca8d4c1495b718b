//! The part of `underlay hosts status` about strays: what exists at provisioners and is no host.

use std::io::Write as _;

use serde::Deserialize;
use serde_json::json;
use underlay_client::{Client, ClientError};
use underlay_error::Code;
use underlay_kit::line;

use crate::exit::Exit;
use crate::output::printed;
use crate::show::{Cell, Table, instant};

/// The query for strays.
pub(super) const STRAYS: &str =
    "{ strays { provisioner site { name } seenAt total strays { name host address uid since } } }";

#[derive(Deserialize)]
struct StraysData {
    strays: Vec<ProvisionerStrays>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ProvisionerStrays {
    provisioner: String,
    site: Option<SiteName>,
    seen_at: String,
    total: usize,
    strays: Vec<Stray>,
}

#[derive(Deserialize)]
struct SiteName {
    name: String,
}

impl ProvisionerStrays {
    /// Returns the name of the provisioner, with its site.
    fn title(&self) -> String {
        match &self.site {
            Some(site) => format!("{} at {}", line(&self.provisioner), line(&site.name)),
            None => line(&self.provisioner),
        }
    }
}

#[derive(Deserialize)]
struct Stray {
    name: String,
    host: Option<String>,
    address: Option<String>,
    uid: Option<String>,
    since: String,
}

/// Prints the strays of all provisioners, if the caller may see them.
///
/// # Errors
/// Returns an error if the server does not answer.
pub(super) async fn show(client: &Client) -> Result<Exit, ClientError> {
    let found: StraysData = match client.query(STRAYS, json!({})).await {
        Ok(found) => found,
        Err(error) if error.has_code(Code::Forbidden.as_str()) => {
            eprintln!("note: strays are shown to operators and administrators");
            return Ok(Exit::Done);
        }
        Err(error) => return Err(error),
    };
    let listed: Vec<&ProvisionerStrays> = found.strays.iter().filter(|it| it.total > 0).collect();
    if listed.is_empty() {
        eprintln!("no controller saw anything at a provisioner that is no host");
        return Ok(Exit::Done);
    }
    for it in &listed {
        let (title, total, seen_at) = (it.title(), it.total, instant(&it.seen_at));
        eprintln!("{title} has {total} that are no hosts, and {} are listed (seen {seen_at})", it.strays.len());
    }
    let rows: Vec<Vec<Cell>> =
        listed.iter().flat_map(|it| it.strays.iter().map(|stray| row(it.title(), stray))).collect();
    let headings = ["STRAY", "PROVISIONER", "ADDRESS", "UID", "OF HOST", "SINCE"];
    let mut table = Table::new(headings.map(str::to_owned).to_vec());
    let mut out = anstream::stdout();
    Ok(printed(table.print(&rows, &mut out).and_then(|()| out.flush())).exit())
}

fn row(provisioner: String, stray: &Stray) -> Vec<Cell> {
    let Stray { name, host, address, uid, since } = stray;
    let or_empty = |text: &Option<String>| text.clone().unwrap_or_default();
    let cells = [name.clone(), provisioner, or_empty(address), or_empty(uid), or_empty(host), instant(since)];
    cells.map(|text| Cell::plain(line(&text))).to_vec()
}
