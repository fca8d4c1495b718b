// The first page: what stands out, and what changed since one was last here.
import { useEffect, useState } from 'preact/hooks';
import { number, since } from '../kinds/format.ts';
import type { Change } from '../kinds/generated.ts';
import { placeFilter } from '../kinds/narrow.ts';
import { enumWords, kinds, pluralOf, segmentOf, titleOf } from '../kinds/registry.ts';
import { Failure } from '../parts/failure.tsx';
import { lazy } from '../parts/lazy.tsx';
import { EnumValue } from '../parts/value.tsx';
import { idOrPath, narrowedTo } from '../routes.ts';
import { revision } from '../server/ask.ts';
import { nameOfChange } from '../store/names.ts';
import { useQuery } from '../store/query.ts';

/** The kinds whose objects have a status, of which those that stand out are worth a look. */
const WITH_STATUS = kinds().filter((it) => it.fields.some((field) => field.name === 'status' && field.of === 'Status'));
const STANDS = ['FAILED', 'PLANNED', 'OFFLINE'];
const DOCUMENT = `query Home(${WITH_STATUS.map((it) => `$${it.name}: ${it.name}Filter!`).join(', ')}) { ${WITH_STATUS.flatMap((kind) => STANDS.map((it) => (
  `${kind.name}_${it}: ${kind.list}(filter: {and: [{status: {eq: ${it}}}, $${kind.name}]}, first: 0) { totalCount }`))).join(' ')} }`;

const Attention = lazy(async () => (await import('./home-watch.lazy.tsx')).Attention, 'over');
const SinglePoints = lazy(async () => (await import('./home-watch.lazy.tsx')).SinglePoints, 'over');
const Space = lazy(async () => (await import('./home-watch.lazy.tsx')).Space, 'over');

export function HomeScreen() {
  const query = useQuery<Record<string, { totalCount: number } | null>>(
    DOCUMENT, Object.fromEntries(WITH_STATUS.map((it) => [it.name, placeFilter(it.name, narrowedTo()) ?? {}])), WITH_STATUS.map((it) => it.name),
  );
  return (
    <section class="page" aria-label="Home">
      <h1>Home</h1>
      {query.error.value && <Failure error={query.error.value} again={() => void query.read()} />}
      <div class="cards">
        {STANDS.map((stand) => (
          <section class="card" key={stand} aria-label={enumWords(stand)}>
            <h2>{enumWords(stand)}</h2>
            <ul>
              {WITH_STATUS.map((kind) => {
                const count = query.data.value?.[`${kind.name}_${stand}`]?.totalCount ?? 0;
                return count > 0 && <li key={kind.name}><a href={`/${segmentOf(kind)}?status.in=${stand}`}><span>{pluralOf(kind.name)}</span><b>{number(count)}</b></a></li>;
              })}
              {query.data.value && WITH_STATUS.every((kind) => !query.data.value?.[`${kind.name}_${stand}`]?.totalCount) && <li class="quiet">none</li>}
            </ul>
          </section>
        ))}
      </div>
      <Attention />
      <Space />
      <Lately />
      <SinglePoints />
    </section>
  );
}

const ASKED = 200;
const KEPT = 'underlay-last-revision';
const CHANGES = `query Lately($filter: ChangeFilter) { changes(filter: $filter, first: ${ASKED}) {
  nodes { revision position kind objectId name operation actor at }
} }`;

/** Keeps the revision that was seen when the page is left. */
export function keepLastRevision(): void {
  window.addEventListener('pagehide', () => { if (revision.value > 0) localStorage.setItem(KEPT, String(revision.value)); });
}

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

function Lately() {
  const [last] = useState(() => Number(localStorage.getItem(KEPT)) || 0);
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
