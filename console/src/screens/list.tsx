// The list of any kind.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { about } from '../kinds/about.ts';
import { filterOf, unfitOf } from '../kinds/filter.ts';
import { number } from '../kinds/format.ts';
import { narrow } from '../kinds/narrow.ts';
import { chosenOrder, keyOrderWords, MAX_SORTED, orderOfColumn } from '../kinds/orders.ts';
import type { Order } from '../kinds/orders.ts';
import { fieldOf, pluralOf, words } from '../kinds/registry.ts';
import type { Field, Kind, Row } from '../kinds/shape.ts';
import { useCommands } from '../keys.ts';
import { Ref, Value } from '../parts/value.tsx';
import { Failure } from '../parts/failure.tsx';
import { lazy } from '../parts/lazy.tsx';
import { Table } from '../parts/table.tsx';
import type { Column } from '../parts/table.tsx';
import { go, narrowedTo, pathOf, ROUTES, setParams, url } from '../routes.ts';
import { intoBasket } from '../store/basket.ts';
import { MAX_STEPS } from '../store/bounds.ts';
import { mark, marksOf, unmark } from '../store/marks.ts';
import { openForm } from '../store/overlays.ts';
import { refusal } from '../store/viewer.ts';
import { Rows } from '../store/rows.ts';
import type { Source } from '../store/rows.ts';
import { neighbours } from '../store/neighbours.ts';
import { chosenColumns, chosenWidths, columnsParam } from './chosen-columns.ts';
import { ListBar } from './list-bar.tsx';
import { Preview } from './preview.tsx';
import { Unfit } from './unfit.tsx';

const Facets = lazy<{ source: Source; chosen: string }>(async () => (await import('./facets.lazy.tsx')).Facets);
const FLASH_MS = 1_500;

/** The rows of a source; the same object for as long as the source is the same. */
export function useRows(source: Source): Rows {
  const key = JSON.stringify({ ...source, kind: source.kind.name });
  const rows = useMemo(() => new Rows(source), [key]);
  useEffect(() => () => rows.close(), [rows]);
  return rows;
}

/** Least width in pixels, and share of the rest. */
const WIDTHS: Record<string, [number, number]> = {
  name: [190, 1.4], description: [220, 2], labels: [220, 1.6], placement: [170, 0.6], device: [160, 1], cable: [150, 1],
};

function widthOf(field: Field): [number, number] {
  const own = WIDTHS[field.name];
  if (own) return own;
  if (field.of === 'Boolean' || field.of === 'Int') return [92, 0.2];
  if (field.is === 'enum') return [124, 0.3];
  if (field.of === 'DateTime') return [168, 0.3];
  if (['Long', 'Float', 'Revision'].includes(field.of)) return [108, 0.2];
  if (field.is === 'union' || field.list) return [220, 1.4];
  return field.is === 'value' ? [180, 1.2] : [120, 1];
}

const isNumeric = (field: Field): boolean => ['Int', 'Long', 'Float', 'Revision'].includes(field.of);

function columnOf(kind: Kind, field: Field, order: Order | null, total: number, wide: number | undefined): Column {
  const own = orderOfColumn(kind, field.name, order, total);
  const [width, grow] = wide ? [wide, 0] : widthOf(field);
  const off = own?.off ? ` The list is too long to be ordered by this column.` : '';
  return {
    id: field.name, title: words(field.name), about: `${about(`${kind.name}.${field.name}`) ?? ''}${off}`, width, grow, numeric: isNumeric(field),
    sort: own?.sort, onSort: own && !own.off ? () => setParams({ sort: own.next }) : undefined,
  };
}

/** The list at the present address. */
export function ListScreen({ kind }: { kind: Kind }) {
  return <List kind={kind} title={pluralOf(kind.name)} key={kind.name} />;
}

export interface ListProps {
  kind: Kind;
  title: string;
  /** The object whose list it is. */
  of?: Source['of'];
}

export function List(props: ListProps) {
  const unfit = unfitOf(props.kind, url.value.searchParams);
  return unfit.length > 0 ? <Unfit title={props.title} unfit={unfit} /> : <Fitting {...props} />;
}

function Fitting({ kind, title, of }: ListProps) {
  const params = url.value.searchParams;
  const columns = chosenColumns(kind, params);
  const widths = chosenWidths(params);
  const order = chosenOrder(kind, params);
  // The contents of an object are shown whole, as their number says.
  const filter = narrow(kind, filterOf(kind, params), of ? null : narrowedTo());
  const source: Source = { kind, filter, order, columns, ...(of ? { of } : {}) };
  const rows = useRows(source);
  const [active, setActive] = useState(0);
  const marked = marksOf(kind.name);
  void rows.version.value;
  const total = rows.total.value ?? 0;
  /** While the number is read anew, it is most likely as large as before. */
  const size = useRef(0);
  size.current = rows.total.value ?? size.current;
  const fields = columns.map((it) => fieldOf(kind, it)).filter((it) => it !== undefined);
  const preview = params.get('preview');
  const facets = params.get('facets');

  const toggle = (index: number, range: boolean): void => {
    const row = rows.at(index);
    if (!row) return;
    const ids = range ? between(rows, active, index) : [String(row.id)];
    mark(kind.name, ids, range || !marked.has(String(row.id)));
    setActive(index);
  };
  const open = (index: number): void => {
    const row = rows.at(index);
    if (!row) return;
    neighbours.value = { rows, index };
    go(pathOf(kind.name, row));
  };
  const show = (index: number): void => {
    const row = rows.at(index);
    setParams({ preview: row && preview !== row.id ? String(row.id) : null }, 'replace');
  };
  const move = (by: number): void => {
    const index = Math.max(0, Math.min(total - 1, active + by));
    setActive(index);
    const row = rows.at(index);
    if (preview && row) setParams({ preview: String(row.id) }, 'replace');
  };
  const edit = (): void => {
    const ids = marksOf(kind.name);
    const row = rows.at(active);
    if (ids.size > 0) openForm({ kind, objects: [...ids] });
    else if (row) openForm({ kind, objects: [String(row.id)] });
  };
  const mayEdit = kind.change && kind.apply && !refusal('apply') && marked.size <= MAX_STEPS;
  const traced = ROUTES.some((it) => it.screen === 'trace' && it.kinds?.includes(kind.name));
  const trace = (): void => {
    const row = rows.at(active);
    if (row) go(`${pathOf(kind.name, row)}/trace`);
  };
  useCommands({
    next: () => move(1), previous: () => move(-1), mark: () => toggle(active, false), open: () => open(active),
    preview: () => show(active), ...(mayEdit ? { edit } : {}), ...(traced ? { trace } : {}), unmark: () => unmark(kind.name),
    impact: () => intoBasket(marked.size > 0 ? [...marked] : rows.at(active) ? [String(rows.at(active)?.id)] : []),
  });
  useEffect(() => setActive((it) => Math.max(0, Math.min(it, total - 1))), [total]);

  return (
    <section class="list" aria-label={title} onClickCapture={(event) => comeFrom(event, rows)}>
      <ListBar source={source} rows={rows} title={title} total={rows.total.value} />
      {rows.error.value && <Failure error={rows.error.value} again={() => rows.refresh()} />}
      <Sorting kind={kind} total={size.current} order={order} refused={rows.error.value?.code === 'TOO_COMPLEX'} />
      <div class="beside">
        {facets && <Facets source={source} chosen={facets} />}
        <Table
          label={title} columns={fields.map((it) => columnOf(kind, it, order, size.current, widths[it.name]))} total={total} active={active}
          onWidth={(column, width) => setParams({ columns: columnsParam(columns, { ...widths, [column]: width }) }, 'replace')}
          onActive={setActive} onOpen={open} onMark={toggle} isMarked={(it) => marked.has(String(rows.at(it)?.id))}
          isFlashed={(it) => Date.now() - (rows.flashed.get(String(rows.at(it)?.id)) ?? 0) < FLASH_MS}
          onWindow={(from, to) => rows.need(from, to)} keyOf={(it) => String(rows.at(it)?.id ?? it)} rowAt={(it) => rows.at(it)}
          cell={(index, column) => <Cell kind={kind} row={rows.at(index)} field={fields.find((it) => it.name === column)} />}
        />
        {preview && <Preview kind={kind} id={preview} />}
      </div>
      {rows.total.value === 0 && !rows.error.value && <p class="empty">{source.filter ? 'Nothing fits these filters.' : 'There are none yet.'}</p>}
    </section>
  );
}

/** Says how a list can be ordered that has too many rows to be sorted by any column. */
function Sorting({ kind, total, order, refused }: { kind: Kind; total: number; order: Order | null; refused: boolean }) {
  if (total <= MAX_SORTED && !(refused && order)) return null;
  const words = keyOrderWords(kind);
  return (
    <p class="sorting">
      <span>The server orders more than {number(MAX_SORTED)} objects only by what it has an index for: {words}, and by the last change. Narrow the list for other orders.</span>
      {refused && order && <button type="button" onClick={() => setParams({ sort: order.direction === 'DESC' ? 'KEY.DESC' : 'KEY' })}>Order it {words}</button>}
    </p>
  );
}

/** Keeps the list around an object whose link is followed. */
function comeFrom(event: MouseEvent, rows: Rows): void {
  const target = event.target as Element;
  const row = target.closest('a') && target.closest('.row');
  if (row) neighbours.value = { rows, index: Number(row.id.slice('row-'.length)) };
}

function Cell({ kind, row, field }: { kind: Kind; row: Row | undefined; field: Field | undefined }) {
  if (!row || !field) return null;
  if (field.name === 'name') return <Ref row={row} kind={kind.name} own quiet />;
  return <Value field={field} value={row[field.name]} quiet />;
}

function between(rows: Rows, from: number, to: number): string[] {
  const ids: string[] = [];
  for (let it = Math.min(from, to); it <= Math.max(from, to); it += 1) {
    const id = rows.at(it)?.id;
    if (id) ids.push(String(id));
  }
  return ids;
}
