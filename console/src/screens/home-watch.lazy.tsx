// The lists on the home screen: sources and hosts that need somebody, and the worst single points of each site.
import { EnumValue, Failure, impactPath, nameById, narrowedTo, number, pathOf, placeFilter, since, useQuery } from '../shared.ts';
import { healthWords } from './source-words.ts';
import { ThingLink } from './thing.tsx';
import { thingOf, REPORTED } from './things.ts';
import type { Reported } from './things.ts';

export { Lately } from './home-lately.tsx';
export { Space } from './home-space.tsx';

const BEHIND = `{ sources(filter: {health: {in: [HELD, FAILING, STALE, NEVER]}}, first: 20) { totalCount nodes { id name health lastSuccessAt } }
  hosts(filter: {state: {eq: FAILED}}, first: 20) { totalCount nodes { id name failure { reason message } } } }`;
const SITES = 'query Sites($place: SiteFilter!) { sites(filter: {and: [{status: {eq: ACTIVE}}, $place]}, first: 12) { nodes { id name } } }';
const WORST = 4;
/** Whole places contain the others: what stands out is in them. */
const PLACES = new Set(['Region', 'Site', 'Location']);
const ASKED = 60;

interface Behind {
  sources: { totalCount: number; nodes: Array<{ id: string; name: string; health: string; lastSuccessAt: string | null }> };
  hosts: { totalCount: number; nodes: Array<{ id: string; name: string; failure: { reason: string; message: string } | null }> };
}
interface Site { id: string; name: string }
type Point = Reported & { count: number };

/** Sources that are behind and hosts that failed; nothing if there are none. */
export function Attention() {
  const query = useQuery<Behind>(BEHIND, {}, ['Source', 'Host']);
  const it = query.data.value;
  if (query.error.value) return <Failure error={query.error.value} />;
  if (!it || it.sources.totalCount + it.hosts.totalCount === 0) return null;
  return (
    <div class="cards watch">
      {it.sources.totalCount > 0 && (
        <section class="card" aria-label="Sources behind">
          <h2>Sources behind <span class="count">{number(it.sources.totalCount)}</span></h2>
          <ul>
            {it.sources.nodes.map((one) => (
              <li key={one.id}>
                <a href={`/sources-board?source=${encodeURIComponent(one.name)}`} title={healthWords(one.health)}><bdi>{one.name}</bdi><EnumValue field="health" value={one.health} /></a>
                <p class="quiet">{one.lastSuccessAt ? `read ${since(one.lastSuccessAt)}` : 'never read'}</p>
              </li>
            ))}
          </ul>
        </section>
      )}
      {it.hosts.totalCount > 0 && (
        <section class="card" aria-label="Failed hosts">
          <h2><a href="/hosts-board?state=FAILED">Failed hosts</a> <span class="count">{number(it.hosts.totalCount)}</span></h2>
          <ul>{it.hosts.nodes.map((one) => <li key={one.id}><a href={pathOf('Host', one as never)}><bdi>{one.name}</bdi><b>{one.failure?.reason}</b></a><p class="quiet">{one.failure?.message}</p></li>)}</ul>
        </section>
      )}
    </div>
  );
}

/** The worst single points of failure of each site. */
export function SinglePoints() {
  const place = narrowedTo();
  const query = useQuery<{ sites: { nodes: Site[] } }>(SITES, { place: placeFilter('Site', place) ?? {} }, ['Site']);
  const found = query.data.value?.sites.nodes ?? [];
  // A room or a rack has no site in it, and is looked at by itself.
  const sites = query.data.value && found.length === 0 && place ? [{ id: place, name: nameById(place) ?? '…' }] : found;
  if (query.error.value) return <Failure error={query.error.value} />;
  return sites.length > 0 ? <Worst sites={sites} key={sites.map((it) => it.id).join()} /> : null;
}

/** The worst objects in each site. The answer is large work for the server, so it is not followed. */
function Worst({ sites }: { sites: Site[] }) {
  const text = `query Worst(${sites.map((_, at) => `$s${at}: ID!`).join(', ')}) { ${sites.map((_, at) => `s${at}: singlePointsOfFailure(within: $s${at}, first: ${ASKED}) { ${REPORTED} count }`).join(' ')} }`;
  const query = useQuery<Record<string, Point[] | null>>(text, Object.fromEntries(sites.map((it, at) => [`s${at}`, it.id])), []);
  return (
    <section aria-label="Single points of failure by place">
      <h2 class="sub">Single points of failure by place <button type="button" class="plain" disabled={query.waiting.value} onClick={() => void query.read()}>{query.waiting.value ? 'Working it out…' : 'Look again'}</button></h2>
      {query.error.value && <Failure error={query.error.value} />}
      {query.data.value && (
        <div class="cards watch">
          {sites.map((site, at) => {
            const points = (query.data.value?.[`s${at}`] ?? []).filter((it) => !PLACES.has(it.kind)).slice(0, WORST);
            return (
              <section class="card" key={site.id} aria-label={site.name}>
                <h2><a href={`/single-points?within=${site.id}`}><bdi>{site.name}</bdi></a></h2>
                <ul>
                  {points.map((it) => <li class="watch-point" key={it.node.id}><ThingLink it={thingOf(it)} /><a href={impactPath([it.node.id])}>takes {number(it.count)}</a></li>)}
                  {points.length === 0 && <li class="quiet">none</li>}
                </ul>
              </section>
            );
          })}
        </div>
      )}
    </section>
  );
}
