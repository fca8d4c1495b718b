// The caller as the server knows it, and its permissions.
import { signal } from '@preact/signals';
import { VIEWER } from '../kinds/documents.ts';
import { HAS } from '../kinds/registry.ts';
import { ask } from '../server/ask.ts';

export interface Viewer {
  actor: string;
  roles: string[];
  tenant: string | null;
  source: string | null;
  expires: string | null;
  may: Array<{ field: string; allowed: boolean; needs: string[] }>;
}

export const viewer = signal<Viewer | null>(null);

/** Reads it, where the API has it. Until then everything is offered, and the server refuses what is not allowed. */
export async function loadViewer(): Promise<void> {
  if (HAS.viewer) viewer.value = (await ask<{ viewer: Viewer | null }>(VIEWER)).data.viewer;
}

/** The reason why the caller may not use a mutation, or undefined if it may. */
export function refusal(mutation: string): string | undefined {
  const right = viewer.value?.may.find((it) => it.field === `Mutation.${mutation}`);
  if (!right || right.allowed) return undefined;
  const roles = new Intl.ListFormat('en', { type: 'disjunction' }).format(right.needs);
  return viewer.value?.tenant ? 'Tokens of a tenant only read.' : `This needs the role ${roles}.`;
}
