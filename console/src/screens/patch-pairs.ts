// Cables between ports that are chosen on two sides, in order: what is written of each.
import type { WriteStep } from '../store/writes.lazy.ts';

export interface PortChoice {
  id: string;
  name: string;
  owner: string;
}

/** The fields that all cables of a batch have in common. Empty texts are left out. */
export interface CableChoice {
  /** The name of the first cable, whose number goes up; empty to name cables by their ends. */
  first: string;
  media: string;
  color: string;
  length: string;
  status: string;
}

export interface Pair {
  a: PortChoice;
  b: PortChoice;
  name: string;
}

const MAX_CHARACTERS = 253;

/** Names that count up from the first: `c-009`, `c-010`. A name without a number at its end gets one from the second on. */
export function namesFrom(first: string, count: number): string[] {
  const digits = /\d+$/.exec(first)?.[0] ?? '';
  const stem = digits ? first.slice(0, -digits.length) : `${first}-`;
  const begin = digits ? BigInt(digits) : 1n;
  return Array.from({ length: count }, (_, at) => (at === 0 ? first : `${stem}${String(begin + BigInt(at)).padStart(digits.length, '0')}`));
}

/** The pairs in the order in which they were chosen. Ports that have no partner yet are left out. */
export function pairsOf(a: readonly PortChoice[], b: readonly PortChoice[], first: string): Pair[] {
  const count = Math.min(a.length, b.length);
  const names = first.trim() ? namesFrom(first.trim(), count) : [];
  return Array.from({ length: count }, (_, at) => {
    const [from, to] = [a[at] as PortChoice, b[at] as PortChoice];
    const byEnds = `${from.owner} ${from.name} – ${to.owner} ${to.name}`;
    return { a: from, b: to, name: names[at] ?? [...byEnds].slice(0, MAX_CHARACTERS).join('') };
  });
}

export function stepsOf(pairs: readonly Pair[], choice: CableChoice): WriteStep[] {
  const length = choice.length.trim() === '' ? undefined : Number(choice.length);
  const common = {
    ...(choice.media ? { media: choice.media } : {}), ...(choice.color.trim() ? { color: choice.color.trim() } : {}),
    ...(length === undefined || Number.isNaN(length) ? {} : { lengthM: length }), ...(choice.status ? { status: choice.status } : {}),
  };
  return pairs.map((it) => ({
    kind: 'Cable', name: it.name,
    item: { cable: { name: it.name, ...common, aEnds: [{ port: { id: it.a.id } }], bEnds: [{ port: { id: it.b.id } }] } },
  }));
}

export interface PortLike {
  id: string;
  name: string;
  free: boolean;
}

/** The chosen ports after one more click: it goes if it was chosen, otherwise it comes last. */
export function toggled(chosen: readonly string[], id: string): string[] {
  return chosen.includes(id) ? chosen.filter((it) => it !== id) : [...chosen, id];
}

/** The chosen ports with all free ones from the last chosen to this one. */
export function ranged(chosen: readonly string[], ports: readonly PortLike[], id: string): string[] {
  const [from, to] = [ports.findIndex((it) => it.id === chosen.at(-1)), ports.findIndex((it) => it.id === id)];
  if (from < 0 || to < 0) return toggled(chosen, id);
  const between = ports.slice(Math.min(from, to), Math.max(from, to) + 1).filter((it) => it.free && !chosen.includes(it.id)).map((it) => it.id);
  return [...chosen, ...(from > to ? between.reverse() : between)];
}
