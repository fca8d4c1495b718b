// Values as text in tables. References are names, and objects are written by their fields.
import type { Row } from './shape.ts';

export function plain(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(plain).join(' ');
  if (typeof value !== 'object') return String(value);
  const { __typename: _, id, ...rest } = value as Row;
  if (id !== undefined && typeof rest.name === 'string') return rest.name;
  return Object.entries(rest).filter(([, it]) => it !== null).map(([key, it]) => `${key}=${plain(it)}`).join(' ');
}

/** A text as a cell after RFC 4180. */
export function csvText(text: string): string {
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
