// A trace as SVG: boxes and cables from the top down, where it forks, and where and why it breaks.
import { BOLD, fit, spoken } from './text.ts';
import { BOX_PX, layoutOf, MAX_NAMED, outcomeWords, pinsOf, shortOutcome, strokeOf } from './line.ts';
import type { Node, NodePosition } from './line.ts';

export interface LineProps {
  tree: readonly Node[];
  label: string;
  /** The hop that is looked at beside the drawing. */
  selected: string | null;
  pathOf(kind: string, id: string): string;
}

const MARGIN = 14;
const CABLE_NAME_PX = 262;

export function LineDrawing(props: LineProps) {
  const { positions, width, height } = layoutOf(props.tree);
  // Cables have their names beside them, so that the last column needs room for them.
  const [across, down] = [width + 2 * MARGIN, height + 2 * MARGIN];
  return (
    <svg class="line" viewBox={`${-MARGIN} ${-MARGIN} ${across} ${down}`} width={across} height={down} role="group" aria-label={props.label}>
      {positions.map((it) => it.parent && <Wires key={keyOf(it)} position={it} parent={it.parent} {...props} />)}
      {positions.map((it) => <BoxShape key={keyOf(it)} position={it} {...props} />)}
    </svg>
  );
}

const keyOf = (it: NodePosition): string => `${it.x} ${it.y} ${it.node.box.id}`;

interface ToProps extends Pick<LineProps, 'pathOf' | 'selected'> {
  kind: string;
  id: string;
  title: string;
  more: string;
  fault: string | null;
  x: number;
  /** The base line of the title. */
  y: number;
  room: number;
  strong?: true;
}

const wordsOf = (fault: string | null, facts: readonly string[]): string => [fault, ...facts].filter(Boolean).join(' · ');

/** A link to an object: its name, and beneath it what is known of it. */
function To({ kind, id, title, more, fault, x, y, room, strong, ...props }: ToProps) {
  const size = strong ? 12.5 : 11.5;
  const shown = [fit(title, (room - 12) / (strong ? BOLD : 1), size), fit(more, (room - 12) / (fault ? BOLD : 1), 10.5)];
  return (
    <a class={props.selected === id ? 'hop selected' : 'hop'} href={props.pathOf(kind, id)} aria-label={spoken(shown, [title, more])}>
      <title>{[title, more].filter(Boolean).join(' · ')}</title>
      <rect class="hit" x={x - 5} y={y - 14} width={room} height={31} rx="3" />
      <text class={strong ? 'title' : 'cable-name'} x={x} y={y} font-size={size}>{shown[0]}</text>
      {' '}
      <text class={fault ? 'fault' : 'facts'} x={x} y={y + 13} font-size="10.5">{shown[1]}</text>
    </a>
  );
}

const STRAND_PX = 7;

/** Cables to a box from the one above it, around a corner if it stands further right. */
function Wires({ position, parent, ...props }: LineProps & { position: NodePosition; parent: NodePosition }) {
  const { cables } = position.node;
  const [x, top] = [position.x + 40, parent.y + parent.height];
  const fromX = parent.x + 40;
  const bend = top + 12;
  const path = (by: number): string => (fromX === x ? `M${x + by} ${top}V${position.y}` : `M${parent.x + BOX_PX - 30} ${top}V${bend}H${x + by}V${position.y}`);
  if (cables.length === 0) return <path class="gap" d={path(0)} />;
  const strands = cables.slice(0, MAX_NAMED);
  const middle = top + (position.y - top) / 2 + (fromX === x ? 0 : 6);
  return (
    <>
      {strands.map((it, at) => {
        const by = at * STRAND_PX;
        return (
          <g key={it.id} class={it.fault ? 'cable broken' : 'cable'}>
            <path class="sheath" d={path(by)} />
            <path class={strokeOf(it.color) ? 'core' : 'core plain'} stroke={strokeOf(it.color) ?? undefined} d={path(by)} />
          </g>
        );
      })}
      {strands.map((it, at) => {
        const y = middle + at * 24 - (strands.length - 1) * 12;
        const left = x + strands.length * STRAND_PX + 6;
        return (
          <g key={it.id}>
            <To {...props} kind="Cable" id={it.id} title={it.name} more={wordsOf(it.fault, it.facts)} fault={it.fault} x={left} y={y - 1} room={CABLE_NAME_PX - strands.length * STRAND_PX} />
          </g>
        );
      })}
      {cables.length > MAX_NAMED && <text class="facts" x={x + 40} y={position.y - 4} font-size="10.5">and {cables.length - MAX_NAMED} more cables</text>}
    </>
  );
}

const KINDS: Record<string, string> = { device: '', circuit: 'Circuit', place: '', feed: 'Power feed' };

function BoxShape({ position, ...props }: LineProps & { position: NodePosition }) {
  const { node, x, y, height } = position;
  const { box } = node;
  const head = [KINDS[box.shape] ?? '', box.place, ...box.facts];
  return (
    <g class={['box', box.shape, node.here && 'here', box.fault && 'broken'].filter(Boolean).join(' ')}>
      {box.shape === 'circuit' ? <path class="shape" d={cloud(x, y, height)} /> : <rect class="shape" x={x} y={y} width={BOX_PX} height={height} rx={box.shape === 'feed' ? 14 : 5} />}
      <To {...props} kind={box.kind} id={box.id} title={box.title} more={wordsOf(box.fault, head)} fault={box.fault} x={x + 12} y={y + 17} room={BOX_PX - 14} strong />
      {pinsOf(box) && (
        <>
          <circle class="pin" cx={x + 40} cy={y + 46} r="3" />
          <text class="pin-name" x={x + 50} y={y + 50} font-size="11.5">{fit(pinsOf(box), BOX_PX - 62, 11.5)}</text>
        </>
      )}
      {node.outcome && <Outcome outcome={node.outcome} x={x} y={y + height} />}
    </g>
  );
}

function Outcome({ outcome, x, y }: { outcome: string; x: number; y: number }) {
  if (outcome === 'COMPLETE') {
    return <g class="outcome good"><path d={`M${x + 40} ${y}v12M${x + 32} ${y + 12}h16`} /><text x={x + 56} y={y + 16} font-size="10.5">{shortOutcome(outcome)}</text></g>;
  }
  return (
    <g class="outcome bad">
      <path d={`M${x + 40} ${y}v10M${x + 34} ${y + 10}l12 12M${x + 46} ${y + 10}l-12 12`} />
      <text x={x + 56} y={y + 20} font-size="10.5">{shortOutcome(outcome)}</text>
      <title>{outcomeWords(outcome)}</title>
    </g>
  );
}

/** A cloud around a box: bumps of the same size on all its sides. */
function cloud(x: number, y: number, height: number): string {
  const bump = 20;
  const across = Math.round(BOX_PX / bump);
  const down = Math.max(2, Math.round(height / bump));
  const [w, h] = [BOX_PX / across, height / down];
  const arcs = (count: number, dx: number, dy: number): string => `a${Math.abs(dx + dy) / 1.7} ${Math.abs(dx + dy) / 1.7} 0 0 1 ${dx} ${dy}`.repeat(count);
  return `M${x} ${y}${arcs(across, w, 0)}${arcs(down, 0, h)}${arcs(across, -w, 0)}${arcs(down, 0, -h)}z`;
}

