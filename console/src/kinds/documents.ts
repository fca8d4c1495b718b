// The queries of lists and single objects, made from the registry.
import { HAS, columnsOf, fieldOf, keyOf, nameSelection, selectionOf } from './registry.ts';
import type { Kind } from './shape.ts';

/** The list of another object, such as the devices of a rack. */
export interface ListOf {
  kind: string;
  id: string;
  field: string;
}

export function rowSelection(kind: Kind, columns: string[]): string {
  const fields = columns.map((it) => fieldOf(kind, it)).filter((it) => it !== undefined);
  return `${nameSelection(kind.name)} version ${fields.map((it) => selectionOf(it)).join(' ')}`;
}

export function listDocument({ kind, of }: { kind: Kind; of?: ListOf }, selection: string): string {
  const skip = HAS.skip ? { declared: ', $skip: Int', given: ', skip: $skip' } : { declared: '', given: '' };
  const args = `filter: $filter, orderBy: $order, first: $first, after: $after, pin: $pin, atRevision: $at${skip.given}`;
  const types = `$filter: ${kind.name}Filter, $order: ${kind.name}Order, $first: Int, $after: String, $pin: Boolean, $at: Revision${skip.declared}`;
  const list = (field: string): string => `rows: ${field}(${args}) { ${selection} }`;
  if (!of) return `query List(${types}) { ${list(kind.list)} }`;
  return `query ListOf($id: ID!, ${types}) { node(id: $id) { ... on ${of.kind} { ${list(of.field)} } } }`;
}

export function objectDocument(kind: Kind): string {
  const fields = columnsOf(kind).map((it) => selectionOf(it)).join(' ');
  return `query Object($id: ID!) { node(id: $id) { ... on ${kind.name} {
    ${nameSelection(kind.name)} attributes managers { field type manager since } ${fields}
  } } }`;
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** The query that finds an object by the segments of its address: its id, or the names of its key. */
export function lookupDocument(kind: Kind, rest: string[]): { document: string; variables: Record<string, string> } {
  if (rest.length === 1 && UUID.test(rest[0] ?? '')) {
    return { document: `query Find($id: ID!) { found: node(id: $id) { ... on ${kind.name} { id } } }`, variables: { id: rest[0] ?? '' } };
  }
  const key = keyOf(kind.name) ?? [];
  const names = [...key.slice(Math.max(0, key.length - rest.length + 1)), 'name'];
  const values = rest.slice(-names.length);
  const variables = Object.fromEntries(names.map((it, at) => [it, values[at] ?? '']));
  const declared = names.map((it) => `$${it}: String${it === 'name' ? '!' : ''}`).join(', ');
  return { document: `query Find(${declared}) { found: ${kind.one}(${names.map((it) => `${it}: $${it}`).join(', ')}) { id } }`, variables };
}

/** The query for the caller, for servers that support it. */
export const VIEWER = '{ viewer { actor roles tenant source expires may { field allowed needs } } }';

/** The query for the number of objects of a list by the value of a field, for servers that count them. */
export function facetDocument(source: { kind: Kind; of?: ListOf }, field: string): string {
  return listDocument(source, `facets(by: ["${field}"]) { counts { value count } more }`);
}
