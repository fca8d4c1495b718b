// The impact of a basket that was kept, to compare another one with it.
import { Failure, number, setBasket, setParams, useQuery } from '../shared.ts';
import { useBasket } from './impact-basket.tsx';
import type { Count } from './reasons.ts';
import { ThingLink } from './thing.tsx';

const MOST = 1_000;
const DOCUMENT = `query Kept($of: [ID!]!) { impact(of: $of) { counts { kind effect count } affected(first: ${MOST}) { totalCount nodes { node { id } } } } }`;
interface Answer { impact: { counts: Count[]; affected: { totalCount: number; nodes: Array<{ node: { id: string } }> } } }

export interface Kept {
  counts: Count[];
  /** The ids of all that is affected; null if there are too many to say. */
  ids: ReadonlySet<string> | null;
}

/** The impact of the kept basket; null if there is none, or before it is worked out. */
export function useKept(vs: string[]): Kept | null {
  const query = useQuery<Answer>(vs.length > 0 ? DOCUMENT : '{ revision }', vs.length > 0 ? { of: vs } : {}, vs.length > 0 ? 'all' : []);
  const answer = vs.length > 0 ? query.data.value?.impact : undefined;
  if (!answer) return null;
  const { nodes, totalCount } = answer.affected;
  return { counts: answer.counts, ids: totalCount > nodes.length ? null : new Set(nodes.map((it) => it.node.id)) };
}

/** The basket that is compared, and the buttons that begin and end the comparison. */
export function Compared({ ids, vs }: { ids: string[]; vs: string[] }) {
  const { held, error } = useBasket(vs);
  if (vs.length === 0) {
    if (ids.length === 0) return null;
    return (
      <section class="basket" aria-label="Compare">
        <h2>Compare</h2>
        <p class="quiet">Keep this basket, then change it: the numbers show what differs.</p>
        <button type="button" onClick={() => setParams({ vs: ids })}>Keep to compare</button>
      </section>
    );
  }
  return (
    <section class="basket" aria-label="Compared with">
      <h2>Compared with</h2>
      {error && <Failure error={error} />}
      <ul>{(held ?? []).map((it) => <li key={it.id}><span class="basket-item">{it.thing ? <ThingLink it={it.thing} /> : <span class="quiet">An object that does not exist any more</span>}</span></li>)}</ul>
      <div class="pane-actions">
        <button type="button" onClick={() => { setBasket(vs); setParams({ of: vs, vs: ids }); }}>Exchange</button>
        <button type="button" onClick={() => setParams({ vs: null })}>Do not compare</button>
      </div>
    </section>
  );
}

/** The difference of a number from that of the kept basket: `+3`, `−3`, or nothing. */
export function Difference({ by }: { by: number }) {
  if (by === 0) return null;
  const text = `${by > 0 ? '+' : '−'}${number(Math.abs(by))}`;
  return <span class={by > 0 ? 'difference more' : 'difference less'} title={`${number(Math.abs(by))} ${by > 0 ? 'more' : 'fewer'} than in the kept basket`}>{text}</span>;
}
