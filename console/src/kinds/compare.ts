// Writes that meet somebody else's: an object that changed after the edit began, and fields that a source holds. For each
// field there is what was, what is there now, and what this write sets; one takes either.
import { versionOf, withVersion } from './items.ts';
import type { Item, WriteStep } from './items.ts';
import type { ApplyResult } from './generated.ts';
import type { Row } from './shape.ts';

export interface Holder {
  field: string;
  type: string;
  manager: string;
  since: number;
}

export interface Present {
  id: string;
  name: string;
  version: number;
  /** The fields as a write gives them, with those that have their default value. */
  item: Item;
  managers: Holder[];
}

export type Side = 'theirs' | 'yours';

export interface ConflictLine {
  /** A field, or a key of one: `labels.env`. */
  field: string;
  /** Undefined if it is not known what was there before. */
  before: unknown;
  theirs: unknown;
  yours: unknown;
  /** The holder of the field, if this write may not simply set it. */
  holder?: Holder;
  /** True if one of the two has to be taken; otherwise nobody else touched the field. */
  open: boolean;
}

export interface Conflict {
  /** The position of its step. */
  index: number;
  kind: string;
  id: string;
  name: string;
  version: number;
  present: Item;
  lines: ConflictLine[];
  /** Fields that others changed, and that this write leaves as they are. */
  others: string[];
}

const CODES = new Set(['STALE_VERSION', 'MANAGED_ELSEWHERE']);
/** Fields that a write patches by key. */
const BY_KEY = new Set(['labels', 'attributes']);

const isObject = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value);
/** Equal, whatever the order of keys. What is not set and what is empty are the same. */
export function same(a: unknown, b: unknown): boolean {
  if (isObject(a) && isObject(b)) return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((it) => same(a[it], b[it]));
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((it, at) => same(it, b[at]));
  return (a ?? null) === (b ?? null) || (isEmpty(a) && isEmpty(b));
}
const isEmpty = (value: unknown): boolean => value === null || value === undefined || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);

/** True if the refused step sets fields of an object that is there: then its fields can be compared. */
export function isConflict(result: ApplyResult, step: WriteStep | undefined): boolean {
  return CODES.has(result.error?.code ?? '') && result.id !== null && step !== undefined && !('delete' in step.item) && versionOf(step) !== 0;
}

/** The fields that a step sets, with those that are patched by key one by one. */
function setBy(step: WriteStep): Array<[string, unknown]> {
  const [value] = Object.values(step.item) as [Row];
  return Object.entries(value).filter(([name]) => name !== 'id' && name !== 'ifVersion').flatMap(([name, it]): Array<[string, unknown]> => (
    BY_KEY.has(name) && isObject(it) ? Object.entries(it).map(([key, one]): [string, unknown] => [`${name}.${key}`, one]) : [[name, it]]));
}

function valueAt(item: Item, field: string): unknown {
  const [first = '', ...rest] = field.split('.');
  const value = item[first];
  return rest.length > 0 && isObject(value) ? value[rest.join('.')] : rest.length > 0 ? undefined : value;
}

/** Compares a step with the present object. `code` is the reason why the server refused the step. */
export function compare(index: number, step: WriteStep, there: Present, code: string): Conflict {
  const { base } = step;
  const lines = setBy(step).map(([field, yours]): ConflictLine => {
    const [before, theirs] = [base && valueAt(base, field), valueAt(there.item, field)];
    const holder = code === 'MANAGED_ELSEWHERE' ? holderOf(there.managers, field) : undefined;
    const differ = !same(theirs, yours);
    const open = differ && (holder !== undefined || (code === 'STALE_VERSION' && (!base || !same(before, theirs))));
    return { field, before: base ? before : undefined, theirs, yours, open, ...(holder ? { holder } : {}) };
  });
  const own = new Set(setBy(step).map(([field]) => field.split('.')[0]));
  const names = base ? [...new Set([...Object.keys(base), ...Object.keys(there.item)])] : [];
  const others = names.filter((it) => !own.has(it) && !same(base?.[it], there.item[it]));
  return { index, kind: step.kind, id: there.id, name: there.name, version: there.version, present: there.item, lines, others };
}

/** The holder of a field, or of a part of it. Users do not keep fields from each other. */
function holderOf(managers: Holder[], field: string): Holder | undefined {
  return managers.find((it) => it.type !== 'USER' && (it.field === field || it.field.startsWith(`${field}.`)));
}

export const choiceKey = (it: Conflict, line: ConflictLine): string => `${it.index} ${line.field}`;

/**
 * The steps after one took sides. A step of which nothing is left goes. `force` is true if a field is taken from the
 * source that holds it.
 */
export function settle(steps: WriteStep[], conflicts: Conflict[], sideOf: (it: Conflict, line: ConflictLine) => Side): { steps: WriteStep[]; force: boolean } {
  const byIndex = new Map(conflicts.map((it) => [it.index, it]));
  let force = false;
  const left = steps.flatMap((step, index) => {
    const it = byIndex.get(index);
    if (!it) return [step];
    const given = it.lines.filter((line) => line.open && sideOf(it, line) === 'theirs').map((line) => line.field);
    force ||= it.lines.some((line) => line.open && line.holder && sideOf(it, line) === 'yours');
    const kept = without(step, new Set(given));
    if (setBy(kept).length === 0) return [];
    return [{ ...withVersion(kept, it.version), base: it.present }];
  });
  return { steps: left, force };
}

function without(step: WriteStep, fields: ReadonlySet<string>): WriteStep {
  const [[member, value] = ['', {}]] = Object.entries(step.item) as Array<[string, Row]>;
  const left = Object.entries(value).flatMap(([name, it]): Array<[string, unknown]> => {
    if (fields.has(name)) return [];
    if (!BY_KEY.has(name) || !isObject(it)) return [[name, it]];
    const keys = Object.entries(it).filter(([key]) => !fields.has(`${name}.${key}`));
    return keys.length > 0 ? [[name, Object.fromEntries(keys)]] : [];
  });
  return { ...step, item: { [member]: Object.fromEntries(left) } };
}
