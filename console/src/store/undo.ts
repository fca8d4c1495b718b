// Undo: the differences between two revisions, backwards, as a review.
import type { Difference } from '../kinds/items.ts';
import { ask } from '../server/ask.ts';
import { MOST_STEPS } from './bounds.ts';
import { proposeDifferences } from './review.ts';

const DIFF = `query Diff($from: Revision!, $to: Revision!, $after: String) {
  diff(from: $from, to: $to, first: 1000, after: $after) {
    nodes { kind objectId name operation before after } pageInfo { hasNextPage endCursor }
  }
}`;

interface Answer {
  diff: { nodes: Difference[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } };
}

/** The differences that would lead from one revision back to another. */
async function differences(from: number, to: number): Promise<Difference[]> {
  const all: Difference[] = [];
  let after: string | null = null;
  while (all.length < MOST_STEPS) {
    const { data }: { data: Answer } = await ask(DIFF, { from, to, after });
    all.push(...data.diff.nodes);
    if (!data.diff.pageInfo.hasNextPage) break;
    after = data.diff.pageInfo.endCursor;
  }
  return all;
}

/** Proposes what takes the changes of revisions `first` to `last` back. */
export async function proposeUndo(first: number, last: number): Promise<void> {
  const title = first === last ? `Undo revision ${first}` : `Undo revisions ${first} to ${last}`;
  proposeDifferences(title, await differences(last, first - 1));
}
