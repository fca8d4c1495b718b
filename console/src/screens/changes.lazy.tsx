// The change log: a timeline of revisions, one revision as a page, the changes of one object, and undo.
import {
  Act, asRefused, ask, enumWords, Failure, go, idOrPath, kinds, nameById, nameOfChange, narrowedTo, onEvents, refusal, revision as latest, say, setParams, since, time, titleOf, url, useCommands, useEffect, useRef,
  useState,
} from '../shared.ts';
import type { Change, Refused } from '../shared.ts';
import { Lines, linesOf, proposeUndo } from '../store/writes.lazy.ts';

const PAGE = { revisions: 50, changes: 200 };
const FIELDS = 'nodes { revision position kind objectId name operation before after actor source at } pageInfo { hasNextPage endCursor }';
const DOCUMENT = `query Changes($filter: ChangeFilter, $first: Int, $after: String) { changes(filter: $filter, first: $first, after: $after) { ${FIELDS} } }`;

interface Filter {
  objects?: string[];
  kinds?: string[];
  actors?: string[];
  sources?: string[];
  operations?: string[];
  fromRevision?: number;
  toRevision?: number;
  fromTime?: string;
  toTime?: string;
}

interface Page {
  changes: { nodes: Change[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } };
}

interface Log {
  nodes: Change[];
  more: boolean;
  waiting: boolean;
  error: Refused | null;
  next(): void;
  again(): void;
}

/** `revisions`: only the beginning of each revision is wanted, so that a large one does not hide those before it. */
type Wanted = 'revisions' | 'changes';
const REVISIONS_AT_ONCE = 10;

interface Position {
  nodes: Change[];
  filter: Filter;
  after: string | null;
  more: boolean;
}

/** Reads on from a position, until there are some revisions more or nothing is left. It reports each step. */
async function readOn(from: Position, wanted: Wanted, report: (at: Position) => void): Promise<void> {
  let at = from;
  const had = new Set(from.nodes.map((it) => it.revision)).size;
  for (let step = 0; step < REVISIONS_AT_ONCE; step += 1) {
    const { data } = await ask<Page>(DOCUMENT, { filter: at.filter, first: PAGE[wanted], after: at.after });
    const nodes = [...at.nodes, ...data.changes.nodes];
    const { hasNextPage: more, endCursor } = data.changes.pageInfo;
    const last = nodes.at(-1)?.revision ?? 1;
    const lowest = at.filter.fromRevision ?? 1;
    at = wanted === 'changes' || !more
      ? { nodes, filter: at.filter, after: endCursor, more }
      : { nodes, filter: { ...at.filter, toRevision: last - 1 }, after: null, more: last > lowest };
    report(at);
    if (wanted === 'changes' || !at.more || new Set(nodes.map((it) => it.revision)).size >= had + REVISIONS_AT_ONCE) return;
  }
}

/** The changes that fit a filter, the newest first. New ones come to the top. */
function useLog(filter: Filter, wanted: Wanted): Log {
  const key = JSON.stringify(filter);
  const start: Position = { nodes: [], filter, after: null, more: false };
  const [at, setAt] = useState(start);
  const [waiting, setWaiting] = useState(true);
  const [error, setError] = useState<Refused | null>(null);
  const current = useRef(key);
  current.current = key;

  const read = async (from: Position): Promise<void> => {
    setWaiting(true);
    try {
      await readOn(from, wanted, (next) => { if (current.current === key) setAt(next); });
      setError(null);
    } catch (failure) {
      setError(asRefused(failure));
    }
    setWaiting(false);
  };
  useEffect(() => { void read(start); }, [key]);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = onEvents(() => { timer ??= setTimeout(() => { timer = undefined; void read(start); }, 1_000); });
    return () => { clearTimeout(timer); stop(); };
  }, [key]);
  return { nodes: at.nodes, more: at.more, waiting, error, next: () => void read(at), again: () => void read(start) };
}

const FILTERS = ['kind', 'actor', 'source', 'operation', 'object', 'from', 'to'] as const;
const DAY = /^\d{4}-\d\d-\d\d$/;

/** The beginning of a day of the reader's calendar, or of the day after it. */
function dayTime(day: string | null, after: number): string | undefined {
  if (!day || !DAY.test(day)) return undefined;
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + after).toISOString();
}

export function ChangesScreen() {
  const params = url.value.searchParams;
  const get = (name: string): string[] | undefined => { const all = params.getAll(name); return all.length > 0 ? all : undefined; };
  const filter: Filter = Object.fromEntries(Object.entries({
    kinds: get('kind'), actors: get('actor'), sources: get('source'), operations: get('operation'), objects: get('object'),
    fromTime: dayTime(params.get('from'), 0), toTime: dayTime(params.get('to'), 1),
  }).filter(([, it]) => it));
  const log = useLog(filter, 'revisions');
  const narrowed = FILTERS.filter((it) => params.has(it));
  return (
    <section class="page changes" aria-label="Changes">
      <header class="head">
        <h1>Changes</h1>
        <label>Kind <select value={params.get('kind') ?? ''} onChange={(event) => setParams({ kind: event.currentTarget.value || null })}>
          <option value="">all</option>
          {kinds().map((it) => <option value={it.name} key={it.name}>{titleOf(it.name)}</option>)}
        </select></label>
        <label>What happened <select value={params.get('operation') ?? ''} onChange={(event) => setParams({ operation: event.currentTarget.value || null })}>
          <option value="">anything</option>
          {['CREATED', 'UPDATED', 'DELETED'].map((it) => <option value={it} key={it}>{enumWords(it)}</option>)}
        </select></label>
        <label>Actor <input type="search" value={params.get('actor') ?? ''} onChange={(event) => setParams({ actor: event.currentTarget.value || null })} /></label>
        <label>Source <input type="search" value={params.get('source') ?? ''} onChange={(event) => setParams({ source: event.currentTarget.value || null })} /></label>
        <label>From <input type="date" value={params.get('from') ?? ''} onChange={(event) => setParams({ from: event.currentTarget.value || null })} /></label>
        <label>To <input type="date" value={params.get('to') ?? ''} onChange={(event) => setParams({ to: event.currentTarget.value || null })} /></label>
        {narrowed.length > 0 && <button type="button" onClick={() => setParams(Object.fromEntries(FILTERS.map((it) => [it, null])))}>Show all</button>}
      </header>
      {narrowedTo() && <p class="quiet">These are the changes of all places: the change log cannot be narrowed to one.</p>}
      <Timeline log={log} />
    </section>
  );
}

/** Changes by their revision. */
function Timeline({ log }: { log: Log }) {
  const revisions = new Map<number, Change[]>();
  for (const it of log.nodes) revisions.set(it.revision, [...(revisions.get(it.revision) ?? []), it]);
  return (
    <>
      {log.error && <Failure error={log.error} again={log.again} />}
      {!log.waiting && log.nodes.length === 0 && !log.error && <p class="empty">No change fits.</p>}
      <ol class="timeline">
        {[...revisions].map(([revision, changes]) => <Revision key={revision} revision={revision} changes={changes} />)}
      </ol>
      {log.more && <button type="button" disabled={log.waiting} onClick={log.next}>Show older changes</button>}
    </>
  );
}

const FOLDED = 5;

function Revision({ revision, changes }: { revision: number; changes: Change[] }) {
  const [first] = changes;
  if (!first) return null;
  const rest = changes.slice(FOLDED);
  return (
    <li>
      <header class="object-head">
        <h2><a href={`/changes/${revision}`}>Revision {revision}</a></h2>
        <time dateTime={first.at} title={time(first.at)}>{since(first.at)}</time>
        <span>by <b><bdi>{first.actor}</bdi></b>{first.source && <> from <bdi>{first.source}</bdi></>}</span>
        <span class="grow" />
        <Act refusal={refusal('apply')} label={`Undo revision ${revision}`} onClick={() => undo(revision)}>Undo…</Act>
      </header>
      <ul class="objects">{changes.slice(0, FOLDED).map((it) => <li key={it.position}><OneChange change={it} /></li>)}</ul>
      {rest.length > 0 && <p><a href={`/changes/${revision}`}>All changes of revision {revision}</a></p>}
    </li>
  );
}

const TONES = { CREATED: 'good', UPDATED: 'plan', DELETED: 'bad' };

function OneChange({ change: it, named = true }: { change: Change; named?: boolean }) {
  const lines = linesOf(it.before as never, it.after as never);
  const shown = (
    <>
      <span class={`state ${TONES[it.operation]}`}>{enumWords(it.operation)}</span>
      {named && <span class="quiet">{titleOf(it.kind)}</span>}
      {named && (it.operation === 'DELETED' ? <bdi>{nameOfChange(it)}</bdi> : <a href={idOrPath(it.kind, it.objectId)}><bdi>{nameOfChange(it)}</bdi></a>)}
    </>
  );
  if (it.operation === 'UPDATED') return <><div class="object-head">{shown}</div><Lines kind={it.kind} lines={lines} nameOf={nameById} /></>;
  return (
    <div class="entry">
      <div class="object-head">{shown}</div>
      <details>
        <summary class="quiet" aria-label={`Fields of ${it.name}`}>Fields</summary>
        <Lines kind={it.kind} lines={lines} created={it.operation === 'CREATED'} nameOf={nameById} />
      </details>
    </div>
  );
}

function undo(first: number, last = first): void {
  proposeUndo(first, last).catch((error: unknown) => say(asRefused(error).message));
}

export function RevisionScreen({ revision }: { revision: number }) {
  const log = useLog({ fromRevision: revision, toRevision: revision }, 'changes');
  const [first] = log.nodes;
  useCommands({ 'back-one': () => step(revision - 1), 'on-one': () => step(revision + 1) });
  return (
    <section class="page changes" aria-label={`Revision ${revision}`}>
      <header class="head">
        <h1>Revision {revision}</h1>
        {first && <span><time dateTime={first.at}>{time(first.at)}</time> by <b><bdi>{first.actor}</bdi></b>{first.source && <> from <bdi>{first.source}</bdi></>}</span>}
        <span class="grow" />
        <button type="button" disabled={revision <= 1} onClick={() => step(revision - 1)}>Before</button>
        <button type="button" onClick={() => step(revision + 1)}>After</button>
        <Act refusal={refusal('apply')} onClick={() => undo(revision)}>Undo…</Act>
        {latest.value > revision && <Act refusal={refusal('apply')} onClick={() => undo(revision, latest.value)}>Undo this and all after it…</Act>}
      </header>
      {log.error && <Failure error={log.error} again={log.again} />}
      {!log.waiting && !first && !log.error && <p class="empty">This revision has no changes that you can see, or does not exist yet.</p>}
      <ul class="objects">{[...log.nodes].reverse().map((it) => <li key={it.position}><OneChange change={it} /></li>)}</ul>
      {log.more && <button type="button" disabled={log.waiting} onClick={log.next}>Show more</button>}
    </section>
  );
}

function step(revision: number): void {
  if (revision >= 1) go(`/changes/${revision}`);
}

/** The changes of one object, for its page. */
export function ChangesOf({ id }: { id: string }) {
  return <div class="changes"><Timeline log={useLog({ objects: [id] }, 'revisions')} /></div>;
}
