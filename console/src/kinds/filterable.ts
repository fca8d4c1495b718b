// The fields by which a list can be filtered: the form that adds a filter offers them.
import { isLeaf } from './filter.ts';
import { bareType, filterFields, words } from './registry.ts';
import type { Kind } from './shape.ts';

export interface Filterable {
  path: string[];
  title: string;
  /** The filter's type, such as `TextFilter` or `LabelSelector`. */
  type: string;
  ops: string[];
}

/** The fields by which a list can be filtered: its own, and those of the objects that it refers to. */
export function filterables(kind: Kind): Filterable[] {
  const found: Filterable[] = [];
  const walk = (type: string, path: string[], depth: number): void => {
    for (const [name, raw] of Object.entries(filterFields(type))) {
      const of = bareType(raw);
      const at = [...path, name];
      const title = at.filter((it) => it !== 'some').map(words).join(' › ');
      if (isLeaf(of)) found.push({ path: at, title, type: of, ops: Object.keys(filterFields(of)).filter((it) => it !== 'caseInsensitive') });
      else if (of === 'LabelSelector') found.push({ path: at, title, type: of, ops: [''] });
      else if (of === 'ID' && name === 'within') found.push({ path: at, title, type: of, ops: [''] });
      else if (name === 'isNull' && path.length > 0) found.push({ path: path, title: `${path.map(words).join(' › ')} is missing`, type: 'Missing', ops: ['isNull'] });
      else if (depth > 0 && /Filter$/.test(of) && name !== 'externalRef') walk(of, at, depth - 1);
    }
  };
  walk(`${kind.name}Filter`, [], 2);
  return found.filter((it) => it.path[0] !== 'id');
}
