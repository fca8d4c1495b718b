// Files that are dropped on the window, or chosen by a dialog of the browser.

/** Calls back with files that are dropped anywhere. */
export function onDrop(take: (files: File[]) => void): void {
  const holds = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;
  window.addEventListener('dragover', (event) => { if (holds(event)) event.preventDefault(); });
  window.addEventListener('drop', (event) => {
    if (!holds(event)) return;
    event.preventDefault();
    take([...(event.dataTransfer?.files ?? [])]);
  });
}

export function chooseFiles(take: (files: File[]) => void): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.multiple = true;
  input.accept = '.yaml,.yml,.json,.jsonl,.ndjson,.csv';
  input.addEventListener('change', () => take([...(input.files ?? [])]));
  input.click();
}
