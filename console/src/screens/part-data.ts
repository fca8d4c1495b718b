// Parts that are recognised by their model and serial number: the queries, and what is said about them. Pure.
import { known } from './hardware-data.ts';
import { FIELDS } from './hardware-events.ts';
import type { HardwareEvent, HostName } from './hardware-events.ts';


const PART = 'kind manufacturer model serial place since ambiguous host { id name }';
export const PARTS = `query Parts($filter: PartFilter, $first: Int, $after: String) {
  parts(filter: $filter, first: $first, after: $after) { nodes { ${PART} } pageInfo { hasNextPage endCursor } }
}`;
export const LIFE = `query PartLife($serial: String!) { part(serial: $serial) { ${PART} stays { host { id name } place from until } } }`;

export interface Part {
  kind: string; manufacturer: string | null; model: string | null; serial: string; place: string | null; since: string | null; ambiguous: boolean;
  /** Null if it is in no host, or in several. */
  host: HostName | null;
}
export interface Stay { host: HostName | null; place: string; from: string; until: string | null }
export interface WholePart extends Part { stays: Stay[] }
export interface PartPage { nodes: Part[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } }

/** The kinds of parts that have serial numbers by which they are recognised. */
export const KINDS = ['DISK', 'MEMORY', 'GPU'];

/** Where a part is: in a host, in none that is known, or in several by what they say. */
export type Where = 'IN' | 'OUT' | 'SEVERAL';
export const WHERE: Record<Where, string> = { IN: 'In a host', OUT: 'In no host', SEVERAL: 'In several hosts' };
export const whereIs = (it: Part): Where => (it.ambiguous ? 'SEVERAL' : it.since === null ? 'OUT' : 'IN');

export interface PartFilter { kind?: string; model?: string; serial?: string; host?: string }

/** The filter of the parameters of an address. The server cannot select by where parts are. */
export function partFilterOf(params: URLSearchParams): PartFilter {
  const names = ['kind', 'model', 'serial', 'host'] as const;
  return Object.fromEntries(names.flatMap((it) => (params.get(it) ? [[it, params.get(it)]] : [])));
}

export const keyOfPart = (it: Part): string => JSON.stringify([it.kind, it.model, it.serial]);
export const modelOf = (it: Part): string => known(it.manufacturer, it.model);

/** A part was in few hosts; those of the last stays are looked through. */
const MOST_HOSTS = 10;
export const MOST_EVENTS = 500;

/** The hosts of a part that exist, those of the newest stays first. */
export function hostsOf({ stays }: WholePart): string[] {
  return [...new Set(stays.flatMap((it) => it.host?.id ?? []))].slice(0, MOST_HOSTS);
}

/** The events of the hosts of a part, which are of this kind of part. The server cannot select by serial number. */
export function eventsDocument(count: number): string {
  const hosts = Array.from({ length: count }, (_, it) => it);
  const lists = hosts.map((it) => `of${it}: hardwareEvents(filter: {host: $host${it}, parts: [$kind]}, first: ${MOST_EVENTS}) { nodes { ${FIELDS} } pageInfo { hasNextPage } }`);
  return `query PartEvents($kind: HardwarePart!${hosts.map((it) => `, $host${it}: ID!`).join('')}) { ${lists.join(' ')} }`;
}

type Members = Record<string, unknown>;
/** Memory modules have a part number in place of a model. */
const isOf = (value: unknown, part: Part): boolean => {
  const { serial, model, partNumber } = (value ?? {}) as Members;
  return serial === part.serial && (part.model === null || (model ?? partNumber ?? part.model) === part.model);
};

/** The events of a part, each once, the newest first. A part that moved has one that is in the list of both hosts. */
export function eventsOf(part: Part, lists: ReadonlyArray<readonly HardwareEvent[]>): HardwareEvent[] {
  const found = new Map(lists.flat().filter((it) => isOf(it.before, part) || isOf(it.after, part)).map((it) => [it.cursor, it]));
  return [...found.values()].sort((a, b) => Date.parse(b.at) - Date.parse(a.at));
}
