// The changes of a review: by object, before and after. Objects that change alike stand together.
import { enumWords, idOrPath, number, titleOf, useMemo, useState } from '../shared.ts';
import type { ItemChange } from '../shared.ts';
import { Lines, linesOf } from '../store/writes.lazy.ts';

/** The number of objects that are shown at first, and are added at each step. */
const SHOWN = 100;
/** Groups up to this number are unfolded. */
const OPEN = 20;

function grouped(changes: ItemChange[]): ItemChange[][] {
  const groups = new Map<string, ItemChange[]>();
  for (const it of changes) {
    const key = `${it.operation} ${it.kind} ${it.operation === 'UPDATED' ? JSON.stringify(it.after) : ''}`;
    const found = groups.get(key);
    if (found) found.push(it);
    else groups.set(key, [it]);
  }
  return [...groups.values()];
}

export function Changes({ changes }: { changes: ItemChange[] }) {
  const [most, setMost] = useState(SHOWN);
  const groups = useMemo(() => grouped(changes), [changes]);
  return (
    <ul class="objects">
      {groups.slice(0, most).map((it) => {
        const [first] = it;
        return first && <li key={`${first.operation} ${first.id}`}>{it.length === 1 ? <Single change={first} /> : <Many changes={it} />}</li>;
      })}
      {groups.length > most && <li><button type="button" onClick={() => setMost(most + SHOWN)}>Show {number(Math.min(SHOWN, groups.length - most))} more of {number(groups.length)}</button></li>}
    </ul>
  );
}

const TONES = { CREATED: 'good', UPDATED: 'plan', DELETED: 'bad' };

function Single({ change: it }: { change: ItemChange }) {
  return (
    <>
      <div class="object-head">
        <span class={`state ${TONES[it.operation]}`}>{enumWords(it.operation)}</span>
        {it.operation === 'CREATED' ? <b><bdi>{it.path}</bdi></b> : <a href={idOrPath(it.kind, it.id)}><bdi>{it.path}</bdi></a>}
      </div>
      {it.operation !== 'DELETED' && <Lines kind={it.kind} lines={linesOf(it.before as never, it.after as never)} created={it.operation === 'CREATED'} />}
    </>
  );
}

function Many({ changes }: { changes: ItemChange[] }) {
  const [first] = changes;
  const [open, setOpen] = useState(changes.length <= OPEN);
  const [most, setMost] = useState(SHOWN);
  if (!first) return null;
  return (
    <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary class="object-head">
        <span class={`state ${TONES[first.operation]}`}>{enumWords(first.operation)}</span>
        <b>{number(changes.length)} × {titleOf(first.kind)}</b>
        {first.operation === 'UPDATED' && <Lines kind={first.kind} lines={linesOf({}, first.after as never)} />}
      </summary>
      {open && (
        <ul class="objects">
          {changes.slice(0, most).map((it) => <li key={it.id}><Single change={it} /></li>)}
          {changes.length > most && <li><button type="button" onClick={() => setMost(most + SHOWN)}>Show {number(Math.min(SHOWN, changes.length - most))} more of {number(changes.length)}</button></li>}
        </ul>
      )}
    </details>
  );
}
