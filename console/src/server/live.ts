// One subscription to the change feed for the whole tab. Its document is the same in every tab, so that the server
// executes it once for all. Screens are notified of events in batches, and read again what they show.
import { signal } from '@preact/signals';
import { createClient } from 'graphql-ws';
import type { Client } from 'graphql-ws';
import { ask, forgetRevisions, reached, revision, seen, wrote } from './ask.ts';
import { refused, token } from './who.ts';

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
const LONGEST_WAIT_MS = 15_000;

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

/** A socket of its own to the API, with this tab's token. */
export function client(): Client {
  const url = `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/graphql/ws`;
  return createClient({
    url,
    lazy: true,
    retryAttempts: 0,
    keepAlive: 15_000,
    connectionParams: () => (token.value ? { authorization: `Bearer ${token.value}` } : {}),
    on: { connected: () => { state.value = 'live'; cut.value = false; reached.value = true; } },
  });
}

interface Failure { code?: number; errors?: ReadonlyArray<{ extensions?: Record<string, unknown> }> }

/** Follows until the subscription ends. Answers with the reason. */
function once(): Promise<Failure> {
  return new Promise((done) => {
    const socket = client();
    const end = (it: Failure): void => { void socket.dispose(); done(it); };
    socket.subscribe<{ changes: Event }>({ query: DOCUMENT, variables: { after: cursor } }, {
      next: (it) => {
        if (it.errors) end({ errors: it.errors });
        else if (it.data) take(it.data.changes);
      },
      error: (it) => end(Array.isArray(it) ? { errors: it as NonNullable<Failure['errors']> } : { code: (it as CloseEvent).code ?? 0 }),
      complete: () => end({}),
    });
  });
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

const sleep = (ms: number): Promise<void> => new Promise((done) => {
  const timeout = setTimeout(done, ms);
  window.addEventListener('online', () => { clearTimeout(timeout); done(); }, { once: true });
});

/** Follows the feed for as long as the page is open, and mends itself. */
export async function live(): Promise<void> {
  cursor = String(revision.value);
  for (;;) {
    const failure = await once();
    state.value = 'away';
    failures += 1;
    cut.value = failures > 1;
    const code = failure.errors?.[0]?.extensions?.code;
    try {
      if (code === 'REVISION_COMPACTED') {
        await beginAnew('The server no longer holds the changes since this page was last connected. Everything was read again.');
        continue;
      }
      if (failure.code === 4401 || failure.code === 4403 || code === 'UNAUTHENTICATED') await refused();
    } catch {
      // The server cannot be reached: the next attempt tells.
    }
    const wait = Math.min(LONGEST_WAIT_MS, 250 * 2 ** Math.min(failures, 6));
    await sleep(wait / 2 + (Math.random() * wait) / 2);
  }
}
