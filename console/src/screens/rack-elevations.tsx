// The screen of one rack or of a row of racks: the bar, the drawings, the pane beside them, and the table as their twin.
import { Failure, go, intoBasket, kindOf, lazy, openForm, pathOf, refusal, review, setParams, url, useCommands, useEffect, useMemo, useRef, useState } from '../shared.ts';
import type { Refused } from '../shared.ts';
import { legendOf } from '../draw/tones.ts';
import { MoveBar, RackBar } from './rack-bar.tsx';
import { fits, isRetired, withPorts } from './rack-data.ts';
import type { Device, PortsAnswer, Rack } from './rack-data.ts';
import { RackColumn } from './rack-column.tsx';
import { MoveDialog } from './rack-dialog.tsx';
import { beginDrag } from './rack-drag.ts';
import { withLight } from './rack-impact.ts';
import type { Lit } from './rack-impact.ts';
import { moveKeys, walkKeys } from './rack-keys.ts';
import type { RackListProps } from './rack-list.lazy.tsx';
import { LitLine } from './rack-lit.tsx';
import { withMoves } from './rack-gathered.ts';
import { lookOf, facesOf } from './rack-look.ts';
import { allowed, pickUp, putBack } from './rack-move.ts';
import { RackPane } from './rack-pane.tsx';
import { fromPlace } from './rack-place.ts';
import { stepRack } from './rack-step.ts';

const RackList = lazy<RackListProps>(async () => (await import('./rack-list.lazy.tsx')).RackList);

export interface ElevationsProps {
  racks: Rack[];
  /** The effects of an impact on their devices; null if none is shown. */
  lit: Lit | null;
  total: number;
  single: boolean;
  title: string;
  /** The cursor of the racks after these; null if there are none. */
  next: string | null;
  error: Refused | null;
}

/** Of more racks than these, ports and feeds are read when they come near the window. */
const FEW_RACKS = 30;

/** The size of the drawings in pixels: the room that there is. */
function useRoom() {
  const box = useRef<HTMLDivElement>(null);
  const [height, setHeight] = useState(720);
  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(() => setHeight(element.clientHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { box, height };
}

export function Elevations({ racks: rows, lit, total, single, title, next, error }: ElevationsProps) {
  const look = lookOf(url.value.searchParams, single);
  const [ports, setPorts] = useState<ReadonlyMap<string, PortsAnswer>>(new Map());
  const selected = url.value.searchParams.get('device');
  const setSelected = (id: string | null): void => setParams({ device: id }, 'replace');
  const [asked, setAsked] = useState<Device | null>(null);
  const { box, height } = useRoom();
  const there = useMemo(() => rows.map((it) => withLight(withPorts(it, ports.get(it.id)), lit)), [rows, ports, lit]);
  const racks = useMemo(() => withMoves(there), [there, review.value]);
  const devices = racks.flatMap((it) => it.devices);
  const shown = look.hideRetired ? devices.filter((it) => !isRetired(it)) : devices;
  const legend = legendOf(shown, look.by);
  const found = look.q ? new Set(shown.filter((it) => fits(it, look.q)).map((it) => it.id)) : null;
  const device = devices.find((it) => it.id === selected) ?? null;
  const ask = (it: Device): void => { putBack(); if (allowed()) setAsked(it); };
  const sites = new Set(racks.map((it) => it.site.id)).size;
  const columns = racks.flatMap((rack) => facesOf(look, single).map((face) => ({ rack, face })));

  useEffect(() => putBack, []);
  const open = (id: string): void => { const it = devices.find((one) => one.id === id); if (it) go(pathOf('Device', { id: it.id })); };
  useCommands({
    ...(device ? {
      out: () => setSelected(null), impact: () => intoBasket([device.id]), trace: () => go(`${pathOf('Device', { id: device.id })}/trace`),
    } : {}),
    ...(device && !refusal('apply') ? { move: () => ask(device), edit: () => edit(device.id) } : {}),
    ...(single && racks[0] ? { up: () => go(pathOf('Rack', { ...racks[0] })), 'back-one': () => void stepRack(racks[0] as Rack, -1), 'on-one': () => void stepRack(racks[0] as Rack, 1) } : {}),
  });
  const edit = (id: string): void => { const kind = kindOf('Device'); if (kind) openForm({ kind, objects: [id] }); };
  const pick = (id: string): void => {
    const rack = racks.find((it) => it.devices.some((one) => one.id === id));
    const it = devices.find((one) => one.id === id);
    if (rack && it) pickUp(it, fromPlace(it, rack));
  };
  const handlers = {
    onSelect: setSelected,
    onDown: (event: PointerEvent, id: string) => {
      const it = devices.find((one) => one.id === id);
      if (it) beginDrag(event, it, racks, box.current);
    },
    onKey: (event: KeyboardEvent, id: string) => walkKeys(event, id, columns, { focus: setSelected, pick, open }),
  };
  return (
    <section class="racks" aria-label={title} onKeyDown={(event) => moveKeys(event, columns)}>
      <RackBar title={title} rack={single ? racks[0] ?? null : null} look={look} single={single} total={total} count={racks.length} found={found?.size ?? null} next={next} box={box} />
      {error && <Failure error={error} />}
      {look.lit && <LitLine lit={lit} devices={devices} part={single || url.value.searchParams.has('within')} />}
      <div class="rack-beside">
        <div class={`rack-drawings print-${look.print}`} ref={box} tabIndex={0} role="region" aria-label={`${title}, ${look.list ? 'as a table' : 'drawing'}`}>
          {look.list
            ? <RackList racks={racks} look={look} found={found} onMove={ask} />
            : racks.map((rack) => (
              <RackColumn
                key={rack.id} rack={rack} look={look} single={single} sites={sites > 1} few={racks.length <= FEW_RACKS} legend={legend} found={found} selected={selected} room={height} handlers={handlers}
                onPorts={(answer) => setPorts((before) => new Map(before).set(rack.id, answer))}
              />
            ))}
          {racks.length === 0 && <p class="empty">No rack fits these filters.</p>}
        </div>
        <RackPane racks={racks} single={single} look={look} legend={legend} device={device} onMove={ask} onPick={pick} onClose={() => setSelected(null)} box={box} />
      </div>
      <MoveBar />
      {asked && <MoveDialog device={asked} racks={racks} onClose={() => setAsked(null)} />}
    </section>
  );
}
