// From an address to an object: by id, or by the key.
import { lookupDocument } from '../kinds/documents.ts';
import type { Kind } from '../kinds/shape.ts';
import type { Refused } from '../server/refused.ts';
import { useQuery } from './query.ts';

export interface Resolved {
  id: string | null;
  waiting: boolean;
  error: Refused | null;
}

export function useResolved(kind: Kind, rest: string[]): Resolved {
  const { document, variables } = lookupDocument(kind, rest);
  const query = useQuery<{ found: { id?: string } | null }>(document, variables, [kind.name]);
  const data = query.data.value;
  return { id: data?.found?.id ?? null, waiting: data === null && query.error.value === null, error: query.error.value };
}
