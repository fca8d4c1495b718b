// Units of a rack as numbers: U1 is at the bottom, and places go in steps of half a unit.

export type Face = 'FRONT' | 'REAR';
export const FACES: readonly Face[] = ['FRONT', 'REAR'];

/** The place of a device. `start` is the lowest unit; null if it takes no unit. */
export interface Span {
  start: number | null;
  height: number;
  face: Face;
  fullDepth: boolean;
}

export interface Run {
  start: number;
  height: number;
}

const HALF = 0.5;

export const other = (face: Face): Face => (face === 'FRONT' ? 'REAR' : 'FRONT');

/** True if a device is seen on this face: it is mounted there, or goes through. */
export function takes(it: Span, face: Face): boolean {
  return it.start !== null && (it.face === face || it.fullDepth);
}

/** The free runs of a face from the top down, in half units. */
export function freeRuns(heightU: number, spans: readonly Span[], face: Face): Run[] {
  const slots = Math.round(heightU / HALF);
  const taken = new Array<boolean>(slots).fill(false);
  for (const it of spans) {
    if (it.start === null || !takes(it, face)) continue;
    const from = Math.round((it.start - 1) / HALF);
    for (let slot = Math.max(0, from); slot < Math.min(slots, from + Math.round(it.height / HALF)); slot += 1) taken[slot] = true;
  }
  const runs: Run[] = [];
  let begin = -1;
  for (let slot = 0; slot <= slots; slot += 1) {
    const free = slot < slots && !taken[slot];
    if (free && begin < 0) begin = slot;
    if (!free && begin >= 0) {
      runs.push({ start: 1 + begin * HALF, height: (slot - begin) * HALF });
      begin = -1;
    }
  }
  return runs.reverse();
}

export interface Space {
  used: number;
  free: number;
  largest: number;
}

/** Units that are taken on either face, that are free on both, and the largest run of those. */
export function spaceOf(heightU: number, spans: readonly Span[]): Space {
  const runs = freeRuns(heightU, spans.map((it) => ({ ...it, fullDepth: true })), 'FRONT');
  const free = runs.reduce((sum, it) => sum + it.height, 0);
  return { used: heightU - free, free, largest: Math.max(0, ...runs.map((it) => it.height)) };
}

/** The lowest place from the top where a height fits on a face; null if there is none. */
export function firstFit(heightU: number, spans: readonly Span[], face: Face, height: number, fullDepth: boolean): number | null {
  const all = fullDepth ? spans.map((it) => ({ ...it, fullDepth: true })) : spans;
  const run = freeRuns(heightU, all, face).find((it) => it.height >= height);
  return run ? Math.floor((run.start + run.height - height) / HALF) * HALF : null;
}

/** Keeps a place inside its rack. */
export function within(heightU: number, start: number, height: number): number {
  return Math.max(1, Math.min(heightU + 1 - height, Math.round(start / HALF) * HALF));
}

/** A place as people write it: `U12`, `U12–13`. */
export function unitWords(start: number | null, height: number): string {
  if (start === null) return 'no unit';
  const last = start + height - 1;
  return last > start ? `U${start}–${last}` : `U${start}`;
}

export interface Line<T> {
  /** The device that stands there; null for a free run. */
  device: T | null;
  start: number | null;
  height: number;
  face: Face;
}

/** A rack as lines from the top down: each device once, and free runs of each face; at the end what takes no unit. */
export function linesOf<T extends Span>(heightU: number, devices: readonly T[]): Array<Line<T>> {
  const placed = devices.filter((it) => it.start !== null).map((it) => ({ device: it, start: it.start, height: it.height, face: it.face }));
  const free = FACES.flatMap((face) => freeRuns(heightU, devices, face).map((it) => ({ device: null, ...it, face })));
  const top = (it: { start: number | null; height: number }): number => (it.start ?? 0) + it.height;
  const sorted = [...placed, ...free].sort((a, b) => top(b) - top(a) || (a.face === b.face ? 0 : a.face === 'FRONT' ? -1 : 1));
  const without = devices.filter((it) => it.start === null).map((it) => ({ device: it, start: null, height: it.height, face: it.face }));
  return [...sorted, ...without];
}

/** The distance of a place from the top of the rack, in units. */
export const fromTop = (heightU: number, start: number, height: number): number => heightU - (start - 1) - height;

/** The unit under a point, `y` units from the top. */
export const unitAt = (heightU: number, y: number): number => heightU - Math.floor(y);
