// The bar above the drawings, and the one that says where a held device is.
import { go, Menu, number, pathOf, say, setParams, useCommands, useRef } from '../shared.ts';
import { BYS } from '../draw/tones.ts';
import { gathered, takeAllBack } from '../store/writes.lazy.ts';
import { takeMoveBack } from './rack-gathered.ts';
import { drop, move, putBack, announcement, positionWords } from './rack-move.ts';
import type { Rack } from './rack-data.ts';
import { keptOf } from './rack-impact.ts';
import { onPage, switchWhole } from './rack-look.ts';
import type { Look } from './rack-look.ts';

export interface RackBarProps {
  title: string;
  rack: Rack | null;
  look: Look;
  single: boolean;
  total: number;
  count: number;
  found: number | null;
  next: string | null;
  box: { current: HTMLElement | null };
}

const BY_WORDS = { role: 'Role', status: 'Status', tenant: 'Tenant', feed: 'Power feed', effect: 'Impact' };

export function RackBar({ title, rack, look, single, total, count, found, next, box }: RackBarProps) {
  const search = useRef<HTMLInputElement>(null);
  useCommands({ filter: () => search.current?.focus() });
  const toggle = (name: string, on: boolean, is: string, usual: string): void => setParams({ [name]: on === (is === usual) ? null : on ? is : is === 'on' ? 'off' : 'on' }, 'replace');
  return (
    <header class="list-bar">
      <h1 title={title}>
        <bdi>{title}</bdi>
        {rack ? <span class="count">{rack.heightU} U at <bdi>{rack.site.name}</bdi></span> : <span class="count">{number(total)} {total === 1 ? 'rack' : 'racks'}</span>}
      </h1>
      {rack && <a href={pathOf('Rack', { ...rack })}>Details</a>}
      {rack && <a href={rowPath(rack)}>Whole row</a>}
      <input
        ref={search} type="search" aria-label="Highlight devices" placeholder="Highlight…" value={look.q}
        onInput={(event) => setParams({ q: event.currentTarget.value || null }, 'replace')}
      />
      <span class="quiet" role="status">{found === null ? '' : `${number(found)} found`}</span>
      <label class="choice">Colour by
        <select value={look.by} onChange={(event) => setParams({ by: event.currentTarget.value === (look.lit ? 'effect' : 'role') ? null : event.currentTarget.value }, 'replace')}>
          {[...BYS, ...(look.lit ? ['effect' as const] : [])].map((it) => <option key={it} value={it}>{BY_WORDS[it]}</option>)}
        </select>
      </label>
      {!single && (
        <label class="choice">Faces
          <select value={look.face} onChange={(event) => setParams({ face: event.currentTarget.value === 'front' ? null : event.currentTarget.value }, 'replace')}>
            <option value="front">Front</option><option value="rear">Rear</option><option value="both">Both</option>
          </select>
        </label>
      )}
      <span class="grow" />
      <label class="check"><input type="checkbox" checked={look.ports} onChange={(event) => toggle('ports', event.currentTarget.checked, 'on', single ? 'on' : 'off')} /> Ports</label>
      <label class="check"><input type="checkbox" checked={!look.hideRetired} onChange={(event) => setParams({ retired: event.currentTarget.checked ? null : 'off' }, 'replace')} /> Retired</label>
      <label class="check"><input type="checkbox" checked={look.whole} onChange={(event) => switchWhole(event.currentTarget.checked)} /> Whole height</label>
      <div class="switch" role="group" aria-label="View">
        <button type="button" aria-pressed={!look.list} onClick={() => setParams({ view: null }, 'replace')}>Drawing</button>
        <button type="button" aria-pressed={look.list} onClick={() => setParams({ view: 'list' }, 'replace')}>Table</button>
      </div>
      {next && <button type="button" onClick={() => setParams({ after: next })}>Next {number(total - count)}</button>}
      <Export box={box} title={title} list={look.list} />
    </header>
  );
}

function rowPath(rack: Rack): string {
  const within = rack.location ?? rack.site;
  return `/elevations?within=${encodeURIComponent(within.id)}${keptOf().replace('?', '&')}`;
}

/** Waits for the page to be laid out anew, then prints it. */
function print(racks: 1 | 2 | 4): void {
  onPage.value = racks;
  setTimeout(() => window.print(), 50);
}

function Export({ box, title, list }: { box: { current: HTMLElement | null }; title: string; list: boolean }) {
  const save = async (type: 'svg' | 'png'): Promise<void> => {
    const drawings = [...box.current?.querySelectorAll<SVGSVGElement>('svg.rack-face') ?? []].map((svg) => ({ svg, title: svg.getAttribute('aria-label') ?? '' }));
    const { saveDrawings } = await import('../draw/svg.lazy.ts');
    if (!await saveDrawings(drawings, type, title)) say('The browser cannot draw a picture of this size. Take SVG.');
  };
  const run = (close: () => void, what: () => void) => (): void => { close(); what(); };
  return (
    <Menu label="Export" title="Print or save">
      {(close) => (
        <div class="choices-down">
          <button type="button" onClick={run(close, () => print(1))}>Print, 1 rack a page</button>
          <button type="button" onClick={run(close, () => print(2))}>Print, 2 racks a page</button>
          <button type="button" onClick={run(close, () => print(4))}>Print, 4 racks a page</button>
          <button type="button" disabled={list} onClick={run(close, () => void save('svg'))}>Save as SVG</button>
          <button type="button" disabled={list} onClick={run(close, () => void save('png'))}>Save as PNG</button>
        </div>
      )}
    </Menu>
  );
}

/** Says where the held device is, and what the server thinks of it. */
export function MoveBar() {
  const now = move.value;
  const count = gathered().length;
  useCommands(count > 0 && !now ? { review: () => go('/review') } : {});
  return (
    <>
      <p class="hidden" role="status" aria-live="polite">{announcement.value}</p>
      {now && (
        <div class={`move-bar ${now.verdict}`} role="group" aria-label="Moving">
          <span class="move-what">Moving <b><bdi>{now.device.name}</bdi></b>{now.to && <> to <b>{positionWords(now.to)}</b></>}</span>
          <span class="move-why">{now.verdict === 'good' ? '✓' : now.verdict === 'bad' ? '✕' : '…'} {now.why}</span>
          <span class="grow" />
          <button type="button" class="main" disabled={now.verdict !== 'good'} onClick={() => void drop()}>Put here <kbd>Enter</kbd></button>
          <button type="button" onClick={putBack}>Put back <kbd>Esc</kbd></button>
          <span class="move-keys"><kbd>↑</kbd> <kbd>↓</kbd> unit, <kbd>←</kbd> <kbd>→</kbd> face or rack, <kbd>Shift</kbd> half a unit</span>
        </div>
      )}
      {!now && count > 0 && (
        <div class="move-bar" role="group" aria-label="Gathered moves">
          <span class="move-what"><b>{count === 1 ? '1 move' : `${number(count)} moves`}</b> in the drawing, not written yet</span>
          <span class="grow" />
          <button type="button" class="main" onClick={() => go('/review')}>Review {count === 1 ? 'it' : 'them'} <kbd>r</kbd></button>
          <button type="button" onClick={takeMoveBack}>Take the last back</button>
          {count > 1 && <button type="button" onClick={takeAllBack}>Take all back</button>}
        </div>
      )}
    </>
  );
}

