// Tries a review without writing it (`dryRun`), and writes it with the versions that the trial saw. A write whose answer
// is lost is sent again as it was: the server writes a request once, by its `requestId`.
import { signal } from '@preact/signals';
import { withVersion } from '../kinds/items.ts';
import type { ApplyPayload } from '../kinds/generated.ts';
import { ask, wrote } from '../server/ask.ts';
import type { Answer } from '../server/ask.ts';
import { asRefused, remedyOf } from '../server/refused.ts';
import type { Refused } from '../server/refused.ts';
import { go } from '../routes.ts';
import { keep, review } from './kept.ts';
import type { Review } from './kept.ts';
import { nodesOf } from './present.ts';

/** The number of times that a trial is repeated when objects change while it is read. */
const MAX_TRIALS = 3;

export interface Plan {
  payload: ApplyPayload;
  /** The version of each step's object that the trial saw; 0 where there was none, null where none is needed. */
  versions: Array<number | null>;
}

export const plan = signal<Plan | null>(null);
export const planError = signal<Refused | null>(null);
export const busy = signal<'trying' | 'writing' | null>(null);

const APPLY = `mutation Apply($input: ApplyInput!) { apply(input: $input) {
  revision
  results { status kind id name by externalId skipped { field manager reason } error { code field message } }
  changes { operation kind id path before after }
} }`;
const VERSIONS = 'query Versions($ids: [ID!]!) { nodes(ids: $ids) { id ... on Object { version } } }';

function apply(of: Review, more: object): Promise<Answer<{ apply: ApplyPayload }>> {
  return ask(APPLY, { input: { items: of.steps.map((it) => it.item), conflicts: of.force ? 'FORCE' : 'FAIL', ...more } });
}

/** Tries steps until what they were tried on is what is there. */
async function trial(of: Review, left: number): Promise<Plan> {
  const { data: { apply: payload }, revision } = await apply(of, { dryRun: true });
  const changed = payload.results.flatMap((it) => ((it.status === 'UPDATED' || it.status === 'DELETED') && it.id ? [it.id] : []));
  const found = await nodesOf<{ id: string; version: number }>(VERSIONS, changed);
  // A version is the revision that last changed the object: a later one was not seen by the trial.
  const later = changed.some((it) => (found.get(it)?.version ?? 0) > revision);
  if (later && left > 1) return trial(of, left - 1);
  const versions = payload.results.map((it, at) => {
    if (it.status === 'CREATED') return of.steps[at]?.id ? null : 0;
    return found.get(it.id ?? '')?.version ?? null;
  });
  return { payload, versions };
}

let attempts = 0;

/** Tries the steps without writing. */
export async function attempt(): Promise<void> {
  const of = review.value;
  if (!of || of.sent || busy.value === 'writing') return;
  attempts += 1;
  const own = attempts;
  busy.value = 'trying';
  let [tried, error]: [Plan | null, Refused | null] = [null, null];
  try {
    tried = await trial(of, MAX_TRIALS);
  } catch (thrown) {
    error = asRefused(thrown);
  }
  if (own !== attempts) return;
  if (tried) plan.value = tried;
  planError.value = error;
  busy.value = null;
}

/** Writes what was reviewed, or sends the write again that has no answer. It answers with the revision, or null. */
export async function write(): Promise<number | null> {
  const of = review.value;
  if (!of || busy.value === 'writing' || (!of.sent && (!plan.value || busy.value))) return null;
  busy.value = 'writing';
  const versions = of.sent ?? plan.value?.versions ?? [];
  // It is kept before it is sent: whatever ends this page, the next one knows of it.
  keep({ ...of, sent: versions });
  planError.value = null;
  try {
    const steps = of.steps.map((it, at) => withVersion(it, versions[at] ?? undefined));
    const { data: { apply: payload } } = await apply({ ...of, steps }, { requestId: of.requestId });
    return ended(of, payload);
  } catch (thrown) {
    const error = asRefused(thrown);
    const certain = remedyOf(error) !== 'retry' && error.code !== 'INTERNAL';
    if (certain) answered(of);
    planError.value = error;
    return null;
  } finally {
    busy.value = null;
  }
}

/** The write has an answer: what is left of it is a review as any other. */
function answered({ sent: _, ...of }: Review): void {
  keep({ ...of, requestId: crypto.randomUUID() });
}

function ended(of: Review, payload: ApplyPayload): number | null {
  if (payload.revision === null) {
    answered(of);
    plan.value = { payload, versions: plan.value?.versions ?? [] };
    return null;
  }
  wrote(payload.revision);
  keep(null);
  plan.value = null;
  // The review is nothing to come back to.
  go(of.back, 'replace');
  return payload.revision;
}
