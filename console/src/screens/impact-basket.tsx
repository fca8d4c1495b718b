// The basket of the impact screen, and what is failed already.
import { EnumValue, Failure, kinds, number, pluralOf, segmentOf, setBasket, setParams, titleOf, useQuery } from '../shared.ts';
import type { Row } from '../kinds/shape.ts';
import { Picker } from '../parts/picker.tsx';
import { finder } from '../store/find.ts';
import type { Thing } from './things.ts';
import { ThingLink } from './thing.tsx';

const WITH_STATUS = kinds().filter((it) => it.fields.some((field) => field.name === 'status'));
const OBJECTS = `query Basket($ids: [ID!]!) { nodes(ids: $ids) { __typename id ... on Object { name }
  ${WITH_STATUS.map((it) => `... on ${it.name} { status_${it.name}: status }`).join(' ')} } }`;
const BY_STATUS = WITH_STATUS.filter((it) => it.fields.some((field) => field.name === 'status' && field.of === 'Status'));
const FAILED = `query FailedNow { ${BY_STATUS.map((it) => `${it.name}: ${it.list}(filter: {status: {in: [FAILED, OFFLINE]}}, first: 0) { totalCount }`).join(' ')} }`;

/** States in which an object is down before anything is thought to fail. */
const DOWN = new Set(['PLANNED', 'STAGED', 'OFFLINE', 'FAILED', 'RETIRED', 'DECOMMISSIONING']);
const find = finder();

export interface Held {
  id: string;
  /** Null if it does not exist any more. */
  thing: Thing | null;
  status: string | null;
}

/** The objects of the basket as they are now. */
export function useBasket(ids: string[]) {
  const query = useQuery<{ nodes: Array<Row | null> }>(OBJECTS, { ids }, 'all');
  const held = query.data.value?.nodes.map((it, at): Held => {
    const id = ids[at] ?? '';
    if (!it) return { id, thing: null, status: null };
    const kind = String(it.__typename);
    const name = String(it.name ?? id);
    return { id, thing: { id, name, kind, path: `${kind}/${name}` }, status: (it[`status_${kind}`] as string | undefined) ?? null };
  });
  return { held: held ?? null, error: query.error.value };
}

export function Basket({ ids, held }: { ids: string[]; held: Held[] | null }) {
  const keep = (next: string[]): void => { setBasket(next); setParams({ of: next }); };
  return (
    <section class="basket" aria-label="What fails">
      <h2>If these fail together</h2>
      <Picker label="Add an object" placeholder="Name, serial, address…" find={find} onPick={(it) => keep([...new Set([...ids, it.id])])} />
      {ids.length === 0 && <p class="quiet">The basket is empty. Search above, or press <kbd>i</kbd> on any object or row.</p>}
      <ul>
        {(held ?? []).map((it) => (
          <li key={it.id}>
            <span class="basket-item">
              {it.thing ? <ThingLink it={it.thing} /> : <span class="quiet">An object that does not exist any more</span>}
              {it.status && DOWN.has(it.status) && <span class="basket-note"><EnumValue field="status" value={it.status} /> <span class="quiet">down already: adds nothing</span></span>}
            </span>
            <button type="button" class="plain" aria-label={`Remove ${it.thing ? `${titleOf(it.thing.kind).toLowerCase()} ${it.thing.name}` : 'it'}`} onClick={() => keep(ids.filter((one) => one !== it.id))}>✕</button>
          </li>
        ))}
      </ul>
      {ids.length > 1 && <button type="button" onClick={() => keep([])}>Empty the basket</button>}
    </section>
  );
}

/** The objects that fail before anything else does: the impact counts from there. */
export function FailedNow() {
  const query = useQuery<Record<string, { totalCount: number } | null>>(FAILED, {}, BY_STATUS.map((it) => it.name));
  const some = BY_STATUS.map((kind) => ({ kind, count: query.data.value?.[kind.name]?.totalCount ?? 0 })).filter((it) => it.count > 0);
  return (
    <section class="basket" aria-label="Failed already">
      <h2>Failed already</h2>
      {query.error.value && <Failure error={query.error.value} />}
      {query.data.value && some.length === 0 && <p class="quiet">Nothing is failed or offline.</p>}
      <ul>
        {some.map(({ kind, count }) => (
          <li key={kind.name}><a href={`/${segmentOf(kind)}?status.in=FAILED&status.in=OFFLINE`}>{pluralOf(kind.name)}</a><b>{number(count)}</b></li>
        ))}
      </ul>
      {some.length > 0 && <p class="quiet">The impact starts from here: what is down now is not counted again.</p>}
    </section>
  );
}
