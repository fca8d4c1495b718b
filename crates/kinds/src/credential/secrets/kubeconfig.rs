//! Checks the access to a Kubernetes cluster: it must be complete in itself. A file that names a program would let
//! whoever sets the secret run it at the controller, and a path would let them read files there.

use serde_json::{Map, Value as Json};
use underlay_kit::documents;

/// Checks a kubeconfig. The reason contains nothing of it but the names of members.
pub(super) fn check(text: &str) -> Result<(), String> {
    let config = match documents::read(text, false).as_slice() {
        [Ok(Json::Object(config))] => config.clone(),
        [Ok(_)] => return Err("must be a kubeconfig: an object with clusters, users and contexts".to_owned()),
        [Err(_)] | [] => return Err("must be a kubeconfig, as YAML or JSON, and cannot be read".to_owned()),
        _ => return Err("must be one document".to_owned()),
    };
    entries(&config, "users", "user", &["exec", "auth-provider"], &["client-certificate", "client-key", "tokenFile"])?;
    entries(&config, "clusters", "cluster", &[], &["certificate-authority"])
}

/// Checks the entries of a list, such as `users`.
fn entries(
    config: &Map<String, Json>,
    list: &str,
    member: &str,
    programs: &[&str],
    paths: &[&str],
) -> Result<(), String> {
    let Some(Json::Array(found)) = config.get(list) else { return Err(format!("must have a list of {list}")) };
    for (at, entry) in found.iter().enumerate() {
        let has = |name: &&&str| entry.get(member).and_then(|it| it.get(**name)).is_some();
        if let Some(name) = programs.iter().find(has) {
            return Err(format!(
                "must not name a program: {list}[{at}].{member}.{name}; give a token or a client certificate instead"
            ));
        }
        if let Some(name) = paths.iter().find(has) {
            let data = if *name == "tokenFile" { "token".to_owned() } else { format!("{name}-data") };
            return Err(format!(
                "must not name a file: {list}[{at}].{member}.{name}; give its content as {data} instead"
            ));
        }
    }
    Ok(())
}
