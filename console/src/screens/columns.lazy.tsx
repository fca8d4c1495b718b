// Which columns a list shows, in which order, and how wide each is.
import { about, chosenColumns, chosenWidths, columnsOf, columnsParam, setParams, words } from '../shared.ts';
import type { Kind } from '../shared.ts';

export function Columns({ kind, params }: { kind: Kind; params: URLSearchParams }) {
  const chosen = chosenColumns(kind, params);
  const widths = chosenWidths(params);
  const set = (next: string[], changed = widths): void => setParams({ columns: next.length > 0 ? columnsParam(next, changed) : null }, 'replace');
  const others = columnsOf(kind).filter((it) => !chosen.includes(it.name));
  const move = (at: number, by: number): void => {
    const next = [...chosen];
    const [taken] = next.splice(at, 1);
    if (taken) next.splice(Math.max(0, at + by), 0, taken);
    set(next);
  };
  return (
    <div class="columns">
      <fieldset>
        <legend>Shown, in this order, with their width in pixels</legend>
        {chosen.map((it, at) => (
          <div key={it} class="column">
            <label><input type="checkbox" checked onChange={() => set(chosen.filter((one) => one !== it))} /> {words(it)}</label>
            <input
              type="number" aria-label={`Width of ${words(it)} in pixels`} min={48} max={2000} step={10} placeholder="auto" value={widths[it] ?? ''}
              onChange={(event) => set(chosen, { ...widths, [it]: Number(event.currentTarget.value) })}
            />
            <button type="button" aria-label={`Move ${words(it)} to the left`} disabled={at === 0} onClick={() => move(at, -1)}>↑</button>
            <button type="button" aria-label={`Move ${words(it)} to the right`} disabled={at === chosen.length - 1} onClick={() => move(at, 1)}>↓</button>
          </div>
        ))}
      </fieldset>
      <fieldset>
        <legend>Others</legend>
        {others.map((it) => (
          <label key={it.name} title={about(`${kind.name}.${it.name}`)}><input type="checkbox" checked={false} onChange={() => set([...chosen, it.name])} /> {words(it.name)}</label>
        ))}
      </fieldset>
      <button type="button" onClick={() => setParams({ columns: null }, 'replace')}>Back to the usual columns</button>
    </div>
  );
}
