// Filters between the URL and the API. A condition is a parameter such as `status.in=FAILED`, `rack.site.name.eq=ams1`,
// `labels=env=prod` or `within=ID`; with `!` before its name it must not match.
import { bareType, filterFields, pluralOf, valuesOf, words } from './registry.ts';
import type { Kind } from './shape.ts';

export interface Condition {
  not: boolean;
  /** Fields of filters, such as `rack`, `site`, `name`. */
  path: string[];
  /** The operator, or empty for conditions that have none (`labels`, `within`). */
  op: string;
  values: string[];
}

/** Parameters of a list's address that are no conditions. */
const OTHERS = new Set(['q', 'sort', 'columns', 'tab', 'preview', 'at', 'in', 'facets']);
const NUMBERS = new Set(['Int', 'Float', 'Long', 'Revision']);
const ANY_CASE = new Set(['contains', 'startsWith', 'endsWith']);

/** The type at the end of a path from the kind's filter, or undefined if there is no such filter. */
export function filterType(kind: Kind, path: string[]): string | undefined {
  let type: string | undefined = `${kind.name}Filter`;
  for (const part of path) type = type && bareType(filterFields(type)[part] ?? '');
  return type || undefined;
}

/** True if a filter compares a value: those of references have the fields of their object, too. */
export const isLeaf = (type: string): boolean => {
  const fields = filterFields(type);
  return 'eq' in fields && !('id' in fields);
};

function read(kind: Kind, key: string): Omit<Condition, 'values'> | undefined {
  const not = key.startsWith('!');
  const parts = (not ? key.slice(1) : key).split('.');
  const type = filterType(kind, parts);
  // A filter of several fields is no condition yet.
  if (!type || Object.keys(filterFields(type)).length > 0) return undefined;
  const last = parts.at(-1) ?? '';
  const hasOp = last === 'isNull' || isLeaf(filterType(kind, parts.slice(0, -1)) ?? '');
  return hasOp ? { not, path: parts.slice(0, -1), op: last } : { not, path: parts, op: '' };
}

export function conditionsOf(kind: Kind, params: URLSearchParams): Condition[] {
  const found = new Map<string, Condition>();
  for (const [key, value] of params) {
    if (OTHERS.has(key)) continue;
    const condition = read(kind, key);
    if (!condition) continue;
    const list = isList(kind, condition);
    const id = list ? key : `${key}=${value}`;
    const before = found.get(id);
    if (before) before.values.push(value);
    else found.set(id, { ...condition, values: [value] });
  }
  return [...found.values()];
}

export interface Unfit {
  /** The parameter of the address, and its value. */
  key: string;
  value: string;
  /** A sentence about it. */
  why: string;
}

/**
 * The conditions of an address that no filter of the kind has, such as those of an older schema. What they would leave is
 * unknown, so nothing is listed for them. `others`: further parameters that are no conditions.
 */
export function unfitOf(kind: Kind, params: URLSearchParams, others: readonly string[] = []): Unfit[] {
  return [...params].filter(([key]) => !OTHERS.has(key) && !others.includes(key)).flatMap(([key, value]) => {
    const why = whyUnfit(kind, key, value);
    return why ? [{ key, value, why }] : [];
  });
}

function whyUnfit(kind: Kind, key: string, value: string): string | undefined {
  const condition = read(kind, key);
  if (!condition) {
    const parts = key.replace(/^!/, '').split('.');
    const known = parts.findIndex((_, at) => filterType(kind, parts.slice(0, at + 1)) === undefined);
    return known < 0 ? `“${parts.at(-1)}” has several fields, of which one must be named.` : `There is no filter “${parts.slice(0, known + 1).join('.')}” for ${pluralOf(kind.name).toLowerCase()}.`;
  }
  const type = bareType(condition.op ? filterFields(filterType(kind, condition.path) ?? '')[condition.op] ?? '' : filterType(kind, condition.path) ?? '');
  const values = valuesOf(type);
  if (values.length > 0 && !values.includes(value)) return `“${value}” is not one of ${values.join(', ')}.`;
  if (NUMBERS.has(type) && (value.trim() === '' || !Number.isFinite(Number(value)))) return `“${value}” is not a number.`;
  if (type === 'Boolean' && !['true', 'false'].includes(value)) return `“${value}” is neither true nor false.`;
  return undefined;
}

function isList(kind: Kind, it: Omit<Condition, 'values'>): boolean {
  const type = filterType(kind, it.path);
  return it.op !== '' && type !== undefined && (filterFields(type)[it.op] ?? '').startsWith('[');
}

export function keyOfCondition(it: Omit<Condition, 'values'>): string {
  return `${it.not ? '!' : ''}${[...it.path, it.op].filter(Boolean).join('.')}`;
}

function cast(type: string, value: string): unknown {
  const bare = bareType(type);
  if (NUMBERS.has(bare)) return Number(value);
  return bare === 'Boolean' ? value === 'true' : value;
}

function compile(kind: Kind, it: Condition): object {
  const type = filterType(kind, it.path) ?? '';
  let made: unknown = it.values[0];
  if (it.op) {
    const operator = filterFields(type)[it.op] ?? 'String';
    const value = operator.startsWith('[') ? it.values.map((one) => cast(operator, one)) : cast(operator, it.values[0] ?? '');
    made = ANY_CASE.has(it.op) ? { [it.op]: value, caseInsensitive: true } : { [it.op]: value };
  }
  for (const part of [...it.path].reverse()) made = { [part]: made };
  return it.not ? { not: made } : (made as object);
}

/** The filter of the API that a list's address asks for, or null for all. */
export function filterOf(kind: Kind, params: URLSearchParams): object | null {
  const all = conditionsOf(kind, params).map((it) => compile(kind, it));
  const text = params.get('q')?.trim();
  if (text) all.push({ name: { contains: text, caseInsensitive: true } });
  if (all.length === 0) return null;
  return all.length === 1 ? (all[0] ?? null) : { and: all };
}

const OPS: Record<string, string> = {
  eq: 'is', in: 'is one of', notIn: 'is none of', contains: 'contains', startsWith: 'begins with', endsWith: 'ends with',
  isNull: 'is missing', gt: 'more than', gte: 'at least', lt: 'less than', lte: 'at most', '': 'match',
};
export const opWords = (op: string): string => OPS[op] ?? words(op).toLowerCase();
