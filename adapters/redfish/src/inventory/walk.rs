//! The reads of a look at a machine, one after the other, within their bounds.

use std::future::Future;

use reqwest::Url;
use tokio::time::{Instant, timeout_at};
use underlay_facts::Section;

use super::{Bounds, link_of};
use crate::bmc::Bmc;
use crate::failure::RedfishError;
use crate::resource::{Resource, member, text};

/// The greatest number of pages of a collection.
const MAX_PAGES: usize = 16;
/// The greatest number of members of a collection that are read.
const MAX_MEMBERS: usize = 128;

/// A look at a machine.
pub(super) struct Walk<'a> {
    bmc: &'a Bmc,
    end: Instant,
    /// The number of reads that are left.
    left: usize,
    /// The reason why nothing more is read.
    ended: Option<&'static str>,
}

impl<'a> Walk<'a> {
    pub fn new(bmc: &'a Bmc, bounds: Bounds) -> Self {
        Self { bmc, end: Instant::now() + bounds.time, left: bounds.reads, ended: None }
    }

    /// Reads the service root. What cannot be read is noted.
    pub async fn root<T>(&mut self, what: &str, section: &mut Section<T>) -> Option<Resource> {
        let bmc = self.bmc;
        let read = self.within(bmc.root()).await;
        read.map_err(|reason| section.lacks(what, reason)).ok()
    }

    /// Reads the resource that a member links to. One that cannot be read is noted, and one without a link is not.
    pub async fn link<T>(&mut self, of: &Resource, name: &str, section: &mut Section<T>) -> Option<Resource> {
        let value = member(&of.members, name)?;
        let Some(url) = link_of(of, value) else {
            section.lacks(name, "the BMC has no link there");
            return None;
        };
        let read = self.read(url).await;
        read.map_err(|reason| section.lacks(name, reason)).ok()
    }

    /// Reads the members of a collection that a member links to; `None` in place of those that cannot be read, which are
    /// noted. Returns `None` if there is no such link.
    pub async fn collection<T>(
        &mut self,
        of: &Resource,
        name: &str,
        section: &mut Section<T>,
    ) -> Option<Vec<Option<Resource>>> {
        member(&of.members, name)?;
        let Some(first) = self.link(of, name, section).await else { return Some(Vec::new()) };
        let urls = self.pages(first, name, section).await;
        Some(self.all(urls, name, section).await)
    }

    /// Reads the resources of a list of links, as [`Self::collection`] does. Without such a list there are none.
    pub async fn linked<T>(&mut self, of: &Resource, name: &str, section: &mut Section<T>) -> Vec<Option<Resource>> {
        match Self::links(of, name, section) {
            Some(urls) => self.all(urls, name, section).await,
            None => Vec::new(),
        }
    }

    /// Returns the links of a list. What is no link is noted.
    pub fn links<T>(of: &Resource, name: &str, section: &mut Section<T>) -> Option<Vec<Url>> {
        let Some(list) = member(&of.members, name)?.as_array() else {
            section.lacks(name, "the BMC has something else than a list there");
            return None;
        };
        let (mut urls, mut others) = (Vec::new(), 0);
        for value in list {
            match link_of(of, value) {
                Some(url) => urls.push(url),
                None => others += 1,
            }
        }
        if others > 0 {
            section.lacks(name, format!("{others} members are no links"));
        }
        Some(urls)
    }

    /// Reads resources, in order.
    pub async fn all<T>(&mut self, mut urls: Vec<Url>, name: &str, section: &mut Section<T>) -> Vec<Option<Resource>> {
        if urls.len() > MAX_MEMBERS {
            section.lacks(name, format!("there are {}, and {MAX_MEMBERS} are read", urls.len()));
            urls.truncate(MAX_MEMBERS);
        }
        let mut found = Vec::with_capacity(urls.len());
        for (index, url) in urls.into_iter().enumerate() {
            let read = self.read(url).await;
            // The address can have a serial number, and the number of the member has none.
            let noted = read.map_err(|reason| section.lacks(format!("{name}, member {}", index + 1), reason));
            found.push(noted.ok());
        }
        found
    }

    /// Returns the links of the members of a collection, page by page.
    async fn pages<T>(&mut self, first: Resource, name: &str, section: &mut Section<T>) -> Vec<Url> {
        let (mut page, mut urls) = (first, Vec::new());
        for _ in 0..MAX_PAGES {
            // A BMC that is still starting has null in place of its members.
            match Self::links(&page, "Members", section) {
                Some(found) => urls.extend(found),
                None => section.lacks(name, "the BMC does not list its members"),
            }
            let Some(next) = text(&page.members, "Members@odata.nextLink") else { return urls };
            let Ok(next) = page.resolve(next, "Members@odata.nextLink") else { break };
            match self.read(next).await {
                Ok(next) => page = next,
                Err(reason) => {
                    section.lacks(name, reason);
                    return urls;
                }
            }
        }
        section.lacks(name, "it has more pages than are read");
        urls
    }

    async fn read(&mut self, url: Url) -> Result<Resource, String> {
        let bmc = self.bmc;
        self.within(bmc.read(url)).await
    }

    /// Ends the look: nothing more is read.
    fn end_here(&mut self, reason: &'static str) -> Result<Resource, String> {
        self.ended = Some(reason);
        Err(reason.to_owned())
    }

    /// Makes a read within what is left of the bounds.
    async fn within(&mut self, read: impl Future<Output = Result<Resource, RedfishError>>) -> Result<Resource, String> {
        if let Some(reason) = self.ended {
            return Err(reason.to_owned());
        }
        if Instant::now() >= self.end {
            return self.end_here("the time for reading was over");
        }
        let Some(left) = self.left.checked_sub(1) else {
            return self.end_here("the BMC has more to read than is read");
        };
        self.left = left;
        match timeout_at(self.end, read).await {
            Ok(Ok(resource)) => Ok(resource),
            Ok(Err(error)) => {
                if matches!(error, RedfishError::NoConnection { .. } | RedfishError::ReadUnanswered { .. }) {
                    self.ended = Some("the BMC did not answer before");
                }
                Err(reason(&error))
            }
            Err(_) => self.end_here("the time for reading was over"),
        }
    }
}

/// Returns why a read failed, without the address of the resource.
fn reason(error: &RedfishError) -> String {
    match error {
        RedfishError::NoConnection { .. } => "there is no connection to the BMC".to_owned(),
        RedfishError::ReadUnanswered { .. } => "the BMC did not answer".to_owned(),
        RedfishError::Busy { status, .. } => format!("the BMC cannot answer now (HTTP {})", status.as_u16()),
        RedfishError::Credential { status, .. } | RedfishError::Rejected { status, .. } => {
            format!("the BMC refuses with HTTP {}", status.as_u16())
        }
        RedfishError::WrongAnswer { .. } | RedfishError::Redirect { .. } => "the answer is none of Redfish".to_owned(),
        RedfishError::Certificate { .. } => "the certificate of the BMC is not trusted".to_owned(),
        _ => "the BMC cannot be read".to_owned(),
    }
}
