// A query that is also read now and then, while somebody looks: the feed does not tell of what makes no revision.
import { useEffect } from 'preact/hooks';
import { useQuery } from './query.ts';
import type { Query } from './query.ts';

export function usePaced<T>(text: string, variables: object, kinds: string[], everyMs: number): Query<T> {
  const query = useQuery<T>(text, variables, kinds);
  useEffect(() => {
    const timer = setInterval(() => query.mark(), everyMs);
    return () => clearInterval(timer);
  }, [query, everyMs]);
  return query;
}
