// A list of any length: pages of one pinned revision, of which only those near the window are read. The feed replaces
// rows that are held; the window is read again at most once a second, and only while somebody looks.
import { signal } from '@preact/signals';
import { listDocument, rowSelection } from '../kinds/documents.ts';
import type { ListOf } from '../kinds/documents.ts';
import { HAS, fieldOf, kindsIn } from '../kinds/registry.ts';
import type { Kind, Row } from '../kinds/shape.ts';
import { ask } from '../server/ask.ts';
import { onEvents } from '../server/live.ts';
import type { Event } from '../server/live.ts';
import { asRefused, Refused, remedyOf } from '../server/refused.ts';
import { whenVisible } from './visible.ts';

export const PAGE = 100;
const CHAIN = 1000;
const PACE_MS = 1_000;
const RETRY_MS = 3_000;
/** Pages that are kept around; the farthest go first. */
const MAX_PAGES = 60;

export interface Source {
  kind: Kind;
  /** The object whose list it is, such as the devices of a rack; absent for all objects of the kind. */
  of?: ListOf;
  filter: object | null;
  order: { by: string; direction: string } | null;
  columns: string[];
}

interface Page {
  totalCount?: number;
  nodes: Row[];
  pageInfo?: { endCursor: string | null };
}

export class Rows {
  /** Grows with each change of what is held, so that who paints follows it. */
  readonly version = signal(0);
  readonly total = signal<number | null>(null);
  readonly error = signal<Refused | null>(null);
  readonly waiting = signal(true);
  /** The ids of rows that changed while they were shown, with the time. */
  readonly flashed = new Map<string, number>();
  readonly source: Source;
  private pages = new Map<number, Row[]>();
  private old = new Map<number, Row[]>();
  private cursors = new Map<number, string | null>([[0, null]]);
  private pinned: number | null = null;
  private generation = 0;
  private closed = false;
  private asked = new Set<number>();
  private window: [number, number] = [0, PAGE];
  private timer: ReturnType<typeof setTimeout> | undefined;
  private lastRead = 0;
  private readonly stop: () => void;
  private readonly kinds: Set<string>;

  constructor(source: Source) {
    this.source = source;
    this.kinds = new Set([source.kind.name, ...source.columns.flatMap((it) => kindsIn(fieldOf(source.kind, it) ?? { name: it, is: 'scalar', of: '' }))]);
    this.stop = onEvents((events) => this.notify(events));
    void this.load(0);
  }

  close(): void {
    this.closed = true;
    this.generation += 1;
    clearTimeout(this.timer);
    this.stop();
  }

  at(index: number): Row | undefined {
    const page = Math.floor(index / PAGE);
    return (this.pages.get(page) ?? this.old.get(page))?.[index % PAGE];
  }

  /** Reads the pages of these rows, if they are not held. */
  need(from: number, to: number): void {
    this.window = [from, to];
    // Only refresh() requests again what was refused.
    if (this.error.value) return;
    const last = Math.max(0, Math.min(to, (this.total.value ?? to) - 1));
    for (let page = Math.floor(Math.max(0, from) / PAGE); page <= Math.floor(last / PAGE); page += 1) {
      if (!this.pages.has(page)) void this.load(page);
    }
  }

  private readonly again = (): void => { if (!this.closed) this.refresh(); };

  /** Reads everything again, from the present revision; what is shown stays until the answer is there. */
  refresh(): void {
    this.generation += 1;
    this.pinned = null;
    this.asked.clear();
    this.cursors = new Map([[0, null]]);
    this.old = this.pages;
    this.pages = new Map();
    this.lastRead = Date.now();
    this.error.value = null;
    void this.load(Math.floor(this.window[0] / PAGE)).then(() => this.need(...this.window));
  }

  private async load(page: number): Promise<void> {
    if (this.asked.has(page)) return;
    this.asked.add(page);
    const generation = this.generation;
    this.waiting.value = true;
    try {
      const rows = await this.page(page);
      if (generation !== this.generation) return;
      this.pages.set(page, rows);
      this.trim(page);
      this.error.value = null;
      this.version.value += 1;
    } catch (error) {
      if (generation !== this.generation) return;
      this.fail(asRefused(error));
    }
    this.asked.delete(page);
    this.waiting.value = this.asked.size > 0;
  }

  private fail(error: Refused): void {
    if (error.code === 'REVISION_COMPACTED' && this.pinned !== null) {
      this.later(0);
      return;
    }
    this.error.value = error;
    if (remedyOf(error) === 'retry') this.later(RETRY_MS);
  }

  private variables(more: object): object {
    const { of, filter, order } = this.source;
    const revision = this.pinned === null ? { pin: true } : { at: this.pinned, pin: true };
    return { ...(of ? { id: of.id } : {}), filter, order, ...revision, ...more };
  }

  private async read(selection: string, more: object): Promise<Page> {
    const answer = await ask<{ rows?: Page | null; node?: { rows: Page | null } | null }>(listDocument(this.source, selection), this.variables(more));
    this.pinned ??= answer.revision;
    const rows = this.source.of ? answer.data.node?.rows : answer.data.rows;
    if (!rows) throw new Refused('NOT_FOUND', 'The object does not exist any more.');
    if (rows.totalCount !== undefined) this.total.value = rows.totalCount;
    return rows;
  }

  private async page(page: number): Promise<Row[]> {
    const first = this.pinned === null;
    const selection = `${first ? 'totalCount' : ''} nodes { ${rowSelection(this.source.kind, this.source.columns)} } pageInfo { endCursor }`;
    if (HAS.skip) return (await this.read(selection, { first: PAGE, skip: page * PAGE })).nodes;
    const after = await this.cursor(page);
    const read = await this.read(selection, { first: PAGE, after });
    this.cursors.set(page + 1, read.pageInfo?.endCursor ?? null);
    return read.nodes;
  }

  /** The cursor before a page, by long steps from the nearest that is known. */
  private async cursor(page: number): Promise<string | null> {
    let near = Math.max(...[...this.cursors.keys()].filter((it) => it <= page));
    while (near < page) {
      const steps = Math.min(page - near, CHAIN / PAGE);
      const count = this.pinned === null ? 'totalCount' : '';
      const read = await this.read(`${count} pageInfo { endCursor }`, { first: steps * PAGE, after: this.cursors.get(near) ?? null });
      near += steps;
      this.cursors.set(near, read.pageInfo?.endCursor ?? null);
    }
    return this.cursors.get(page) ?? null;
  }

  private trim(near: number): void {
    if (this.pages.size <= MAX_PAGES) return;
    const farthest = [...this.pages.keys()].sort((a, b) => Math.abs(b - near) - Math.abs(a - near))[0];
    if (farthest !== undefined) this.pages.delete(farthest);
  }

  private notify(events: Event[] | 'everything'): void {
    if (events === 'everything') return this.later(0);
    const ours = events.filter((it) => it.kind !== null && this.kinds.has(it.kind));
    if (ours.length === 0) return;
    const held = new Set([...this.pages.values()].flat().map((it) => it.id));
    const changed = ours.filter((it) => it.type === 'UPDATED' && it.objectId !== null && held.has(it.objectId)).map((it) => String(it.objectId));
    if (changed.length > 0) void this.replace([...new Set(changed)].slice(0, CHAIN));
    this.later(Math.max(0, this.lastRead + PACE_MS - Date.now()));
  }

  /** Reads single rows again, at once. */
  private async replace(ids: string[]): Promise<void> {
    const { kind, columns } = this.source;
    const document = `query Rows($ids: [ID!]!) { nodes(ids: $ids) { ... on ${kind.name} { ${rowSelection(kind, columns)} } } }`;
    try {
      const fresh = (await ask<{ nodes: Array<Row | null> }>(document, { ids })).data.nodes;
      const byId = new Map(fresh.flatMap((it) => (it?.id ? [[String(it.id), it] as const] : [])));
      for (const [page, rows] of this.pages) this.pages.set(page, rows.map((it) => byId.get(String(it.id)) ?? it));
      const now = Date.now();
      for (const id of byId.keys()) this.flashed.set(id, now);
      this.version.value += 1;
    } catch {
      // The window is read again soon, which tells.
    }
  }

  private later(wait: number): void {
    if (this.timer) return;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      whenVisible(this.again);
    }, wait);
  }
}
