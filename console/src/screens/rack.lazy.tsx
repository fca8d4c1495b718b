// Racks as drawings: one with both of its faces, or a row of those that a filter finds.
import { Failure, filterOf, kindOf, lazy, narrow, narrowedTo, pathOf, trail, Unfit, unfitOf, url, useEffect, useQuery, useResolved } from '../shared.ts';
import type { Kind } from '../shared.ts';
import { inOrder, RACKS, rackOf } from './rack-data.ts';
import type { RacksAnswer } from './rack-data.ts';
import { Elevations } from './rack-elevations.tsx';
import { askedOf, useLit } from './rack-impact.ts';

const Gone = lazy<{ kind: Kind; rest: string[] }>(async () => (await import('./detail.lazy.tsx')).Gone);
const TOUCHED = ['Rack', 'Device'];

/** One rack, by the names of its address. */
export function RackScreen({ rest }: { rest: string[] }) {
  const kind = kindOf('Rack');
  if (!kind) return null;
  const found = useResolved(kind, rest);
  if (found.error) return <Failure error={found.error} />;
  if (found.waiting) return <p class="waiting">Reading…</p>;
  if (!found.id) return <Gone kind={kind} rest={rest} />;
  return <One id={found.id} key={found.id} />;
}

function One({ id }: { id: string }) {
  const query = useQuery<RacksAnswer>(RACKS, { filter: { id: { eq: id } }, after: null }, TOUCHED);
  const row = query.data.value?.racks.nodes[0];
  const { lit } = useLit();
  useEffect(() => {
    if (!row) return undefined;
    trail.value = [{ name: row.name, path: pathOf('Rack', { ...row }) }, { name: 'Elevation', path: url.value.pathname }];
    document.title = `${row.name} · Elevation · Underlay`;
    return () => { trail.value = []; };
  }, [row?.name]);
  if (!query.data.value) return query.error.value ? <Failure error={query.error.value} again={() => void query.read()} /> : <p class="waiting">Reading…</p>;
  const kind = kindOf('Rack');
  if (!row) return kind ? <Gone kind={kind} rest={[id]} /> : null;
  return <Elevations racks={[rackOf(row)]} lit={lit} total={1} single title={row.name} next={null} error={query.error.value} />;
}

/** The racks that the address asks for, in the words of the list's filters. */
export function RowScreen() {
  const kind = kindOf('Rack');
  const params = url.value.searchParams;
  const unfit = kind ? unfitOf(kind, params, OWN) : [];
  const { lit, error } = useLit();
  const own = kind ? filterOf(kind, filtersIn(params)) : null;
  // An impact is shown in the racks that it reaches, unless the address asks for others.
  const reached = lit && !own ? { id: { in: lit.racks } } : own;
  const filter = kind ? narrow(kind, reached, narrowedTo()) : null;
  const wait = askedOf().length > 0 && !lit && !own;
  const query = useQuery<RacksAnswer>(wait ? '{ revision }' : RACKS, wait ? {} : { filter, after: params.get('after') }, TOUCHED);
  const answer = query.data.value?.racks;
  useEffect(() => { document.title = 'Elevations · Underlay'; }, []);
  if (unfit.length > 0) return <Unfit title="Elevations" unfit={unfit} />;
  if (error && !lit) return <Failure error={error} />;
  if (!answer) return query.error.value ? <Failure error={query.error.value} again={() => void query.read()} /> : <p class="waiting">Reading…</p>;
  return (
    <Elevations
      racks={inOrder(answer.nodes.map(rackOf))} lit={lit} total={answer.totalCount} single={false} title="Elevations" error={query.error.value}
      next={answer.pageInfo.hasNextPage ? answer.pageInfo.endCursor : null}
    />
  );
}

/** Parameters that say how racks are drawn. */
const OWN = ['by', 'ports', 'retired', 'view', 'face', 'device', 'after', 'of'];

/** The search and the selection in the drawing are of devices, and no filter of racks. */
function filtersIn(params: URLSearchParams): URLSearchParams {
  const copy = new URLSearchParams(params);
  for (const name of ['q', 'device', 'of']) copy.delete(name);
  return copy;
}
