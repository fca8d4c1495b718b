//! `underlay appliance register`: creates an appliance with its credential and the password.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use underlay_client::{Client, ClientError};

use crate::exit::Exit;
use crate::secrets::{AskError, ask, from_file, is_protected};
use crate::server;
use crate::target::ServerAccess;
use underlay_kit::shown;

pub(super) const REGISTER: &str = "mutation($input: RegisterApplianceInput!, $requestId: String) { \
     registerAppliance(input: $input, requestId: $requestId) { appliance { id name } credential { id name } } }";
pub(super) const SET: &str = "mutation($input: SetSecretsInput!) { setSecrets(input: $input) { set } }";

#[derive(Debug, Args)]
pub struct Arguments {
    /// The name of the new appliance.
    #[arg(value_name = "NAME")]
    name: String,
    /// The way in which a controller talks to the appliance.
    #[arg(long = "type", value_enum, value_name = "TYPE")]
    ty: Type,
    /// The address, such as redfish://10.1.0.7; a manual appliance has none.
    #[arg(long, value_name = "URL")]
    url: Option<String>,
    /// The user name of a new credential, which has the name of the appliance and is allowed for the host of the
    /// address.
    #[arg(long, value_name = "NAME", conflicts_with = "credential")]
    username: Option<String>,
    /// Ask for the password of the new credential at the terminal, without showing it.
    #[arg(long, requires = "username")]
    ask_password: bool,
    /// Read the password of the new credential from a file. One line break at its end is not a part of it.
    #[arg(long, value_name = "FILE", requires = "username", conflicts_with = "ask_password")]
    password_file: Option<PathBuf>,
    /// An existing credential to open the appliance with.
    #[arg(long, value_name = "CREDENTIAL")]
    credential: Option<String>,
    /// The pattern of the names of the machines that become hosts, with * and ?. Default: all machines.
    #[arg(long, value_name = "PATTERN")]
    pattern: Option<String>,
    /// The beginning of the names of the hosts.
    #[arg(long, value_name = "TEXT")]
    prefix: Option<String>,
    /// The site of the machines.
    #[arg(long, value_name = "SITE")]
    site: Option<String>,
    /// The rack of the machines, as NAME or SITE/NAME.
    #[arg(long, value_name = "RACK")]
    rack: Option<String>,
    /// The time between two looks at the appliance, in seconds: 10 to 86400.
    #[arg(long, value_name = "SECONDS")]
    interval: Option<u32>,
}

/// The type of an appliance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Type {
    /// A BMC or a manager that speaks Redfish.
    Redfish,
    /// A hypervisor with libvirt.
    Libvirt,
    /// A BMC that speaks IPMI.
    Ipmi,
    /// Machines that do not exist, for trying.
    Simulated,
    /// A program that is configured at the controller.
    Exec,
    /// Machines that a person switches.
    Manual,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Registered {
    register_appliance: RegisterPayload,
}

#[derive(Deserialize)]
struct RegisterPayload {
    appliance: NamedObject,
    credential: Option<NamedObject>,
}

#[derive(Deserialize)]
struct NamedObject {
    id: String,
    name: String,
}

pub(super) fn run(arguments: &Arguments, server: ServerAccess) -> Exit {
    // The password is got first, so that nothing is written without it.
    let password = match password(arguments) {
        Some(_) if !is_protected(&server.server) => {
            eprintln!("error: a password is not sent to {} without TLS: use its https address", server.server);
            return Exit::Usage;
        }
        given => match given.map(Password::get).transpose() {
            Ok(password) => password,
            Err(error) => {
                eprintln!("error: {error}");
                return Exit::Usage;
            }
        },
    };
    server::talk(server, async |client| match register(&client, arguments, password).await {
        Ok(exit) => exit,
        Err(error) => server::explain(&error),
    })
}

/// The place where the password is.
enum Password<'a> {
    /// A person knows it.
    Asked {
        prompt: String,
    },
    File(&'a Path),
}

impl Password<'_> {
    fn get(self) -> Result<String, AskError> {
        match self {
            Self::Asked { prompt } => ask(&prompt),
            Self::File(path) => from_file(path),
        }
    }
}

fn password(arguments: &Arguments) -> Option<Password<'_>> {
    let asked = || Password::Asked { prompt: format!("password of {}", shown(&arguments.name)) };
    arguments.password_file.as_deref().map(Password::File).or_else(|| arguments.ask_password.then(asked))
}

async fn register(client: &Client, arguments: &Arguments, password: Option<String>) -> Result<Exit, ClientError> {
    let input = input(arguments);
    let variables = |id: String| json!({ "input": input, "requestId": id });
    let Registered { register_appliance: RegisterPayload { appliance, credential } } =
        client.mutate(REGISTER, variables).await?;
    eprintln!("registered appliance {} ({})", shown(&appliance.name), appliance.id);
    let Some(credential) = credential else { return Ok(Exit::Done) };
    let Some(password) = password else {
        eprintln!("hint: set its password with `underlay secrets set {} --ask`", shown(&credential.name));
        return Ok(Exit::Done);
    };
    let secret = json!({ "credential": { "id": credential.id }, "field": "password", "value": password });
    match client.query::<Value>(SET, json!({ "input": { "secrets": [secret] } })).await {
        Ok(_) => Ok(Exit::Done),
        Err(error) => {
            let exit = server::explain(&error);
            eprintln!(
                "note: the appliance is registered without its password: `underlay secrets set {} --ask` sets it",
                shown(&credential.name)
            );
            Ok(exit)
        }
    }
}

/// Returns the input of the mutation. What was not given is absent.
fn input(arguments: &Arguments) -> Value {
    let mut appliance = Map::new();
    let mut set = |name: &str, value: Option<Value>| drop(value.map(|value| appliance.insert(name.to_owned(), value)));
    let text = |text: &Option<String>| text.as_deref().map(Value::from);
    set("name", Some(arguments.name.as_str().into()));
    let ty = arguments.ty.to_possible_value().map(|ty| ty.get_name().to_uppercase());
    set("type", ty.map(Value::from));
    set("url", text(&arguments.url));
    set("namePattern", text(&arguments.pattern));
    set("prefix", text(&arguments.prefix));
    set("interval", arguments.interval.map(Value::from));
    set("credential", arguments.credential.as_ref().map(|name| json!({ "credential": name })));
    set("site", arguments.site.as_ref().map(|name| json!({ "site": name })));
    set("rack", arguments.rack.as_ref().map(|name| json!({ "rack": name })));
    let credential = arguments.username.as_ref().map(|name| json!({ "type": "BASIC", "username": name }));
    match credential {
        Some(credential) => json!({ "appliance": appliance, "credential": credential }),
        None => json!({ "appliance": appliance }),
    }
}
