//! The manifests of `deploy/bcm-sync` and `deploy/ironic-sync`: their arguments are flags of the program, and their
//! parts fit each other.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::Value;
use underlay_kit::documents;

/// The types of sources that have manifests.
const TYPES: [&str; 2] = ["bcm", "ironic"];

/// Returns the documents of a file of a type of sources, by their kinds.
fn manifests(of: &str, file: &str) -> BTreeMap<String, Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("deploy/{of}-sync")).join(file);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let documents = documents::read(&text, false).into_iter();
    let documents = documents.map(|document| document.unwrap_or_else(|reason| panic!("{file}: {reason}")));
    documents.map(|document| (document["kind"].as_str().expect("a kind").to_owned(), document)).collect()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("a text: {value}"))
}

fn parameters(of: &str) -> BTreeMap<String, String> {
    let data = manifests(of, "parameters.yaml")["ConfigMap"]["data"].clone();
    let data = data.as_object().expect("an object");
    data.iter().map(|(name, value)| (name.clone(), text(value).to_owned())).collect()
}

/// Returns the arguments of the container, with the values of the parameters in them.
fn arguments(of: &str, container: &Value, parameters: &BTreeMap<String, String>) -> Vec<String> {
    let mut arguments: Vec<String> = list(&container["command"]).iter().map(|it| text(it).to_owned()).collect();
    arguments.extend(list(&container["args"]).iter().map(|it| text(it).to_owned()));
    for variable in list(&container["env"]) {
        let key = &variable["valueFrom"]["configMapKeyRef"];
        assert_eq!(key["name"], format!("{of}-sync"));
        let value = parameters.get(text(&key["key"])).unwrap_or_else(|| panic!("no parameter {key}"));
        let place = format!("$({})", text(&variable["name"]));
        assert!(arguments.iter().any(|it| it.contains(&place)), "{place} is not used");
        arguments.iter_mut().for_each(|argument| *argument = argument.replace(&place, value));
    }
    arguments
}

#[test]
fn the_arguments_are_flags_of_the_program() {
    for of in TYPES {
        let (deployment, parameters) = (manifests(of, "deployment.yaml")["Deployment"].clone(), parameters(of));
        let container = &deployment["spec"]["template"]["spec"]["containers"][0];
        let arguments = arguments(of, container, &parameters);
        assert!(arguments.iter().all(|argument| !argument.contains("$(")), "{arguments:?}");
        let matches = crate::cli::command().try_get_matches_from(&arguments).unwrap_or_else(|error| panic!("{error}"));
        let (name, sync) = matches.subcommand().expect("a command");
        let (named, flags) = sync.subcommand().expect("a type");
        assert_eq!((name, named), ("sync", of));
        let given = |name: &str| flags.get_one::<String>(name);
        let parameter = |name: &str| parameters.get(&format!("{of}.{name}"));
        assert_eq!((given("url"), given("site")), (parameter("url"), parameter("site")));
        let interval = flags.get_one::<u64>("interval").map(u64::to_string);
        assert_eq!(interval.as_ref(), parameter("syncInterval"));
        let port = list(&container["ports"])[0]["containerPort"].to_string();
        assert!(arguments.contains(&format!("--listen=0.0.0.0:{port}")), "{arguments:?}");
    }
}

#[test]
fn every_file_is_mounted_and_every_volume_is_there() {
    for of in TYPES {
        let deployment = manifests(of, "deployment.yaml")["Deployment"].clone();
        let pod = &deployment["spec"]["template"]["spec"];
        let container = &pod["containers"][0];
        let mounts: Vec<&str> = list(&container["volumeMounts"]).iter().map(|it| text(&it["mountPath"])).collect();
        for argument in list(&container["args"]).iter().map(text) {
            let Some((flag, path)) = argument.split_once("=/") else { continue };
            let is_mounted = mounts.iter().any(|mount| format!("/{path}").starts_with(&format!("{mount}/")));
            assert!(is_mounted, "{flag} /{path}");
        }
        let names = |list: &[Value]| list.iter().map(|it| text(&it["name"]).to_owned()).collect::<BTreeSet<_>>();
        assert_eq!(names(list(&container["volumeMounts"])), names(list(&pod["volumes"])));
        assert_eq!(pod["serviceAccountName"], manifests(of, "deployment.yaml")["ServiceAccount"]["metadata"]["name"]);
    }
}

#[test]
fn the_parameters_reach_the_deployment() {
    for of in TYPES {
        let kustomization = manifests(of, "kustomization.yaml")["Kustomization"].clone();
        for file in list(&kustomization["resources"]) {
            assert!(!manifests(of, text(file)).is_empty(), "{file}");
        }
        let replacement = &kustomization["replacements"][0];
        assert_eq!(replacement["source"]["fieldPath"], format!("data.[{of}.credentialsSecret]"));
        let path = "spec.template.spec.volumes.[name=credentials].secret.secretName";
        assert_eq!(replacement["targets"][0]["fieldPaths"][0], path);
        let deployment = manifests(of, "deployment.yaml")["Deployment"].clone();
        let volumes = list(&deployment["spec"]["template"]["spec"]["volumes"]);
        let volume = volumes.iter().find(|volume| volume["name"] == "credentials").expect("a volume");
        let secret = parameters(of).remove(&format!("{of}.credentialsSecret"));
        assert_eq!(volume["secret"]["secretName"].as_str(), secret.as_deref());
        assert_eq!(deployment["spec"]["replicas"], 1, "a second synchronizer is refused");
        let image = &deployment["spec"]["template"]["spec"]["containers"][0]["image"];
        assert_eq!(image, &kustomization["images"][0]["name"]);
    }
}
