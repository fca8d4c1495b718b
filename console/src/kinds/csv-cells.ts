// Columns of tables by the fields of a kind, and cells as values of items. The rules are those of `underlay apply --kind`.
import { inputOf, isOneOf } from './inputs.ts';
import { bareType, kindOf, valuesOf } from './registry.ts';
import type { Row } from './shape.ts';

export interface Column {
  name: string;
  /** The path of the value in the item. */
  path: string[];
  type: CellType;
}

interface CellType {
  /** The type of one value; `Labels.entry` and `JSON.entry` are values of maps. */
  of: string;
  list: boolean;
  /** The member of an object that holds each value of a list, such as `port` of cable ends. */
  member?: string;
}

/** Throws what continues a sentence that begins with the column. */
function refuse(reason: string): never {
  throw new Error(reason);
}

const MAPS = new Set(['Labels', 'TextMap', 'JSON']);
const isRef = (type: string): boolean => type.endsWith('Ref') && kindOf(type.slice(0, -3)) !== undefined;
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
    if (given === undefined) refuse(index === 0 ? `a ${kind} has no field ${quote(part)}. ${allowed}` : `${path.slice(0, index).join('.')} has no member ${quote(part)}. ${allowed}`);
    if (list) {
      if (path.length > index + 1) refuse(`${quote(name)} goes too far: ${path.slice(0, index + 1).join('.')} is written in one column`);
      return { name, path: path.slice(0, index), type: { of: bareType(given), list: true, member: part } };
    }
    [type, list] = [bareType(given), given.startsWith('[')];
  }
  if (type === 'Labels' || type === 'JSON') refuse(`${name} has entries: name one in each column, such as ${name}.env`);
  return { name, path, type: { of: type, list: list && !isParts(type) } };
}

/** True if values are written as JSON: a list of them is one JSON value. */
const isParts = (type: string): boolean => type === 'TextMap' || (!isRef(type) && Object.keys(inputOf(type)).length > 0);

/** The value of a cell; undefined if it is empty. */
export function valueOf(cell: string, { of, list, member }: CellType): unknown {
  const text = cell.trim();
  if (text === '') return undefined;
  if (text === 'null') return null;
  if (!list) return one(of, isText(of) ? cell : text);
  return text.split(';').map((it) => {
    if (!it.trim()) refuse('has an empty entry between two semicolons');
    const value = one(of, it.trim());
    return member ? { [member]: value } : value;
  });
}

const isText = (type: string): boolean => !['Int', 'Long', 'Revision', 'Float', 'Boolean', 'JSON.entry'].includes(type) && valuesOf(type).length === 0 && !isRef(type) && !isParts(type);

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
  if (isParts(type)) {
    const value = json(text);
    return typeof value === 'object' && value !== null ? value : refuse(`has parts: write it as JSON, or write its parts in columns with dots, not as ${quote(text)}`);
  }
  return text;
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

/** A name after as many of its parents as are needed (`ams1/A14`), an id, or JSON. */
function reference(type: string, text: string): Row {
  const kind = type.slice(0, -3);
  if (text.startsWith('{')) return (json(text) as Row | undefined) ?? refuse(`must be a reference to a ${kind}, which ${quote(text)} is not`);
  if (UUID.test(text)) return { id: text };
  const members = MEMBERS[type] ?? Object.keys(inputOf(type)).filter((it) => !OTHERS.has(it));
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
