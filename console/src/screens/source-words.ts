// Sources in words: what each state of health asks of the reader, and what approving a held run will do. Pure.

export interface Held {
  kind: string;
  id: string;
  name: string;
  externalId: string;
  reason: 'GONE' | 'RENUMBERED' | 'EMPTIED' | 'REPLACED';
  field: string | null;
  /** What the source gives the field. */
  value: unknown;
}

const HEALTH: Record<string, string> = {
  NEVER: 'No full run has succeeded yet. Start its synchronizer, and look at its messages.',
  FRESH: 'The last full run succeeded in time.',
  STALE: 'No full run has succeeded for twice the interval. See that its synchronizer runs and reaches the source.',
  FAILING: 'The last three runs failed. Their errors say why.',
  HELD: 'A run would remove or empty more than the limits allow. Nothing is removed until somebody decides below.',
  PAUSED: 'It is paused: no run starts until it goes on.',
};
export const healthWords = (health: string): string => HEALTH[health] ?? '';

const REMOVED: Record<string, (count: string) => string> = {
  DELETE: (count) => `${count} with everything that they contain are deleted.`,
  RETIRE: (count) => `${count} are retired: they get another name and give up their place. Those that cannot be retired are deleted or released.`,
  RELEASE: (count) => `${count} stay, and no longer belong to the source.`,
  KEEP: (count) => `${count} stay as they are: this source removes nothing.`,
};

interface Counts { kind: string; gone: number; emptied: number; replaced: number }

/** The number of held objects and fields by kind: `18 racks`. */
export function countsOf(held: Held[]): Counts[] {
  const counts = new Map<string, Counts>();
  for (const it of held) {
    const count = counts.get(it.kind) ?? { kind: it.kind, gone: 0, emptied: 0, replaced: 0 };
    if (it.field === null) count.gone += 1;
    else if (it.reason === 'REPLACED') count.replaced += 1;
    else count.emptied += 1;
    counts.set(it.kind, count);
  }
  return [...counts.values()];
}

/** What becomes of a held field. */
export const fateOf = (it: Held): string => (it.reason === 'REPLACED' ? `would become ${JSON.stringify(it.value)}, as for others` : 'would be emptied');

/** The effects of an approval, in whole sentences. `all` also counts what the list of held objects does not name. */
export function approvalOf(held: Held[], all: number, prune: string, adopt: boolean): string[] {
  const fields = held.filter((it) => it.field !== null).length;
  const replaced = held.filter((it) => it.reason === 'REPLACED').length;
  const gone = all - fields;
  const objects = gone === 1 ? '1 object' : `${gone} objects`;
  const become = (count: number, what: string): string[] => (count === 0 ? [] : [count === 1 ? `1 field is ${what}.` : `${count} fields are ${what}.`]);
  return [
    ...(gone === 0 ? [] : [adopt ? `${objects} keep everything, and get the ids that the source gives them now.` : (REMOVED[prune] ?? REMOVED.KEEP ?? String)(objects)]),
    ...become(fields - replaced, 'emptied'),
    ...become(replaced, 'replaced'),
    'What the source has again by then stays.',
  ];
}

/** The button that approves. */
export function approveVerb(held: Held[], all: number, adopt: boolean): string {
  const fields = held.filter((it) => it.field !== null).length;
  const replaced = held.filter((it) => it.reason === 'REPLACED').length;
  const gone = all - fields;
  if (adopt) return `Give ${gone} ${gone === 1 ? 'object its new id' : 'objects their new ids'}`;
  const parts = [['remove', gone], ['empty', fields - replaced], ['replace', replaced]] as const;
  return `Approve: ${parts.filter(([, count]) => count > 0).map(([verb, count]) => `${verb} ${count}`).join(', ')}`;
}

/** A time between two moments, such as `6.9 s` or `2 min 4 s`. */
export function lasted(from: string, to: string | null): string {
  if (!to) return '';
  const seconds = Math.max(0, (new Date(to).getTime() - new Date(from).getTime()) / 1000);
  return seconds < 60 ? `${seconds.toFixed(1)} s` : `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

/** Seconds as people say them: `every hour`. */
export function every(seconds: number): string {
  const sizes: Array<[number, string]> = [[86_400, 'day'], [3_600, 'hour'], [60, 'minute'], [1, 'second']];
  const [size, word] = sizes.find(([it]) => seconds % it === 0 && seconds >= it) ?? [1, 'second'];
  const count = seconds / size;
  return count === 1 ? `every ${word}` : `every ${count} ${word}s`;
}
