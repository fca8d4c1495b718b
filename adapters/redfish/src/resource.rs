//! The resources of a BMC, as its answers describe them. BMCs leave out members, and write names and links in several ways.

use std::sync::Arc;

use reqwest::Url;
use serde_json::{Map, Value};

use crate::failure::RedfishError;

/// A resource: an object of JSON, and where it came from.
#[derive(Clone, Debug)]
pub struct Resource {
    /// The call that read it, for messages.
    pub call: Arc<str>,
    /// The URL that it was read from.
    pub url: Url,
    /// The version of the resource, as `If-Match` takes it.
    pub etag: Option<String>,
    pub members: Map<String, Value>,
}

/// Returns the member of an object, whatever the case of its name. A member that is null is none.
pub fn member<'a>(object: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    let exact = object.get(name);
    let any = || object.iter().find(|(found, _)| found.eq_ignore_ascii_case(name)).map(|(_, value)| value);
    exact.or_else(any).filter(|value| !value.is_null())
}

/// Returns the text of a member that is not blank.
pub fn text<'a>(object: &'a Map<String, Value>, name: &str) -> Option<&'a str> {
    member(object, name).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty())
}

/// Returns the object of a member.
pub fn object<'a>(object: &'a Map<String, Value>, name: &str) -> Option<&'a Map<String, Value>> {
    member(object, name).and_then(Value::as_object)
}

/// Returns the texts of a list; `None` if there is no list.
pub fn texts(object: &Map<String, Value>, name: &str) -> Option<Vec<String>> {
    let list = member(object, name)?.as_array()?;
    Some(list.iter().filter_map(Value::as_str).map(str::to_owned).collect())
}

impl Resource {
    /// Returns the text of a member that is not blank.
    pub fn text(&self, name: &str) -> Option<&str> {
        text(&self.members, name)
    }

    /// Returns the URL of the resource that a member links to: `"Name": {"@odata.id": "/redfish/v1/…"}`.
    ///
    /// # Errors
    /// Returns an error if the member is no link.
    pub fn link(&self, name: &str) -> Result<Option<Url>, RedfishError> {
        member(&self.members, name).map(|value| self.url_of(value, name)).transpose()
    }

    /// Returns the URLs of the members of a collection. A resource that is no collection has none.
    ///
    /// # Errors
    /// Returns an error if there is something else than a list of links.
    pub fn list(&self) -> Result<Option<Vec<Url>>, RedfishError> {
        let Some(value) = member(&self.members, "Members") else { return Ok(None) };
        let list = value.as_array().ok_or_else(|| self.wrong("Members", "a list of links"))?;
        let urls = list.iter().enumerate().map(|(index, value)| self.url_of(value, &format!("Members[{index}]")));
        urls.collect::<Result<_, _>>().map(Some)
    }

    /// Returns the URL that a text of this resource means.
    ///
    /// # Errors
    /// Returns an error if the text is no link.
    pub fn resolve(&self, text: &str, path: &str) -> Result<Url, RedfishError> {
        resolve(&self.url, text).ok_or_else(|| self.wrong(path, "a link"))
    }

    /// Returns the error for a member that is missing or wrong.
    pub fn wrong(&self, path: &str, expected: &str) -> RedfishError {
        RedfishError::WrongAnswer { call: self.call.to_string(), path: path.to_owned(), expected: expected.to_owned() }
    }

    fn url_of(&self, value: &Value, path: &str) -> Result<Url, RedfishError> {
        let link = value.as_object().and_then(|object| text(object, "@odata.id"));
        self.resolve(link.ok_or_else(|| self.wrong(path, "a link (@odata.id)"))?, path)
    }
}

/// Returns the URL of a link in a resource. BMCs write paths, relative paths, and whole URLs with the name or address by
/// which they know themselves; the client stays at the host that was checked, whatever the link says.
pub fn resolve(base: &Url, link: &str) -> Option<Url> {
    let joined = base.join(link).ok()?;
    if joined.cannot_be_a_base() {
        return None;
    }
    let mut url = base.clone();
    url.set_path(joined.path());
    url.set_query(joined.query());
    url.set_fragment(None);
    Some(url)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn resource(value: Value) -> Resource {
        let url = Url::parse("https://10.0.0.7/redfish/v1/").unwrap();
        let Value::Object(members) = value else { panic!("no object") };
        Resource { call: format!("GET {url}").into(), url, etag: None, members }
    }

    #[test]
    fn a_link_leads_to_the_same_host_in_every_form() {
        let base = Url::parse("https://10.0.0.7:8443/redfish/v1/").unwrap();
        for (link, expected) in [
            ("/redfish/v1/Systems/1", Some("https://10.0.0.7:8443/redfish/v1/Systems/1")),
            ("Systems/1", Some("https://10.0.0.7:8443/redfish/v1/Systems/1")),
            ("https://bmc.local/redfish/v1/Systems/1", Some("https://10.0.0.7:8443/redfish/v1/Systems/1")),
            ("http://169.254.169.254/latest", Some("https://10.0.0.7:8443/latest")),
            ("//other/redfish/v1/Systems", Some("https://10.0.0.7:8443/redfish/v1/Systems")),
            ("/redfish/v1/Systems?$skip=50#a", Some("https://10.0.0.7:8443/redfish/v1/Systems?$skip=50")),
            ("mailto:bmc", None),
            ("https://[", None),
        ] {
            assert_eq!(resolve(&base, link).as_ref().map(Url::as_str), expected, "{link}");
        }
    }

    #[test]
    fn members_are_found_in_any_case_and_links_must_be_links() {
        let it = resource(
            json!({"uuid": " a ", "Model": null, "SKU": "", "Systems": {"@odata.Id": "Systems"}, "Chassis": "x"}),
        );
        assert_eq!((it.text("UUID"), it.text("Model"), it.text("SKU"), it.text("Name")), (Some("a"), None, None, None));
        assert_eq!(it.link("Systems").unwrap().unwrap().path(), "/redfish/v1/Systems");
        assert!(it.link("Managers").unwrap().is_none());
        let error = it.link("Chassis").unwrap_err().to_string();
        assert!(error.contains("GET https://10.0.0.7/redfish/v1/: the answer must have a link"), "{error}");
    }

    #[test]
    fn a_collection_has_links_alone() {
        assert!(resource(json!({})).list().unwrap().is_none());
        assert_eq!(resource(json!({"Members": []})).list().unwrap().unwrap().len(), 0);
        assert_eq!(resource(json!({"Members": [{"@odata.id": "/a"}]})).list().unwrap().unwrap()[0].path(), "/a");
        for wrong in [json!({"Members": {}}), json!({"Members": ["/a"]}), json!({"Members": [{"@odata.id": 7}]})] {
            assert!(resource(wrong.clone()).list().is_err(), "{wrong}");
        }
    }
}
