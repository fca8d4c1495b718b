// Places of devices among the racks that are drawn.
import { firstFit, other, within } from '../draw/units.ts';
import type { Face } from '../draw/units.ts';
import type { Device, Rack } from './rack-data.ts';
import type { RackPosition } from './rack-move.ts';

export interface Column {
  rack: Rack;
  face: Face;
}

/** The position of a device; for one that takes no unit, the highest place that holds it. */
export function fromPlace(it: Device, rack: Rack, face: Face = it.face): RackPosition | null {
  const start = it.start ?? firstFit(rack.heightU, rack.devices, face, it.height, it.fullDepth);
  return start === null ? null : { rack, start, height: it.height, face, fullDepth: it.fullDepth };
}

/** The place some units higher, inside the rack. */
export function higher(position: RackPosition, by: number): RackPosition {
  return { ...position, start: within(position.rack.heightU, position.start + by, position.height) };
}

/** The place in the column beside, at the same height; null at the end of the row. */
export function beside(position: RackPosition, columns: readonly Column[], by: number): RackPosition | null {
  const at = columns.findIndex((it) => it.rack.id === position.rack.id && it.face === position.face);
  const rackAt = at >= 0 ? at : columns.findIndex((it) => it.rack.id === position.rack.id);
  const next = columns[rackAt + by];
  return next ? { ...position, rack: next.rack, face: next.face, start: within(next.rack.heightU, position.start, position.height) } : null;
}

/** The face that a device is mounted on when it is dragged by one of its faces to a column. */
export function faceWhenDragged(it: Device, grabbed: Face, over: Face): Face {
  return grabbed === over ? it.face : other(it.face);
}
