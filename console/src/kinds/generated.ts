// Written by generate.mjs from schema.graphql. Do not edit.
import type { Field, Kind, Row } from './shape.ts';

export const KINDS: Record<string, Kind> = {
 "Region": {
  "name": "Region",
  "one": "region",
  "list": "regions",
  "fields": [
   {
    "name": "id",
    "required": true,
    "is": "scalar",
    "of": "ID"
   },
   {
    "name": "name",
    "required": true,
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "displayName",
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "coordinates",
    "is": "value",
    "of": "Coordinates"
   },
   {
    "name": "labels",
    "required": true,
    "is": "scalar",
    "of": "Labels"
   },
   {
    "name": "tenant",
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "description",
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "attributes",
    "required": true,
    "is": "scalar",
    "of": "JSON"
   },
   {
    "name": "externalRefs",
    "required": true,
    "list": true,
    "is": "value",
    "of": "ExternalRef"
   },
   {
    "name": "version",
    "required": true,
    "is": "scalar",
    "of": "Revision"
   },
   {
    "name": "createdAt",
    "required": true,
    "is": "scalar",
    "of": "DateTime"
   },
   {
    "name": "updatedAt",
    "required": true,
    "is": "scalar",
    "of": "DateTime"
   },
   {
    "name": "parent",
    "is": "one",
    "of": "Region"
   },
   {
    "name": "children",
    "is": "many",
    "of": "Region"
   },
   {
    "name": "sites",
    "is": "many",
    "of": "Site"
   }
  ],
  "orders": [
   "KEY",
   "UPDATED_AT",
   "CREATED_AT",
   "NAME",
   "PATH",
   "DISPLAY_NAME"
  ],
  "create": true,
  "change": true,
  "remove": true,
  "apply": true
 },
 "Site": {
  "name": "Site",
  "one": "site",
  "list": "sites",
  "fields": [
   {
    "name": "id",
    "required": true,
    "is": "scalar",
    "of": "ID"
   },
   {
    "name": "name",
    "required": true,
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "displayName",
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "type",
    "required": true,
    "is": "enum",
    "of": "SiteType"
   },
   {
    "name": "address",
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "coordinates",
    "is": "value",
    "of": "Coordinates"
   },
   {
    "name": "timeZone",
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "status",
    "required": true,
    "is": "enum",
    "of": "Status"
   },
   {
    "name": "labels",
    "required": true,
    "is": "scalar",
    "of": "Labels"
   },
   {
    "name": "tenant",
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "description",
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "attributes",
    "required": true,
    "is": "scalar",
    "of": "JSON"
   },
   {
    "name": "externalRefs",
    "required": true,
    "list": true,
    "is": "value",
    "of": "ExternalRef"
   },
   {
    "name": "version",
    "required": true,
    "is": "scalar",
    "of": "Revision"
   },
   {
    "name": "createdAt",
    "required": true,
    "is": "scalar",
    "of": "DateTime"
   },
   {
    "name": "updatedAt",
    "required": true,
    "is": "scalar",
    "of": "DateTime"
   },
   {
    "name": "region",
    "is": "one",
    "of": "Region"
   },
   {
    "name": "provider",
    "is": "one",
    "of": "Provider"
   },
   {
    "name": "locations",
    "is": "many",
    "of": "Location"
   },
   {
    "name": "racks",
    "is": "many",
    "of": "Rack"
   },
   {
    "name": "powerFeeds",
    "is": "many",
    "of": "PowerFeed"
   },
   {
    "name": "devices",
    "is": "many",
    "of": "Device"
   },
   {
    "name": "circuitTerminations",
    "is": "many",
    "of": "CircuitTermination"
   },
   {
    "name": "clusters",
    "is": "many",
    "of": "Cluster"
   },
   {
    "name": "appliances",
    "is": "many",
    "of": "Appliance"
   }
  ],
  "orders": [
   "KEY",
   "UPDATED_AT",
   "CREATED_AT",
   "NAME",
   "PATH",
   "DISPLAY_NAME"
  ],
  "create": true,
  "change": true,
  "remove": true,
  "apply": true
 },
 "Location": {
  "name": "Location",
  "one": "location",
  "list": "locations",
  "fields": [
   {
    "name": "id",
    "required": true,
    "is": "scalar",
    "of": "ID"
   },
   {
    "name": "name",
    "required": true,
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "type",
    "is": "enum",
    "of": "LocationType"
   },
   {
    "name": "labels",
    "required": true,
    "is": "scalar",
    "of": "Labels"
   },
   {
    "name": "tenant",
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "description",
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "attributes",
    "required": true,
    "is": "scalar",
    "of": "JSON"
   },
   {
    "name": "externalRefs",
    "required": true,
    "list": true,
    "is": "value",
    "of": "ExternalRef"
   },
   {
    "name": "version",
    "required": true,
    "is": "scalar",
    "of": "Revision"
   },
   {
    "name": "createdAt",
    "required": true,
    "is": "scalar",
    "of": "DateTime"
   },
   {
    "name": "updatedAt",
    "required": true,
    "is": "scalar",
    "of": "DateTime"
   },
   {
    "name": "site",
    "required": true,
    "is": "one",
    "of": "Site"
   },
   {
    "name": "parent",
    "is": "one",
    "of": "Location"
   },
   {
    "name": "children",
    "is": "many",
    "of": "Location"
   },
   {
    "name": "racks",
    "is": "many",
    "of": "Rack"
   },
   {
    "name": "devices",
    "is": "many",
    "of": "Device"
   }
  ],
  "orders": [
   "KEY",
   "UPDATED_AT",
   "CREATED_AT",
   "NAME",
   "PATH"
  ],
  "create": true,
  "change": true,
  "remove": true,
  "apply": true
 },
 "Rack": {
  "name": "Rack",
  "one": "rack",
  "list": "racks",
  "fields": [
   {
    "name": "id",
    "required": true,
    "is": "scalar",
    "of": "ID"
   },
   {
    "name": "name",
    "required": true,
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "cage",
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "row",
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "heightU",
    "required": true,
    "is": "scalar",
    "of": "Int"
   },
   {
    "name": "serial",
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "assetTag",
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "status",
    "required": true,
    "is": "enum",
    "of": "Status"
   },
   {
    "name": "position",
    "is": "value",
    "of": "RackPosition"
   },
   {
    "name": "labels",
    "required": true,
    "is": "scalar",
    "of": "Labels"
   },
   {
    "name": "tenant",
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "description",
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "attributes",
    "required": true,
    "is": "scalar",
    "of": "JSON"
   },
   {
    "name": "externalRefs",
    "required": true,
    "list": true,
    "is": "value",
    "of": "ExternalRef"
   },
   {
    "name": "version",
    "required": true,
    "is": "scalar",
    "of": "Revision"
   },
   {
    "name": "createdAt",
    "required": true,
    "is": "scalar",
    "of": "DateTime"
   },
   {
    "name": "updatedAt",
    "required": true,
    "is": "scalar",
    "of": "DateTime"
   },
   {
    "name": "site",
    "required": true,
    "is": "one",
    "of": "Site"
   },
   {
    "name": "location",
    "is": "one",
    "of": "Location"
   },
   {
    "name": "devices",
    "is": "many",
    "of": "Device"
   },
   {
    "name": "ports",
    "is": "many",
    "of": "Port"
   },
   {
    "name": "powerFeeds",
    "is": "many",
    "of": "PowerFeed"
   },
   {
    "name": "appliances",
    "is": "many",
    "of": "Appliance"
   },
   {
    "name": "unitsUsed",
    "required": true,
    "is": "scalar",
    "of": "Float"
   },
   {
    "name": "unitsFree",
    "required": true,
    "is": "scalar",
    "of": "Float"
   },
   {
    "name": "largestFree",
    "required": true,
    "is": "scalar",
    "of": "Float"
   },
   {
    "name": "powerDrawW",
    "is": "value",
    "of": "RackPowerDraw"
   },
   {
    "name": "powerRatedW",
    "is": "scalar",
    "of": "Long"
   }
  ],
  "orders": [
   "KEY",
   "UPDATED_AT",
   "CREATED_AT",
   "NAME",
   "PATH",
   "CAGE",
   "ROW",
   "HEIGHT_U"
  ],
  "create": true,
  "change": true,
  "remove": true,
  "apply": true
 },
 "PowerFeed": {
  "name": "PowerFeed",
  "one": "powerFeed",
  "list": "powerFeeds",
  "fields": [
   {
    "name": "id",
    "required": true,
    "is": "scalar",
    "of": "ID"
   },
   {
    "name": "name",
    "required": true,
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "phase",
    "is": "enum",
    "of": "Phase"
   },
   {
    "name": "voltage",
    "is": "scalar",
    "of": "Int"
   },
   {
    "name": "ampsRated",
    "is": "scalar",
    "of": "Int"
   },
   {
    "name": "riskGroups",
    "required": true,
    "list": true,
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "status",
    "required": true,
    "is": "enum",
    "of": "Status"
   },
   {
    "name": "labels",
    "required": true,
    "is": "scalar",
    "of": "Labels"
   },
   {
    "name": "tenant",
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "description",
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "attributes",
    "required": true,
    "is": "scalar",
    "of": "JSON"
   },
   {
    "name": "externalRefs",
    "required": true,
    "list": true,
    "is": "value",
    "of": "ExternalRef"
   },
   {
    "name": "version",
    "required": true,
    "is": "scalar",
    "of": "Revision"
   },
   {
    "name": "createdAt",
    "required": true,
    "is": "scalar",
    "of": "DateTime"
   },
   {
    "name": "updatedAt",
    "required": true,
    "is": "scalar",
    "of": "DateTime"
   },
   {
    "name": "site",
    "required": true,
    "is": "one",
    "of": "Site"
   },
   {
    "name": "rack",
    "is": "one",
    "of": "Rack"
   },
   {
    "name": "downstream",
    "is": "many",
    "of": "PowerFeed"
   },
   {
    "name": "farEnds",
    "required": true,
    "list": true,
    "is": "union",
    "of": "Hop"
   },
   {
    "name": "farEndsTruncated",
    "required": true,
    "is": "scalar",
    "of": "Boolean"
   },
   {
    "name": "upstream",
    "is": "union",
    "of": "PowerSource"
   },
   {
    "name": "cable",
    "is": "one",
    "of": "Cable"
   },
   {
    "name": "peers",
    "required": true,
    "list": true,
    "is": "union",
    "of": "CableEnd"
   }
  ],
  "orders": [
   "KEY",
   "UPDATED_AT",
   "CREATED_AT",
   "NAME",
   "PATH",
   "VOLTAGE",
   "AMPS_RATED"
  ],
  "create": true,
  "change": true,
  "remove": true,
  "apply": true
 },
 "Device": {
  "name": "Device",
  "one": "device",
  "list": "devices",
  "fields": [
   {
    "name": "id",
    "required": true,
    "is": "scalar",
    "of": "ID"
   },
   {
    "name": "name",
    "required": true,
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "role",
    "required": true,
    "is": "enum",
    "of": "DeviceRole"
   },
   {
    "name": "slot",
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "manufacturer",
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "model",
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "serial",
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "assetTag",
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "platform",
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "forwards",
    "is": "scalar",
    "of": "Boolean"
   },
   {
    "name": "plane",
    "required": true,
    "is": "enum",
    "of": "Plane"
   },
   {
    "name": "inletsRequired",
    "required": true,
    "is": "scalar",
    "of": "Int"
   },
   {
    "name": "addresses",
    "required": true,
    "list": true,
    "is": "value",
    "of": "Address"
   },
   {
    "name": "hardware",
    "is": "value",
    "of": "Hardware"
   },
   {
    "name": "status",
    "required": true,
    "is": "enum",
    "of": "Status"
   },
   {
    "name": "labels",
    "required": true,
    "is": "scalar",
    "of": "Labels"
   },
   {
    "name": "tenant",
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "description",
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "attributes",
    "required": true,
    "is": "scalar",
    "of": "JSON"
   },
   {
    "name": "externalRefs",
    "required": true,
    "list": true,
    "is": "value",
    "of": "ExternalRef"
   },
   {
    "name": "version",
    "required": true,
    "is": "scalar",
    "of": "Revision"
   },
   {
    "name": "createdAt",
    "required": true,
    "is": "scalar",
    "of": "DateTime"
   },
   {
    "name": "updatedAt",
    "required": true,
    "is": "scalar",
    "of": "DateTime"
   },
   {
    "name": "site",
    "required": true,
    "is": "one",
    "of": "Site"
   },
   {
    "name": "location",
    "is": "one",
    "of": "Location"
   },
   {
    "name": "cluster",
    "is": "one",
    "of": "Cluster"
   },
   {
    "name": "parent",
    "is": "one",
    "of": "Device"
   },
   {
    "name": "ports",
    "is": "many",
    "of": "Port"
   },
   {
    "name": "children",
    "is": "many",
    "of": "Device"
   },
   {
    "name": "virtualMachines",
    "is": "many",
    "of": "VirtualMachine"
   },
   {
    "name": "hosts",
    "is": "many",
    "of": "Host"
   },
   {
    "name": "rack",
    "is": "one",
    "of": "Rack"
   },
   {
    "name": "startUnit",
    "is": "scalar",
    "of": "Float"
   },
   {
    "name": "placement",
    "is": "value",
    "of": "Placement"
   }
  ],
  "orders": [
   "KEY",
   "UPDATED_AT",
   "CREATED_AT",
   "NAME",
   "PATH",
   "START_UNIT",
   "MANUFACTURER",
   "MODEL",
   "SERIAL",
   "ASSET_TAG"
  ],
  "create": true,
  "change": true,
  "remove": true,
  "apply": true
 },
 "Port": {
  "name": "Port",
  "one": "port",
  "list": "ports",
  "fields": [
   {
    "name": "id",
    "required": true,
    "is": "scalar",
    "of": "ID"
   },
   {
    "name": "name",
    "required": true,
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "type",
    "required": true,
    "is": "enum",
    "of": "PortType"
   },
   {
    "name": "family",
    "required": true,
    "is": "enum",
    "of": "PortFamily"
   },
   {
    "name": "connector",
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "speedBps",
    "is": "scalar",
    "of": "Long"
   },
   {
    "name": "mtu",
    "is": "scalar",
    "of": "Int"
   },
   {
    "name": "mac",
    "is": "scalar",
    "of": "MAC"
   },
   {
    "name": "addresses",
    "required": true,
    "list": true,
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "mgmtOnly",
    "required": true,
    "is": "scalar",
    "of": "Boolean"
   },
   {
    "name": "enabled",
    "required": true,
    "is": "scalar",
    "of": "Boolean"
   },
   {
    "name": "markConnected",
    "required": true,
    "is": "scalar",
    "of": "Boolean"
   },
   {
    "name": "positions",
    "required": true,
    "is": "scalar",
    "of": "Int"
   },
   {
    "name": "drawW",
    "is": "value",
    "of": "PowerDraw"
   },
   {
    "name": "labels",
    "required": true,
    "is": "scalar",
    "of": "Labels"
   },
   {
    "name": "tenant",
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "description",
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "attributes",
    "required": true,
    "is": "scalar",
    "of": "JSON"
   },
   {
    "name": "externalRefs",
    "required": true,
    "list": true,
    "is": "value",
    "of": "ExternalRef"
   },
   {
    "name": "version",
    "required": true,
    "is": "scalar",
    "of": "Revision"
   },
   {
    "name": "createdAt",
    "required": true,
    "is": "scalar",
    "of": "DateTime"
   },
   {
    "name": "updatedAt",
    "required": true,
    "is": "scalar",
    "of": "DateTime"
   },
   {
    "name": "device",
    "is": "one",
    "of": "Device"
   },
   {
    "name": "rack",
    "is": "one",
    "of": "Rack"
   },
   {
    "name": "virtualMachine",
    "is": "one",
    "of": "VirtualMachine"
   },
   {
    "name": "lag",
    "is": "one",
    "of": "Port"
   },
   {
    "name": "parent",
    "is": "one",
    "of": "Port"
   },
   {
    "name": "members",
    "is": "many",
    "of": "Port"
   },
   {
    "name": "children",
    "is": "many",
    "of": "Port"
   },
   {
    "name": "outlets",
    "is": "many",
    "of": "Port"
   },
   {
    "name": "powerFeeds",
    "is": "many",
    "of": "PowerFeed"
   },
   {
    "name": "farEnds",
    "required": true,
    "list": true,
    "is": "union",
    "of": "Hop"
   },
   {
    "name": "farEndsTruncated",
    "required": true,
    "is": "scalar",
    "of": "Boolean"
   },
   {
    "name": "fedBy",
    "required": true,
    "list": true,
    "is": "union",
    "of": "PowerSource"
   },
   {
    "name": "passThrough",
    "required": true,
    "list": true,
    "is": "value",
    "of": "PassThrough"
   },
   {
    "name": "cable",
    "is": "one",
    "of": "Cable"
   },
   {
    "name": "peers",
    "required": true,
    "list": true,
    "is": "union",
    "of": "CableEnd"
   },
   {
    "name": "circuitTermination",
    "is": "one",
    "of": "CircuitTermination"
   }
  ],
  "orders": [
   "KEY",
   "UPDATED_AT",
   "CREATED_AT",
   "NAME",
   "PATH",
   "SPEED_BPS",
   "MAC"
  ],
  "create": true,
  "change": true,
  "remove": true,
  "apply": true
 },
 "Cable": {
  "name": "Cable",
  "one": "cable",
  "list": "cables",
  "fields": [
   {
    "name": "id",
    "required": true,
    "is": "scalar",
    "of": "ID"
   },
   {
    "name": "name",
    "required": true,
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "label",
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "media",
    "is": "enum",
    "of": "Media"
   },
   {
    "name": "status",
    "required": true,
    "is": "enum",
    "of": "CableStatus"
   },
   {
    "name": "lengthM",
    "is": "scalar",
    "of": "Float"
   },
   {
    "name": "color",
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "riskGroups",
    "required": true,
    "list": true,
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "lanes",
    "required": true,
    "list": true,
    "is": "value",
    "of": "Lane"
   },
   {
    "name": "labels",
    "required": true,
    "is": "scalar",
    "of": "Labels"
   },
   {
    "name": "tenant",
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "description",
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "attributes",
    "required": true,
    "is": "scalar",
    "of": "JSON"
   },
   {
    "name": "externalRefs",
    "required": true,
    "list": true,
    "is": "value",
    "of": "ExternalRef"
   },
   {
    "name": "version",
    "required": true,
    "is": "scalar",
    "of": "Revision"
   },
   {
    "name": "createdAt",
    "required": true,
    "is": "scalar",
    "of": "DateTime"
   },
   {
    "name": "updatedAt",
    "required": true,
    "is": "scalar",
    "of": "DateTime"
   },
   {
    "name": "links",
    "is": "many",
    "of": "Link"
   },
   {
    "name": "aEnds",
    "required": true,
    "list": true,
    "is": "union",
    "of": "CableEnd"
   },
   {
    "name": "bEnds",
    "required": true,
    "list": true,
    "is": "union",
    "of": "CableEnd"
   }
  ],
  "orders": [
   "KEY",
   "UPDATED_AT",
   "CREATED_AT",
   "NAME",
   "PATH",
   "LABEL",
   "LENGTH_M"
  ],
  "create": true,
  "change": true,
  "remove": true,
  "apply": true
 },
 "Link": {
  "name": "Link",
  "one": "link",
  "list": "links",
  "fields": [
   {
    "name": "id",
    "required": true,
    "is": "scalar",
    "of": "ID"
   },
   {
    "name": "name",
    "required": true,
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "type",
    "required": true,
    "is": "enum",
    "of": "LinkType"
   },
   {
    "name": "capacityMbps",
    "is": "scalar",
    "of": "Long"
   },
   {
    "name": "latencyMs",
    "is": "scalar",
    "of": "Float"
   },
   {
    "name": "labels",
    "required": true,
    "is": "scalar",
    "of": "Labels"
   },
   {
    "name": "tenant",
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "description",
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "attributes",
    "required": true,
    "is": "scalar",
    "of": "JSON"
   },
   {
    "name": "externalRefs",
    "required": true,
    "list": true,
    "is": "value",
    "of": "ExternalRef"
   },
   {
    "name": "version",
    "required": true,
    "is": "scalar",
    "of": "Revision"
   },
   {
    "name": "createdAt",
    "required": true,
    "is": "scalar",
    "of": "DateTime"
   },
   {
    "name": "updatedAt",
    "required": true,
    "is": "scalar",
    "of": "DateTime"
   },
   {
    "name": "a",
    "required": true,
    "is": "union",
    "of": "LinkEnd"
   },
   {
    "name": "b",
    "required": true,
    "is": "union",
    "of": "LinkEnd"
   },
   {
    "name": "cables",
    "required": true,
    "list": true,
    "is": "one",
    "of": "Cable"
   }
  ],
  "orders": [
   "KEY",
   "UPDATED_AT",
   "CREATED_AT",
   "NAME",
   "PATH",
   "CAPACITY_MBPS",
   "LATENCY_MS"
  ],
  "create": true,
  "change": true,
  "remove": true,
  "apply": true
 },
 "Provider": {
  "name": "Provider",
  "one": "provider",
  "list": "providers",
  "fields": [
   {
    "name": "id",
    "required": true,
    "is": "scalar",
    "of": "ID"
   },
   {
    "name": "name",
    "required": true,
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "displayName",
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "type",
    "required": true,
    "is": "enum",
    "of": "ProviderType"
   },
   {
    "name": "contract",
    "is": "value",
    "of": "Contract"
   },
   {
    "name": "serviceIdentifiers",
    "required": true,
    "list": true,
    "is": "value",
    "of": "ServiceIdentifier"
   },
   {
    "name": "labels",
    "required": true,
    "is": "scalar",
    "of": "Labels"
   },
   {
    "name": "tenant",
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "description",
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "attributes",
    "required": true,
    "is": "scalar",
    "of": "JSON"
   },
   {
    "name": "externalRefs",
    "required": true,
    "list": true,
    "is": "value",
    "of": "ExternalRef"
   },
   {
    "name": "version",
    "required": true,
    "is": "scalar",
    "of": "Revision"
   },
   {
    "name": "createdAt",
    "required": true,
    "is": "scalar",
    "of": "DateTime"
   },
   {
    "name": "updatedAt",
    "required": true,
    "is": "scalar",
    "of": "DateTime"
   },
   {
    "name": "sites",
    "is": "many",
    "of": "Site"
   },
   {
    "name": "networks",
    "is": "many",
    "of": "ProviderNetwork"
   },
   {
    "name": "circuits",
    "is": "many",
    "of": "Circuit"
   },
   {
    "name": "virtualMachines",
    "is": "many",
    "of": "VirtualMachine"
   }
  ],
  "orders": [
   "KEY",
   "UPDATED_AT",
   "CREATED_AT",
   "NAME",
   "PATH",
   "DISPLAY_NAME"
  ],
  "create": true,
  "change": true,
  "remove": true,
  "apply": true
 },
 "ProviderNetwork": {
  "name": "ProviderNetwork",
  "one": "providerNetwork",
  "list": "providerNetworks",
  "fields": [
   {
    "name": "id",
    "required": true,
    "is": "scalar",
    "of": "ID"
   },
   {
    "name": "name",
    "required": true,
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "labels",
    "required": true,
    "is": "scalar",
    "of": "Labels"
   },
   {
    "name": "tenant",
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "description",
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "attributes",
    "required": true,
    "is": "scalar",
    "of": "JSON"
   },
   {
    "name": "externalRefs",
    "required": true,
    "list": true,
    "is": "value",
    "of": "ExternalRef"
   },
   {
    "name": "version",
    "required": true,
    "is": "scalar",
    "of": "Revision"
   },
   {
    "name": "createdAt",
    "required": true,
    "is": "scalar",
    "of": "DateTime"
   },
   {
    "name": "updatedAt",
    "required": true,
    "is": "scalar",
    "of": "DateTime"
   },
   {
    "name": "provider",
    "required": true,
    "is": "one",
    "of": "Provider"
   },
   {
    "name": "circuitTerminations",
    "is": "many",
    "of": "CircuitTermination"
   }
  ],
  "orders": [
   "KEY",
   "UPDATED_AT",
   "CREATED_AT",
   "NAME",
   "PATH"
  ],
  "create": true,
  "change": true,
  "remove": true,
  "apply": true
 },
 "Circuit": {
  "name": "Circuit",
  "one": "circuit",
  "list": "circuits",
  "fields": [
   {
    "name": "id",
    "required": true,
    "is": "scalar",
    "of": "ID"
   },
   {
    "name": "name",
    "required": true,
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "circuitId",
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "type",
    "required": true,
    "is": "enum",
    "of": "CircuitType"
   },
   {
    "name": "bandwidthMbps",
    "is": "scalar",
    "of": "Long"
   },
   {
    "name": "distanceM",
    "is": "scalar",
    "of": "Float"
   },
   {
    "name": "latencyMs",
    "is": "scalar",
    "of": "Float"
   },
   {
    "name": "installedOn",
    "is": "scalar",
    "of": "Date"
   },
   {
    "name": "riskGroups",
    "required": true,
    "list": true,
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "status",
    "required": true,
    "is": "enum",
    "of": "Status"
   },
   {
    "name": "serviceRef",
    "is": "value",
    "of": "ObjectReference"
   },
   {
    "name": "labels",
    "required": true,
    "is": "scalar",
    "of": "Labels"
   },
   {
    "name": "tenant",
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "description",
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "attributes",
    "required": true,
    "is": "scalar",
    "of": "JSON"
   },
   {
    "name": "externalRefs",
    "required": true,
    "list": true,
    "is": "value",
    "of": "ExternalRef"
   },
   {
    "name": "version",
    "required": true,
    "is": "scalar",
    "of": "Revision"
   },
   {
    "name": "createdAt",
    "required": true,
    "is": "scalar",
    "of": "DateTime"
   },
   {
    "name": "updatedAt",
    "required": true,
    "is": "scalar",
    "of": "DateTime"
   },
   {
    "name": "provider",
    "required": true,
    "is": "one",
    "of": "Provider"
   },
   {
    "name": "aEnd",
    "is": "one",
    "of": "CircuitTermination"
   },
   {
    "name": "zEnd",
    "is": "one",
    "of": "CircuitTermination"
   }
  ],
  "orders": [
   "KEY",
   "UPDATED_AT",
   "CREATED_AT",
   "NAME",
   "PATH",
   "CIRCUIT_ID",
   "BANDWIDTH_MBPS",
   "LATENCY_MS"
  ],
  "create": true,
  "change": true,
  "remove": true,
  "apply": true
 },
 "CircuitTermination": {
  "name": "CircuitTermination",
  "one": "circuitTermination",
  "list": "circuitTerminations",
  "fields": [
   {
    "name": "id",
    "required": true,
    "is": "scalar",
    "of": "ID"
   },
   {
    "name": "name",
    "required": true,
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "side",
    "required": true,
    "is": "enum",
    "of": "CircuitSide"
   },
   {
    "name": "labels",
    "required": true,
    "is": "scalar",
    "of": "Labels"
   },
   {
    "name": "tenant",
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "description",
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "attributes",
    "required": true,
    "is": "scalar",
    "of": "JSON"
   },
   {
    "name": "externalRefs",
    "required": true,
    "list": true,
    "is": "value",
    "of": "ExternalRef"
   },
   {
    "name": "version",
    "required": true,
    "is": "scalar",
    "of": "Revision"
   },
   {
    "name": "createdAt",
    "required": true,
    "is": "scalar",
    "of": "DateTime"
   },
   {
    "name": "updatedAt",
    "required": true,
    "is": "scalar",
    "of": "DateTime"
   },
   {
    "name": "circuit",
    "required": true,
    "is": "one",
    "of": "Circuit"
   },
   {
    "name": "site",
    "is": "one",
    "of": "Site"
   },
   {
    "name": "providerNetwork",
    "is": "one",
    "of": "ProviderNetwork"
   },
   {
    "name": "port",
    "is": "one",
    "of": "Port"
   },
   {
    "name": "farEnds",
    "required": true,
    "list": true,
    "is": "union",
    "of": "Hop"
   },
   {
    "name": "farEndsTruncated",
    "required": true,
    "is": "scalar",
    "of": "Boolean"
   },
   {
    "name": "cable",
    "is": "one",
    "of": "Cable"
   },
   {
    "name": "peers",
    "required": true,
    "list": true,
    "is": "union",
    "of": "CableEnd"
   }
  ],
  "orders": [
   "KEY",
   "UPDATED_AT",
   "CREATED_AT",
   "NAME",
   "PATH"
  ],
  "create": true,
  "change": true,
  "remove": true,
  "apply": true
 },
 "Cluster": {
  "name": "Cluster",
  "one": "cluster",
  "list": "clusters",
  "fields": [
   {
    "name": "id",
    "required": true,
    "is": "scalar",
    "of": "ID"
   },
   {
    "name": "name",
    "required": true,
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "displayName",
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "type",
    "required": true,
    "is": "enum",
    "of": "ClusterType"
   },
   {
    "name": "role",
    "is": "enum",
    "of": "ClusterRole"
   },
   {
    "name": "platform",
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "endpoint",
    "is": "scalar",
    "of": "URL"
   },
   {
    "name": "labels",
    "required": true,
    "is": "scalar",
    "of": "Labels"
   },
   {
    "name": "tenant",
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "description",
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "attributes",
    "required": true,
    "is": "scalar",
    "of": "JSON"
   },
   {
    "name": "externalRefs",
    "required": true,
    "list": true,
    "is": "value",
    "of": "ExternalRef"
   },
   {
    "name": "version",
    "required": true,
    "is": "scalar",
    "of": "Revision"
   },
   {
    "name": "createdAt",
    "required": true,
    "is": "scalar",
    "of": "DateTime"
   },
   {
    "name": "updatedAt",
    "required": true,
    "is": "scalar",
    "of": "DateTime"
   },
   {
    "name": "controlPlaneSite",
    "is": "one",
    "of": "Site"
   },
   {
    "name": "devices",
    "is": "many",
    "of": "Device"
   },
   {
    "name": "virtualMachines",
    "is": "many",
    "of": "VirtualMachine"
   },
   {
    "name": "hosts",
    "is": "many",
    "of": "Host"
   }
  ],
  "orders": [
   "KEY",
   "UPDATED_AT",
   "CREATED_AT",
   "NAME",
   "PATH",
   "DISPLAY_NAME",
   "PLATFORM"
  ],
  "create": true,
  "change": true,
  "remove": true,
  "apply": true
 },
 "VirtualMachine": {
  "name": "VirtualMachine",
  "one": "virtualMachine",
  "list": "virtualMachines",
  "fields": [
   {
    "name": "id",
    "required": true,
    "is": "scalar",
    "of": "ID"
   },
   {
    "name": "name",
    "required": true,
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "projectRef",
    "is": "value",
    "of": "ObjectReference"
   },
   {
    "name": "allocation",
    "is": "value",
    "of": "Allocation"
   },
   {
    "name": "addresses",
    "required": true,
    "list": true,
    "is": "value",
    "of": "Address"
   },
   {
    "name": "status",
    "required": true,
    "is": "enum",
    "of": "Status"
   },
   {
    "name": "labels",
    "required": true,
    "is": "scalar",
    "of": "Labels"
   },
   {
    "name": "tenant",
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "description",
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "attributes",
    "required": true,
    "is": "scalar",
    "of": "JSON"
   },
   {
    "name": "externalRefs",
    "required": true,
    "list": true,
    "is": "value",
    "of": "ExternalRef"
   },
   {
    "name": "version",
    "required": true,
    "is": "scalar",
    "of": "Revision"
   },
   {
    "name": "createdAt",
    "required": true,
    "is": "scalar",
    "of": "DateTime"
   },
   {
    "name": "updatedAt",
    "required": true,
    "is": "scalar",
    "of": "DateTime"
   },
   {
    "name": "host",
    "is": "one",
    "of": "Device"
   },
   {
    "name": "cluster",
    "is": "one",
    "of": "Cluster"
   },
   {
    "name": "provider",
    "is": "one",
    "of": "Provider"
   },
   {
    "name": "ports",
    "is": "many",
    "of": "Port"
   },
   {
    "name": "hosts",
    "is": "many",
    "of": "Host"
   }
  ],
  "orders": [
   "KEY",
   "UPDATED_AT",
   "CREATED_AT",
   "NAME",
   "PATH"
  ],
  "create": true,
  "change": true,
  "remove": true,
  "apply": true
 },
 "Source": {
  "name": "Source",
  "one": "source",
  "list": "sources",
  "fields": [
   {
    "name": "id",
    "required": true,
    "is": "scalar",
    "of": "ID"
   },
   {
    "name": "name",
    "required": true,
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "type",
    "required": true,
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "url",
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "interval",
    "required": true,
    "is": "scalar",
    "of": "Int"
   },
   {
    "name": "prune",
    "required": true,
    "is": "enum",
    "of": "SourcePrune"
   },
   {
    "name": "limits",
    "required": true,
    "is": "value",
    "of": "SourceLimits"
   },
   {
    "name": "paused",
    "required": true,
    "is": "scalar",
    "of": "Boolean"
   },
   {
    "name": "health",
    "required": true,
    "is": "enum",
    "of": "SourceHealth"
   },
   {
    "name": "reserved",
    "required": true,
    "is": "scalar",
    "of": "Boolean"
   },
   {
    "name": "hostsArrive",
    "required": true,
    "is": "enum",
    "of": "SourceHostsArrive"
   },
   {
    "name": "labels",
    "required": true,
    "is": "scalar",
    "of": "Labels"
   },
   {
    "name": "tenant",
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "description",
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "attributes",
    "required": true,
    "is": "scalar",
    "of": "JSON"
   },
   {
    "name": "externalRefs",
    "required": true,
    "list": true,
    "is": "value",
    "of": "ExternalRef"
   },
   {
    "name": "version",
    "required": true,
    "is": "scalar",
    "of": "Revision"
   },
   {
    "name": "createdAt",
    "required": true,
    "is": "scalar",
    "of": "DateTime"
   },
   {
    "name": "updatedAt",
    "required": true,
    "is": "scalar",
    "of": "DateTime"
   },
   {
    "name": "lastRun",
    "is": "value",
    "of": "SourceRun"
   },
   {
    "name": "heldCount",
    "required": true,
    "is": "scalar",
    "of": "Int"
   },
   {
    "name": "lastSuccessAt",
    "is": "scalar",
    "of": "DateTime"
   },
   {
    "name": "suspectCount",
    "required": true,
    "is": "scalar",
    "of": "Int"
   }
  ],
  "orders": [
   "KEY",
   "UPDATED_AT",
   "CREATED_AT",
   "NAME",
   "PATH",
   "TYPE"
  ],
  "create": true,
  "change": true,
  "remove": true,
  "apply": true
 },
 "HostClass": {
  "name": "HostClass",
  "one": "hostClass",
  "list": "hostClasses",
  "fields": [
   {
    "name": "id",
    "required": true,
    "is": "scalar",
    "of": "ID"
   },
   {
    "name": "name",
    "required": true,
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "title",
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "match",
    "is": "value",
    "of": "HostMatch"
   },
   {
    "name": "labels",
    "required": true,
    "is": "scalar",
    "of": "Labels"
   },
   {
    "name": "tenant",
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "description",
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "attributes",
    "required": true,
    "is": "scalar",
    "of": "JSON"
   },
   {
    "name": "externalRefs",
    "required": true,
    "list": true,
    "is": "value",
    "of": "ExternalRef"
   },
   {
    "name": "version",
    "required": true,
    "is": "scalar",
    "of": "Revision"
   },
   {
    "name": "createdAt",
    "required": true,
    "is": "scalar",
    "of": "DateTime"
   },
   {
    "name": "updatedAt",
    "required": true,
    "is": "scalar",
    "of": "DateTime"
   },
   {
    "name": "hosts",
    "is": "many",
    "of": "Host"
   },
   {
    "name": "total",
    "required": true,
    "is": "scalar",
    "of": "Int"
   },
   {
    "name": "available",
    "required": true,
    "is": "scalar",
    "of": "Int"
   },
   {
    "name": "acquired",
    "required": true,
    "is": "scalar",
    "of": "Int"
   },
   {
    "name": "failed",
    "required": true,
    "is": "scalar",
    "of": "Int"
   }
  ],
  "orders": [
   "KEY",
   "UPDATED_AT",
   "CREATED_AT",
   "NAME",
   "PATH",
   "TITLE"
  ],
  "create": true,
  "change": true,
  "remove": true,
  "apply": true
 },
 "Credential": {
  "name": "Credential",
  "one": "credential",
  "list": "credentials",
  "fields": [
   {
    "name": "id",
    "required": true,
    "is": "scalar",
    "of": "ID"
   },
   {
    "name": "name",
    "required": true,
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "type",
    "required": true,
    "is": "enum",
    "of": "CredentialType"
   },
   {
    "name": "username",
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "allowedHosts",
    "required": true,
    "list": true,
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "sources",
    "required": true,
    "list": true,
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "labels",
    "required": true,
    "is": "scalar",
    "of": "Labels"
   },
   {
    "name": "tenant",
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "description",
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "attributes",
    "required": true,
    "is": "scalar",
    "of": "JSON"
   },
   {
    "name": "externalRefs",
    "required": true,
    "list": true,
    "is": "value",
    "of": "ExternalRef"
   },
   {
    "name": "version",
    "required": true,
    "is": "scalar",
    "of": "Revision"
   },
   {
    "name": "createdAt",
    "required": true,
    "is": "scalar",
    "of": "DateTime"
   },
   {
    "name": "updatedAt",
    "required": true,
    "is": "scalar",
    "of": "DateTime"
   },
   {
    "name": "appliances",
    "is": "many",
    "of": "Appliance"
   },
   {
    "name": "hosts",
    "is": "many",
    "of": "Host"
   },
   {
    "name": "secretState",
    "required": true,
    "is": "enum",
    "of": "SecretState"
   },
   {
    "name": "secrets",
    "required": true,
    "list": true,
    "is": "value",
    "of": "CredentialSecret"
   },
   {
    "name": "secretReads",
    "required": true,
    "list": true,
    "is": "value",
    "of": "SecretReadCount"
   }
  ],
  "orders": [
   "KEY",
   "UPDATED_AT",
   "CREATED_AT",
   "NAME",
   "PATH",
   "TYPE"
  ],
  "create": true,
  "change": true,
  "remove": true,
  "apply": true
 },
 "Profile": {
  "name": "Profile",
  "one": "profile",
  "list": "profiles",
  "fields": [
   {
    "name": "id",
    "required": true,
    "is": "scalar",
    "of": "ID"
   },
   {
    "name": "name",
    "required": true,
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "purpose",
    "required": true,
    "is": "enum",
    "of": "ProfilePurpose"
   },
   {
    "name": "method",
    "is": "enum",
    "of": "ProfileMethod"
   },
   {
    "name": "kernel",
    "is": "scalar",
    "of": "URL"
   },
   {
    "name": "initrd",
    "is": "scalar",
    "of": "URL"
   },
   {
    "name": "repository",
    "is": "scalar",
    "of": "URL"
   },
   {
    "name": "image",
    "is": "value",
    "of": "ProfileImage"
   },
   {
    "name": "arguments",
    "required": true,
    "list": true,
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "debug",
    "required": true,
    "is": "scalar",
    "of": "Boolean"
   },
   {
    "name": "labels",
    "required": true,
    "is": "scalar",
    "of": "Labels"
   },
   {
    "name": "tenant",
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "description",
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "attributes",
    "required": true,
    "is": "scalar",
    "of": "JSON"
   },
   {
    "name": "externalRefs",
    "required": true,
    "list": true,
    "is": "value",
    "of": "ExternalRef"
   },
   {
    "name": "version",
    "required": true,
    "is": "scalar",
    "of": "Revision"
   },
   {
    "name": "createdAt",
    "required": true,
    "is": "scalar",
    "of": "DateTime"
   },
   {
    "name": "updatedAt",
    "required": true,
    "is": "scalar",
    "of": "DateTime"
   },
   {
    "name": "hosts",
    "is": "many",
    "of": "Host"
   }
  ],
  "orders": [
   "KEY",
   "UPDATED_AT",
   "CREATED_AT",
   "NAME",
   "PATH",
   "PURPOSE"
  ],
  "create": true,
  "change": true,
  "remove": true,
  "apply": true
 },
 "Appliance": {
  "name": "Appliance",
  "one": "appliance",
  "list": "appliances",
  "fields": [
   {
    "name": "id",
    "required": true,
    "is": "scalar",
    "of": "ID"
   },
   {
    "name": "name",
    "required": true,
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "type",
    "required": true,
    "is": "enum",
    "of": "ApplianceType"
   },
   {
    "name": "url",
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "namePattern",
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "prefix",
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "interval",
    "required": true,
    "is": "scalar",
    "of": "Int"
   },
   {
    "name": "labels",
    "required": true,
    "is": "scalar",
    "of": "Labels"
   },
   {
    "name": "tenant",
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "description",
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "attributes",
    "required": true,
    "is": "scalar",
    "of": "JSON"
   },
   {
    "name": "externalRefs",
    "required": true,
    "list": true,
    "is": "value",
    "of": "ExternalRef"
   },
   {
    "name": "version",
    "required": true,
    "is": "scalar",
    "of": "Revision"
   },
   {
    "name": "createdAt",
    "required": true,
    "is": "scalar",
    "of": "DateTime"
   },
   {
    "name": "updatedAt",
    "required": true,
    "is": "scalar",
    "of": "DateTime"
   },
   {
    "name": "credential",
    "is": "one",
    "of": "Credential"
   },
   {
    "name": "site",
    "is": "one",
    "of": "Site"
   },
   {
    "name": "rack",
    "is": "one",
    "of": "Rack"
   },
   {
    "name": "hosts",
    "is": "many",
    "of": "Host"
   },
   {
    "name": "enlistment",
    "is": "value",
    "of": "Enlistment"
   }
  ],
  "orders": [
   "KEY",
   "UPDATED_AT",
   "CREATED_AT",
   "NAME",
   "PATH",
   "TYPE",
   "URL"
  ],
  "create": true,
  "change": true,
  "remove": true,
  "apply": true
 },
 "Host": {
  "name": "Host",
  "one": "host",
  "list": "hosts",
  "fields": [
   {
    "name": "id",
    "required": true,
    "is": "scalar",
    "of": "ID"
   },
   {
    "name": "name",
    "required": true,
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "shortId",
    "required": true,
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "uid",
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "serial",
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "title",
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "architecture",
    "is": "enum",
    "of": "CpuArchitecture"
   },
   {
    "name": "bmcUrl",
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "bmcInsecure",
    "required": true,
    "is": "scalar",
    "of": "Boolean"
   },
   {
    "name": "bmcTrustedCas",
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "bootMac",
    "is": "scalar",
    "of": "MAC"
   },
   {
    "name": "bootIp",
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "bootMode",
    "is": "enum",
    "of": "HostBootMode"
   },
   {
    "name": "boot",
    "required": true,
    "is": "enum",
    "of": "HostBoot"
   },
   {
    "name": "rootDevice",
    "is": "value",
    "of": "RootDevice"
   },
   {
    "name": "provisioner",
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "maintenance",
    "required": true,
    "is": "scalar",
    "of": "TextMap"
   },
   {
    "name": "acquiredFor",
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "deleting",
    "required": true,
    "is": "scalar",
    "of": "Boolean"
   },
   {
    "name": "generation",
    "required": true,
    "is": "scalar",
    "of": "Long"
   },
   {
    "name": "state",
    "required": true,
    "is": "enum",
    "of": "HostState"
   },
   {
    "name": "power",
    "required": true,
    "is": "enum",
    "of": "HostPower"
   },
   {
    "name": "step",
    "is": "value",
    "of": "HostStep"
   },
   {
    "name": "generationDone",
    "required": true,
    "is": "scalar",
    "of": "Long"
   },
   {
    "name": "conditions",
    "required": true,
    "list": true,
    "is": "value",
    "of": "HostCondition"
   },
   {
    "name": "failure",
    "is": "value",
    "of": "HostFailure"
   },
   {
    "name": "wasInstalled",
    "required": true,
    "is": "scalar",
    "of": "Boolean"
   },
   {
    "name": "seenIdentity",
    "is": "value",
    "of": "HostSeenIdentity"
   },
   {
    "name": "lookAsked",
    "is": "value",
    "of": "HostLookAsked"
   },
   {
    "name": "hardware",
    "is": "value",
    "of": "Hardware"
   },
   {
    "name": "acknowledgedHardware",
    "is": "value",
    "of": "HostAcknowledgedHardware"
   },
   {
    "name": "hardwareAsked",
    "is": "value",
    "of": "HostHardwareAsked"
   },
   {
    "name": "labels",
    "required": true,
    "is": "scalar",
    "of": "Labels"
   },
   {
    "name": "tenant",
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "description",
    "is": "scalar",
    "of": "String"
   },
   {
    "name": "attributes",
    "required": true,
    "is": "scalar",
    "of": "JSON"
   },
   {
    "name": "externalRefs",
    "required": true,
    "list": true,
    "is": "value",
    "of": "ExternalRef"
   },
   {
    "name": "version",
    "required": true,
    "is": "scalar",
    "of": "Revision"
   },
   {
    "name": "observedVersion",
    "required": true,
    "is": "scalar",
    "of": "Revision"
   },
   {
    "name": "createdAt",
    "required": true,
    "is": "scalar",
    "of": "DateTime"
   },
   {
    "name": "updatedAt",
    "required": true,
    "is": "scalar",
    "of": "DateTime"
   },
   {
    "name": "class",
    "is": "one",
    "of": "HostClass"
   },
   {
    "name": "appliance",
    "is": "one",
    "of": "Appliance"
   },
   {
    "name": "bmcCredential",
    "is": "one",
    "of": "Credential"
   },
   {
    "name": "cluster",
    "is": "one",
    "of": "Cluster"
   },
   {
    "name": "machine",
    "is": "union",
    "of": "HostMachine"
   },
   {
    "name": "site",
    "is": "one",
    "of": "Site"
   },
   {
    "name": "machineSuggestions",
    "required": true,
    "list": true,
    "is": "one",
    "of": "Device"
   },
   {
    "name": "observed",
    "is": "value",
    "of": "HostObserved"
   },
   {
    "name": "bootAttempt",
    "is": "value",
    "of": "HostBootAttempt"
   },
   {
    "name": "hardwareConditions",
    "required": true,
    "list": true,
    "is": "enum",
    "of": "HardwareCondition"
   },
   {
    "name": "missingHardware",
    "required": true,
    "list": true,
    "is": "value",
    "of": "MissingHardware"
   },
   {
    "name": "parts",
    "list": true,
    "is": "value",
    "of": "Part"
   },
   {
    "name": "cabling",
    "list": true,
    "is": "value",
    "of": "HostCabling"
   },
   {
    "name": "agentToken",
    "is": "value",
    "of": "HostAgentToken"
   },
   {
    "name": "wanted",
    "is": "value",
    "of": "HostWanted"
   },
   {
    "name": "lastOrder",
    "is": "value",
    "of": "HostLastOrder"
   }
  ],
  "orders": [
   "KEY",
   "UPDATED_AT",
   "CREATED_AT",
   "NAME",
   "PATH",
   "TITLE",
   "STATE",
   "POWER"
  ],
  "create": true,
  "change": true,
  "remove": true,
  "apply": true
 }
};

/** Types that are values of fields, such as Placement. */
export const VALUES: Record<string, Field[]> = {
 "Coordinates": [
  {
   "name": "latitude",
   "required": true,
   "is": "scalar",
   "of": "Float"
  },
  {
   "name": "longitude",
   "required": true,
   "is": "scalar",
   "of": "Float"
  }
 ],
 "ExternalRef": [
  {
   "name": "source",
   "required": true,
   "is": "scalar",
   "of": "String"
  },
  {
   "name": "externalId",
   "required": true,
   "is": "scalar",
   "of": "String"
  },
  {
   "name": "url",
   "is": "scalar",
   "of": "URL"
  }
 ],
 "RackPosition": [
  {
   "name": "x",
   "required": true,
   "is": "scalar",
   "of": "Float"
  },
  {
   "name": "y",
   "required": true,
   "is": "scalar",
   "of": "Float"
  },
  {
   "name": "turn",
   "required": true,
   "is": "scalar",
   "of": "Float"
  }
 ],
 "RackPowerDraw": [
  {
   "name": "maximum",
   "is": "scalar",
   "of": "Long"
  },
  {
   "name": "allocated",
   "is": "scalar",
   "of": "Long"
  },
  {
   "name": "unknown",
   "required": true,
   "is": "scalar",
   "of": "Int"
  }
 ],
 "Address": [
  {
   "name": "type",
   "required": true,
   "is": "enum",
   "of": "AddressType"
  },
  {
   "name": "address",
   "required": true,
   "is": "scalar",
   "of": "String"
  }
 ],
 "Hardware": [
  {
   "name": "cpuCores",
   "is": "scalar",
   "of": "Int"
  },
  {
   "name": "cpuArchitecture",
   "is": "enum",
   "of": "CpuArchitecture"
  },
  {
   "name": "memoryBytes",
   "is": "scalar",
   "of": "Long"
  },
  {
   "name": "disks",
   "required": true,
   "list": true,
   "is": "value",
   "of": "Disk"
  }
 ],
 "Disk": [
  {
   "name": "name",
   "required": true,
   "is": "scalar",
   "of": "String"
  },
  {
   "name": "sizeBytes",
   "required": true,
   "is": "scalar",
   "of": "Long"
  },
  {
   "name": "type",
   "required": true,
   "is": "enum",
   "of": "DiskType"
  }
 ],
 "Placement": [
  {
   "name": "rack",
   "required": true,
   "is": "one",
   "of": "Rack"
  },
  {
   "name": "startUnit",
   "is": "scalar",
   "of": "Float"
  },
  {
   "name": "unitHeight",
   "is": "scalar",
   "of": "Float"
  },
  {
   "name": "face",
   "required": true,
   "is": "enum",
   "of": "Face"
  },
  {
   "name": "fullDepth",
   "required": true,
   "is": "scalar",
   "of": "Boolean"
  }
 ],
 "PowerDraw": [
  {
   "name": "maximum",
   "is": "scalar",
   "of": "Int"
  },
  {
   "name": "allocated",
   "is": "scalar",
   "of": "Int"
  }
 ],
 "PassThrough": [
  {
   "name": "front",
   "required": true,
   "is": "one",
   "of": "Port"
  },
  {
   "name": "position",
   "required": true,
   "is": "scalar",
   "of": "Int"
  },
  {
   "name": "rear",
   "required": true,
   "is": "one",
   "of": "Port"
  },
  {
   "name": "rearPosition",
   "required": true,
   "is": "scalar",
   "of": "Int"
  }
 ],
 "Lane": [
  {
   "name": "aEnd",
   "required": true,
   "is": "scalar",
   "of": "Int"
  },
  {
   "name": "aPosition",
   "required": true,
   "is": "scalar",
   "of": "Int"
  },
  {
   "name": "bEnd",
   "required": true,
   "is": "scalar",
   "of": "Int"
  },
  {
   "name": "bPosition",
   "required": true,
   "is": "scalar",
   "of": "Int"
  }
 ],
 "Contract": [
  {
   "name": "contractId",
   "is": "scalar",
   "of": "String"
  },
  {
   "name": "accountId",
   "is": "scalar",
   "of": "String"
  },
  {
   "name": "portalUrl",
   "is": "scalar",
   "of": "URL"
  },
  {
   "name": "notes",
   "is": "scalar",
   "of": "String"
  }
 ],
 "ServiceIdentifier": [
  {
   "name": "name",
   "required": true,
   "is": "scalar",
   "of": "String"
  },
  {
   "name": "identifier",
   "required": true,
   "is": "scalar",
   "of": "String"
  }
 ],
 "ObjectReference": [
  {
   "name": "apiGroup",
   "required": true,
   "is": "scalar",
   "of": "String"
  },
  {
   "name": "kind",
   "required": true,
   "is": "scalar",
   "of": "String"
  },
  {
   "name": "name",
   "required": true,
   "is": "scalar",
   "of": "String"
  },
  {
   "name": "namespace",
   "is": "scalar",
   "of": "String"
  }
 ],
 "Allocation": [
  {
   "name": "vcpus",
   "is": "scalar",
   "of": "Int"
  },
  {
   "name": "memoryBytes",
   "is": "scalar",
   "of": "Long"
  },
  {
   "name": "disks",
   "required": true,
   "list": true,
   "is": "value",
   "of": "Disk"
  }
 ],
 "SourceLimits": [
  {
   "name": "share",
   "required": true,
   "is": "scalar",
   "of": "Float"
  },
  {
   "name": "count",
   "required": true,
   "is": "scalar",
   "of": "Int"
  }
 ],
 "SourceRun": [
  {
   "name": "id",
   "required": true,
   "is": "scalar",
   "of": "ID"
  },
  {
   "name": "mode",
   "required": true,
   "is": "enum",
   "of": "RunMode"
  },
  {
   "name": "state",
   "required": true,
   "is": "enum",
   "of": "RunState"
  },
  {
   "name": "startedAt",
   "required": true,
   "is": "scalar",
   "of": "DateTime"
  },
  {
   "name": "heartbeatAt",
   "required": true,
   "is": "scalar",
   "of": "DateTime"
  },
  {
   "name": "finishedAt",
   "is": "scalar",
   "of": "DateTime"
  },
  {
   "name": "seen",
   "required": true,
   "is": "scalar",
   "of": "Int"
  },
  {
   "name": "created",
   "required": true,
   "is": "scalar",
   "of": "Int"
  },
  {
   "name": "updated",
   "required": true,
   "is": "scalar",
   "of": "Int"
  },
  {
   "name": "unchanged",
   "required": true,
   "is": "scalar",
   "of": "Int"
  },
  {
   "name": "retired",
   "required": true,
   "is": "scalar",
   "of": "Int"
  },
  {
   "name": "deleted",
   "required": true,
   "is": "scalar",
   "of": "Int"
  },
  {
   "name": "released",
   "required": true,
   "is": "scalar",
   "of": "Int"
  },
  {
   "name": "failed",
   "required": true,
   "is": "scalar",
   "of": "Int"
  },
  {
   "name": "skippedFields",
   "required": true,
   "is": "scalar",
   "of": "Int"
  },
  {
   "name": "read",
   "required": true,
   "is": "scalar",
   "of": "Int"
  },
  {
   "name": "putAside",
   "required": true,
   "is": "scalar",
   "of": "Int"
  },
  {
   "name": "leftOut",
   "required": true,
   "is": "scalar",
   "of": "Int"
  },
  {
   "name": "renumbered",
   "required": true,
   "is": "scalar",
   "of": "Boolean"
  },
  {
   "name": "errors",
   "required": true,
   "list": true,
   "is": "value",
   "of": "SourceRunError"
  },
  {
   "name": "firstRevision",
   "is": "scalar",
   "of": "Revision"
  },
  {
   "name": "lastRevision",
   "is": "scalar",
   "of": "Revision"
  },
  {
   "name": "cursor",
   "is": "scalar",
   "of": "String"
  },
  {
   "name": "source",
   "is": "one",
   "of": "Source"
  },
  {
   "name": "heldCount",
   "required": true,
   "is": "scalar",
   "of": "Int"
  }
 ],
 "SourceRunError": [
  {
   "name": "externalId",
   "is": "scalar",
   "of": "String"
  },
  {
   "name": "code",
   "required": true,
   "is": "scalar",
   "of": "String"
  },
  {
   "name": "message",
   "required": true,
   "is": "scalar",
   "of": "String"
  }
 ],
 "HostMatch": [
  {
   "name": "cpuCores",
   "is": "scalar",
   "of": "Int"
  },
  {
   "name": "memoryBytes",
   "is": "scalar",
   "of": "Long"
  },
  {
   "name": "disks",
   "required": true,
   "list": true,
   "is": "value",
   "of": "DiskMatch"
  },
  {
   "name": "labels",
   "is": "scalar",
   "of": "TextMap"
  }
 ],
 "DiskMatch": [
  {
   "name": "count",
   "required": true,
   "is": "scalar",
   "of": "Int"
  },
  {
   "name": "sizeBytes",
   "is": "scalar",
   "of": "Long"
  },
  {
   "name": "type",
   "is": "enum",
   "of": "DiskType"
  }
 ],
 "CredentialSecret": [
  {
   "name": "field",
   "required": true,
   "is": "scalar",
   "of": "String"
  },
  {
   "name": "state",
   "required": true,
   "is": "enum",
   "of": "SecretState"
  },
  {
   "name": "setAt",
   "is": "scalar",
   "of": "DateTime"
  },
  {
   "name": "setBy",
   "is": "scalar",
   "of": "String"
  }
 ],
 "SecretReadCount": [
  {
   "name": "reader",
   "required": true,
   "is": "scalar",
   "of": "String"
  },
  {
   "name": "hour",
   "required": true,
   "is": "scalar",
   "of": "DateTime"
  },
  {
   "name": "reads",
   "required": true,
   "is": "scalar",
   "of": "Long"
  }
 ],
 "ProfileImage": [
  {
   "name": "url",
   "required": true,
   "is": "scalar",
   "of": "URL"
  },
  {
   "name": "checksum",
   "required": true,
   "is": "scalar",
   "of": "String"
  },
  {
   "name": "format",
   "required": true,
   "is": "enum",
   "of": "ImageFormat"
  }
 ],
 "Enlistment": [
  {
   "name": "number",
   "required": true,
   "is": "scalar",
   "of": "Long"
  },
  {
   "name": "pattern",
   "is": "scalar",
   "of": "String"
  },
  {
   "name": "discover",
   "required": true,
   "is": "scalar",
   "of": "Boolean"
  },
  {
   "name": "adopt",
   "required": true,
   "is": "scalar",
   "of": "Boolean"
  },
  {
   "name": "force",
   "required": true,
   "is": "scalar",
   "of": "Boolean"
  },
  {
   "name": "provisioner",
   "is": "scalar",
   "of": "String"
  },
  {
   "name": "by",
   "required": true,
   "is": "scalar",
   "of": "String"
  },
  {
   "name": "at",
   "required": true,
   "is": "scalar",
   "of": "DateTime"
  },
  {
   "name": "doneAt",
   "is": "scalar",
   "of": "DateTime"
  },
  {
   "name": "found",
   "is": "scalar",
   "of": "Int"
  },
  {
   "name": "enlisted",
   "is": "scalar",
   "of": "Int"
  },
  {
   "name": "changed",
   "is": "scalar",
   "of": "Int"
  },
  {
   "name": "message",
   "is": "scalar",
   "of": "String"
  },
  {
   "name": "machines",
   "list": true,
   "is": "value",
   "of": "EnlistedMachine"
  }
 ],
 "EnlistedMachine": [
  {
   "name": "name",
   "required": true,
   "is": "scalar",
   "of": "String"
  },
  {
   "name": "host",
   "is": "scalar",
   "of": "String"
  },
  {
   "name": "outcome",
   "required": true,
   "is": "enum",
   "of": "EnlistOutcome"
  },
  {
   "name": "reason",
   "is": "scalar",
   "of": "String"
  }
 ],
 "RootDevice": [
  {
   "name": "wwn",
   "is": "scalar",
   "of": "String"
  },
  {
   "name": "serial",
   "is": "scalar",
   "of": "String"
  },
  {
   "name": "name",
   "is": "scalar",
   "of": "String"
  },
  {
   "name": "minSizeBytes",
   "is": "scalar",
   "of": "Long"
  },
  {
   "name": "rotational",
   "is": "scalar",
   "of": "Boolean"
  }
 ],
 "HostStep": [
  {
   "name": "attempt",
   "required": true,
   "is": "scalar",
   "of": "Int"
  },
  {
   "name": "name",
   "required": true,
   "is": "scalar",
   "of": "String"
  },
  {
   "name": "of",
   "required": true,
   "is": "scalar",
   "of": "Long"
  },
  {
   "name": "since",
   "required": true,
   "is": "scalar",
   "of": "DateTime"
  }
 ],
 "HostCondition": [
  {
   "name": "type",
   "required": true,
   "is": "scalar",
   "of": "String"
  },
  {
   "name": "status",
   "required": true,
   "is": "enum",
   "of": "ConditionStatus"
  },
  {
   "name": "reason",
   "required": true,
   "is": "scalar",
   "of": "String"
  },
  {
   "name": "message",
   "is": "scalar",
   "of": "String"
  },
  {
   "name": "messageForTenants",
   "is": "scalar",
   "of": "String"
  }
 ],
 "HostFailure": [
  {
   "name": "during",
   "required": true,
   "is": "enum",
   "of": "HostState"
  },
  {
   "name": "reason",
   "required": true,
   "is": "scalar",
   "of": "String"
  },
  {
   "name": "message",
   "required": true,
   "is": "scalar",
   "of": "String"
  },
  {
   "name": "step",
   "is": "scalar",
   "of": "String"
  },
  {
   "name": "before",
   "is": "enum",
   "of": "HostState"
  },
  {
   "name": "erased",
   "required": true,
   "is": "scalar",
   "of": "Boolean"
  },
  {
   "name": "armed",
   "required": true,
   "is": "scalar",
   "of": "Boolean"
  }
 ],
 "HostSeenIdentity": [
  {
   "name": "uuid",
   "is": "scalar",
   "of": "String"
  },
  {
   "name": "serial",
   "is": "scalar",
   "of": "String"
  },
  {
   "name": "macs",
   "required": true,
   "list": true,
   "is": "scalar",
   "of": "String"
  },
  {
   "name": "at",
   "required": true,
   "is": "scalar",
   "of": "DateTime"
  }
 ],
 "HostLookAsked": [
  {
   "name": "at",
   "required": true,
   "is": "scalar",
   "of": "DateTime"
  }
 ],
 "HostAcknowledgedHardware": [
  {
   "name": "amounts",
   "required": true,
   "list": true,
   "is": "value",
   "of": "HardwareAmount"
  },
  {
   "name": "at",
   "required": true,
   "is": "scalar",
   "of": "DateTime"
  },
  {
   "name": "by",
   "required": true,
   "is": "scalar",
   "of": "String"
  }
 ],
 "HardwareAmount": [
  {
   "name": "measure",
   "required": true,
   "is": "enum",
   "of": "HardwareMeasure"
  },
  {
   "name": "amount",
   "required": true,
   "is": "scalar",
   "of": "Long"
  }
 ],
 "HostHardwareAsked": [
  {
   "name": "at",
   "required": true,
   "is": "scalar",
   "of": "DateTime"
  },
  {
   "name": "by",
   "required": true,
   "is": "scalar",
   "of": "String"
  }
 ],
 "HostObserved": [
  {
   "name": "seenAt",
   "required": true,
   "is": "scalar",
   "of": "DateTime"
  },
  {
   "name": "by",
   "required": true,
   "is": "scalar",
   "of": "String"
  },
  {
   "name": "powerAt",
   "is": "scalar",
   "of": "DateTime"
  },
  {
   "name": "detail",
   "is": "scalar",
   "of": "JSON"
  }
 ],
 "HostBootAttempt": [
  {
   "name": "order",
   "required": true,
   "is": "scalar",
   "of": "ID"
  },
  {
   "name": "purpose",
   "is": "enum",
   "of": "BootPurpose"
  },
  {
   "name": "state",
   "is": "enum",
   "of": "BootAttemptState"
  },
  {
   "name": "openedAt",
   "required": true,
   "is": "scalar",
   "of": "DateTime"
  },
  {
   "name": "until",
   "required": true,
   "is": "scalar",
   "of": "DateTime"
  },
  {
   "name": "boots",
   "required": true,
   "is": "scalar",
   "of": "Int"
  },
  {
   "name": "bootedAt",
   "is": "scalar",
   "of": "DateTime"
  },
  {
   "name": "loadedAt",
   "is": "scalar",
   "of": "DateTime"
  },
  {
   "name": "textAt",
   "is": "scalar",
   "of": "DateTime"
  },
  {
   "name": "rebootedAt",
   "is": "scalar",
   "of": "DateTime"
  },
  {
   "name": "heardAt",
   "is": "scalar",
   "of": "DateTime"
  },
  {
   "name": "stage",
   "is": "scalar",
   "of": "String"
  },
  {
   "name": "percent",
   "is": "scalar",
   "of": "Int"
  },
  {
   "name": "message",
   "is": "scalar",
   "of": "String"
  }
 ],
 "MissingHardware": [
  {
   "name": "measure",
   "required": true,
   "is": "enum",
   "of": "HardwareMeasure"
  },
  {
   "name": "expected",
   "required": true,
   "is": "scalar",
   "of": "Long"
  },
  {
   "name": "found",
   "required": true,
   "is": "scalar",
   "of": "Long"
  },
  {
   "name": "demand",
   "required": true,
   "is": "enum",
   "of": "HardwareDemand"
  }
 ],
 "Part": [
  {
   "name": "kind",
   "required": true,
   "is": "enum",
   "of": "HardwarePart"
  },
  {
   "name": "manufacturer",
   "is": "scalar",
   "of": "String"
  },
  {
   "name": "model",
   "is": "scalar",
   "of": "String"
  },
  {
   "name": "serial",
   "required": true,
   "is": "scalar",
   "of": "String"
  },
  {
   "name": "host",
   "is": "one",
   "of": "Host"
  },
  {
   "name": "place",
   "is": "scalar",
   "of": "String"
  },
  {
   "name": "since",
   "is": "scalar",
   "of": "DateTime"
  },
  {
   "name": "ambiguous",
   "required": true,
   "is": "scalar",
   "of": "Boolean"
  },
  {
   "name": "stays",
   "required": true,
   "list": true,
   "is": "value",
   "of": "PartStay"
  }
 ],
 "PartStay": [
  {
   "name": "host",
   "is": "one",
   "of": "Host"
  },
  {
   "name": "place",
   "required": true,
   "is": "scalar",
   "of": "String"
  },
  {
   "name": "from",
   "required": true,
   "is": "scalar",
   "of": "DateTime"
  },
  {
   "name": "until",
   "is": "scalar",
   "of": "DateTime"
  }
 ],
 "HostCabling": [
  {
   "name": "interface",
   "required": true,
   "is": "scalar",
   "of": "String"
  },
  {
   "name": "port",
   "is": "one",
   "of": "Port"
  },
  {
   "name": "recorded",
   "required": true,
   "list": true,
   "is": "one",
   "of": "Port"
  },
  {
   "name": "heard",
   "required": true,
   "list": true,
   "is": "value",
   "of": "HeardNeighbour"
  },
  {
   "name": "verdict",
   "required": true,
   "is": "enum",
   "of": "CablingVerdict"
  }
 ],
 "HeardNeighbour": [
  {
   "name": "neighbour",
   "required": true,
   "is": "value",
   "of": "FactsNeighbour"
  },
  {
   "name": "port",
   "is": "one",
   "of": "Port"
  },
  {
   "name": "device",
   "is": "one",
   "of": "Device"
  }
 ],
 "FactsNeighbour": [
  {
   "name": "interface",
   "required": true,
   "is": "scalar",
   "of": "String"
  },
  {
   "name": "permanentMac",
   "is": "scalar",
   "of": "String"
  },
  {
   "name": "chassisId",
   "required": true,
   "is": "scalar",
   "of": "String"
  },
  {
   "name": "chassisIdSubtype",
   "is": "enum",
   "of": "FactsNeighbourIdSubtype"
  },
  {
   "name": "portId",
   "required": true,
   "is": "scalar",
   "of": "String"
  },
  {
   "name": "portIdSubtype",
   "is": "enum",
   "of": "FactsNeighbourIdSubtype"
  },
  {
   "name": "portDescription",
   "is": "scalar",
   "of": "String"
  },
  {
   "name": "systemName",
   "is": "scalar",
   "of": "String"
  },
  {
   "name": "systemDescription",
   "is": "scalar",
   "of": "String"
  },
  {
   "name": "managementAddresses",
   "required": true,
   "list": true,
   "is": "scalar",
   "of": "String"
  },
  {
   "name": "capabilities",
   "required": true,
   "list": true,
   "is": "enum",
   "of": "FactsNeighbourCapability"
  }
 ],
 "HostAgentToken": [
  {
   "name": "issuedAt",
   "required": true,
   "is": "scalar",
   "of": "DateTime"
  },
  {
   "name": "issuedTo",
   "required": true,
   "is": "scalar",
   "of": "String"
  },
  {
   "name": "revokedAt",
   "is": "scalar",
   "of": "DateTime"
  }
 ],
 "HostWanted": [
  {
   "name": "id",
   "is": "scalar",
   "of": "ID"
  },
  {
   "name": "act",
   "required": true,
   "is": "enum",
   "of": "HostAct"
  },
  {
   "name": "profile",
   "is": "one",
   "of": "Profile"
  },
  {
   "name": "variables",
   "required": true,
   "is": "scalar",
   "of": "TextMap"
  },
  {
   "name": "force",
   "required": true,
   "is": "scalar",
   "of": "Boolean"
  },
  {
   "name": "until",
   "is": "scalar",
   "of": "DateTime"
  },
  {
   "name": "coversRunning",
   "required": true,
   "is": "scalar",
   "of": "Boolean"
  },
  {
   "name": "alone",
   "required": true,
   "is": "scalar",
   "of": "Boolean"
  },
  {
   "name": "adopt",
   "required": true,
   "is": "scalar",
   "of": "Boolean"
  },
  {
   "name": "givenIn",
   "is": "enum",
   "of": "HostState"
  },
  {
   "name": "stop",
   "is": "enum",
   "of": "HostOrderOutcome"
  }
 ],
 "HostLastOrder": [
  {
   "name": "id",
   "is": "scalar",
   "of": "ID"
  },
  {
   "name": "number",
   "required": true,
   "is": "scalar",
   "of": "Long"
  },
  {
   "name": "act",
   "required": true,
   "is": "enum",
   "of": "HostAct"
  },
  {
   "name": "outcome",
   "required": true,
   "is": "enum",
   "of": "HostOrderOutcome"
  },
  {
   "name": "reason",
   "is": "scalar",
   "of": "String"
  },
  {
   "name": "message",
   "is": "scalar",
   "of": "String"
  },
  {
   "name": "at",
   "required": true,
   "is": "scalar",
   "of": "DateTime"
  }
 ]
};

export const ENUMS: Record<string, string[]> = {
  AddressType: ["INTERNAL","EXTERNAL","HOSTNAME","MANAGEMENT"],
  ApplianceType: ["REDFISH","LIBVIRT","IPMI","SIMULATED","EXEC","MANUAL"],
  BootAttemptState: ["OPEN","DONE","FAILED","CLOSED"],
  BootPurpose: ["DISCOVER","INSTALL","WIPE"],
  CableStatus: ["PLANNED","CONNECTED","DECOMMISSIONING"],
  CablingVerdict: ["AGREES","DIFFERS","NOT_RECORDED","UNKNOWN_NEIGHBOUR","NOT_HEARD","NO_PORT"],
  CircuitSide: ["A","Z"],
  CircuitType: ["CROSS_CONNECT","PROVIDER_CIRCUIT","TRANSIT","PEERING"],
  ClusterRole: ["COMPUTE","MANAGEMENT","EDGE","GATEWAY"],
  ClusterType: ["KUBERNETES","HYPERVISOR"],
  ConditionStatus: ["TRUE","FALSE","UNKNOWN"],
  CpuArchitecture: ["AMD64","ARM64","OTHER"],
  CredentialType: ["BASIC","TOKEN","TLS","SSH_KEY","PULL_SECRET","KUBECONFIG","TSIG"],
  DeviceRole: ["SERVER","SPINE","LEAF","BORDER_ROUTER","ROUTER","SWITCH","FIREWALL","LOAD_BALANCER","CONSOLE_SERVER","PDU","UPS","PATCH_PANEL","CHASSIS","STORAGE","OTHER"],
  DiskType: ["SSD","HDD","NVME"],
  EnlistOutcome: ["CREATED","ADDRESS_CHANGED","UNCHANGED","KEPT","REFUSED"],
  Face: ["FRONT","REAR"],
  FactsNeighbourCapability: ["OTHER","REPEATER","BRIDGE","WLAN_ACCESS_POINT","ROUTER","TELEPHONE","DOCSIS_CABLE_DEVICE","STATION_ONLY","C_VLAN","S_VLAN","TWO_PORT_MAC_RELAY"],
  FactsNeighbourIdSubtype: ["CHASSIS_COMPONENT","INTERFACE_ALIAS","PORT_COMPONENT","MAC_ADDRESS","NETWORK_ADDRESS","INTERFACE_NAME","AGENT_CIRCUIT_ID","LOCAL"],
  HardwareChange: ["ADDED","REMOVED","REPLACED","CHANGED","FAILING","LINK_DOWN","LINK_UP","NOISY","MOVED"],
  HardwareCondition: ["FACTS_STALE","DISK_FAILING","MEMORY_ERRORS","HARDWARE_MISSING","CABLING_MISMATCH","LINK_DOWN","GPU_LOST"],
  HardwareDemand: ["CLASS","ACKNOWLEDGED"],
  HardwareMeasure: ["PROCESSORS","CORES","THREADS","MEMORY_MODULES","MEMORY_BYTES","DISKS","DISK_BYTES","GPUS","INTERFACES","DEVICES"],
  HardwarePart: ["SYSTEM","MEMORY","PROCESSOR","DISK","INTERFACE","DEVICE","GPU","NEIGHBOUR","FIRMWARE","POWER_SUPPLY","FAN"],
  HostAct: ["INSTALL","RELEASE","WIPE","DISCOVER","POWER_ON","POWER_OFF","POWER_CYCLE","BOOT_LOCAL","BOOT_NETWORK"],
  HostAdoption: ["AVAILABLE","INSTALLED"],
  HostBoot: ["LOCAL","NETWORK"],
  HostBootMode: ["UEFI","UEFI_SECURE","BIOS"],
  HostOrderOutcome: ["DONE","FAILED","REFUSED","EXPIRED","CANCELLED"],
  HostPower: ["ON","OFF","UNKNOWN"],
  HostState: ["REGISTERED","DISCOVERING","AVAILABLE","ACQUIRED","INSTALLING","INSTALLED","RELEASING","WIPING","FAILED"],
  ImageFormat: ["RAW","QCOW2"],
  LinkType: ["PHYSICAL","LOGICAL","INTERNET"],
  LocationType: ["BUILDING","FLOOR","ROOM","CAGE","ROW"],
  Media: ["COPPER","FIBER_SMF","FIBER_MMF","DAC","AOC","POWER"],
  Phase: ["SINGLE_PHASE","THREE_PHASE"],
  Plane: ["DATA","MANAGEMENT"],
  PortFamily: ["DATA","SERIAL","INLET","OUTLET","FRONT","REAR"],
  PortType: ["ETHERNET","OPTICAL","WIRELESS","LAG","VIRTUAL","SERIAL","POWER_INLET","POWER_OUTLET","PATCH_FRONT","PATCH_REAR"],
  ProfileMethod: ["KICKSTART_RPM","KICKSTART_OSTREE","KICKSTART_IMAGE","DISK_IMAGE"],
  ProfilePurpose: ["DISCOVER","INSTALL","WIPE"],
  ProviderType: ["HOSTING","COLOCATION","TRANSIT","INTERNET_EXCHANGE","DARK_FIBER","CLOUD","OTHER"],
  RunMode: ["FULL","PARTIAL"],
  RunState: ["RUNNING","SUCCEEDED","FAILED","HELD","ABANDONED","CANCELLED"],
  SecretState: ["MISSING","READABLE","UNREADABLE"],
  SiteType: ["DATACENTER","AVAILABILITY_ZONE","EDGE","VIRTUAL","OTHER"],
  SourceHealth: ["NEVER","FRESH","STALE","FAILING","HELD","PAUSED"],
  SourceHostsArrive: ["REGISTERED","AS_REPORTED"],
  SourcePrune: ["RETIRE","DELETE","RELEASE","KEEP"],
  Status: ["PLANNED","STAGED","ACTIVE","OFFLINE","FAILED","DECOMMISSIONING","RETIRED"],
};

export const UNIONS: Record<string, string[]> = {
  CableEnd: ["Port","PowerFeed","CircuitTermination"],
  Hop: ["Port","Cable","CircuitTermination","Circuit","Site","ProviderNetwork","PowerFeed"],
  HostMachine: ["Device","VirtualMachine"],
  LinkEnd: ["Site","Cluster","Device"],
  PathNode: ["Device","ProviderNetwork","Site","Cluster"],
  PowerSource: ["PowerFeed","Port"],
  SuggestedMachine: ["Device","Host"],
};

/** The types of filters, with the types of their fields. */
export const FILTERS: Record<string, Record<string, string>> = {
  RegionFilter: {"isNull":"Boolean","id":"IdFilter","path":"PathFilter","name":"TextFilter","labels":"LabelSelector","tenant":"TextFilter","description":"TextFilter","externalRef":"ExternalRefFilter","version":"LongFilter","createdAt":"TimeFilter","updatedAt":"TimeFilter","within":"ID","displayName":"TextFilter","parent":"RegionFilter","children":"RegionListFilter","sites":"SiteListFilter"},
  IdFilter: {"eq":"ID","in":"[ID!]"},
  PathFilter: {"eq":"String","in":"[String!]"},
  TextFilter: {"eq":"String","in":"[String!]","contains":"String","startsWith":"String","endsWith":"String","caseInsensitive":"Boolean","isNull":"Boolean"},
  ExternalRefFilter: {"source":"String","externalId":"String"},
  LongFilter: {"eq":"Long","in":"[Long!]","gt":"Long","gte":"Long","lt":"Long","lte":"Long","isNull":"Boolean"},
  TimeFilter: {"eq":"DateTime","in":"[DateTime!]","gt":"DateTime","gte":"DateTime","lt":"DateTime","lte":"DateTime","isNull":"Boolean"},
  RegionListFilter: {"some":"RegionFilter","none":"RegionFilter"},
  SiteListFilter: {"some":"SiteFilter","none":"SiteFilter"},
  SiteFilter: {"isNull":"Boolean","id":"IdFilter","path":"PathFilter","name":"TextFilter","labels":"LabelSelector","tenant":"TextFilter","description":"TextFilter","externalRef":"ExternalRefFilter","version":"LongFilter","createdAt":"TimeFilter","updatedAt":"TimeFilter","within":"ID","displayName":"TextFilter","type":"SiteTypeFilter","address":"TextFilter","timeZone":"TextFilter","status":"StatusFilter","region":"RegionFilter","provider":"ProviderFilter","locations":"LocationListFilter","racks":"RackListFilter","powerFeeds":"PowerFeedListFilter","devices":"DeviceListFilter","circuitTerminations":"CircuitTerminationListFilter","clusters":"ClusterListFilter","appliances":"ApplianceListFilter"},
  SiteTypeFilter: {"eq":"SiteType","in":"[SiteType!]","notIn":"[SiteType!]","isNull":"Boolean"},
  StatusFilter: {"eq":"Status","in":"[Status!]","notIn":"[Status!]","isNull":"Boolean"},
  ProviderFilter: {"isNull":"Boolean","id":"IdFilter","path":"PathFilter","name":"TextFilter","labels":"LabelSelector","tenant":"TextFilter","description":"TextFilter","externalRef":"ExternalRefFilter","version":"LongFilter","createdAt":"TimeFilter","updatedAt":"TimeFilter","within":"ID","displayName":"TextFilter","type":"ProviderTypeFilter","sites":"SiteListFilter","networks":"ProviderNetworkListFilter","circuits":"CircuitListFilter","virtualMachines":"VirtualMachineListFilter"},
  ProviderTypeFilter: {"eq":"ProviderType","in":"[ProviderType!]","notIn":"[ProviderType!]","isNull":"Boolean"},
  ProviderNetworkListFilter: {"some":"ProviderNetworkFilter","none":"ProviderNetworkFilter"},
  ProviderNetworkFilter: {"isNull":"Boolean","id":"IdFilter","path":"PathFilter","name":"TextFilter","labels":"LabelSelector","tenant":"TextFilter","description":"TextFilter","externalRef":"ExternalRefFilter","version":"LongFilter","createdAt":"TimeFilter","updatedAt":"TimeFilter","within":"ID","provider":"ProviderFilter","circuitTerminations":"CircuitTerminationListFilter"},
  CircuitTerminationListFilter: {"some":"CircuitTerminationFilter","none":"CircuitTerminationFilter"},
  CircuitTerminationFilter: {"isNull":"Boolean","id":"IdFilter","path":"PathFilter","name":"TextFilter","labels":"LabelSelector","tenant":"TextFilter","description":"TextFilter","externalRef":"ExternalRefFilter","version":"LongFilter","createdAt":"TimeFilter","updatedAt":"TimeFilter","within":"ID","side":"CircuitSideFilter","circuit":"CircuitFilter","site":"SiteFilter","providerNetwork":"ProviderNetworkFilter","port":"PortFilter"},
  CircuitSideFilter: {"eq":"CircuitSide","in":"[CircuitSide!]","notIn":"[CircuitSide!]","isNull":"Boolean"},
  CircuitFilter: {"isNull":"Boolean","id":"IdFilter","path":"PathFilter","name":"TextFilter","labels":"LabelSelector","tenant":"TextFilter","description":"TextFilter","externalRef":"ExternalRefFilter","version":"LongFilter","createdAt":"TimeFilter","updatedAt":"TimeFilter","within":"ID","circuitId":"TextFilter","type":"CircuitTypeFilter","bandwidthMbps":"LongFilter","distanceM":"FloatFilter","latencyMs":"FloatFilter","installedOn":"DateFilter","status":"StatusFilter","provider":"ProviderFilter","terminations":"CircuitTerminationListFilter","riskGroup":"String"},
  CircuitTypeFilter: {"eq":"CircuitType","in":"[CircuitType!]","notIn":"[CircuitType!]","isNull":"Boolean"},
  FloatFilter: {"eq":"Float","in":"[Float!]","gt":"Float","gte":"Float","lt":"Float","lte":"Float","isNull":"Boolean"},
  DateFilter: {"eq":"Date","in":"[Date!]","gt":"Date","gte":"Date","lt":"Date","lte":"Date","isNull":"Boolean"},
  PortFilter: {"isNull":"Boolean","id":"IdFilter","path":"PathFilter","name":"TextFilter","labels":"LabelSelector","tenant":"TextFilter","description":"TextFilter","externalRef":"ExternalRefFilter","version":"LongFilter","createdAt":"TimeFilter","updatedAt":"TimeFilter","within":"ID","type":"PortTypeFilter","family":"PortFamilyFilter","connector":"TextFilter","speedBps":"LongFilter","mtu":"IntFilter","mac":"TextFilter","mgmtOnly":"BooleanFilter","enabled":"BooleanFilter","markConnected":"BooleanFilter","positions":"IntFilter","device":"DeviceFilter","rack":"RackFilter","virtualMachine":"VirtualMachineFilter","lag":"PortFilter","parent":"PortFilter","members":"PortListFilter","children":"PortListFilter","outlets":"PortListFilter","powerFeeds":"PowerFeedListFilter","address":"TextFilter","fedBy":"PowerSourceFilter","cabled":"Boolean"},
  PortTypeFilter: {"eq":"PortType","in":"[PortType!]","notIn":"[PortType!]","isNull":"Boolean"},
  PortFamilyFilter: {"eq":"PortFamily","in":"[PortFamily!]","notIn":"[PortFamily!]","isNull":"Boolean"},
  IntFilter: {"eq":"Int","in":"[Int!]","gt":"Int","gte":"Int","lt":"Int","lte":"Int","isNull":"Boolean"},
  BooleanFilter: {"eq":"Boolean"},
  DeviceFilter: {"isNull":"Boolean","id":"IdFilter","path":"PathFilter","name":"TextFilter","labels":"LabelSelector","tenant":"TextFilter","description":"TextFilter","externalRef":"ExternalRefFilter","version":"LongFilter","createdAt":"TimeFilter","updatedAt":"TimeFilter","within":"ID","role":"DeviceRoleFilter","slot":"TextFilter","startUnit":"FloatFilter","face":"FaceFilter","manufacturer":"TextFilter","model":"TextFilter","serial":"TextFilter","assetTag":"TextFilter","platform":"TextFilter","forwards":"BooleanFilter","plane":"PlaneFilter","inletsRequired":"IntFilter","status":"StatusFilter","site":"SiteFilter","location":"LocationFilter","cluster":"ClusterFilter","parent":"DeviceFilter","rack":"RackFilter","ports":"PortListFilter","children":"DeviceListFilter","virtualMachines":"VirtualMachineListFilter","hosts":"HostListFilter","address":"TextFilter"},
  DeviceRoleFilter: {"eq":"DeviceRole","in":"[DeviceRole!]","notIn":"[DeviceRole!]","isNull":"Boolean"},
  FaceFilter: {"eq":"Face","in":"[Face!]","notIn":"[Face!]","isNull":"Boolean"},
  PlaneFilter: {"eq":"Plane","in":"[Plane!]","notIn":"[Plane!]","isNull":"Boolean"},
  LocationFilter: {"isNull":"Boolean","id":"IdFilter","path":"PathFilter","name":"TextFilter","labels":"LabelSelector","tenant":"TextFilter","description":"TextFilter","externalRef":"ExternalRefFilter","version":"LongFilter","createdAt":"TimeFilter","updatedAt":"TimeFilter","within":"ID","type":"LocationTypeFilter","site":"SiteFilter","parent":"LocationFilter","children":"LocationListFilter","racks":"RackListFilter","devices":"DeviceListFilter"},
  LocationTypeFilter: {"eq":"LocationType","in":"[LocationType!]","notIn":"[LocationType!]","isNull":"Boolean"},
  LocationListFilter: {"some":"LocationFilter","none":"LocationFilter"},
  RackListFilter: {"some":"RackFilter","none":"RackFilter"},
  RackFilter: {"isNull":"Boolean","id":"IdFilter","path":"PathFilter","name":"TextFilter","labels":"LabelSelector","tenant":"TextFilter","description":"TextFilter","externalRef":"ExternalRefFilter","version":"LongFilter","createdAt":"TimeFilter","updatedAt":"TimeFilter","within":"ID","cage":"TextFilter","row":"TextFilter","heightU":"IntFilter","serial":"TextFilter","assetTag":"TextFilter","status":"StatusFilter","site":"SiteFilter","location":"LocationFilter","devices":"DeviceListFilter","ports":"PortListFilter","powerFeeds":"PowerFeedListFilter","appliances":"ApplianceListFilter"},
  DeviceListFilter: {"some":"DeviceFilter","none":"DeviceFilter"},
  PortListFilter: {"some":"PortFilter","none":"PortFilter"},
  PowerFeedListFilter: {"some":"PowerFeedFilter","none":"PowerFeedFilter"},
  PowerFeedFilter: {"isNull":"Boolean","id":"IdFilter","path":"PathFilter","name":"TextFilter","labels":"LabelSelector","tenant":"TextFilter","description":"TextFilter","externalRef":"ExternalRefFilter","version":"LongFilter","createdAt":"TimeFilter","updatedAt":"TimeFilter","within":"ID","phase":"PhaseFilter","voltage":"IntFilter","ampsRated":"IntFilter","status":"StatusFilter","site":"SiteFilter","rack":"RackFilter","downstream":"PowerFeedListFilter","upstream":"PowerSourceFilter","riskGroup":"String"},
  PhaseFilter: {"eq":"Phase","in":"[Phase!]","notIn":"[Phase!]","isNull":"Boolean"},
  PowerSourceFilter: {"powerFeed":"PowerFeedFilter","port":"PortFilter"},
  ApplianceListFilter: {"some":"ApplianceFilter","none":"ApplianceFilter"},
  ApplianceFilter: {"isNull":"Boolean","id":"IdFilter","path":"PathFilter","name":"TextFilter","labels":"LabelSelector","tenant":"TextFilter","description":"TextFilter","externalRef":"ExternalRefFilter","version":"LongFilter","createdAt":"TimeFilter","updatedAt":"TimeFilter","within":"ID","type":"ApplianceTypeFilter","url":"TextFilter","namePattern":"TextFilter","prefix":"TextFilter","interval":"IntFilter","credential":"CredentialFilter","site":"SiteFilter","rack":"RackFilter","hosts":"HostListFilter"},
  ApplianceTypeFilter: {"eq":"ApplianceType","in":"[ApplianceType!]","notIn":"[ApplianceType!]","isNull":"Boolean"},
  CredentialFilter: {"isNull":"Boolean","id":"IdFilter","path":"PathFilter","name":"TextFilter","labels":"LabelSelector","tenant":"TextFilter","description":"TextFilter","externalRef":"ExternalRefFilter","version":"LongFilter","createdAt":"TimeFilter","updatedAt":"TimeFilter","within":"ID","type":"CredentialTypeFilter","username":"TextFilter","appliances":"ApplianceListFilter","hosts":"HostListFilter"},
  CredentialTypeFilter: {"eq":"CredentialType","in":"[CredentialType!]","notIn":"[CredentialType!]","isNull":"Boolean"},
  HostListFilter: {"some":"HostFilter","none":"HostFilter"},
  HostFilter: {"isNull":"Boolean","id":"IdFilter","path":"PathFilter","name":"TextFilter","labels":"LabelSelector","tenant":"TextFilter","description":"TextFilter","externalRef":"ExternalRefFilter","version":"LongFilter","createdAt":"TimeFilter","updatedAt":"TimeFilter","within":"ID","uid":"TextFilter","serial":"TextFilter","title":"TextFilter","architecture":"CpuArchitectureFilter","bmcUrl":"TextFilter","bootMac":"TextFilter","bootIp":"TextFilter","bootMode":"HostBootModeFilter","boot":"HostBootFilter","provisioner":"TextFilter","acquiredFor":"TextFilter","deleting":"BooleanFilter","state":"HostStateFilter","power":"HostPowerFilter","class":"HostClassFilter","appliance":"ApplianceFilter","bmcCredential":"CredentialFilter","cluster":"ClusterFilter","shortId":"TextFilter","machine":"HostMachineFilter","inMaintenance":"Boolean","condition":"TextFilter","hardwareCondition":"HardwareConditionFilter","hasAgent":"Boolean"},
  CpuArchitectureFilter: {"eq":"CpuArchitecture","in":"[CpuArchitecture!]","notIn":"[CpuArchitecture!]","isNull":"Boolean"},
  HostBootModeFilter: {"eq":"HostBootMode","in":"[HostBootMode!]","notIn":"[HostBootMode!]","isNull":"Boolean"},
  HostBootFilter: {"eq":"HostBoot","in":"[HostBoot!]","notIn":"[HostBoot!]","isNull":"Boolean"},
  HostStateFilter: {"eq":"HostState","in":"[HostState!]","notIn":"[HostState!]","isNull":"Boolean"},
  HostPowerFilter: {"eq":"HostPower","in":"[HostPower!]","notIn":"[HostPower!]","isNull":"Boolean"},
  HostClassFilter: {"isNull":"Boolean","id":"IdFilter","path":"PathFilter","name":"TextFilter","labels":"LabelSelector","tenant":"TextFilter","description":"TextFilter","externalRef":"ExternalRefFilter","version":"LongFilter","createdAt":"TimeFilter","updatedAt":"TimeFilter","within":"ID","title":"TextFilter","hosts":"HostListFilter"},
  ClusterFilter: {"isNull":"Boolean","id":"IdFilter","path":"PathFilter","name":"TextFilter","labels":"LabelSelector","tenant":"TextFilter","description":"TextFilter","externalRef":"ExternalRefFilter","version":"LongFilter","createdAt":"TimeFilter","updatedAt":"TimeFilter","within":"ID","displayName":"TextFilter","type":"ClusterTypeFilter","role":"ClusterRoleFilter","platform":"TextFilter","endpoint":"TextFilter","controlPlaneSite":"SiteFilter","devices":"DeviceListFilter","virtualMachines":"VirtualMachineListFilter","hosts":"HostListFilter"},
  ClusterTypeFilter: {"eq":"ClusterType","in":"[ClusterType!]","notIn":"[ClusterType!]","isNull":"Boolean"},
  ClusterRoleFilter: {"eq":"ClusterRole","in":"[ClusterRole!]","notIn":"[ClusterRole!]","isNull":"Boolean"},
  VirtualMachineListFilter: {"some":"VirtualMachineFilter","none":"VirtualMachineFilter"},
  VirtualMachineFilter: {"isNull":"Boolean","id":"IdFilter","path":"PathFilter","name":"TextFilter","labels":"LabelSelector","tenant":"TextFilter","description":"TextFilter","externalRef":"ExternalRefFilter","version":"LongFilter","createdAt":"TimeFilter","updatedAt":"TimeFilter","within":"ID","status":"StatusFilter","host":"DeviceFilter","cluster":"ClusterFilter","provider":"ProviderFilter","ports":"PortListFilter","hosts":"HostListFilter","address":"TextFilter"},
  HostMachineFilter: {"device":"DeviceFilter","virtualMachine":"VirtualMachineFilter","isNull":"Boolean"},
  HardwareConditionFilter: {"eq":"HardwareCondition","in":"[HardwareCondition!]","notIn":"[HardwareCondition!]","isNull":"Boolean"},
  CircuitListFilter: {"some":"CircuitFilter","none":"CircuitFilter"},
  ClusterListFilter: {"some":"ClusterFilter","none":"ClusterFilter"},
  CableFilter: {"isNull":"Boolean","id":"IdFilter","path":"PathFilter","name":"TextFilter","labels":"LabelSelector","tenant":"TextFilter","description":"TextFilter","externalRef":"ExternalRefFilter","version":"LongFilter","createdAt":"TimeFilter","updatedAt":"TimeFilter","within":"ID","label":"TextFilter","media":"MediaFilter","status":"CableStatusFilter","lengthM":"FloatFilter","color":"TextFilter","links":"LinkListFilter","end":"CableEndFilter","riskGroup":"String"},
  MediaFilter: {"eq":"Media","in":"[Media!]","notIn":"[Media!]","isNull":"Boolean"},
  CableStatusFilter: {"eq":"CableStatus","in":"[CableStatus!]","notIn":"[CableStatus!]","isNull":"Boolean"},
  LinkListFilter: {"some":"LinkFilter","none":"LinkFilter"},
  LinkFilter: {"isNull":"Boolean","id":"IdFilter","path":"PathFilter","name":"TextFilter","labels":"LabelSelector","tenant":"TextFilter","description":"TextFilter","externalRef":"ExternalRefFilter","version":"LongFilter","createdAt":"TimeFilter","updatedAt":"TimeFilter","within":"ID","type":"LinkTypeFilter","capacityMbps":"LongFilter","latencyMs":"FloatFilter","a":"LinkEndFilter","b":"LinkEndFilter","end":"LinkEndFilter","cable":"CableFilter"},
  LinkTypeFilter: {"eq":"LinkType","in":"[LinkType!]","notIn":"[LinkType!]","isNull":"Boolean"},
  LinkEndFilter: {"site":"SiteFilter","cluster":"ClusterFilter","device":"DeviceFilter"},
  CableEndFilter: {"port":"PortFilter","powerFeed":"PowerFeedFilter","circuitTermination":"CircuitTerminationFilter"},
  SourceFilter: {"isNull":"Boolean","id":"IdFilter","path":"PathFilter","name":"TextFilter","labels":"LabelSelector","tenant":"TextFilter","description":"TextFilter","externalRef":"ExternalRefFilter","version":"LongFilter","createdAt":"TimeFilter","updatedAt":"TimeFilter","within":"ID","type":"TextFilter","url":"TextFilter","interval":"IntFilter","prune":"SourcePruneFilter","paused":"BooleanFilter","health":"SourceHealthFilter","hostsArrive":"SourceHostsArriveFilter"},
  SourcePruneFilter: {"eq":"SourcePrune","in":"[SourcePrune!]","notIn":"[SourcePrune!]","isNull":"Boolean"},
  SourceHealthFilter: {"eq":"SourceHealth","in":"[SourceHealth!]","notIn":"[SourceHealth!]","isNull":"Boolean"},
  SourceHostsArriveFilter: {"eq":"SourceHostsArrive","in":"[SourceHostsArrive!]","notIn":"[SourceHostsArrive!]","isNull":"Boolean"},
  ProfileFilter: {"isNull":"Boolean","id":"IdFilter","path":"PathFilter","name":"TextFilter","labels":"LabelSelector","tenant":"TextFilter","description":"TextFilter","externalRef":"ExternalRefFilter","version":"LongFilter","createdAt":"TimeFilter","updatedAt":"TimeFilter","within":"ID","purpose":"ProfilePurposeFilter","method":"ProfileMethodFilter","repository":"TextFilter","debug":"BooleanFilter","hosts":"HostListFilter"},
  ProfilePurposeFilter: {"eq":"ProfilePurpose","in":"[ProfilePurpose!]","notIn":"[ProfilePurpose!]","isNull":"Boolean"},
  ProfileMethodFilter: {"eq":"ProfileMethod","in":"[ProfileMethod!]","notIn":"[ProfileMethod!]","isNull":"Boolean"},
};

/** Orders that lists of any size can have, as the server keeps an index for them. */
export const INDEXED_ORDERS: string[] = ["KEY","UPDATED_AT"];

/** Parts of the API that older servers do not have. */
export const HAS = {
 "viewer": true,
 "facets": true,
 "skip": true,
 "fromHost": true
};

export interface AffectedConnection {
  edges: Array<AffectedEdge>;
  nodes: Array<AffectedObject>;
  pageInfo: PageInfo;
  totalCount: number;
}

export interface AffectedEdge {
  cursor: string;
  node: AffectedObject;
}

export interface AffectedObject {
  node: Row;
  kind: string;
  path: string;
  effect: 'DOWN' | 'ISOLATED' | 'DEGRADED';
  rule: 'CONTAINMENT' | 'LINE' | 'POWER' | 'NETWORK' | 'GROUP' | 'HOSTING' | 'LINK';
  lost: number | null;
  of: number | null;
  because: Array<ImpactReason>;
}

export interface ApplyError {
  code: string;
  field: string | null;
  message: string;
}

export interface ApplyPayload {
  revision: number | null;
  results: Array<ApplyResult>;
  changes: Array<ItemChange>;
}

export interface ApplyResult {
  status: 'CREATED' | 'UPDATED' | 'UNCHANGED' | 'DELETED' | 'FAILED' | 'NOT_WRITTEN';
  kind: string | null;
  id: string | null;
  name: string | null;
  by: 'ID' | 'EXTERNAL_ID' | 'KEY' | 'CREATED' | null;
  externalId: string | null;
  skipped: Array<SkippedField>;
  error: ApplyError | null;
}

export interface Branch {
  steps: Array<Array<Row>>;
  direction: 'CABLE' | 'THROUGH';
  positions: Array<number>;
  endPositions: Array<number>;
  end: Row | null;
  outcome: 'COMPLETE' | 'OPEN' | 'LOOP' | 'UNMAPPED';
  active: boolean;
  lengthM: number | null;
  knownLengthM: number;
  latencyMs: number | null;
  knownLatencyMs: number;
  unknownLatencies: number;
  cableCount: number;
}

export interface Change {
  revision: number;
  position: number;
  kind: string;
  objectId: string;
  name: string;
  operation: 'CREATED' | 'UPDATED' | 'DELETED';
  before: unknown | null;
  after: unknown | null;
  actor: string;
  source: string | null;
  at: string;
  object: Row | null;
}

export interface ChangeEvent {
  type: 'CREATED' | 'UPDATED' | 'DELETED' | 'ENTERED' | 'LEFT' | 'PROGRESS';
  cursor: string;
  revision: number;
  at: string;
  kind: string | null;
  objectId: string | null;
  name: string | null;
  path: string | null;
  change: Change | null;
  object: Row | null;
  objectRevision: number;
}

export interface DeletedObject {
  kind: string;
  id: string;
  name: string;
}

export interface Impact {
  revision: number;
  of: Array<Row>;
  affected: AffectedConnection;
  counts: Array<ImpactCount>;
  unanchored: number;
}

export interface ImpactCount {
  kind: string;
  effect: 'DOWN' | 'ISOLATED' | 'DEGRADED';
  count: number;
}

export interface ImpactReason {
  node: Row;
  kind: string;
  path: string;
}

export interface ItemChange {
  operation: 'CREATED' | 'UPDATED' | 'DELETED';
  kind: string;
  id: string;
  path: string;
  before: unknown | null;
  after: unknown | null;
}

export interface ManagedField {
  field: string;
  type: 'SOURCE' | 'USER' | 'CONTROLLER';
  manager: string;
  since: number;
}

export interface ObjectDiff {
  kind: string;
  objectId: string;
  name: string;
  operation: 'CREATED' | 'UPDATED' | 'DELETED';
  before: unknown | null;
  after: unknown | null;
  object: Row | null;
}

export interface PageInfo {
  hasNextPage: boolean;
  hasPreviousPage: boolean;
  startCursor: string | null;
  endCursor: string | null;
}

export interface Permission {
  field: string;
  allowed: boolean;
  needs: Array<string>;
}

export interface SearchHit {
  node: Row;
  kind: string;
  path: string;
  field: string;
  text: string;
  rank: 'EXACT' | 'PREFIX' | 'CONTAINS';
}

export interface SinglePointOfFailure {
  node: Row;
  kind: string;
  path: string;
  count: number;
}

export interface SkippedField {
  field: string;
  manager: string;
  reason: 'MANAGED' | 'HELD';
}

export interface Trace {
  origin: Row;
  revision: number;
  branches: Array<Branch>;
  complete: boolean;
  active: boolean;
  split: boolean;
  truncated: boolean;
  svg: string;
}

export interface Viewer {
  actor: string;
  roles: Array<string>;
  tenant: string | null;
  source: string | null;
  expires: string | null;
  may: Array<Permission>;
}
