// Fields that somebody else changed or holds: before, theirs and yours side by side, and one takes either.
import { asRefused, Failure, idOrPath, nameById, number, review, titleOf, useEffect, useState, words } from '../shared.ts';
import type { ApplyResult, Refused } from '../shared.ts';
import { More } from '../parts/more.tsx';
import { change, choiceKey, conflictsOf, isConflict, settle, textOf } from '../store/writes.lazy.ts';
import type { Conflict, ConflictLine, Side } from '../store/writes.lazy.ts';

/** By default, a source keeps the fields that it holds, and the edits of the user count. */
const usual = (it: ConflictLine): Side => (it.holder ? 'theirs' : 'yours');

export function Conflicts({ results }: { results: ApplyResult[] }) {
  const [found, setFound] = useState<Conflict[] | null>(null);
  const [error, setError] = useState<Refused | null>(null);
  const [sides, setSides] = useState<ReadonlyMap<string, Side>>(new Map());
  const [all, setAll] = useState<Side | null>(null);
  const steps = review.value?.steps ?? [];
  const count = results.filter((it, at) => isConflict(it, steps[at])).length;
  useEffect(() => {
    setError(null);
    setFound(null);
    if (count > 0) conflictsOf(steps, results).then(setFound, (thrown: unknown) => setError(asRefused(thrown)));
  }, [results]);
  if (count === 0) return null;
  const sideOf = (it: Conflict, line: ConflictLine): Side => sides.get(choiceKey(it, line)) ?? all ?? usual(line);
  const choose = (it: Conflict, line: ConflictLine, side: Side): void => setSides(new Map(sides).set(choiceKey(it, line), side));
  const chooseAll = (side: Side): void => { setSides(new Map()); setAll(side); };
  const submit = (event: Event): void => {
    event.preventDefault();
    if (!found) return;
    const { steps: left, force } = settle(steps, found, sideOf);
    change({ steps: left, force: force || (review.value?.force ?? false) });
  };
  return (
    <form aria-label="Conflicts" onSubmit={submit} class="conflicts">
      <h2>{count === 1 ? 'Somebody else changed or holds this object' : `Somebody else changed or holds ${number(count)} objects`}</h2>
      {error && <Failure error={error} />}
      {!found && !error && <p class="waiting">Reading what is there now…</p>}
      {found && (
        <>
          <p class="remedies">
            <button type="submit" class="main">Go on with these choices</button>
            <button type="button" onClick={() => chooseAll('yours')}>Choose yours everywhere</button>
            <button type="button" onClick={() => chooseAll('theirs')}>Choose theirs everywhere</button>
          </p>
          <More of={found} each={(it) => <li key={it.index} class="refused"><One conflict={it} sideOf={sideOf} onChoose={choose} /></li>} />
        </>
      )}
    </form>
  );
}

interface OneProps {
  conflict: Conflict;
  sideOf(it: Conflict, line: ConflictLine): Side;
  onChoose(it: Conflict, line: ConflictLine, side: Side): void;
}

function One({ conflict: it, sideOf, onChoose }: OneProps) {
  const held = it.lines.some((line) => line.holder);
  return (
    <>
      <div class="object-head">
        <span class="state bad">{held ? 'Held by a source' : 'Changed meanwhile'}</span>
        <a href={idOrPath(it.kind, it.id)}><bdi>{it.name}</bdi></a> <span class="quiet">{titleOf(it.kind)}, revision {it.version}</span>
      </div>
      <table class="sides">
        <thead><tr><th scope="col">Field</th><th scope="col">Before</th><th scope="col">Theirs, there now</th><th scope="col">Yours</th></tr></thead>
        <tbody>{it.lines.map((line) => <Fields key={line.field} conflict={it} line={line} side={sideOf(it, line)} onChoose={(side) => onChoose(it, line, side)} />)}</tbody>
      </table>
      {it.others.length > 0 && <p class="quiet">Changed by others, too, and left as it is: {it.others.map((name) => words(name).toLowerCase()).join(', ')}.</p>}
    </>
  );
}

function Fields({ conflict: it, line, side, onChoose }: { conflict: Conflict; line: ConflictLine; side: Side; onChoose(side: Side): void }) {
  const text = (value: unknown) => {
    const shown = textOf(it.kind, line.field, value, nameById);
    return shown ? <bdi>{shown}</bdi> : <span class="quiet">not set</span>;
  };
  const [first = '', ...key] = line.field.split('.');
  const name = `${words(first)} ${key.join('.')}`.trim();
  const choice = (own: Side, value: unknown) => (
    <label class="check">
      <input type="radio" name={choiceKey(it, line)} checked={side === own} onChange={() => onChoose(own)} />
      <span><span class="hidden">{own === 'yours' ? 'Yours' : 'Theirs'} for {name} of {it.name}: </span>{text(value)}</span>
    </label>
  );
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{line.before === undefined && line.holder ? <span class="quiet">–</span> : text(line.before)}</td>
      <td>
        {line.open ? choice('theirs', line.theirs) : text(line.theirs)}
        {line.holder && <div class="quiet">held by {line.holder.type === 'SOURCE' ? 'source' : 'controller'} <bdi>{line.holder.manager}</bdi> since revision {line.holder.since}; yours takes it over</div>}
      </td>
      <td>{line.open ? choice('yours', line.yours) : text(line.yours)}</td>
    </tr>
  );
}
