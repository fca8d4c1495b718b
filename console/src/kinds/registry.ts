// The registry of kinds: generated, with the little that is added by hand.
import { ENUMS, FILTERS, KINDS, UNIONS, VALUES } from './generated.ts';
import type { Field, Kind } from './shape.ts';

export { ENUMS, HAS, UNIONS, VALUES } from './generated.ts';

/** The groups of the sidebar. A kind that is named nowhere stands in the last one. */
const GROUPS: Array<[string, string[]]> = [
  ['Places', ['Region', 'Site', 'Location', 'Rack', 'PowerFeed']],
  ['Equipment', ['Device', 'Port', 'Appliance']],
  ['Lines', ['Cable', 'Link', 'Circuit', 'CircuitTermination', 'Provider', 'ProviderNetwork']],
  ['Computing', ['Host', 'VirtualMachine', 'Cluster', 'HostClass', 'Profile', 'Credential', 'Source']],
];

/** The first columns of a list, where they differ from the first fields of the schema. */
const COLUMNS: Record<string, string[]> = {
  Region: ['name', 'parent', 'description', 'labels'],
  Site: ['name', 'status', 'type', 'region', 'provider', 'labels'],
  Rack: ['name', 'status', 'site', 'location', 'row', 'heightU', 'labels'],
  Device: ['name', 'role', 'status', 'site', 'placement', 'model', 'serial', 'labels'],
  Port: ['name', 'device', 'type', 'connector', 'speedBps', 'enabled', 'cable', 'mac'],
  Cable: ['name', 'status', 'media', 'aEnds', 'bEnds', 'lengthM', 'color'],
  Link: ['name', 'type', 'aEnd', 'bEnd', 'speedBps', 'labels'],
  Circuit: ['name', 'circuitId', 'type', 'status', 'provider', 'bandwidthBps', 'labels'],
  CircuitTermination: ['name', 'circuit', 'side', 'site', 'cable'],
  PowerFeed: ['name', 'site', 'rack', 'phase', 'voltage', 'ampsRated', 'upstream'],
  VirtualMachine: ['name', 'status', 'cluster', 'host', 'site', 'vcpus', 'memoryMib', 'labels'],
  Host: ['name', 'state', 'class', 'site', 'power', 'machine', 'labels'],
};

/** Fields that tell an object from others of its name, and stand before it where it is referred to. */
const PARENTS: Record<string, string[]> = {
  Port: ['device', 'rack', 'virtualMachine'],
  CircuitTermination: ['circuit'],
  PowerFeed: ['rack'],
};

/** The parents that make the key of an object, and its address. Kinds that are not here are addressed by id. */
const KEYS: Record<string, string[]> = {
  Region: [], Site: [], Rack: ['site'], Device: ['site'], Cable: [], Link: [], Provider: [], ProviderNetwork: ['provider'],
  Circuit: ['provider'], Cluster: [], Host: [], HostClass: [], Profile: [], Credential: [], Appliance: [], Source: [],
};

/** Singular names for people: `Power feed`. */
export function titleOf(kind: string): string {
  return words(kind);
}

export function pluralOf(kind: string): string {
  return words(KINDS[kind]?.list ?? kind);
}

const ACRONYMS = new Set(['AC', 'AMD64', 'ARM64', 'ID', 'LAG', 'MAC', 'URL', 'UUID', 'VLAN', 'AOC', 'BGP', 'BMC', 'CPU', 'DAC', 'DC', 'GPU', 'HDD', 'IP', 'IPMI', 'MMF', 'NVME', 'OOB', 'OS', 'PDU', 'PXE', 'SMF', 'SSD', 'UPS', 'USB', 'VM']);

/** Units at the end of names; those that values show themselves are empty. */
const UNITS: Record<string, string> = { Bps: '', Bytes: '', Mib: 'MiB', Gib: 'GiB', U: 'U', M: 'm', W: 'W', Mm: 'mm', Kg: 'kg', Ms: 'ms' };

/** Fields that another field says as well. */
export const DERIVED: Record<string, string[]> = { Device: ['rack', 'startUnit'] };

/** Splits a name of the schema into words: `assetTag` is `Asset tag`, and `lengthM` is `Length (m)`. */
export function words(name: string): string {
  const parts = name.replace(/_/g, ' ').match(/[A-Z]+(?![a-z])|[A-Z]?[a-z\d]+|\d+/g) ?? [name];
  const unit = parts.length > 1 ? UNITS[parts.at(-1) ?? ''] : undefined;
  const plain = (unit === undefined ? parts : parts.slice(0, -1)).map((it) => (ACRONYMS.has(it.toUpperCase()) ? it.toUpperCase() : it.toLowerCase()));
  const text = plain.join(' ');
  return (text[0]?.toUpperCase() ?? '') + text.slice(1) + (unit ? ` (${unit})` : '');
}

/** A value of an enum for people: `PATCH_PANEL` is `Patch panel`. */
export function enumWords(value: string): string {
  const text = value.split('_').map((it) => (ACRONYMS.has(it) ? it : it.toLowerCase())).join(' ');
  return text[0] ? text[0].toUpperCase() + text.slice(1) : text;
}

export function kindOf(name: string): Kind | undefined {
  return KINDS[name];
}

export function kinds(): Kind[] {
  return Object.values(KINDS);
}

export interface Group {
  title: string;
  kinds: Kind[];
}

export function groups(): Group[] {
  const named = new Set(GROUPS.flatMap(([, names]) => names));
  const rest = kinds().filter((it) => !named.has(it.name));
  const made = GROUPS.map(([title, names]) => ({ title, kinds: names.flatMap((it) => KINDS[it] ?? []) }));
  if (rest.length > 0) made.push({ title: 'Other', kinds: rest });
  return made;
}

/** The segment of a list in URLs: `power-feeds`. */
export function segmentOf(kind: Kind): string {
  return kind.list.replace(/[A-Z]/g, (it) => `-${it.toLowerCase()}`);
}

export function kindBySegment(segment: string): Kind | undefined {
  return kinds().find((it) => segmentOf(it) === segment);
}

export function fieldOf(kind: Kind, name: string): Field | undefined {
  return kind.fields.find((it) => it.name === name);
}

/** The fields that can be columns. */
export function columnsOf(kind: Kind): Field[] {
  return kind.fields.filter((it) => it.is !== 'many' && it.name !== 'attributes');
}

export function firstColumns(kind: Kind): string[] {
  const there = new Set(columnsOf(kind).map((it) => it.name));
  const chosen = (COLUMNS[kind.name] ?? []).filter((it) => there.has(it));
  if (chosen.length > 2) return chosen;
  const plain = columnsOf(kind).filter((it) => !['id', 'version', 'createdAt', 'updatedAt', 'tenant', 'externalRefs'].includes(it.name));
  return plain.slice(0, 7).map((it) => it.name);
}

/** The selection that names an object of a kind: enough for a link to it. */
export function nameSelection(kind: string): string {
  const asked = new Set([...(PARENTS[kind] ?? []), ...(KEYS[kind] ?? [])]);
  const parents = [...asked].filter((it) => KINDS[kind]?.fields.some((field) => field.name === it));
  return `__typename id name ${parents.map((it) => `${it} { __typename id name }`).join(' ')}`;
}

/** The names before the object's own in its address, or undefined if it is addressed by id. */
export function keyOf(kind: string): string[] | undefined {
  return KEYS[kind];
}

export function parentsOf(kind: string): string[] {
  return PARENTS[kind] ?? [];
}

/** The selection of one field with all that is shown of it. */
export function selectionOf(field: Field, depth = 0): string {
  if (field.is === 'scalar' || field.is === 'enum') return field.name;
  if (field.is === 'one') return `${field.name} { ${KINDS[field.of] ? nameSelection(field.of) : '__typename id'} }`;
  if (field.is === 'union') {
    const members = (UNIONS[field.of] ?? []).map((it) => `... on ${it} { ${nameSelection(it)} }`);
    return `${field.name} { __typename ${members.join(' ')} }`;
  }
  if (field.is === 'value') {
    const parts = (VALUES[field.of] ?? []).filter((it) => it.is !== 'many' && (depth < 2 || it.is !== 'value'));
    return parts.length === 0 ? `${field.name} { __typename }` : `${field.name} { ${parts.map((it) => selectionOf(it, depth + 1)).join(' ')} }`;
  }
  return '';
}

/** The kinds of which a field shows something: a change of them can change it. */
export function kindsIn(field: Field): string[] {
  if (field.is === 'one') return KINDS[field.of] ? [field.of, ...parentsOf(field.of).map((it) => it[0]?.toUpperCase() + it.slice(1))] : [];
  if (field.is === 'union') return UNIONS[field.of] ?? [];
  if (field.is === 'value') return (VALUES[field.of] ?? []).flatMap((it) => (it.is === 'one' || it.is === 'union' ? kindsIn(it) : []));
  return [];
}

/** The values of an enum in the order of the schema. */
export function valuesOf(name: string): string[] {
  return ENUMS[name] ?? [];
}

/** The fields of a filter's type, each with its type. */
export function filterFields(type: string): Record<string, string> {
  return FILTERS[type] ?? {};
}

/** The name of a type without `!` and brackets. */
export function bareType(type: string): string {
  return type.replace(/[[\]!]/g, '');
}
