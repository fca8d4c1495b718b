// Everything anywhere beneath a place, by kind, as links to filtered lists.
import { filterFields, kinds, listPath, number, pluralOf, useQuery } from '../shared.ts';

/** The kinds whose filter knows `within`. */
const INSIDE = kinds().filter((it) => filterFields(`${it.name}Filter`).within === 'ID');
/** The kinds that something can be beneath. */
export const PLACES = new Set(['Region', 'Site', 'Location', 'Rack']);
const DOCUMENT = `query Beneath($id: ID!) { ${INSIDE.map((it) => `${it.name}: ${it.list}(filter: {within: $id}, first: 0) { totalCount }`).join(' ')} }`;

export function Beneath({ id }: { id: string }) {
  const query = useQuery<Record<string, { totalCount: number } | null>>(DOCUMENT, { id }, []);
  const found = INSIDE.flatMap((kind) => {
    const count = query.data.value?.[kind.name]?.totalCount ?? 0;
    return count > 0 ? [{ kind, count }] : [];
  });
  if (found.length === 0) return null;
  return (
    <nav class="beneath" aria-label="Anywhere beneath">
      <span class="quiet">Anywhere beneath:</span>
      <ul>{found.map(({ kind, count }) => <li key={kind.name}><a href={`${listPath(kind)}?within=${id}`}>{pluralOf(kind.name)} <b>{number(count)}</b></a></li>)}</ul>
    </nav>
  );
}
