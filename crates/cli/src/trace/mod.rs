//! `underlay trace`: shows the line of a port, hop by hop.

mod ask;
mod draw;

use std::io;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use clap_complete::ArgValueCompleter;
use serde_json::Value;
use underlay_client::Client;

use super::complete;
use super::exit::{EXIT_CODES, Exit};
use super::object::{FindError, ObjectName, end, find};
use super::output::{Printed, printed};
use super::server;
use super::show::pretty;
use super::target::ServerAccess;

const EXAMPLES: &str = "\
Examples:
  underlay trace leaf-3:Ethernet1
  underlay trace port/panel-1/REAR/R1 --position 3
  underlay trace port/node-7/INLET/PSU1 --through-devices
  underlay trace leaf-3:Ethernet1 --svg line.svg";

#[derive(Debug, Args)]
#[command(after_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"))]
pub struct Arguments {
    /// The start of the line: DEVICE:PORT, or a port, a power feed or the end of a circuit as KIND/NAME, or an id.
    #[arg(value_name = "OBJECT", value_parser = end, add = ArgValueCompleter::new(complete::objects))]
    from: ObjectName,
    /// Trace only this position of the port, counted from 1. Default: all positions.
    #[arg(long, value_name = "NUMBER")]
    position: Option<u16>,
    /// Continue through power devices, from outlets to the inlets that feed them.
    #[arg(long)]
    through_devices: bool,
    /// The output format.
    #[arg(short, long, value_enum, default_value_t = TraceOutput::Drawing)]
    output: TraceOutput,
    /// Also write the line as an SVG drawing to a file.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// The output format of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TraceOutput {
    /// A drawing, hop by hop.
    Drawing,
    /// The trace as JSON, for programs.
    Json,
}

pub(super) fn run(arguments: Arguments, server: ServerAccess) -> Exit {
    server::talk(server, async |client| match follow(&client, &arguments).await {
        Ok(exit) => exit,
        Err(error) => error.explain(),
    })
}

async fn follow(client: &Client, arguments: &Arguments) -> Result<Exit, FindError> {
    let object = find(client, &arguments.from).await?;
    let mut trace = ask::trace(client, &object.id, arguments).await?;
    let drawing = trace.as_object_mut().and_then(|trace| trace.shift_remove("svg"));
    if let (Some(file), Some(Value::String(drawing))) = (&arguments.svg, drawing)
        && let Err(error) = write(file, &drawing)
    {
        eprintln!("error: {} cannot be written: {error}", file.display());
        return Ok(Exit::Failed);
    }
    let shown = match arguments.output {
        TraceOutput::Json => printed(io::Write::write_fmt(&mut io::stdout(), format_args!("{}\n", pretty(&trace, 0)))),
        TraceOutput::Drawing => printed(draw::print(&trace, &mut anstream::stdout().lock())),
    };
    if shown == Printed::Whole && trace["truncated"] == true {
        eprintln!(
            "note: there are more than 1,000 branches or 10,000 hops, or a strand of more than 1,000 hops; the rest is not shown"
        );
    }
    Ok(shown.exit())
}

fn write(file: &Path, drawing: &str) -> io::Result<()> {
    std::fs::write(file, drawing)
}
