// Columns of tables by the fields of a kind, and cells as values of items. The rules are those of `underlay apply --kind`.
import { inputOf, isOneOf } from './inputs.ts';
import { bareType, fieldOf, kindOf, valuesOf } from './registry.ts';
import type { Row } from './shape.ts';

export interface Column {
  name: string;
  /** The path of the value in the item. */
  path: string[];
  type: CellType;
}

export interface CellType {
  /** The type of one value; `Labels.entry` and `JSON.entry` are values of maps. */
  of: string;
  list: boolean;
  /** The member of an object that holds each value of a list, such as `port` of cable ends. */
  member?: string;
  /** True if the server computes the field, or sets it itself: nothing of the cell is written. */
  computed?: boolean;
}

/** Throws what continues a sentence that begins with the column. */
function refuse(reason: string): never {
  throw new Error(reason);
}

const MAPS = new Set(['Labels', 'TextMap', 'JSON']);
/** Maps from text to text, which are written as `env=prod;tier=core`. */
const TEXT_MAPS = new Set(['Labels', 'TextMap']);
export const isRef = (type: string): boolean => type.endsWith('Ref') && kindOf(type.slice(0, -3)) !== undefined;
const fieldsOf = (kind: string): Record<string, string> => ({ ...inputOf(`${kind}Input`), id: 'ID', externalId: 'String' });
const quote = (text: string): string => JSON.stringify(text);

/** Follows a name such as `placement.rack` from an object of a kind. */
export function columnOf(kind: string, name: string): Column {
  if (name === '') refuse('has no name: the first line must name the field of each column');
  const path = name.split('.');
  let [type, list] = ['', false];
  for (const [index, part] of path.entries()) {
    // The keys of maps can contain dots.
    if (MAPS.has(type)) return { name, path: [...path.slice(0, index), path.slice(index).join('.')], type: { of: `${type}.entry`, list: false } };
    const fields = index === 0 ? fieldsOf(kind) : inputOf(type);
    if (Object.keys(fields).length === 0 || (list && !isOneOf(type))) refuse(`${quote(name)} goes too far: ${path.slice(0, index).join('.')} is written in one column`);
    const given = fields[part];
    const allowed = `Allowed: ${Object.keys(fields).join(', ')}`;
    const known = kindOf(kind);
    if (given === undefined && index === 0 && known && fieldOf(known, part)) return { name, path: [], type: { of: '', list: false, computed: true } };
    if (given === undefined) refuse(index === 0 ? `a ${kind} has no field ${quote(part)}. ${allowed}` : `${path.slice(0, index).join('.')} has no member ${quote(part)}. ${allowed}`);
    if (list) {
      if (path.length > index + 1) refuse(`${quote(name)} goes too far: ${path.slice(0, index + 1).join('.')} is written in one column`);
      return { name, path: path.slice(0, index), type: { of: bareType(given), list: true, member: part } };
    }
    [type, list] = [bareType(given), given.startsWith('[')];
  }
  return { name, path, type: { of: type, list: list && !isParts(type) } };
}

/** True if values are written as JSON: a list of them is one JSON value. */
const isParts = (type: string): boolean => type === 'JSON' || (!isRef(type) && !isOneOf(type) && Object.keys(inputOf(type)).length > 0);

/** What a cell begins with that is a text, and nothing else. */
const APOSTROPHE = "'";

/** True if a text means something else here or to a spreadsheet, which would run it as a formula, or if it would after its first apostrophes. */
export function needsApostrophe(text: string): boolean {
  const rest = text.replace(/^'+/, '');
  return /^[=+\-@\t\r]/.test(rest) || ['', 'null'].includes(rest.trim());
}

/** The value of a cell; undefined if it is empty. */
export function valueOf(cell: string, { of, list, member, computed }: CellType): unknown {
  if (computed) return undefined;
  const literal = cell.startsWith(APOSTROPHE) && needsApostrophe(cell.slice(1));
  const given = literal ? cell.slice(1) : cell;
  const text = given.trim();
  if (!literal && text === '') return undefined;
  if (!literal && text === 'null') return null;
  if (!list) return one(of, isText(of) ? given : text);
  // Lists whose entries contain semicolons are JSON.
  const whole = !member && text.startsWith('[') ? json(text) : undefined;
  if (Array.isArray(whole)) return whole;
  return text.split(';').map((it) => {
    if (!it.trim()) refuse('has an empty entry between two semicolons');
    const value = one(of, it.trim());
    return member ? { [member]: value } : value;
  });
}

export const isNumber = (type: string): boolean => ['Int', 'Long', 'Revision', 'Float'].includes(type);

const isText = (type: string): boolean => !isNumber(type) && !['Boolean', 'JSON.entry'].includes(type) && valuesOf(type).length === 0 && !isRef(type) && !isParts(type) && !isOneOf(type) && !TEXT_MAPS.has(type);

function one(type: string, text: string): unknown {
  if (['Int', 'Long', 'Revision'].includes(type)) {
    const whole = /^[-+]?\d+$/.test(text) ? Number(text) : NaN;
    return Number.isSafeInteger(whole) ? whole : refuse(`must be a whole number, without units or separators, not ${quote(text)}`);
  }
  if (type === 'Float') return /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(text) ? Number(text) : refuse(`must be a number such as 10.5, not ${quote(text)}`);
  if (type === 'Boolean') {
    if (/^(true|yes)$/i.test(text)) return true;
    return /^(false|no)$/i.test(text) ? false : refuse(`must be true or false (or yes or no), not ${quote(text)}`);
  }
  if (valuesOf(type).length > 0) {
    const word = text.toUpperCase().replace(/[- ]/g, '_');
    return valuesOf(type).includes(word) ? word : refuse(`must not be ${quote(text)}. Allowed: ${valuesOf(type).join(', ')}`);
  }
  if (isRef(type)) return reference(type, text);
  if (type === 'JSON.entry') return json(text) ?? text;
  if (isParts(type)) return parts(text);
  if (TEXT_MAPS.has(type)) return text.startsWith('{') ? parts(text) : map(text);
  if (isOneOf(type)) return text.startsWith('{') ? parts(text) : member(type, text);
  return text;
}

function parts(text: string): object {
  const value = json(text);
  return typeof value === 'object' && value !== null ? value : refuse(`has parts: write it as JSON, or write its parts in columns with dots, not as ${quote(text)}`);
}

/** A map from text to text: `env=prod;tier=core`. */
function map(text: string): Row {
  const entries: Row = {};
  for (const entry of text.split(';')) {
    const at = entry.indexOf('=');
    if (at < 0) refuse(`must have entries such as env=prod;tier=core, or be JSON, not ${quote(text)}`);
    const key = entry.slice(0, at).trim();
    if (Object.hasOwn(entries, key)) refuse(`has the key ${quote(key)} twice`);
    entries[key] = entry.slice(at + 1).trim();
  }
  return entries;
}

/** A value that is one of several members: `port/ams1/leaf-3/Ethernet1`. */
function member(type: string, text: string): Row {
  const members = inputOf(type);
  const at = text.indexOf('/');
  const word = (at < 0 ? text : text.slice(0, at)).toLowerCase();
  const name = Object.keys(members).find((it) => it.toLowerCase() === word);
  if (name === undefined) refuse(`must be ${Object.keys(members).map((it) => `${it}/NAME`).join(' or ')}, with the parents before the name, not ${quote(text)}`);
  return { [name]: one(bareType(members[name] ?? ''), at < 0 ? '' : text.slice(at + 1)) };
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Members of references that are no names from the outside in. */
const OTHERS = new Set(['id', 'source', 'externalId', 'family', 'parent']);
/** The usual container counts if objects of a kind can stand in several others. */
const MEMBERS: Record<string, string[]> = { PortRef: ['site', 'device', 'port'], VirtualMachineRef: ['cluster', 'virtualMachine'] };
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** The members of a reference from the outermost parent to the name. */
export const membersOf = (type: string): string[] => MEMBERS[type] ?? Object.keys(inputOf(type)).filter((it) => !OTHERS.has(it));

/** A name after as many of its parents as are needed (`ams1/A14`), an id, or JSON. */
function reference(type: string, text: string): Row {
  const kind = type.slice(0, -3);
  if (text.startsWith('{')) return (json(text) as Row | undefined) ?? refuse(`must be a reference to a ${kind}, which ${quote(text)} is not`);
  if (UUID.test(text)) return { id: text };
  const members = membersOf(type);
  // After all possible parents, the rest is the name, such as Ethernet1/1.
  const cut = (most: number): string[] => { const all = text.split('/'); return all.length <= most ? all : [...all.slice(0, most - 1), all.slice(most - 1).join('/')]; };
  let parts = cut(members.length + 1);
  const made: Row = {};
  const before = parts.at(-2);
  const family = inputOf(type).family && before !== undefined ? valuesOf(inputOf(type).family ?? '').find((it) => it === before.toUpperCase()) : undefined;
  if (family) {
    made.family = family;
    parts.splice(-2, 1);
  }
  if (parts.length > members.length) {
    parts = cut(members.length);
    delete made.family;
  }
  if (parts.some((it) => !it.trim())) refuse(`must be a ${kind} as ${members.map((_, at) => members.slice(members.length - 1 - at).join('/')).join(' or ')}, not ${quote(text)}`);
  // If there are fewer parts, they are the nearest parents.
  const near = members.slice(members.length - parts.length);
  for (const [at, it] of near.entries()) made[it] = parts[at];
  return made;
}
