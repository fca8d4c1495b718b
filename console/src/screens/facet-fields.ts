// The fields that a list can be grouped by, and the filter that each of their values is. Pure.
import { filterType } from '../kinds/filter.ts';
import { DERIVED, filterFields } from '../kinds/registry.ts';
import type { Kind } from '../kinds/shape.ts';

export interface FacetField {
  name: string;
  is: 'enum' | 'one' | 'scalar';
  /** True if its filter takes several values. */
  several: boolean;
}

/** Nearly every object has another value: grouping by them says nothing. */
const OWN = new Set(['id', 'name', 'description', 'serial', 'assetTag', 'mac', 'version', 'title', 'url']);
/** Fields that the API filters by and does not count. */
const UNCOUNTED = new Set(['address', 'shortId', 'bmcUrl', 'family']);
const COUNTED = new Set(['String', 'Boolean', 'Int', 'Long']);
const FIRST = ['status', 'role', 'state', 'type', 'site', 'class', 'media'];

export function facetFields(kind: Kind): FacetField[] {
  return kind.fields.flatMap((it): FacetField[] => {
    const filter = filterType(kind, [it.name]);
    if (!filter || it.list || OWN.has(it.name) || UNCOUNTED.has(it.name) || DERIVED[kind.name]?.includes(it.name)) return [];
    if (it.is === 'one') return 'id' in filterFields(filter) ? [{ name: it.name, is: 'one', several: true }] : [];
    if (it.is !== 'enum' && !(it.is === 'scalar' && COUNTED.has(it.of))) return [];
    return 'eq' in filterFields(filter) ? [{ name: it.name, is: it.is, several: 'in' in filterFields(filter) }] : [];
  });
}

/** The fields by which a list is grouped by default. */
export function firstFacets(kind: Kind): string[] {
  const all = facetFields(kind).map((it) => it.name);
  const usual = FIRST.filter((it) => all.includes(it)).slice(0, 3);
  return usual.length > 0 ? usual : all.slice(0, 2);
}

/** The parameter of the address that narrows the list to a value, and its text. Null: no value. */
export function valueKey(field: FacetField, value: string | null): { key: string; text: string } {
  if (value === null) return { key: `${field.name}.isNull`, text: 'true' };
  return { key: `${field.name}${field.is === 'one' ? '.id' : ''}.${field.several ? 'in' : 'eq'}`, text: value };
}

/** The parameters of a list without what its groups by a field narrow. */
export function withoutField(params: URLSearchParams, field: FacetField): URLSearchParams {
  const next = new URLSearchParams(params);
  for (const key of keysOf(field)) next.delete(key);
  return next;
}

/** The parameters that the groups by a field set. */
export const keysOf = (field: FacetField): string[] => [valueKey(field, '').key, valueKey(field, null).key];
