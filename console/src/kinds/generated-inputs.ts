// Written by generate.mjs from schema.graphql. Do not edit.
import type { InputField } from './shape.ts';

/** The fields of the input of each kind. */
export const INPUTS: Record<string, InputField[]> = {
 "Region": [
  {
   "name": "name",
   "type": "String",
   "patch": true,
   "needed": true
  },
  {
   "name": "labels",
   "type": "Labels",
   "patch": true,
   "needed": false
  },
  {
   "name": "tenant",
   "type": "String",
   "patch": true,
   "needed": false
  },
  {
   "name": "description",
   "type": "String",
   "patch": true,
   "needed": false
  },
  {
   "name": "attributes",
   "type": "JSON",
   "patch": true,
   "needed": false
  },
  {
   "name": "externalRefs",
   "type": "[ExternalRefInput!]",
   "patch": true,
   "needed": false
  },
  {
   "name": "displayName",
   "type": "String",
   "patch": true,
   "needed": false
  },
  {
   "name": "parent",
   "type": "RegionRef",
   "patch": true,
   "needed": false
  },
  {
   "name": "coordinates",
   "type": "CoordinatesInput",
   "patch": true,
   "needed": false
  }
 ],
 "Site": [
  {
   "name": "name",
   "type": "String",
   "patch": true,
   "needed": true
  },
  {
   "name": "labels",
   "type": "Labels",
   "patch": true,
   "needed": false
  },
  {
   "name": "tenant",
   "type": "String",
   "patch": true,
   "needed": false
  },
  {
   "name": "description",
   "type": "String",
   "patch": true,
   "needed": false
  },
  {
   "name": "attributes",
   "type": "JSON",
   "patch": true,
   "needed": false
  },
  {
   "name": "externalRefs",
   "type": "[ExternalRefInput!]",
   "patch": true,
   "needed": false
  },
  {
   "name": "displayName",
   "type": "String",
   "patch": true,
   "needed": false
  },
  {
   "name": "region",
   "type": "RegionRef",
   "patch": true,
   "needed": false
  },
  {
   "name": "provider",
   "type": "ProviderRef",
   "patch": true,
   "needed": false
  },
  {
   "name": "type",
   "type": "SiteType",
   "patch": true,
   "needed": true
  },
  {
   "name": "address",
   "type": "String",
   "patch": true,
   "needed": false
  },
  {
   "name": "coordinates",
   "type": "CoordinatesInput",
   "patch": true,
   "needed": false
  },
  {
   "name": "timeZone",
   "type": "String",
   "patch": true,
   "needed": false
  },
  {
   "name": "status",
   "type": "Status",
   "patch": true,
   "needed": false
  }
 ],
 "Location": [
  {
   "name": "name",
   "type": "String",
   "patch": true,
   "needed": true
  },
  {
   "name": "labels",
   "type": "Labels",
   "patch": true,
   "needed": false
  },
  {
   "name": "tenant",
   "type": "String",
   "patch": true,
   "needed": false
  },
  {
   "name": "description",
   "type": "String",
   "patch": true,
   "needed": false
  },
  {
   "name": "attributes",
   "type": "JSON",
   "patch": true,
   "needed": false
  },
  {
   "name": "externalRefs",
   "type": "[ExternalRefInput!]",
   "patch": true,
   "needed": false
  },
  {
   "name": "site",
   "type": "SiteRef",
   "patch": true,
   "needed": true
  },
  {
   "name": "parent",
   "type": "LocationRef",
   "patch": true,
   "needed": false
  },
  {
   "name": "type",
   "type": "LocationType",
   "patch": true,
   "needed": false
  }
 ],
 "Rack": [
  {
   "name": "name",
   "type": "String",
   "patch": true,
   "needed": true
  },
  {
   "name": "labels",
   "type": "Labels",
   "patch": true,
   "needed": false
  },
  {
   "name": "tenant",
   "type": "String",
   "patch": true,
   "needed": false
  },
  {
   "name": "description",
   "type": "String",
   "patch": true,
   "needed": false
  },
  {
   "name": "attributes",
   "type": "JSON",
   "patch": true,
   "needed": false
  },
  {
   "name": "externalRefs",
   "type": "[ExternalRefInput!]",
   "patch": true,
   "needed": false
  },
  {
   "name": "site",
   "type": "SiteRef",
   "patch": true,
   "needed": true
  },
  {
   "name": "location",
   "type": "LocationRef",
   "patch": true,
   "needed": false
  },
  {
   "name": "cage",
   "type": "String",
   "patch": true,
   "needed": false
  },
  {
   "name": "row",
   "type": "String",
   "patch": true,
   "needed": false
  },
  {
   "name": "heightU",
   "type": "Int",
   "patch": true,
   "needed": true
  },
  {
   "name": "serial",
   "type": "String",
   "patch": true,
   "needed": false
  },
  {
   "name": "assetTag",
   "type": "String",
   "patch": true,
   "needed": false
  },
  {
   "name": "status",
   "type": "Status",
   "patch": true,
   "needed": false
  },
  {
   "name": "position",
   "type": "RackPositionInput",
   "patch": true,
   "needed": false
  }
 ],
 "PowerFeed": [
  {
   "name": "name",
   "type": "String",
   "patch": true,
   "needed": true
  },
  {
   "name": "labels",
   "type": "Labels",
   "patch": true,
   "needed": false
  },
  {
   "name": "tenant",
   "type": "String",
   "patch": true,
   "needed": false
  },
  {
   "name": "description",
   "type": "String",
   "patch": true,
   "needed": false
  },
  {
   "name": "attributes",
   "type": "JSON",
   "patch": true,
   "needed": false
  },
  {
   "name": "externalRefs",
   "type": "[ExternalRefInput!]",
   "patch": true,
   "needed": false
  },
  {
   "name": "site",
   "type": "SiteRef",
   "patch": true,
   "needed": true
  },
  {
   "name": "rack",
   "type": "RackRef",
   "patch": true,
   "needed": false
  },
  {
   "name": "phase",
   "type": "Phase",
   "patch": true,
   "needed": false
  },
  {
   "name": "voltage",
   "type": "Int",
   "patch": true,
   "needed": false
  },
  {
   "name": "ampsRated",
   "type": "Int",
   "patch": true,
   "needed": false
  },
  {
   "name": "upstream",
   "type": "PowerSourceInput",
   "patch": true,
   "needed": false
  },
  {
   "name": "riskGroups",
   "type": "[String!]",
   "patch": true,
   "needed": false
  },
  {
   "name": "status",
   "type": "Status",
   "patch": true,
   "needed": false
  }
 ],
 "Device": [
  {
   "name": "name",
   "type": "String",
   "patch": true,
   "needed": true
  },
  {
   "name": "labels",
   "type": "Labels",
   "patch": true,
   "needed": false
  },
  {
   "name": "tenant",
   "type": "String",
   "patch": true,
   "needed": false
  },
  {
   "name": "description",
   "type": "String",
   "patch": true,
   "needed": false
  },
  {
   "name": "attributes",
   "type": "JSON",
   "patch": true,
   "needed": false
  },
  {
   "name": "externalRefs",
   "type": "[ExternalRefInput!]",
   "patch": true,
   "needed": false
  },
  {
   "name": "role",
   "type": "DeviceRole",
   "patch": true,
   "needed": true
  },
  {
   "name": "site",
   "type": "SiteRef",
   "patch": true,
   "needed": true
  },
  {
   "name": "location",
   "type": "LocationRef",
   "patch": true,
   "needed": false
  },
  {
   "name": "cluster",
   "type": "ClusterRef",
   "patch": true,
   "needed": false
  },
  {
   "name": "parent",
   "type": "DeviceRef",
   "patch": true,
   "needed": false
  },
  {
   "name": "slot",
   "type": "String",
   "patch": true,
   "needed": false
  },
  {
   "name": "placement",
   "type": "PlacementInput",
   "patch": true,
   "needed": false
  },
  {
   "name": "manufacturer",
   "type": "String",
   "patch": true,
   "needed": false
  },
  {
   "name": "model",
   "type": "String",
   "patch": true,
   "needed": false
  },
  {
   "name": "serial",
   "type": "String",
   "patch": true,
   "needed": false
  },
  {
   "name": "assetTag",
   "type": "String",
   "patch": true,
   "needed": false
  },
  {
   "name": "platform",
   "type": "String",
   "patch": true,
   "needed": false
  },
  {
   "name": "forwards",
   "type": "Boolean",
   "patch": true,
   "needed": false
  },
  {
   "name": "plane",
   "type": "Plane",
   "patch": true,
   "needed": false
  },
  {
   "name": "inletsRequired",
   "type": "Int",
   "patch": true,
   "needed": false
  },
  {
   "name": "addresses",
   "type": "[AddressInput!]",
   "patch": true,
   "needed": false
  },
  {
   "name": "hardware",
   "type": "HardwareInput",
   "patch": true,
   "needed": false
  },
  {
   "name": "status",
   "type": "Status",
   "patch": true,
   "needed": false
  }
 ],
 "Port": [
  {
   "name": "name",
   "type": "String",
   "patch": true,
   "needed": true
  },
  {
   "name": "labels",
   "type": "Labels",
   "patch": true,
   "needed": false
  },
  {
   "name": "tenant",
   "type": "String",
   "patch": true,
   "needed": false
  },
  {
   "name": "description",
   "type": "String",
   "patch": true,
   "needed": false
  },
  {
   "name": "attributes",
   "type": "JSON",
   "patch": true,
   "needed": false
  },
  {
   "name": "externalRefs",
   "type": "[ExternalRefInput!]",
   "patch": true,
   "needed": false
  },
  {
   "name": "device",
   "type": "DeviceRef",
   "patch": false,
   "needed": false
  },
  {
   "name": "rack",
   "type": "RackRef",
   "patch": false,
   "needed": false
  },
  {
   "name": "virtualMachine",
   "type": "VirtualMachineRef",
   "patch": false,
   "needed": false
  },
  {
   "name": "type",
   "type": "PortType",
   "patch": true,
   "needed": true
  },
  {
   "name": "connector",
   "type": "String",
   "patch": true,
   "needed": false
  },
  {
   "name": "speedBps",
   "type": "Long",
   "patch": true,
   "needed": false
  },
  {
   "name": "mtu",
   "type": "Int",
   "patch": true,
   "needed": false
  },
  {
   "name": "mac",
   "type": "MAC",
   "patch": true,
   "needed": false
  },
  {
   "name": "addresses",
   "type": "[String!]",
   "patch": true,
   "needed": false
  },
  {
   "name": "lag",
   "type": "PortRef",
   "patch": true,
   "needed": false
  },
  {
   "name": "parent",
   "type": "PortRef",
   "patch": true,
   "needed": false
  },
  {
   "name": "mgmtOnly",
   "type": "Boolean",
   "patch": true,
   "needed": false
  },
  {
   "name": "enabled",
   "type": "Boolean",
   "patch": true,
   "needed": false
  },
  {
   "name": "markConnected",
   "type": "Boolean",
   "patch": true,
   "needed": false
  },
  {
   "name": "positions",
   "type": "Int",
   "patch": true,
   "needed": false
  },
  {
   "name": "fedBy",
   "type": "[PowerSourceInput!]",
   "patch": true,
   "needed": false
  },
  {
   "name": "passThrough",
   "type": "[PassThroughInput!]",
   "patch": true,
   "needed": false
  },
  {
   "name": "drawW",
   "type": "PowerDrawInput",
   "patch": true,
   "needed": false
  }
 ],
 "Cable": [
  {
   "name": "name",
   "type": "String",
   "patch": true,
   "needed": true
  },
  {
   "name": "labels",
   "type": "Labels",
   "patch": true,
   "needed": false
  },
  {
   "name": "tenant",
   "type": "String",
   "patch": true,
   "needed": false
  },
  {
   "name": "description",
   "type": "String",
   "patch": true,
   "needed": false
  },
  {
   "name": "attributes",
   "type": "JSON",
   "patch": true,
   "needed": false
  },
  {
   "name": "externalRefs",
   "type": "[ExternalRefInput!]",
   "patch": true,
   "needed": false
  },
  {
   "name": "label",
   "type": "String",
   "patch": true,
   "needed": false
  },
  {
   "name": "media",
   "type": "Media",
   "patch": true,
   "needed": false
  },
  {
   "name": "status",
   "type": "CableStatus",
   "patch": true,
   "needed": false
  },
  {
   "name": "lengthM",
   "type": "Float",
   "patch": true,
   "needed": false
  },
  {
   "name": "color",
   "type": "String",
   "patch": true,
   "needed": false
  },
  {
   "name": "riskGroups",
   "type": "[String!]",
   "patch": true,
   "needed": false
  },
  {
   "name": "aEnds",
   "type": "[CableEndInput!]",
   "patch": true,
   "needed": true
  },
  {
   "name": "bEnds",
   "type": "[CableEndInput!]",
   "patch": true,
   "needed": true
  },
  {
   "name": "lanes",
   "type": "[LaneInput!]",
   "patch": true,
   "needed": false
  }
 ],
 "Link": [
  {
   "name": "name",
   "type": "String",
   "patch": true,
   "needed": true
  },
  {
   "name": "labels",
   "type": "Labels",
   "patch": true,
   "needed": false
  },
  {
   "name": "tenant",
   "type": "String",
   "patch": true,
   "needed": false
  },
  {
   "name": "description",
   "type": "String",
   "patch": true,
   "needed": false
  },
  {
   "name": "attributes",
   "type": "JSON",
   "patch": true,
   "needed": false
  },
  {
   "name": "externalRefs",
   "type": "[ExternalRefInput!]",
   "patch": true,
   "needed": false
  },
  {
   "name": "a",
   "type": "LinkEndInput",
   "patch": true,
   "needed": true
  },
  {
   "name": "b",
   "type": "LinkEndInput",
   "patch": true,
   "needed": true
  },
  {
   "name": "type",
   "type": "LinkType",
   "patch": true,
   "needed": true
  },
  {
   "name": "capacityMbps",
   "type": "Long",
   "patch": true,
   "needed": false
  },
  {
   "name": "latencyMs",
   "type": "Float",
   "patch": true,
   "needed": false
  },
  {
   "name": "cables",
   "type": "[CableRef!]",
   "patch": true,
   "needed": false
  }
 ],
 "Provider": [
  {
   "name": "name",
   "type": "String",
   "patch": true,
   "needed": true
  },
  {
   "name": "labels",
   "type": "Labels",
   "patch": true,
   "needed": false
  },
  {
   "name": "tenant",
   "type": "String",
   "patch": true,
   "needed": false
  },
  {
   "name": "description",
   "type": "String",
   "patch": true,
   "needed": false
  },
  {
   "name": "attributes",
   "type": "JSON",
   "patch": true,
   "needed": false
  },
  {
   "name": "externalRefs",
   "type": "[ExternalRefInput!]",
   "patch": true,
   "needed": false
  },
  {
   "name": "displayName",
   "type": "String",
   "patch": true,
   "needed": false
  },
  {
   "name": "type",
   "type": "ProviderType",
   "patch": true,
   "needed": true
  },
  {
   "name": "contract",
   "type": "ContractInput",
   "patch": true,
   "needed": false
  },
  {
   "name": "serviceIdentifiers",
   "type": "[ServiceIdentifierInput!]",
   "patch": true,
   "needed": false
  }
 ],
 "ProviderNetwork": [
  {
   "name": "name",
   "type": "String",
   "patch": true,
   "needed": true
  },
  {
   "name": "labels",
   "type": "Labels",
   "patch": true,
   "needed": false
  },
  {
   "name": "tenant",
   "type": "String",
   "patch": true,
   "needed": false
  },
  {
   "name": "description",
   "type": "String",
   "patch": true,
   "needed": false
  },
  {
   "name": "attributes",
   "type": "JSON",
   "patch": true,
   "needed": false
  },
  {
   "name": "externalRefs",
   "type": "[ExternalRefInput!]",
   "patch": true,
   "needed": false
  },
  {
   "name": "provider",
   "type": "ProviderRef",
   "patch": true,
   "needed": true
  }
 ],
 "Circuit": [
  {
   "name": "name",
   "type": "String",
   "patch": true,
   "needed": true
  },
  {
   "name": "labels",
   "type": "Labels",
   "patch": true,
   "needed": false
  },
  {
   "name": "tenant",
   "type": "String",
   "patch": true,
   "needed": false
  },
  {
   "name": "description",
   "type": "String",
   "patch": true,
   "needed": false
  },
  {
   "name": "attributes",
   "type": "JSON",
   "patch": true,
   "needed": false
  },
  {
   "name": "externalRefs",
   "type": "[ExternalRefInput!]",
   "patch": true,
   "needed": false
  },
  {
   "name": "provider",
   "type": "ProviderRef",
   "patch": true,
   "needed": true
  },
  {
   "name": "circuitId",
   "type": "String",
   "patch": true,
   "needed": false
  },
  {
   "name": "type",
   "type": "CircuitType",
   "patch": true,
   "needed": true
  },
  {
   "name": "bandwidthMbps",
   "type": "Long",
   "patch": true,
   "needed": false
  },
  {
   "name": "distanceM",
   "type": "Float",
   "patch": true,
   "needed": false
  },
  {
   "name": "latencyMs",
   "type": "Float",
   "patch": true,
   "needed": false
  },
  {
   "name": "installedOn",
   "type": "Date",
   "patch": true,
   "needed": false
  },
  {
   "name": "riskGroups",
   "type": "[String!]",
   "patch": true,
   "needed": false
  },
  {
   "name": "status",
   "type": "Status",
   "patch": true,
   "needed": false
  },
  {
   "name": "serviceRef",
   "type": "ObjectReferenceInput",
   "patch": true,
   "needed": false
  },
  {
   "name": "aEnd",
   "type": "CircuitEndInput",
   "patch": true,
   "needed": false
  },
  {
   "name": "zEnd",
   "type": "CircuitEndInput",
   "patch": true,
   "needed": false
  }
 ],
 "CircuitTermination": [
  {
   "name": "name",
   "type": "String",
   "patch": true,
   "needed": true
  },
  {
   "name": "labels",
   "type": "Labels",
   "patch": true,
   "needed": false
  },
  {
   "name": "tenant",
   "type": "String",
   "patch": true,
   "needed": false
  },
  {
   "name": "description",
   "type": "String",
   "patch": true,
   "needed": false
  },
  {
   "name": "attributes",
   "type": "JSON",
   "patch": true,
   "needed": false
  },
  {
   "name": "externalRefs",
   "type": "[ExternalRefInput!]",
   "patch": true,
   "needed": false
  },
  {
   "name": "circuit",
   "type": "CircuitRef",
   "patch": true,
   "needed": true
  },
  {
   "name": "side",
   "type": "CircuitSide",
   "patch": true,
   "needed": true
  },
  {
   "name": "site",
   "type": "SiteRef",
   "patch": true,
   "needed": false
  },
  {
   "name": "providerNetwork",
   "type": "ProviderNetworkRef",
   "patch": true,
   "needed": false
  },
  {
   "name": "port",
   "type": "PortRef",
   "patch": true,
   "needed": false
  }
 ],
 "Cluster": [
  {
   "name": "name",
   "type": "String",
   "patch": true,
   "needed": true
  },
  {
   "name": "labels",
   "type": "Labels",
   "patch": true,
   "needed": false
  },
  {
   "name": "tenant",
   "type": "String",
   "patch": true,
   "needed": false
  },
  {
   "name": "description",
   "type": "String",
   "patch": true,
   "needed": false
  },
  {
   "name": "attributes",
   "type": "JSON",
   "patch": true,
   "needed": false
  },
  {
   "name": "externalRefs",
   "type": "[ExternalRefInput!]",
   "patch": true,
   "needed": false
  },
  {
   "name": "controlPlaneSite",
   "type": "SiteRef",
   "patch": false,
   "needed": false
  },
  {
   "name": "displayName",
   "type": "String",
   "patch": true,
   "needed": false
  },
  {
   "name": "type",
   "type": "ClusterType",
   "patch": true,
   "needed": false
  },
  {
   "name": "role",
   "type": "ClusterRole",
   "patch": true,
   "needed": false
  },
  {
   "name": "platform",
   "type": "String",
   "patch": true,
   "needed": false
  },
  {
   "name": "endpoint",
   "type": "URL",
   "patch": true,
   "needed": false
  }
 ],
 "VirtualMachine": [
  {
   "name": "name",
   "type": "String",
   "patch": true,
   "needed": true
  },
  {
   "name": "labels",
   "type": "Labels",
   "patch": true,
   "needed": false
  },
  {
   "name": "tenant",
   "type": "String",
   "patch": true,
   "needed": false
  },
  {
   "name": "description",
   "type": "String",
   "patch": true,
   "needed": false
  },
  {
   "name": "attributes",
   "type": "JSON",
   "patch": true,
   "needed": false
  },
  {
   "name": "externalRefs",
   "type": "[ExternalRefInput!]",
   "patch": true,
   "needed": false
  },
  {
   "name": "host",
   "type": "DeviceRef",
   "patch": true,
   "needed": false
  },
  {
   "name": "cluster",
   "type": "ClusterRef",
   "patch": true,
   "needed": false
  },
  {
   "name": "provider",
   "type": "ProviderRef",
   "patch": true,
   "needed": false
  },
  {
   "name": "projectRef",
   "type": "ObjectReferenceInput",
   "patch": true,
   "needed": false
  },
  {
   "name": "allocation",
   "type": "AllocationInput",
   "patch": true,
   "needed": false
  },
  {
   "name": "addresses",
   "type": "[AddressInput!]",
   "patch": true,
   "needed": false
  },
  {
   "name": "status",
   "type": "Status",
   "patch": true,
   "needed": false
  }
 ],
 "Source": [
  {
   "name": "name",
   "type": "String",
   "patch": true,
   "needed": true
  },
  {
   "name": "labels",
   "type": "Labels",
   "patch": true,
   "needed": false
  },
  {
   "name": "tenant",
   "type": "String",
   "patch": true,
   "needed": false
  },
  {
   "name": "description",
   "type": "String",
   "patch": true,
   "needed": false
  },
  {
   "name": "attributes",
   "type": "JSON",
   "patch": true,
   "needed": false
  },
  {
   "name": "externalRefs",
   "type": "[ExternalRefInput!]",
   "patch": true,
   "needed": false
  },
  {
   "name": "type",
   "type": "String",
   "patch": true,
   "needed": true
  },
  {
   "name": "url",
   "type": "String",
   "patch": true,
   "needed": false
  },
  {
   "name": "interval",
   "type": "Int",
   "patch": true,
   "needed": false
  },
  {
   "name": "prune",
   "type": "SourcePrune",
   "patch": true,
   "needed": false
  },
  {
   "name": "limits",
   "type": "SourceLimitsInput",
   "patch": true,
   "needed": false
  },
  {
   "name": "paused",
   "type": "Boolean",
   "patch": true,
   "needed": false
  },
  {
   "name": "hostsArrive",
   "type": "SourceHostsArrive",
   "patch": true,
   "needed": false
  }
 ],
 "HostClass": [
  {
   "name": "name",
   "type": "String",
   "patch": true,
   "needed": true
  },
  {
   "name": "labels",
   "type": "Labels",
   "patch": true,
   "needed": false
  },
  {
   "name": "tenant",
   "type": "String",
   "patch": true,
   "needed": false
  },
  {
   "name": "description",
   "type": "String",
   "patch": true,
   "needed": false
  },
  {
   "name": "attributes",
   "type": "JSON",
   "patch": true,
   "needed": false
  },
  {
   "name": "externalRefs",
   "type": "[ExternalRefInput!]",
   "patch": true,
   "needed": false
  },
  {
   "name": "title",
   "type": "String",
   "patch": true,
   "needed": false
  },
  {
   "name": "match",
   "type": "HostMatchInput",
   "patch": true,
   "needed": false
  }
 ],
 "Credential": [
  {
   "name": "name",
   "type": "String",
   "patch": true,
   "needed": true
  },
  {
   "name": "labels",
   "type": "Labels",
   "patch": true,
   "needed": false
  },
  {
   "name": "tenant",
   "type": "String",
   "patch": true,
   "needed": false
  },
  {
   "name": "description",
   "type": "String",
   "patch": true,
   "needed": false
  },
  {
   "name": "attributes",
   "type": "JSON",
   "patch": true,
   "needed": false
  },
  {
   "name": "externalRefs",
   "type": "[ExternalRefInput!]",
   "patch": true,
   "needed": false
  },
  {
   "name": "type",
   "type": "CredentialType",
   "patch": true,
   "needed": true
  },
  {
   "name": "username",
   "type": "String",
   "patch": true,
   "needed": false
  },
  {
   "name": "allowedHosts",
   "type": "[String!]",
   "patch": true,
   "needed": false
  },
  {
   "name": "sources",
   "type": "[String!]",
   "patch": true,
   "needed": false
  }
 ],
 "Profile": [
  {
   "name": "name",
   "type": "String",
   "patch": true,
   "needed": true
  },
  {
   "name": "labels",
   "type": "Labels",
   "patch": true,
   "needed": false
  },
  {
   "name": "tenant",
   "type": "String",
   "patch": true,
   "needed": false
  },
  {
   "name": "description",
   "type": "String",
   "patch": true,
   "needed": false
  },
  {
   "name": "attributes",
   "type": "JSON",
   "patch": true,
   "needed": false
  },
  {
   "name": "externalRefs",
   "type": "[ExternalRefInput!]",
   "patch": true,
   "needed": false
  },
  {
   "name": "purpose",
   "type": "ProfilePurpose",
   "patch": true,
   "needed": true
  },
  {
   "name": "method",
   "type": "ProfileMethod",
   "patch": true,
   "needed": false
  },
  {
   "name": "kernel",
   "type": "URL",
   "patch": true,
   "needed": false
  },
  {
   "name": "initrd",
   "type": "URL",
   "patch": true,
   "needed": false
  },
  {
   "name": "repository",
   "type": "URL",
   "patch": true,
   "needed": false
  },
  {
   "name": "image",
   "type": "ProfileImageInput",
   "patch": true,
   "needed": false
  },
  {
   "name": "arguments",
   "type": "[String!]",
   "patch": true,
   "needed": false
  },
  {
   "name": "debug",
   "type": "Boolean",
   "patch": true,
   "needed": false
  }
 ],
 "Appliance": [
  {
   "name": "name",
   "type": "String",
   "patch": true,
   "needed": true
  },
  {
   "name": "labels",
   "type": "Labels",
   "patch": true,
   "needed": false
  },
  {
   "name": "tenant",
   "type": "String",
   "patch": true,
   "needed": false
  },
  {
   "name": "description",
   "type": "String",
   "patch": true,
   "needed": false
  },
  {
   "name": "attributes",
   "type": "JSON",
   "patch": true,
   "needed": false
  },
  {
   "name": "externalRefs",
   "type": "[ExternalRefInput!]",
   "patch": true,
   "needed": false
  },
  {
   "name": "type",
   "type": "ApplianceType",
   "patch": true,
   "needed": true
  },
  {
   "name": "url",
   "type": "String",
   "patch": true,
   "needed": false
  },
  {
   "name": "credential",
   "type": "CredentialRef",
   "patch": true,
   "needed": false
  },
  {
   "name": "namePattern",
   "type": "String",
   "patch": true,
   "needed": false
  },
  {
   "name": "prefix",
   "type": "String",
   "patch": true,
   "needed": false
  },
  {
   "name": "site",
   "type": "SiteRef",
   "patch": true,
   "needed": false
  },
  {
   "name": "rack",
   "type": "RackRef",
   "patch": true,
   "needed": false
  },
  {
   "name": "interval",
   "type": "Int",
   "patch": true,
   "needed": false
  }
 ],
 "Host": [
  {
   "name": "name",
   "type": "String",
   "patch": true,
   "needed": true
  },
  {
   "name": "labels",
   "type": "Labels",
   "patch": true,
   "needed": false
  },
  {
   "name": "tenant",
   "type": "String",
   "patch": true,
   "needed": false
  },
  {
   "name": "description",
   "type": "String",
   "patch": true,
   "needed": false
  },
  {
   "name": "attributes",
   "type": "JSON",
   "patch": true,
   "needed": false
  },
  {
   "name": "externalRefs",
   "type": "[ExternalRefInput!]",
   "patch": true,
   "needed": false
  },
  {
   "name": "arrivesAs",
   "type": "HostAdoption",
   "patch": false,
   "needed": false
  },
  {
   "name": "machine",
   "type": "HostMachineInput",
   "patch": true,
   "needed": false
  },
  {
   "name": "class",
   "type": "HostClassRef",
   "patch": true,
   "needed": false
  },
  {
   "name": "appliance",
   "type": "ApplianceRef",
   "patch": true,
   "needed": false
  },
  {
   "name": "uid",
   "type": "String",
   "patch": true,
   "needed": false
  },
  {
   "name": "serial",
   "type": "String",
   "patch": true,
   "needed": false
  },
  {
   "name": "title",
   "type": "String",
   "patch": true,
   "needed": false
  },
  {
   "name": "architecture",
   "type": "CpuArchitecture",
   "patch": true,
   "needed": false
  },
  {
   "name": "bmcUrl",
   "type": "String",
   "patch": true,
   "needed": false
  },
  {
   "name": "bmcCredential",
   "type": "CredentialRef",
   "patch": true,
   "needed": false
  },
  {
   "name": "bmcInsecure",
   "type": "Boolean",
   "patch": true,
   "needed": false
  },
  {
   "name": "bmcTrustedCas",
   "type": "String",
   "patch": true,
   "needed": false
  },
  {
   "name": "bootMac",
   "type": "MAC",
   "patch": true,
   "needed": false
  },
  {
   "name": "bootIp",
   "type": "String",
   "patch": true,
   "needed": false
  },
  {
   "name": "bootMode",
   "type": "HostBootMode",
   "patch": true,
   "needed": false
  },
  {
   "name": "boot",
   "type": "HostBoot",
   "patch": true,
   "needed": false
  },
  {
   "name": "rootDevice",
   "type": "RootDeviceInput",
   "patch": true,
   "needed": false
  },
  {
   "name": "provisioner",
   "type": "String",
   "patch": true,
   "needed": false
  },
  {
   "name": "maintenance",
   "type": "TextMap",
   "patch": true,
   "needed": false
  },
  {
   "name": "cluster",
   "type": "ClusterRef",
   "patch": true,
   "needed": false
  }
 ]
};

/** The input types that these are made of, with the types of their fields. */
export const INPUT_TYPES: Record<string, Record<string, string>> = {
  ExternalRefInput: {"source":"String!","externalId":"String","url":"URL"},
  RegionRef: {"id":"ID","source":"String","externalId":"String","region":"String"},
  CoordinatesInput: {"latitude":"Float!","longitude":"Float!"},
  ProviderRef: {"id":"ID","source":"String","externalId":"String","provider":"String"},
  SiteRef: {"id":"ID","source":"String","externalId":"String","site":"String"},
  LocationRef: {"id":"ID","source":"String","externalId":"String","site":"String","parent":"String","location":"String"},
  RackPositionInput: {"x":"Float!","y":"Float!","turn":"Float!"},
  RackRef: {"id":"ID","source":"String","externalId":"String","site":"String","rack":"String"},
  PowerSourceInput: {"powerFeed":"PowerFeedRef","port":"PortRef"},
  PowerFeedRef: {"id":"ID","source":"String","externalId":"String","site":"String","rack":"String","powerFeed":"String"},
  PortRef: {"id":"ID","source":"String","externalId":"String","site":"String","device":"String","rack":"String","cluster":"String","host":"String","provider":"String","virtualMachine":"String","family":"PortFamily","port":"String"},
  ClusterRef: {"id":"ID","source":"String","externalId":"String","cluster":"String"},
  DeviceRef: {"id":"ID","source":"String","externalId":"String","site":"String","device":"String"},
  PlacementInput: {"rack":"RackRef!","startUnit":"Float","unitHeight":"Float","face":"Face","fullDepth":"Boolean"},
  AddressInput: {"type":"AddressType!","address":"String!"},
  HardwareInput: {"cpuCores":"Int","cpuArchitecture":"CpuArchitecture","memoryBytes":"Long","disks":"[DiskInput!]!"},
  DiskInput: {"name":"String!","sizeBytes":"Long!","type":"DiskType!"},
  VirtualMachineRef: {"id":"ID","source":"String","externalId":"String","site":"String","cluster":"String","host":"String","provider":"String","virtualMachine":"String"},
  PassThroughInput: {"position":"Int!","rear":"PortRef!","rearPosition":"Int!"},
  PowerDrawInput: {"maximum":"Int","allocated":"Int"},
  CableEndInput: {"port":"PortRef","powerFeed":"PowerFeedRef","circuitTermination":"CircuitTerminationRef"},
  CircuitTerminationRef: {"id":"ID","source":"String","externalId":"String","provider":"String","circuit":"String","side":"CircuitSide"},
  LaneInput: {"aEnd":"Int!","aPosition":"Int!","bEnd":"Int!","bPosition":"Int!"},
  LinkEndInput: {"site":"SiteRef","cluster":"ClusterRef","device":"DeviceRef"},
  CableRef: {"id":"ID","source":"String","externalId":"String","cable":"String"},
  ContractInput: {"contractId":"String","accountId":"String","portalUrl":"URL","notes":"String"},
  ServiceIdentifierInput: {"name":"String!","identifier":"String!"},
  ObjectReferenceInput: {"apiGroup":"String!","kind":"String!","name":"String!","namespace":"String"},
  CircuitEndInput: {"site":"SiteRef","providerNetwork":"ProviderNetworkRef","port":"PortRef"},
  ProviderNetworkRef: {"id":"ID","source":"String","externalId":"String","provider":"String","providerNetwork":"String"},
  CircuitRef: {"id":"ID","source":"String","externalId":"String","provider":"String","circuit":"String"},
  AllocationInput: {"vcpus":"Int","memoryBytes":"Long","disks":"[DiskInput!]!"},
  SourceLimitsInput: {"share":"Float!","count":"Int!"},
  HostMatchInput: {"cpuCores":"Int","memoryBytes":"Long","disks":"[DiskMatchInput!]!","labels":"TextMap"},
  DiskMatchInput: {"count":"Int!","sizeBytes":"Long","type":"DiskType"},
  ProfileImageInput: {"url":"URL!","checksum":"String!","format":"ImageFormat!"},
  CredentialRef: {"id":"ID","source":"String","externalId":"String","credential":"String"},
  HostMachineInput: {"device":"DeviceRef","virtualMachine":"VirtualMachineRef"},
  HostClassRef: {"id":"ID","source":"String","externalId":"String","hostClass":"String"},
  ApplianceRef: {"id":"ID","source":"String","externalId":"String","appliance":"String"},
  RootDeviceInput: {"wwn":"String","serial":"String","name":"String","minSizeBytes":"Long","rotational":"Boolean"},
};

/** Input types of which exactly one field must be given. */
export const ONE_OF: string[] = ["PowerSourceInput","CableEndInput","LinkEndInput","HostMachineInput"];
