// The space and power of the racks, by site; by room and row once everything is narrowed to a site.
import { Failure, narrow, narrowedTo, kindOf, number, useQuery } from '../shared.ts';
import { sumsOf } from './space-sums.ts';
import type { RackSpace } from './space-sums.ts';

const MOST = 1_000;
const DOCUMENT = `query Space($filter: RackFilter) { racks(filter: $filter, first: ${MOST}) { totalCount nodes {
  site { id name } location { id name } unitsUsed unitsFree largestFree powerDrawW { maximum unknown } powerRatedW
} } }`;

export function Space() {
  const rack = kindOf('Rack');
  const filter = rack ? narrow(rack, null, narrowedTo()) : null;
  const query = useQuery<{ racks: { totalCount: number; nodes: RackSpace[] } }>(DOCUMENT, { filter }, ['Rack', 'Device']);
  const racks = query.data.value?.racks;
  if (query.error.value) return <Failure error={query.error.value} again={() => void query.read()} />;
  if (!racks || racks.nodes.length === 0) return null;
  const sums = sumsOf(racks.nodes);
  return (
    <section aria-label="Space and power">
      <h2 class="sub">Space and power {racks.totalCount > racks.nodes.length && <span class="quiet">of the first {number(racks.nodes.length)} of {number(racks.totalCount)} racks: narrow it to a place</span>}</h2>
      <div class="counts-box" tabIndex={0} role="region" aria-label="Space and power as a table">
        <table class="units space">
          <thead><tr><th scope="col">Place</th><th scope="col" class="numeric">Racks</th><th scope="col">Taken</th><th scope="col" class="numeric">Units free</th><th scope="col" class="numeric">Largest run</th><th scope="col" class="numeric">Rated power</th><th scope="col" class="numeric">Most drawn</th></tr></thead>
          <tbody>
            {sums.map((it) => (
              <tr key={it.id}>
                <th scope="row"><a href={`/elevations?within=${it.id}`} title="Show its racks"><bdi>{it.name}</bdi></a></th>
                <td class="numeric">{number(it.racks)}</td>
                <td>
                  <span class="bar">
                    <b>{number(Math.round((100 * it.used) / Math.max(1, it.used + it.free)))} %</b>
                    <svg aria-hidden="true" viewBox="0 0 100 8" preserveAspectRatio="none"><rect class="bar-fill" width={(100 * it.used) / Math.max(1, it.used + it.free)} height="8" /></svg>
                  </span>
                </td>
                <td class="numeric">{number(it.free)} U</td>
                <td class="numeric">{number(it.largest)} U</td>
                <td class="numeric"><Power sum={it.rated} /></td>
                <td class="numeric"><Power sum={it.drawn} /></td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** A sum of power. What is not recorded is said, never taken for nothing. */
function Power({ sum }: { sum: { watts: number; unknown: boolean } | null }) {
  if (!sum) return <span class="quiet">not recorded</span>;
  return <>{sum.unknown ? 'at least ' : ''}{number(Math.round(sum.watts / 100) / 10)} kW</>;
}
