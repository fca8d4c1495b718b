// A virtual table of any length: only the rows near the window are in the page, each with its number among all.
import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

export const ROW_PX = 28;
const MARK_PX = 32;
const AROUND = 12;
/** Browsers end somewhere above 30 million pixels. */
const MOST_ROWS = 1_000_000;

export interface Column {
  id: string;
  title: string;
  about?: string | undefined;
  /** The least width in pixels, and the share of what is left. */
  width: number;
  grow?: number | undefined;
  numeric?: boolean;
  sort?: 'ascending' | 'descending' | undefined;
  onSort?: (() => void) | undefined;
}

export interface TableProps {
  label: string;
  columns: Column[];
  total: number;
  /** The row that the keyboard is at. */
  active: number;
  onActive(index: number): void;
  onOpen(index: number): void;
  onMark?(index: number, range: boolean): void;
  isMarked?(index: number): boolean;
  isFlashed?(index: number): boolean;
  onWindow(from: number, to: number): void;
  keyOf(index: number): string;
  /** What the row shows: a row is drawn again if this is another object. Undefined while it is not there yet. */
  rowAt(index: number): unknown;
  cell(index: number, column: string): ComponentChildren;
}

export function Table(props: TableProps) {
  const { columns, active } = props;
  const latest = useRef(props);
  latest.current = props;
  const cache = useRef(new Map<number, Drawn>());
  const total = Math.min(props.total, MOST_ROWS);
  const scroller = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 600 });
  const from = Math.max(0, Math.floor(view.top / ROW_PX) - AROUND);
  const to = Math.min(total, Math.ceil((view.top + view.height) / ROW_PX) + AROUND);

  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const measure = (): void => setView({ top: element.scrollTop, height: element.clientHeight });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, []);
  useEffect(() => latest.current.onWindow(from, to));
  useLayoutEffect(() => keepInView(scroller.current, active), [active]);

  const template = `${props.onMark ? `${MARK_PX}px ` : ''}${columns.map((it) => `minmax(${it.width}px, ${it.grow ?? 0}fr)`).join(' ')}`;
  const least = columns.reduce((sum, it) => sum + it.width, props.onMark ? MARK_PX : 0);
  const across = { gridTemplateColumns: template, minWidth: `${least}px` };
  const indexes = Array.from({ length: Math.max(0, to - from) }, (_, it) => from + it);
  return (
    <div
      class="table" role="grid" tabIndex={0} ref={scroller} aria-label={props.label} aria-rowcount={props.total + 1}
      aria-colcount={columns.length + (props.onMark ? 1 : 0)} aria-multiselectable={Boolean(props.onMark)}
      aria-activedescendant={active >= from && active < to ? `row-${active}` : undefined}
      onScroll={(event) => setView({ top: event.currentTarget.scrollTop, height: event.currentTarget.clientHeight })}
      onKeyDown={(event) => keys(event, props, view.height)}
    >
      <div class="table-head" role="row" aria-rowindex={1} style={across}>
        {props.onMark && <div role="columnheader"><span class="hidden">Mark</span></div>}
        {columns.map((it) => <Head column={it} key={it.id} />)}
      </div>
      <div class="table-body" role="rowgroup" style={{ height: `${total * ROW_PX}px`, minWidth: `${least}px` }}>
        {drawn(indexes, template, latest, cache.current)}
      </div>
    </div>
  );
}

function Head({ column }: { column: Column }) {
  return (
    <div role="columnheader" aria-sort={column.sort ?? (column.onSort ? 'none' : undefined)} class={column.numeric ? 'numeric' : undefined} title={column.about}>
      {column.onSort
        ? <button type="button" onClick={column.onSort}>{column.title}<span class="arrow" aria-hidden="true">{column.sort ? (column.sort === 'ascending' ? '↑' : '↓') : ''}</span></button>
        : <span>{column.title}</span>}
    </div>
  );
}

interface Drawn {
  stamp: string;
  row: unknown;
  node: VNode;
}

/** Rows that are as they were are not drawn again: scrolling then costs what is new alone. */
function drawn(indexes: number[], template: string, latest: { current: TableProps }, cache: Map<number, Drawn>): VNode[] {
  const table = latest.current;
  const kept = new Set(indexes);
  for (const index of [...cache.keys()]) if (!kept.has(index)) cache.delete(index);
  return indexes.map((index) => {
    const row = table.rowAt(index);
    const stamp = [index === table.active, table.isMarked?.(index), table.isFlashed?.(index), template, table.columns.map((it) => it.id)].join();
    const before = cache.get(index);
    if (before && before.row === row && before.stamp === stamp) return before.node;
    const node = <TableRow key={row === undefined ? index : table.keyOf(index)} index={index} template={template} latest={latest} />;
    cache.set(index, { stamp, row, node });
    return node;
  });
}

function TableRow({ index, template, latest }: { index: number; template: string; latest: { current: TableProps } }) {
  const table = latest.current;
  const there = table.rowAt(index) !== undefined;
  const marked = table.isMarked?.(index) ?? false;
  const classes = ['row', index === table.active && 'active', marked && 'marked', table.isFlashed?.(index) && 'flashed', !there && 'absent'];
  return (
    <div
      role="row" id={`row-${index}`} aria-rowindex={index + 2} aria-selected={table.onMark ? marked : undefined}
      class={classes.filter(Boolean).join(' ')} style={{ top: `${index * ROW_PX}px`, gridTemplateColumns: template }}
      onClick={(event) => clicked(event, index, latest.current)} onDblClick={() => latest.current.onOpen(index)}
    >
      {table.onMark && (
        <div role="gridcell" class="mark" onClick={(event) => { event.stopPropagation(); latest.current.onMark?.(index, event.shiftKey); }}>
          <span class="box" aria-hidden="true">{marked ? '✓' : ''}</span><span class="hidden">{marked ? 'marked' : ''}</span>
        </div>
      )}
      {table.columns.map((it) => (
        <div role="gridcell" key={it.id} class={it.numeric ? 'numeric' : undefined}>{there ? table.cell(index, it.id) : null}</div>
      ))}
    </div>
  );
}

function clicked(event: MouseEvent, index: number, table: TableProps): void {
  if ((event.target as Element).closest('a, button')) return;
  table.onActive(index);
  if (event.shiftKey || event.ctrlKey || event.metaKey) table.onMark?.(index, event.shiftKey);
}

/** Scrolls as little as needed, with the row not under the head. */
function keepInView(element: HTMLDivElement | null, index: number): void {
  if (!element || index < 0) return;
  const top = index * ROW_PX;
  const room = element.clientHeight - 2 * ROW_PX;
  if (top < element.scrollTop) element.scrollTop = top;
  else if (top > element.scrollTop + room) element.scrollTop = top - room;
}

function keys(event: KeyboardEvent, table: TableProps, height: number): void {
  if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
  const page = Math.max(1, Math.floor(height / ROW_PX) - 2);
  const moves: Record<string, number> = {
    ArrowDown: table.active + 1, ArrowUp: table.active - 1, PageDown: table.active + page, PageUp: table.active - page, Home: 0, End: table.total - 1,
  };
  const to = moves[event.key];
  if (to !== undefined) {
    event.preventDefault();
    const index = Math.max(0, Math.min(table.total - 1, to));
    table.onActive(index);
    if (event.shiftKey && table.onMark) table.onMark(index, true);
  } else if (event.key === ' ' && table.active >= 0) {
    event.preventDefault();
    table.onMark?.(table.active, event.shiftKey);
  } else if (event.key === 'Enter' && table.active >= 0) {
    event.preventDefault();
    table.onOpen(table.active);
  }
}
