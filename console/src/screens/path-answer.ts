// The answer of the API about paths, and what is drawn and listed of it. Pure.
import type { DrawnPath } from '../draw/paths-layout.ts';

export interface Hop {
  __typename: string;
  id: string;
  name: string;
  device?: { id: string; name: string } | null;
  rack?: { id: string; name: string } | null;
  media?: string | null;
  side?: string;
}

export interface Segment {
  type: 'LINE' | 'PARENT' | 'BARE_SITE' | 'LINK' | 'MEMBER';
  lengthM: number | null;
  logical: boolean;
  active: boolean;
  link: { id: string; name: string } | null;
  steps: Hop[][];
}

export interface Path {
  hops: number;
  lengthM: number | null;
  knownLengthM: number;
  latencyMs: number | null;
  knownLatencyMs: number;
  unknownLatencies: number;
  bandwidthBps: number | null;
  active: boolean;
  logical: boolean;
  nodes: Array<{ __typename: string; id: string; name: string; role?: string }>;
  segments: Segment[];
}

export interface Risk {
  kind: string | null;
  path: string | null;
  node: { id: string; name?: string } | null;
  riskGroup: string | null;
  takesEnd: boolean;
  breaks: Array<Array<{ id: string }>>;
}

const NAMED = `hops lengthM knownLengthM latencyMs knownLatencyMs unknownLatencies bandwidthBps active logical
  nodes { __typename ... on Device { id name role } ... on ProviderNetwork { id name } ... on Site { id name } ... on Cluster { id name } }
  segments { type lengthM logical active link { id name } steps { __typename
    ... on Port { id name device { id name } rack { id name } } ... on Cable { id name media } ... on CircuitTermination { id name side }
    ... on Circuit { id name } ... on Site { id name } ... on ProviderNetwork { id name } ... on PowerFeed { id name } } }`;
const DECLARED = '$from: ID!, $to: ID!, $avoid: [ID!], $weight: PathWeight, $plane: Plane, $planned: Boolean, $logical: Boolean';
const ARGUMENTS = 'from: $from, to: $to, avoid: $avoid, weight: $weight, plane: $plane, includePlanned: $planned, includeLogical: $logical';

export const PATHS = `query Paths(${DECLARED}, $mode: PathMode, $limit: Int) { found: paths(${ARGUMENTS}, mode: $mode, limit: $limit) { revision paths { ${NAMED} } } }`;
export const DIVERSITY = `query Diversity(${DECLARED}) { found: diversity(${ARGUMENTS}) { revision disjoint paths { ${NAMED} }
  risks { kind path node { id ... on Object { name } } riskGroup takesEnd breaks { id } } } }`;

/** A segment in few words: its circuits, otherwise its cables. */
export function labelOf(it: Segment): string {
  const hops = it.steps.flat();
  const circuits = hops.filter((hop) => hop.__typename === 'Circuit');
  if (circuits.length > 0) return circuits.map((hop) => hop.name).join(', ');
  if (it.link) return it.link.name;
  if (it.type === 'PARENT') return 'one chassis';
  if (it.type === 'MEMBER') return 'belongs to';
  const cables = hops.filter((hop) => hop.__typename === 'Cable').length;
  return cables === 0 ? '' : cables === 1 ? '1 cable' : `${cables} cables`;
}

/** Everything that a segment runs over, with the devices of its ports. */
export function overOf(it: Segment): string[] {
  const hops = it.steps.flat().flatMap((hop) => [hop.id, ...(hop.device ? [hop.device.id] : [])]);
  return [...hops, ...(it.link ? [it.link.id] : [])];
}

export function drawnOf(path: Path, words: (value: string) => string): DrawnPath {
  return {
    nodes: path.nodes.map((it) => ({ id: it.id, name: it.name, detail: it.role ? words(it.role) : words(it.__typename.replace(/(?!^)([A-Z])/g, '_$1').toUpperCase()) })),
    segments: path.segments.map((it) => ({ label: labelOf(it), over: overOf(it), logical: it.logical })),
  };
}

export interface Passed {
  id: string;
  kind: string;
  name: string;
  detail: string;
}

/** The objects that a segment passes, as text: cables, circuits, networks, panels once, and the ports in between. */
export function passedOf(it: Segment, ends: string[]): Passed[] {
  const passed: Passed[] = [];
  const add = (one: Passed): void => {
    const before = passed.at(-1);
    if (before?.id === one.id) before.detail = [before.detail, one.detail].filter(Boolean).join(' → ');
    else passed.push(one);
  };
  for (const hop of it.steps.flat()) {
    if (hop.__typename === 'CircuitTermination') continue;
    if (hop.__typename !== 'Port') add({ id: hop.id, kind: hop.__typename, name: hop.name, detail: hop.media ?? '' });
    else if (hop.device && !ends.includes(hop.device.id)) add({ id: hop.device.id, kind: 'Device', name: hop.device.name, detail: hop.name });
    else add({ id: hop.id, kind: 'Port', name: hop.name, detail: '' });
  }
  if (it.link) add({ id: it.link.id, kind: 'Link', name: it.link.name, detail: '' });
  return passed;
}
