// Places of devices among the racks that are drawn.
import { firstFit, other, within } from '../draw/units.ts';
import type { Face } from '../draw/units.ts';
import type { Device, Rack } from './rack-data.ts';
import type { Spot } from './rack-move.ts';

export interface Column {
  rack: Rack;
  face: Face;
}

/** Where a device stands; for one that takes no unit, the highest place that holds it. */
export function fromPlace(it: Device, rack: Rack, face: Face = it.face): Spot | null {
  const start = it.start ?? firstFit(rack.heightU, rack.devices, face, it.height, it.fullDepth);
  return start === null ? null : { rack, start, height: it.height, face, fullDepth: it.fullDepth };
}

/** The place some units higher, inside the rack. */
export function higher(spot: Spot, by: number): Spot {
  return { ...spot, start: within(spot.rack.heightU, spot.start + by, spot.height) };
}

/** The place in the column beside, at the same height; null at the end of the row. */
export function beside(spot: Spot, columns: readonly Column[], by: number): Spot | null {
  const at = columns.findIndex((it) => it.rack.id === spot.rack.id && it.face === spot.face);
  const rackAt = at >= 0 ? at : columns.findIndex((it) => it.rack.id === spot.rack.id);
  const next = columns[rackAt + by];
  return next ? { ...spot, rack: next.rack, face: next.face, start: within(next.rack.heightU, spot.start, spot.height) } : null;
}

/** The face that a device is mounted on when it is dragged by one of its faces to a column. */
export function faceWhenDragged(it: Device, grabbed: Face, over: Face): Face {
  return grabbed === over ? it.face : other(it.face);
}
