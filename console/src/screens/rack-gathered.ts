// Moves that are gathered on the way to one review: the drawings show devices where they would stand.
import { gather, gathered, presentOf, takeBack, withoutVersion, withVersion } from '../store/writes.lazy.ts';
import type { WriteStep } from '../store/writes.lazy.ts';
import type { Face } from '../draw/units.ts';
import type { Device, Rack } from './rack-data.ts';

interface Placed {
  rack: { id: string };
  startUnit: number;
  unitHeight: number;
  face: Face;
  fullDepth: boolean;
}

/** Devices as they were when they were moved, for drawings that do not have them, such as those of the tray. */
const known = new Map<string, Device>();
const several = (count: string): string => `Move ${count} devices`;

/** Gathers a move. What the device is now is read first, so that the review sees what others change after it. */
export async function gatherMove(title: string, device: Device, step: WriteStep): Promise<boolean> {
  const present = (await presentOf('Device', [device.id], false)).get(device.id);
  if (!known.has(device.id)) known.set(device.id, device);
  return gather(title, present ? { ...withVersion(step, present.version), base: present.item } : step, several);
}

export const takeMoveBack = (): void => takeBack(several);

/** The moves before one of a device. */
export function movesBut(device: string): WriteStep[] {
  return gathered().filter((it) => it.kind === 'Device' && it.id !== device).map(withoutVersion);
}

/** The position to which each gathered move puts its device; null if it takes it out of its rack. */
export function gatheredPlaces(): Map<string, Placed | null> {
  return new Map(gathered().flatMap((it) => (it.id ? [[it.id, (it.item.device as { placement: Placed | null }).placement] as const] : [])));
}

/** The racks with the gathered moves made. */
export function withMoves(racks: readonly Rack[]): Rack[] {
  const places = gatheredPlaces();
  if (places.size === 0) return [...racks];
  const devices = new Map([...known, ...racks.flatMap((rack) => rack.devices.map((it) => [it.id, it] as const))]);
  return racks.map((rack) => {
    const stay = rack.devices.filter((it) => !places.has(it.id));
    const come = [...places].flatMap(([id, to]): Device[] => {
      const it = devices.get(id);
      return it && to?.rack.id === rack.id ? [{ ...it, start: to.startUnit, height: to.unitHeight, face: to.face, fullDepth: to.fullDepth, planned: true }] : [];
    });
    return { ...rack, devices: [...stay, ...come] };
  });
}
