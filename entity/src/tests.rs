//! Tests that enums have the same names in all forms, and that JSON columns and the API keep their documented form.

use async_graphql::resolver_utils::EnumType;
use async_graphql::{EmptyMutation, EmptySubscription, Object, Schema};
use sea_orm::ActiveEnum;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, from_value, json, to_value};
use uuid::Uuid;

use crate::*;

fn same_in_json<T: EnumType + Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>() {
    for item in T::items() {
        assert_eq!(to_value(item.value).unwrap(), item.name);
        assert_eq!(from_value::<T>(item.name.into()).unwrap(), item.value);
    }
}

fn same_everywhere<T>()
where
    T: EnumType + ActiveEnum<Value = String> + Serialize + DeserializeOwned + PartialEq + std::fmt::Debug,
{
    same_in_json::<T>();
    for item in T::items() {
        assert_eq!(item.value.to_value(), item.name);
    }
}

#[test]
fn enums_have_the_same_names_everywhere() {
    same_everywhere::<lifecycle::Status>();
    same_everywhere::<site::SiteType>();
    same_everywhere::<location::LocationType>();
    same_everywhere::<power_feed::Phase>();
    same_everywhere::<device::DeviceRole>();
    same_everywhere::<device::Face>();
    same_everywhere::<device::Plane>();
    same_everywhere::<port::PortType>();
    same_everywhere::<cable::Media>();
    same_everywhere::<cable::CableStatus>();
    same_everywhere::<link::LinkType>();
    same_everywhere::<provider::ProviderType>();
    same_everywhere::<circuit::CircuitType>();
    same_everywhere::<circuit_termination::CircuitSide>();
    same_everywhere::<cluster::ClusterType>();
    same_everywhere::<cluster::ClusterRole>();
    same_everywhere::<source::SourcePrune>();
    same_everywhere::<source::SourceHealth>();
    same_everywhere::<credential::CredentialType>();
    same_everywhere::<profile::ProfilePurpose>();
    same_everywhere::<profile::ProfileMethod>();
    same_everywhere::<appliance::ApplianceType>();
    same_everywhere::<host::HostBootMode>();
    same_everywhere::<host::HostBoot>();
    same_everywhere::<host::HostState>();
    same_everywhere::<host::HostPower>();
    same_everywhere::<source_run::RunMode>();
    same_everywhere::<source_run::RunState>();
    same_everywhere::<source_held::HeldReason>();
    same_everywhere::<change::Operation>();
    same_in_json::<port::PortFamily>();
    same_in_json::<machine::AddressType>();
    same_in_json::<machine::DiskType>();
    same_everywhere::<machine::CpuArchitecture>();
    same_in_json::<profile::ImageFormat>();
    same_in_json::<host::HostAct>();
    same_in_json::<host::ConditionStatus>();
}

fn written_as<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(value: T, form: Value) {
    assert_eq!(to_value(&value).unwrap(), form);
    assert_eq!(from_value::<T>(form).unwrap(), value);
}

#[test]
fn json_columns_have_their_written_form() {
    let id = Uuid::from_u128(7);
    let text = id.to_string();
    written_as(cable::CableEnd::Port(id), json!({"port": text}));
    written_as(cable::CableEnd::PowerFeed(id), json!({"powerFeed": text}));
    written_as(
        cable::CableEnds(Box::new([cable::CableEnd::CircuitTermination(id)])),
        json!([{"circuitTermination": text}]),
    );
    written_as(power_feed::PowerSource::PowerFeed(id), json!({"powerFeed": text}));
    written_as(link::LinkEnd::Cluster(id), json!({"cluster": text}));
    let mapping = port::Mapping { position: 1, rear: id, rear_position: 3 };
    written_as(mapping.clone(), json!({"position": 1, "rear": text, "rearPosition": 3}));
    assert_eq!(from_value::<port::Mapping>(json!({"rear": text, "rearPosition": 3})).unwrap(), mapping);
    let lane = cable::Lane { a_end: 1, a_position: 2, b_end: 1, b_position: 1 };
    assert_eq!(from_value::<cable::Lane>(json!({"aPosition": 2})).unwrap(), lane);
    assert!(from_value::<cable::Lane>(json!({"aPos": 2})).is_err());
    let address = machine::Address { r#type: machine::AddressType::Hostname, address: "node-7".to_owned() };
    written_as(address, json!({"type": "HOSTNAME", "address": "node-7"}));
}

struct Query;

#[Object]
impl Query {
    async fn hardware(&self, hardware: machine::Hardware) -> machine::Hardware {
        hardware
    }

    async fn lane(&self, lane: cable::Lane) -> cable::Lane {
        lane
    }
}

#[tokio::test]
async fn the_api_takes_and_gives_the_same_structures() {
    let schema = Schema::new(Query, EmptyMutation, EmptySubscription);
    let request = "{
        hardware(hardware: {memoryBytes: 9223372036854775807, cpuArchitecture: AMD64}) {
            memoryBytes cpuArchitecture cpuCores disks { name }
        }
        lane(lane: {bPosition: 4}) { aEnd aPosition bEnd bPosition }
    }";
    let answer = schema.execute(request).await.into_result().unwrap();
    let expected = json!({
        "hardware": {"memoryBytes": i64::MAX, "cpuArchitecture": "AMD64", "cpuCores": null, "disks": []},
        "lane": {"aEnd": 1, "aPosition": 1, "bEnd": 1, "bPosition": 4},
    });
    assert_eq!(answer.data.into_json().unwrap(), expected);
    for refused in ["9223372036854775808", "1.5", "\"7\""] {
        let request = format!("{{ hardware(hardware: {{memoryBytes: {refused}}}) {{ memoryBytes }} }}");
        assert!(schema.execute(request).await.is_err(), "{refused}");
    }
}
