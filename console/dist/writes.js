// src/kinds/generated-inputs.ts
var INPUTS = {
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
var INPUT_TYPES = {
  ExternalRefInput: { "source": "String!", "externalId": "String", "url": "URL" },
  RegionRef: { "id": "ID", "source": "String", "externalId": "String", "region": "String" },
  CoordinatesInput: { "latitude": "Float!", "longitude": "Float!" },
  ProviderRef: { "id": "ID", "source": "String", "externalId": "String", "provider": "String" },
  SiteRef: { "id": "ID", "source": "String", "externalId": "String", "site": "String" },
  LocationRef: { "id": "ID", "source": "String", "externalId": "String", "site": "String", "parent": "String", "location": "String" },
  RackPositionInput: { "x": "Float!", "y": "Float!", "turn": "Float!" },
  RackRef: { "id": "ID", "source": "String", "externalId": "String", "site": "String", "rack": "String" },
  PowerSourceInput: { "powerFeed": "PowerFeedRef", "port": "PortRef" },
  PowerFeedRef: { "id": "ID", "source": "String", "externalId": "String", "site": "String", "rack": "String", "powerFeed": "String" },
  PortRef: { "id": "ID", "source": "String", "externalId": "String", "site": "String", "device": "String", "rack": "String", "cluster": "String", "host": "String", "provider": "String", "virtualMachine": "String", "family": "PortFamily", "port": "String" },
  ClusterRef: { "id": "ID", "source": "String", "externalId": "String", "cluster": "String" },
  DeviceRef: { "id": "ID", "source": "String", "externalId": "String", "site": "String", "device": "String" },
  PlacementInput: { "rack": "RackRef!", "startUnit": "Float", "unitHeight": "Float", "face": "Face", "fullDepth": "Boolean" },
  AddressInput: { "type": "AddressType!", "address": "String!" },
  HardwareInput: { "cpuCores": "Int", "cpuArchitecture": "CpuArchitecture", "memoryBytes": "Long", "disks": "[DiskInput!]!" },
  DiskInput: { "name": "String!", "sizeBytes": "Long!", "type": "DiskType!" },
  VirtualMachineRef: { "id": "ID", "source": "String", "externalId": "String", "site": "String", "cluster": "String", "host": "String", "provider": "String", "virtualMachine": "String" },
  PassThroughInput: { "position": "Int!", "rear": "PortRef!", "rearPosition": "Int!" },
  PowerDrawInput: { "maximum": "Int", "allocated": "Int" },
  CableEndInput: { "port": "PortRef", "powerFeed": "PowerFeedRef", "circuitTermination": "CircuitTerminationRef" },
  CircuitTerminationRef: { "id": "ID", "source": "String", "externalId": "String", "provider": "String", "circuit": "String", "side": "CircuitSide" },
  LaneInput: { "aEnd": "Int!", "aPosition": "Int!", "bEnd": "Int!", "bPosition": "Int!" },
  LinkEndInput: { "site": "SiteRef", "cluster": "ClusterRef", "device": "DeviceRef" },
  CableRef: { "id": "ID", "source": "String", "externalId": "String", "cable": "String" },
  ContractInput: { "contractId": "String", "accountId": "String", "portalUrl": "URL", "notes": "String" },
  ServiceIdentifierInput: { "name": "String!", "identifier": "String!" },
  ObjectReferenceInput: { "apiGroup": "String!", "kind": "String!", "name": "String!", "namespace": "String" },
  CircuitEndInput: { "site": "SiteRef", "providerNetwork": "ProviderNetworkRef", "port": "PortRef" },
  ProviderNetworkRef: { "id": "ID", "source": "String", "externalId": "String", "provider": "String", "providerNetwork": "String" },
  CircuitRef: { "id": "ID", "source": "String", "externalId": "String", "provider": "String", "circuit": "String" },
  AllocationInput: { "vcpus": "Int", "memoryBytes": "Long", "disks": "[DiskInput!]!" },
  SourceLimitsInput: { "share": "Float!", "count": "Int!" },
  HostMatchInput: { "cpuCores": "Int", "memoryBytes": "Long", "disks": "[DiskMatchInput!]!", "labels": "TextMap" },
  DiskMatchInput: { "count": "Int!", "sizeBytes": "Long", "type": "DiskType" },
  ProfileImageInput: { "url": "URL!", "checksum": "String!", "format": "ImageFormat!" },
  CredentialRef: { "id": "ID", "source": "String", "externalId": "String", "credential": "String" },
  HostMachineInput: { "device": "DeviceRef", "virtualMachine": "VirtualMachineRef" },
  HostClassRef: { "id": "ID", "source": "String", "externalId": "String", "hostClass": "String" },
  ApplianceRef: { "id": "ID", "source": "String", "externalId": "String", "appliance": "String" },
  RootDeviceInput: { "wwn": "String", "serial": "String", "name": "String", "minSizeBytes": "Long", "rotational": "Boolean" }
};
var ONE_OF = ["PowerSourceInput", "CableEndInput", "LinkEndInput", "HostMachineInput"];

// src/kinds/inputs.ts
var inputsOf = (kind) => INPUTS[kind.name] ?? [];
var ofKinds = new Map(Object.entries(INPUTS).map(([name, fields]) => [`${name}Input`, Object.fromEntries(fields.map((it) => [it.name, it.type]))]));
function inputOf(type) {
  return INPUT_TYPES[type] ?? ofKinds.get(type) ?? {};
}
var isOneOf = (type) => ONE_OF.includes(type);

// src/kinds/items.ts
import { bareType, kindOf, kinds } from "./main.js";
var isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
var isRef = (type) => type.endsWith("Ref") && kindOf(type.slice(0, -3)) !== void 0;
var lower = (name) => (name[0] ?? "").toLowerCase() + name.slice(1);
var UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
function logged(type, value) {
  const bare = bareType(type);
  if (Array.isArray(value)) return value.map((it) => logged(bare, it));
  if (isRef(bare) && typeof value === "string") return { id: value };
  const fields = inputOf(bare);
  if (!isObject(value) || Object.keys(fields).length === 0) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => fields[name]).map(([name, it]) => [name, logged(fields[name] ?? "", it)]));
}
function patched(name, before, after) {
  if (name === "externalRefs") {
    const kept = after ?? [];
    const gone2 = (before ?? []).filter((it) => !kept.some((one3) => one3.source === it.source));
    return [...kept, ...gone2.map((it) => ({ source: it.source, externalId: null }))];
  }
  const gone = Object.keys(before ?? {}).filter((it) => !Object.hasOwn(after ?? {}, it));
  return { ...after, ...Object.fromEntries(gone.map((it) => [it, null])) };
}
function fieldsOf(kind, before, after) {
  const types = inputOf(`${kind.name}Input`);
  const item = {};
  for (const [name, value] of Object.entries(after)) {
    const type = types[name];
    if (!type) continue;
    const whole = ["labels", "attributes", "externalRefs"].includes(name) ? patched(name, before?.[name], value) : value;
    item[name] = logged(type, whole);
  }
  return item;
}
function stepOf(it) {
  const kind = kindOf(it.kind);
  if (!kind) return void 0;
  const base = { kind: it.kind, id: it.objectId, name: it.name };
  if (it.operation === "DELETED") return { ...base, item: { delete: { ref: { id: it.objectId } } } };
  if (!kind.apply) return void 0;
  return { ...base, item: { [kind.one]: { id: it.objectId, ...fieldsOf(kind, it.before, it.after ?? {}) } } };
}
function deletion(kind, id, name, cascade) {
  return { kind, id, name, item: { delete: { ref: { id }, cascade } } };
}
function withVersion(step, version) {
  if (version === void 0) return step;
  const [member2, value] = Object.entries(step.item)[0] ?? [];
  if (!member2 || !isObject(value)) return step;
  return { ...step, item: { [member2]: { ...value, ifVersion: version } } };
}
function versionOf(step) {
  const [value] = Object.values(step.item);
  return isObject(value) ? value.ifVersion : void 0;
}
function withoutVersion(step) {
  const [member2, value] = Object.entries(step.item)[0] ?? [];
  if (!member2 || !isObject(value)) return step;
  const { ifVersion: _, ...rest } = value;
  return { ...step, item: { [member2]: rest } };
}
function short(type, value) {
  const bare = bareType(type);
  if (Array.isArray(value)) return value.map((it) => short(bare, it));
  if (!isObject(value)) return value;
  const member2 = isRef(bare) ? lower(bare.slice(0, -3)) : void 0;
  const name = member2 && Object.keys(value).length === 1 ? value[member2] : void 0;
  if (typeof name === "string" && !UUID.test(name)) return name;
  const fields = inputOf(bare);
  return Object.fromEntries(Object.entries(value).map(([key, it]) => [key, fields[key] ? short(fields[key], it) : it]));
}
function long(type, value) {
  const bare = bareType(type);
  if (Array.isArray(value)) return value.map((it) => long(bare, it));
  if (isRef(bare) && typeof value === "string") return UUID.test(value) ? { id: value } : { [lower(bare.slice(0, -3))]: value };
  const fields = inputOf(bare);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, it]) => [key, fields[key] ? long(fields[key], it) : it]));
}
var IN_METADATA = ["name", "labels"];
function manifestOf(kind, item) {
  const brief = short(`${kind.name}Input`, item);
  const pick = (inside) => Object.fromEntries(Object.entries(brief).filter(([name]) => IN_METADATA.includes(name) === inside));
  return { apiVersion: "underlay/v1", kind: kind.name, metadata: pick(true), spec: pick(false) };
}
function stepOfManifest(manifest) {
  if (!isObject(manifest) || manifest.apiVersion !== "underlay/v1") throw new Error('A manifest begins with "apiVersion: underlay/v1".');
  const kind = kinds().find((it) => it.name === manifest.kind && it.apply);
  if (!kind) throw new Error(`There is no kind ${JSON.stringify(manifest.kind)}.`);
  const { metadata, spec } = { metadata: manifest.metadata ?? {}, spec: manifest.spec ?? {} };
  if (!isObject(metadata) || !isObject(spec)) throw new Error("metadata and spec must be objects.");
  const item = long(`${kind.name}Input`, { ...metadata, ...spec });
  const unknown = Object.keys(item).find((it) => !inputOf(`${kind.name}Input`)[it]);
  if (unknown) throw new Error(`A ${kind.name} has no field ${unknown}.`);
  return { kind: kind.name, name: String(metadata.name ?? ""), item: { [kind.one]: item } };
}

// src/kinds/compare.ts
var CODES = /* @__PURE__ */ new Set(["STALE_VERSION", "MANAGED_ELSEWHERE"]);
var BY_KEY = /* @__PURE__ */ new Set(["labels", "attributes"]);
var isObject2 = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
function same(a, b) {
  if (isObject2(a) && isObject2(b)) return [.../* @__PURE__ */ new Set([...Object.keys(a), ...Object.keys(b)])].every((it) => same(a[it], b[it]));
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((it, at) => same(it, b[at]));
  return (a ?? null) === (b ?? null) || isEmpty(a) && isEmpty(b);
}
var isEmpty = (value) => value === null || value === void 0 || value === "" || typeof value === "object" && Object.keys(value).length === 0;
function isConflict(result, step) {
  return CODES.has(result.error?.code ?? "") && result.id !== null && step !== void 0 && !("delete" in step.item) && versionOf(step) !== 0;
}
function setBy(step) {
  const [value] = Object.values(step.item);
  return Object.entries(value).filter(([name]) => name !== "id" && name !== "ifVersion").flatMap(([name, it]) => BY_KEY.has(name) && isObject2(it) ? Object.entries(it).map(([key, one3]) => [`${name}.${key}`, one3]) : [[name, it]]);
}
function valueAt(item, field) {
  const [first = "", ...rest] = field.split(".");
  const value = item[first];
  return rest.length > 0 && isObject2(value) ? value[rest.join(".")] : rest.length > 0 ? void 0 : value;
}
function compare(index, step, there, code) {
  const { base } = step;
  const lines2 = setBy(step).map(([field, yours]) => {
    const [before, theirs] = [base && valueAt(base, field), valueAt(there.item, field)];
    const holder = code === "MANAGED_ELSEWHERE" ? holderOf(there.managers, field) : void 0;
    const differ = !same(theirs, yours);
    const open = differ && (holder !== void 0 || code === "STALE_VERSION" && (!base || !same(before, theirs)));
    return { field, before: base ? before : void 0, theirs, yours, open, ...holder ? { holder } : {} };
  });
  const own = new Set(setBy(step).map(([field]) => field.split(".")[0]));
  const names = base ? [.../* @__PURE__ */ new Set([...Object.keys(base), ...Object.keys(there.item)])] : [];
  const others = names.filter((it) => !own.has(it) && !same(base?.[it], there.item[it]));
  return { index, kind: step.kind, id: there.id, name: there.name, version: there.version, present: there.item, lines: lines2, others };
}
function holderOf(managers, field) {
  return managers.find((it) => it.type !== "USER" && (it.field === field || it.field.startsWith(`${field}.`)));
}
var choiceKey = (it, line) => `${it.index} ${line.field}`;
function settle(steps, conflicts, sideOf) {
  const byIndex = new Map(conflicts.map((it) => [it.index, it]));
  let force = false;
  const left = steps.flatMap((step, index) => {
    const it = byIndex.get(index);
    if (!it) return [step];
    const given = it.lines.filter((line) => line.open && sideOf(it, line) === "theirs").map((line) => line.field);
    force ||= it.lines.some((line) => line.open && line.holder && sideOf(it, line) === "yours");
    const kept = without(step, new Set(given));
    if (setBy(kept).length === 0) return [];
    return [{ ...withVersion(kept, it.version), base: it.present }];
  });
  return { steps: left, force };
}
function without(step, fields) {
  const [[member2, value] = ["", {}]] = Object.entries(step.item);
  const left = Object.entries(value).flatMap(([name, it]) => {
    if (fields.has(name)) return [];
    if (!BY_KEY.has(name) || !isObject2(it)) return [[name, it]];
    const keys = Object.entries(it).filter(([key]) => !fields.has(`${name}.${key}`));
    return keys.length > 0 ? [[name, Object.fromEntries(keys)]] : [];
  });
  return { ...step, item: { [member2]: Object.fromEntries(left) } };
}

// src/kinds/csv-cells.ts
import { bareType as bareType2, fieldOf, kindOf as kindOf2, valuesOf } from "./main.js";
function refuse(reason) {
  throw new Error(reason);
}
var MAPS = /* @__PURE__ */ new Set(["Labels", "TextMap", "JSON"]);
var TEXT_MAPS = /* @__PURE__ */ new Set(["Labels", "TextMap"]);
var isRef2 = (type) => type.endsWith("Ref") && kindOf2(type.slice(0, -3)) !== void 0;
var fieldsOf2 = (kind) => ({ ...inputOf(`${kind}Input`), id: "ID", externalId: "String" });
var quote = (text) => JSON.stringify(text);
function columnOf(kind, name) {
  if (name === "") refuse("has no name: the first line must name the field of each column");
  const path = name.split(".");
  let [type, list] = ["", false];
  for (const [index, part] of path.entries()) {
    if (MAPS.has(type)) return { name, path: [...path.slice(0, index), path.slice(index).join(".")], type: { of: `${type}.entry`, list: false } };
    const fields = index === 0 ? fieldsOf2(kind) : inputOf(type);
    if (Object.keys(fields).length === 0 || list && !isOneOf(type)) refuse(`${quote(name)} goes too far: ${path.slice(0, index).join(".")} is written in one column`);
    const given = fields[part];
    const allowed = `Allowed: ${Object.keys(fields).join(", ")}`;
    const known = kindOf2(kind);
    if (given === void 0 && index === 0 && known && fieldOf(known, part)) return { name, path: [], type: { of: "", list: false, computed: true } };
    if (given === void 0) refuse(index === 0 ? `a ${kind} has no field ${quote(part)}. ${allowed}` : `${path.slice(0, index).join(".")} has no member ${quote(part)}. ${allowed}`);
    if (list) {
      if (path.length > index + 1) refuse(`${quote(name)} goes too far: ${path.slice(0, index + 1).join(".")} is written in one column`);
      return { name, path: path.slice(0, index), type: { of: bareType2(given), list: true, member: part } };
    }
    [type, list] = [bareType2(given), given.startsWith("[")];
  }
  return { name, path, type: { of: type, list: list && !isParts(type) } };
}
var isParts = (type) => type === "JSON" || !isRef2(type) && !isOneOf(type) && Object.keys(inputOf(type)).length > 0;
var APOSTROPHE = "'";
function needsApostrophe(text) {
  const rest = text.replace(/^'+/, "");
  return /^[=+\-@\t\r]/.test(rest) || ["", "null"].includes(rest.trim());
}
function valueOf(cell, { of, list, member: member2, computed }) {
  if (computed) return void 0;
  const literal = cell.startsWith(APOSTROPHE) && needsApostrophe(cell.slice(1));
  const given = literal ? cell.slice(1) : cell;
  const text = given.trim();
  if (!literal && text === "") return void 0;
  if (!literal && text === "null") return null;
  if (!list) return one(of, isText(of) ? given : text);
  const whole = !member2 && text.startsWith("[") ? json(text) : void 0;
  if (Array.isArray(whole)) return whole;
  return text.split(";").map((it) => {
    if (!it.trim()) refuse("has an empty entry between two semicolons");
    const value = one(of, it.trim());
    return member2 ? { [member2]: value } : value;
  });
}
var isNumber = (type) => ["Int", "Long", "Revision", "Float"].includes(type);
var isText = (type) => !isNumber(type) && !["Boolean", "JSON.entry"].includes(type) && valuesOf(type).length === 0 && !isRef2(type) && !isParts(type) && !isOneOf(type) && !TEXT_MAPS.has(type);
function one(type, text) {
  if (["Int", "Long", "Revision"].includes(type)) {
    const whole = /^[-+]?\d+$/.test(text) ? Number(text) : NaN;
    return Number.isSafeInteger(whole) ? whole : refuse(`must be a whole number, without units or separators, not ${quote(text)}`);
  }
  if (type === "Float") return /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(text) ? Number(text) : refuse(`must be a number such as 10.5, not ${quote(text)}`);
  if (type === "Boolean") {
    if (/^(true|yes)$/i.test(text)) return true;
    return /^(false|no)$/i.test(text) ? false : refuse(`must be true or false (or yes or no), not ${quote(text)}`);
  }
  if (valuesOf(type).length > 0) {
    const word = text.toUpperCase().replace(/[- ]/g, "_");
    return valuesOf(type).includes(word) ? word : refuse(`must not be ${quote(text)}. Allowed: ${valuesOf(type).join(", ")}`);
  }
  if (isRef2(type)) return reference(type, text);
  if (type === "JSON.entry") return json(text) ?? text;
  if (isParts(type)) return parts(text);
  if (TEXT_MAPS.has(type)) return text.startsWith("{") ? parts(text) : map(text);
  if (isOneOf(type)) return text.startsWith("{") ? parts(text) : member(type, text);
  return text;
}
function parts(text) {
  const value = json(text);
  return typeof value === "object" && value !== null ? value : refuse(`has parts: write it as JSON, or write its parts in columns with dots, not as ${quote(text)}`);
}
function map(text) {
  const entries = {};
  for (const entry of text.split(";")) {
    const at = entry.indexOf("=");
    if (at < 0) refuse(`must have entries such as env=prod;tier=core, or be JSON, not ${quote(text)}`);
    const key = entry.slice(0, at).trim();
    if (Object.hasOwn(entries, key)) refuse(`has the key ${quote(key)} twice`);
    entries[key] = entry.slice(at + 1).trim();
  }
  return entries;
}
function member(type, text) {
  const members = inputOf(type);
  const at = text.indexOf("/");
  const word = (at < 0 ? text : text.slice(0, at)).toLowerCase();
  const name = Object.keys(members).find((it) => it.toLowerCase() === word);
  if (name === void 0) refuse(`must be ${Object.keys(members).map((it) => `${it}/NAME`).join(" or ")}, with the parents before the name, not ${quote(text)}`);
  return { [name]: one(bareType2(members[name] ?? ""), at < 0 ? "" : text.slice(at + 1)) };
}
function json(text) {
  try {
    return JSON.parse(text);
  } catch {
    return void 0;
  }
}
var OTHERS = /* @__PURE__ */ new Set(["id", "source", "externalId", "family", "parent"]);
var MEMBERS = { PortRef: ["site", "device", "port"], VirtualMachineRef: ["cluster", "virtualMachine"] };
var UUID2 = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
var membersOf = (type) => MEMBERS[type] ?? Object.keys(inputOf(type)).filter((it) => !OTHERS.has(it));
function reference(type, text) {
  const kind = type.slice(0, -3);
  if (text.startsWith("{")) return json(text) ?? refuse(`must be a reference to a ${kind}, which ${quote(text)} is not`);
  if (UUID2.test(text)) return { id: text };
  const members = membersOf(type);
  const cut = (most) => {
    const all = text.split("/");
    return all.length <= most ? all : [...all.slice(0, most - 1), all.slice(most - 1).join("/")];
  };
  let parts2 = cut(members.length + 1);
  const made = {};
  const before = parts2.at(-2);
  const family = inputOf(type).family && before !== void 0 ? valuesOf(inputOf(type).family ?? "").find((it) => it === before.toUpperCase()) : void 0;
  if (family) {
    made.family = family;
    parts2.splice(-2, 1);
  }
  if (parts2.length > members.length) {
    parts2 = cut(members.length);
    delete made.family;
  }
  if (parts2.some((it) => !it.trim())) refuse(`must be a ${kind} as ${members.map((_, at) => members.slice(members.length - 1 - at).join("/")).join(" or ")}, not ${quote(text)}`);
  const near = members.slice(members.length - parts2.length);
  for (const [at, it] of near.entries()) made[it] = parts2[at];
  return made;
}

// src/kinds/csv-write.ts
import { bareType as bareType3 } from "./main.js";

// src/kinds/table-text.ts
function plain(value) {
  if (value === null || value === void 0) return "";
  if (Array.isArray(value)) return value.map(plain).join(" ");
  if (typeof value !== "object") return String(value);
  const { __typename: _, id, ...rest } = value;
  if (id !== void 0 && typeof rest.name === "string") return rest.name;
  return Object.entries(rest).filter(([, it]) => it !== null).map(([key, it]) => `${key}=${plain(it)}`).join(" ");
}
function csvText(text) {
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

// src/kinds/csv-write.ts
var PART_LEVELS = 3;
function namesOf(name, type, levels = PART_LEVELS) {
  const bare = bareType3(type);
  const members = Object.entries(inputOf(bare));
  if (levels === 0 || type.startsWith("[") || isRef2(bare) || isOneOf(bare) || members.length === 0) return [name];
  return members.flatMap(([member2, of]) => namesOf(`${name}.${member2}`, of, levels - 1));
}
function tableColumns(kind, fields) {
  const inputs = inputOf(`${kind}Input`);
  const names = ["id", ...fields.filter((it) => it !== "id")].flatMap((it) => inputs[it] === void 0 ? [it] : namesOf(it, inputs[it]));
  return names.map((it) => columnOf(kind, it));
}
function cellsOf(columns, row) {
  const item = { ...row.item, id: row.id };
  return columns.map(({ name, path, type }) => {
    if (type.computed) return guarded(plain(row[name]), typeof row[name] === "number");
    const value = path.reduce((at, member2) => at?.[member2], item);
    return value === null || value === void 0 ? "" : cellOf(value, type);
  });
}
var tableLine = (cells) => `${cells.map(csvText).join(",")}\r
`;
var guarded = (text, number4) => !number4 && text !== "" && needsApostrophe(text) ? `'${text}` : text;
function cellOf(value, type) {
  const number4 = isNumber(type.of) && !type.list;
  const text = people(value, type);
  if (text !== void 0) {
    const cell = text === "" ? "'" : guarded(text, number4);
    if (number4 || reads(cell, type, value)) return cell;
  }
  return JSON.stringify(value);
}
function reads(cell, type, value) {
  try {
    return same2(valueOf(cell, type), value);
  } catch {
    return false;
  }
}
function people(value, { of, list, member: member2 }) {
  if (!list) return one2(of, value);
  if (member2 || !Array.isArray(value)) return void 0;
  const texts = value.map((it) => one2(of, it));
  return texts.includes(void 0) ? void 0 : texts.join(";");
}
function one2(type, value) {
  if (typeof value !== "object" || value === null) return String(value);
  if (isRef2(type)) return reference2(type, value);
  const entries = Object.entries(value);
  if (type === "Labels" || type === "TextMap") return entries.map(([key, it]) => `${key}=${String(it)}`).join(";");
  const [only, ...more] = entries;
  if (!isOneOf(type) || !only || more.length > 0) return void 0;
  const text = one2(bareType3(inputOf(type)[only[0]] ?? ""), only[1]);
  return text === void 0 ? void 0 : `${only[0]}/${text}`;
}
function reference2(type, value) {
  if (typeof value.id === "string") return value.id;
  const members = membersOf(type);
  const parts2 = [...members.slice(0, -1).map((it) => value[it]), value.family, value[members.at(-1) ?? ""]];
  return parts2.filter((it) => it !== void 0 && it !== null).join("/");
}
function same2(a, b) {
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a === b;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [Object.keys(a), Object.keys(b)];
  return left.length === right.length && left.every((it) => Object.hasOwn(b, it) && same2(a[it], b[it]));
}

// src/kinds/yaml.ts
var PLAIN = /^[A-Za-z_/][\w ./@+()-]*$/;
var OTHER_TYPE = /^(true|false|null|yes|no|on|off|y|n|~|[.][a-z]+|[\d.+-].*)$/i;
function scalar(value) {
  if (typeof value !== "string") return JSON.stringify(value);
  const plain2 = PLAIN.test(value) && !OTHER_TYPE.test(value) && !value.endsWith(" ");
  return plain2 ? value : JSON.stringify(value);
}
var isFlat = (value) => typeof value !== "object" || value === null || Object.keys(value).length === 0;
function lines(value) {
  if (isFlat(value)) return [scalar(value)];
  if (Array.isArray(value)) return value.flatMap((it) => lines(it).map((line, at) => `${at === 0 ? "- " : "  "}${line}`));
  return Object.entries(value).flatMap(([key, it]) => {
    if (isFlat(it)) return [`${scalar(key)}: ${scalar(it)}`];
    const indent = Array.isArray(it) ? "" : "  ";
    return [`${scalar(key)}:`, ...lines(it).map((line) => indent + line)];
  });
}
function yaml(value) {
  return `${lines(value).join("\n")}
`;
}

// src/parts/diff.tsx
import { scalar as scalar2 } from "./main.js";
import { bareType as bareType4, enumWords, fieldOf as fieldOf2, kindOf as kindOf3, valuesOf as valuesOf2, words } from "./main.js";
import { jsx, jsxs } from "./main.js";
var BOOKKEEPING = /* @__PURE__ */ new Set(["version", "updatedAt", "createdAt", "managers"]);
var isObject3 = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
var UUID3 = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
var same3 = (a, b) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
var hidden = (value) => value === void 0 || value === null || typeof value === "object" && Object.keys(value).length === 0;
function linesOf(before, after) {
  const names = /* @__PURE__ */ new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...names].filter((it) => !BOOKKEEPING.has(it)).flatMap((field) => {
    const [a, b] = [before?.[field], after?.[field]];
    if (isObject3(a) || isObject3(b)) {
      const keys = /* @__PURE__ */ new Set([...Object.keys(a ?? {}), ...Object.keys(b ?? {})]);
      return [...keys].map((key) => ({ field: `${field}.${key}`, before: a?.[key], after: b?.[key] }));
    }
    return [{ field, before: a, after: b }];
  }).filter((it) => !same3(it.before, it.after));
}
function refText(value, nameOf) {
  const parts2 = Object.values(value);
  if (parts2.length === 1 && isObject3(parts2[0])) return refText(parts2[0], nameOf);
  return parts2.every((it) => typeof it === "string") ? parts2.map((it) => UUID3.test(it) ? nameOf?.(it) ?? it : it).join(" / ") : void 0;
}
function textOf(kind, field, value, nameOf) {
  if (hidden(value)) return "";
  if (typeof value === "string" && field.includes(".") && /^(labels|attributes)/.test(field)) return value;
  if (typeof value === "string" && UUID3.test(value)) return nameOf?.(value) ?? value;
  const [first = ""] = field.split(".");
  const known = kindOf3(kind);
  const about = known && fieldOf2(known, first);
  const type = inputOf(`${kind}Input`)[first] ?? "";
  if (Array.isArray(value)) return value.map((it) => textOf(kind, first, it, nameOf)).join(", ");
  if (isObject3(value)) return refText(value, nameOf) ?? partsText(kind, bareType4(type), value, nameOf);
  if (about?.is === "enum" && field === first) return enumWords(String(value));
  return scalar2(first, about?.of ?? type, value);
}
function partsText(kind, type, value, nameOf) {
  const types = inputOf(type);
  const known = Object.keys(types).filter((it) => !hidden(value[it]));
  const names = known.length > 0 ? known : Object.keys(value);
  return names.map((name) => {
    const it = value[name];
    const shown = typeof it === "string" && valuesOf2(bareType4(types[name] ?? "")).includes(it) ? enumWords(it) : textOf(kind, name, it, nameOf);
    return `${words(name)} ${shown}`;
  }).join(" \xB7 ");
}
function Lines({ kind, lines: lines2, created, nameOf }) {
  return /* @__PURE__ */ jsx("ul", { class: "diff", children: lines2.filter((it) => !created || !hidden(it.after)).map((it) => /* @__PURE__ */ jsxs("li", { children: [
    /* @__PURE__ */ jsx("span", { class: "what", children: it.field.includes(".") ? `${words(it.field.split(".")[0] ?? "")} ${it.field.slice(it.field.indexOf(".") + 1)}` : words(it.field) }),
    !hidden(it.before) && /* @__PURE__ */ jsx("del", { children: /* @__PURE__ */ jsx("bdi", { children: textOf(kind, it.field, it.before, nameOf) }) }),
    !hidden(it.before) && !hidden(it.after) && /* @__PURE__ */ jsx("span", { "aria-label": "becomes", role: "img", children: "\u2192" }),
    !hidden(it.after) && /* @__PURE__ */ jsx("ins", { children: /* @__PURE__ */ jsx("bdi", { children: textOf(kind, it.field, it.after, nameOf) }) }),
    hidden(it.after) && /* @__PURE__ */ jsx("span", { class: "quiet", children: "removed" })
  ] }, it.field)) });
}

// src/store/all.ts
import { listDocument } from "./main.js";
import { ask } from "./main.js";
import { Refused } from "./main.js";
var AT_ONCE = 1e3;
async function* allRows(source, selection) {
  const document = listDocument(source, `nodes { ${selection} } pageInfo { hasNextPage endCursor }`);
  const { filter, order, of } = source;
  let after = null;
  let first = AT_ONCE;
  for (; ; ) {
    const variables = { ...of ? { id: of.id } : {}, filter, order, first, after, pin: true };
    let data;
    try {
      data = (await ask(document, variables)).data;
    } catch (error) {
      if (!(error instanceof Refused && error.code === "TOO_COMPLEX" && first > 1)) throw error;
      first = Math.ceil(first / 2);
      continue;
    }
    const page = of ? data.node?.rows : data.rows;
    if (!page) return;
    yield page.nodes;
    if (!page.pageInfo.hasNextPage) return;
    after = page.pageInfo.endCursor;
  }
}

// src/store/present.ts
import { fieldOf as fieldOf3, kindOf as kindOf4 } from "./main.js";
import { ask as ask2 } from "./main.js";
var NODES_AT_ONCE = 1e3;
async function nodesOf(document, ids, report) {
  const found = /* @__PURE__ */ new Map();
  for (let at = 0; at < ids.length; at += NODES_AT_ONCE) {
    const { data } = await ask2(document, { ids: ids.slice(at, at + NODES_AT_ONCE) });
    for (const it of data.nodes) if (it) found.set(it.id, it);
    report?.(found.size);
  }
  return found;
}
async function presentOf(kind, ids, holders, report) {
  const known = kindOf4(kind);
  const plain2 = known ? inputsOf(known).map((it) => it.name).filter((it) => ["scalar", "enum"].includes(fieldOf3(known, it)?.is ?? "")) : [];
  const document = `query Present($ids: [ID!]!) { nodes(ids: $ids) { id ... on Object { name version item ${holders ? "managers { field type manager since }" : ""} } ... on ${kind} { ${["id", ...plain2].join(" ")} } } }`;
  const rows = await nodesOf(document, ids, report);
  return new Map([...rows].map(([id, row]) => {
    const { name, version, managers = [] } = row;
    const item = { ...Object.fromEntries(plain2.map((it) => [it, row[it]])), ...row.item };
    return [id, { id, name, version, managers, item }];
  }));
}

// src/store/conflict.ts
async function conflictsOf(steps, results) {
  const refused = results.flatMap((result, index) => isConflict(result, steps[index]) ? [{ result, index }] : []);
  const there = /* @__PURE__ */ new Map();
  for (const kind of new Set(refused.map((it) => String(it.result.kind)))) {
    const ids = refused.filter((it) => it.result.kind === kind).map((it) => String(it.result.id));
    for (const [id, it] of await presentOf(kind, ids, true)) there.set(id, it);
  }
  return refused.flatMap(({ result, index }) => {
    const [step, present] = [steps[index], there.get(String(result.id))];
    return step && present ? [compare(index, step, present, result.error?.code ?? "")] : [];
  });
}

// src/kinds/read-csv.ts
var CsvError = class extends Error {
  line;
  constructor(line, message) {
    super(`line ${line}: ${message}`);
    this.line = line;
  }
};
function readCsv(text) {
  const records = [];
  let at = text.startsWith("\uFEFF") ? 1 : 0;
  let line = 1;
  let began = 1;
  let cells = [];
  let cell = "";
  const endCell = () => {
    cells.push(cell);
    cell = "";
  };
  const endRecord = () => {
    endCell();
    if (cells.length > 1 || cells[0] !== "") records.push({ line: began, cells });
    cells = [];
  };
  const quoted = () => {
    const opened = line;
    for (at += 1; at < text.length; at += 1) {
      const it = text[at] ?? "";
      if (it === '"' && text[at + 1] === '"') at += 1;
      else if (it === '"') return;
      if (it === "\n" || it === "\r" && text[at + 1] !== "\n") line += 1;
      cell += it;
    }
    throw new CsvError(opened, "a quotation mark is opened here and never closed");
  };
  for (; at < text.length; at += 1) {
    const it = text[at] ?? "";
    if (it === '"' && cell === "") quoted();
    else if (it === ",") endCell();
    else if (it === "\n" || it === "\r") {
      if (it === "\r" && text[at + 1] === "\n") at += 1;
      endRecord();
      line += 1;
      began = line;
    } else cell += it;
  }
  endRecord();
  return records;
}

// src/kinds/csv-items.ts
import { kinds as kinds2, segmentOf } from "./main.js";
var UNNAMED = /* @__PURE__ */ new Set(["Cable", "Host", "CircuitTermination"]);
var IDENTITY = ["name", "id", "externalId"];
var MAX_PROBLEMS = 1e3;
var TableError = class extends Error {
  problems;
  constructor(problems) {
    super(problems[0]);
    this.problems = problems;
  }
};
function kindOfFile(name) {
  const word = /^[a-z]+(?:[-_ ]?[a-z]+)*/i.exec(name.replace(/\.csv$/i, ""))?.[0].toLowerCase().replace(/[-_ ]/g, "") ?? "";
  const names = (it) => [it.one.toLowerCase(), segmentOf(it).replaceAll("-", "")];
  return kinds2().filter((it) => it.apply && names(it).some((one3) => word === one3)).at(0) ?? kinds2().filter((it) => it.apply && names(it).some((one3) => word.startsWith(one3))).sort((a, b) => b.list.length - a.list.length).at(0);
}
function stepsOfTable(kind, text, note = () => {
}) {
  let records;
  try {
    records = readCsv(text);
  } catch (error) {
    throw error instanceof CsvError ? new TableError([error.message]) : error;
  }
  const [header, ...lines2] = records;
  if (!header) throw new TableError(["the file is empty: the first line must name the columns, such as name,site"]);
  const columns = columnsOf(kind, header);
  const computed = columns.filter((it) => it.type.computed).map((it) => it.name);
  if (computed.length > 0) note(computed);
  const problems = [];
  const steps = lines2.filter((it) => it.cells.some((cell) => cell.trim())).flatMap((it) => problems.length < MAX_PROBLEMS ? stepOfLine(kind, columns, it, problems) : []);
  if (problems.length > 0) throw new TableError(problems);
  if (steps.length === 0) throw new TableError(["the file has only the names of columns: there is nothing to write"]);
  return steps;
}
function columnsOf(kind, { line, cells }) {
  const names = cells.map((it) => it.trim());
  if (names.length === 1 && /[;\t]/.test(names[0] ?? "")) throw new TableError([`line ${line}: the columns must be separated by commas, not by semicolons or tabs`]);
  const problems = [];
  const columns = [];
  for (const [at, name] of names.entries()) {
    try {
      const twice = names.indexOf(name);
      if (twice < at && name) throw new Error(`${JSON.stringify(name)} is already column ${twice + 1}`);
      const column = columnOf(kind.name, name);
      const other = columns.find((it) => clash(it, column));
      if (other) throw new Error(`${JSON.stringify(name)} and ${JSON.stringify(other.name)} set the same value`);
      columns.push(column);
    } catch (error) {
      problems.push(`line ${line}, column ${at + 1}: ${error.message}`);
    }
  }
  if (!UNNAMED.has(kind.name) && !names.some((it) => IDENTITY.includes(it))) problems.push(`line ${line}: there is no column name, id or externalId to identify each ${kind.name}`);
  if (problems.length > 0) throw new TableError(problems);
  return columns;
}
function clash(a, b) {
  if (a.type.computed || b.type.computed || a.type.member && b.type.member) return false;
  const [short2, long2] = a.path.length < b.path.length ? [a.path, b.path] : [b.path, a.path];
  return short2.every((it, at) => it === long2[at]);
}
function stepOfLine(kind, columns, { line, cells }, problems) {
  if (cells.length !== columns.length) {
    problems.push(`line ${line}: has ${cells.length} columns, but the header has ${columns.length}: a cell with a comma must be in quotation marks`);
    return [];
  }
  const item = {};
  const before = problems.length;
  for (const [at, column] of columns.entries()) {
    try {
      const value = valueOf(cells[at] ?? "", column.type);
      if (value !== void 0) put(item, column.path, value);
    } catch (error) {
      problems.push(`line ${line}, column ${at + 1} (${column.name}): ${error.message}`);
    }
  }
  if (problems.length > before) return [];
  return [{ kind: kind.name, name: String(item.name ?? `line ${line}`), item: { [kind.one]: item } }];
}
function put(item, path, value) {
  let inner = item;
  for (const it of path.slice(0, -1)) {
    if (!Object.hasOwn(inner, it)) inner[it] = {};
    inner = inner[it];
  }
  const last = path.at(-1) ?? "";
  const there = inner[last];
  inner[last] = Array.isArray(there) && Array.isArray(value) ? [...there, ...value] : value;
}

// src/kinds/read-yaml.ts
var YamlError = class extends Error {
  line;
  constructor(line, message) {
    super(`line ${line}: ${message}`);
    this.line = line;
  }
};
function withoutComment(text) {
  let quote2 = "";
  for (let at = 0; at < text.length; at += 1) {
    const it = text[at];
    if (quote2) {
      if (it === "\\" && quote2 === '"') at += 1;
      else if (it === quote2) quote2 = "";
    } else if ((it === '"' || it === "'") && (at === 0 || /[\s,[{:-]/.test(text[at - 1] ?? ""))) quote2 = it;
    else if (it === "#" && (at === 0 || /\s/.test(text[at - 1] ?? ""))) return text.slice(0, at).trimEnd();
  }
  return text.trimEnd();
}
function keyEnd(text) {
  const quoted = /^("(?:\\.|[^"\\])*"|'(?:''|[^'])*')\s*:(?=\s|$)/.exec(text);
  if (quoted) return quoted[0].length - 1;
  if (/^["'[{]/.test(text)) return -1;
  const plain2 = /:(?=\s|$)/.exec(text);
  return plain2 ? plain2.index : -1;
}
function scalar3(text, line) {
  if (text === "" || text === "~" || /^null$/i.test(text)) return null;
  if (/^(true|false)$/i.test(text)) return text.toLowerCase() === "true";
  if (/^[-+]?(\d+|\d*\.\d+|\d+\.\d*)([eE][-+]?\d+)?$/.test(text)) return Number(text);
  if (text.startsWith('"')) return double(text, line);
  if (text.startsWith("'")) {
    if (!/^'(?:''|[^'])*'$/.test(text)) throw new YamlError(line, "the quotes do not end");
    return text.slice(1, -1).replaceAll("''", "'");
  }
  if (/^[&*!|>%@`]/.test(text)) throw new YamlError(line, `${text[0]} is not supported here`);
  return text;
}
function double(text, line) {
  try {
    return JSON.parse(text.replaceAll(/\\x([\da-fA-F]{2})/g, "\\u00$1").replaceAll("	", "\\t"));
  } catch {
    throw new YamlError(line, "the text in quotes cannot be read");
  }
}
var Flow = class {
  at = 0;
  text;
  line;
  constructor(text, line) {
    this.text = text;
    this.line = line;
  }
  all() {
    const value = this.value();
    this.space();
    if (this.at < this.text.length) throw new YamlError(this.line, `unexpected ${this.text.slice(this.at, this.at + 10)}`);
    return value;
  }
  space() {
    while (/\s/.test(this.text[this.at] ?? "")) this.at += 1;
  }
  value() {
    this.space();
    if (this.text[this.at] === "{") return this.map();
    if (this.text[this.at] === "[") return this.list();
    return scalar3(this.word(/[,\]}]/), this.line);
  }
  word(end) {
    this.space();
    const quoted = /^("(?:\\.|[^"\\])*"|'(?:''|[^'])*')/.exec(this.text.slice(this.at));
    const from = this.at;
    if (quoted) this.at += quoted[0].length;
    else while (this.at < this.text.length && !end.test(this.text[this.at] ?? "")) this.at += 1;
    return this.text.slice(from, this.at).trim();
  }
  list() {
    const made = [];
    this.at += 1;
    while (!this.ends("]")) made.push(this.value());
    return made;
  }
  map() {
    const made = {};
    this.at += 1;
    while (!this.ends("}")) {
      const key = String(scalar3(this.word(/[:,}]/), this.line));
      this.space();
      if (this.text[this.at] !== ":") throw new YamlError(this.line, `a value is missing after ${key}`);
      this.at += 1;
      made[key] = this.value();
    }
    return made;
  }
  /** Passes a comma, and answers true at the end. */
  ends(close) {
    this.space();
    if (this.text[this.at] === ",") this.at += 1;
    this.space();
    if (this.at >= this.text.length) throw new YamlError(this.line, `${close} is missing`);
    if (this.text[this.at] !== close) return false;
    this.at += 1;
    return true;
  }
};
var Document = class {
  at = 0;
  lines;
  raw;
  constructor(lines2, raw) {
    this.lines = lines2;
    this.raw = raw;
  }
  all() {
    const first = this.lines[0];
    if (!first) return null;
    const value = this.node(first.indent);
    const left = this.lines[this.at];
    if (left) throw new YamlError(left.number, "this is not indented as what is around it");
    return value;
  }
  node(indent) {
    const line = this.lines[this.at];
    if (!line || line.indent < indent) return null;
    if (line.text === "-" || line.text.startsWith("- ")) return this.list(line.indent);
    if (keyEnd(line.text) >= 0) return this.map(line.indent);
    this.at += 1;
    return this.inline(line.text, line);
  }
  list(indent) {
    const made = [];
    for (let line = this.lines[this.at]; line && line.indent === indent && /^-(\s|$)/.test(line.text); line = this.lines[this.at]) {
      const rest = line.text.slice(1).trimStart();
      if (rest === "") {
        this.at += 1;
        made.push(this.node(indent + 1));
      } else {
        this.lines[this.at] = { number: line.number, indent: indent + line.text.length - rest.length, text: rest };
        made.push(this.node(indent + 1));
      }
    }
    return made;
  }
  map(indent) {
    const made = {};
    for (let line = this.lines[this.at]; line && line.indent === indent; line = this.lines[this.at]) {
      const end = keyEnd(line.text);
      if (end < 0) throw new YamlError(line.number, "a key with a colon is expected");
      const key = String(scalar3(line.text.slice(0, end).trim(), line.number));
      if (Object.hasOwn(made, key)) throw new YamlError(line.number, `${key} stands here twice`);
      const rest = line.text.slice(end + 1).trim();
      this.at += 1;
      made[key] = rest === "" ? this.beneath(indent) : this.inline(rest, line);
    }
    return made;
  }
  /** The value of a key that stands on the lines after it. A list may stand as far in as its key. */
  beneath(indent) {
    const next = this.lines[this.at];
    if (!next || next.indent < indent) return null;
    if (next.indent === indent) return /^-(\s|$)/.test(next.text) ? this.list(indent) : null;
    return this.node(next.indent);
  }
  inline(text, line) {
    const block = /^([|>])([-+]?)$/.exec(text);
    if (block) return this.block(block[1] ?? "|", block[2] ?? "", line);
    if (/^[[{]/.test(text)) return new Flow(text, line.number).all();
    return scalar3(text, line.number);
  }
  block(style, chomp, line) {
    const held = [];
    let number4 = line.number;
    for (; number4 < this.raw.length; number4 += 1) {
      const text = this.raw[number4] ?? "";
      if (text.trim() !== "" && text.length - text.trimStart().length <= line.indent) break;
      held.push(text);
    }
    while (this.lines[this.at] && (this.lines[this.at]?.number ?? 0) <= number4) this.at += 1;
    const least = Math.min(...held.filter((it) => it.trim() !== "").map((it) => it.length - it.trimStart().length));
    const body = held.map((it) => it.slice(Number.isFinite(least) ? least : 0)).join(style === "|" ? "\n" : " ").trimEnd();
    return chomp === "-" ? body : `${body}
`;
  }
};
function readYaml(text) {
  const raw = text.replaceAll("\r\n", "\n").split("\n");
  const documents2 = [];
  let lines2 = [];
  const end = () => {
    if (lines2.length > 0) documents2.push(new Document(lines2, raw).all());
    lines2 = [];
  };
  raw.forEach((it, index) => {
    if (/^(---|\.\.\.)(\s|$)/.test(it)) {
      end();
      return;
    }
    if (/^\s*\t/.test(it)) throw new YamlError(index + 1, "tabs cannot indent");
    const bare = withoutComment(it);
    if (bare.trim() !== "") lines2.push({ number: index + 1, indent: bare.length - bare.trimStart().length, text: bare.trim() });
  });
  end();
  return documents2;
}

// src/store/manifests.ts
import { number as number2 } from "./main.js";
import { say as say2 } from "./main.js";
import { currentRoute, listPath } from "./main.js";

// src/store/bounds.ts
var MAX_STEPS = 1e4;

// src/store/review.ts
import { signal as signal2 } from "./main.js";
import { isolated, number } from "./main.js";
import { say } from "./main.js";
import { go as go2, url } from "./main.js";
import { keep as keep2, review as review2 } from "./main.js";

// src/store/write.ts
import { signal } from "./main.js";
import { ask as ask3, wrote } from "./main.js";
import { asRefused, remedyOf } from "./main.js";
import { go } from "./main.js";
import { keep, review } from "./main.js";
var MAX_TRIALS = 3;
var plan = signal(null);
var planError = signal(null);
var busy = signal(null);
var APPLY = `mutation Apply($input: ApplyInput!) { apply(input: $input) {
  revision
  results { status kind id name by externalId skipped { field manager reason } error { code field message } }
  changes { operation kind id path before after }
} }`;
var VERSIONS = "query Versions($ids: [ID!]!) { nodes(ids: $ids) { id ... on Object { version } } }";
function apply(of, more) {
  return ask3(APPLY, { input: { items: of.steps.map((it) => it.item), conflicts: of.force ? "FORCE" : "FAIL", ...more } });
}
async function trial(of, left) {
  const { data: { apply: payload }, revision } = await apply(of, { dryRun: true });
  const changed = payload.results.flatMap((it) => (it.status === "UPDATED" || it.status === "DELETED") && it.id ? [it.id] : []);
  const found = await nodesOf(VERSIONS, changed);
  const later = changed.some((it) => (found.get(it)?.version ?? 0) > revision);
  if (later && left > 1) return trial(of, left - 1);
  const versions = payload.results.map((it, at) => {
    if (it.status === "CREATED") return of.steps[at]?.id ? null : 0;
    return found.get(it.id ?? "")?.version ?? null;
  });
  return { payload, versions };
}
var attempts = 0;
async function attempt() {
  const of = review.value;
  if (!of || of.sent || busy.value === "writing") return;
  attempts += 1;
  const own = attempts;
  busy.value = "trying";
  let [tried, error] = [null, null];
  try {
    tried = await trial(of, MAX_TRIALS);
  } catch (thrown) {
    error = asRefused(thrown);
  }
  if (own !== attempts) return;
  if (tried) plan.value = tried;
  planError.value = error;
  busy.value = null;
}
async function write() {
  const of = review.value;
  if (!of || busy.value === "writing" || !of.sent && (!plan.value || busy.value)) return null;
  busy.value = "writing";
  const versions = of.sent ?? plan.value?.versions ?? [];
  keep({ ...of, sent: versions });
  planError.value = null;
  try {
    const steps = of.steps.map((it, at) => withVersion(it, versions[at] ?? void 0));
    const { data: { apply: payload } } = await apply({ ...of, steps }, { requestId: of.requestId });
    return ended(of, payload);
  } catch (thrown) {
    const error = asRefused(thrown);
    const certain = remedyOf(error) !== "retry" && error.code !== "INTERNAL";
    if (certain) answered(of);
    planError.value = error;
    return null;
  } finally {
    busy.value = null;
  }
}
function answered({ sent: _, ...of }) {
  keep({ ...of, requestId: crypto.randomUUID() });
}
function ended(of, payload) {
  if (payload.revision === null) {
    answered(of);
    plan.value = { payload, versions: plan.value?.versions ?? [] };
    return null;
  }
  wrote(payload.revision);
  keep(null);
  plan.value = null;
  go(of.back, "replace");
  return payload.revision;
}

// src/store/review.ts
var refusedFiles = signal2(null);
function refuseFiles(title, problems) {
  refusedFiles.value = { title, problems };
  go2("/review");
}
function mayReplace(now) {
  if (!now?.sent) return true;
  say(`\u201C${isolated(now.title)}\u201D has no answer yet. Send it again or discard it before the next write.`);
  go2("/review");
  return false;
}
function takeUp(it) {
  if (!mayReplace(review2.value)) return;
  plan.value = null;
  keep2(it);
  go2("/review");
}
function begin(title, steps, more) {
  const now = review2.value;
  if (!mayReplace(now)) return false;
  if (now && now.steps.length > 0 && !(now.gathers && more.gathers)) {
    say(`\u201C${isolated(now.title)}\u201D was put aside.`, { title: "Back to it", run: () => takeUp(now) });
  }
  const back = url.value.pathname === "/review" ? now?.back ?? "/" : url.value.pathname + url.value.search;
  plan.value = null;
  planError.value = null;
  refusedFiles.value = null;
  keep2({ title, steps, back, requestId: crypto.randomUUID(), force: false, ...more });
  return true;
}
function propose(title, steps) {
  const begun = begin(title, steps, {});
  if (begun) go2("/review");
  return begun;
}
function gather(title, step, several) {
  const before = gathered();
  const first = before.find((it) => it.id === step.id);
  const own = first ? { ...withVersion(step, versionOf(first)), ...first.base ? { base: first.base } : {} } : step;
  const steps = [...before.filter((it) => it !== first), own];
  return begin(steps.length === 1 ? title : several(number(steps.length)), steps, { gathers: true });
}
function gathered() {
  return review2.value?.gathers && !review2.value.sent ? review2.value.steps : [];
}
function takeBack(several) {
  const steps = gathered().slice(0, -1);
  if (steps.length === 0) keep2(null);
  else begin(several(number(steps.length)), steps, { gathers: true });
}
function takeAllBack() {
  if (gathered().length > 0) keep2(null);
}
function proposeDifferences(title, differences2) {
  propose(title, differences2.flatMap((it) => stepOf(it) ?? []));
}
function change(changes) {
  const now = review2.value;
  if (!now || now.sent) return;
  const without2 = (now.without ?? 0) + (changes.steps ? now.steps.length - changes.steps.length : 0);
  plan.value = null;
  keep2({ ...now, requestId: crypto.randomUUID(), without: without2, ...changes });
}
function leaveOut(positions) {
  const out = new Set(positions);
  change({ steps: (review2.value?.steps ?? []).filter((_, at) => !out.has(at)) });
}
function takePresentVersions() {
  change({ steps: (review2.value?.steps ?? []).map(withoutVersion) });
}
function giveUp() {
  const back = review2.value?.back ?? "/";
  keep2(null);
  go2(back, "replace");
}

// src/store/manifests.ts
var MAX_BYTES = 32 * 1024 * 1024;
function documents(name, text) {
  if (/\.(jsonl|ndjson)$/i.test(name)) return text.split("\n").filter((it) => it.trim()).map((it) => JSON.parse(it));
  if (/\.json$/i.test(name)) return [JSON.parse(text)].flat();
  return readYaml(text).filter((it) => it !== null);
}
function stepsOfManifests({ name, text }) {
  let all;
  try {
    all = documents(name, text);
  } catch (error) {
    throw new TableError([`the file cannot be read: ${error.message}`]);
  }
  const problems = [];
  const steps = all.flatMap((it, at) => {
    try {
      return [stepOfManifest(it)];
    } catch (error) {
      problems.push(`document ${at + 1}: ${error.message}`);
      return [];
    }
  });
  if (problems.length > 0) throw new TableError(problems);
  return steps;
}
function stepsOfFile(file, note) {
  if (!/\.csv$/i.test(file.name)) return stepsOfManifests(file);
  const kind = kindOfFile(file.name) ?? currentRoute.value.kind;
  if (!kind) throw new TableError([`the name of the file does not say the kind of its objects: name it after a list, such as devices.csv, or drop it on the list`]);
  if (!kind.apply) throw new TableError([`objects of ${listPath(kind)} are not written by tables`]);
  return stepsOfTable(kind, file.text, (computed) => note(`${file.name}: ${computed.join(", ")} ${computed.length === 1 ? "is" : "are"} not written, because the server computes ${computed.length === 1 ? "it" : "them"}.`));
}
async function proposeFiles(files) {
  const title = files.length === 1 ? `Apply ${files[0]?.name}` : `Apply ${number2(files.length)} files`;
  if (files.reduce((sum, it) => sum + it.size, 0) > MAX_BYTES) return refuseFiles(title, ["The files are too large: at most 32 MiB are sent at once."]);
  const steps = [];
  const problems = [];
  const notes = [];
  for (const file of files) {
    try {
      steps.push(...stepsOfFile({ name: file.name, text: await file.text() }, (note) => notes.push(note)));
    } catch (error) {
      const found = error instanceof TableError ? error.problems : [error.message];
      problems.push(...found.map((it) => `${file.name}, ${it}`));
    }
  }
  if (problems.length === 0 && steps.length === 0) problems.push("The files have no manifest and no table.");
  if (steps.length > MAX_STEPS) problems.push(`These are ${number2(steps.length)} objects: at most ${number2(MAX_STEPS)} are written at once.`);
  if (problems.length > 0) refuseFiles(title, problems);
  else if (propose(title, steps) && notes.length > 0) say2(notes.join(" "));
}

// src/store/undo.ts
import { number as number3 } from "./main.js";
import { say as say3 } from "./main.js";
import { ask as ask4 } from "./main.js";
var DIFF = `query Diff($from: Revision!, $to: Revision!, $after: String) {
  diff(from: $from, to: $to, first: 1000, after: $after) {
    nodes { kind objectId name operation before after } pageInfo { hasNextPage endCursor }
  }
}`;
async function differences(from, to) {
  const all = [];
  let after = null;
  for (; ; ) {
    const { data } = await ask4(DIFF, { from, to, after });
    all.push(...data.diff.nodes);
    if (all.length > MAX_STEPS || all.length === MAX_STEPS && data.diff.pageInfo.hasNextPage) return null;
    if (!data.diff.pageInfo.hasNextPage) return all;
    after = data.diff.pageInfo.endCursor;
  }
}
async function proposeUndo(first, last) {
  const title = first === last ? `Undo revision ${first}` : `Undo revisions ${first} to ${last}`;
  const found = await differences(last, first - 1);
  if (found) proposeDifferences(title, found);
  else say3(`${title}: more than ${number3(MAX_STEPS)} objects differ, and a review holds no more. Undo fewer revisions at a time.`);
}
export {
  Lines,
  allRows,
  attempt,
  busy,
  cellOf,
  cellsOf,
  change,
  choiceKey,
  columnOf,
  compare,
  conflictsOf,
  deletion,
  gather,
  gathered,
  giveUp,
  inputOf,
  inputsOf,
  isConflict,
  isNumber,
  isOneOf,
  isRef2 as isRef,
  leaveOut,
  linesOf,
  logged,
  manifestOf,
  membersOf,
  needsApostrophe,
  nodesOf,
  plan,
  planError,
  presentOf,
  propose,
  proposeDifferences,
  proposeFiles,
  proposeUndo,
  refText,
  refuseFiles,
  refusedFiles,
  same,
  settle,
  stepOf,
  stepOfManifest,
  tableColumns,
  tableLine,
  takeAllBack,
  takeBack,
  takePresentVersions,
  textOf,
  valueOf,
  versionOf,
  withVersion,
  withoutVersion,
  write,
  yaml
};
