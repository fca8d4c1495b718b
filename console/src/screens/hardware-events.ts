// Events of hardware: what is asked of them, and what is said about them. Pure. A server that is newer has parts and changes
// that are not known here: they are shown by their own words.
import { bytes, diskBytes, joined, number, scalar } from '../kinds/format.ts';
import { enumWords, HAS, words } from '../kinds/registry.ts';
import { errorWords, known } from './hardware-data.ts';

export const FIELDS = `cursor at part change place before after host { id name }${HAS.fromHost ? ' fromHost { id name }' : ''}`;
export const NEWEST = 'query NewestHardwareEvent { hardwareEvents(first: 1) { nodes { cursor } } }';
export const EVENTS = `query HardwareEvents($filter: HardwareEventFilter, $first: Int, $after: String) {
  hardwareEvents(filter: $filter, first: $first, after: $after) { nodes { ${FIELDS} } pageInfo { hasNextPage } }
}`;
export const FOLLOW = `subscription FollowHardware($filter: HardwareEventFilter, $after: String) {
  hardwareEvents(filter: $filter, after: $after) { ${FIELDS} }
}`;

export interface HostName { id: string; name: string }

export interface HardwareEvent {
  cursor: string;
  at: string;
  part: string;
  change: string;
  place: string;
  before: unknown;
  after: unknown;
  /** Null if the host was deleted since. */
  host: HostName | null;
  /** The host from which a part moved, if the server says it. */
  fromHost?: HostName | null;
}

export interface EventFilter { host?: string; parts?: string[]; changes?: string[] }

/** The filter of the parameters of an address. What is absent selects all. */
export function filterOf(params: URLSearchParams): EventFilter {
  const host = params.get('host');
  const [parts, changes] = [params.getAll('part'), params.getAll('change')];
  return { ...(host ? { host } : {}), ...(parts.length > 0 ? { parts } : {}), ...(changes.length > 0 ? { changes } : {}) };
}

const PARTS: Record<string, string> = { DEVICE: 'PCI device' };
export const partWords = (part: string): string => PARTS[part] ?? enumWords(part);

const CHANGES: Record<string, string> = {
  FAILING: 'Expects to fail', LINK_DOWN: 'Link lost', LINK_UP: 'Link back', MOVED: 'Moved here', NOISY: 'Too many changes',
};
/** Disks expect to fail; of other parts this is known when it has happened. */
const FAILING: Record<string, string> = { DISK: 'Expects to fail', MEMORY: 'Errors' };

/** The word for a change. With a part, it is that of this part. */
export function changeWords(change: string, part?: string): string {
  return change === 'FAILING' && part !== undefined ? FAILING[part] ?? 'Failing' : CHANGES[change] ?? enumWords(change);
}

/** True if a part went away from this host: the event is one of the host that has it now. */
export const isAway = (it: HardwareEvent, host: string | undefined): boolean => it.change === 'MOVED' && host !== undefined && it.host?.id !== host;

const TONES: Record<string, string> = {
  ADDED: 'good', LINK_UP: 'good', REPLACED: 'plan', MOVED: 'plan', CHANGED: 'plan', REMOVED: 'warn', NOISY: 'warn', FAILING: 'bad', LINK_DOWN: 'bad',
};
export const toneOf = (change: string): string => TONES[change] ?? 'off';

/** The part with its place: `Disk pci-1`. The machine as a whole, and its memory, are their own place. */
export function subjectOf({ part, place }: HardwareEvent): { part: string; place: string } {
  return { part: partWords(part), place: place.toLowerCase() === part.toLowerCase() ? '' : place };
}

type Members = Record<string, unknown>;
const membersOf = (value: unknown): Members => (typeof value === 'object' && value !== null && !Array.isArray(value) ? value as Members : {});

/** A part by its maker, model and number, as far as they are known. */
function nameOfPart(value: unknown): string {
  const it = membersOf(value);
  const first = (...names: string[]): string | null => names.map((name) => it[name]).find((one): one is string => typeof one === 'string' && one !== '') ?? null;
  const neighbour = first('systemName', 'chassisId');
  if (neighbour) return joined([neighbour, first('portId', 'portDescription')]);
  const model = known(first('manufacturer'), first('model', 'partNumber')) || known(first('vendor'), first('device'));
  return joined([model, first('serial', 'permanentMac', 'uuid')]) || first('name') || '';
}

/** The value of a member, in the unit that its name tells. */
function valueWords(part: string, name: string, value: unknown): string {
  if (typeof value === 'number' && /Bytes$/.test(name)) return part === 'DISK' ? diskBytes(value) : bytes(value);
  if (typeof value === 'number' && /Mts$/.test(name)) return `${number(value)} MT/s`;
  return name === 'health' ? enumWords(String(value ?? '')) : scalar(name, '', value);
}

/** What was before and what is after, each in few words. One of them, or the title, may be empty. */
export interface Line { title: string; before: string; after: string }

const MOST_LINES = 4;

/** The members that differ, those of the place first. */
function differing({ part, before, after }: HardwareEvent): Line[] {
  const [old, now] = [membersOf(before), membersOf(after)];
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])].filter((it) => JSON.stringify(old[it]) !== JSON.stringify(now[it]));
  names.sort((a, b) => Number(b === 'place') - Number(a === 'place'));
  return names.map((it) => ({
    title: it === 'version' ? '' : words(it.replace(/Mts$/, '')),
    before: valueWords(part, it, old[it]), after: valueWords(part, it, now[it]),
  }));
}

function failingLines(it: HardwareEvent): Line[] {
  const { corrected, uncorrected } = membersOf(it.after);
  if (typeof corrected === 'number' && typeof uncorrected === 'number') return [{ title: '', before: '', after: errorWords({ corrected, uncorrected }) }];
  // The change says it already.
  return differing(it).filter((line) => line.title !== words('health'));
}

/** What was before and after. Links have nothing of it. */
export function linesOf(it: HardwareEvent): Line[] {
  if (it.change.startsWith('LINK_') || it.change === 'NOISY') return [];
  if (it.change === 'FAILING') return failingLines(it);
  if (it.change === 'CHANGED') return differing(it).slice(0, MOST_LINES);
  const [before, after] = [nameOfPart(it.before), nameOfPart(it.after)];
  // A part that moved is the same one.
  if (before === after || it.change === 'MOVED') return after || before ? [{ title: '', before: '', after: after || before }] : [];
  return [{ title: '', before, after }];
}

export interface Day { key: string; title: string; events: HardwareEvent[] }

const date = new Intl.DateTimeFormat(undefined, { dateStyle: 'long' });
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });
export const clockOf = (at: string): string => clock.format(new Date(at));

function dayOf(at: Date, now: Date): { key: string; title: string } {
  const key = (it: Date): string => `${it.getFullYear()}-${it.getMonth() + 1}-${it.getDate()}`;
  const before = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
  const word = key(at) === key(now) ? 'Today, ' : key(at) === key(before) ? 'Yesterday, ' : '';
  return { key: key(at), title: word + date.format(at) };
}

/** Events by the day of the reader's calendar, in their order. */
export function daysOf(events: readonly HardwareEvent[], now = new Date()): Day[] {
  const days = new Map<string, Day>();
  for (const it of events) {
    const { key, title } = dayOf(new Date(it.at), now);
    const day = days.get(key) ?? { key, title, events: [] };
    day.events.push(it);
    days.set(key, day);
  }
  return [...days.values()];
}

/** The events with one that has come, at the top; the same list if it is there already. Those beyond `most` are left out. */
export function withCome(events: readonly HardwareEvent[], come: HardwareEvent, most: number): readonly HardwareEvent[] {
  if (events.some((it) => it.cursor === come.cursor)) return events;
  return [come, ...events].slice(0, most);
}

/** The events with a page of earlier ones. */
export function withEarlier(events: readonly HardwareEvent[], page: readonly HardwareEvent[]): readonly HardwareEvent[] {
  const there = new Set(events.map((it) => it.cursor));
  return [...events, ...page.filter((it) => !there.has(it.cursor))];
}

/** The number of events that have come since one was the newest. `null`: since there was none. */
export function comeSince(events: readonly HardwareEvent[], cursor: string | null): number {
  if (cursor === null) return events.length;
  // If the list was read anew without it, all of them are shown.
  return Math.max(0, events.findIndex((it) => it.cursor === cursor));
}
