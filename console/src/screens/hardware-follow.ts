// The events of hardware that fit a filter, as they come: first the list, then the subscription from where the list was read.
import { asRefused, ask, pause, remedyOf, signal, useEffect, useMemo } from '../shared.ts';
import type { Refused } from '../shared.ts';
import { watch } from '../server/watch.ts';
import { EVENTS, FOLLOW, NEWEST, withCome, withEarlier } from './hardware-events.ts';
import type { EventFilter, HardwareEvent } from './hardware-events.ts';

/** How many are asked for at a time after the first page. */
const PAGE = 50;
/** A page that stays open for days keeps so many; those before them can be asked for again. */
const MOST = 1_000;
/** The cursor before the first event. */
const START = '0';

interface Page {
  /** Null for a caller who may not see events, if that is not refused. */
  hardwareEvents: { nodes: HardwareEvent[]; pageInfo: { hasNextPage: boolean } } | null;
}

export class EventLog {
  /** The newest first; null as long as they are not read. */
  readonly events = signal<readonly HardwareEvent[] | null>(null);
  readonly more = signal(false);
  readonly waiting = signal(true);
  /** True for a caller who may not see events. */
  readonly isHidden = signal(false);
  readonly error = signal<Refused | null>(null);
  /** The last event that has come by the subscription. */
  readonly come = signal<HardwareEvent | null>(null);
  private readonly filter: EventFilter;
  private readonly first: number;
  private cursor = START;
  private most = MOST;
  private failures = 0;
  /** The number of the last reading: what an earlier one still brings is too late. */
  private reading = 0;
  private stop = (): void => {};
  private retry = (): void => { void this.begin(); };

  constructor(filter: EventFilter, first: number) {
    this.filter = filter;
    this.first = first;
  }

  readonly again = (): void => this.retry();

  close(): void {
    this.reading += 1;
    this.stop();
  }

  /** Reads the list, and follows from where that was. */
  async begin(): Promise<void> {
    this.close();
    const reading = this.reading;
    this.retry = () => { void this.begin(); };
    this.waiting.value = true;
    try {
      // The cursor is read before the list: what comes in between comes twice, and is shown once.
      const newest = (await ask<Page>(NEWEST)).data.hardwareEvents;
      const page = newest && (await this.read(this.first, null));
      if (this.reading !== reading) return;
      this.error.value = null;
      this.isHidden.value = !page;
      if (page) {
        this.cursor = newest?.nodes[0]?.cursor ?? START;
        this.most = Math.max(MOST, page.nodes.length);
        this.events.value = page.nodes;
        this.more.value = page.pageInfo.hasNextPage;
        this.follow();
      }
    } catch (failure) {
      if (this.reading !== reading) return;
      const error = asRefused(failure);
      // The list of all hosts is refused to a token of a tenant.
      this.isHidden.value = error.code === 'FORBIDDEN';
      this.error.value = this.isHidden.value ? null : error;
      if (remedyOf(error) === 'retry') void this.beginSoon();
    }
    this.waiting.value = false;
  }

  /** Adds the next page of those that came earlier. */
  async earlier(): Promise<void> {
    const before = this.events.value?.at(-1);
    if (!before || this.waiting.value) return;
    const reading = this.reading;
    this.retry = () => { void this.earlier(); };
    this.waiting.value = true;
    try {
      const page = await this.read(PAGE, before.cursor);
      if (this.reading !== reading) return;
      this.error.value = null;
      this.events.value = withEarlier(this.events.value ?? [], page?.nodes ?? []);
      this.most = Math.max(MOST, this.events.value.length);
      this.more.value = page?.pageInfo.hasNextPage ?? false;
    } catch (failure) {
      if (this.reading !== reading) return;
      this.error.value = asRefused(failure);
    }
    this.waiting.value = false;
  }

  private async read(first: number, after: string | null): Promise<Page['hardwareEvents']> {
    return (await ask<Page>(EVENTS, { filter: this.filter, first, after })).data.hardwareEvents;
  }

  private follow(): void {
    this.stop = watch<{ hardwareEvents: HardwareEvent }>(
      FOLLOW, () => ({ filter: this.filter, after: this.cursor }), (it) => this.take(it.hardwareEvents), (error) => this.refuse(error),
    );
  }

  private take(event: HardwareEvent): void {
    this.cursor = event.cursor;
    this.failures = 0;
    const before = this.events.value ?? [];
    const events = withCome(before, event, this.most);
    if (events === before) return;
    if (events.length <= before.length) this.more.value = true;
    this.events.value = events;
    this.come.value = event;
  }

  /** Events after the cursor were dropped, or the server has another history than the one of the cursor: all is read again. */
  private refuse(error: Refused): void {
    if (error.code === 'REVISION_COMPACTED' || error.field === 'after') {
      void this.beginSoon();
      return;
    }
    this.retry = () => { void this.begin(); };
    this.error.value = error;
  }

  /** Begins again, the later the more have failed. */
  private async beginSoon(): Promise<void> {
    const reading = this.reading;
    this.failures += 1;
    await pause(this.failures);
    if (this.reading === reading) await this.begin();
  }
}

/** The events that fit a filter, for as long as the component is on the page. `first`: the number of those read at first. */
export function useHardwareEvents(filter: EventFilter, first: number): EventLog {
  const key = JSON.stringify(filter);
  const log = useMemo(() => new EventLog(filter, first), [key, first]);
  useEffect(() => {
    void log.begin();
    return () => log.close();
  }, [log]);
  return log;
}
