// Reads what is there now, for the steps that met somebody else's write.
import { compare, isConflict } from '../kinds/compare.ts';
import type { Conflict, Present } from '../kinds/compare.ts';
import type { ApplyResult } from '../kinds/generated.ts';
import type { WriteStep } from '../kinds/items.ts';
import { presentOf } from './present.ts';

/** Reads what is there now for the steps that were refused. */
export async function conflictsOf(steps: WriteStep[], results: ApplyResult[]): Promise<Conflict[]> {
  const refused = results.flatMap((result, index) => (isConflict(result, steps[index]) ? [{ result, index }] : []));
  const there = new Map<string, Present>();
  for (const kind of new Set(refused.map((it) => String(it.result.kind)))) {
    const ids = refused.filter((it) => it.result.kind === kind).map((it) => String(it.result.id));
    for (const [id, it] of await presentOf(kind, ids, true)) there.set(id, it);
  }
  return refused.flatMap(({ result, index }) => {
    const [step, present] = [steps[index], there.get(String(result.id))];
    return step && present ? [compare(index, step, present, result.error?.code ?? '')] : [];
  });
}
