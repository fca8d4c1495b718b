// Names of objects by their id, read in batches when they are first asked for.
import { signal } from '@preact/signals';
import { joined } from '../kinds/format.ts';
import { nameOf } from '../parts/value.tsx';
import { kinds, nameSelection, parentsOf } from '../kinds/registry.ts';
import type { Row } from '../kinds/shape.ts';
import { ask } from '../server/ask.ts';
import { asRefused } from '../server/refused.ts';
import type { Refused } from '../server/refused.ts';

const known = signal<ReadonlyMap<string, string>>(new Map());
const gone = signal<ReadonlySet<string>>(new Set());
const asked = new Set<string>();
let waiting: string[] = [];
const AT_ONCE = 500;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
const DOCUMENT = `query Names($ids: [ID!]!) { nodes(ids: $ids) { id ${kinds().map((it) => `... on ${it.name} { ${nameSelection(it.name)} }`).join(' ')} } }`;

/** The name, or undefined until it is there. What reads it in a component is drawn again. */
export function nameById(id: string): string | undefined {
  if (!asked.has(id)) {
    asked.add(id);
    if (waiting.length === 0) setTimeout(read, 20);
    waiting.push(id);
  }
  return known.value.get(id);
}

/** True if there is no object of this id that one may see, as far as that is known. */
export function isGone(id: string): boolean {
  void nameById(id);
  return gone.value.has(id);
}

/** The name of a changed object, with the parents that tell it from others of its name as far as they are known. */
export function nameOfChange(it: { kind: string; objectId: string; name: string; before?: unknown; after?: unknown }): string {
  const parents = parentsOf(it.kind);
  if (parents.length === 0) return it.name;
  const fields = { ...(it.before as Row | null), ...(it.after as Row | null) };
  const names = parents.flatMap((parent) => (typeof fields[parent] === 'string' ? nameById(fields[parent]) ?? [] : []));
  return nameById(it.objectId) ?? joined([...names, it.name]);
}

function read(): void {
  const ids = waiting.slice(0, AT_ONCE);
  waiting = waiting.slice(AT_ONCE);
  if (waiting.length > 0) setTimeout(read, 20);
  ask<{ nodes: Array<Row | null> }>(DOCUMENT, { ids }).then(({ data }) => {
    const next = new Map(known.value);
    for (const it of data.nodes) if (it) next.set(String(it.id), nameOf(String(it.__typename), it));
    known.value = next;
    const missing = ids.filter((it) => !next.has(it));
    if (missing.length > 0) gone.value = new Set([...gone.value, ...missing]);
  }, (error) => refuse(ids, asRefused(error)));
}

/** Leaves out a text that is no id, because it makes the whole batch fail. Other failed ids are read again later. */
function refuse(ids: string[], error: Refused): void {
  const wrong = error.code === 'INVALID' ? ids.filter((it) => !UUID.test(it)) : [];
  if (wrong.length > 0) gone.value = new Set([...gone.value, ...wrong]);
  for (const id of ids) if (!wrong.includes(id)) asked.delete(id);
}
