// The changes since the last visit.
import { EnumValue, Failure, idOrPath, lastRevision, nameOfChange, narrowedTo, number, revision, since, titleOf, useEffect, useQuery, useState } from '../shared.ts';
import type { Change } from '../shared.ts';

const ASKED = 200;
const CHANGES = `query Lately($filter: ChangeFilter) { changes(filter: $filter, first: ${ASKED}) {
  nodes { revision position kind objectId name operation actor at }
} }`;
const SHOWN = 15;

/** Changes of one revision, kind and operation stand together. */
function alike(changes: Change[]): Array<{ first: Change; more: number }> {
  const groups = new Map<string, { first: Change; more: number }>();
  for (const it of changes) {
    const key = `${it.revision} ${it.kind} ${it.operation}`;
    const found = groups.get(key);
    if (found) found.more += 1;
    else groups.set(key, { first: it, more: 0 });
  }
  return [...groups.values()];
}

export function Lately() {
  const [last] = useState(lastRevision);
  const [from, setFrom] = useState(last);
  const query = useQuery<{ changes: { nodes: Change[] } | null }>(CHANGES, { filter: from > 0 ? { fromRevision: from + 1 } : {} }, 'all');
  const nodes = query.data.value?.changes?.nodes ?? [];
  const groups = alike(nodes);
  // A server with a new history is not as far as this browser remembers.
  useEffect(() => { if (last > revision.value && revision.value > 0) setFrom(0); }, [last, revision.value]);
  // A tenant may not read the change log, which covers all tenants.
  if (query.error.value?.code === 'FORBIDDEN') return null;
  return (
    <section aria-label="Changes">
      <h2 class="sub">{from > 0 ? `Since you were last here, at revision ${from}` : 'The latest changes'}{narrowedTo() && <span class="quiet"> in all places</span>}</h2>
      {query.error.value && <Failure error={query.error.value} />}
      {query.data.value && nodes.length === 0 && <p class="quiet">Nothing changed. <button type="button" onClick={() => setFrom(0)}>Show the latest changes</button></p>}
      <ul class="lately">
        {groups.slice(0, SHOWN).map(({ first: it, more }) => (
          <li key={`${it.revision} ${it.position}`}>
            <a href={`/changes/${it.revision}`}>{it.revision}</a>
            <EnumValue field="operation" value={it.operation} />
            <span class="quiet">{titleOf(it.kind)}</span>
            {it.operation === 'DELETED' ? <bdi>{nameOfChange(it)}</bdi> : <a href={idOrPath(it.kind, it.objectId)}><bdi>{nameOfChange(it)}</bdi></a>}
            {more > 0 && <a href={`/changes/${it.revision}`}>and {nodes.length === ASKED ? 'at least ' : ''}{number(more)} more</a>}
            <span class="quiet"><bdi>{it.actor}</bdi>, <time dateTime={it.at}>{since(it.at)}</time></span>
          </li>
        ))}
      </ul>
    </section>
  );
}
