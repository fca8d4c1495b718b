// The bar above a list: its number, the filters, columns, what can be done with what is marked, export.
import { useMemo, useState } from 'preact/hooks';
import { number } from '../kinds/format.ts';
import type { Kind } from '../kinds/shape.ts';
import { useCommands } from '../keys.ts';
import { Act } from '../parts/act.tsx';
import { Menu } from '../parts/menu.tsx';
import { setParams, url } from '../routes.ts';
import type { Rows, Source } from '../store/rows.ts';
import { lazy } from '../parts/lazy.tsx';
import { refusal, viewer } from '../store/viewer.ts';
import { openForm } from '../store/overlays.ts';
import { Chips } from './chips.tsx';

const Marked = lazy<{ source: Source; total: number | null; asked: number }>(async () => (await import('./marked.lazy.tsx')).Marked, 'over');
const Columns = lazy<{ kind: Kind; params: URLSearchParams }>(async () => (await import('./columns.lazy.tsx')).Columns);
const Export = lazy<{ source: Source; close(): void }>(async () => (await import('./export.lazy.tsx')).Export);

export interface BarProps {
  source: Source;
  rows: Rows;
  title: string;
  total: number | null;
}

export function ListBar({ source, rows, title, total }: BarProps) {
  const { kind } = source;
  const params = url.value.searchParams;
  /** The text that is typed and not in the address yet: rows that are painted meanwhile must not take it back. */
  const [typed, setTyped] = useState<string | null>(null);
  const columns = useMemo<{ open?: () => void }>(() => ({}), []);
  const add = useMemo<{ open?: () => void }>(() => ({}), []);
  const take = useMemo<{ open?: () => void }>(() => ({}), []);
  const create: Record<string, () => void> = kind.create && kind.apply ? { create: () => openForm({ kind, objects: [] }) } : {};
  /** How often all were asked to be marked. The part that marks them may still have to be loaded. */
  const [asked, setAsked] = useState(0);
  const grouped = params.has('facets');
  const group = (): void => setParams({ facets: grouped ? null : 'usual' }, 'replace');
  useCommands({ group, columns: () => columns.open?.(), filter: () => add.open?.(), export: () => take.open?.(), 'mark-all': () => setAsked((it) => it + 1), ...(refusal('apply') ? {} : create) });
  return (
    <header class="list-bar">
      <h1 title={title}><bdi>{title}</bdi> <span class="count" aria-live="polite">{total === null ? '…' : number(total)}</span></h1>
      <input
        type="search" aria-label={`${title} whose name contains`} placeholder="Name contains…" value={typed ?? params.get('q') ?? ''}
        onInput={(event) => {
          const text = event.currentTarget.value;
          setTyped(text);
          later(() => { setParams({ q: text || null }, 'replace'); setTyped(null); });
        }}
      />
      <Chips source={source} params={params} opener={add} onChange={(changes) => setParams(changes)} />
      <span class="grow" />
      {kind.name === 'Rack' && <a class="button" href={`/elevations${url.value.search}`}>Elevations</a>}
      {kind.name === 'Host' && !viewer.value?.tenant && <a class="button" href="/hardware-events">Hardware events</a>}
      {rows.waiting.value && <span class="quiet" role="status">reading</span>}
      <button type="button" aria-pressed={grouped} title="Count and narrow the list by the values of its fields" onClick={group}>Groups</button>
      <Menu label="Columns" title="Choose columns" opener={columns}>{() => <Columns kind={kind} params={params} />}</Menu>
      <Menu label="Export" title="Export or copy this list" opener={take}>{(close) => <Export source={source} close={close} />}</Menu>
      {create.create && <Act refusal={refusal('apply')} onClick={create.create}>Create</Act>}
      <Marked source={source} total={total} asked={asked} />
    </header>
  );
}

/** Shorter than the pause of most people between two keys: the server answers sooner than the next key comes. */
const TYPING_MS = 50;
let pending: ReturnType<typeof setTimeout> | undefined;
/** Waits until nobody types for a moment. */
function later(run: () => void): void {
  clearTimeout(pending);
  pending = setTimeout(run, TYPING_MS);
}
