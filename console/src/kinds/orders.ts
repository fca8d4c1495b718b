// The orders of lists. The server sorts a bounded number of objects by any field; for the key and the time of the last
// change it keeps indexes, so that a list of any size can have these orders.
import { INDEXED_ORDERS } from './generated.ts';
import { keyOf, parentsOf, titleOf } from './registry.ts';
import type { Kind } from './shape.ts';

export interface Order {
  by: string;
  direction: string;
}

/** The most objects that the server sorts by a field without an index. */
export const MAX_SORTED = 100_000;

/** The order that an address asks for: `NAME` or `NAME.DESC`. */
export function chosenOrder(kind: Kind, params: URLSearchParams): Order | null {
  const [by = '', direction = 'ASC'] = (params.get('sort') ?? '').split('.');
  return kind.orders.includes(by) ? { by, direction: direction === 'DESC' ? 'DESC' : 'ASC' } : null;
}

export interface ColumnOrder {
  /** The present order of the list by this column. */
  sort: 'ascending' | 'descending' | undefined;
  /** The parameter `sort` of the address that a click leads to; null for the usual order. */
  next: string | null;
  /** True if the list has too many rows for this order. */
  off: boolean;
}

/** The order of a column, if the API has one: `heightU` is `HEIGHT_U`. In a large list, names are in the order of the key. */
export function orderOfColumn(kind: Kind, field: string, order: Order | null, total: number): ColumnOrder | undefined {
  const name = field.replace(/[A-Z]/g, (it) => `_${it}`).toUpperCase();
  if (!kind.orders.includes(name)) return undefined;
  const large = total > MAX_SORTED;
  const sortedBy = order && (order.by === name || (name === 'NAME' && order.by === 'KEY')) ? order : null;
  const sort = sortedBy ? (sortedBy.direction === 'DESC' ? 'descending' : 'ascending') : undefined;
  const by = sortedBy?.by ?? (large && name === 'NAME' ? 'KEY' : name);
  return { sort, next: sort === undefined ? by : sort === 'ascending' ? `${by}.DESC` : null, off: large && !INDEXED_ORDERS.includes(by) };
}

/** The order by key in words: the key of a port is its device and its name. */
export function keyOrderWords(kind: Kind): string {
  const parent = parentsOf(kind.name)[0] ?? keyOf(kind.name)?.[0];
  return parent ? `by name within each ${titleOf(parent).toLowerCase()}` : 'by name';
}
