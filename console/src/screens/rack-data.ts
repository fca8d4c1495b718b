// The data of the drawings of racks: two queries, and rows of the API as devices with a place, feeds and ports.
import { enumWords } from '../shared.ts';
import { lightWords } from './effects.tsx';
import type { Row } from '../shared.ts';
import type { Dot, Drawn } from '../draw/rack.tsx';
import { keyOf, UNKNOWN } from '../draw/tones.ts';
import type { By, Coloured, Entry } from '../draw/tones.ts';
import { unitWords } from '../draw/units.ts';
import type { Face, Span } from '../draw/units.ts';

export const RACKS_AT_ONCE = 100;
const DEVICE = 'id name role status tenant model serial assetTag version placement { startUnit unitHeight face fullDepth }';

export const RACKS = `query Elevations($filter: RackFilter, $after: String) {
  racks(filter: $filter, first: ${RACKS_AT_ONCE}, after: $after, orderBy: {by: KEY}) {
    totalCount pageInfo { endCursor hasNextPage }
    nodes { __typename id name heightU row cage status site { __typename id name } location { __typename id name } devices(first: 200) { nodes { ${DEVICE} } } }
  }
}`;

/** The ports of a rack's devices, and what their inlets hang on. */
export const PORTS = `query Faces($rack: ID!) {
  ports(first: 1000, filter: {within: $rack, not: {type: {in: [VIRTUAL, LAG, WIRELESS]}}}) {
    nodes { id type enabled markConnected device { id } cable { id } }
  }
  inlets: ports(first: 500, filter: {within: $rack, type: {eq: POWER_INLET}}) {
    nodes { device { id } peers { ... on Port { device { id name } } ... on PowerFeed { name } } }
  }
}`;

/** Devices that stand in no rack and in no other device. */
export const UNPLACED = `query Unplaced($sites: [ID!]!) {
  devices(first: 100, orderBy: {by: NAME}, filter: {site: {id: {in: $sites}}, rack: {isNull: true}, parent: {isNull: true}, not: {status: {in: [RETIRED]}}}) {
    totalCount nodes { ${DEVICE} }
  }
}`;

export interface Device extends Span, Coloured {
  id: string;
  name: string;
  model: string | null;
  serial: string | null;
  assetTag: string | null;
  /** Ports with and without a cable; null while they are not known. */
  dots: Dot[] | null;
  /** True if a gathered move puts it here, which is not written yet. */
  planned?: boolean;
}

export interface Rack {
  id: string;
  name: string;
  heightU: number;
  status: string;
  site: Row & { id: string; name: string };
  location: (Row & { id: string; name: string }) | null;
  devices: Device[];
}

interface PlacementRow { startUnit: number | null; unitHeight: number | null; face: Face; fullDepth: boolean }
interface DeviceRow {
  id: string; name: string; role: string; status: string; tenant: string | null; model: string | null; serial: string | null;
  assetTag: string | null; placement: PlacementRow | null;
}
export interface RackRow extends Omit<Rack, 'devices'> { devices: { nodes: DeviceRow[] } }
export interface RacksAnswer { racks: { totalCount: number; pageInfo: { endCursor: string | null; hasNextPage: boolean }; nodes: RackRow[] } }
export interface UnplacedAnswer { devices: { totalCount: number; nodes: DeviceRow[] } }

interface PeerRow { name?: string; device?: { id: string; name: string } | null }
interface PortRow { id: string; type: string; enabled: boolean; markConnected: boolean; device: { id: string } | null; cable: { id: string } | null }
interface InletRow { device: { id: string } | null; peers: PeerRow[] }
export interface PortsAnswer { ports: { nodes: PortRow[] }; inlets: { nodes: InletRow[] } }

export function deviceOf(row: DeviceRow): Device {
  const { placement: it, ...rest } = row;
  return {
    ...rest, start: it?.startUnit ?? null, height: it?.unitHeight ?? 1, face: it?.face ?? 'FRONT', fullDepth: it?.fullDepth ?? false,
    feeds: null, dots: null, effect: null,
  };
}

export const rackOf = (row: RackRow): Rack => ({ ...row, devices: row.devices.nodes.map(deviceOf) });

const OTHER_SIDE = new Set(['POWER_INLET', 'PATCH_REAR']);
const POWER_DEPTH = 6;

/** The names of the feeds behind a device's inlets, through the power strips of the same rack. */
function feedsOf(id: string, inlets: ReadonlyMap<string, PeerRow[]>, depth = 0): string[] {
  const names = (inlets.get(id) ?? []).flatMap((it) => {
    if (!it.device) return it.name ? [it.name] : [];
    const behind = depth < POWER_DEPTH && it.device.id !== id ? feedsOf(it.device.id, inlets, depth + 1) : [];
    return behind.length > 0 ? behind : [it.device.name];
  });
  return [...new Set(names)].sort();
}

function byDevice<T, R extends { device: { id: string } | null }>(rows: readonly R[], valuesOf: (row: R) => T[]): Map<string, T[]> {
  const found = new Map<string, T[]>();
  for (const it of rows) if (it.device) found.set(it.device.id, [...(found.get(it.device.id) ?? []), ...valuesOf(it)]);
  return found;
}

/** The rack with the ports and feeds of its devices. */
export function withPorts(rack: Rack, answer: PortsAnswer | null | undefined): Rack {
  if (!answer) return rack;
  const inlets = byDevice(answer.inlets.nodes, (it) => it.peers);
  const dots = byDevice(answer.ports.nodes, (it): Dot[] => [{
    id: it.id, own: !OTHER_SIDE.has(it.type), state: !it.enabled ? 'off' : it.cable || it.markConnected ? 'cabled' : 'open',
  }]);
  return { ...rack, devices: rack.devices.map((it) => ({ ...it, feeds: feedsOf(it.id, inlets), dots: dots.get(it.id) ?? [] })) };
}

const NONE: Record<By, string> = { role: 'No role', status: 'No status', tenant: 'Shared', feed: 'No feed', effect: 'Not affected' };

/** The meaning of a colour: a role, a status, a tenant, feeds or an effect. */
export function keyWords(by: By, key: string): string {
  if (!key) return NONE[by];
  if (key === UNKNOWN) return 'Reading…';
  if (by === 'effect') return lightWords(key);
  return by === 'role' || by === 'status' ? enumWords(key) : key;
}

/** A device in the colours of a legend. */
export function drawn(it: Device, by: By, legend: readonly Entry[], ports: boolean): Drawn {
  const key = keyOf(it, by);
  const face = it.face === 'FRONT' ? 'front' : 'rear';
  const words = [it.effect && lightWords(it.effect), enumWords(it.role), enumWords(it.status), `${unitWords(it.start, it.height)}, ${face}${it.fullDepth ? ', full depth' : ''}`, it.planned && 'moved, not written yet', it.model, it.tenant];
  return {
    id: it.id, name: it.name, start: it.start, height: it.height, face: it.face, fullDepth: it.fullDepth,
    tone: legend.find((entry) => entry.key === key)?.tone ?? 'tone-9',
    // The drawing is about those that are affected: the others stay silent.
    tag: by === 'effect' && !key ? '' : keyWords(by, key), tagBehind: by === 'effect' && key !== '',
    about: words.filter(Boolean).join(' · '), planned: it.planned ?? false, dots: ports ? it.dots ?? [] : [],
  };
}

/** True if a search finds the device by what is known of it. */
export function fits(it: Device, text: string): boolean {
  const all = [it.name, it.role, enumWords(it.role), it.status, it.tenant, it.model, it.serial, it.assetTag, ...(it.feeds ?? [])].join(' ').toLowerCase();
  return text.toLowerCase().split(/\s+/).filter(Boolean).every((word) => all.includes(word));
}

/** Racks as they stand: by site, row and name. */
export function inOrder(racks: readonly Rack[]): Rack[] {
  const compare = new Intl.Collator(undefined, { numeric: true }).compare;
  return [...racks].sort((a, b) => compare(a.site.name, b.site.name) || compare(a.location?.name ?? '', b.location?.name ?? '') || compare(a.name, b.name));
}

export const isRetired = (it: Device): boolean => it.status === 'RETIRED' || it.status === 'DECOMMISSIONING';
