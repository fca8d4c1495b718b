// The positions of the nodes of some paths: columns from the start to the end, and rows without an overlap. Pure, and
// the same each time.

export interface PathNode {
  id: string;
  name: string;
  /** A second line, such as the role. */
  detail: string;
}

export interface DrawnSegment {
  /** A short text at the line, such as the circuit. */
  label: string;
  /** The ids of all that the line runs over. */
  over: string[];
  /** True for what the inventory does not say the lines of. */
  logical: boolean;
}

export interface DrawnPath {
  nodes: PathNode[];
  /** One between each node and the next. */
  segments: DrawnSegment[];
}

export interface Placed extends PathNode {
  column: number;
  /** In units of rows; halves are possible. */
  row: number;
  /** The numbers of the paths that run over it, from 0. */
  paths: number[];
}

export interface Layout {
  nodes: Placed[];
  columns: number;
  rows: number;
}

/** The column of each node: one after all before it. Where paths run against each other, the order of the first counts. */
function columnsOf(paths: DrawnPath[]): Map<string, number> {
  const columns = new Map<string, number>();
  const longest = Math.max(0, ...paths.map((it) => it.nodes.length));
  for (const path of paths) path.nodes.forEach((it, at) => columns.set(it.id, Math.max(columns.get(it.id) ?? 0, at)));
  const all = columns.size;
  for (let round = 0; round < all; round += 1) {
    let moved = false;
    for (const path of paths) {
      for (let at = 1; at < path.nodes.length; at += 1) {
        const least = (columns.get(path.nodes[at - 1]?.id ?? '') ?? 0) + 1;
        const id = path.nodes[at]?.id ?? '';
        if ((columns.get(id) ?? 0) < least) { columns.set(id, least); moved = true; }
      }
    }
    if (!moved) return columns;
  }
  // A cycle: what is reached from both sides cannot stand after all before it.
  columns.clear();
  for (const path of paths) path.nodes.forEach((it, at) => { if (!columns.has(it.id)) columns.set(it.id, Math.min(at, longest - 1)); });
  return columns;
}

export function layoutOf(paths: DrawnPath[]): Layout {
  const columns = columnsOf(paths);
  const last = Math.max(0, ...columns.values());
  for (const path of paths) {
    const end = path.nodes.at(-1);
    if (end) columns.set(end.id, last);
  }
  const found = new Map<string, Placed>();
  paths.forEach((path, number) => {
    for (const it of path.nodes) {
      const placed = found.get(it.id) ?? { ...it, column: columns.get(it.id) ?? 0, row: 0, paths: [] };
      if (!placed.paths.includes(number)) placed.paths.push(number);
      found.set(it.id, placed);
    }
  });
  const nodes = [...found.values()];
  let rows = 1;
  for (let column = 0; column <= last; column += 1) {
    const here = nodes.filter((it) => it.column === column).sort((a, b) => mean(a.paths) - mean(b.paths));
    rows = Math.max(rows, here.length);
  }
  for (let column = 0; column <= last; column += 1) {
    const here = nodes.filter((it) => it.column === column).sort((a, b) => mean(a.paths) - mean(b.paths));
    here.forEach((it, at) => { it.row = at + (rows - here.length) / 2; });
  }
  return { nodes, columns: last + 1, rows };
}

const mean = (numbers: number[]): number => numbers.reduce((sum, it) => sum + it, 0) / Math.max(1, numbers.length);
