// Patching: two devices beside each other, ports chosen on both sides, and all cables between them reviewed as one write.
import { ask, asRefused, enumWords, number, refusal, setParams, titleOfCode, upright, url, useEffect, useState, valuesOf } from '../shared.ts';
import { propose } from '../store/writes.lazy.ts';
import { pairsOf, stepsOf } from './patch-pairs.ts';
import type { CableChoice, Pair } from './patch-pairs.ts';
import { choicesOf, PatchSide, useSide } from './patch-side.tsx';

const TRY = `mutation TryCables($input: ApplyInput!) { apply(input: $input) { results { error { code message } } } }`;
const WAIT_MS = 150;

interface Tried { apply: { results: Array<{ error: { code: string; message: string } | null }> } }

/** The server's reasons against each cable, by a dry run of all of them. */
function useReasons(steps: ReturnType<typeof stepsOf>): Array<string | null> {
  const [reasons, setReasons] = useState<Array<string | null>>([]);
  const key = JSON.stringify(steps.map((it) => it.item));
  useEffect(() => {
    setReasons([]);
    if (steps.length === 0) return undefined;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      ask<Tried>(TRY, { input: { items: steps.map((it) => it.item), dryRun: true, mode: 'PER_ITEM' } }, abort.signal).then(
        ({ data }) => setReasons(data.apply.results.map((it) => it.error && `${titleOfCode(it.error.code)}: ${upright(it.error.message)}`)),
        (error) => { if (!abort.signal.aborted) setReasons(steps.map(() => asRefused(error).message)); },
      );
    }, WAIT_MS);
    return () => { clearTimeout(timer); abort.abort(); };
  }, [key]);
  return reasons;
}

const USUAL: CableChoice = { first: '', media: '', color: '', length: '', status: '' };

export function PatchScreen() {
  const params = url.value.searchParams;
  const [a, b] = [useSide(params.get('a') ?? ''), useSide(params.get('b') ?? '')];
  const [ids, setIds] = useState<{ a: string[]; b: string[] }>({ a: [], b: [] });
  const [cable, setCable] = useState(USUAL);
  const chosen = { a: choicesOf(a, ids.a), b: choicesOf(b, ids.b) };
  const pairs = pairsOf(chosen.a, chosen.b, cable.first);
  const steps = stepsOf(pairs, cable);
  const reasons = useReasons(steps);
  const forbidden = refusal('apply');
  const refused = reasons.filter((it) => it !== null).length;
  useEffect(() => { document.title = 'Patching · Underlay'; }, []);
  const submit = (event: Event): void => {
    event.preventDefault();
    if (steps.length > 0) propose(`Connect ${a.side?.name} and ${b.side?.name} by ${number(steps.length)} ${steps.length === 1 ? 'cable' : 'cables'}`, steps);
  };
  const side = (letter: 'a' | 'b') => ({
    letter: letter.toUpperCase() as 'A' | 'B', sided: letter === 'a' ? a : b, chosen: chosen[letter].map((it) => it.id),
    onDevice: (id: string | null) => { setIds({ ...ids, [letter]: [] }); setParams({ [letter]: id }, 'replace'); },
    onChoose: (next: string[]) => setIds({ ...ids, [letter]: next }),
  });
  return (
    <section class="patch" aria-label="Patching">
      <header class="list-bar">
        <h1>Patching</h1>
        <span class="quiet">Choose ports on both sides. The first is connected to the first, the second to the second. Shift chooses all up to a port.</span>
      </header>
      <div class="patch-body">
        <div class="patch-sides"><PatchSide {...side('a')} /><PatchSide {...side('b')} /></div>
        <form class="patch-cables" onSubmit={submit} aria-label="Cables">
          <h2>Cables</h2>
          <CableFields cable={cable} onChange={(more) => setCable({ ...cable, ...more })} />
          <p role="status" class="quiet">
            {number(chosen.a.length)} chosen on side A, {number(chosen.b.length)} on side B: {number(pairs.length)} {pairs.length === 1 ? 'cable' : 'cables'}{refused > 0 && <span class="fault-words">, {number(refused)} refused</span>}
          </p>
          {forbidden && <p class="fault-words">{forbidden}</p>}
          <Pairs pairs={pairs} reasons={forbidden ? [] : reasons} />
          <div class="dialog-actions">
            <button type="submit" class="main" disabled={pairs.length === 0 || forbidden !== undefined} title={forbidden}>Review {number(pairs.length)} {pairs.length === 1 ? 'cable' : 'cables'}</button>
            <button type="button" onClick={() => setIds({ a: [], b: [] })}>Choose anew</button>
          </div>
        </form>
      </div>
    </section>
  );
}

function CableFields({ cable, onChange }: { cable: CableChoice; onChange(more: Partial<CableChoice>): void }) {
  const select = (title: string, name: 'media' | 'status', of: string, none: string) => (
    <label>{title}
      <select value={cable[name]} onChange={(event) => onChange({ [name]: event.currentTarget.value })}>
        <option value="">{none}</option>
        {valuesOf(of).map((it) => <option key={it} value={it}>{enumWords(it)}</option>)}
      </select>
    </label>
  );
  return (
    <div class="patch-fields">
      <label class="wide">Name of the first <input value={cable.first} autocomplete="off" spellcheck={false} placeholder="By its ends; or c-001, and so on" onInput={(event) => onChange({ first: event.currentTarget.value })} /></label>
      {select('Media', 'media', 'Media', 'Not set')}
      {select('Status', 'status', 'CableStatus', 'Usual')}
      <label>Colour <input value={cable.color} autocomplete="off" onInput={(event) => onChange({ color: event.currentTarget.value })} /></label>
      <label>Length in metres <input type="number" min="0" step="any" value={cable.length} onInput={(event) => onChange({ length: event.currentTarget.value })} /></label>
    </div>
  );
}

function Pairs({ pairs, reasons }: { pairs: readonly Pair[]; reasons: ReadonlyArray<string | null> }) {
  if (pairs.length === 0) return null;
  return (
    <table class="units">
      <caption class="hidden">The cables in order</caption>
      <thead><tr><th scope="col">#</th><th scope="col">A</th><th scope="col">B</th><th scope="col">Name</th></tr></thead>
      <tbody>
        {pairs.map((it, at) => (
          <tr key={it.a.id}>
            <td>{number(at + 1)}</td><td><bdi>{it.a.name}</bdi></td><td><bdi>{it.b.name}</bdi></td>
            <td><bdi>{it.name}</bdi>{reasons[at] && <div class="fault-words">✕ {reasons[at]}</div>}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
