//! Tests that the tables fit the entities, and that the database rejects invalid rows.

use std::sync::Arc;

use sea_orm_migration::prelude::*;
use sea_orm_migration::sea_orm::prelude::{Date, DateTimeUtc, Uuid};
use sea_orm_migration::sea_orm::{
    ActiveModelBehavior, ActiveModelTrait, Database, DatabaseConnection, EntityTrait, IntoActiveModel, Iterable,
    ModelTrait, TransactionTrait,
};
use serde_json::json;
use underlay_entity::*;

use crate::Migrator;

const SITE: Uuid = Uuid::from_u128(1);
const DEVICE: Uuid = Uuid::from_u128(2);
/// The number of the migration that empties structures.
const EMPTY_STRUCTURES: u32 = 24;

/// Creates a row of a kind with an id and a name. The other shared columns have values that must survive a round trip.
macro_rules! row {
    ($kind:ident, $id:expr, $name:expr, { $($field:ident: $value:expr),* $(,)? }) => {
        $kind::Model {
            id: $id,
            name: $name.to_owned(),
            labels: common::Labels(Arc::new([("env".to_owned(), "prod".to_owned())].into())),
            tenant: None,
            description: Some("à côté".to_owned()),
            attributes: common::Attributes(Arc::new([("depth".to_owned(), json!({"mm": 1070.5}))].into())),
            external_refs: common::ExternalRefs(Box::new([common::ExternalRef {
                source: "bcm-dc1".to_owned(),
                external_id: $name.to_owned(),
                url: None,
            }])),
            managers: common::Managers(vec![common::Holding { manager: 1, since: 2, fields: 5, keys: vec![] }].into()),
            version: i64::MAX,
            created_at: DateTimeUtc::from_timestamp_micros(1_795_000_000_000_001).unwrap(),
            updated_at: DateTimeUtc::from_timestamp_micros(1_795_000_000_123_456).unwrap(),
            $($field: $value),*
        }
    };
}

async fn migrated() -> DatabaseConnection {
    let database = Database::connect("sqlite::memory:").await.unwrap();
    Migrator::up(&database, None).await.unwrap();
    database
}

async fn insert<M, A>(database: &impl ConnectionTrait, row: M) -> Result<(), DbErr>
where
    M: ModelTrait + IntoActiveModel<A>,
    A: ActiveModelTrait<Entity = M::Entity>,
{
    M::Entity::insert(row.into_active_model()).exec_without_returning(database).await.map(|_| ())
}

/// Inserts a row and checks that reading returns an equal row.
async fn keeps<M, A>(database: &DatabaseConnection, row: M)
where
    M: ModelTrait + IntoActiveModel<A> + PartialEq,
    M::Entity: EntityTrait<Model = M>,
    A: ActiveModelTrait<Entity = M::Entity> + ActiveModelBehavior,
{
    insert(database, row.clone()).await.unwrap();
    assert_eq!(M::Entity::find().all(database).await.unwrap(), [row]);
}

async fn is_empty<E: EntityTrait>(database: &DatabaseConnection) {
    assert!(E::find().all(database).await.unwrap().is_empty());
}

fn site() -> site::Model {
    row!(site, SITE, "ams1", {
        display_name: None,
        region_id: None,
        provider_id: None,
        r#type: site::SiteType::AvailabilityZone,
        address: None,
        coordinates: Some(place::Coordinates { latitude: 52.0, longitude: 4.8952 }),
        time_zone: Some("Europe/Amsterdam".to_owned()),
        status: lifecycle::Status::Active,
    })
}

fn rack(site_id: Uuid) -> rack::Model {
    row!(rack, Uuid::from_u128(10), "A14", {
        site_id: site_id,
        location_id: None,
        cage: None,
        row: Some("A".to_owned()),
        height_u: 42,
        serial: None,
        asset_tag: None,
        status: lifecycle::Status::Planned,
        position: Some(rack::RackPosition { x: 1.5, y: -2.25, turn: 90.0 }),
    })
}

fn device() -> device::Model {
    row!(device, DEVICE, "node-7", {
        role: device::DeviceRole::LoadBalancer,
        site_id: SITE,
        location_id: None,
        cluster_id: None,
        parent_id: None,
        slot: None,
        rack_id: None,
        start_unit: Some(10.5),
        unit_height: Some(2.0),
        face: Some(device::Face::Rear),
        full_depth: true,
        manufacturer: None,
        model: None,
        serial: None,
        asset_tag: None,
        platform: None,
        forwards: Some(false),
        plane: device::Plane::Data,
        inlets_required: 2,
        addresses: machine::Addresses(Box::new([machine::Address {
            r#type: machine::AddressType::Management,
            address: "10.0.0.7".to_owned(),
        }])),
        hardware: Some(machine::Hardware {
            cpu_cores: Some(64),
            cpu_architecture: Some(machine::CpuArchitecture::Amd64),
            memory_bytes: Some(long::Long(1 << 40)),
            disks: vec![machine::Disk {
                name: "nvme0n1".to_owned(),
                size_bytes: long::Long(3_840_755_982_336),
                r#type: machine::DiskType::Nvme,
            }],
        }),
        status: lifecycle::Status::Active,
    })
}

fn port(id: u128, r#type: port::PortType) -> port::Model {
    row!(port, Uuid::from_u128(id), "1", {
        device_id: Some(DEVICE),
        rack_id: None,
        virtual_machine_id: None,
        r#type: r#type,
        connector: None,
        speed_bps: Some(400_000_000_000),
        mtu: None,
        mac: None,
        addresses: common::Texts(Box::new(["10.0.0.7/31".to_owned()])),
        lag_id: None,
        parent_id: None,
        mgmt_only: false,
        enabled: true,
        mark_connected: false,
        positions: 4,
        fed_by: power_feed::PowerSources(Box::new([power_feed::PowerSource::Port(Uuid::from_u128(3))])),
        pass_through: port::Mappings(Box::new([port::Mapping { position: 1, rear: Uuid::from_u128(4), rear_position: 2 }])),
        draw_w: Some(port::PowerDraw { maximum: Some(750), allocated: None }),
    })
}

fn location(id: u128, parent_id: Option<Uuid>) -> location::Model {
    row!(location, Uuid::from_u128(id), "hall-1", {
        site_id: SITE,
        parent_id: parent_id,
        r#type: Some(location::LocationType::Room),
    })
}

#[tokio::test]
async fn tables_fit_the_entities() {
    let database = migrated().await;
    is_empty::<region::Entity>(&database).await;
    is_empty::<site::Entity>(&database).await;
    is_empty::<location::Entity>(&database).await;
    is_empty::<rack::Entity>(&database).await;
    is_empty::<power_feed::Entity>(&database).await;
    is_empty::<device::Entity>(&database).await;
    is_empty::<port::Entity>(&database).await;
    is_empty::<cable::Entity>(&database).await;
    is_empty::<link::Entity>(&database).await;
    is_empty::<provider::Entity>(&database).await;
    is_empty::<provider_network::Entity>(&database).await;
    is_empty::<circuit::Entity>(&database).await;
    is_empty::<circuit_termination::Entity>(&database).await;
    is_empty::<cluster::Entity>(&database).await;
    is_empty::<virtual_machine::Entity>(&database).await;
    is_empty::<batch::Entity>(&database).await;
    is_empty::<change::Entity>(&database).await;
    is_empty::<manager::Entity>(&database).await;
    is_empty::<request::Entity>(&database).await;
    let first = revision::Model {
        id: 1,
        number: 0,
        batch_id: Uuid::nil(),
        at: DateTimeUtc::UNIX_EPOCH,
        reader_format: 1,
        writer_format: 1,
    };
    assert_eq!(revision::Entity::find().all(&database).await.unwrap(), [first]);
}

#[tokio::test]
async fn rows_come_back_as_written() {
    let database = migrated().await;
    keeps(&database, site()).await;
    keeps(&database, rack(SITE)).await;
    keeps(&database, device()).await;
    keeps(&database, port(20, port::PortType::PatchFront)).await;
    let end = |id| cable::CableEnd::Port(Uuid::from_u128(id));
    let cable = row!(cable, Uuid::from_u128(30), "trunk-1", {
        label: None,
        media: Some(cable::Media::FiberSmf),
        status: cable::CableStatus::Connected,
        length_m: Some(12.0),
        color: None,
        risk_groups: common::Texts(Box::new(["duct-7".to_owned()])),
        a_ends: cable::CableEnds(Box::new([end(20)])),
        b_ends: cable::CableEnds(Box::new([end(21), cable::CableEnd::CircuitTermination(Uuid::from_u128(22))])),
        lanes: cable::Lanes(Box::new([cable::Lane { a_end: 1, a_position: 2, b_end: 2, b_position: 1 }])),
    });
    keeps(&database, cable).await;
    let link = row!(link, Uuid::from_u128(40), "ams1-fra1", {
        a: link::LinkEnd::Site(SITE),
        b: link::LinkEnd::Device(DEVICE),
        r#type: link::LinkType::Logical,
        capacity_mbps: Some(100_000),
        latency_ms: Some(6.25),
        cables: common::Ids(Box::new([Uuid::from_u128(30)])),
    });
    keeps(&database, link).await;
    let provider = row!(provider, Uuid::from_u128(50), "lumen", {
        display_name: None,
        r#type: provider::ProviderType::DarkFiber,
        contract: Some(provider::Contract {
            contract_id: Some("C-1".to_owned()),
            account_id: None,
            portal_url: None,
            notes: None,
        }),
        service_identifiers: provider::ServiceIdentifiers(Box::new([])),
    });
    keeps(&database, provider).await;
    let circuit = row!(circuit, Uuid::from_u128(60), "LUM-12345", {
        provider_id: Uuid::from_u128(50),
        circuit_id: None,
        r#type: circuit::CircuitType::ProviderCircuit,
        bandwidth_mbps: None,
        distance_m: None,
        latency_ms: None,
        installed_on: Date::from_ymd_opt(2026, 11, 20),
        risk_groups: common::Texts(Box::new([])),
        status: lifecycle::Status::Active,
        service_ref: None,
    });
    keeps(&database, circuit).await;
    let change = change::Model {
        revision: 1,
        position: 0,
        format: 1,
        kind: "rack".to_owned(),
        object_id: Uuid::from_u128(10),
        name: "A14".to_owned(),
        operation: change::Operation::Created,
        before: None,
        after: Some(json!({"heightU": 42}).to_string()),
        scope_before: None,
        scope_after: Some(json!({"labels": {}}).to_string()),
        actor: "user:ops".to_owned(),
        source: None,
        at: DateTimeUtc::from_timestamp_micros(1_795_000_000_000_001).unwrap(),
    };
    keeps(&database, change).await;
}

#[tokio::test]
async fn a_missing_reference_is_refused_at_commit() {
    let database = migrated().await;
    let transaction = database.begin().await.unwrap();
    insert(&transaction, rack(SITE)).await.unwrap();
    assert!(transaction.commit().await.is_err());
    is_empty::<rack::Entity>(&database).await;

    let transaction = database.begin().await.unwrap();
    insert(&transaction, rack(SITE)).await.unwrap();
    insert(&transaction, site()).await.unwrap();
    transaction.commit().await.unwrap();
    assert!(site::Entity::delete_by_id(SITE).exec(&database).await.is_err());
}

#[tokio::test]
async fn port_names_are_unique_in_their_family() {
    let database = migrated().await;
    insert(&database, site()).await.unwrap();
    insert(&database, device()).await.unwrap();
    let mut families = Vec::new();
    for (id, r#type) in (100..).zip(port::PortType::iter()) {
        let inserted = insert(&database, port(id, r#type)).await.is_ok();
        assert_eq!(inserted, !families.contains(&r#type.family()), "{type:?}");
        families.push(r#type.family());
    }
}

fn virtual_machine() -> virtual_machine::Model {
    row!(virtual_machine, Uuid::from_u128(70), "vm-1", {
        host_id: Some(DEVICE),
        cluster_id: None,
        provider_id: None,
        project_ref: None,
        allocation: None,
        addresses: machine::Addresses(Box::new([])),
        status: lifecycle::Status::Active,
    })
}

#[tokio::test]
async fn a_port_of_a_virtual_machine_has_its_name_there() {
    let database = migrated().await;
    insert(&database, site()).await.unwrap();
    insert(&database, device()).await.unwrap();
    let port = |id, vm: Option<Uuid>| port::Model {
        device_id: vm.is_none().then_some(DEVICE),
        virtual_machine_id: vm,
        ..port(id, port::PortType::Virtual)
    };
    let vm = virtual_machine();
    assert!(insert(&database, port(100, Some(vm.id))).await.is_err(), "there is no such virtual machine");
    insert(&database, vm.clone()).await.unwrap();
    insert(&database, port(100, None)).await.unwrap();
    insert(&database, port(101, Some(vm.id))).await.unwrap();
    assert!(insert(&database, port(102, Some(vm.id))).await.is_err(), "the name is taken");
    assert!(virtual_machine::Entity::delete_by_id(vm.id).exec(&database).await.is_err(), "a port refers to it");
}

#[tokio::test]
async fn an_optional_parent_is_part_of_the_key() {
    let database = migrated().await;
    insert(&database, site()).await.unwrap();
    insert(&database, location(200, None)).await.unwrap();
    assert!(insert(&database, location(201, None)).await.is_err());
    insert(&database, location(202, Some(Uuid::from_u128(200)))).await.unwrap();
    assert!(insert(&database, location(203, Some(Uuid::from_u128(200)))).await.is_err());
}

/// Requests that were answered before they had a table of their own are still known.
#[tokio::test]
async fn requests_come_from_batches() {
    let database = Database::connect("sqlite::memory:").await.unwrap();
    Migrator::up(&database, Some(2)).await.unwrap();
    for (revision, actor, request) in [(1, "ann", "'a'"), (2, "ann", "'a'"), (3, "bob", "'a'"), (4, "bob", "NULL")] {
        let outcome = if request == "NULL" { "NULL" } else { "'[]'" };
        let batch = format!(
            r#"INSERT INTO "batch" ("revision", "batch_id", "request_id", "actor", "at", "outcome")
            VALUES ({revision}, X'{revision:032x}', {request}, '{actor}', '2026-11-23 10:00:00+00:00', {outcome})"#
        );
        database.execute_unprepared(&batch).await.unwrap();
    }
    Migrator::up(&database, None).await.unwrap();
    let requests = request::Entity::find().all(&database).await.unwrap();
    let known: Vec<_> = requests.iter().map(|it| (it.actor.as_str(), it.revision, it.digest.as_deref())).collect();
    assert_eq!(known, [("ann", Some(2), None), ("bob", Some(3), None)]);
    let row = request::Model { revision: None, digest: Some("0f".to_owned()), ..requests[0].clone() };
    request::Entity::delete_many().exec(&database).await.unwrap();
    keeps(&database, row).await;
}

/// Empty structures, as older servers stored them, are none.
#[tokio::test]
async fn empty_structures_are_emptied() {
    let database = Database::connect("sqlite::memory:").await.unwrap();
    Migrator::up(&database, Some(EMPTY_STRUCTURES - 1)).await.unwrap();
    for (id, contract) in [(1, "'{}'"), (2, "'{\"notes\":\"n\"}'"), (3, "NULL")] {
        let provider = format!(
            r#"INSERT INTO "provider" ("id", "name", "type", "contract", "labels", "attributes", "external_refs", "managers",
                "service_identifiers", "version", "created_at", "updated_at")
            VALUES (X'{id:032x}', 'p{id}', 'TRANSIT', {contract}, '{{}}', '{{}}', '[]', '[]', '[]', 1,
                '2026-11-23 10:00:00+00:00', '2026-11-23 10:00:00+00:00')"#
        );
        database.execute_unprepared(&provider).await.unwrap();
    }
    Migrator::up(&database, None).await.unwrap();
    let mut providers = provider::Entity::find().all(&database).await.unwrap();
    providers.sort_by(|one, other| one.name.cmp(&other.name));
    let contracts: Vec<bool> = providers.iter().map(|provider| provider.contract.is_some()).collect();
    assert_eq!(contracts, [false, true, false]);
}

/// A migration that has come between others is run in databases that have the later one.
#[tokio::test]
async fn a_migration_between_others_is_run() {
    let database = migrated().await;
    for statement in [
        r#"DELETE FROM "seaql_migrations" WHERE "version" = 'm20261130_000036_hardware_asked_for'"#,
        r#"ALTER TABLE "host" DROP COLUMN "hardware_asked""#,
    ] {
        database.execute_unprepared(statement).await.unwrap();
    }
    assert!(host::Entity::find().all(&database).await.is_err(), "the column is gone");
    Migrator::up(&database, None).await.unwrap();
    is_empty::<host::Entity>(&database).await;
}

#[tokio::test]
async fn down_leaves_nothing() {
    let database = migrated().await;
    insert(&database, site()).await.unwrap();
    insert(&database, location(200, None)).await.unwrap();
    insert(&database, location(201, Some(Uuid::from_u128(200)))).await.unwrap();
    Migrator::down(&database, None).await.unwrap();
    Migrator::up(&database, None).await.unwrap();
    is_empty::<location::Entity>(&database).await;
}
