// Every write: steps are tried without writing (`dryRun`), shown, and then written with the versions that were seen.
import { signal } from '@preact/signals';
import { stepOf, withoutVersion, withVersion } from '../kinds/items.ts';
import type { Difference, WriteStep } from '../kinds/items.ts';
import type { ApplyPayload } from '../kinds/generated.ts';
import { ask, wrote } from '../server/ask.ts';
import { asRefused } from '../server/refused.ts';
import type { Refused } from '../server/refused.ts';
import { go, url } from '../routes.ts';

export const MOST_STEPS = 10_000;
const VERSIONS_AT_ONCE = 1_000;
const KEPT = 'underlay-review';

export interface Review {
  title: string;
  steps: WriteStep[];
  /** Where to go when it is written or given up. */
  back: string;
  /** Makes a repeated write one write. */
  requestId: string;
  /** True if fields that sources hold are taken over. */
  force: boolean;
}

export interface Plan {
  payload: ApplyPayload;
  /** The versions of objects that exist, by id, as the plan saw them. */
  versions: Map<string, number>;
}

export const review = signal<Review | null>(kept());
export const plan = signal<Plan | null>(null);
export const planError = signal<Refused | null>(null);
export const busy = signal<'trying' | 'writing' | null>(null);

function kept(): Review | null {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT) ?? 'null') as Review | null;
  } catch {
    return null;
  }
}

function keep(it: Review | null): void {
  review.value = it;
  try {
    if (it) sessionStorage.setItem(KEPT, JSON.stringify(it));
    else sessionStorage.removeItem(KEPT);
  } catch {
    // Too large to survive a reload, and nothing else.
  }
}

/** Shows steps before they are written. */
export function propose(title: string, steps: WriteStep[]): void {
  const back = url.value.pathname === '/review' ? (review.value?.back ?? '/') : url.value.pathname + url.value.search;
  plan.value = null;
  planError.value = null;
  keep({ title, steps, back, requestId: crypto.randomUUID(), force: false });
  go('/review');
}

/** Takes a change back: steps that lead from a difference's `before` to its `after`. */
export function proposeDifferences(title: string, differences: Difference[]): void {
  propose(title, differences.flatMap((it) => stepOf(it) ?? []));
}

export function change(changes: Partial<Review>): void {
  if (!review.value) return;
  keep({ ...review.value, requestId: crypto.randomUUID(), ...changes });
  void attempt();
}

/** Leaves out a step. */
export function leaveOut(index: number): void {
  change({ steps: (review.value?.steps ?? []).filter((_, at) => at !== index) });
}

/** Takes what is there now as the base, where objects changed since an edit began. */
export function takePresentVersions(): void {
  change({ steps: (review.value?.steps ?? []).map(withoutVersion) });
}

export function giveUp(): void {
  const back = review.value?.back ?? '/';
  keep(null);
  go(back);
}

const APPLY = `mutation Apply($input: ApplyInput!) { apply(input: $input) {
  revision
  results { status kind id name by externalId skipped { field manager reason } error { code field message } }
  changes { operation kind id path before after }
} }`;
const VERSIONS = 'query Versions($ids: [ID!]!) { nodes(ids: $ids) { id ... on Object { version } } }';

async function apply(of: Review, more: object): Promise<ApplyPayload> {
  const input = { items: of.steps.map((it) => it.item), conflicts: of.force ? 'FORCE' : 'FAIL', ...more };
  const { data } = await ask<{ apply: ApplyPayload }>(APPLY, { input });
  return data.apply;
}

async function versionsOf(ids: string[]): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (let at = 0; at < ids.length; at += VERSIONS_AT_ONCE) {
    const part = ids.slice(at, at + VERSIONS_AT_ONCE);
    const { data } = await ask<{ nodes: Array<{ id: string; version: number } | null> }>(VERSIONS, { ids: part });
    for (const it of data.nodes) if (it) found.set(it.id, it.version);
  }
  return found;
}

let attempts = 0;

/** Tries the steps without writing. */
export async function attempt(): Promise<void> {
  const of = review.value;
  if (!of || busy.value === 'writing') return;
  attempts += 1;
  const own = attempts;
  busy.value = 'trying';
  try {
    const known = of.steps.flatMap((it) => it.id ?? []);
    // The versions come first: what changes after them is refused when it is written, and never lost.
    const versions = await versionsOf(known);
    const payload = await apply(of, { dryRun: true });
    if (own !== attempts) return;
    plan.value = { payload, versions };
    planError.value = null;
  } catch (error) {
    if (own !== attempts) return;
    planError.value = asRefused(error);
  }
  busy.value = null;
}

/** Writes what was reviewed. Answers with the revision, or null if it was refused or changed nothing. */
export async function write(): Promise<number | null> {
  const of = review.value;
  const seen = plan.value;
  if (!of || !seen || busy.value) return null;
  busy.value = 'writing';
  const steps = of.steps.map((it) => withVersion(it, it.id ? seen.versions.get(it.id) : undefined));
  try {
    const payload = await apply({ ...of, steps }, { requestId: of.requestId });
    busy.value = null;
    if (payload.revision === null) {
      plan.value = { ...seen, payload };
      return null;
    }
    wrote(payload.revision);
    keep(null);
    go(of.back);
    return payload.revision;
  } catch (error) {
    planError.value = asRefused(error);
    busy.value = null;
    return null;
  }
}

const DIFF = `query Diff($from: Revision!, $to: Revision!, $after: String) {
  diff(from: $from, to: $to, first: 1000, after: $after) {
    nodes { kind objectId name operation before after } pageInfo { hasNextPage endCursor }
  }
}`;

/** The differences that would lead from one revision back to another. */
export async function differences(from: number, to: number): Promise<Difference[]> {
  const all: Difference[] = [];
  let after: string | null = null;
  while (all.length < MOST_STEPS) {
    const answer: { data: { diff: { nodes: Difference[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } } } } = await ask(DIFF, { from, to, after });
    all.push(...answer.data.diff.nodes);
    if (!answer.data.diff.pageInfo.hasNextPage) break;
    after = answer.data.diff.pageInfo.endCursor;
  }
  return all;
}

/** Proposes what takes the changes of revisions `first` to `last` back. */
export async function proposeUndo(first: number, last: number): Promise<void> {
  const title = first === last ? `Undo revision ${first}` : `Undo revisions ${first} to ${last}`;
  proposeDifferences(title, await differences(last, first - 1));
}
