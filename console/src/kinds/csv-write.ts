// Objects as lines of a table, as `csv-items.ts` and `underlay apply` read them. A cell has the form in which people write
// the value if it is read as the same value, else it is JSON.
import { columnOf, isNumber, isRef, membersOf, needsApostrophe, valueOf } from './csv-cells.ts';
import type { CellType, Column } from './csv-cells.ts';
import { inputOf, isOneOf } from './inputs.ts';
import { bareType } from './registry.ts';
import type { Row } from './shape.ts';
import { csvText, plain } from './table-text.ts';

/** Values with parts have a column for each, to this depth; deeper ones are JSON. */
const PART_LEVELS = 3;

function namesOf(name: string, type: string, levels = PART_LEVELS): string[] {
  const bare = bareType(type);
  const members = Object.entries(inputOf(bare));
  if (levels === 0 || type.startsWith('[') || isRef(bare) || isOneOf(bare) || members.length === 0) return [name];
  return members.flatMap(([member, of]) => namesOf(`${name}.${member}`, of, levels - 1));
}

/** The columns of a table with these fields. The id comes first: it tells objects of the same name apart. */
export function tableColumns(kind: string, fields: string[]): Column[] {
  const inputs = inputOf(`${kind}Input`);
  const names = ['id', ...fields.filter((it) => it !== 'id')].flatMap((it) => (inputs[it] === undefined ? [it] : namesOf(it, inputs[it])));
  return names.map((it) => columnOf(kind, it));
}

/** The cells of an object: from its item, or from its row where the server computes the field. */
export function cellsOf(columns: Column[], row: Row): string[] {
  const item = { ...(row.item as Row | undefined), id: row.id };
  return columns.map(({ name, path, type }) => {
    if (type.computed) return guarded(plain(row[name]), typeof row[name] === 'number');
    const value = path.reduce<unknown>((at, member) => (at as Row | null | undefined)?.[member], item);
    return value === null || value === undefined ? '' : cellOf(value, type);
  });
}

/** A line of a table after RFC 4180. */
export const tableLine = (cells: string[]): string => `${cells.map(csvText).join(',')}\r\n`;

const guarded = (text: string, number: boolean): string => (!number && text !== '' && needsApostrophe(text) ? `'${text}` : text);

/** The cell of a value. */
export function cellOf(value: unknown, type: CellType): string {
  const number = isNumber(type.of) && !type.list;
  const text = people(value, type);
  if (text !== undefined) {
    const cell = text === '' ? "'" : guarded(text, number);
    if (number || reads(cell, type, value)) return cell;
  }
  return JSON.stringify(value);
}

function reads(cell: string, type: CellType, value: unknown): boolean {
  try {
    return same(valueOf(cell, type), value);
  } catch {
    return false;
  }
}

/** The form in which people write a value. */
function people(value: unknown, { of, list, member }: CellType): string | undefined {
  if (!list) return one(of, value);
  if (member || !Array.isArray(value)) return undefined;
  const texts = value.map((it) => one(of, it));
  return texts.includes(undefined) ? undefined : texts.join(';');
}

function one(type: string, value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return String(value);
  if (isRef(type)) return reference(type, value as Row);
  const entries = Object.entries(value);
  if (type === 'Labels' || type === 'TextMap') return entries.map(([key, it]) => `${key}=${String(it)}`).join(';');
  const [only, ...more] = entries;
  if (!isOneOf(type) || !only || more.length > 0) return undefined;
  const text = one(bareType(inputOf(type)[only[0]] ?? ''), only[1]);
  return text === undefined ? undefined : `${only[0]}/${text}`;
}

function reference(type: string, value: Row): string {
  if (typeof value.id === 'string') return value.id;
  const members = membersOf(type);
  const parts = [...members.slice(0, -1).map((it) => value[it]), value.family, value[members.at(-1) ?? '']];
  return parts.filter((it) => it !== undefined && it !== null).join('/');
}

/** True if two JSON values are the same, in whatever order their members stand. */
function same(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [Object.keys(a), Object.keys(b)];
  return left.length === right.length && left.every((it) => Object.hasOwn(b, it) && same((a as Row)[it], (b as Row)[it]));
}
