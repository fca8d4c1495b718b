// One rack of the screen: its name, its faces, and its ports while it is near the window.
import { computed, number, pathOf, useEffect, useMemo, useQuery, useRef, useState } from '../shared.ts';
import { faceHeight, headOf, RackFace } from '../draw/rack.tsx';
import type { Handlers } from '../draw/rack.tsx';
import type { Entry } from '../draw/tones.ts';
import { spaceOf, takes } from '../draw/units.ts';
import type { Face } from '../draw/units.ts';
import { drawn, isRetired, PORTS } from './rack-data.ts';
import type { PortsAnswer, Rack } from './rack-data.ts';
import { keptOf } from './rack-impact.ts';
import { facesOf } from './rack-look.ts';
import type { Look } from './rack-look.ts';
import { move } from './rack-move.ts';

export interface RackColumnProps {
  rack: Rack;
  look: Look;
  single: boolean;
  /** True if there are so few racks that all their feeds are read at once. */
  few: boolean;
  /** True if racks of several sites are shown. */
  sites: boolean;
  legend: readonly Entry[];
  found: ReadonlySet<string> | null;
  selected: string | null;
  /** The height that there is, in pixels. */
  room: number;
  handlers: Handlers;
  onPorts(answer: PortsAnswer): void;
}

const LARGE_PX = 24;
const LEAST_PX = 9;
const NAME_PX = 46;
const ACROSS = { single: 372, plain: 204, ports: 280, small: 140 };

/** True once the element has been near the window. */
function useSeen(element: { current: HTMLElement | null }): boolean {
  const [seen, setSeen] = useState(false);
  useEffect(() => {
    if (!element.current || seen) return undefined;
    const observer = new IntersectionObserver((them) => { if (them.some((it) => it.isIntersecting)) setSeen(true); }, { rootMargin: '400px' });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [seen]);
  return seen;
}

export function RackColumn({ rack, look, single, sites, few, legend, found, selected, room, handlers, onPorts }: RackColumnProps) {
  const box = useRef<HTMLElement>(null);
  const seen = useSeen(box);
  // Each column follows the part of a move that is its own, so that a step paints two columns and not a hundred.
  const ghost = useMemo(() => computed(() => {
    const it = move.value;
    return it?.to && it.to.rack.id === rack.id ? { ...it.to, id: it.device.id, name: it.device.name, verdict: it.verdict } : null;
  }), [rack.id]);
  const held = useMemo(() => computed(() => move.value?.device.id ?? null), []);
  const heldHere = rack.devices.some((it) => it.id === held.value) ? held.value : null;
  useEffect(() => box.current?.querySelector('.ghost')?.scrollIntoView({ block: 'nearest', inline: 'nearest' }), [ghost.value]);
  useEffect(() => {
    if (selected) box.current?.querySelector(`[data-device="${CSS.escape(selected)}"]`)?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [selected]);
  const fitting = (room - NAME_PX - headOf - 14) / rack.heightU;
  const unit = look.whole ? Math.max(LEAST_PX, Math.min(LARGE_PX, Math.floor(fitting * 4) / 4)) : LARGE_PX;
  const across = single ? ACROSS.single : look.ports ? ACROSS.ports : look.whole ? ACROSS.small : ACROSS.plain;
  const devices = rack.devices.map((it) => drawn(it, look.by, legend, look.ports));
  const veiled = new Set(look.hideRetired ? rack.devices.filter(isRetired).map((it) => it.id) : []);
  const space = spaceOf(rack.heightU, rack.devices);
  const stopOf = (face: Face): string | null => {
    const there = rack.devices.filter((it) => takes(it, face) && !veiled.has(it.id));
    if (there.some((it) => it.id === selected)) return selected;
    return there.reduce((best, it) => ((it.start ?? 0) > (best?.start ?? 0) ? it : best), there[0])?.id ?? null;
  };
  return (
    <article class="rack-column" aria-label={rack.name} ref={box}>
      {(seen ? look.ports || look.by === 'feed' : look.by === 'feed' && few) && <Ports rack={rack.id} onPorts={onPorts} />}
      <header>
        <h2>{single ? <bdi>{rack.name}</bdi> : <a href={`${pathOf('Rack', { ...rack })}/elevation${keptOf()}`} title={`${rack.site.name} · ${rack.name}`}><bdi>{rack.name}</bdi></a>}</h2>
        <span class={sites ? 'quiet' : 'quiet on-paper'}><bdi>{rack.site.name}</bdi></span>
        <p class="quiet" title="Units that are free on both faces, and the longest run of them">{number(space.free)} U free{single ? `, ${number(space.largest)} U together` : ''}</p>
      </header>
      <div class="rack-faces" style={{ minHeight: `${faceHeight(rack.heightU, unit)}px` }}>
        {facesOf(look, single).map((face) => (
          <RackFace
            key={face} rack={rack} face={face} devices={devices} unit={unit} across={across} found={found} veiled={veiled} selected={selected}
            held={heldHere} ghost={ghost.value} stop={stopOf(face)} {...handlers}
          />
        ))}
      </div>
    </article>
  );
}

/** Reads the ports of a rack, and hands them on. */
function Ports({ rack, onPorts }: { rack: string; onPorts(answer: PortsAnswer): void }) {
  const query = useQuery<PortsAnswer>(PORTS, { rack }, ['Port', 'Cable', 'PowerFeed']);
  const data = query.data.value;
  useEffect(() => { if (data) onPorts(data); }, [data]);
  return null;
}
