// A trace as a tree of boxes that are joined by cables, with a place for each in a drawing that is read downwards.

/** One object that the line passes. */
export interface Hop {
  id: string;
  kind: string;
  name: string;
  /** The object that it is part of: a port's device, rack or machine, or an end's circuit. */
  owner: { id: string; kind: string; name: string; place: string } | null;
  /** The media, length and colour of a cable; the bandwidth or provider of a circuit. */
  facts: string[];
  /** The reason why nothing passes it, such as a status; null if something does. */
  fault: string | null;
  /** The colour of a cable: free text of the inventory. */
  color: string | null;
  /** The text that is printed on a cable. */
  label: string | null;
  lengthM: number | null;
}

export interface Branch {
  steps: Hop[][];
  through: boolean;
  outcome: string;
  active: boolean;
}

export type Shape = 'device' | 'circuit' | 'place' | 'feed';

/** A device with the ports that the line uses, a circuit, a site or network, or a feed. */
export interface Box {
  shape: Shape;
  title: string;
  /** The object that the box leads to. */
  kind: string;
  id: string;
  place: string;
  facts: string[];
  /** The hops inside, in the order of the line; strands of a step stand together. */
  inside: Hop[][];
  fault: string | null;
}

export interface Node {
  box: Box;
  /** The cables from the box above; none if both are one object. */
  cables: Hop[];
  /** The way in which the line ends here; null if it goes on. */
  outcome: string | null;
  here: boolean;
  children: Node[];
}

const SHAPES: Record<string, Shape> = { Port: 'device', CircuitTermination: 'circuit', Circuit: 'circuit', PowerFeed: 'feed' };

const ownerKey = (hop: Hop): string => (hop.kind === 'Circuit' ? hop.id : hop.owner?.id ?? hop.id);
const stepKey = (step: readonly Hop[]): string => step.map((it) => it.id).sort().join(' ');

function boxOf(step: Hop[]): Box {
  const [first] = step;
  const shape = SHAPES[first?.kind ?? ''] ?? 'place';
  const own = step.find((it) => it.kind === 'Circuit' || it.kind !== 'CircuitTermination' && it.owner === null);
  const owners = [...new Set(step.map((it) => it.owner?.name ?? it.name))];
  const to = first?.owner ?? first;
  return {
    shape, title: owners.join(', '), kind: to?.kind ?? '', id: to?.id ?? '', place: first?.owner?.place ?? '', facts: own?.facts ?? [], inside: [step],
    fault: step.find((it) => it.fault)?.fault ?? null,
  };
}

const joins = (box: Box, step: readonly Hop[]): boolean => {
  const last = box.inside.at(-1)?.[0];
  return last !== undefined && step[0] !== undefined && (box.shape === 'device' || box.shape === 'circuit') && SHAPES[step[0].kind] === box.shape
    && ownerKey(last) === ownerKey(step[0]);
};

interface Stem {
  step: Hop[];
  outcome: string | null;
  next: Map<string, Stem>;
}

function stemOf(step: Hop[]): Stem {
  return { step, outcome: null, next: new Map() };
}

/** Steps as a tree: branches that begin alike share their beginning. */
function grow(root: Stem, steps: readonly Hop[][], outcome: string): void {
  let at = root;
  for (const step of steps) {
    const key = stepKey(step);
    let next = at.next.get(key);
    if (!next) {
      next = stemOf(step);
      at.next.set(key, next);
    }
    at = next;
  }
  at.outcome = outcome;
}

/** Gathers the steps of one object in a box, up to a fork. */
function nodeOf(stem: Stem, cables: Hop[], here: string): Node {
  const box = boxOf(stem.step);
  let last = stem;
  for (let only = onlyNext(last); only && last.outcome === null && joins(box, only.step); only = onlyNext(last)) {
    box.inside.push(only.step);
    if (only.step[0]?.kind === 'Circuit') box.facts = only.step[0].facts;
    box.fault ??= only.step.find((it) => it.fault)?.fault ?? null;
    last = only;
  }
  const node: Node = { box, cables, outcome: last.outcome, here: box.inside.some((step) => step.some((it) => it.id === here)), children: [] };
  for (const next of last.next.values()) node.children.push(...below(next, here));
  return node;
}

const onlyNext = (stem: Stem): Stem | undefined => (stem.next.size === 1 ? [...stem.next.values()][0] : undefined);

/** The nodes after a step: a box, or boxes behind a cable; a cable that ends nowhere is a box of its own. */
function below(stem: Stem, here: string): Node[] {
  if (stem.step[0]?.kind !== 'Cable') return [nodeOf(stem, [], here)];
  const nodes = [...stem.next.values()].map((it) => nodeOf(it, stem.step, here));
  if (stem.outcome !== null || nodes.length === 0) nodes.push({ box: openEnd(stem.step), cables: stem.step, outcome: stem.outcome ?? 'OPEN', here: false, children: [] });
  return nodes;
}

const openEnd = (step: readonly Hop[]): Box => ({ shape: 'place', title: 'Open end', kind: 'Cable', id: step[0]?.id ?? '', place: '', facts: [], inside: [], fault: null });

/** The tree of a trace. A line that is traced from its middle, and goes one way on each side, is one line from end to end. */
export function treeOf(branches: readonly Branch[], origin: string): Node[] {
  const root = stemOf([]);
  const [through, plugged] = [branches.filter((it) => it.through), branches.filter((it) => !it.through)];
  const [back, on] = [through[0], plugged[0]];
  if (through.length === 1 && plugged.length === 1 && back && on) {
    grow(root, [...[...back.steps].reverse(), ...on.steps.slice(1)], on.outcome);
    const [top] = [...root.next.values()].flatMap((it) => below(it, origin));
    if (top) return [{ ...top, outcome: top.outcome ?? (back.outcome === 'COMPLETE' ? null : back.outcome) }];
  }
  for (const it of branches) grow(root, it.steps, it.outcome);
  const tree = [...root.next.values()].flatMap((it) => below(it, origin));
  return tree.map((it) => ({ ...it, children: it.here ? sides(it.children) : it.children }));
}

/** The side of the origin with fewer ends stays near it: over its cable, or through it. */
function sides(children: Node[]): Node[] {
  const groups = [children.filter((it) => it.cables.length > 0), children.filter((it) => it.cables.length === 0)];
  const count = (nodes: readonly Node[]): number => nodes.reduce((sum, it) => sum + leaves(it), 0);
  return groups.sort((a, b) => count(a) - count(b)).flat();
}

const leaves = (node: Node): number => (node.children.length === 0 ? 1 : node.children.reduce((sum, it) => sum + leaves(it), 0));

export interface NodePosition {
  node: Node;
  x: number;
  y: number;
  height: number;
  parent: NodePosition | null;
}

export interface Layout {
  positions: NodePosition[];
  width: number;
  height: number;
}

export const BOX_PX = 290;
export const GAP_PX = 28;
const PINS_PX = 21;
const HEAD_PX = 39;
const CABLE_PX = 50;
const THROUGH_PX = 26;
const OUTCOME_PX = 34;

/** The ports or ends that the line uses in a box, in its order: `1 → R1`. A feed or a place is named by its head alone. */
export function pinsOf(box: Box): string {
  if (box.shape !== 'device' && box.shape !== 'circuit') return '';
  const steps = box.inside.filter((step) => step[0]?.kind !== 'Circuit');
  return steps.map((step) => step.map((it) => [it.name, ...it.facts].join(' · ')).join(', ')).join(' → ');
}

export const boxHeight = (node: Node): number => HEAD_PX + (pinsOf(node.box) ? PINS_PX : 0);
/** The room between a box and the one below it: more for each cable that is named there. */
export const cableHeight = (cables: readonly Hop[]): number => (cables.length === 0 ? THROUGH_PX : CABLE_PX + Math.min(cables.length, MAX_NAMED) * 14 - 14);
export const MAX_NAMED = 4;

/** Places for the boxes of a tree: first children stand under their parent, the others to the right of it. */
export function layoutOf(tree: readonly Node[]): Layout {
  const positions: NodePosition[] = [];
  let column = 0;
  let bottom = 0;
  const place = (node: Node, parent: NodePosition | null, y: number): void => {
    const position: NodePosition = { node, x: column * (BOX_PX + GAP_PX), y, height: boxHeight(node), parent };
    positions.push(position);
    bottom = Math.max(bottom, y + position.height + (node.outcome ? OUTCOME_PX : 0));
    node.children.forEach((it, at) => {
      if (at > 0) column += 1;
      place(it, position, y + position.height + cableHeight(it.cables));
    });
  };
  tree.forEach((it, at) => {
    if (at > 0) column += 1;
    place(it, null, 0);
  });
  return { positions, width: (column + 1) * (BOX_PX + GAP_PX) - GAP_PX, height: bottom };
}

const OUTCOMES: Record<string, string> = {
  COMPLETE: 'The line ends here.', OPEN: 'The line is open: nothing is plugged in, or nothing leads on.',
  LOOP: 'The line returns to a place where it has been before.', UNMAPPED: 'The patch port is not connected inside at this position.',
};

const SHORT: Record<string, string> = { COMPLETE: 'end', OPEN: 'open end', LOOP: 'loop', UNMAPPED: 'not connected inside' };

/** The end of a branch, in a few words. */
export const shortOutcome = (outcome: string): string => SHORT[outcome] ?? outcome;

/** The end of a branch, as a sentence. */
export const outcomeWords = (outcome: string): string => OUTCOMES[outcome] ?? outcome;

const NAMED: Record<string, string> = {
  aqua: '#29b6c6', black: '#3c3c3c', blue: '#2f6fd0', brown: '#8a5a2b', green: '#2f9e44', grey: '#808890', gray: '#808890', orange: '#e8730c', pink: '#e0559a',
  purple: '#7d4cc0', red: '#d6332a', violet: '#7d4cc0', white: '#e4e7ea', yellow: '#e3b505', turquoise: '#1fb5a6', magenta: '#c2308f', cyan: '#29b6c6',
};

/** A colour of the inventory as one of the drawing; null if it is no colour that is known. */
export function strokeOf(color: string | null): string | null {
  if (!color) return null;
  const text = color.trim().toLowerCase();
  if (/^#?[\da-f]{6}$/.test(text)) return text.startsWith('#') ? text : `#${text}`;
  return NAMED[text] ?? null;
}

/** One cable or circuit of a line, with what it joins; an end is empty where the line begins or breaks. */
export interface Link {
  from: Hop[];
  via: Hop[];
  to: Hop[];
}

/** A branch as its cables and circuits, in the order of the line. */
export function linksOf(steps: readonly Hop[][]): Link[] {
  return steps.flatMap((step, at) => (step[0]?.kind === 'Cable' || step[0]?.kind === 'Circuit' ? [{ from: steps[at - 1] ?? [], via: step, to: steps[at + 1] ?? [] }] : []));
}

export interface Shared {
  kind: string;
  id: string;
  name: string;
}

const thing = (it: Hop): Shared => (it.owner ? { kind: it.owner.kind, id: it.owner.id, name: it.owner.name } : { kind: it.kind, id: it.id, name: it.name });

/** The objects that every branch of every line passes, but for those of the lines' own device: if one fails, all lines do. */
export function commonOf(lines: ReadonlyArray<readonly Branch[]>, own: string): Shared[] {
  const branches = lines.flat().map((it) => new Map(it.steps.flat().map(thing).filter((one) => one.id !== own).map((one) => [one.id, one])));
  const [first, ...others] = branches;
  if (!first || lines.some((it) => it.length === 0)) return [];
  return [...first.values()].filter((it) => others.every((one) => one.has(it.id)));
}
