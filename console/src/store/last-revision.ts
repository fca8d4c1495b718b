// The revision that this browser saw last: home shows what changed since then.
import { revision } from '../server/ask.ts';

const KEPT = 'underlay-last-revision';

/** Keeps the revision that was seen when the page is left. */
export function keepLastRevision(): void {
  window.addEventListener('pagehide', () => { if (revision.value > 0) localStorage.setItem(KEPT, String(revision.value)); });
}

/** The revision that was seen when the page was left the last time; 0 if there is none. */
export const lastRevision = (): number => Number(localStorage.getItem(KEPT)) || 0;
