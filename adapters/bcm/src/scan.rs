//! Reads what BCM has, in the order of references: categories, racks, devices.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Mutex, PoisonError};

use underlay_kit::sync::{AdapterError, ExternalId, Items, Sink};

use crate::client::{Call, Client};
use crate::map::{self, Context, LITE_NODE, Mapped};
use crate::object::Object;
use crate::settings::Settings;

/// The names of the types in reports.
const CATEGORY: &str = "category";
const RACK: &str = "rack";

/// A scan of everything, or a look at one object.
pub struct Scan<'a> {
    client: &'a Client,
    cx: Context,
    hostnames: &'a Mutex<HashMap<String, String>>,
}

impl<'a> Scan<'a> {
    pub fn new(
        client: &'a Client,
        settings: &Settings,
        base: &str,
        hostnames: &'a Mutex<HashMap<String, String>>,
    ) -> Self {
        let cx = Context {
            source: settings.source.clone(),
            base: base.to_owned(),
            site: settings.site.trim().to_owned(),
            categories: BTreeSet::new(),
            racks: BTreeSet::new(),
        };
        Self { client, cx, hostnames }
    }

    /// Emits all objects.
    ///
    /// # Errors
    /// Returns an error if a list cannot be read, or breaks the contract of the API.
    pub async fn everything(mut self, sink: &mut Sink) -> Result<(), AdapterError> {
        let (categories, racks) = self.lists().await?;
        for object in &categories {
            put(sink, CATEGORY, map::category(&self.cx, object)?).await?;
        }
        for object in &racks {
            put(sink, RACK, map::rack(&self.cx, object)?).await?;
        }
        let mut hostnames = HashMap::new();
        for object in self.client.list(&Call::devices()).await? {
            let of = map::type_of(&object)?;
            if of != LITE_NODE {
                sink.report().read(of, 1);
                sink.report().left_out(of, "no lite node", 1);
                continue;
            }
            if let Ok(Some(hostname)) = object.part().text("hostname") {
                hostnames.insert(object.uuid()?.to_owned(), hostname.to_owned());
            }
            put(sink, LITE_NODE, map::node(&self.cx, &object)?).await?;
        }
        *self.hostnames.lock().unwrap_or_else(PoisonError::into_inner) = hostnames;
        Ok(())
    }

    /// Returns the items of one object, `None` if BCM does not have it.
    ///
    /// # Errors
    /// Returns an error if BCM cannot be read, or breaks the contract of the API.
    pub async fn one(mut self, id: &ExternalId) -> Result<Option<Items>, AdapterError> {
        let (categories, racks) = self.lists().await?;
        let mapped = match id.kind.as_str() {
            "hostClass" => with(&categories, &id.id)?.map(|it| map::category(&self.cx, it)).transpose()?,
            "rack" => with(&racks, &id.id)?.map(|it| map::rack(&self.cx, it)).transpose()?,
            _ => self.node(&id.id).await?.map(|it| map::node(&self.cx, &it)).transpose()?,
        };
        let Some(Mapped { items, bad, .. }) = mapped else { return Ok(None) };
        let items: Items = items.into_iter().filter(|item| item.id() == id).collect();
        // A node that cannot be mapped is still there. One without a user of its BMC has no credential any more.
        Ok((!items.is_empty() || !bad.is_empty()).then_some(items))
    }

    /// Reads the categories and racks, to which devices refer.
    async fn lists(&mut self) -> Result<(Vec<Object>, Vec<Object>), AdapterError> {
        let categories = self.client.list(&Call::categories()).await?;
        let racks = self.client.list(&Call::racks()).await?;
        self.cx.categories = named(&categories)?;
        self.cx.racks = named(&racks)?;
        Ok((categories, racks))
    }

    /// Reads the lite node with an id.
    async fn node(&self, uuid: &str) -> Result<Option<Object>, AdapterError> {
        let hostname = self.hostnames.lock().unwrap_or_else(PoisonError::into_inner).get(uuid).cloned();
        let mut found = None;
        if let Some(hostname) = hostname {
            found = self.client.find(&Call::device(&hostname)).await?;
            found = found.filter(|object| object.uuid().is_ok_and(|it| it == uuid));
        }
        // A node that was renamed is not found by its old name. BCM finds devices by no other member.
        let found = match found {
            Some(object) => Some(object),
            None => {
                let mut devices = self.client.list(&Call::devices()).await?;
                let index = devices.iter().position(|object| object.uuid().is_ok_and(|it| it == uuid));
                index.map(|index| devices.swap_remove(index))
            }
        };
        let Some(object) = found else { return Ok(None) };
        Ok((map::type_of(&object)? == LITE_NODE).then_some(object))
    }
}

/// Emits what became of an object, and counts it.
async fn put(sink: &mut Sink, of: &str, mapped: Mapped) -> Result<(), AdapterError> {
    sink.report().read(of, 1);
    match mapped.items.is_empty() {
        true => sink.report().left_out(of, "not valid", 1),
        false => sink.report().mapped(of, 1),
    }
    for (reason, count) in mapped.left_out.into_iter().filter(|(_, count)| *count > 0) {
        sink.report().left_out(of, reason, count);
    }
    for item in mapped.items {
        sink.put(item).await?;
    }
    if let Some(secret) = mapped.secret {
        sink.secret(secret).await?;
    }
    for thing in mapped.bad {
        sink.bad(thing).await?;
    }
    Ok(())
}

/// Returns the ids of the objects that become items. One without a name does not; it is reported when it is mapped.
fn named(objects: &[Object]) -> Result<BTreeSet<String>, AdapterError> {
    let is_named = |object: &&Object| object.part().text("name").is_ok_and(|name| name.is_some());
    objects.iter().filter(is_named).map(|object| object.uuid().map(str::to_owned)).collect()
}

fn with<'a>(objects: &'a [Object], uuid: &str) -> Result<Option<&'a Object>, AdapterError> {
    for object in objects {
        if object.uuid()? == uuid {
            return Ok(Some(object));
        }
    }
    Ok(None)
}
