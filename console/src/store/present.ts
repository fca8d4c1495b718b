// Objects as items: what a form begins with, and what a conflict compares.
import type { Present } from '../kinds/compare.ts';
import { inputsOf } from '../kinds/inputs.ts';
import { fieldOf, kindOf } from '../kinds/registry.ts';
import type { Row } from '../kinds/shape.ts';
import { ask } from '../server/ask.ts';

const NODES_AT_ONCE = 1_000;

/** Reads objects by their ids, a thousand with each request. `report` is called with the number that were found. */
export async function nodesOf<T extends { id: string }>(document: string, ids: string[], report?: (count: number) => void): Promise<Map<string, T>> {
  const found = new Map<string, T>();
  for (let at = 0; at < ids.length; at += NODES_AT_ONCE) {
    const { data } = await ask<{ nodes: Array<T | null> }>(document, { ids: ids.slice(at, at + NODES_AT_ONCE) });
    for (const it of data.nodes) if (it) found.set(it.id, it);
    report?.(found.size);
  }
  return found;
}

/** Reads the objects of a kind, with who holds their fields if that is asked for. */
export async function presentOf(kind: string, ids: string[], holders: boolean, report?: (count: number) => void): Promise<Map<string, Present>> {
  const known = kindOf(kind);
  // `item` leaves defaults out; single values have them.
  const plain = known ? inputsOf(known).map((it) => it.name).filter((it) => ['scalar', 'enum'].includes(fieldOf(known, it)?.is ?? '')) : [];
  const document = `query Present($ids: [ID!]!) { nodes(ids: $ids) { id ... on Object { name version item ${holders ? 'managers { field type manager since }' : ''} } ... on ${kind} { ${['id', ...plain].join(' ')} } } }`;
  const rows = await nodesOf<Present & Row>(document, ids, report);
  return new Map([...rows].map(([id, row]) => {
    const { name, version, managers = [] } = row;
    const item = { ...Object.fromEntries(plain.map((it) => [it, row[it]])), ...row.item };
    return [id, { id, name, version, managers, item }];
  }));
}
