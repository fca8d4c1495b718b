// The steps that are proposed to be written: they come from forms, moves, files and the change log, and are left out or
// settled.
import { signal } from '@preact/signals';
import { stepOf, versionOf, withoutVersion, withVersion } from '../kinds/items.ts';
import type { Difference, WriteStep } from '../kinds/items.ts';
import { isolated, number } from '../kinds/format.ts';
import { say } from '../parts/toast.tsx';
import { go, url } from '../routes.ts';
import { keep, review } from './kept.ts';
import type { Review } from './kept.ts';
import { plan, planError } from './write.ts';

/** Files that cannot become a review, and all that is wrong with them. */
export const refusedFiles = signal<{ title: string; problems: string[] } | null>(null);

/** Shows what is wrong with files. The review that waits stays as it is. */
export function refuseFiles(title: string, problems: string[]): void {
  refusedFiles.value = { title, problems };
  go('/review');
}

/** True if the review that waits may be replaced: not while it is unknown whether it was written. */
function mayReplace(now: Review | null): boolean {
  if (!now?.sent) return true;
  say(`“${isolated(now.title)}” has no answer yet. Send it again or discard it before the next write.`);
  go('/review');
  return false;
}

function takeUp(it: Review): void {
  if (!mayReplace(review.value)) return;
  plan.value = null;
  keep(it);
  go('/review');
}

function begin(title: string, steps: WriteStep[], more: Partial<Review>): boolean {
  const now = review.value;
  if (!mayReplace(now)) return false;
  if (now && now.steps.length > 0 && !(now.gathers && more.gathers)) {
    say(`“${isolated(now.title)}” was put aside.`, { title: 'Back to it', run: () => takeUp(now) });
  }
  const back = url.value.pathname === '/review' ? (now?.back ?? '/') : url.value.pathname + url.value.search;
  plan.value = null;
  planError.value = null;
  refusedFiles.value = null;
  keep({ title, steps, back, requestId: crypto.randomUUID(), force: false, ...more });
  return true;
}

/** Shows steps before they are written. It answers false if another write has to be settled first. */
export function propose(title: string, steps: WriteStep[]): boolean {
  const begun = begin(title, steps, {});
  if (begun) go('/review');
  return begun;
}

/**
 * Adds a step to those that are gathered, and stays on the screen. A later step of the same object takes its place. It
 * answers false if another write has to be settled first.
 */
export function gather(title: string, step: WriteStep, several: (count: string) => string): boolean {
  const before = gathered();
  // The version stays that of the first move: what others changed after it is a conflict.
  const first = before.find((it) => it.id === step.id);
  const own = first ? { ...withVersion(step, versionOf(first)), ...(first.base ? { base: first.base } : {}) } : step;
  const steps = [...before.filter((it) => it !== first), own];
  return begin(steps.length === 1 ? title : several(number(steps.length)), steps, { gathers: true });
}

/** The steps that are gathered and not yet written. */
export function gathered(): WriteStep[] {
  return review.value?.gathers && !review.value.sent ? review.value.steps : [];
}

/** Takes the last of the gathered steps back. */
export function takeBack(several: (count: string) => string): void {
  const steps = gathered().slice(0, -1);
  if (steps.length === 0) keep(null);
  else begin(several(number(steps.length)), steps, { gathers: true });
}

/** Takes all gathered steps back. */
export function takeAllBack(): void {
  if (gathered().length > 0) keep(null);
}

/** Takes a change back: steps that lead from a difference's `before` to its `after`. */
export function proposeDifferences(title: string, differences: Difference[]): void {
  propose(title, differences.flatMap((it) => stepOf(it) ?? []));
}

export function change(changes: Partial<Review>): void {
  const now = review.value;
  if (!now || now.sent) return;
  const without = (now.without ?? 0) + (changes.steps ? now.steps.length - changes.steps.length : 0);
  // The plan numbers the steps as they were: the screen tries them anew.
  plan.value = null;
  keep({ ...now, requestId: crypto.randomUUID(), without, ...changes });
}

/** Leaves out steps by their position. */
export function leaveOut(positions: number[]): void {
  const out = new Set(positions);
  change({ steps: (review.value?.steps ?? []).filter((_, at) => !out.has(at)) });
}

/** Takes what is there now as the base, where objects changed since an edit began. */
export function takePresentVersions(): void {
  change({ steps: (review.value?.steps ?? []).map(withoutVersion) });
}

export function giveUp(): void {
  const back = review.value?.back ?? '/';
  keep(null);
  go(back, 'replace');
}
