//! The boot server: it answers the firmware, the loaders and the installers of machines that boot from the network. It is
//! a client of the API and decides nothing: [`Api`] asks the server for each boot.
//!
//! A request is read into a route (`route`), which `serve` answers. [`Listener`] takes the connections.
//!
//! Guarantees: a machine that cannot be told what to do goes to its disk, also while the server is away or hangs. Every
//! answer has the form that firmware understands (`answer`): title-case names, a length, a body with each error, no
//! redirect. No text is executed by a machine but those of the server and of `underlay-boot`. Files come from listed
//! origins alone, and a file with a wrong digest never arrives as a whole. Tokens are in no log.

mod answer;
mod api;
mod files;
mod flat;
mod listener;
mod pairs;
mod patient;
mod route;
mod serve;
mod settings;
mod status;

pub use self::api::Api;
pub use self::files::{Loaders, LoadersError};
pub use self::listener::Listener;
pub use self::pairs::{Clock, monotonic};
pub use self::serve::BootServer;
pub use self::settings::{CONNECTIONS, Origin, Settings, SettingsError, Times, own_url};
pub use self::status::Status;
