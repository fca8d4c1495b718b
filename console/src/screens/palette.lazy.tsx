// The palette: search over all objects, and every command that works now. `>` asks for commands alone, `:` for kinds,
// `#` for labels.
import {
  ask, asRefused, available, currentRoute, Dialog, enumWords, go, keyWords, kinds, listPath, nameSelection, openForm, paletteText, pathOf, pluralOf, recent, titleOf,
  useEffect, useRef, useState, viewer,
} from '../shared.ts';
import type { Row } from '../shared.ts';
import { partPath } from './part-path.ts';

interface Entry {
  id: string;
  title: string;
  detail: string;
  keys?: string[];
  run(): void;
}

interface Hit {
  kind: string;
  path: string;
  field: string;
  text: string;
  node: Row;
}

const PARTS = 'part(serial: $text) { kind manufacturer model serial host { name } }';
interface Part { kind: string; manufacturer: string | null; model: string | null; serial: string; host: { name: string } | null }

/** Parts are found by their whole serial number. To a token of a tenant they are refused, and the search with them. */
const searchDocument = (withParts: boolean): string => `query Search($text: String!) { ${withParts ? PARTS : ''} search(text: $text, first: 30) {
  kind path field text node { ${kinds().map((it) => `... on ${it.name} { ${nameSelection(it.name)} }`).join(' ')} }
} }`;
const WAIT_MS = 40;
function fits(text: string, title: string): boolean {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return words.every((it) => title.toLowerCase().includes(it));
}

function commands(text: string): Entry[] {
  return available.value.filter((it) => !it.hidden && fits(text, it.title))
    .map((it) => ({ id: it.id, title: it.title, detail: it.group, keys: it.keys, run: it.run }));
}

/** Every kind that can be created, from anywhere. */
function creations(text: string): Entry[] {
  return kinds().filter((it) => it.create && it.apply && fits(text, `create ${titleOf(it.name)}`))
    .map((it) => ({ id: `create ${it.name}`, title: `Create a ${titleOf(it.name).toLowerCase()}`, detail: 'Everywhere', run: () => openForm({ kind: it, objects: [] }) }));
}

function kindEntries(text: string): Entry[] {
  return kinds().filter((it) => fits(text, `${pluralOf(it.name)} ${it.list}`))
    .map((it) => ({ id: `:${it.name}`, title: pluralOf(it.name), detail: 'List', run: () => go(listPath(it)) }));
}

function hitEntry(hit: Hit): Entry {
  const where = hit.path.slice(hit.path.indexOf('/') + 1);
  const detail = hit.field === 'name' ? where : `${where} · ${hit.field} ${hit.text}`;
  return { id: String(hit.node.id), title: String(hit.node.name), detail: `${titleOf(hit.kind)} · ${detail}`, run: () => go(pathOf(hit.kind, hit.node)) };
}

/** Parts that share a number share a page. */
function partEntries(parts: Part[]): Entry[] {
  return parts.slice(0, 1).map((it) => {
    const detail = [enumWords(it.kind), it.manufacturer, it.model].filter(Boolean).join(' ');
    return { id: `part ${it.serial}`, title: it.serial, detail: `Part · ${detail}${it.host ? ` · in ${it.host.name}` : ''}`, run: () => go(partPath(it.serial)) };
  });
}

export function Palette() {
  return paletteText.value === null ? null : <Open initial={paletteText.value} />;
}

function Open({ initial }: { initial: string }) {
  const [text, setText] = useState(initial);
  const [at, setAt] = useState(0);
  const [hits, setHits] = useState<Entry[]>([]);
  const [note, setNote] = useState('');
  const list = useRef<HTMLUListElement>(null);
  const mode = /^[>:#]/.exec(text)?.[0] ?? '';
  const rest = text.slice(mode.length).trim();

  useEffect(() => {
    if (mode || !rest) { setHits([]); setNote(''); return undefined; }
    const abort = new AbortController();
    const timer = setTimeout(() => {
      ask<{ search: Hit[]; part?: Part[] | null }>(searchDocument(viewer.value !== null && !viewer.value.tenant), { text: rest }, abort.signal).then(
        ({ data }) => {
          const found = [...partEntries(data.part ?? []), ...data.search.map(hitEntry)];
          setHits(found);
          setNote(`${found.length} found`);
        },
        (error) => { if (!abort.signal.aborted) setNote(asRefused(error).message); },
      );
    }, WAIT_MS);
    return () => { clearTimeout(timer); abort.abort(); };
  }, [mode, rest]);

  const entries = entriesOf(mode, rest, hits);
  const active = Math.min(at, entries.length - 1);
  useEffect(() => list.current?.children[active]?.scrollIntoView({ block: 'nearest' }), [active, entries.length]);
  const close = (): void => { paletteText.value = null; };
  const run = (entry: Entry | undefined): void => { if (entry) { close(); entry.run(); } };
  const keys = (event: KeyboardEvent): void => {
    const moves: Record<string, number> = { ArrowDown: active + 1, ArrowUp: active - 1, PageDown: active + 8, PageUp: active - 8 };
    const to = moves[event.key];
    if (to !== undefined) { event.preventDefault(); setAt(Math.max(0, Math.min(entries.length - 1, to))); }
    if (event.key === 'Enter') { event.preventDefault(); run(entries[active]); }
  };
  return (
    <Dialog title="Search and commands" class="palette" onClose={close}>
      <input
        role="combobox" aria-expanded={entries.length > 0} aria-controls="palette-list" aria-autocomplete="list" aria-activedescendant={entries.length > 0 ? `palette-${active}` : undefined}
        aria-label="Search, or type > for commands, : for kinds, # for labels" placeholder="Search, or > commands, : kinds, # labels"
        value={text} autocomplete="off" spellcheck={false} onKeyDown={keys} onInput={(event) => { setText(event.currentTarget.value); setAt(0); }}
      />
      <ul id="palette-list" role="listbox" aria-label="Results" ref={list}>
        {entries.map((it, index) => (
          <li key={it.id} id={`palette-${index}`} role="option" aria-selected={index === active} onClick={() => run(it)} onMouseMove={() => setAt(index)}>
            <bdi>{it.title}</bdi><span class="detail">{it.detail}</span>{it.keys?.map((key) => <kbd key={key}>{keyWords(key)}</kbd>)}
          </li>
        ))}
      </ul>
      <p class="quiet" role="status">{entries.length === 0 && rest ? (note || 'Searching…') : note}</p>
    </Dialog>
  );
}

function entriesOf(mode: string, rest: string, hits: Entry[]): Entry[] {
  if (mode === '>') return [...commands(rest), ...creations(rest)];
  if (mode === ':') return kindEntries(rest);
  if (mode === '#') {
    const kind = currentRoute.value.kind;
    const lists = kind ? [kind] : kinds().filter((it) => ['Device', 'Rack', 'Site', 'Circuit'].includes(it.name));
    return rest ? lists.map((it) => ({ id: `#${it.name}`, title: `${pluralOf(it.name)} with ${rest}`, detail: 'Labels', run: () => go(`${listPath(it)}?labels=${encodeURIComponent(rest)}`) })) : [];
  }
  if (!rest) {
    const opened = recent().map((it) => ({ id: it.path, title: it.name, detail: `${titleOf(it.kind)} · opened before`, run: () => go(it.path) }));
    return [...opened, ...commands('')];
  }
  return [...hits, ...kindEntries(rest).slice(0, 4), ...commands(rest).slice(0, 6), ...creations(rest).slice(0, 3)];
}
