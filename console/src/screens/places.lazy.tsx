// The place that everything is narrowed to: what contains it, what is beneath it, and a search over all places.
import { Failure, number, titleOf, useQuery } from '../shared.ts';
import { Picker } from '../parts/picker.tsx';
import { finder } from '../store/find.ts';

const find = finder(['Region', 'Site', 'Location', 'Rack']);
const MOST = 60;
const PLACE = '__typename id name';
const UPWARDS = `${PLACE} parent { ${PLACE} parent { ${PLACE} parent { ${PLACE} } } }`;
const SITE = `site { ${PLACE} region { ${UPWARDS} } }`;
const ABOVE = `query Above($id: ID!) { node(id: $id) { __typename id
  ... on Region { ${UPWARDS} } ... on Site { name region { ${UPWARDS} } } ... on Location { ${UPWARDS} ${SITE} } ... on Rack { name location { ${UPWARDS} } ${SITE} }
} }`;

interface Place { __typename: string; id: string; name: string }
type Up = Place & { parent?: Up | null; region?: Up | null; site?: Up | null; location?: Up | null };
type Lists = Record<string, { totalCount: number; nodes: Place[] }>;

/** A place with those that contain it, from the outside in. */
function chainOf(it: Up | null | undefined): Up[] {
  if (!it) return [];
  return [...chainOf(it.region ?? it.site), ...chainOf(it.location ?? it.parent), it];
}

/** The lists of what stands directly beneath a place, each with its filter. Everywhere has all sites, which are few. */
function beneath(it: Place | undefined): Array<[list: string, kind: string, filter: object]> {
  const own = { id: { eq: it?.id } };
  const outermost = { isNull: true };
  if (!it) return [['sites', 'Site', {}], ['regions', 'Region', { parent: outermost }]];
  if (it.__typename === 'Region') return [['regions', 'Region', { parent: own }], ['sites', 'Site', { region: own }]];
  if (it.__typename === 'Site') return [['locations', 'Location', { site: own, parent: outermost }], ['racks', 'Rack', { site: own, location: outermost }]];
  return it.__typename === 'Location' ? [['locations', 'Location', { parent: own }], ['racks', 'Rack', { location: own }]] : [];
}

export interface PlacesProps {
  chosen: string | null;
  onChoose(id: string | null): void;
}

export function Places({ chosen, onChoose }: PlacesProps) {
  const above = useQuery<{ node: Up | null }>(chosen ? ABOVE : '{ revision }', chosen ? { id: chosen } : {}, []);
  const chain = chainOf(chosen ? above.data.value?.node : null);
  const known = !chosen || above.data.value !== null;
  return (
    <div class="places">
      <Picker label="Show only what is in" placeholder="A region, site, location or rack" find={find} onPick={(it) => onChoose(it.id)} />
      <ol aria-label="Chosen">
        <li><button type="button" class="plain" aria-pressed={!chosen} onClick={() => onChoose(null)}>Everywhere</button></li>
        {chain.map((it) => <li key={it.id}><Choice place={it} chosen={chosen} onChoose={onChoose} /></li>)}
      </ol>
      {above.error.value && <Failure error={above.error.value} />}
      {known && <Beneath of={chain.at(-1)} onChoose={onChoose} key={chosen} />}
    </div>
  );
}

function Beneath({ of, onChoose }: { of: Place | undefined; onChoose(id: string): void }) {
  const lists = beneath(of);
  const text = `query Places(${lists.map(([list, kind]) => `$${list}: ${kind}Filter`).join(', ')}) { revision ${lists.map(([list]) => `${list}(filter: $${list}, first: ${MOST}, orderBy: {by: NAME}) { totalCount nodes { ${PLACE} } }`).join(' ')} }`;
  const query = useQuery<Lists>(lists.length > 0 ? text : '{ revision }', Object.fromEntries(lists.map(([list, , filter]) => [list, filter])), []);
  if (query.error.value) return <Failure error={query.error.value} />;
  return (
    <ul aria-label="Beneath it">
      {lists.flatMap(([list]) => {
        const { nodes = [], totalCount = 0 } = query.data.value?.[list] ?? {};
        return [
          ...nodes.map((it) => <li key={it.id}><Choice place={it} chosen={null} onChoose={onChoose} /></li>),
          ...(totalCount > nodes.length ? [<li key={list} class="quiet">{number(totalCount - nodes.length)} more: search above</li>] : []),
        ];
      })}
    </ul>
  );
}

function Choice({ place, chosen, onChoose }: { place: Place; chosen: string | null; onChoose(id: string): void }) {
  return (
    <button type="button" class="plain" aria-pressed={place.id === chosen} onClick={() => onChoose(place.id)}>
      <span class="thing-kind">{titleOf(place.__typename)}</span> <bdi>{place.name}</bdi>
    </button>
  );
}
