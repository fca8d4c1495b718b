// The review that waits to be written. It survives a reload of the tab, and the frame shows it on every screen.
import { signal } from '@preact/signals';
import type { WriteStep } from '../kinds/items.ts';

const KEPT = 'underlay-review';

export interface Review {
  title: string;
  steps: WriteStep[];
  /** The address to go to when it is written or given up. */
  back: string;
  /** Makes a repeated write one write. */
  requestId: string;
  /** True if fields that sources hold are taken over. */
  force: boolean;
  /** The number of steps that were left out since it was proposed. */
  without?: number;
  /** True while moves are gathered: the next one is added to it. */
  gathers?: boolean;
  /**
   * The versions of the steps' objects in the request that was sent and has no answer yet. Until there is one, only the
   * same request can be sent again, as the server may have written it.
   */
  sent?: Array<number | null>;
}

export const review = signal<Review | null>(kept());

function kept(): Review | null {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT) ?? 'null') as Review | null;
  } catch {
    return null;
  }
}

export function keep(it: Review | null): void {
  review.value = it;
  try {
    if (it) sessionStorage.setItem(KEPT, JSON.stringify(it));
    else sessionStorage.removeItem(KEPT);
  } catch {
    // Too large to survive a reload, and nothing else. What an earlier review left there is not this one.
    sessionStorage.removeItem(KEPT);
  }
}

// A closed tab forgets its reviews. That is no loss, unless it is unknown whether one was written.
window.addEventListener('beforeunload', (event) => { if (review.value?.sent) event.preventDefault(); });
