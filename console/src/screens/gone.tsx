// A link to what is not there: what the change log says about it, such as who deleted it and when.
import { Failure, idOrPath, listPath, since, time, titleOf, useQuery } from '../shared.ts';
import type { Change, Kind } from '../shared.ts';

const FIELDS = 'nodes { revision position kind objectId name operation before after actor at }';
/** The number of changes in which names are looked for. */
const MOST = 200;
const BY_ID = `query Gone($id: ID!) { deleted: changes(filter: {objects: [$id]}, first: 1) { ${FIELDS} } }`;
const BY_NAME = `query GoneName($kind: String!) {
  deleted: changes(filter: {kinds: [$kind], operations: [DELETED]}, first: ${MOST}) { ${FIELDS} }
  updated: changes(filter: {kinds: [$kind], operations: [UPDATED]}, first: ${MOST}) { ${FIELDS} }
}`;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
const SHOWN = 3;

interface Found {
  deleted: { nodes: Change[] };
  updated?: { nodes: Change[] };
}

const nameBefore = (it: Change): unknown => (it.before as { name?: unknown } | null)?.name;

/** `rest`: the segments of the address after the kind. */
export function Gone({ kind, rest }: { kind: Kind; rest: string[] }) {
  const name = rest.at(-1) ?? '';
  const byId = rest.length === 1 && UUID.test(name);
  const query = useQuery<Found>(byId ? BY_ID : BY_NAME, byId ? { id: name } : { kind: kind.name }, [kind.name]);
  const found = query.data.value;
  const deleted = (found?.deleted.nodes ?? []).filter((it) => it.operation === 'DELETED' && (byId || it.name === name)).slice(0, SHOWN);
  const renamed = (found?.updated?.nodes ?? []).filter((it) => nameBefore(it) === name && it.name !== name).slice(0, SHOWN);
  // A tenant may not read the change log, which covers all tenants.
  const forbidden = query.error.value?.code === 'FORBIDDEN';
  const title = titleOf(kind.name).toLowerCase();
  return (
    <section class="page gone">
      <h1>{byId && deleted.length > 0 ? 'Deleted' : 'Not found'}</h1>
      <p>There is no {title} <bdi>“{rest.join(' / ')}”</bdi>{deleted.length === 0 && ', or you may not see it'}.</p>
      {!found && !query.error.value && <p class="waiting">Looking for it in the changes…</p>}
      {query.error.value && !forbidden && <Failure error={query.error.value} />}
      <ul class="objects">
        {deleted.map((it) => (
          <li key={it.position}>
            The {title} <b><bdi>{it.name}</bdi></b> was deleted by <b><bdi>{it.actor}</bdi></b> <time dateTime={it.at} title={time(it.at)}>{since(it.at)}</time>, in <a href={`/changes/${it.revision}`}>revision {it.revision}</a>, which can be undone there.
            {' '}<a href={`/changes?object=${it.objectId}`}>All its changes</a>
          </li>
        ))}
        {renamed.map((it) => (
          <li key={it.position}>The {title} <b><bdi>{name}</bdi></b> has been called <a href={idOrPath(kind.name, it.objectId)}><bdi>{it.name}</bdi></a> since <a href={`/changes/${it.revision}`}>revision {it.revision}</a>.</li>
        ))}
      </ul>
      {found && deleted.length + renamed.length === 0 && <p class="quiet">{byId ? 'The changes that are kept do not name it.' : `The last ${MOST} deletions and updates of this kind do not name it.`}</p>}
      {!byId && <p><a href={`${listPath(kind)}?q=${encodeURIComponent(name)}`}>Look for it in the list</a></p>}
    </section>
  );
}
