// A virtual table of any length: only the rows near the window are in the page, each with its number among all.
import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { baseOf, bodyHeight, ROW_PX, rowsAt, scrolledAt, topAfter, topFor } from './scroll.ts';

const MARK_PX = 32;
const AROUND = 12;

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
  /** Makes a column as wide as somebody dragged it. */
  onWidth?(column: string, width: number): void;
  onMark?(index: number, range: boolean): void;
  isMarked?(index: number): boolean;
  isFlashed?(index: number): boolean;
  onWindow(from: number, to: number): void;
  keyOf(index: number): string;
  /** The data of the row: a row is drawn again if this is another object. Undefined while it is not there yet. */
  rowAt(index: number): unknown;
  cell(index: number, column: string): ComponentChildren;
}

export function Table(props: TableProps) {
  const { active } = props;
  const [dragged, setDragged] = useState<{ id: string; width: number } | null>(null);
  const columns = props.columns.map((it) => (it.id === dragged?.id ? { ...it, width: dragged.width, grow: 0 } : it));
  const latest = useRef(props);
  latest.current = props;
  const cache = useRef(new Map<number, Drawn>());
  const { total } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ scrolled: 0, top: 0, height: 600 });
  const { from, to } = rowsAt(view.top, view.height, total, AROUND);
  const base = baseOf(from);
  const measure = (): void => {
    const element = scroller.current;
    if (!element) return;
    const [scrolled, height] = [element.scrollTop, windowOf(element)];
    setView((before) => ({ scrolled, height, top: topAfter(before.top, scrolled, latest.current.total, height) }));
  };
  // Scrolls as little as needed for the row of the keyboard.
  const keepInView = (): void => {
    const element = scroller.current;
    if (!element || active < 0) return;
    const height = windowOf(element);
    const top = topFor(active, view.top, height);
    if (top === view.top) return;
    element.scrollTop = scrolledAt(top, total, height);
    setView({ scrolled: element.scrollTop, height, top });
  };

  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, []);
  useEffect(() => latest.current.onWindow(from, to));
  useLayoutEffect(keepInView, [active]);

  const template = `${props.onMark ? `${MARK_PX}px ` : ''}${columns.map((it) => `minmax(${it.width}px, ${it.grow ?? 0}fr)`).join(' ')}`;
  const least = columns.reduce((sum, it) => sum + it.width, props.onMark ? MARK_PX : 0);
  const across = { gridTemplateColumns: template, minWidth: `${least}px` };
  const indexes = Array.from({ length: Math.max(0, to - from) }, (_, it) => from + it);
  return (
    <div
      class="table" role="grid" tabIndex={0} ref={scroller} aria-label={props.label} aria-rowcount={props.total + 1}
      aria-colcount={columns.length + (props.onMark ? 1 : 0)} aria-multiselectable={Boolean(props.onMark)}
      aria-activedescendant={active >= from && active < to ? `row-${active}` : undefined}
      onScroll={measure}
      onKeyDown={(event) => keys(event, props, view.height)}
    >
      <div class="table-head" role="row" aria-rowindex={1} style={across}>
        {props.onMark && <div role="columnheader"><span class="hidden">Mark</span></div>}
        {columns.map((it) => <Head column={it} key={it.id} onDrag={props.onWidth && setDragged} onWidth={props.onWidth} />)}
      </div>
      <div class="table-body" style={{ height: `${bodyHeight(total)}px`, minWidth: `${least}px` }}>
        <div class="table-rows" role="rowgroup" style={{ top: `${base * ROW_PX - view.top + view.scrolled}px` }}>
          {drawn(indexes, base, template, latest, cache.current)}
        </div>
      </div>
    </div>
  );
}

const LEAST_PX = 48;

interface HeadProps {
  column: Column;
  onDrag: ((to: { id: string; width: number } | null) => void) | undefined;
  onWidth: TableProps['onWidth'];
}

function Head({ column, onDrag, onWidth }: HeadProps) {
  const grip = (event: PointerEvent): void => {
    const handle = event.currentTarget as HTMLElement;
    const from = handle.parentElement?.offsetWidth ?? column.width;
    const sign = getComputedStyle(handle).direction === 'rtl' ? -1 : 1;
    const widthAt = (it: PointerEvent): number => Math.max(LEAST_PX, Math.round(from + sign * (it.clientX - event.clientX)));
    event.preventDefault();
    handle.setPointerCapture(event.pointerId);
    handle.onpointermove = (it) => onDrag?.({ id: column.id, width: widthAt(it) });
    handle.onpointerup = handle.onpointercancel = (it) => {
      handle.onpointermove = handle.onpointerup = handle.onpointercancel = null;
      onDrag?.(null);
      if (it.type === 'pointerup' && it.clientX !== event.clientX) onWidth?.(column.id, widthAt(it));
    };
  };
  return (
    <div role="columnheader" aria-sort={column.sort ?? (column.onSort ? 'none' : undefined)} class={column.numeric ? 'numeric' : undefined} title={column.about}>
      {column.onSort
        ? <button type="button" onClick={column.onSort}>{column.title}<span class="arrow" aria-hidden="true">{column.sort ? (column.sort === 'ascending' ? '↑' : '↓') : ''}</span></button>
        : <span>{column.title}</span>}
      {/* By keyboard, widths are set where columns are chosen. */}
      {onWidth && <span class="grip" aria-hidden="true" onPointerDown={grip} />}
    </div>
  );
}

interface Drawn {
  stamp: string;
  row: unknown;
  node: VNode;
}

/** Rows that are as they were are not drawn again: scrolling then costs what is new alone. */
function drawn(indexes: number[], base: number, template: string, latest: { current: TableProps }, cache: Map<number, Drawn>): VNode[] {
  const table = latest.current;
  const kept = new Set(indexes);
  for (const index of [...cache.keys()]) if (!kept.has(index)) cache.delete(index);
  return indexes.map((index) => {
    const row = table.rowAt(index);
    const stamp = [index === table.active, table.isMarked?.(index), table.isFlashed?.(index), base, template, table.columns.map((it) => it.id)].join();
    const before = cache.get(index);
    if (before && before.row === row && before.stamp === stamp) return before.node;
    const node = <TableRow key={row === undefined ? index : table.keyOf(index)} index={index} base={base} template={template} latest={latest} />;
    cache.set(index, { stamp, row, node });
    return node;
  });
}

function TableRow({ index, base, template, latest }: { index: number; base: number; template: string; latest: { current: TableProps } }) {
  const table = latest.current;
  const there = table.rowAt(index) !== undefined;
  const marked = table.isMarked?.(index) ?? false;
  const classes = ['row', index === table.active && 'active', marked && 'marked', table.isFlashed?.(index) && 'flashed', !there && 'absent'];
  return (
    <div
      role="row" id={`row-${index}`} aria-rowindex={index + 2} aria-selected={table.onMark ? marked : undefined}
      class={classes.filter(Boolean).join(' ')} style={{ top: `${(index - base) * ROW_PX}px`, gridTemplateColumns: template }}
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

/** The height of the window onto the rows: the head is as high as a row, and always there. */
const windowOf = (element: HTMLElement): number => element.clientHeight - ROW_PX;

function keys(event: KeyboardEvent, table: TableProps, height: number): void {
  if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
  const page = Math.max(1, Math.floor(height / ROW_PX) - 1);
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
