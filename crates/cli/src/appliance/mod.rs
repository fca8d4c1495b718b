//! `underlay appliance`: registers appliances, which list machines, and makes hosts of these machines.

mod enlist;
mod list;
mod register;

use clap::{Args, Subcommand};

use super::exit::{EXIT_CODES, Exit};
use super::server;
use super::target::ServerAccess;

const EXAMPLES: &str = "\
Examples:
  underlay appliance register ams1-bmcs --type redfish --url redfish://10.1.0.7 --username root --ask-password
  underlay appliance register lab --type simulated --url 'simulated://lab?machines=4'
  underlay appliance list
  underlay appliance enlist lab --discover --adopt --wait";

#[derive(Debug, Args)]
#[command(after_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"))]
pub struct Arguments {
    #[command(subcommand)]
    act: ApplianceCommand,
}

#[derive(Debug, Subcommand)]
enum ApplianceCommand {
    /// Create an appliance, and the credential with which it is opened.
    Register(register::Arguments),
    /// List appliances.
    List(list::Arguments),
    /// Make hosts of the machines that an appliance lists.
    Enlist(enlist::Arguments),
}

pub(super) fn run(arguments: Arguments, server: ServerAccess) -> Exit {
    match arguments.act {
        ApplianceCommand::Register(arguments) => register::run(&arguments, server),
        ApplianceCommand::List(arguments) => {
            server::talk(server, async |client| match list::list(&client, &arguments).await {
                Ok(exit) => exit,
                Err(error) => server::explain(&error),
            })
        }
        ApplianceCommand::Enlist(arguments) => {
            server::talk(server, async |client| match enlist::enlist(&client, &arguments).await {
                Ok(exit) => exit,
                Err(refused) => refused.explain(),
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_requests_are_valid() {
        for text in [register::REGISTER, register::SET, enlist::ENLIST, enlist::ENLISTMENT_QUERY] {
            underlay_testing::graphql::assert_valid(text);
        }
    }
}
