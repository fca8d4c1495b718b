// One subscription to the change feed for the whole tab, on the socket that it shares with those of single screens. Its
// document is the same in every tab, so that the server executes it once for all. Screens are notified of events in batches,
// and read again what they show.
import { signal } from '@preact/signals';
import { ask, forgetRevisions, reached, revision, seen, wrote } from './ask.ts';
import { isOpen, onOpen, pause, subscribe } from './socket.ts';

export interface Event {
  type: 'CREATED' | 'UPDATED' | 'DELETED' | 'ENTERED' | 'LEFT' | 'PROGRESS';
  cursor: string;
  revision: number;
  at: string;
  kind: string | null;
  objectId: string | null;
  name: string | null;
}

export type State = 'starting' | 'live' | 'away';
/** The state of the feed; `away` while the socket is cut. */
export const state = signal<State>('starting');
/** True while the socket is cut and could not be mended at once. */
export const cut = signal(false);
/** The time of the last event, in milliseconds since 1970. */
export const lastEvent = signal(0);
/** The message about what the page did when the feed could not go on where it was; null if it could. */
export const notice = signal<string | null>(null);

type Listener = (events: Event[] | 'everything') => void;
const listeners = new Set<Listener>();

/** Calls back with each batch of events, or with `everything` when events may have been lost. */
export function onEvents(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const DOCUMENT = `subscription Follow($after: ChangeCursor) {
  changes(after: $after) { type cursor revision at kind objectId name }
}`;
const BATCH_MS = 60;

let cursor: string | null = null;
let held: Event[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;
let failures = 0;

function deliver(): void {
  timer = undefined;
  const events = held;
  held = [];
  for (const listener of [...listeners]) listener(events);
}

function everything(): void {
  held = [];
  for (const listener of [...listeners]) listener('everything');
}

function take(event: Event): void {
  cursor = event.cursor;
  state.value = 'live';
  failures = 0;
  lastEvent.value = Date.now();
  seen(event.revision);
  if (event.type === 'PROGRESS') return;
  held.push(event);
  timer ??= setTimeout(deliver, BATCH_MS);
}

/** Reads where the server is now, and begins anew from there. */
async function beginAnew(why: string): Promise<void> {
  forgetRevisions(0);
  const answer = await ask<{ revision: number }>('{ revision }');
  cursor = String(answer.revision);
  wrote(answer.revision);
  notice.value = why;
  everything();
}

function connected(): void {
  state.value = 'live';
  cut.value = false;
  reached.value = true;
}

/** Follows the feed for as long as the page is open, and mends itself. */
export async function live(): Promise<void> {
  cursor = String(revision.value);
  onOpen(connected);
  for (;;) {
    const { ended } = subscribe<{ changes: Event }>(DOCUMENT, { after: cursor }, (it) => take(it.changes));
    // Another subscription may keep the socket open.
    if (isOpen()) connected();
    const { errors } = await ended;
    state.value = 'away';
    failures += 1;
    cut.value = failures > 1;
    if (errors?.[0]?.extensions?.code === 'REVISION_COMPACTED') {
      try {
        await beginAnew('The server no longer holds the changes since this page was last connected. Everything was read again.');
        continue;
      } catch {
        // The server cannot be reached: the next attempt tells.
      }
    }
    await pause(failures);
  }
}
