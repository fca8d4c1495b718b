//! The ways in which callers write, and the roles that each way and each kind of reading needs.

use underlay_error::Role;

/// The roles that may read the inventory.
pub(super) const READING: [Role; 5] = [Role::Viewer, Role::Operator, Role::Synchronizer, Role::Reconciler, Role::Admin];
/// The roles that may call a mutation, though they may not read.
pub(super) const CALLING: [Role; 1] = [Role::BootServer];
/// The roles that may write everything.
pub(super) const WRITING: [Role; 2] = [Role::Operator, Role::Admin];
/// The roles that may change single objects.
const CHANGING: [Role; 3] = [Role::Operator, Role::Reconciler, Role::Admin];
/// The roles that may write batches.
const APPLYING: [Role; 4] = [Role::Operator, Role::Synchronizer, Role::Reconciler, Role::Admin];
/// The roles that may run sources.
const RUNNING: [Role; 3] = [Role::Operator, Role::Synchronizer, Role::Admin];
/// The roles of controllers, which take leases and report.
const LEASING: [Role; 2] = [Role::Reconciler, Role::Admin];
/// The roles that may ask what machines boot, and pass on what they report.
const BOOTING: [Role; 2] = [Role::BootServer, Role::Admin];
/// The role that may let controllers act again.
const RESUMING: [Role; 1] = [Role::Admin];
/// The roles that may set secrets.
const SETTING_SECRETS: [Role; 3] = [Role::Operator, Role::Synchronizer, Role::Admin];
/// The roles that may encrypt secrets anew.
const ROTATING: [Role; 1] = [Role::Admin];
/// The roles that may read secrets.
pub const READING_SECRETS: [Role; 1] = [Role::SecretsReader];
/// The roles that may read what exists outside and is not in the inventory.
pub const READING_STRAYS: [Role; 2] = WRITING;
/// The roles that may set the state of a host, whatever it was.
const OVERRIDING: [Role; 1] = [Role::Admin];

/// A kind of write that a caller asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteKind<'a> {
    /// The caller creates or deletes an object.
    Single,
    /// The caller changes fields of an object.
    Update,
    /// The caller writes a batch, in the name of a source or in its own name.
    Apply { source: Option<&'a str> },
    /// The caller releases the ownership of fields.
    Release,
    /// The caller starts, reports, settles, finishes or cancels a run of a source; `None` before the source is known.
    Run { source: Option<&'a str> },
    /// The caller decides about what a run holds.
    Decide,
    /// The caller takes, renews or releases leases.
    Lease,
    /// The caller sets secrets.
    SetSecrets,
    /// The caller encrypts secrets anew.
    RotateSecrets,
    /// The caller acquires hosts, or gives orders for them.
    Order,
    /// The caller sets the state of a host by its own authority, or deletes a host without clearing up.
    Override,
    /// The caller reports about machines as a controller.
    Report,
    /// The caller asks what a machine boots, or passes on what it reports.
    Boot,
    /// The caller lets controllers act again.
    Resume,
    /// The caller accepts what the clock says after a jump.
    AcceptClock,
    /// The caller gets tokens for the agents of hosts.
    IssueAgentTokens,
    /// The caller revokes the tokens of agents.
    RevokeAgentTokens,
}

impl WriteKind<'_> {
    /// Returns what the caller does, as the subject of a message.
    pub(super) fn what(self) -> &'static str {
        match self {
            Self::Single => "creating and deleting objects",
            Self::Update => "changing objects",
            Self::Apply { .. } => "writing batches",
            Self::Release => "letting go of fields",
            Self::Run { .. } => "runs of sources",
            Self::Decide => "approving and rejecting what a run holds",
            Self::Lease => "leases",
            Self::SetSecrets => "setting secrets",
            Self::RotateSecrets => "rotating the key of secrets",
            Self::Order => "orders for hosts",
            Self::Override => "overriding what controllers do with hosts",
            Self::Report => "reports of controllers",
            Self::Boot => "answering machines that boot from the network",
            Self::Resume => "letting controllers act again",
            Self::AcceptClock => "accepting the clock",
            Self::IssueAgentTokens => "issuing tokens for agents",
            Self::RevokeAgentTokens => "revoking tokens of agents",
        }
    }

    /// Returns the roles of which a caller needs one to write in this way.
    pub fn needs(self) -> &'static [Role] {
        match self {
            Self::Single | Self::Release | Self::Decide | Self::Order => &WRITING,
            Self::IssueAgentTokens | Self::RevokeAgentTokens => &WRITING,
            Self::Override => &OVERRIDING,
            Self::Run { .. } => &RUNNING,
            Self::Lease | Self::Report => &LEASING,
            Self::Boot => &BOOTING,
            Self::Resume | Self::AcceptClock => &RESUMING,
            Self::SetSecrets => &SETTING_SECRETS,
            Self::RotateSecrets => &ROTATING,
            Self::Update => &CHANGING,
            Self::Apply { .. } => &APPLYING,
        }
    }
}
