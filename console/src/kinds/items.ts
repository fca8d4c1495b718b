// Items of `apply`: made from changes to undo them, from manifests, and back.
import { inputOf } from './inputs.ts';
import { bareType, kindOf, kinds } from './registry.ts';
import type { Kind, Row } from './shape.ts';

export type Item = Record<string, unknown>;

/** One thing that a write does. */
export interface WriteStep {
  kind: string;
  /** The object's id, if there is one already. */
  id?: string;
  name: string;
  item: Item;
  /** The fields of the object as they were when the edit began, to compare with when others change it, too. */
  base?: Item;
}

export interface Difference {
  kind: string;
  objectId: string;
  name: string;
  operation: 'CREATED' | 'UPDATED' | 'DELETED';
  before: Row | null;
  after: Row | null;
}

const isObject = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value);
const isRef = (type: string): boolean => type.endsWith('Ref') && kindOf(type.slice(0, -3)) !== undefined;
const lower = (name: string): string => (name[0] ?? '').toLowerCase() + name.slice(1);
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** A value of the change log, where references are ids, as a value of an input type. */
export function logged(type: string, value: unknown): unknown {
  const bare = bareType(type);
  if (Array.isArray(value)) return value.map((it) => logged(bare, it));
  if (isRef(bare) && typeof value === 'string') return { id: value };
  const fields = inputOf(bare);
  if (!isObject(value) || Object.keys(fields).length === 0) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => fields[name]).map(([name, it]) => [name, logged(fields[name] ?? '', it)]));
}

/** Fields that a write patches by key: what is to go has to be named. */
function patched(name: string, before: unknown, after: unknown): unknown {
  if (name === 'externalRefs') {
    const kept = (after as Row[] | null) ?? [];
    const gone = ((before as Row[] | null) ?? []).filter((it) => !kept.some((one) => one.source === it.source));
    return [...kept, ...gone.map((it) => ({ source: it.source, externalId: null }))];
  }
  const gone = Object.keys((before as Row | null) ?? {}).filter((it) => !Object.hasOwn((after as Row | null) ?? {}, it));
  return { ...(after as Row | null), ...Object.fromEntries(gone.map((it) => [it, null])) };
}

function fieldsOf(kind: Kind, before: Row | null, after: Row): Item {
  const types = inputOf(`${kind.name}Input`);
  const item: Item = {};
  for (const [name, value] of Object.entries(after)) {
    const type = types[name];
    if (!type) continue;
    const whole = ['labels', 'attributes', 'externalRefs'].includes(name) ? patched(name, before?.[name], value) : value;
    item[name] = logged(type, whole);
  }
  return item;
}

/** The step that makes one difference: from `before` to `after`. */
export function stepOf(it: Difference): WriteStep | undefined {
  const kind = kindOf(it.kind);
  if (!kind) return undefined;
  const base = { kind: it.kind, id: it.objectId, name: it.name };
  if (it.operation === 'DELETED') return { ...base, item: { delete: { ref: { id: it.objectId } } } };
  if (!kind.apply) return undefined;
  return { ...base, item: { [kind.one]: { id: it.objectId, ...fieldsOf(kind, it.before, it.after ?? {}) } } };
}

/** A step that deletes an object. */
export function deletion(kind: string, id: string, name: string, cascade: boolean): WriteStep {
  return { kind, id, name, item: { delete: { ref: { id }, cascade } } };
}

/** The step with the version that its object must have. */
export function withVersion(step: WriteStep, version: number | undefined): WriteStep {
  if (version === undefined) return step;
  const [member, value] = Object.entries(step.item)[0] ?? [];
  if (!member || !isObject(value)) return step;
  return { ...step, item: { [member]: { ...value, ifVersion: version } } };
}

/** The version that the step's object must have, if the step says so. */
export function versionOf(step: WriteStep): number | undefined {
  const [value] = Object.values(step.item);
  return isObject(value) ? (value.ifVersion as number | undefined) : undefined;
}

export function withoutVersion(step: WriteStep): WriteStep {
  const [member, value] = Object.entries(step.item)[0] ?? [];
  if (!member || !isObject(value)) return step;
  const { ifVersion: _, ...rest } = value;
  return { ...step, item: { [member]: rest } };
}

/** References of one name, which manifests write short: `site: ams1`. */
function short(type: string, value: unknown): unknown {
  const bare = bareType(type);
  if (Array.isArray(value)) return value.map((it) => short(bare, it));
  if (!isObject(value)) return value;
  const member = isRef(bare) ? lower(bare.slice(0, -3)) : undefined;
  const name = member && Object.keys(value).length === 1 ? value[member] : undefined;
  if (typeof name === 'string' && !UUID.test(name)) return name;
  const fields = inputOf(bare);
  return Object.fromEntries(Object.entries(value).map(([key, it]) => [key, fields[key] ? short(fields[key], it) : it]));
}

function long(type: string, value: unknown): unknown {
  const bare = bareType(type);
  if (Array.isArray(value)) return value.map((it) => long(bare, it));
  if (isRef(bare) && typeof value === 'string') return UUID.test(value) ? { id: value } : { [lower(bare.slice(0, -3))]: value };
  const fields = inputOf(bare);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, it]) => [key, fields[key] ? long(fields[key], it) : it]));
}

const IN_METADATA = ['name', 'labels'];

/** The manifest of an item, as `underlay get -o json` writes it. */
export function manifestOf(kind: Kind, item: Item): Row {
  const brief = short(`${kind.name}Input`, item) as Row;
  const pick = (inside: boolean): Row => Object.fromEntries(Object.entries(brief).filter(([name]) => IN_METADATA.includes(name) === inside));
  return { apiVersion: 'underlay/v1', kind: kind.name, metadata: pick(true), spec: pick(false) };
}

/** The step of a manifest. It throws a sentence about one that is none. */
export function stepOfManifest(manifest: unknown): WriteStep {
  if (!isObject(manifest) || manifest.apiVersion !== 'underlay/v1') throw new Error('A manifest begins with "apiVersion: underlay/v1".');
  const kind = kinds().find((it) => it.name === manifest.kind && it.apply);
  if (!kind) throw new Error(`There is no kind ${JSON.stringify(manifest.kind)}.`);
  const { metadata, spec } = { metadata: manifest.metadata ?? {}, spec: manifest.spec ?? {} };
  if (!isObject(metadata) || !isObject(spec)) throw new Error('metadata and spec must be objects.');
  const item = long(`${kind.name}Input`, { ...metadata, ...spec }) as Item;
  const unknown = Object.keys(item).find((it) => !inputOf(`${kind.name}Input`)[it]);
  if (unknown) throw new Error(`A ${kind.name} has no field ${unknown}.`);
  return { kind: kind.name, name: String(metadata.name ?? ''), item: { [kind.one]: item } };
}
