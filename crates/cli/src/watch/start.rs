//! Finds the starting position of a watch: from its state file, from `--after`, or the current revision.

use serde::Deserialize;
use serde_json::json;
use tokio::time::sleep;
use underlay_client::{Client, Pauses};

use super::Arguments;
use super::event::EventPosition;
use super::keep::Keeper;
use super::state::{SavedState, StateError, StateFile};
use crate::exit::Exit;
use crate::object::{FindError, find};
use underlay_kit::printable;

/// A locked state file, and its content if the file exists.
pub(super) struct State {
    file: StateFile,
    saved: Option<SavedState>,
}

/// The starting position of a watch.
pub(super) struct Started {
    pub(super) position: EventPosition,
    /// The id of the object that `--within` names.
    pub(super) within_id: Option<String>,
    pub(super) keeper: Option<Keeper>,
}

/// The reason why a watch cannot begin.
pub(super) enum StartError {
    State(StateError),
    Server(FindError),
}

impl StartError {
    /// Prints the error and a hint how to solve it. Returns the exit code.
    pub(super) fn explain(&self) -> Exit {
        match self {
            Self::State(error) => error.explain(),
            Self::Server(error) => error.explain(),
        }
    }
}

/// Locks and reads the state file, if the arguments name one.
pub(super) fn state(arguments: &Arguments) -> Result<Option<State>, StateError> {
    let Some(path) = &arguments.state else { return Ok(None) };
    let file = StateFile::take(path)?;
    if arguments.exec.is_some() {
        file.share()?;
    }
    let saved = file.read(&arguments.filter())?;
    if saved.is_some() && arguments.after.is_some() {
        return Err(StateError::After { file: file.name() });
    }
    Ok(Some(State { file, saved }))
}

/// Finds the starting position. With a state file, the position is saved before this returns. A watch that ends before
/// its first event therefore misses nothing. With a state file, this also waits for a server that cannot be reached.
pub(super) async fn start(client: &Client, arguments: &Arguments, state: Option<State>) -> Result<Started, StartError> {
    let server = client.server().to_string();
    let Some(State { file, saved }) = state else {
        let (position, within_id) = ask(client, arguments).await.map_err(StartError::Server)?;
        return Ok(Started { position, within_id, keeper: None });
    };
    if let Some(mut saved) = saved {
        if saved.server != server {
            eprintln!("note: {} was saved with {}; continuing with {server}", file.name(), saved.server);
        }
        let (position, within_id) = (saved.position.clone(), saved.within_id.clone());
        saved.server = server;
        return Ok(Started { position, within_id, keeper: Some(Keeper::of(file, saved)) });
    }
    let (position, within_id) = ask_until_it_answers(client, arguments).await.map_err(StartError::Server)?;
    let saved = SavedState::new(server, arguments.filter(), within_id.clone(), position.clone());
    let keeper = Keeper::begin(file, saved).map_err(StartError::State)?;
    Ok(Started { position, within_id, keeper: Some(keeper) })
}

/// Asks the server for what the arguments leave open: the current revision, and the id of an object.
async fn ask(client: &Client, arguments: &Arguments) -> Result<(EventPosition, Option<String>), FindError> {
    #[derive(Deserialize)]
    struct RevisionData {
        revision: i64,
    }
    let position = match &arguments.after {
        Some(after) => EventPosition { cursor: after.clone(), revision: after.parse().ok() },
        None => {
            let RevisionData { revision } = client.query("{ revision }", json!({})).await?;
            EventPosition { cursor: revision.to_string(), revision: Some(revision) }
        }
    };
    let within_id = match &arguments.within {
        Some(name) => Some(find(client, name).await?.id),
        None => None,
    };
    Ok((position, within_id))
}

async fn ask_until_it_answers(
    client: &Client,
    arguments: &Arguments,
) -> Result<(EventPosition, Option<String>), FindError> {
    let (mut pauses, mut has_reported) = (Pauses::default(), false);
    loop {
        match ask(client, arguments).await {
            Err(FindError::Client(error)) if error.is_passing() => {
                if !std::mem::replace(&mut has_reported, true) {
                    eprintln!("note: {}; retrying until the server is available", printable(&error.to_string()));
                }
                sleep(pauses.next_pause()).await;
            }
            asked => return asked,
        }
    }
}
