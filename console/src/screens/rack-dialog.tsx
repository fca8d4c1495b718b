// "Move to…": a rack, a unit and a face by form, with the server's verdict on what is chosen.
import { Dialog, Failure, go, useEffect, useQuery, useState } from '../shared.ts';
import { freeRuns, unitWords } from '../draw/units.ts';
import type { Face } from '../draw/units.ts';
import type { Verdict } from '../draw/rack.tsx';
import type { Device, Rack } from './rack-data.ts';
import { gatherStep, positionWords, stepTo, verdictOf } from './rack-move.ts';
import type { RackPosition } from './rack-move.ts';
import { fromPlace } from './rack-place.ts';

const OTHERS = `query Racks($site: ID!) { racks(first: 1000, orderBy: {by: NAME}, filter: {site: {id: {eq: $site}}}) { nodes { id name heightU } } }`;
const WAIT_MS = 120;

type Choice = RackPosition['rack'];

export interface MoveDialogProps {
  device: Device;
  racks: readonly Rack[];
  onClose(): void;
}

export function MoveDialog({ device, racks, onClose }: MoveDialogProps) {
  const home = racks.find((it) => it.devices.some((one) => one.id === device.id)) ?? racks[0];
  const query = useQuery<{ racks: { nodes: Choice[] } }>(OTHERS, { site: home?.site.id ?? '' }, ['Rack']);
  const there = query.data.value?.racks.nodes ?? [];
  const all: Choice[] = [...racks.filter((it) => !there.some((one) => one.id === it.id)), ...there];
  const begin = home && fromPlace(device, home);
  const [position, setPosition] = useState<RackPosition | null>(begin ?? (home ? { rack: home, start: 1, height: device.height, face: device.face, fullDepth: device.fullDepth } : null));
  const [answer, setAnswer] = useState<{ verdict: Verdict; why: string }>({ verdict: 'asking', why: '' });
  const key = position && JSON.stringify(stepTo(device, position).item);
  useEffect(() => {
    if (!position) return undefined;
    if (Number.isNaN(position.start + position.height)) {
      setAnswer({ verdict: 'bad', why: 'a number is missing' });
      return undefined;
    }
    const abort = new AbortController();
    setAnswer({ verdict: 'asking', why: 'asking the server' });
    const timer = setTimeout(() => {
      void verdictOf(stepTo(device, position), abort.signal).then((it) => { if (!abort.signal.aborted) setAnswer(it); });
    }, WAIT_MS);
    return () => { clearTimeout(timer); abort.abort(); };
  }, [key]);
  if (!position) return null;
  const change = (more: Partial<RackPosition>): void => setPosition({ ...position, ...more });
  const submit = (event: Event): void => {
    event.preventDefault();
    if (answer.verdict !== 'good') return;
    onClose();
    void gatherStep(device, position).then((done) => { if (done) go('/review'); });
  };
  const drawn = racks.find((it) => it.id === position.rack.id);
  const runs = drawn ? freeRuns(drawn.heightU, drawn.devices.filter((it) => it.id !== device.id), position.face) : [];
  return (
    <Dialog title={`Move ${device.name}`} class="move-dialog" onClose={onClose}>
      <form onSubmit={submit}>
        <h2>Move <bdi>{device.name}</bdi></h2>
        {query.error.value && <Failure error={query.error.value} />}
        <label>Rack
          <select value={position.rack.id} onChange={(event) => { const rack = all.find((it) => it.id === event.currentTarget.value); if (rack) change({ rack }); }}>
            {all.map((it) => <option key={it.id} value={it.id}>{it.name}</option>)}
          </select>
        </label>
        <div class="move-fields">
          <label>Lowest unit <input type="number" step="0.5" min="1" max={position.rack.heightU} required value={Number.isNaN(position.start) ? '' : position.start} onInput={(event) => change({ start: event.currentTarget.valueAsNumber })} /></label>
          <label>Height in units <input type="number" step="0.5" min="0.5" max={position.rack.heightU} required value={Number.isNaN(position.height) ? '' : position.height} onInput={(event) => change({ height: event.currentTarget.valueAsNumber })} /></label>
          <label>Face
            <select value={position.face} onChange={(event) => change({ face: event.currentTarget.value as Face })}><option value="FRONT">Front</option><option value="REAR">Rear</option></select>
          </label>
        </div>
        <label class="check"><input type="checkbox" checked={position.fullDepth} onChange={(event) => change({ fullDepth: event.currentTarget.checked })} /> Full depth: it takes its units on both faces</label>
        {runs.length > 0 && <p class="quiet">Free on this face: {runs.map((it) => unitWords(it.start, it.height)).join(', ')}</p>}
        <p class={`move-why ${answer.verdict}`} role="status">{answer.verdict === 'good' ? '✓' : answer.verdict === 'bad' ? '✕' : '…'} {!Number.isNaN(position.start + position.height) && `${positionWords(position)}: `}{answer.why}</p>
        <div class="dialog-actions">
          <button type="submit" class="main" disabled={answer.verdict !== 'good'}>Review the move</button>
          <button type="button" onClick={onClose}>Cancel</button>
        </div>
      </form>
    </Dialog>
  );
}
