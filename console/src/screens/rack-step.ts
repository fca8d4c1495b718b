// The racks before and after one, in the order of their row.
import { ask, asRefused, go, pathOf, say, url } from '../shared.ts';
import type { Row } from '../shared.ts';
import { inOrder } from './rack-data.ts';
import type { Rack } from './rack-data.ts';

const MOST = 1_000;
const DOCUMENT = `query Row($filter: RackFilter) { racks(filter: $filter, first: ${MOST}, orderBy: {by: KEY}) { nodes { __typename id name site { __typename id name } location { id name } } } }`;

/** Goes to the elevation of the rack that stands some places further in the same row or room, and shows it in the same way. */
export async function stepRack(rack: Rack, by: number): Promise<void> {
  const filter = rack.location ? { location: { id: { eq: rack.location.id } } } : { site: { id: { eq: rack.site.id } }, location: { isNull: true } };
  try {
    const row = inOrder((await ask<{ racks: { nodes: Rack[] } }>(DOCUMENT, { filter })).data.racks.nodes);
    const next = row[row.findIndex((it) => it.id === rack.id) + by];
    if (!next) return say(by > 0 ? 'This is the last rack of its row.' : 'This is the first rack of its row.');
    const params = new URLSearchParams(url.value.search);
    params.delete('device');
    go(`${pathOf('Rack', next as unknown as Row)}/elevation?${params}`, 'replace');
  } catch (error) {
    say(asRefused(error).message);
  }
}
