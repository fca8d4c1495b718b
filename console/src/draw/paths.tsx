// Draws paths beside each other: data in, SVG out. Each path has a number and a dash of its own besides its colour.
import { layoutOf } from './paths-layout.ts';
import type { DrawnPath, Layout, Placed } from './paths-layout.ts';
import { BOLD, fitMiddle } from './text.ts';

const BOX = { width: 138, height: 42 };
const STEP = { x: 206, y: 30 };
const EDGE = 14;
const LEAST_SCALE = 0.8;
const LABEL_PX = 66;
const BADGE = 8;
/** The number of paths that have a look of their own; more begin anew. */
const LOOKS = 6;

export interface PathsDrawingProps {
  paths: DrawnPath[];
  label: string;
  /** The objects that are highlighted, such as those that one failure takes down. */
  marked: ReadonlySet<string>;
  /** True if a click may avoid it. */
  canAvoid(id: string): boolean;
  onAvoid(id: string): void;
}

export function PathsDrawing({ paths, label, marked, canAvoid, onAvoid }: PathsDrawingProps) {
  const layout = layoutOf(paths);
  // Boxes are as high as the lines that meet there need.
  const high = Math.max(BOX.height, 8 + BESIDE * Math.max(...layout.nodes.map((it) => it.paths.length)));
  const width = (layout.columns - 1) * STEP.x + BOX.width + 2 * EDGE;
  const height = (layout.rows - 1) * (high + STEP.y) + high + 2 * EDGE + 8;
  const placed = new Map(layout.nodes.map((it) => [it.id, it]));
  return (
    <div class="drawing" role="group" aria-label={label} tabIndex={0}>
      {/* A drawing that is a little too wide is made smaller; a wider one is scrolled. */}
      <svg width={width} style={{ minWidth: `${Math.round(width * LEAST_SCALE)}px` }} viewBox={`0 0 ${width} ${height}`} role="group" aria-label={label}>
        {layout.nodes.map((it) => <Node key={it.id} node={it} high={high} marked={marked.has(it.id)} {...(canAvoid(it.id) ? { onAvoid: () => onAvoid(it.id) } : {})} ends={endsOf(layout, it)} />)}
        {paths.map((path, number) => path.segments.map((segment, at) => {
          const from = placed.get(path.nodes[at]?.id ?? '');
          const to = placed.get(path.nodes[at + 1]?.id ?? '');
          if (!from || !to) return null;
          return <Segment key={`${number} ${at}`} from={from} to={to} high={high} number={number} starts={shiftOf(paths, placed, number, from.id, 1)} ends={shiftOf(paths, placed, number, to.id, -1)} label={segment.label} labelled={isLabelled(paths, number, at)} logical={segment.logical} marked={segment.over.some((it) => marked.has(it))} />;
        }))}
      </svg>
    </div>
  );
}

const xOf = (it: Placed): number => EDGE + it.column * STEP.x;
const yOf = (it: Placed, high: number): number => EDGE + it.row * (high + STEP.y);
const endsOf = (layout: Layout, it: Placed): boolean => it.column === 0 || it.column === layout.columns - 1;

const BESIDE = 15;

/** The distance from the middle at which a line meets a node: lines of one side have the order of their rows. */
function shiftOf(paths: DrawnPath[], placed: Map<string, Placed>, number: number, id: string, side: 1 | -1): number {
  const there = paths.flatMap((path, at) => {
    const index = path.nodes.findIndex((it) => it.id === id);
    const other = placed.get(path.nodes[index + side]?.id ?? '');
    return index >= 0 && other ? [{ at, row: other.row }] : [];
  }).sort((a, b) => a.row - b.row || a.at - b.at);
  return (there.findIndex((it) => it.at === number) - (there.length - 1) / 2) * BESIDE;
}

/** True unless a path before has a line of the same label between the same nodes. */
function isLabelled(paths: DrawnPath[], number: number, at: number): boolean {
  const [from, to, label] = [paths[number]?.nodes[at]?.id, paths[number]?.nodes[at + 1]?.id, paths[number]?.segments[at]?.label];
  return !paths.slice(0, number).some((path) => path.segments.some((it, index) => it.label === label && path.nodes[index]?.id === from && path.nodes[index + 1]?.id === to));
}

interface SegmentProps {
  from: Placed;
  to: Placed;
  high: number;
  number: number;
  starts: number;
  ends: number;
  label: string;
  labelled: boolean;
  logical: boolean;
  marked: boolean;
}

function Segment({ from, to, high, number, starts, ends, label, labelled, logical, marked }: SegmentProps) {
  const [x1, y1] = [xOf(from) + BOX.width, yOf(from, high) + high / 2 + starts];
  const [x2, y2] = [xOf(to), yOf(to, high) + high / 2 + ends];
  const bend = Math.max(30, (x2 - x1) / 2);
  const classes = ['segment', `look-${number % LOOKS}`, logical && 'logical', marked && 'struck'].filter(Boolean).join(' ');
  return (
    <g class={classes}>
      <title>{`Path ${number + 1}: ${label}`}</title>
      <path d={`M${x1} ${y1} C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`} />
      <circle cx={x1} cy={y1} r={BADGE} />
      <text class="segment-number" x={x1} y={y1 + 3.5} text-anchor="middle">{number + 1}</text>
      {label && labelled && <text class="segment-label" x={(x1 + x2 + BADGE) / 2} y={(y1 + y2) / 2 - 4} text-anchor="middle">{fitMiddle(label, LABEL_PX, 11)}</text>}
      {marked && <text class="segment-strike" x={(x1 + x2 + BADGE) / 2} y={(y1 + y2) / 2 + 5} text-anchor="middle">✕</text>}
    </g>
  );
}

function Node({ node, high, marked, ends, onAvoid }: { node: Placed; high: number; marked: boolean; ends: boolean; onAvoid?: () => void }) {
  const shared = node.paths.length > 1 && !ends;
  const classes = ['path-node', shared && 'shared', marked && 'struck', onAvoid && 'can'].filter(Boolean).join(' ');
  const what = `${node.name}${node.detail ? `, ${node.detail}` : ''}${shared ? `, on ${node.paths.length} paths` : ''}${marked ? ', taken down' : ''}`;
  const keys = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    onAvoid?.();
  };
  return (
    <g class={classes} transform={`translate(${xOf(node)} ${yOf(node, high)})`} {...(onAvoid ? {} : { role: 'img', 'aria-label': what })}>
      <rect class="path-box" width={BOX.width} height={high} rx="6" />
      <text aria-hidden="true" class="path-name" x="10" y="18">{fitMiddle(node.name, (BOX.width - 20) / BOLD, 12)}</text>
      <text aria-hidden="true" class="path-detail" x="10" y="33">{fitMiddle([marked ? '✕ taken down' : '', node.detail, shared ? `on ${node.paths.length} paths` : ''].filter(Boolean).join(' · '), BOX.width - 16, 11)}</text>
      {onAvoid
        ? <rect class="path-hit" width={BOX.width} height={high} rx="6" role="button" tabindex={0} aria-label={`Avoid ${what}`} onClick={onAvoid} onKeyDown={keys}><title>{`Avoid ${what}`}</title></rect>
        : <title>{what}</title>}
    </g>
  );
}
