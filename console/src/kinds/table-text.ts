// Rows as CSV. References are names, and objects are written by their fields.
import type { Row } from './shape.ts';

function plain(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(plain).join(' ');
  if (typeof value !== 'object') return String(value);
  const { __typename: _, id, ...rest } = value as Row;
  if (id !== undefined && typeof rest.name === 'string') return rest.name;
  return Object.entries(rest).filter(([, it]) => it !== null).map(([key, it]) => `${key}=${plain(it)}`).join(' ');
}

/** A cell after RFC 4180. What a spreadsheet would run as a formula is kept a text by an apostrophe. */
export function cell(value: unknown): string {
  const text = plain(value);
  const safe = typeof value !== 'number' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export function csvLine(values: unknown[]): string {
  return `${values.map(cell).join(',')}\r\n`;
}
