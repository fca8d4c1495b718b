// Writes src/kinds/generated.ts from ../schema.graphql: the registry of kinds (fields, filters, orders), the enums, which
// optional parts the API has, and TypeScript types of what the screens query. What only writes need goes to
// src/kinds/generated-inputs.ts, and the descriptions to src/kinds/about.lazy.ts: both are loaded after the first screen.
import { readFileSync, writeFileSync } from 'node:fs';
import {
  buildSchema, getNamedType, getNullableType, isEnumType, isInputObjectType, isInterfaceType, isListType, isNonNullType,
  isObjectType, isScalarType, isUnionType,
} from 'graphql';

const schema = buildSchema(readFileSync(new URL('../schema.graphql', import.meta.url), 'utf8'));
const query = schema.getQueryType().getFields();
const mutation = schema.getMutationType().getFields();

/** Types of answers for which screens have documents of their own; what they refer to comes with them. */
const TYPED = [
  'Change', 'ChangeEvent', 'ObjectDiff', 'SearchHit', 'ApplyPayload', 'DeletedObject', 'ManagedField', 'PageInfo',
  'Trace', 'Impact', 'SinglePointOfFailure', 'Viewer',
];
/** Fields that screens ask for in a form of their own: those that every kind has, and the facts of hosts. */
const OWN_FORM = new Set(['path', 'item', 'changes', 'managers', 'facts']);
const SCALARS = {
  ID: 'string', String: 'string', Int: 'number', Float: 'number', Boolean: 'boolean', Long: 'number',
  Revision: 'number', JSON: 'unknown', Labels: 'Record<string, string>', TextMap: 'Record<string, string>',
};

const kinds = Object.values(schema.getTypeMap())
  .filter((type) => isObjectType(type) && type.getInterfaces().some((it) => it.name === 'Object'));
const isKind = (type) => kinds.includes(type);
// The descriptions, by `Rack`, `Rack.heightU`, `RackInput.heightU` or `Status.ACTIVE`.
const abouts = {};
function about(key, it) {
  abouts[key] = (it.description ?? '').replace(/\s+/g, ' ').trim();
}
/** Enums of answers by which screens filter in a form of their own. */
const usedEnums = new Set(['HardwarePart', 'HardwareChange']);
const lower = (name) => name[0].toLowerCase() + name.slice(1);
const connected = (type) => type.name.endsWith('Connection') && getNamedType(type.getFields().nodes.type);

// Value objects, such as Placement, with their fields.
const values = {};
function fieldOf(field, owner) {
  const named = getNamedType(field.type);
  const base = { name: field.name };
  about(`${owner}.${field.name}`, field);
  if (isEnumType(named)) usedEnums.add(named.name);
  if (isNonNullType(field.type)) base.required = true;
  if (isListType(getNullableType(field.type))) base.list = true;
  if (isObjectType(named) && connected(named)) {
    return isKind(connected(named)) ? { ...base, is: 'many', of: connected(named).name } : undefined;
  }
  if (field.args.length > 0) return undefined;
  if (isKind(named)) return { ...base, is: 'one', of: named.name };
  if (isUnionType(named)) return { ...base, is: 'union', of: named.name };
  if (isEnumType(named)) return { ...base, is: 'enum', of: named.name };
  if (isScalarType(named)) return { ...base, is: 'scalar', of: named.name };
  if (isInterfaceType(named)) return { ...base, is: 'one', of: named.name };
  if (!values[named.name]) {
    values[named.name] = [];
    values[named.name] = fieldsOf(named);
  }
  return { ...base, is: 'value', of: named.name };
}
const fieldsOf = (type) =>
  Object.values(type.getFields()).filter((field) => !OWN_FORM.has(field.name)).map((it) => fieldOf(it, type.name)).filter(Boolean);

// Input types: of filters, and of what is written.
const filterTypes = {};
const inputTypes = {};
const oneOf = [];
function addInput(type, to) {
  if (!isInputObjectType(type) || to[type.name]) return;
  const entries = {};
  to[type.name] = entries;
  if (type.isOneOf) oneOf.push(type.name);
  for (const field of Object.values(type.getFields())) {
    if (['and', 'or', 'not'].includes(field.name)) continue;
    entries[field.name] = String(field.type);
    if (isEnumType(getNamedType(field.type))) usedEnums.add(getNamedType(field.type).name);
    addInput(getNamedType(field.type), to);
  }
}

function orders(kind) {
  const type = schema.getType(`${kind.name}OrderBy`);
  return type ? type.getValues().map((it) => it.name) : [];
}

/** Orders of every kind for which the server keeps an index: lists of any size can have them. */
function indexedOrders() {
  const served = (type) => type.getValues().filter((it) => /Served by\s+an index/.test(it.description ?? '')).map((it) => it.name);
  const all = kinds.map((it) => schema.getType(`${it.name}OrderBy`)).filter(Boolean).map(served);
  return all[0].filter((it) => all.every((names) => names.includes(it)));
}

function written(kind) {
  const input = schema.getType(`${kind.name}Input`);
  const patch = schema.getType(`${kind.name}Patch`);
  // The kind's own input is in `inputs`; here is what that is made of.
  for (const it of Object.values((input ?? patch)?.getFields() ?? {})) addInput(getNamedType(it.type), inputTypes);
  const patched = patch ? Object.keys(patch.getFields()) : [];
  const fields = (input ?? patch) ? Object.values((input ?? patch).getFields()) : [];
  return fields.filter((it) => !['id', 'externalId', 'ifVersion'].includes(it.name)).map((it) => {
    about(`${kind.name}Input.${it.name}`, it);
    if (isEnumType(getNamedType(it.type))) usedEnums.add(getNamedType(it.type).name);
    const needed = /Required\s+to\s+create/.test(it.description ?? '') || it.name === 'name';
    return { name: it.name, type: String(it.type), patch: patched.includes(it.name), needed };
  });
}

function kindOf(kind) {
  const list = Object.values(query).find((it) => connected(getNamedType(it.type)) === kind);
  about(kind.name, kind);
  return {
    name: kind.name, one: lower(kind.name), list: list.name,
    fields: fieldsOf(kind), orders: orders(kind),
    create: `create${kind.name}` in mutation, change: `update${kind.name}` in mutation,
    remove: `delete${kind.name}` in mutation, apply: lower(kind.name) in schema.getType('ApplyItem').getFields(),
  };
}
const listed = Object.values(query).map((it) => connected(getNamedType(it.type))).filter((it) => it && isKind(it));
const registry = Object.fromEntries(listed.map((kind) => [kind.name, kindOf(kind)]));
const inputs = Object.fromEntries(listed.map((kind) => [kind.name, written(kind)]));
for (const kind of listed) addInput(schema.getType(`${kind.name}Filter`), filterTypes);

const all = Object.values(schema.getTypeMap()).filter((it) => !it.name.startsWith('__'));
const enums = Object.fromEntries(all.filter((it) => usedEnums.has(it.name)).map((it) => {
  for (const value of it.getValues()) about(`${it.name}.${value.name}`, value);
  return [it.name, it.getValues().map((value) => value.name)];
}));
const unions = Object.fromEntries(all.filter(isUnionType)
  .map((it) => [it.name, it.getTypes().map((member) => member.name)])
  .filter(([, members]) => members.every((it) => registry[it])));

const rackConnection = schema.getType('RackConnection').getFields();
const has = {
  viewer: 'viewer' in query,
  facets: 'facets' in rackConnection,
  skip: query.racks.args.some((it) => it.name === 'skip'),
  fromHost: 'fromHost' in schema.getType('HardwareEvent').getFields(),
};

// --- types of answers ---
const seen = new Set();
const types = [];
function typeOf(type) {
  if (isNonNullType(type)) return plain(type.ofType);
  return `${plain(type)} | null`;
}
function plain(type) {
  if (isListType(type)) return `Array<${typeOf(type.ofType)}>`;
  if (isScalarType(type)) return SCALARS[type.name] ?? 'string';
  if (isEnumType(type)) return type.getValues().map((it) => `'${it.name}'`).join(' | ');
  if (isInterfaceType(type) || isUnionType(type) || isKind(type)) return 'Row';
  declare(type);
  return type.name;
}
function declare(type) {
  if (seen.has(type.name)) return;
  seen.add(type.name);
  const lines = Object.values(type.getFields()).map((it) => `  ${it.name}: ${typeOf(it.type)};`);
  types.push(`export interface ${type.name} {\n${lines.join('\n')}\n}`);
}
for (const name of TYPED) if (schema.getType(name)) declare(schema.getType(name));

const text = (value) => JSON.stringify(value, null, 1);
const lines = (object) => `{\n${Object.entries(object).map(([key, it]) => `  ${key}: ${JSON.stringify(it)},`).join('\n')}\n}`;
writeFileSync(new URL('src/kinds/generated.ts', import.meta.url), `// Written by generate.mjs from schema.graphql. Do not edit.
import type { Field, Kind, Row } from './shape.ts';

export const KINDS: Record<string, Kind> = ${text(registry)};

/** Types that are values of fields, such as Placement. */
export const VALUES: Record<string, Field[]> = ${text(values)};

export const ENUMS: Record<string, string[]> = ${lines(enums)};

export const UNIONS: Record<string, string[]> = ${lines(unions)};

/** The types of filters, with the types of their fields. */
export const FILTERS: Record<string, Record<string, string>> = ${lines(filterTypes)};

/** Orders that lists of any size can have, as the server keeps an index for them. */
export const INDEXED_ORDERS: string[] = ${JSON.stringify(indexedOrders())};

/** Parts of the API that older servers do not have. */
export const HAS = ${text(has)};

${types.sort().join('\n\n')}
`);
writeFileSync(new URL('src/kinds/generated-inputs.ts', import.meta.url), `// Written by generate.mjs from schema.graphql. Do not edit.
import type { InputField } from './shape.ts';

/** The fields of the input of each kind. */
export const INPUTS: Record<string, InputField[]> = ${text(inputs)};

/** The input types that these are made of, with the types of their fields. */
export const INPUT_TYPES: Record<string, Record<string, string>> = ${lines(inputTypes)};

/** Input types of which exactly one field must be given. */
export const ONE_OF: string[] = ${JSON.stringify(oneOf)};
`);
// A member of an input that says the same as the field of its kind is looked up there.
for (const [key, sentence] of Object.entries(abouts)) {
  const field = key.replace(/^(\w+)Input\./, '$1.');
  if (field !== key && abouts[field] === sentence) delete abouts[key];
}
writeFileSync(new URL('src/kinds/about.lazy.ts', import.meta.url), `// Written by generate.mjs from schema.graphql. Do not edit.

/** The descriptions of the schema: of kinds, their fields and inputs, and the values of enums. */
export const ABOUT: Record<string, string> = ${text(abouts)};
`);
