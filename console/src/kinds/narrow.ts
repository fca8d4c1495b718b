// The place that everything is narrowed to. It stands in the address, and goes along from screen to screen.
import type { Kind } from './shape.ts';

/** The parameter that holds the id of the place. */
export const IN = 'in';

/** Kinds whose objects are in no place: their lists stay whole. */
const NOWHERE = new Set(['Provider', 'ProviderNetwork', 'HostClass', 'Profile', 'Credential', 'Source']);
/** Kinds that are places: the place itself is a part of what it is narrowed to. */
const PLACES = new Set(['Region', 'Site', 'Location', 'Rack']);
export const isPlaced = (kind: string): boolean => !NOWHERE.has(kind);

/** The filter of the API for the objects of a kind in a place; null if the kind has none, or there is no place. */
export function placeFilter(kind: string, place: string | null): object | null {
  if (!place || !isPlaced(kind)) return null;
  if (PLACES.has(kind)) return { or: [{ within: place }, { id: { eq: place } }] };
  return { within: place };
}

/** A filter, narrowed to a place. */
export function narrow(kind: Kind, filter: object | null, place: string | null): object | null {
  const own = placeFilter(kind.name, place);
  return own && filter ? { and: [own, filter] } : own ?? filter;
}
