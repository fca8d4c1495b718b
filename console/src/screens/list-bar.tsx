// The bar above a list: its number, the filters, columns, what can be done with what is marked, export.
import { useMemo, useRef } from 'preact/hooks';
import { about } from '../kinds/about.ts';
import { number } from '../kinds/format.ts';
import { columnsOf, words } from '../kinds/registry.ts';
import type { Kind } from '../kinds/shape.ts';
import { useCommands } from '../keys.ts';
import { Act } from '../parts/act.tsx';
import { Menu } from '../parts/menu.tsx';
import { setParams, url } from '../routes.ts';
import type { Rows, Source } from '../store/rows.ts';
import { lazy } from '../parts/lazy.tsx';
import { refusal } from '../store/viewer.ts';
import { openForm } from '../store/overlays.ts';
import { Chips } from './chips.tsx';
import { chosenColumns } from './list.tsx';

const Marked = lazy<{ source: Source; total: number | null }>(async () => (await import('./marked.lazy.tsx')).Marked, 'over');
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
  const filter = useRef<HTMLInputElement>(null);
  const columns = useMemo<{ open?: () => void }>(() => ({}), []);
  const add = useMemo<{ open?: () => void }>(() => ({}), []);
  const take = useMemo<{ open?: () => void }>(() => ({}), []);
  const create: Record<string, () => void> = kind.create && kind.apply ? { create: () => openForm({ kind, objects: [] }) } : {};
  useCommands({ columns: () => columns.open?.(), filter: () => add.open?.(), export: () => take.open?.(), ...(refusal('apply') ? {} : create) });
  return (
    <header class="list-bar">
      <h1>{title} <span class="count" aria-live="polite">{total === null ? '…' : number(total)}</span></h1>
      <input
        ref={filter} type="search" aria-label={`${title} whose name contains`} placeholder="Name contains…" value={params.get('q') ?? ''}
        onInput={(event) => later(() => setParams({ q: filter.current?.value || null }, 'replace'), event)}
      />
      <Chips source={source} params={params} opener={add} onChange={(changes) => setParams(changes)} />
      <span class="grow" />
      {kind.name === 'Rack' && <a class="button" href={`/elevations${url.value.search}`}>Elevations</a>}
      {rows.waiting.value && <span class="quiet" role="status">reading</span>}
      <Menu label="Columns" title="Choose columns" opener={columns}>{() => <Columns kind={kind} params={params} />}</Menu>
      <Menu label="Export" title="Export or copy this list" opener={take}>{(close) => <Export source={source} close={close} />}</Menu>
      {create.create && <Act refusal={refusal('apply')} onClick={create.create}>Create</Act>}
      <Marked source={source} total={total} />
    </header>
  );
}

let pending: ReturnType<typeof setTimeout> | undefined;
/** Waits until nobody types for a moment. */
function later(run: () => void, _event: unknown): void {
  clearTimeout(pending);
  pending = setTimeout(run, 200);
}

/** Which columns are shown, and in which order. */
function Columns({ kind, params }: { kind: Kind; params: URLSearchParams }) {
  const chosen = chosenColumns(kind, params);
  const set = (next: string[]): void => setParams({ columns: next.length > 0 ? next.join(',') : null }, 'replace');
  const others = columnsOf(kind).filter((it) => !chosen.includes(it.name));
  const move = (at: number, by: number): void => {
    const next = [...chosen];
    const [taken] = next.splice(at, 1);
    if (taken) next.splice(Math.max(0, at + by), 0, taken);
    set(next);
  };
  return (
    <div class="columns">
      <fieldset>
        <legend>Shown, in this order</legend>
        {chosen.map((it, at) => (
          <div key={it} class="column">
            <label><input type="checkbox" checked onChange={() => set(chosen.filter((one) => one !== it))} /> {words(it)}</label>
            <button type="button" aria-label={`Move ${words(it)} to the left`} disabled={at === 0} onClick={() => move(at, -1)}>↑</button>
            <button type="button" aria-label={`Move ${words(it)} to the right`} disabled={at === chosen.length - 1} onClick={() => move(at, 1)}>↓</button>
          </div>
        ))}
      </fieldset>
      <fieldset>
        <legend>Others</legend>
        {others.map((it) => (
          <label key={it.name} title={about(`${kind.name}.${it.name}`)}><input type="checkbox" checked={false} onChange={() => set([...chosen, it.name])} /> {words(it.name)}</label>
        ))}
      </fieldset>
      <button type="button" onClick={() => setParams({ columns: null }, 'replace')}>Back to the usual columns</button>
    </div>
  );
}
