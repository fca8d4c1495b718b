// One side of a patching: the device and its ports as a grid of buttons that are chosen in order.
import { enumWords, Failure, isolated, joined, pathOf, Refused, useQuery, useRef } from '../shared.ts';
import { unitWords } from '../draw/units.ts';
import { ranged, toggled } from './patch-pairs.ts';
import type { PortChoice } from './patch-pairs.ts';
import { RefPicker } from './ref-picker.tsx';

const DOCUMENT = `query PatchSide($id: ID!) { node(id: $id) { ... on Device {
  id name site { id name } placement { rack { id name } startUnit unitHeight }
  ports(first: 1000, filter: {not: {type: {in: [VIRTUAL, LAG, WIRELESS]}}}) { nodes { id name type enabled markConnected cable { name } } }
} } }`;

export interface PatchPort {
  id: string;
  name: string;
  type: string;
  enabled: boolean;
  markConnected: boolean;
  cable: { name: string } | null;
}

interface Side {
  id: string;
  name: string;
  site: { id: string; name: string };
  placement: { rack: { name: string }; startUnit: number | null; unitHeight: number | null } | null;
  ports: { nodes: PatchPort[] };
}

export interface Sided {
  side: Side | null;
  ports: PatchPort[];
  failure: preact.ComponentChildren;
}

const compare = new Intl.Collator(undefined, { numeric: true }).compare;

/** Reads a device with its ports, in the order of their names within each type. */
export function useSide(id: string): Sided {
  const query = useQuery<{ node: Side | null }>(DOCUMENT, { id }, id ? ['Port', 'Cable', 'Device'] : []);
  const side = query.data.value?.node ?? null;
  const ports = [...side?.ports.nodes ?? []].sort((a, b) => compare(a.type, b.type) || compare(a.name, b.name));
  const gone = query.data.value && !side ? new Refused('NOT_FOUND', 'The device of this address does not exist any more, or you may not see it.') : null;
  const error = query.error.value ?? gone;
  const failure = id && error ? <Failure error={error} again={() => void query.read()} /> : null;
  return { side: id ? side : null, ports: id ? ports : [], failure };
}

export const isFree = (it: PatchPort): boolean => it.cable === null && !it.markConnected;

export function choicesOf({ side, ports }: Sided, ids: readonly string[]): PortChoice[] {
  return ids.flatMap((id) => ports.filter((it) => it.id === id && isFree(it)).map((it) => ({ id, name: it.name, owner: side?.name ?? '' })));
}

export interface PatchSideProps {
  letter: 'A' | 'B';
  sided: Sided;
  chosen: readonly string[];
  onDevice(id: string | null): void;
  onChoose(ids: string[]): void;
}

export function PatchSide({ letter, sided, chosen, onDevice, onChoose }: PatchSideProps) {
  const { side, ports, failure } = sided;
  const place = side?.placement;
  const types = [...new Set(ports.map((it) => it.type))];
  return (
    <section class="patch-side" aria-label={`Side ${letter}`}>
      <div class="patch-device">
        <label for={`patch-${letter}`}>Side {letter}</label>
        <RefPicker
          id={`patch-${letter}`} targets={[{ kind: 'Device', member: null }]} list={false} value={side ? { device: side.name } : null} placeholder="Search for a device…"
          onChange={(value) => onDevice(value && !Array.isArray(value) ? String(value.id) : null)}
        />
      </div>
      {failure}
      {side && (
        <>
          <h2><a href={pathOf('Device', { ...side })}><bdi>{side.name}</bdi></a> <span class="quiet"><bdi>{joined([side.site.name, place?.rack.name, place && unitWords(place.startUnit, place.unitHeight ?? 1)])}</bdi></span></h2>
          {types.map((type) => {
            const own = ports.filter((it) => it.type === type);
            return <PortGrid key={type} title={enumWords(type)} ports={own} chosen={chosen} onChoose={onChoose} />;
          })}
          {ports.length === 0 && <p class="empty">This device has no ports to plug a cable into.</p>}
        </>
      )}
    </section>
  );
}

interface GridProps {
  title: string;
  ports: readonly PatchPort[];
  chosen: readonly string[];
  onChoose(ids: string[]): void;
}

const [NARROWEST_PX, WIDEST_PX, CHARACTER_PX, ORDER_PX] = [60, 190, 7, 36];

/** One stop of the Tab key; arrows go from port to port, Space chooses, and with Shift all up to there. */
function PortGrid({ title, ports, chosen, onChoose }: GridProps) {
  const box = useRef<HTMLDivElement>(null);
  const free = ports.filter(isFree);
  const likes = ports.map((it) => ({ id: it.id, name: it.name, free: isFree(it) }));
  const press = (id: string, range: boolean): void => onChoose(range ? ranged(chosen, likes, id) : toggled(chosen, id));
  const keys = (event: KeyboardEvent): void => {
    const all = [...box.current?.querySelectorAll('button') ?? []];
    const at = all.indexOf(event.target as HTMLButtonElement);
    const to = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    all[Math.max(0, Math.min(all.length - 1, to))]?.focus();
  };
  // Numbers stand at the end of names, so that names are not shortened as long as they are of usual length.
  const width = Math.min(WIDEST_PX, Math.max(NARROWEST_PX, ...ports.map((it) => it.name.length * CHARACTER_PX + ORDER_PX)));
  const stop = free[0]?.id ?? ports[0]?.id;
  return (
    <fieldset class="patch-ports">
      <legend>{title} <span class="count">{free.length} of {ports.length} free</span></legend>
      <div class="patch-grid" style={{ gridTemplateColumns: `repeat(auto-fill, minmax(${width}px, 1fr))` }} ref={box} onKeyDown={keys}>
        {ports.map((it) => {
          const order = chosen.indexOf(it.id);
          const state = isFree(it) ? (it.enabled ? 'free' : 'free, disabled') : it.cable ? `taken by ${isolated(it.cable.name)}` : 'taken';
          return (
            <button
              type="button" key={it.id} tabIndex={it.id === stop ? 0 : -1} aria-pressed={order >= 0} aria-disabled={!isFree(it)} class={isFree(it) ? undefined : 'taken'}
              title={`${it.name}: ${state}`} onClick={(event) => { if (isFree(it)) press(it.id, event.shiftKey); }}
            >
              {order >= 0 && <b>{order + 1}</b>}<bdi>{it.name}</bdi><span class="hidden">, {state}</span>
            </button>
          );
        })}
      </div>
    </fieldset>
  );
}
