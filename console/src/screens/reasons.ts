// The tree of an impact: each affected object once, beneath the object that led to it. Pure.
import type { Thing } from './things.ts';

export type Effect = 'DOWN' | 'ISOLATED' | 'DEGRADED';
export const EFFECTS: Effect[] = ['DOWN', 'ISOLATED', 'DEGRADED'];

export interface Count { kind: string; effect: Effect; count: number }

export interface Affected extends Thing {
  effect: Effect;
  rule: string;
  /** The lost and all members of a cluster. */
  lost: number | null;
  of: number | null;
  /** The ids of the objects that led here. */
  because: string[];
}

export interface Branch {
  key: string;
  item: Thing | Affected;
  /** Reasons besides the branch that it stands beneath. */
  others: number;
  groups: Group[];
  /** The number of objects beneath. */
  count: number;
}

/** The objects of one kind that one rule affects in one way. */
export interface Group {
  key: string;
  kind: string;
  effect: Effect;
  rule: string;
  branches: Branch[];
  count: number;
}

/** The number of objects of a kind, or of all kinds, that are affected in a way. */
export const countOf = (counts: readonly Count[], effect: Effect, kind?: string): number =>
  counts.reduce((sum, it) => sum + (it.effect === effect && (kind === undefined || it.kind === kind) ? it.count : 0), 0);

/** Groups of at most as many are not folded. */
const FEW = 4;
/** More of a group are in the list alone. */
export const MAX_SHOWN = 200;

/** Builds the tree from the objects that fail. What no reason at hand leads to stands beneath the last branch, `rest`. */
export function treeOf(failed: Thing[], affected: Affected[]): { roots: Branch[]; rest: Group[] } {
  const beneath = new Map<string, Affected[]>();
  for (const it of affected) {
    for (const reason of new Set(it.because)) beneath.set(reason, [...(beneath.get(reason) ?? []), it]);
  }
  const placed = new Set(failed.map((it) => it.id));
  const children = new Map<string, Affected[]>();
  const queue = failed.map((it) => it.id);
  for (let at = 0; at < queue.length; at += 1) {
    const id = queue[at] ?? '';
    const own = (beneath.get(id) ?? []).filter((it) => !placed.has(it.id));
    for (const it of own) { placed.add(it.id); queue.push(it.id); }
    children.set(id, own);
  }
  const branch = (item: Thing | Affected, key: string): Branch => {
    const groups = grouped(children.get(item.id) ?? [], key, branch);
    const others = 'because' in item ? Math.max(0, item.because.length - 1) : 0;
    return { key, item, others, groups, count: groups.reduce((sum, it) => sum + it.count, 0) };
  };
  const roots = failed.map((it) => branch(it, it.id));
  return { roots, rest: grouped(affected.filter((it) => !placed.has(it.id)), 'rest', branch) };
}

function grouped(items: Affected[], under: string, branch: (item: Affected, key: string) => Branch): Group[] {
  const groups = new Map<string, Group>();
  for (const it of items) {
    const key = `${under}/${it.kind}.${it.effect}.${it.rule}`;
    const group = groups.get(key) ?? { key, kind: it.kind, effect: it.effect, rule: it.rule, branches: [], count: 0 };
    const made = branch(it, `${key}/${it.id}`);
    group.branches.push(made);
    group.count += 1 + made.count;
    groups.set(key, group);
  }
  return [...groups.values()];
}

export interface Line {
  key: string;
  level: number;
  /** Undefined if nothing stands beneath. */
  open: boolean | undefined;
  branch?: Branch;
  group?: Group;
  /** The objects of a group that only the list shows. */
  hidden?: number;
}

/** The lines that are shown: roots are open unless folded, everything else is folded unless opened. */
export function linesOf(roots: Branch[], rest: Group[], toggled: ReadonlySet<string>): Line[] {
  const lines: Line[] = [];
  const addBranch = (it: Branch, level: number): void => {
    const some = it.groups.length > 0;
    const open = some ? (level === 1) !== toggled.has(it.key) : undefined;
    lines.push({ key: it.key, level, open, branch: it });
    if (open) it.groups.forEach((group) => addGroup(group, level + 1));
  };
  const addGroup = (it: Group, level: number): void => {
    if (it.branches.length <= FEW) { it.branches.forEach((one) => addBranch(one, level)); return; }
    const open = toggled.has(it.key);
    lines.push({ key: it.key, level, open, group: it });
    if (!open) return;
    it.branches.slice(0, MAX_SHOWN).forEach((one) => addBranch(one, level + 1));
    if (it.branches.length > MAX_SHOWN) lines.push({ key: `${it.key}/more`, level: level + 1, open: undefined, hidden: it.branches.length - MAX_SHOWN });
  };
  roots.forEach((it) => addBranch(it, 1));
  rest.forEach((it) => addGroup(it, 1));
  return lines;
}

/** The line of a tree to which an arrow key leads: the one before or after, the container, or the first one inside. */
export function parentLine(lines: Line[], at: number): number {
  const level = lines[at]?.level ?? 1;
  for (let it = at - 1; it >= 0; it -= 1) if ((lines[it]?.level ?? 0) < level) return it;
  return at;
}
