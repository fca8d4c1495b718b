// A document and its variables as signals. Queries of the same text are shared, and dropped when unseen for a minute.
// The feed marks them stale; they are read again at most once a second, and only while somebody looks.
import { signal } from '@preact/signals';
import type { Signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { ask } from '../server/ask.ts';
import { onEvents } from '../server/live.ts';
import { asRefused, remedyOf } from '../server/refused.ts';
import type { Refused } from '../server/refused.ts';
import { whenVisible } from './visible.ts';

const DROP_MS = 60_000;
const PACE_MS = 1_000;
const RETRY_MS = 3_000;

export class Query<T> {
  readonly data: Signal<T | null> = signal(null);
  readonly error: Signal<Refused | null> = signal(null);
  readonly waiting = signal(true);
  private users = 0;
  private stale = false;
  private running = false;
  private last = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private stopEvents: (() => void) | undefined;
  private readonly document: string;
  private readonly variables: object;
  private readonly touches: (kind: string, id: string) => boolean;

  constructor(document: string, variables: object, touches: (kind: string, id: string) => boolean) {
    this.document = document;
    this.variables = variables;
    this.touches = touches;
  }

  open(): void {
    this.users += 1;
    clearTimeout(this.timer);
    this.stopEvents ??= onEvents((events) => {
      if (events === 'everything' || events.some((it) => this.touches(it.kind ?? '', it.objectId ?? ''))) this.mark();
    });
    if (this.data.value === null || this.stale) void this.read();
  }

  close(drop: () => void): void {
    this.users -= 1;
    if (this.users > 0) return;
    this.timer = setTimeout(() => {
      this.stopEvents?.();
      drop();
    }, DROP_MS);
  }

  /** Reads again soon, if somebody looks. */
  mark(): void {
    if (this.stale && this.timer) return;
    this.stale = true;
    if (this.users === 0) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.timer = undefined;
      if (this.users === 0) return;
      whenVisible(this.reread);
    }, Math.max(0, this.last + PACE_MS - Date.now()));
  }

  private readonly reread = (): void => { void this.read(); };

  async read(): Promise<void> {
    if (this.running) { this.stale = true; return; }
    this.running = true;
    this.stale = false;
    this.waiting.value = true;
    this.last = Date.now();
    try {
      this.data.value = (await ask<T>(this.document, this.variables)).data;
      this.error.value = null;
    } catch (error) {
      this.error.value = asRefused(error);
      if (remedyOf(this.error.value) === 'retry') setTimeout(() => this.mark(), RETRY_MS);
    }
    this.waiting.value = false;
    this.running = false;
    if (this.stale) { this.stale = false; this.mark(); }
  }
}

const queries = new Map<string, Query<unknown>>();

/** Uses a query for as long as the component is on the page. `kinds`: what marks it stale; none of them: nothing. */
export function useQuery<T>(text: string, variables: object, kinds: string[] | 'all'): Query<T> {
  const key = JSON.stringify([text, variables, kinds]);
  const query = useMemo(() => {
    const found = queries.get(key);
    if (found) return found as Query<T>;
    const touches = kinds === 'all' ? () => true : (kind: string) => kinds.includes(kind);
    const made = new Query<T>(text, variables, touches);
    queries.set(key, made as Query<unknown>);
    return made;
  }, [key]);
  useEffect(() => {
    query.open();
    return () => query.close(() => { if (queries.get(key) === query) queries.delete(key); });
  }, [query]);
  return query;
}
