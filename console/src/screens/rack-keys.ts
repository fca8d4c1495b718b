// Keys in the drawings: arrows walk from device to device, Space picks one up, and then arrows move it.
import { move } from './rack-move.ts';
import { drop, moveTo, putBack } from './rack-move.ts';
import { beside, higher } from './rack-place.ts';
import type { Column } from './rack-place.ts';
import { takes } from '../draw/units.ts';
import type { Device } from './rack-data.ts';

const PAGE_UNITS = 5;

interface Walk {
  focus(id: string): void;
  pick(id: string): void;
  open(id: string): void;
}

const top = (it: Device): number => (it.start ?? 0) + it.height;
const drawnIn = ({ rack, face }: Column): Device[] => rack.devices.filter((it) => takes(it, face)).sort((a, b) => top(b) - top(a));

function elementOf({ rack, face }: Column, id: string): SVGElement | null {
  return document.querySelector(`svg[data-rack="${rack.id}"][data-face="${face}"] [data-device="${id}"]`);
}

/** Keys on a device while nothing is held. */
export function walkKeys(event: KeyboardEvent, id: string, columns: readonly Column[], walk: Walk): void {
  if (move.value || event.ctrlKey || event.metaKey || event.altKey) return;
  const svg = (event.currentTarget as Element).closest('svg');
  const at = columns.findIndex((it) => it.rack.id === svg?.dataset.rack && it.face === svg.dataset.face);
  const column = columns[at];
  if (!column) return;
  const go = (to: Column | undefined, device: Device | undefined): void => {
    event.preventDefault();
    if (!to || !device) return;
    walk.focus(device.id);
    elementOf(to, device.id)?.focus();
  };
  const all = drawnIn(column);
  const index = all.findIndex((it) => it.id === id);
  if (event.key === 'ArrowDown') go(column, all[index + 1]);
  else if (event.key === 'ArrowUp') go(column, all[index - 1]);
  else if (event.key === 'Home') go(column, all[0]);
  else if (event.key === 'End') go(column, all.at(-1));
  else if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
    const own = all[index];
    const next = nearest(columns, at, event.key === 'ArrowRight' ? 1 : -1, own);
    go(next?.column, next?.device);
  } else if (event.key === ' ') {
    event.preventDefault();
    event.stopPropagation();
    walk.pick(id);
  } else if (event.key === 'Enter') {
    event.preventDefault();
    walk.open(id);
  }
}

/** The device at the same height in the next column that has one. */
function nearest(columns: readonly Column[], from: number, by: number, own: Device | undefined): { column: Column; device: Device } | undefined {
  for (let at = from + by; at >= 0 && at < columns.length; at += by) {
    const column = columns[at];
    const [device] = column ? drawnIn(column).sort((a, b) => Math.abs((a.start ?? 0) - (own?.start ?? 0)) - Math.abs((b.start ?? 0) - (own?.start ?? 0))) : [];
    if (column && device) return { column, device };
  }
  return undefined;
}

/** Keys while a device is held, wherever the focus is on the screen. */
export function moveKeys(event: KeyboardEvent, columns: readonly Column[]): void {
  const now = move.value;
  if (!now || event.ctrlKey || event.metaKey || event.altKey) return;
  if ((event.target as Element).closest('input, select, textarea, dialog')) return;
  const onButton = (event.target as Element).closest('.move-bar button') !== null;
  const step = event.shiftKey ? 0.5 : 1;
  const ways: Record<string, number> = { ArrowUp: step, ArrowDown: -step, PageUp: PAGE_UNITS, PageDown: -PAGE_UNITS };
  const up = ways[event.key];
  const across = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
  if (up !== undefined && now.to) moveTo(higher(now.to, up));
  else if (across !== 0 && now.to) moveTo(beside(now.to, columns, across) ?? now.to);
  else if (event.key === 'Escape') putBack();
  else if ((event.key === 'Enter' || event.key === ' ') && !onButton) void drop();
  else return;
  event.preventDefault();
  event.stopPropagation();
}
