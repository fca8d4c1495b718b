// Picks an object by searching for it: a combobox after the ARIA pattern.
import { ask, nameById, nameSelection, titleOf, useEffect, useRef, useState } from '../shared.ts';
import type { Row } from '../shared.ts';
import { refText } from '../store/writes.lazy.ts';

export interface PickerProps {
  id: string;
  /** The kinds to search, and for unions the member that holds a reference to each. */
  targets: Array<{ kind: string; member: string | null }>;
  list: boolean;
  value: Row | Row[] | null | undefined;
  placeholder: string;
  onChange(value: Row | Row[] | undefined): void;
}

interface Hit {
  kind: string;
  path: string;
  node: Row;
}

const WAIT_MS = 100;
const paths = new Map<string, string>();

/** The words for a reference: its names, or what was picked for its id. */
function textOf(value: Row): string {
  const inner = Object.values(value)[0];
  const id = typeof value.id === 'string' ? value.id : (inner as Row | null)?.id;
  const picked = typeof id === 'string' ? paths.get(id) ?? nameById(id) : undefined;
  return picked ?? refText(value) ?? (typeof id === 'string' ? '…' : JSON.stringify(value));
}

export function RefPicker({ id, targets, list, value, placeholder, onChange }: PickerProps) {
  const [text, setText] = useState<string | null>(null);
  const [hits, setHits] = useState<Hit[]>([]);
  const [at, setAt] = useState(0);
  const box = useRef<HTMLDivElement>(null);
  const chosen = Array.isArray(value) ? value : value ? [value] : [];
  const kinds = targets.map((it) => it.kind);

  useEffect(() => {
    if (!text?.trim()) { setHits([]); return undefined; }
    const abort = new AbortController();
    const document = `query Pick($text: String!, $kinds: [String!]) { search(text: $text, kinds: $kinds, first: 12) { kind path node { ${kinds.map((it) => `... on ${it} { ${nameSelection(it)} }`).join(' ')} } } }`;
    const timer = setTimeout(() => {
      ask<{ search: Hit[] }>(document, { text: text.trim(), kinds }, abort.signal).then((it) => { setHits(it.data.search); setAt(0); }, () => setHits([]));
    }, WAIT_MS);
    return () => { clearTimeout(timer); abort.abort(); };
  }, [text]);

  const pick = (hit: Hit | undefined): void => {
    if (!hit) return;
    paths.set(String(hit.node.id), hit.path.slice(hit.path.indexOf('/') + 1).replaceAll('/', ' / '));
    const member = targets.find((it) => it.kind === hit.kind)?.member;
    const made: Row = member ? { [member]: { id: hit.node.id } } : { id: hit.node.id };
    onChange(list ? [...chosen, made] : made);
    setText(null);
  };
  const keys = (event: KeyboardEvent): void => {
    if (hits.length === 0 || text === null) return;
    if (event.key === 'ArrowDown') { event.preventDefault(); setAt(Math.min(hits.length - 1, at + 1)); }
    if (event.key === 'ArrowUp') { event.preventDefault(); setAt(Math.max(0, at - 1)); }
    if (event.key === 'Enter') { event.preventDefault(); pick(hits[at]); }
    if (event.key === 'Escape') { event.preventDefault(); event.stopPropagation(); setText(null); }
  };
  const single = !list && chosen[0] ? textOf(chosen[0]) : '';
  const open = text !== null && hits.length > 0;
  return (
    <div class="picker" ref={box}>
      {list && chosen.map((it, index) => (
        <span class="chip" key={textOf(it)}><bdi>{textOf(it)}</bdi><button type="button" aria-label={`Remove ${textOf(it)}`} onClick={() => onChange(chosen.filter((_, one) => one !== index))}>✕</button></span>
      ))}
      <input
        id={id} role="combobox" aria-expanded={open} aria-controls={`${id}-list`} aria-autocomplete="list" aria-activedescendant={open ? `${id}-${at}` : undefined}
        autocomplete="off" spellcheck={false} value={text ?? single} placeholder={placeholder} onKeyDown={keys}
        onInput={(event) => setText(event.currentTarget.value)} onBlur={() => setText(null)}
      />
      <ul id={`${id}-list`} role="listbox" aria-label="Found objects" hidden={!open}>
        {hits.map((it, index) => (
          <li key={String(it.node.id)} id={`${id}-${index}`} role="option" aria-selected={index === at} onMouseDown={(event) => { event.preventDefault(); pick(it); }}>
            <bdi>{it.path.slice(it.path.indexOf('/') + 1)}</bdi> {kinds.length > 1 && <span class="quiet">{titleOf(it.kind)}</span>}
          </li>
        ))}
      </ul>
    </div>
  );
}
