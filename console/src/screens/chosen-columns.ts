// The columns of a list in its address: `columns=name:240,status` shows two, the first of which is 240 pixels wide.
import { columnsOf, firstColumns } from '../kinds/registry.ts';
import type { Kind } from '../kinds/shape.ts';

const LEAST_PX = 48;
const MAX_PX = 2_000;

const asked = (params: URLSearchParams): string[][] => (params.get('columns') ?? '').split(',').map((it) => it.split(':'));

/** The columns that the address asks for, or the kind's own. */
export function chosenColumns(kind: Kind, params: URLSearchParams): string[] {
  const there = new Set(columnsOf(kind).map((it) => it.name));
  const names = asked(params).flatMap(([name = '']) => (there.has(name) ? [name] : []));
  return names.length > 0 ? [...new Set(names)] : firstColumns(kind);
}

/** The widths that the address asks for, in pixels. */
export function chosenWidths(params: URLSearchParams): Record<string, number> {
  return Object.fromEntries(asked(params).flatMap(([name = '', width]) => {
    const pixels = Math.round(Number(width));
    return pixels > 0 ? [[name, Math.max(LEAST_PX, Math.min(MAX_PX, pixels))]] : [];
  }));
}

/** The parameter for columns and their widths. */
export const columnsParam = (names: readonly string[], widths: Record<string, number>): string =>
  names.map((it) => (widths[it] ? `${it}:${Math.round(widths[it])}` : it)).join(',');
