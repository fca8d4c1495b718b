// The one table of keys: it makes the keys work, fills the palette, and is what `?` shows. Screens say what a command
// does while they are on the page; a command that nobody provides is not there.
import { computed, signal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { kindOf, pluralOf } from './kinds/registry.ts';
import { go, LIST_KEYS, listPath, ROUTES } from './routes.ts';

export interface Command {
  id: string;
  title: string;
  group: 'Everywhere' | 'Lists' | 'Objects' | 'Go to';
  /** Keys such as `j`, `Mod+k` (⌘ or Ctrl) or `g d`. */
  keys: string[];
  /** True if it makes no sense in the palette. */
  hidden?: boolean;
}

export const COMMANDS: Command[] = [
  { id: 'palette', title: 'Search and commands', group: 'Everywhere', keys: ['Mod+k', '/'], hidden: true },
  { id: 'help', title: 'Keys of this page', group: 'Everywhere', keys: ['?'] },
  { id: 'out', title: 'Close what is open beside', group: 'Everywhere', keys: ['Escape'], hidden: true },
  { id: 'theme', title: 'Switch between light and dark', group: 'Everywhere', keys: [] },
  { id: 'files', title: 'Review manifests and tables from files…', group: 'Everywhere', keys: [] },
  { id: 'place', title: 'Narrow everything to a place', group: 'Everywhere', keys: ['w'] },
  { id: 'copy-link', title: 'Copy a link to this view', group: 'Everywhere', keys: ['y'] },
  { id: 'up', title: 'Go up to what contains this', group: 'Objects', keys: ['u'] },
  { id: 'edit', title: 'Edit', group: 'Objects', keys: ['e'] },
  { id: 'delete', title: 'Delete…', group: 'Objects', keys: [] },
  { id: 'trace', title: 'Trace', group: 'Objects', keys: ['t'] },
  { id: 'impact', title: 'Add to the impact basket', group: 'Objects', keys: ['i'] },
  { id: 'power', title: 'Show the power chain', group: 'Objects', keys: [] },
  { id: 'hardware', title: 'Show the hardware', group: 'Objects', keys: [] },
  { id: 'patch', title: 'Patch its ports', group: 'Objects', keys: [] },
  { id: 'elevation', title: 'Show the elevation', group: 'Objects', keys: ['v'] },
  { id: 'move', title: 'Move to…', group: 'Objects', keys: ['m'] },
  { id: 'review', title: 'Review the moves', group: 'Objects', keys: ['r'] },
  { id: 'back-one', title: 'Previous of the list', group: 'Objects', keys: ['['] },
  { id: 'on-one', title: 'Next of the list', group: 'Objects', keys: [']'] },
  { id: 'actions', title: 'Commands that work here', group: 'Everywhere', keys: ['.'], hidden: true },
  { id: 'run', title: 'Run the operation, or stop it', group: 'Objects', keys: ['Mod+enter'] },
  { id: 'next', title: 'Next row', group: 'Lists', keys: ['j'], hidden: true },
  { id: 'previous', title: 'Previous row', group: 'Lists', keys: ['k'], hidden: true },
  { id: 'mark', title: 'Mark the row', group: 'Lists', keys: ['x'], hidden: true },
  { id: 'mark-all', title: 'Mark all that fit', group: 'Lists', keys: ['Shift+X'] },
  { id: 'unmark', title: 'Remove all marks', group: 'Lists', keys: [] },
  { id: 'open', title: 'Open the row', group: 'Lists', keys: ['Enter'], hidden: true },
  { id: 'preview', title: 'Preview the row', group: 'Lists', keys: ['o'], hidden: true },
  { id: 'filter', title: 'Add a filter', group: 'Lists', keys: ['f'] },
  { id: 'group', title: 'Group by fields, with counts', group: 'Lists', keys: ['b'] },
  { id: 'columns', title: 'Choose columns', group: 'Lists', keys: ['c'] },
  { id: 'create', title: 'Create an object', group: 'Lists', keys: ['n'] },
  { id: 'export', title: 'Export or copy this list', group: 'Lists', keys: [] },
  ...ROUTES.filter((it) => it.key).map((it) => ({ id: `go ${it.path}`, title: it.title, group: 'Go to' as const, keys: [`g ${it.key}`] })),
  ...Object.entries(LIST_KEYS).flatMap(([key, kind]) => (kindOf(kind)
    ? [{ id: `go-list ${kind}`, title: pluralOf(kind), group: 'Go to' as const, keys: [`g ${key}`] }] : [])),
];

type Runs = Record<string, () => void>;
const provided = signal<Runs[]>([]);
export const keysOn = signal(localStorage.getItem('underlay-keys') !== 'off');

export function switchKeys(on: boolean): void {
  keysOn.value = on;
  localStorage.setItem('underlay-keys', on ? 'on' : 'off');
}

const goes: Runs = Object.fromEntries([
  ...ROUTES.filter((it) => it.key).map((it) => [`go ${it.path}`, () => go(it.path)] as const),
  ...Object.values(LIST_KEYS).flatMap((kind) => {
    const found = kindOf(kind);
    return found ? [[`go-list ${kind}`, () => go(listPath(found))] as const] : [];
  }),
]);

function runOf(id: string): (() => void) | undefined {
  return provided.value.findLast((it) => id in it)?.[id] ?? goes[id];
}

/** The commands that work now. */
export const available = computed(() => COMMANDS.flatMap((it) => {
  const run = runOf(it.id);
  return run ? [{ ...it, run }] : [];
}));

/** Provides commands for as long as the component is on the page. No key comes too early: what is seen can be used. */
export function useCommands(runs: Runs): void {
  const latest = useRef(runs);
  latest.current = runs;
  const ids = Object.keys(runs).join(' ');
  useLayoutEffect(() => {
    const stable = Object.fromEntries(ids.split(' ').filter(Boolean).map((id) => [id, () => latest.current[id]?.()]));
    provided.value = [...provided.value, stable];
    return () => { provided.value = provided.value.filter((it) => it !== stable); };
  }, [ids]);
}

const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

/** A key for people: `⌘K`, `Ctrl K`, `g d`. */
export function keyWords(key: string): string {
  const modified = key.replace(/^Mod\+(.)(.*)$/, (_, first: string, rest: string) => (isMac ? '⌘' : 'Ctrl ') + first.toUpperCase() + rest);
  return modified.replace('Shift+', isMac ? '⇧' : 'Shift ');
}

function spell(event: KeyboardEvent): string {
  if (event.ctrlKey || event.metaKey) return `Mod+${event.key.toLowerCase()}`;
  if (event.shiftKey && /^[A-Z]$/.test(event.key)) return `Shift+${event.key}`;
  return event.key;
}

const inField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable], [role=listbox]') !== null;
/** Enter and Space belong to what has the focus, if it does something with them. */
const inControl = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('a, button, summary, [role=tab], [role=menuitem]') !== null;

const SEQUENCE_MS = 1_500;
let begun = '';
let forget: ReturnType<typeof setTimeout> | undefined;

function pressed(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.altKey || event.isComposing) return;
  const key = spell(event);
  const modified = key.startsWith('Mod+');
  if (!modified && (!keysOn.value || inField(event.target) || document.querySelector('dialog[open], :popover-open'))) return;
  if (key === 'Enter' && inControl(event.target)) return;
  const whole = begun ? `${begun} ${key}` : key;
  clearTimeout(forget);
  begun = '';
  const found = available.value.find((it) => it.keys.includes(whole));
  if (found) {
    event.preventDefault();
    found.run();
  } else if (COMMANDS.some((it) => it.keys.some((one) => one.startsWith(`${whole} `)))) {
    begun = whole;
    forget = setTimeout(() => { begun = ''; }, SEQUENCE_MS);
  }
}

export function startKeys(): void {
  document.addEventListener('keydown', pressed);
}
