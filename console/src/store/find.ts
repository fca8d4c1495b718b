// The search of the API, for fields that take one object. Lazily loaded screens bundle it.
import { ask, titleOf } from '../shared.ts';
import type { Choice } from '../parts/picker.tsx';

interface Hit {
  kind: string;
  path: string;
  field: string;
  text: string;
  node: { id: string; name?: string };
}

const DOCUMENT = `query Find($text: String!, $kinds: [String!]) { search(text: $text, kinds: $kinds, first: 12) {
  kind path field text node { id ... on Object { name } }
} }`;

/** A search over some kinds, or over all. */
export function finder(kinds?: string[]): (text: string, abort: AbortSignal) => Promise<Choice[]> {
  return async (text, abort) => {
    const found = (await ask<{ search: Hit[] | null }>(DOCUMENT, { text, kinds: kinds ?? null }, abort)).data.search ?? [];
    return found.map((it) => {
      const where = it.path.slice(it.path.indexOf('/') + 1);
      const by = it.field === 'name' ? '' : ` · ${it.field} ${it.text}`;
      return { id: it.node.id, title: it.node.name ?? where, detail: `${titleOf(it.kind)} · ${where}${by}` };
    });
  };
}
