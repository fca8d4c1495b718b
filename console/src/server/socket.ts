// The one socket of the tab, which carries all of its subscriptions: it opens with the first and closes with the last.
import { createClient } from 'graphql-ws';
import { refused, token } from './who.ts';

export interface Problem { message: string; extensions?: Record<string, unknown> }

/** How a subscription ended: by errors of the API; or, without any, by itself or with the socket. */
export interface Ended { errors?: readonly Problem[] }

export interface Subscription {
  ended: Promise<Ended>;
  stop(): void;
}

const LONGEST_WAIT_MS = 15_000;
const SHORTEST_WAIT_MS = 250;
/** The codes with which the server closes a socket whose token it does not accept. */
const UNAUTHORIZED = [4401, 4403];

let opened = false;
/** The next socket waits for this: one new token for all subscriptions. */
let renewed: Promise<unknown> = Promise.resolve();

function renew(): void {
  // If the server cannot be reached, the next attempt tells.
  renewed = refused().catch(() => {});
}

const socket = createClient({
  url: async () => {
    await renewed;
    return `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/graphql/ws`;
  },
  lazy: true,
  retryAttempts: 0,
  keepAlive: 15_000,
  connectionParams: () => (token.value ? { authorization: `Bearer ${token.value}` } : {}),
  on: {
    connected: () => { opened = true; },
    closed: (event) => {
      opened = false;
      if (UNAUTHORIZED.includes((event as CloseEvent).code)) renew();
    },
  },
});

export const isOpen = (): boolean => opened;

/** Calls back each time that the socket has been opened. */
export const onOpen = (listener: () => void): (() => void) => socket.on('connected', listener);

/** Subscribes until `stop` is called, the API refuses it, or the socket is cut. */
export function subscribe<T>(query: string, variables: Record<string, unknown>, next: (data: T) => void): Subscription {
  let stop = (): void => {};
  const ended = new Promise<Ended>((done) => {
    const fail = (errors: readonly Problem[]): void => {
      done({ errors });
      // The socket has the token that is not accepted any more.
      if (errors[0]?.extensions?.code === 'UNAUTHENTICATED') { renew(); socket.terminate(); }
    };
    stop = socket.subscribe<T>({ query, variables }, {
      next: (it) => {
        if (it.errors) { stop(); fail(it.errors as readonly Problem[]); } else if (it.data) next(it.data);
      },
      error: (it) => { if (Array.isArray(it)) fail(it as Problem[]); else done({}); },
      complete: () => done({}),
    });
  });
  return { ended, stop: () => stop() };
}

/** Waits before another attempt, the longer the more have failed; no longer than until the socket is open again. */
export function pause(failures: number): Promise<void> {
  const wait = Math.min(LONGEST_WAIT_MS, SHORTEST_WAIT_MS * 2 ** Math.min(failures, 6));
  return new Promise((done) => {
    const end = (): void => {
      clearTimeout(timer);
      window.removeEventListener('online', end);
      unlisten();
      done();
    };
    const timer = setTimeout(end, wait / 2 + (Math.random() * wait) / 2);
    window.addEventListener('online', end);
    const unlisten = onOpen(end);
  });
}
