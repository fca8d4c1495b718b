//! Lists, page by page.
//!
//! A page begins after the last id of the one before it, never at an offset: rows that are deleted meanwhile would
//! shift it. NetBox ignores parameters that it does not know, so every page is checked: the ids ascend from there, and
//! the number of objects is the one that NetBox counted.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::value::RawValue;
use underlay_kit::sync::AdapterError;

use super::{Call, Client, NetBoxFailure};
use crate::object::Object;

/// The number of objects that is asked for at a time. NetBox may give fewer.
const OBJECTS_PER_PAGE: &str = "1000";
/// The number of times that a page is asked for if NetBox counts other objects than it lists. Somebody can write
/// between the two.
const MAX_TRIES: usize = 3;

/// An answer that is a list.
#[derive(Deserialize)]
struct Answer<'a> {
    count: u64,
    next: Option<String>,
    #[serde(borrow)]
    results: Vec<&'a RawValue>,
}

/// A page of a list.
#[derive(Debug)]
pub struct Page {
    call: Call,
    body: String,
    /// The position after the page, `None` after the last one.
    next: Option<u64>,
    /// The objects as text: start and end in the body.
    ranges: Vec<(usize, usize)>,
}

impl Page {
    /// Returns true if no page follows.
    pub const fn is_last(&self) -> bool {
        self.next.is_none()
    }

    /// Returns the objects, in the order of their ids.
    pub fn objects(&self) -> impl Iterator<Item = Result<Object, AdapterError>> + '_ {
        self.ranges.iter().enumerate().map(|(at, (start, end))| {
            let text = self.body.get(*start..*end).unwrap_or_default();
            Object::read(text, &self.call.text, format!("results[{at}]"))
        })
    }
}

/// The pages of a list, of which the next one is asked for while the last one is used.
#[derive(Debug)]
pub struct Pages {
    client: Arc<Client>,
    path: String,
    parameters: Vec<(String, String)>,
    ahead: Option<Ahead>,
}

/// A page that is on its way. The call ends with it.
#[derive(Debug)]
struct Ahead(tokio::task::JoinHandle<Result<Page, AdapterError>>);

impl Drop for Ahead {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Pages {
    /// Begins to read a list, such as `dcim/sites`, after an id. `parameters` are filters.
    pub fn after(client: &Arc<Client>, path: &str, parameters: &[(&str, &str)], id: u64) -> Self {
        let parameters = parameters.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let (client, path) = (Arc::clone(client), path.to_owned());
        let mut pages = Self { client, path, parameters, ahead: None };
        pages.ask(id);
        pages
    }

    /// Returns the next page, `None` after the last one.
    ///
    /// # Errors
    /// Returns an error if the page cannot be read, or breaks the contract.
    pub async fn next(&mut self) -> Result<Option<Page>, AdapterError> {
        let Some(mut ahead) = self.ahead.take() else { return Ok(None) };
        let page = (&mut ahead.0).await.map_err(|_| AdapterError::Stopped)??;
        if let Some(after) = page.next {
            self.ask(after);
        }
        Ok(Some(page))
    }

    fn ask(&mut self, after: u64) {
        let after_text = after.to_string();
        let mut parameters = vec![("ordering", "id"), ("limit", OBJECTS_PER_PAGE), ("exclude", "config_context")];
        parameters.push(("id__gt", &after_text));
        parameters.extend(self.parameters.iter().map(|(name, value)| (name.as_str(), value.as_str())));
        let call = self.client.call(&format!("{}/", self.path), &parameters);
        let client = Arc::clone(&self.client);
        self.ahead = Some(Ahead(tokio::spawn(async move {
            let mut page = check(&call, client.get(&call).await?, after);
            for _ in 1..MAX_TRIES {
                if !matches!(page, Err(PageError::Miscounted(_))) {
                    break;
                }
                page = check(&call, client.get(&call).await?, after);
            }
            page.map_err(|(PageError::Miscounted(error) | PageError::Wrong(error))| error)
        })));
    }
}

/// The reason why a page cannot be used.
enum PageError {
    /// NetBox counted other objects than it lists.
    Miscounted(AdapterError),
    /// The page breaks the contract.
    Wrong(AdapterError),
}

/// Checks a page that begins after an id.
fn check(call: &Call, body: String, after: u64) -> Result<Page, PageError> {
    let error = |path: &str, expected: String| AdapterError::WrongAnswer {
        call: call.text.to_string(),
        path: path.to_owned(),
        expected,
    };
    let wrong = |path: &str, expected: String| PageError::Wrong(error(path, expected));
    let answer: Answer<'_> = serde_json::from_str(&body)
        .map_err(|reason| wrong("", format!("a list with count, next and results, but: {reason}")))?;
    let mut last = after;
    let mut ranges = Vec::with_capacity(answer.results.len());
    for (at, result) in answer.results.iter().enumerate() {
        let id = id_of(result.get());
        let path = format!("results[{at}].id");
        let id = id.ok_or_else(|| wrong(&path, "a whole number of at least 0".to_owned()))?;
        if id <= last {
            let reason = "NetBox did not obey ordering=id and id__gt";
            return Err(wrong(&path, format!("an id above {last}, not {id}: {reason}")));
        }
        last = id;
        // The text of a result is a piece of the body.
        let start = (result.get().as_ptr() as usize).wrapping_sub(body.as_ptr() as usize);
        ranges.push((start, start + result.get().len()));
    }
    let found = ranges.len();
    let next = match &answer.next {
        Some(_) if found == 0 => {
            return Err(PageError::Miscounted(error("results", "objects, because there is a next page".to_owned())));
        }
        Some(_) => Some(last),
        None if u64::try_from(found) != Ok(answer.count) => {
            let expected = format!("the {} objects of count, because there is no next page, not {found}", answer.count);
            return Err(PageError::Miscounted(error("results", expected)));
        }
        None => None,
    };
    Ok(Page { call: call.clone(), body, next, ranges })
}

/// Returns the id of an object.
fn id_of(text: &str) -> Option<u64> {
    #[derive(Deserialize)]
    struct Identified {
        id: u64,
    }

    serde_json::from_str::<Identified>(text).ok().map(|it| it.id)
}

impl Client {
    /// Returns the paths of the lists of a part of the API, such as `dcim`; none if this version does not have it.
    ///
    /// # Errors
    /// Returns an error if NetBox does not answer, refuses, or answers something else.
    pub async fn lists(&self, app: &str) -> Result<Vec<String>, AdapterError> {
        let call = self.call(&format!("{app}/"), &[]);
        let body = match self.persist(&call).await {
            Ok(body) => body,
            Err(NetBoxFailure::NoObject | NetBoxFailure::NoPath) => return Ok(Vec::new()),
            Err(failure) => return Err(failure.into_error(&call)),
        };
        Ok(Object::read(&body, &call.text, String::new())?.names().map(|name| format!("{app}/{name}")).collect())
    }

    /// Returns the number of objects of a list, `None` if this version of NetBox does not have the list.
    ///
    /// # Errors
    /// Returns an error if NetBox does not answer, refuses, or answers something else.
    pub async fn count(&self, path: &str) -> Result<Option<u64>, AdapterError> {
        #[derive(Deserialize)]
        struct Counted {
            count: u64,
        }

        let call = self.call(&format!("{path}/"), &[("limit", "1")]);
        let body = match self.persist(&call).await {
            Ok(body) => body,
            Err(NetBoxFailure::NoObject | NetBoxFailure::NoPath) => return Ok(None),
            Err(failure) => return Err(failure.into_error(&call)),
        };
        let counted = serde_json::from_str::<Counted>(&body).map_err(|error| AdapterError::WrongAnswer {
            call: call.text.to_string(),
            path: String::new(),
            expected: format!("a list with count, but: {error}"),
        })?;
        Ok(Some(counted.count))
    }
}
