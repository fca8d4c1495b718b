// The changes of an object: fields, before and after.
import { scalar } from '../kinds/format.ts';
import { inputOf } from '../kinds/inputs.ts';
import { bareType, enumWords, fieldOf, kindOf, valuesOf, words } from '../kinds/registry.ts';
import type { Row } from '../kinds/shape.ts';

/** Fields of the change log that are no content. */
const BOOKKEEPING = new Set(['version', 'updatedAt', 'createdAt', 'managers']);
const isObject = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value);

export interface Line {
  /** A field, or a key of one: `labels.env`. */
  field: string;
  before: unknown;
  after: unknown;
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
const same = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
const hidden = (value: unknown): boolean => value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0);

/** The lines in which two values of an object differ. Maps are compared key by key. */
export function linesOf(before: Row | null, after: Row | null): Line[] {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...names].filter((it) => !BOOKKEEPING.has(it)).flatMap((field) => {
    const [a, b] = [before?.[field], after?.[field]];
    if (isObject(a) || isObject(b)) {
      const keys = new Set([...Object.keys((a as Row | null) ?? {}), ...Object.keys((b as Row | null) ?? {})]);
      return [...keys].map((key) => ({ field: `${field}.${key}`, before: (a as Row | null)?.[key], after: (b as Row | null)?.[key] }));
    }
    return [{ field, before: a, after: b }];
  }).filter((it) => !same(it.before, it.after));
}

/** A reference as the names in it: `{site: ams1, rack: A14}` is `ams1 / A14`. */
export function refText(value: Row, nameOf?: NameOf): string | undefined {
  const parts = Object.values(value);
  if (parts.length === 1 && isObject(parts[0])) return refText(parts[0], nameOf);
  return parts.every((it) => typeof it === 'string') ? parts.map((it) => (UUID.test(it) ? nameOf?.(it) ?? it : it)).join(' / ') : undefined;
}

/** Names of objects by their id, where the change log has ids alone. */
export type NameOf = (id: string) => string | undefined;

export function textOf(kind: string, field: string, value: unknown, nameOf?: NameOf): string {
  if (hidden(value)) return '';
  if (typeof value === 'string' && field.includes('.') && /^(labels|attributes)/.test(field)) return value;
  if (typeof value === 'string' && UUID.test(value)) return nameOf?.(value) ?? value;
  const [first = ''] = field.split('.');
  const known = kindOf(kind);
  const about = known && fieldOf(known, first);
  const type = inputOf(`${kind}Input`)[first] ?? '';
  if (Array.isArray(value)) return value.map((it) => textOf(kind, first, it, nameOf)).join(', ');
  if (isObject(value)) return refText(value, nameOf) ?? partsText(kind, bareType(type), value, nameOf);
  if (about?.is === 'enum' && field === first) return enumWords(String(value));
  return scalar(first, about?.of ?? type, value);
}

/** The parts of a value in the order of its type, so that two of them compare well. */
function partsText(kind: string, type: string, value: Row, nameOf?: NameOf): string {
  const types = inputOf(type);
  const known = Object.keys(types).filter((it) => !hidden(value[it]));
  const names = known.length > 0 ? known : Object.keys(value);
  return names.map((name) => {
    const it = value[name];
    const shown = typeof it === 'string' && valuesOf(bareType(types[name] ?? '')).includes(it) ? enumWords(it) : textOf(kind, name, it, nameOf);
    return `${words(name)} ${shown}`;
  }).join(' · ');
}

export interface LinesProps {
  kind: string;
  lines: Line[];
  created?: boolean;
  nameOf?: NameOf | undefined;
}

export function Lines({ kind, lines, created, nameOf }: LinesProps) {
  return (
    <ul class="diff">
      {lines.filter((it) => !created || !hidden(it.after)).map((it) => (
        <li key={it.field}>
          <span class="what">{it.field.includes('.') ? `${words(it.field.split('.')[0] ?? '')} ${it.field.slice(it.field.indexOf('.') + 1)}` : words(it.field)}</span>
          {!hidden(it.before) && <del><bdi>{textOf(kind, it.field, it.before, nameOf)}</bdi></del>}
          {!hidden(it.before) && !hidden(it.after) && <span aria-label="becomes" role="img">→</span>}
          {!hidden(it.after) && <ins><bdi>{textOf(kind, it.field, it.after, nameOf)}</bdi></ins>}
          {hidden(it.after) && <span class="quiet">removed</span>}
        </li>
      ))}
    </ul>
  );
}
