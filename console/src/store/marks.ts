// The objects that are marked, by kind. Marks live as long as the tab.
import { signal } from '@preact/signals';

export const marks = signal<ReadonlyMap<string, ReadonlySet<string>>>(new Map());

export function marksOf(kind: string): ReadonlySet<string> {
  return marks.value.get(kind) ?? new Set();
}

export function mark(kind: string, ids: Iterable<string>, on: boolean): void {
  const next = new Set(marksOf(kind));
  for (const id of ids) {
    if (on) next.add(id);
    else next.delete(id);
  }
  marks.value = new Map(marks.value).set(kind, next);
}

export function unmark(kind: string): void {
  marks.value = new Map(marks.value).set(kind, new Set());
}
