// The parts that are recognised by their serial numbers, in whichever hosts they are, as agents report.
import { enumWords, Failure, narrowedTo, number, setParams, since, time, url, useEffect, useState } from '../shared.ts';
import { finder } from '../store/find.ts';
import { usePaced } from '../store/paced.ts';
import { Chosen } from './chosen.tsx';
import { useHardwareEvents } from './hardware-follow.ts';
import { hardwarePath } from './hardware-timeline.tsx';
import { keyOfPart, KINDS, modelOf, partFilterOf, PARTS, WHERE, whereIs } from './part-data.ts';
import type { Part, PartFilter, PartPage, Where } from './part-data.ts';
import { NoParts } from './part-life.tsx';
import { partPath } from './part-path.ts';

export { PartScreen } from './part-life.tsx';

const FILTERS = ['kind', 'where', 'model', 'serial', 'host'] as const;
/** Reports make no revision, and the first one of a host makes no event. */
const PACE_MS = 15_000;
const PAGE = 200;
/** The server cannot select by where parts are: more are read at once, of which fewer are shown. */
const LARGE_PAGE = 1_000;
const findHost = finder(['Host']);

export default function PartsScreen() {
  const params = url.value.searchParams;
  const filter = partFilterOf(params);
  const where = (Object.keys(WHERE) as Where[]).find((it) => it === params.get('where')) ?? null;
  return (
    <section class="page hardware" aria-label="Parts">
      <header class="page-head">
        <h1>Parts</h1>
        <p class="quiet">Disks, memory modules and GPUs with a serial number, in whichever hosts they are and were.</p>
      </header>
      {narrowedTo() && <p class="quiet">These are the parts of all places: they cannot be narrowed to one.</p>}
      <Filters kind={params.get('kind')} where={where} />
      <Pages filter={filter} where={where} key={JSON.stringify([filter, where])} />
    </section>
  );
}

function Filters({ kind, where }: { kind: string | null; where: Where | null }) {
  const params = url.value.searchParams;
  const kinds = kind && !KINDS.includes(kind) ? [...KINDS, kind] : KINDS;
  const exactly = (name: 'model' | 'serial', title: string) => (
    <input type="search" aria-label={`${title}, exactly`} placeholder={`${title}, exactly`} value={params.get(name) ?? ''} maxLength={253} spellcheck={false}
      onChange={(event) => setParams({ [name]: event.currentTarget.value.trim() || null })} />
  );
  return (
    <div class="hardware-filters">
      <div class="states" role="group" aria-label="Kinds of parts">
        {kinds.map((it) => <button type="button" key={it} aria-pressed={kind === it} onClick={() => setParams({ kind: kind === it ? null : it })}>{enumWords(it)}</button>)}
      </div>
      <div class="states" role="group" aria-label="Where they are">
        {Object.entries(WHERE).map(([it, title]) => <button type="button" key={it} aria-pressed={where === it} onClick={() => setParams({ where: where === it ? null : it })}>{title}</button>)}
      </div>
      {exactly('model', 'Model')}
      {exactly('serial', 'Serial number')}
      <Chosen label="Host" placeholder="All; type a name" id={params.get('host')} find={findHost} remove="Show all hosts" onChange={(id) => setParams({ host: id })} />
      {FILTERS.some((it) => params.has(it)) && <button type="button" onClick={() => setParams(Object.fromEntries(FILTERS.map((it) => [it, null])))}>Show all</button>}
    </div>
  );
}

/** What a page has read: the parts, those of them that fit, and where the next one begins. */
interface Told { read: number; shown: number; end: string | null; isHidden: boolean }

/** Parts keep their order, and new ones come last: each page is followed by itself. */
function Pages({ filter, where }: { filter: PartFilter; where: Where | null }) {
  const [starts, setStarts] = useState<Array<string | null>>([null]);
  const [told, setTold] = useState<Record<number, Told>>({});
  const log = useHardwareEvents({ parts: filter.kind ? [filter.kind] : KINDS, ...(filter.host ? { host: filter.host } : {}) }, 1);
  const all = Object.values(told);
  const sum = (of: 'read' | 'shown'): number => all.reduce((before, it) => before + it[of], 0);
  const last = told[starts.length - 1];
  if (all.some((it) => it.isHidden)) return <NoParts />;
  const narrowed = FILTERS.some((it) => url.value.searchParams.has(it));
  return (
    <>
      <div class="scroll" tabIndex={0} role="group" aria-label="Table of parts" hidden={sum('shown') === 0}>
        <table class="units hardware-table">
          <thead><tr>{['Serial number', 'Kind', 'Model', 'Host', 'Place', 'Since'].map((it) => <th scope="col" key={it}>{it}</th>)}</tr></thead>
          {starts.map((after, at) => (
            <Page key={after ?? ''} filter={filter} where={where} after={after} come={log.come.value?.cursor ?? ''} onTold={(it) => setTold((before) => ({ ...before, [at]: it }))} />
          ))}
        </table>
      </div>
      {!last && <p class="waiting">Reading…</p>}
      {last && sum('shown') === 0 && !last.end && (narrowed
        ? <p class="empty">No part fits.</p>
        : <p class="empty">No part is known yet. Agents tell of them: what has a serial number appears here, and stays for good.</p>)}
      <p class="quiet" role="status">{last && sum('read') > 0 ? (where ? `${number(sum('shown'))} of the ${number(sum('read'))} that were read` : `${number(sum('read'))} ${sum('read') === 1 ? 'part' : 'parts'}${last.end ? ' so far' : ''}`) : ''}</p>
      {last?.end && <p class="hardware-earlier"><button type="button" onClick={() => setStarts([...starts, last.end])}>Show more</button></p>}
    </>
  );
}

interface PageProps {
  filter: PartFilter;
  where: Where | null;
  after: string | null;
  /** The last event that has come: a part may be elsewhere. */
  come: string;
  onTold(it: Told): void;
}

function Page({ filter, where, after, come, onTold }: PageProps) {
  const query = usePaced<{ parts: PartPage | null }>(PARTS, { filter, first: where ? LARGE_PAGE : PAGE, after }, ['Host'], PACE_MS);
  useEffect(() => { if (come) query.mark(); }, [come]);
  const [data, error] = [query.data.value, query.error.value];
  const nodes = data?.parts?.nodes ?? [];
  const shown = where ? nodes.filter((it) => whereIs(it) === where) : nodes;
  const isHidden = error?.code === 'FORBIDDEN' || (data !== null && data.parts === null);
  const page = data?.parts?.pageInfo;
  const end = page?.hasNextPage ? page.endCursor : null;
  useEffect(() => { if (data || error) onTold({ read: nodes.length, shown: shown.length + (error && !isHidden ? 1 : 0), end, isHidden }); }, [data, error]);
  return (
    <tbody>
      {error && !isHidden && <tr><td colSpan={6}><Failure error={error} again={() => void query.read()} /></td></tr>}
      {shown.map((it) => <PartRow it={it} key={keyOfPart(it)} />)}
    </tbody>
  );
}

function PartRow({ it }: { it: Part }) {
  const where = whereIs(it);
  return (
    <tr>
      <th scope="row"><a href={partPath(it.serial)}><code><bdi>{it.serial}</bdi></code></a></th>
      <td>{enumWords(it.kind)}</td>
      <td><bdi>{modelOf(it)}</bdi></td>
      <td>{it.host ? <a href={hardwarePath(it.host)}><bdi>{it.host.name}</bdi></a> : <span class={`state ${where === 'SEVERAL' ? 'warn' : 'off'}`}>{where === 'IN' ? 'A host that was deleted' : WHERE[where]}</span>}</td>
      <td>{it.place && <code><bdi>{it.place}</bdi></code>}</td>
      <td>{it.since && <time dateTime={it.since} title={time(it.since)}>{since(it.since)}</time>}</td>
    </tr>
  );
}
