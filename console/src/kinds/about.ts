// The descriptions of the schema, for titles and forms. They are loaded after the first screen, as they are many.
import { signal } from '@preact/signals';

const loaded = signal<Record<string, string>>({});

/** Loads the descriptions. Without them titles are missing, and nothing else. */
export async function loadAbout(): Promise<void> {
  loaded.value = (await import('./about.lazy.ts')).ABOUT;
}

/**
 * The description of `Rack`, `Rack.heightU`, `RackInput.heightU` or `Status.ACTIVE`. A member of an input without one of
 * its own has that of the field of its kind.
 */
export function about(key: string): string | undefined {
  return loaded.value[key] ?? loaded.value[key.replace(/^(\w+)Input\./, '$1.')];
}
