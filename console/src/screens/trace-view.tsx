// One trace: what it comes to, the drawing or the table, and how it is printed and saved.
import { Failure, go, Menu, number, pathOf, say, setParams, trail, url, useCommands, useEffect, useMemo, useQuery, useRef, useState } from '../shared.ts';
import { watch } from '../server/watch.ts';
import type { Refused } from '../shared.ts';
import { outcomeWords, treeOf } from '../draw/line.ts';
import { LineDrawing } from '../draw/line.tsx';
import { branchesOf, hopOf, hopWords, TRACE, TRACE_CHANGED } from './trace-data.ts';
import type { TraceRow } from './trace-data.ts';
import { TraceList } from './trace-list.tsx';

/** A trace through power devices has no subscription of its own: these kinds change it. */
const POWER_KINDS = ['Port', 'Cable', 'PowerFeed', 'Device'];

interface Followed {
  trace: TraceRow | null | undefined;
  error: Refused | null;
  again(): void;
}

/** The trace, which the server sends again whenever it changes. */
function useTrace(from: string, through: boolean): Followed {
  const query = useQuery<{ trace: TraceRow | null }>(TRACE, { from, through }, through ? POWER_KINDS : []);
  const [latest, setLatest] = useState<{ trace: TraceRow | null } | null>(null);
  const [refused, setRefused] = useState<Refused | null>(null);
  useEffect(() => {
    setLatest(null);
    if (through) return undefined;
    return watch<{ traceChanged: TraceRow | null }>(TRACE_CHANGED, () => ({ from }), (it) => setLatest({ trace: it.traceChanged }), setRefused);
  }, [from, through]);
  return { trace: latest ? latest.trace : query.data.value?.trace, error: query.error.value ?? refused, again: () => void query.read() };
}

export interface TraceOfProps {
  from: string;
  /** The object of the address, which is the cable if its trace was asked for. */
  of: { kind: string; id: string };
}

export function TraceOf({ from, of }: TraceOfProps) {
  const params = url.value.searchParams;
  const through = params.get('through') === 'on';
  const { trace, error, again } = useTrace(from, through);
  const list = params.get('view') === 'list';
  const box = useRef<HTMLDivElement>(null);
  const tree = useMemo(() => (trace ? treeOf(branchesOf(trace), from) : []), [trace]);
  const origin = trace ? hopOf(trace.origin) : null;
  const name = origin ? hopWords(origin) : '';
  useEffect(() => {
    if (!name) return undefined;
    trail.value = [{ name, path: pathOf(of.kind, { id: of.id }) }, { name: 'Trace', path: url.value.pathname }];
    document.title = `${name} · Trace · Underlay`;
    return () => { trail.value = []; };
  }, [name]);
  useCommands({ up: () => go(pathOf(of.kind, { id: of.id })) });
  if (!trace) {
    if (error) return <Failure error={error} again={again} />;
    return trace === null ? <p class="empty">This object was deleted.</p> : <p class="waiting">Reading…</p>;
  }
  const power = trace.branches.some((it) => it.steps.flat().some((hop) => hop.portType?.startsWith('POWER') || hop.__typename === 'PowerFeed'));
  return (
    <section class="trace" aria-label={`Trace of ${name}`}>
      <header class="list-bar">
        <h1 title={name}>Trace of <bdi>{name}</bdi></h1>
        <a class="button" href={pathOf(of.kind, { id: of.id })}>Details</a>
        <span class="grow" />
        {power && <label class="check"><input type="checkbox" checked={through} onChange={(event) => setParams({ through: event.currentTarget.checked ? 'on' : null }, 'replace')} /> Through power devices</label>}
        <div class="switch" role="group" aria-label="View">
          <button type="button" aria-pressed={!list} onClick={() => setParams({ view: null }, 'replace')}>Drawing</button>
          <button type="button" aria-pressed={list} onClick={() => setParams({ view: 'list' }, 'replace')}>Table</button>
        </div>
        <Export box={box} name={name} list={list} />
      </header>
      {error && <Failure error={error} again={again} />}
      <Sum trace={trace} />
      <div class={list ? 'trace-body' : trace.branches.length > 2 ? 'trace-body drawn' : 'trace-body drawn narrow'} ref={box} tabIndex={0} role="region" aria-label={list ? 'Table' : 'Drawing'}>
        {!list && <LineDrawing tree={tree} label={`Line of ${name}`} selected={of.id} pathOf={(kind, id) => pathOf(kind, { id })} />}
        <TraceList trace={trace} />
      </div>
    </section>
  );
}

/** The result of the trace, in a sentence for each branch or for all of them. */
function Sum({ trace }: { trace: TraceRow }) {
  const broken = trace.branches.filter((it) => it.outcome !== 'COMPLETE');
  const [only] = trace.branches;
  return (
    <p class="trace-sum" role="status">
      <span class={`state ${trace.complete ? 'good' : 'bad'}`}>{trace.complete ? 'Complete' : 'Broken'}</span>
      <span class={`state ${trace.active ? 'good' : 'warn'}`}>{trace.active ? 'Active' : 'Not active throughout'}</span>
      {trace.split && <span class="state warn">A position was guessed</span>}
      {trace.truncated && <span class="state warn">Cut: the line is longer than what is shown</span>}
      {trace.branches.length === 1 && only
        ? <span>{number(only.cableCount)} {only.cableCount === 1 ? 'cable' : 'cables'}, {only.lengthM === null ? `at least ${number(only.knownLengthM)}` : number(only.lengthM)} m{only.latencyMs !== null && `, ${number(only.latencyMs)} ms`}</span>
        : <span>{number(trace.branches.length)} branches{broken.length > 0 && `, ${number(broken.length)} of them broken`}</span>}
      {broken.length > 0 && <span class="fault-words">{[...new Set(broken.map((it) => outcomeWords(it.outcome)))].join(' ')}</span>}
    </p>
  );
}

function Export({ box, name, list }: { box: { current: HTMLElement | null }; name: string; list: boolean }) {
  const file = `trace ${name.replace(/[^\p{L}\p{N}.-]+/gu, ' ')}`;
  const save = async (type: 'svg' | 'png'): Promise<void> => {
    const drawings = [...box.current?.querySelectorAll<SVGSVGElement>('svg.line') ?? []].map((svg) => ({ svg, title: `Trace of ${name}` }));
    const { saveDrawings } = await import('../draw/svg.lazy.ts');
    if (!await saveDrawings(drawings, type, file)) say('The browser cannot draw a picture of this size. Take SVG.');
  };
  return (
    <Menu label="Export" title="Print or save">
      {(close) => (
        <div class="choices-down">
          <button type="button" onClick={() => { close(); setTimeout(() => window.print(), 50); }}>Print the table</button>
          <button type="button" disabled={list} onClick={() => { close(); void save('svg'); }}>Save as SVG</button>
          <button type="button" disabled={list} onClick={() => { close(); void save('png'); }}>Save as PNG</button>
        </div>
      )}
    </Menu>
  );
}
