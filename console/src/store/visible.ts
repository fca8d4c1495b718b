// Work that waits until somebody looks at the tab.

const waiting = new Set<() => void>();

document.addEventListener('visibilitychange', () => {
  if (document.visibilityState !== 'visible') return;
  const all = [...waiting];
  waiting.clear();
  for (const run of all) run();
});

/** Runs now if the tab is seen, otherwise once when it is seen again. */
export function whenVisible(run: () => void): void {
  if (document.visibilityState === 'visible') run();
  else waiting.add(run);
}
