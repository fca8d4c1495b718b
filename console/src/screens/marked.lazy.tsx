// The actions on the marked objects of a list.
import { useEffect, useState } from 'preact/hooks';
import { number } from '../kinds/format.ts';
import { pluralOf } from '../kinds/registry.ts';
import { useCommands } from '../keys.ts';
import { Act } from '../parts/act.tsx';
import { say } from '../parts/toast.tsx';
import { asRefused } from '../server/refused.ts';
import { mark, marksOf, unmark } from '../store/marks.ts';
import { refusal } from '../store/viewer.ts';
import { openForm } from '../store/overlays.ts';
import type { Source } from '../store/rows.ts';
import { MAX_STEPS } from '../store/bounds.ts';
import { allRows, deletion, propose } from '../store/writes.lazy.ts';

/** `asked`: each time that it grows, all that fit are marked. */
export function Marked({ source, total, asked }: { source: Source; total: number | null; asked: number }) {
  const { kind } = source;
  const marked = [...marksOf(kind.name)];
  const [busy, setBusy] = useState(false);
  const title = pluralOf(kind.name).toLowerCase();
  const tooMany = marked.length > MAX_STEPS;
  const refused = refusal('apply') ?? (tooMany ? `At most ${number(MAX_STEPS)} objects are written at once.` : undefined);
  const all = async (): Promise<void> => {
    setBusy(true);
    try {
      for await (const rows of allRows(source, 'id')) mark(kind.name, rows.map((it) => String(it.id)), true);
    } catch (error) {
      say(asRefused(error).message);
    }
    setBusy(false);
  };
  const edit = (): void => openForm({ kind, objects: marked });
  const remove = (): void => { propose(`Delete ${number(marked.length)} ${title}`, marked.map((it) => deletion(kind.name, it, '', false))); };
  const some = marked.length > 0;
  useEffect(() => { if (asked > 0) void all(); }, [asked]);
  useCommands(some && kind.remove && !refused ? { delete: remove } : {});
  if (!some) return null;
  return (
    <div class="marked-bar" role="group" aria-label="Marked">
      <b role="status">{number(marked.length)} marked</b>
      {total !== null && total > marked.length && <button type="button" disabled={busy} onClick={() => void all()}>{busy ? 'Marking…' : `Mark all ${number(total)} that fit`}</button>}
      {kind.change && kind.apply && <Act refusal={refused} onClick={edit}>Edit {number(marked.length)}</Act>}
      {kind.remove && <Act refusal={refused} onClick={remove}>Delete {number(marked.length)}…</Act>}
      <button type="button" onClick={() => unmark(kind.name)}>Remove the marks</button>
    </div>
  );
}
