//! The Kubernetes manifests of `deploy`: their arguments are flags of the program, and their parts fit each other.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use clap::ArgMatches;
use serde_json::Value;
use underlay_kit::documents;

/// The folders with manifests. The name of a folder is that of its parts, and begins with the type of its source.
const FOLDERS: [&str; 3] = ["bcm-sync", "ironic-sync", "ironic"];

/// Returns the documents of a file in a folder, by their kinds.
fn manifests(folder: &str, file: &str) -> BTreeMap<String, Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy").join(folder).join(file);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let documents = documents::read(&text, false).into_iter();
    let documents = documents.map(|document| document.unwrap_or_else(|reason| panic!("{file}: {reason}")));
    documents.map(|document| (document["kind"].as_str().expect("a kind").to_owned(), document)).collect()
}

/// Returns the part of the parameters' names before the point.
fn prefix(folder: &str) -> &str {
    folder.strip_suffix("-sync").unwrap_or(folder)
}

/// Returns the Pod of a folder.
fn pod(folder: &str) -> Value {
    manifests(folder, "deployment.yaml")["Deployment"]["spec"]["template"]["spec"].clone()
}

/// Returns the container of a Pod that runs this program.
fn own_container(pod: &Value) -> &Value {
    let own = |container: &&Value| container["command"][0] == "underlay";
    list(&pod["containers"]).iter().find(own).expect("a container with the program")
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("a text: {value}"))
}

fn parameters(folder: &str) -> BTreeMap<String, String> {
    let data = manifests(folder, "parameters.yaml")["ConfigMap"]["data"].clone();
    let data = data.as_object().expect("an object");
    data.iter().map(|(name, value)| (name.clone(), text(value).to_owned())).collect()
}

/// Returns the arguments of the container, with the values of the parameters in them.
fn arguments(folder: &str, container: &Value, parameters: &BTreeMap<String, String>) -> Vec<String> {
    let mut arguments: Vec<String> = list(&container["command"]).iter().map(|it| text(it).to_owned()).collect();
    arguments.extend(list(&container["args"]).iter().map(|it| text(it).to_owned()));
    for variable in list(&container["env"]) {
        let key = &variable["valueFrom"]["configMapKeyRef"];
        assert_eq!(key["name"], folder);
        let value = parameters.get(text(&key["key"])).unwrap_or_else(|| panic!("no parameter {key}"));
        let reference = format!("$({})", text(&variable["name"]));
        assert!(arguments.iter().any(|it| it.contains(&reference)), "{reference} is not used");
        arguments.iter_mut().for_each(|argument| *argument = argument.replace(&reference, value));
    }
    arguments
}

/// Returns what the command line reads from the arguments of the container with this program, behind two commands.
fn read_flags(folder: &str) -> (String, String, ArgMatches) {
    let (pod, parameters) = (pod(folder), parameters(folder));
    let container = own_container(&pod);
    let arguments = arguments(folder, container, &parameters);
    assert!(arguments.iter().all(|argument| !argument.contains("$(")), "{arguments:?}");
    let port = list(&container["ports"])[0]["containerPort"].to_string();
    assert!(arguments.contains(&format!("--listen=0.0.0.0:{port}")), "{arguments:?}");
    let mut matches = <crate::Arguments as clap::CommandFactory>::command()
        .try_get_matches_from(&arguments)
        .unwrap_or_else(|error| panic!("{error}"));
    let (name, mut inner) = matches.remove_subcommand().expect("a command");
    let (of, flags) = inner.remove_subcommand().expect("another command");
    (name, of, flags)
}

#[test]
fn the_arguments_of_synchronizers_are_flags_of_the_program() {
    for folder in ["bcm-sync", "ironic-sync"] {
        let (name, of, flags) = read_flags(folder);
        assert_eq!((name.as_str(), of.as_str()), ("sync", prefix(folder)));
        let parameters = parameters(folder);
        let flag = |name: &str| flags.get_one::<String>(name);
        let parameter = |name: &str| parameters.get(&format!("{of}.{name}"));
        assert_eq!((flag("url"), flag("site")), (parameter("url"), parameter("site")));
        let interval = flags.get_one::<u64>("interval").map(u64::to_string);
        assert_eq!(interval.as_ref(), parameter("syncInterval"));
    }
}

#[test]
fn the_arguments_of_the_controller_are_flags_of_the_program() {
    let (name, of, flags) = read_flags("ironic");
    assert_eq!((name.as_str(), of.as_str()), ("run", "hosts"));
    assert_eq!(flags.get_one::<String>("within"), parameters("ironic").get("ironic.site"));
}

#[test]
fn every_file_is_mounted_and_every_volume_is_there() {
    for folder in FOLDERS {
        let pod = pod(folder);
        let containers = || list(&pod["initContainers"]).iter().chain(list(&pod["containers"]));
        for container in containers() {
            let mounts: Vec<&str> = list(&container["volumeMounts"]).iter().map(|it| text(&it["mountPath"])).collect();
            for argument in list(&container["args"]).iter().map(text) {
                let Some((flag, path)) = argument.split_once("=/") else { continue };
                let (flag, path) =
                    (flag.rsplit(' ').next().unwrap_or_default(), path.split(' ').next().unwrap_or_default());
                let holds = |mount: &&&str| format!("/{path}/").starts_with(&format!("{mount}/"));
                assert!(mounts.iter().find(holds).is_some(), "{folder}: {flag} /{path}");
            }
        }
        let name = |it: &Value| text(&it["name"]).to_owned();
        let mounted: BTreeSet<_> = containers().flat_map(|it| list(&it["volumeMounts"])).map(name).collect();
        assert_eq!(mounted, list(&pod["volumes"]).iter().map(name).collect(), "{folder}");
        let account = manifests(folder, "deployment.yaml")["ServiceAccount"]["metadata"]["name"].clone();
        assert_eq!(pod["serviceAccountName"], account);
    }
}

#[test]
fn the_parameters_reach_the_deployment() {
    for folder in FOLDERS {
        let kustomization = manifests(folder, "kustomization.yaml")["Kustomization"].clone();
        for file in list(&kustomization["resources"]) {
            assert!(!manifests(folder, text(file)).is_empty(), "{file}");
        }
        let replacement = &kustomization["replacements"][0];
        let secret_parameter = format!("{}.credentialsSecret", prefix(folder));
        assert_eq!(replacement["source"]["fieldPath"], format!("data.[{secret_parameter}]"));
        let path = "spec.template.spec.volumes.[name=credentials].secret.secretName";
        assert_eq!(replacement["targets"][0]["fieldPaths"][0], path);
        let pod = pod(folder);
        let volume = list(&pod["volumes"]).iter().find(|volume| volume["name"] == "credentials").expect("a volume");
        let secret = parameters(folder).remove(&secret_parameter);
        assert_eq!(volume["secret"]["secretName"].as_str(), secret.as_deref());
        let replicas = &manifests(folder, "deployment.yaml")["Deployment"]["spec"]["replicas"];
        assert_eq!(*replicas, 1, "a second synchronizer is refused, and Ironic has a file of its own");
        assert_eq!(own_container(&pod)["image"], kustomization["images"][0]["name"]);
    }
}
