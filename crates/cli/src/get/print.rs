//! Prints lists of objects as they are received.

use std::io::{self, IsTerminal, Write};
use std::num::NonZeroUsize;

use anstream::AutoStream;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::{Value, json};
use underlay_client::{Client, Listing, Pages, Total};

use super::ObjectOutput;
use super::lines::Lines;
use super::manifests::{self, Manifests};
use crate::exit::Exit;
use crate::object::{FindError, ObjectPath, listing, plural, selection};
use crate::output::{Printed, printed};
use crate::show::{Column, Table, Width, headings, row, row_selection};
use underlay_inventory::Description;

/// The most objects that a server sorts for a list.
const MAX_SORTED_OBJECTS: u64 = 100_000;

/// Prints objects in one of the formats.
pub(super) struct Printer<'a> {
    client: &'a Client,
    output: ObjectOutput,
    out: AutoStream<io::Stdout>,
}

/// The output for each object.
enum Sink {
    Names,
    Table(Table, Vec<Column>),
    Csv(Lines),
    Manifests(Manifests),
}

impl<'a> Printer<'a> {
    pub(super) fn new(client: &'a Client, output: ObjectOutput) -> Self {
        Self { client, output, out: anstream::stdout() }
    }

    /// Prints the objects of a kind that match a filter.
    pub(super) async fn list(
        &mut self,
        kind: &'static Description,
        filter: Value,
        limit: Option<NonZeroUsize>,
    ) -> Result<Exit, FindError> {
        let mut sink = self.sink(kind, Manifests::json_list);
        let shown = self.pages(kind, filter, limit, &[], &mut sink).await?;
        if matches!(shown, Shown::Nothing) && matches!(sink, Sink::Names | Sink::Table(..)) {
            eprintln!("there are no such {}", plural(kind));
        }
        Ok(self.end(shown, &mut sink))
    }

    /// Prints the named objects, kind by kind, in the order of the names. The objects of a kind fit on a page.
    pub(super) async fn objects(&mut self, groups: &[(&'static Description, Vec<String>)]) -> Result<Exit, FindError> {
        for (kind, _) in groups {
            if let Err(reason) = manifests::check(kind, self.output) {
                eprintln!("error: {reason}");
                return Ok(Exit::Usage);
            }
        }
        let several = groups.iter().any(|(kind, _)| groups.first().is_some_and(|(first, _)| first.id != kind.id));
        if self.output == ObjectOutput::Csv && several {
            eprintln!("error: a table (-o csv) has objects of one kind: name each kind in a command of its own");
            return Ok(Exit::Usage);
        }
        let one = groups.iter().map(|(_, ids)| ids.len()).sum::<usize>() == 1;
        let mut sink: Option<Sink> = None;
        for (kind, ids) in groups {
            let filter = json!({ "id": { "in": ids } });
            // Manifests of several kinds form one stream; each table has its own columns.
            if !matches!(sink, Some(Sink::Manifests(_) | Sink::Csv(_))) {
                if matches!(sink, Some(Sink::Table(..))) && writeln!(self.out).is_err() {
                    return Ok(Exit::Done);
                }
                sink = Some(self.sink(kind, if one { Manifests::json } else { Manifests::json_list }));
            }
            if let Some(sink) = &mut sink
                && let Shown::Failed(exit) = self.pages(kind, filter, None, ids, sink).await?
            {
                return Ok(exit);
            }
        }
        Ok(sink.map_or(Exit::Done, |mut sink| self.end(Shown::Objects, &mut sink)))
    }

    fn sink(&self, kind: &'static Description, json: impl Fn() -> Manifests) -> Sink {
        let table = |width| {
            let columns = Column::all(kind, width);
            Sink::Table(Table::new(headings(&columns)), columns)
        };
        match self.output {
            ObjectOutput::Table => table(Width::Narrow),
            ObjectOutput::Wide => table(Width::Wide),
            ObjectOutput::Csv => Sink::Csv(Lines::of(kind)),
            ObjectOutput::Name => Sink::Names,
            ObjectOutput::Json => Sink::Manifests(json()),
            ObjectOutput::Yaml => Sink::Manifests(Manifests::yaml()),
        }
    }

    /// Prints the objects of a list. The objects of a page are sorted in the order of `ids`.
    async fn pages(
        &mut self,
        kind: &'static Description,
        filter: Value,
        limit: Option<NonZeroUsize>,
        ids: &[String],
        sink: &mut Sink,
    ) -> Result<Shown, FindError> {
        let selection = match sink {
            Sink::Names => selection(kind),
            Sink::Table(_, columns) => row_selection(kind, columns),
            Sink::Csv(_) | Sink::Manifests(_) => manifests::SELECTION.to_owned(),
        };
        let selection = format!("id {selection}");
        let progress = progress(kind);
        let total = if progress.is_hidden() { Total::NotCounted } else { Total::Counted };
        let listing = Listing { order: self.order(kind).await?, ..listing(kind, filter, selection, limit) };
        let mut pages = Pages::of(self.client, listing, total);
        let mut shown = Shown::Nothing;
        while let Some(mut page) = pages.next().await? {
            if let Some(total) = page.total {
                progress.set_length(limit.map_or(total, |limit| total.min(limit.get() as u64)));
            }
            if page.nodes.is_empty() {
                break;
            }
            shown = Shown::Objects;
            page.nodes.sort_by_cached_key(|node| ids.iter().position(|id| node["id"] == **id));
            let written = print(kind, &mut page.nodes, sink, &mut self.out).and_then(|()| self.out.flush());
            match printed(written) {
                Printed::Whole => {}
                Printed::NobodyReads => return Ok(Shown::Failed(Exit::Done)),
                Printed::Failed => return Ok(Shown::Failed(Exit::Failed)),
            }
            progress.inc(page.nodes.len() as u64);
        }
        progress.finish_and_clear();
        Ok(shown)
    }

    /// Returns the order of a list: by path, unless there are more objects of the kind than the server sorts.
    async fn order(&self, kind: &Description) -> Result<Option<&'static str>, FindError> {
        let query = format!("{{ list: {}(first: 0) {{ totalCount }} }}", plural(kind));
        let answer: Value = self.client.query(&query, json!({})).await?;
        let count = answer["list"]["totalCount"].as_u64().unwrap_or(u64::MAX);
        Ok((count <= MAX_SORTED_OBJECTS).then_some("PATH"))
    }

    fn end(&mut self, shown: Shown, sink: &mut Sink) -> Exit {
        if let Shown::Failed(exit) = shown {
            return exit;
        }
        let ended = match sink {
            Sink::Manifests(manifests) => manifests.end(&mut self.out),
            Sink::Csv(lines) => lines.end(),
            Sink::Names | Sink::Table(..) => Ok(()),
        };
        printed(ended.and_then(|()| self.out.flush())).exit()
    }
}

/// The result of printing a list.
enum Shown {
    Nothing,
    Objects,
    /// Printing ended early.
    Failed(Exit),
}

fn print(kind: &'static Description, nodes: &mut [Value], sink: &mut Sink, out: &mut dyn Write) -> io::Result<()> {
    match sink {
        Sink::Names => nodes.iter().try_for_each(|node| writeln!(out, "{}", ObjectPath::read(kind, node))),
        Sink::Table(table, columns) => {
            let rows: Vec<_> = nodes.iter().map(|node| row(kind, columns, node)).collect();
            table.print(&rows, out)
        }
        Sink::Csv(lines) => nodes.iter_mut().try_for_each(|node| lines.print(node)),
        Sink::Manifests(manifests) => nodes.iter().try_for_each(|node| manifests.print(kind, node, out)),
    }
}

/// Shows the progress to people who do not see the objects themselves.
fn progress(kind: &Description) -> ProgressBar {
    let target = match io::stdout().is_terminal() {
        true => ProgressDrawTarget::hidden(),
        false => ProgressDrawTarget::stderr(),
    };
    let style = ProgressStyle::with_template("{msg} {human_pos}/{human_len} {bar:30}");
    let progress = ProgressBar::with_draw_target(Some(0), target).with_message(plural(kind));
    style.map_or(progress.clone(), |style| progress.with_style(style))
}
