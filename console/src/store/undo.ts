// Undo: the differences between two revisions, backwards, as a review.
import type { Difference } from '../kinds/items.ts';
import { number } from '../kinds/format.ts';
import { say } from '../parts/toast.tsx';
import { ask } from '../server/ask.ts';
import { MAX_STEPS } from './bounds.ts';
import { proposeDifferences } from './review.ts';

const DIFF = `query Diff($from: Revision!, $to: Revision!, $after: String) {
  diff(from: $from, to: $to, first: 1000, after: $after) {
    nodes { kind objectId name operation before after } pageInfo { hasNextPage endCursor }
  }
}`;

interface Answer {
  diff: { nodes: Difference[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } };
}

/** The differences that would lead from one revision back to another; null if a review cannot hold them. */
async function differences(from: number, to: number): Promise<Difference[] | null> {
  const all: Difference[] = [];
  let after: string | null = null;
  for (;;) {
    const { data }: { data: Answer } = await ask(DIFF, { from, to, after });
    all.push(...data.diff.nodes);
    if (all.length > MAX_STEPS || (all.length === MAX_STEPS && data.diff.pageInfo.hasNextPage)) return null;
    if (!data.diff.pageInfo.hasNextPage) return all;
    after = data.diff.pageInfo.endCursor;
  }
}

/** Proposes what takes the changes of revisions `first` to `last` back. */
export async function proposeUndo(first: number, last: number): Promise<void> {
  const title = first === last ? `Undo revision ${first}` : `Undo revisions ${first} to ${last}`;
  const found = await differences(last, first - 1);
  if (found) proposeDifferences(title, found);
  else say(`${title}: more than ${number(MAX_STEPS)} objects differ, and a review holds no more. Undo fewer revisions at a time.`);
}
