//! `underlay token`: creates tokens signed with the key that a server generated for itself.

use std::io::Write as _;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};

use super::config::{self, Flags};
use underlay_cli::exit::Exit;
use underlay_cli::output::printed;
use underlay_cli::target::Target;
use underlay_engine::access::{Grant, MAX_TOKEN_LIFETIME, Role, SigningKey, announced, is_name, user};

const AFTER_HELP: &str = "\
Roles: viewer reads; operator reads and writes; synchronizer reads, and writes batches as the source of its token; \
reconciler reads, takes leases, and sets the status and assignment of machines that are there; secrets-reader reads the \
secrets of credentials, if another role reads the inventory; agent does nothing alone yet; boot-server answers machines that boot from the network, and nothing else; admin does everything but \
reading secrets. A token can have several roles: --role reconciler,secrets-reader is that of a host controller.

The key is that of the server that runs on this machine at the address that commands talk to, otherwise the one in \
the data directory. A server that is configured with other issuers does not accept tokens of its own key.";

#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Print a token.
    #[command(after_help = AFTER_HELP)]
    Create(Create),
}

#[derive(Debug, Args)]
struct Create {
    /// The roles of the bearer, separated by commas. Default: operator, or viewer for a token of a tenant.
    #[arg(long, value_name = "ROLE", value_delimiter = ',')]
    role: Vec<Role>,
    /// The name of the bearer in the change log. Default: the user.
    #[arg(long, value_name = "NAME", value_parser = name)]
    actor: Option<String>,
    /// The source on whose behalf a synchronizer writes.
    #[arg(long, value_name = "NAME", value_parser = name)]
    source: Option<String>,
    /// The tenant whose objects the bearer sees, with shared objects and those that the tenant's objects depend on;
    /// such a token only reads. Default: all objects are seen.
    #[arg(long, value_name = "NAME", value_parser = name)]
    tenant: Option<String>,
    /// The lifetime of the token: minutes, hours or days, such as 30m, 12h or 90d; at most 400d.
    #[arg(long, value_name = "TIME", default_value = "30d", value_parser = life)]
    lifetime: Duration,
    #[command(flatten)]
    flags: Flags,
}

impl Create {
    fn roles(&self) -> Vec<Role> {
        let usual = if self.tenant.is_some() { Role::Viewer } else { Role::Operator };
        if self.role.is_empty() { vec![usual] } else { self.role.clone() }
    }
}

fn name(text: &str) -> Result<String, String> {
    let refused = || "must be 1 to 253 characters, without a space at either end".to_owned();
    is_name(text).then(|| text.to_owned()).ok_or_else(refused)
}

fn life(text: &str) -> Result<Duration, String> {
    let refused = || "must be minutes, hours or days, such as 30m, 12h or 90d; at most 400d".to_owned();
    let unit = text.chars().last().ok_or_else(refused)?;
    let seconds = match unit {
        'm' => 60,
        'h' => 3600,
        'd' => 24 * 3600,
        _ => return Err(refused()),
    };
    let number: u64 = text[..text.len() - unit.len_utf8()].parse().map_err(|_| refused())?;
    let life = number.checked_mul(seconds).map(Duration::from_secs);
    life.filter(|life| !life.is_zero() && *life <= MAX_TOKEN_LIFETIME).ok_or_else(refused)
}

pub(super) fn run(arguments: &Arguments, target: &Target) -> Exit {
    let Command::Create(create) = &arguments.command;
    if create.role.contains(&Role::Synchronizer) && create.source.is_none() {
        eprintln!("error: a synchronizer writes as a source: say which with --source NAME");
        return Exit::Usage;
    }
    let key = match key(create, target) {
        Ok(key) => key,
        Err(exit) => return exit,
    };
    let grant = Grant {
        actor: create.actor.clone().unwrap_or_else(user),
        roles: create.roles(),
        source: create.source.clone(),
        tenant: create.tenant.clone(),
        life: create.lifetime,
    };
    match key.sign(&grant) {
        Ok(token) => printed(writeln!(std::io::stdout(), "{token}")).exit(),
        Err(error) => failed(&error),
    }
}

/// Returns the key to sign with: that of the running server at the target address, otherwise the key in the data
/// directory.
fn key(create: &Create, target: &Target) -> Result<SigningKey, Exit> {
    let chosen = target.choose().map_err(|error| error.explain())?;
    if let Some(key) = announced(&chosen.server.local()).map_err(|error| failed(&error))? {
        return Ok(key);
    }
    let settings = create.flags.settings().map_err(|error| config::explain(&error))?;
    let folder = settings.folder().map_err(|error| config::explain(&error))?;
    let file: PathBuf = SigningKey::file(&folder);
    if !file.exists() {
        eprintln!("error: there is no key in {}", folder.display());
        eprintln!("hint: a server creates one when it starts; name its data directory with --data-dir DIR");
        return Err(Exit::Failed);
    }
    SigningKey::read(&file).map_err(|error| failed(&error))
}

fn failed(error: &dyn std::error::Error) -> Exit {
    eprintln!("error: {error}");
    Exit::Failed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lifetimes_have_a_unit_and_a_maximum() {
        assert_eq!(life("30m"), Ok(Duration::from_secs(1800)));
        assert_eq!(life("400d"), Ok(MAX_TOKEN_LIFETIME));
        for bad in ["", "0d", "401d", "9601h", "12", "-1d", "1.5h", "1w", "1\u{e4}", "99999999999999999999d"] {
            assert!(life(bad).is_err(), "{bad}");
        }
    }
}
