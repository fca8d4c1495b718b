// One face of a rack as SVG: units, devices with their ports, free runs, and the place where a device is held.
import { fit, fitWords, widthOfText } from './text.ts';
import { FACES, freeRuns, fromTop, takes, unitWords } from './units.ts';
import type { Face, Span } from './units.ts';

export interface Dot {
  id: string;
  state: 'cabled' | 'open' | 'off';
  /** True if it is on the face that the device is mounted on. */
  own: boolean;
}

export interface Drawn extends Span {
  id: string;
  name: string;
  /** Class of its colour, and the words that say the same. */
  tone: string;
  tag: string;
  /** True if both sides say it. */
  tagBehind: boolean;
  /** The text after its name. */
  about: string;
  dots: readonly Dot[];
  /** True if it would stand here by a move that is not written yet. */
  planned?: boolean;
}

export type Verdict = 'asking' | 'good' | 'bad';

export interface Ghost extends Span {
  id: string;
  name: string;
  verdict: Verdict;
}

/** The handlers for the devices that are drawn. */
export interface Handlers {
  onSelect(id: string): void;
  onDown(event: PointerEvent, id: string, face: Face): void;
  onKey(event: KeyboardEvent, id: string, face: Face): void;
}

export interface FaceProps extends Handlers {
  rack: { id: string; name: string; heightU: number };
  face: Face;
  devices: readonly Drawn[];
  /** Pixels of a unit, and of the inside of the rack across. */
  unit: number;
  across: number;
  /** Ids that a search finds; null if nothing is searched. */
  found: ReadonlySet<string> | null;
  /** Ids that are drawn as taken without a name. */
  veiled: ReadonlySet<string>;
  selected: string | null;
  held: string | null;
  ghost: Ghost | null;
  /** The one device of the face that the Tab key reaches. */
  stop: string | null;
}

const NUMBERS = 24;
const RAIL = 7;
const HEAD = 20;

export const faceWidth = (across: number): number => NUMBERS + across + 2 * RAIL;
export const faceHeight = (heightU: number, unit: number): number => HEAD + heightU * unit + RAIL;
/** The distance of U1's lower edge and the top of the highest unit from the top of the drawing. */
export const headOf = HEAD;

const wordsOf = (face: Face): string => (face === 'FRONT' ? 'Front' : 'Rear');

export function RackFace(props: FaceProps) {
  const { rack, face, devices, unit, across, ghost } = props;
  const [width, height] = [faceWidth(across), faceHeight(rack.heightU, unit)];
  const units = Array.from({ length: rack.heightU }, (_, it) => rack.heightU - it);
  const seen = devices.filter((it) => takes(it, face));
  const size = Math.min(10, unit - 5);
  return (
    <svg
      class="rack-face" viewBox={`0 0 ${width} ${height}`} width={width} height={height} role="group"
      aria-label={`${rack.name}, ${wordsOf(face).toLowerCase()}`} data-rack={rack.id} data-face={face}
    >
      <text class="face-name" x={NUMBERS + RAIL} y={13} font-size="11">{wordsOf(face)}</text>
      <rect class="cabinet" x={NUMBERS} y={HEAD - 1} width={across + 2 * RAIL} height={rack.heightU * unit + RAIL} rx="3" />
      <rect class="inside" x={NUMBERS + RAIL} y={HEAD} width={across} height={rack.heightU * unit} />
      {units.map((it, at) => (
        <g key={it}>
          {at > 0 && <line class="unit-line" x1={NUMBERS + RAIL} x2={NUMBERS + RAIL + across} y1={HEAD + at * unit} y2={HEAD + at * unit} />}
          {(unit >= 14 || it % 5 === 0 || it === 1) && (
            <text class="unit-number" x={NUMBERS - 5} y={HEAD + at * unit + unit / 2 + size * 0.36} text-anchor="end" font-size={size}>{it}</text>
          )}
        </g>
      ))}
      {freeRuns(rack.heightU, devices, face).filter((it) => it.height >= 2).map((it) => (
        <text
          key={it.start} class="free" text-anchor="middle" font-size="10" x={NUMBERS + RAIL + across / 2}
          y={HEAD + (fromTop(rack.heightU, it.start, it.height) + it.height / 2) * unit + 3.5}
        >{it.height} U free</text>
      ))}
      {seen.map((it) => <DeviceShape key={it.id} {...props} device={it} />)}
      {ghost && takes(ghost, face) && <GhostShape ghost={ghost} heightU={rack.heightU} unit={unit} across={across} />}
    </svg>
  );
}

function DeviceShape(props: FaceProps & { device: Drawn }) {
  const { device, face, rack, unit, across, found, selected, held } = props;
  const [x, y] = [NUMBERS + RAIL, HEAD + fromTop(rack.heightU, device.start ?? 1, device.height) * unit];
  const high = device.height * unit - 1;
  const behind = device.face !== face;
  if (props.veiled.has(device.id)) return <rect class="veiled" x={x} y={y} width={across} height={high} />;
  const classes = [
    'device', device.tone, behind && 'behind', found && !found.has(device.id) && 'pale', found?.has(device.id) && 'found',
    selected === device.id && 'selected', held === device.id && 'held', device.planned && 'planned',
  ];
  const texts = textsOf(device, face, across, unit);
  const middle = y + (device.height * unit) / 2 + texts.size * 0.34;
  const shortened = texts.name === device.name ? '' : ` · ${device.name}`;
  return (
    <g
      class={classes.filter(Boolean).join(' ')} role="button" tabindex={props.stop === device.id ? 0 : -1} data-device={device.id}
      aria-label={`${texts.name} ${tagOf(device, face)}${shortened} · ${device.about}`} aria-pressed={held === device.id}
      onClick={() => props.onSelect(device.id)} onPointerDown={(event) => props.onDown(event, device.id, face)}
      onKeyDown={(event) => props.onKey(event, device.id, face)}
    >
      <title>{`${device.name} · ${device.about}`}</title>
      <rect class="body" x={x + 0.5} y={y + 0.5} width={across - 1} height={high} rx="2" />
      <rect class="stripe" x={x + 0.5} y={y + 0.5} width="4" height={high} />
      <text class="device-name" x={x + 10} y={middle} font-size={texts.size}>{texts.name}</text>
      {' '}
      <text class="device-tag" x={x + texts.end} y={middle} font-size={texts.size - 1} text-anchor="end">{texts.tag}</text>
      <Dots dots={device.dots.filter((it) => it.own !== behind)} x={x} y={y} across={across} high={high} />
    </g>
  );
}

/** The words at the end of a device: of its colour, or that one sees its other side. */
const tagOf = (device: Drawn, face: Face): string => (device.face === face || device.tagBehind ? device.tag : `${wordsOf(face).toLowerCase()} side`);

/** The share of the width that ports take, and the least that a name takes before the words of the colour. */
const PORTS_SHARE = 0.27;
const NAME_PX = 96;
const BETWEEN_PX = 10;

/** The text on a device, and where it ends. The tag loses words rather than letters, because it is read aloud, too. */
function textsOf(device: Drawn, face: Face, across: number, unit: number) {
  const size = Math.max(7, Math.min(11, unit * Math.min(1, device.height) - 4));
  const end = across * (device.dots.length > 0 ? 1 - PORTS_SHARE : 1) - 6;
  const room = end - BETWEEN_PX;
  const least = Math.min(room - NAME_PX - BETWEEN_PX, room * 0.28);
  const tag = fitWords(tagOf(device, face), Math.max(least, room - widthOfText(device.name, size) - BETWEEN_PX), size - 1);
  const name = fit(device.name, room - widthOfText(tag, size - 1) - BETWEEN_PX, size);
  return { name, tag, size, end };
}

const MAX_DOTS = 96;

/** Ports in two rows: full with a cable, empty without, a stroke if disabled. */
function Dots({ dots, x, y, across, high }: { dots: readonly Dot[]; x: number; y: number; across: number; high: number }) {
  if (dots.length === 0 || high < 11) return null;
  const shown = dots.slice(0, MAX_DOTS);
  const rows = shown.length > 8 ? 2 : 1;
  const columns = Math.ceil(shown.length / rows);
  const room = across * PORTS_SHARE - 12;
  const pitch = Math.min(7, room / columns);
  const radius = Math.min(2.2, pitch * 0.38);
  const gap = Math.max(2.5 * radius, Math.min(8, high / 3));
  const left = x + across - 6 - pitch * (columns - 1) - radius;
  return (
    <g class="ports">
      {shown.map((it, at) => {
        const [cx, cy] = [left + Math.floor(at / rows) * pitch, y + high / 2 + (rows === 1 ? 0 : (at % 2) * gap - gap / 2)];
        return it.state === 'off'
          ? <line key={it.id} class="port off" x1={cx - radius} x2={cx + radius} y1={cy} y2={cy} />
          : <circle key={it.id} class={`port ${it.state}`} cx={cx} cy={cy} r={it.state === 'open' ? radius - 0.4 : radius} />;
      })}
    </g>
  );
}

const SIGNS: Record<Verdict, string> = { asking: '…', good: '✓', bad: '✕' };

function GhostShape({ ghost, heightU, unit, across }: { ghost: Ghost; heightU: number; unit: number; across: number }) {
  const y = HEAD + fromTop(heightU, ghost.start ?? 1, ghost.height) * unit;
  const size = Math.max(8, Math.min(11, unit - 4));
  return (
    <g class={`ghost ${ghost.verdict}`} aria-hidden="true">
      <rect x={NUMBERS + RAIL + 0.5} y={y + 0.5} width={across - 1} height={ghost.height * unit - 1} rx="2" />
      <text x={NUMBERS + RAIL + 10} y={y + (ghost.height * unit) / 2 + size * 0.34} font-size={size}>
        {SIGNS[ghost.verdict]} {fit(`${unitWords(ghost.start, ghost.height)} ${ghost.name}`, across - 34, size)}
      </text>
    </g>
  );
}

/** The face beside one, in the direction of an arrow key; null at the end. */
export function faceBeside(faces: readonly Face[], face: Face, by: number): Face | null {
  const all = FACES.filter((it) => faces.includes(it));
  return all[all.indexOf(face) + by] ?? null;
}
