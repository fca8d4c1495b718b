// Values as text, in the units and the language of the reader.

const whole = new Intl.NumberFormat();
const fine = new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 });
const when = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const ago = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'short' });

export const number = (value: number): string => (Number.isInteger(value) ? whole.format(value) : fine.format(value));

export const time = (value: string): string => {
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? value : when.format(date);
};

const STEPS: Array<[Intl.RelativeTimeFormatUnit, number]> = [['year', 31_536_000], ['month', 2_592_000], ['day', 86_400], ['hour', 3_600], ['minute', 60], ['second', 1]];

/** A time as its distance from now, such as `3 min. ago`. */
export function since(value: string, now = Date.now()): string {
  const seconds = (new Date(value).getTime() - now) / 1000;
  const [unit, size] = STEPS.find(([, it]) => Math.abs(seconds) >= it) ?? ['second', 1];
  return ago.format(Math.round(seconds / size), unit);
}

const PREFIXES: Array<[string, number]> = [['T', 1e12], ['G', 1e9], ['M', 1e6], ['k', 1e3]];

/** Bits per second with a decimal prefix: `25 Gbit/s`. */
export function rate(bps: number): string {
  const [prefix, size] = PREFIXES.find(([, it]) => bps >= it) ?? ['', 1];
  return `${number(bps / size)} ${prefix}bit/s`;
}

const BINARY: Array<[string, number]> = [['TiB', 2 ** 40], ['GiB', 2 ** 30], ['MiB', 2 ** 20]];
const DECIMAL: Array<[string, number]> = [['TB', 1e12], ['GB', 1e9], ['MB', 1e6]];

/** Bytes in the unit that makes them a short number: memory is binary, disks are decimal. */
export function bytes(value: number, steps = value % 2 ** 20 === 0 ? BINARY : DECIMAL): string {
  const [unit, size] = steps.find(([, it]) => value >= it) ?? ['B', 1];
  return `${number(value / size)} ${unit}`;
}

/** The size of a disk, as its label has it. */
export const diskBytes = (value: number): string => bytes(value, DECIMAL);

/** A scalar of a field as text. The field's name tells its unit. */
export function scalar(field: string, type: string, value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (type === 'DateTime') return time(String(value));
  if (typeof value === 'number') {
    if (/Bps$/.test(field)) return rate(value);
    if (/Bytes$/.test(field)) return bytes(value);
    return type === 'Revision' ? String(value) : number(value);
  }
  if (type === 'Labels' || type === 'TextMap') return Object.entries(value as object).map(([key, it]) => `${key}=${it}`).join(' ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Letters that are written from right to left, and characters that turn the direction of what follows. */
const TURNS = /[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc]/;

/** A name within other text. Whatever turns the direction in it ends with the name (FSI and PDI of Unicode). */
export const isolated = (name: string): string => (TURNS.test(name) ? `\u2068${name.replace(/[\u2066-\u2069]/g, '')}\u2069` : name);

/** Names one after the other: `ams1-a14-hv-01 · eth0`. */
export function joined(names: readonly unknown[]): string {
  const there = names.filter(Boolean).map(String);
  return there.length > 1 ? there.map(isolated).join(' · ') : there.join('');
}

/** A sentence in which names are not set apart: characters that would turn the rest of it around are written out. */
export function upright(sentence: string): string {
  return sentence.replace(/[\u202a-\u202e\u2066-\u2069]/g, (it) => `\\u{${it.charCodeAt(0).toString(16)}}`);
}
