// The impact of a basket on the devices that are drawn: the same set that the impact screen explains, lit up in racks.
import { ask, asRefused, impactPath, setBasket, url, useEffect, useMemo, useQuery, useState } from '../shared.ts';
import type { Refused } from '../shared.ts';
import type { Rack } from './rack-data.ts';
import type { Effect } from './reasons.ts';

const PAGE = 1_000;
const DOCUMENT = `query Lit($of: [ID!]!, $after: String) {
  nodes(ids: $of) { __typename id ... on Device { rack { id } } }
  impact(of: $of) { affected(kinds: ["Device"], first: ${PAGE}, after: $after) { pageInfo { hasNextPage endCursor } nodes { effect node { id ... on Device { rack { id } } } } } }
}`;

/** The effect on an object of the basket: it fails by itself. */
export const FAILS = 'FAILS';
export type Light = Effect | typeof FAILS;

interface Node { __typename?: string; id: string; rack?: { id: string } | null }
interface Affected { effect: Effect; node: Node }
interface Answer {
  nodes: Array<Node | null>;
  impact: { affected: { pageInfo: { hasNextPage: boolean; endCursor: string | null }; nodes: Affected[] } };
}

export interface Lit {
  /** The effect on each device that is affected, by its id. */
  effects: ReadonlyMap<string, Light>;
  /** The ids of the racks that hold one of them or fail themselves. */
  racks: string[];
  /** False while further pages are read: more devices may be affected. */
  whole: boolean;
  /** The reason why further pages are missing; null if none is. */
  error: Refused | null;
}

export const askedOf = (): string[] => url.value.searchParams.getAll('of');

/** The part of an address that keeps the impact lit. */
export const keptOf = (): string => impactPath(askedOf()).slice('/impact'.length);

/** The impact of the objects that the address names; null while there are none, or before it is worked out. */
export function useLit(): { lit: Lit | null; error: Refused | null } {
  const of = askedOf();
  const asked = of.join();
  const query = useQuery<Answer>(of.length > 0 ? DOCUMENT : '{ revision }', of.length > 0 ? { of, after: null } : {}, of.length > 0 ? 'all' : []);
  const answer = of.length > 0 ? query.data.value : null;
  const [rest, setRest] = useState<{ of: Answer | null; nodes: Affected[]; error: Refused | null }>({ of: null, nodes: [], error: null });
  // A link adds to the same basket.
  useEffect(() => { if (of.length > 0) setBasket(of); }, [asked]);
  useEffect(() => {
    const abort = new AbortController();
    const read = async (): Promise<void> => {
      const nodes: Affected[] = [];
      for (let info = answer?.impact.affected.pageInfo; info?.hasNextPage && !abort.signal.aborted;) {
        const { data }: { data: Answer } = await ask<Answer>(DOCUMENT, { of, after: info.endCursor }, abort.signal);
        nodes.push(...data.impact.affected.nodes);
        info = data.impact.affected.pageInfo;
      }
      if (!abort.signal.aborted && nodes.length > 0) setRest({ of: answer, nodes, error: null });
    };
    read().catch((error: unknown) => { if (!abort.signal.aborted) setRest({ of: answer, nodes: [], error: asRefused(error) }); });
    return () => abort.abort();
  }, [answer]);
  const lit = useMemo(() => (answer ? litOf(answer, rest.of === answer ? rest : null) : null), [answer, rest]);
  return { lit, error: query.error.value };
}

function litOf(answer: Answer, rest: { nodes: Affected[]; error: Refused | null } | null): Lit {
  const own = answer.nodes.flatMap((it) => (it ? [it] : []));
  const affected = [...answer.impact.affected.nodes, ...rest?.nodes ?? []];
  const effects = new Map<string, Light>([
    ...affected.map((it) => [it.node.id, it.effect] as const),
    ...own.filter((it) => it.__typename === 'Device').map((it) => [it.id, FAILS] as const),
  ]);
  const racks = [...own.filter((it) => it.__typename === 'Rack'), ...[...own, ...affected.map((it) => it.node)].flatMap((it) => it.rack ?? [])];
  const whole = !answer.impact.affected.pageInfo.hasNextPage || rest !== null;
  return { effects, racks: [...new Set(racks.map((it) => it.id))], whole, error: rest?.error ?? null };
}

/** A rack whose devices know what happens to them. */
export const withLight = (rack: Rack, lit: Lit | null): Rack =>
  (lit ? { ...rack, devices: rack.devices.map((it) => ({ ...it, effect: lit.effects.get(it.id) ?? null })) } : rack);
