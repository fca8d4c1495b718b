// What stands over the screen: the palette with its first text, the help, a form.
import { signal } from '@preact/signals';
import type { Kind } from '../kinds/shape.ts';

export const paletteText = signal<string | null>(null);
export const openPalette = (text = ''): void => { paletteText.value = text; };
export const helpShown = signal(false);
export const openHelp = (): void => { helpShown.value = true; };

export interface Recent {
  path: string;
  name: string;
  kind: string;
}

const RECENT = 'underlay-recent';
const MOST_RECENT = 8;

/** Keeps what was opened, so that the palette offers it first. */
export function remember(it: Recent): void {
  const before = recent().filter((one) => one.path !== it.path);
  localStorage.setItem(RECENT, JSON.stringify([it, ...before].slice(0, MOST_RECENT)));
}

export function recent(): Recent[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(RECENT) ?? '[]');
    return Array.isArray(kept) ? (kept as Recent[]) : [];
  } catch {
    return [];
  }
}

/** A form over objects of a kind: one is edited, several are changed alike, none is created. */
export interface Form {
  kind: Kind;
  objects: string[];
  /** Values that a new object begins with. */
  start?: Record<string, unknown>;
}

export const form = signal<Form | null>(null);
export const openForm = (it: Form): void => { form.value = it; };
