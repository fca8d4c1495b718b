//! The flags of the Ironic by which a controller has machines installed.

use std::path::PathBuf;

use clap::Args;
use underlay_ironic::client::Connection;
use underlay_ironic::provisioner::{DriverInfo, pace};

use crate::ironic::{Account, AuthKind, DOMAIN};

/// The beginning of the names of the flags.
const PREFIX: &str = "ironic-";

/// The Ironic of a controller.
#[derive(Debug, Args)]
pub(super) struct IronicFlags {
    /// The address of an Ironic, such as https://ironic.example.com:6385. It installs the hosts whose provisioner is
    /// ironic.
    #[arg(long = "ironic-url", value_name = "URL", env = "UNDERLAY_IRONIC_URL")]
    url: Option<String>,
    /// The way in which Ironic authenticates its callers (its setting auth_strategy).
    #[arg(long = "ironic-auth", value_enum, default_value_t, requires = "url")]
    auth: AuthKind,
    /// The user name, for http-basic and keystone.
    #[arg(long = "ironic-username", value_name = "NAME", requires = "url")]
    username: Option<String>,
    /// The file with the password, or with the secret of the application credential. It is read again each time.
    /// Default: the environment variable IRONIC_PASSWORD holds it.
    #[arg(long = "ironic-password-file", value_name = "FILE", requires = "url")]
    password_file: Option<PathBuf>,
    /// The file with the certificates of authorities (PEM) that are trusted besides those of the system, for Ironic and
    /// Keystone.
    #[arg(long = "ironic-ca-file", value_name = "FILE", requires = "url")]
    ca_file: Option<PathBuf>,
    /// The address of Keystone, such as https://keystone.example.com:5000.
    #[arg(long = "ironic-keystone-url", value_name = "URL", requires = "url")]
    keystone_url: Option<String>,
    /// The id of an application credential of Keystone, instead of a user name.
    #[arg(long = "ironic-application-credential", value_name = "ID", conflicts_with_all = ["username", "project"])]
    application_credential: Option<String>,
    /// The domain of the user at Keystone.
    #[arg(long = "ironic-user-domain", value_name = "NAME", default_value = DOMAIN)]
    user_domain: String,
    /// The project of the token. Default: the token is for the system as a whole.
    #[arg(long = "ironic-project", value_name = "NAME")]
    project: Option<String>,
    /// The domain of the project at Keystone.
    #[arg(long = "ironic-project-domain", value_name = "NAME", default_value = DOMAIN)]
    project_domain: String,
    /// A member of driver_info that all nodes with a BMC get besides those of their hosts, such as
    /// deploy_iso=http://10.0.0.1/agent.iso. Can be given several times.
    #[arg(long = "ironic-driver-info", value_name = "NAME=VALUE", requires = "url")]
    driver_info: Vec<String>,
}

/// The Ironic of a controller, and what its nodes need.
#[derive(Clone, Debug)]
pub struct Reached {
    pub connection: Connection,
    /// The settings of its nodes.
    pub driver_info: DriverInfo,
}

impl IronicFlags {
    /// Returns the Ironic, `None` if the controller has none.
    ///
    /// # Errors
    /// Returns a sentence that says which flag is missing or wrong.
    pub(super) fn reached(&self) -> Result<Option<Reached>, String> {
        let Some(connection) = self.connection()? else { return Ok(None) };
        let driver_info = DriverInfo::parse(self.driver_info.iter().map(String::as_str));
        let driver_info = driver_info.map_err(|error| format!("--{PREFIX}driver-info: {error}"))?;
        Ok(Some(Reached { connection, driver_info }))
    }

    fn connection(&self) -> Result<Option<Connection>, String> {
        let Some(url) = &self.url else { return Ok(None) };
        let account = Account {
            kind: self.auth,
            username: self.username.clone(),
            password_file: self.password_file.clone(),
            keystone_url: self.keystone_url.clone(),
            application_credential: self.application_credential.clone(),
            user_domain: self.user_domain.clone(),
            project: self.project.clone(),
            project_domain: self.project_domain.clone(),
        };
        let connection = Connection::new(url, account.authentication(PREFIX).map_err(|error| error.to_string())?);
        Ok(Some(Connection { authority: self.ca_file.clone(), pace: pace(), ..connection }))
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use underlay_ironic::client::Auth;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        flags: IronicFlags,
    }

    fn connection(arguments: &[&str]) -> Result<Option<Connection>, String> {
        let line = Line::try_parse_from(std::iter::once("run").chain(arguments.iter().copied()));
        line.map_err(|error| error.to_string())?.flags.connection()
    }

    #[test]
    fn the_flags_of_ironic_say_how_it_is_reached() {
        assert!(connection(&[]).expect("no Ironic").is_none());
        let url = ["--ironic-url", "http://127.0.0.1:6385"];
        let with = |more: &[&str]| connection(&[&url[..], more].concat());
        assert!(matches!(with(&[]), Ok(Some(Connection { auth: Auth::None, .. }))));
        let file = ["--ironic-password-file", "/p"];
        let basic = with(&[&["--ironic-auth", "http-basic", "--ironic-username", "a"][..], &file].concat());
        assert!(matches!(basic, Ok(Some(Connection { auth: Auth::Basic { .. }, .. }))), "{basic:?}");
        let keystone = ["--ironic-auth", "keystone", "--ironic-keystone-url", "https://k:5000"];
        let token = with(&[&keystone[..], &["--ironic-application-credential", "c"], &file].concat());
        assert!(matches!(token, Ok(Some(Connection { auth: Auth::Keystone(_), .. }))), "{token:?}");
        for (more, expected) in [
            (&["--ironic-auth", "http-basic"][..], "needs --ironic-username"),
            (&["--ironic-auth", "keystone"], "needs --ironic-keystone-url"),
            (&["--ironic-username", "a"], "so say by --ironic-auth"),
            (&keystone, "needs --ironic-username or --ironic-application-credential"),
        ] {
            let refused = with(more).expect_err("refused");
            assert!(refused.contains(expected), "{more:?}: {refused}");
        }
        assert!(connection(&["--ironic-username", "a"]).is_err(), "there is no Ironic");
        let reached = |member: &str| {
            let arguments = ["run", url[0], url[1], "--ironic-driver-info", member];
            Line::try_parse_from(arguments).expect("flags").flags.reached()
        };
        let given = reached("deploy_iso=http://10.0.0.1/agent.iso").expect("flags").expect("an Ironic");
        assert_ne!(given.driver_info, DriverInfo::default());
        let refused = reached("redfish_password=x").expect_err("refused");
        assert!(refused.starts_with("--ironic-driver-info: redfish_password comes from"), "{refused}");
    }
}
