// The overlays of the screen: the palette with its first text, the help, a form.
import { signal } from '@preact/signals';
import type { Item } from '../kinds/items.ts';
import { kindOf } from '../kinds/registry.ts';
import type { Kind, Row } from '../kinds/shape.ts';

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
const MAX_RECENT = 8;

/** Keeps what was opened, so that the palette offers it first. */
export function remember(it: Recent): void {
  const before = recent().filter((one) => one.path !== it.path);
  localStorage.setItem(RECENT, JSON.stringify([it, ...before].slice(0, MAX_RECENT)));
}

export function recent(): Recent[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(RECENT) ?? '[]');
    return Array.isArray(kept) ? (kept as Recent[]) : [];
  } catch {
    return [];
  }
}

/** An object as it was when its edit began. */
export interface Begun {
  id: string;
  name: string;
  version: number;
  /** Its fields as a write gives them; absent if they were not kept. */
  item?: Item;
}

/** A form over objects of a kind: one is edited, several are changed alike, none is created. */
export interface Form {
  kind: Kind;
  objects: string[];
  /** Values that a new object begins with. */
  start?: Row;
  /** The text that was typed before this form was last left, and the objects as they were when it began. */
  draft?: Row;
  present?: Begun[];
}

const KEPT = 'underlay-form';
/** Of more objects, the fields as they were are not kept: they could be too much for the storage of a tab. */
const MAX_WHOLE = 100;

/** Typed text survives the page: the token may expire at any time, and the way to a new one may lead elsewhere. */
export function keepForm(it: Form | null): void {
  try {
    if (!it) return sessionStorage.removeItem(KEPT);
    const present = it.objects.length > MAX_WHOLE ? it.present?.map(({ id, name, version }) => ({ id, name, version })) : it.present;
    sessionStorage.setItem(KEPT, JSON.stringify({ ...it, kind: it.kind.name, present }));
  } catch {
    // Too large to survive, and nothing else.
    sessionStorage.removeItem(KEPT);
  }
}

/** The form that this tab had when it was left. */
export function keptForm(): Form | null {
  try {
    const it = JSON.parse(sessionStorage.getItem(KEPT) ?? 'null') as (Omit<Form, 'kind'> & { kind: string }) | null;
    const kind = it && kindOf(it.kind);
    return kind ? { ...it, kind } : null;
  } catch {
    return null;
  }
}

export const form = signal<Form | null>(keptForm());
export const openForm = (it: Form): void => { form.value = it; };
