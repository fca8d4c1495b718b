// The table: measured numbers with their units, what they are compared with, and whether the targets are met. Its form,
// as text and as JSON, is that of benches/load.

export interface Quantity {
  unit: 'seconds' | 'perSecond' | 'bytes' | 'count';
  value: number;
}

export const ms = (value: number): Quantity => ({ unit: 'seconds', value: value / 1000 });
export const perSecond = (value: number): Quantity => ({ unit: 'perSecond', value });
export const bytes = (value: number): Quantity => ({ unit: 'bytes', value });
export const count = (value: number): Quantity => ({ unit: 'count', value });

/** Writes a number with separators between thousands. */
export const thousands = (value: number): string => Math.round(value).toLocaleString('en-US');

/** Writes a number with three significant digits. */
function threeDigits(value: number): string {
  const size = Math.abs(value);
  const places = size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2;
  return value.toLocaleString('en-US', { minimumFractionDigits: places, maximumFractionDigits: places });
}

const UNITS: Record<'seconds' | 'bytes', ReadonlyArray<readonly [number, string]>> = {
  seconds: [[1, 's'], [1e-3, 'ms'], [1e-6, 'µs']],
  bytes: [[1e9, 'GB'], [1e6, 'MB'], [1e3, 'kB'], [1, 'B']],
};

/** Writes a quantity for people, in the largest unit in which it is at least 1. */
export function quantityWords({ unit, value }: Quantity): string {
  if (unit === 'count') return thousands(value);
  if (unit === 'perSecond') return `${threeDigits(value)}/s`;
  const units = UNITS[unit];
  const [size, name] = units.find(([it]) => value >= it * 0.9995) ?? units[units.length - 1] ?? [1, ''];
  return `${threeDigits(value / size)} ${name}`;
}

export interface Target {
  is: 'atLeast' | 'atMost';
  value: Quantity;
}

export interface Reference {
  what: string;
  quantity: Quantity;
}

/** A row of the table. */
export interface Row {
  what: string;
  fleet: string;
  measured: Quantity;
  reference: Reference | null;
  /** The measured number divided by the reference. */
  ratio: number | null;
  targets: Target[];
  /** True if the target is met; null without a target. */
  met: boolean | null;
}

export interface More {
  beside?: readonly [what: string, quantity: Quantity] | undefined;
  atLeast?: Quantity;
  atMost?: Quantity;
}

/** Makes a row. `beside` is its reference, and `atLeast` or `atMost` its target. */
export function rowOf(what: string, fleet: string, measured: Quantity, { beside, atLeast, atMost }: More = {}): Row {
  const reference = beside ? { what: beside[0], quantity: beside[1] } : null;
  const targets: Target[] = [
    ...(atLeast ? [{ is: 'atLeast' as const, value: atLeast }] : []),
    ...(atMost ? [{ is: 'atMost' as const, value: atMost }] : []),
  ];
  const met = targets.every((it) => (it.is === 'atLeast' ? measured.value >= it.value.value : measured.value <= it.value.value));
  return {
    what, fleet, measured, reference, targets,
    ratio: reference && reference.quantity.value > 0 ? measured.value / reference.quantity.value : null,
    met: targets.length > 0 ? met : null,
  };
}

const HEAD = ['what', 'fleet', 'measured', 'reference', 'ratio', 'target', 'met'];

function cells(row: Row): string[] {
  return [
    row.what,
    row.fleet,
    quantityWords(row.measured),
    row.reference ? `${quantityWords(row.reference.quantity)} (${row.reference.what})` : '',
    row.ratio === null ? '' : row.ratio.toFixed(2),
    row.targets.map((it) => `${it.is === 'atLeast' ? '≥' : '≤'} ${quantityWords(it.value)}`).join(', '),
    row.met === null ? '' : row.met ? 'yes' : 'no',
  ];
}

/** Returns the table for the documentation. */
export function markdown(rows: readonly Row[]): string {
  const line = (texts: readonly string[]): string => `| ${texts.map((it) => it.replaceAll('|', '\\|')).join(' | ')} |\n`;
  return `${line(HEAD)}| --- | --- | ---: | --- | ---: | --- | --- |\n${rows.map((it) => line(cells(it))).join('')}`;
}

/** Returns the table for a terminal. */
export function terminal(rows: readonly Row[]): string {
  const lines = [HEAD, ...rows.map(cells)];
  const widths = HEAD.map((_, at) => Math.max(...lines.map((it) => it[at]?.length ?? 0)));
  return lines.map((it) => it.map((text, at) => text.padEnd(widths[at] ?? 0)).join('  ').trimEnd()).join('\n');
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [low, high] = [sorted[middle - 1], sorted[middle]];
  if (high === undefined) throw new Error('nothing was measured');
  return sorted.length % 2 === 1 || low === undefined ? high : (low + high) / 2;
}

/** Returns two rows of times in milliseconds: the median, which has the target and the reference, and the longest. */
export function timeRows(what: string, fleet: string, times: readonly number[], more: More = {}): Row[] {
  return [
    rowOf(`${what}, p50 of ${times.length}`, fleet, ms(median(times)), more),
    rowOf(`${what}, at the longest of ${times.length}`, fleet, ms(Math.max(...times))),
  ];
}
