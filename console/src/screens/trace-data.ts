// The query of a trace, and its hops in the words of the drawing.
import { enumWords, joined, number, rate } from '../shared.ts';
import type { Branch, Hop } from '../draw/line.ts';
import { unitWords } from '../draw/units.ts';

const DEVICE = 'device { id name status site { name } placement { rack { id name } startUnit unitHeight } parent { name placement { rack { id name } startUnit unitHeight } } }';
const HOP = `__typename
  ... on Port { id name enabled portType: type ${DEVICE} rack { id name } virtualMachine { id name } }
  ... on Cable { id name label media color lengthM cableStatus: status }
  ... on CircuitTermination { id name side circuit { id name } site { name } }
  ... on Circuit { id name circuitId circuitType: type circuitStatus: status bandwidthMbps latencyMs distanceM provider { name } }
  ... on Site { id name }
  ... on ProviderNetwork { id name provider { name } }
  ... on PowerFeed { id name feedStatus: status rack { id name } site { name } }`;
export const TRACE_FIELDS = `revision complete active split truncated origin { ${HOP} } branches {
  direction outcome active lengthM knownLengthM latencyMs cableCount steps { ${HOP} }
}`;

export const TRACE = `query Trace($from: ID!, $through: Boolean) { trace(from: $from, throughDevices: $through) { ${TRACE_FIELDS} } }`;
export const TRACE_CHANGED = `subscription TraceChanged($from: ID!) { traceChanged(from: $from) { ${TRACE_FIELDS} } }`;
/** The ends of a cable, where its trace begins. */
export const ENDS = `query Ends($id: ID!) { node(id: $id) { ... on Cable {
  aEnds { __typename ... on Port { id } ... on PowerFeed { id } ... on CircuitTermination { id } }
  bEnds { __typename ... on Port { id } ... on PowerFeed { id } ... on CircuitTermination { id } }
} } }`;

interface Placed { rack: { id: string; name: string }; startUnit: number | null; unitHeight: number | null }
interface DeviceRow { id: string; name: string; status: string; site: { name: string }; placement: Placed | null; parent: { name: string; placement: Placed | null } | null }
interface Named { id: string; name: string }
export interface HopRow extends Named {
  __typename: string;
  enabled?: boolean; portType?: string; device?: DeviceRow | null; rack?: Named | null; virtualMachine?: Named | null;
  label?: string | null; media?: string | null; color?: string | null; lengthM?: number | null; cableStatus?: string;
  side?: string; circuit?: Named | null; site?: { name: string } | null;
  circuitId?: string | null; circuitType?: string; circuitStatus?: string; bandwidthMbps?: number | null; latencyMs?: number | null; distanceM?: number | null;
  provider?: { name: string } | null; feedStatus?: string;
}

export interface BranchRow {
  direction: string; outcome: string; active: boolean; lengthM: number | null; knownLengthM: number; latencyMs: number | null; cableCount: number;
  steps: HopRow[][];
}
export interface TraceRow {
  revision: number; complete: boolean; active: boolean; split: boolean; truncated: boolean; origin: HopRow; branches: BranchRow[];
}

const unless = (status: string | undefined, fine: string): string | null => (status === undefined || status === fine ? null : enumWords(status).toLowerCase());

/** The location of a device: `ams1 · A14 · U12`. */
function placeOf(it: DeviceRow): string {
  const placed = it.placement ?? it.parent?.placement;
  const units = placed && placed.startUnit !== null ? unitWords(placed.startUnit, placed.unitHeight ?? 1) : '';
  return joined([it.site.name, placed?.rack.name, units, it.placement ? '' : it.parent && `in ${it.parent.name}`]);
}

function ownerOf(it: HopRow): Hop['owner'] {
  if (it.device) return { id: it.device.id, kind: 'Device', name: it.device.name, place: placeOf(it.device) };
  if (it.virtualMachine) return { ...it.virtualMachine, kind: 'VirtualMachine', place: 'Virtual machine' };
  if (it.circuit) return { ...it.circuit, kind: 'Circuit', place: '' };
  if (it.__typename === 'Port' && it.rack) return { ...it.rack, kind: 'Rack', place: 'Rack' };
  return null;
}

function factsOf(it: HopRow): string[] {
  const all = it.__typename === 'Cable'
    ? [it.media && enumWords(it.media), it.lengthM != null && `${number(it.lengthM)} m`, it.color]
    : it.__typename === 'Circuit'
      ? [it.provider?.name, it.bandwidthMbps != null && rate(it.bandwidthMbps * 1e6), it.latencyMs != null && `${number(it.latencyMs)} ms`]
      : [it.provider?.name, it.site?.name];
  return all.filter((one): one is string => Boolean(one));
}

export function hopOf(it: HopRow): Hop {
  const kind = it.__typename;
  const fault = kind === 'Port'
    ? it.enabled === false ? 'disabled' : unless(it.device?.status, 'ACTIVE')
    : unless(it.cableStatus, 'CONNECTED') ?? unless(it.circuitStatus ?? it.feedStatus, 'ACTIVE');
  const name = kind === 'CircuitTermination' ? `${it.side} side` : it.name;
  return { id: it.id, kind, name, owner: ownerOf(it), facts: factsOf(it), fault, color: it.color ?? null, label: it.label ?? null, lengthM: it.lengthM ?? null };
}

export function branchesOf(trace: TraceRow): Branch[] {
  return trace.branches.map((it) => ({
    steps: it.steps.map((step) => step.map(hopOf)), through: it.direction === 'THROUGH', outcome: it.outcome, active: it.active,
  }));
}

/** A hop as one line: `ams1-border-1 · et-0/0/3`. */
export const hopWords = (it: Hop): string => joined([it.owner?.name, it.name]);
