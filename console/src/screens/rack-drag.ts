// Dragging a device over the drawings with a pointer. A press that does not move stays a click.
import { refusal } from '../shared.ts';
import { headOf, faceHeight } from '../draw/rack.tsx';
import { within } from '../draw/units.ts';
import type { Face } from '../draw/units.ts';
import type { Device, Rack } from './rack-data.ts';
import { drop, move, moveTo, pickUp, putBack } from './rack-move.ts';
import type { RackPosition } from './rack-move.ts';
import { faceWhenDragged } from './rack-place.ts';

const STILL_PX = 4;
const EDGE_PX = 36;
const SCROLL_PX = 14;

interface Under {
  rack: Rack;
  face: Face;
  /** Units from U1's lower edge to the pointer. */
  height: number;
}

/** The rack, the face and the height under a point. */
function under(x: number, y: number, racks: readonly Rack[]): Under | null {
  const svg = document.elementsFromPoint(x, y).map((it) => it.closest('svg.rack-face') as SVGSVGElement | null).find((it) => it !== null);
  const rack = racks.find((it) => it.id === svg?.dataset.rack);
  if (!svg || !rack) return null;
  const box = svg.getBoundingClientRect();
  const scale = svg.viewBox.baseVal.height / box.height;
  const unit = (svg.viewBox.baseVal.height - faceHeight(0, 0)) / rack.heightU;
  return { rack, face: svg.dataset.face as Face, height: rack.heightU - ((y - box.top) * scale - headOf) / unit };
}

/** Scrolls when the pointer is near an edge. */
function scroll(box: HTMLElement | null, x: number, y: number): void {
  if (!box) return;
  const at = box.getBoundingClientRect();
  const push = (point: number, from: number, to: number): number => (point < from + EDGE_PX ? -SCROLL_PX : point > to - EDGE_PX ? SCROLL_PX : 0);
  box.scrollBy(push(x, at.left, at.right), push(y, at.top, at.bottom));
}

/** Follows the pointer from a press on a device, or on its name in the tray, to the release. */
export function beginDrag(event: PointerEvent, device: Device, racks: readonly Rack[], box: HTMLElement | null): void {
  if (event.button !== 0 || move.value || refusal('apply')) return;
  const start = { x: event.clientX, y: event.clientY };
  const grabbed = device.start === null ? null : under(start.x, start.y, racks);
  // Keeps the part of the device that was grabbed under the pointer.
  const offset = grabbed && device.start !== null ? grabbed.height - (device.start - 1) : device.height / 2;
  const abort = new AbortController();
  const positionAt = (x: number, y: number): RackPosition | null => {
    const over = under(x, y, racks);
    if (!over) return null;
    const face = grabbed ? faceWhenDragged(device, grabbed.face, over.face) : over.face;
    return { rack: over.rack, face, height: device.height, fullDepth: device.fullDepth, start: within(over.rack.heightU, Math.round(over.height - offset) + 1, device.height) };
  };
  const moved = (at: PointerEvent): void => {
    if (!move.value) {
      if (Math.hypot(at.clientX - start.x, at.clientY - start.y) < STILL_PX) return;
      pickUp(device, null);
    }
    scroll(box, at.clientX, at.clientY);
    moveTo(positionAt(at.clientX, at.clientY));
  };
  const end = (): void => {
    abort.abort();
    if (!move.value) return;
    // The click that follows a drag at once is not meant.
    const click = new AbortController();
    window.addEventListener('click', (it) => { it.stopPropagation(); it.preventDefault(); }, { capture: true, once: true, signal: click.signal });
    setTimeout(() => click.abort(), 0);
    void drop();
  };
  const options = { signal: abort.signal };
  window.addEventListener('pointermove', moved, options);
  window.addEventListener('pointerup', end, options);
  window.addEventListener('pointercancel', () => { abort.abort(); putBack(); }, options);
  window.addEventListener('keydown', (key) => { if (key.key === 'Escape') { abort.abort(); putBack(); } }, options);
}
