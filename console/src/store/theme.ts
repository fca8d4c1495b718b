// Light or dark: what the system says, until somebody switches.
import { effect, signal } from '@preact/signals';

const KEPT = 'underlay-theme';
const system = matchMedia('(prefers-color-scheme: dark)');

const kept = localStorage.getItem(KEPT);
const chosen = signal<'light' | 'dark' | null>(kept === 'light' || kept === 'dark' ? kept : null);
const bySystem = signal<'light' | 'dark'>(system.matches ? 'dark' : 'light');
system.addEventListener('change', () => { bySystem.value = system.matches ? 'dark' : 'light'; });

export const theme = {
  get value(): 'light' | 'dark' { return chosen.value ?? bySystem.value; },
};

export function switchTheme(): void {
  const next = theme.value === 'dark' ? 'light' : 'dark';
  chosen.value = next;
  localStorage.setItem(KEPT, next);
}

export function startTheme(): void {
  effect(() => { document.documentElement.dataset.theme = theme.value; });
}
