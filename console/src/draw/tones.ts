// The colours of a drawing, with words for each: colour is never the only sign.

export type By = 'role' | 'status' | 'tenant' | 'feed' | 'effect';
export const BYS: readonly By[] = ['role', 'status', 'tenant', 'feed'];

export interface Coloured {
  role: string;
  status: string;
  tenant: string | null;
  /** Names of the feeds that it hangs on; null while they are not known. */
  feeds: readonly string[] | null;
  /** Its effect in the impact that is shown; null if it has none. */
  effect: string | null;
}

export interface Entry {
  key: string;
  tone: string;
  count: number;
}

const ROLES: Record<string, number> = {
  SERVER: 1, SPINE: 0, LEAF: 7, BORDER_ROUTER: 6, ROUTER: 6, SWITCH: 5, FIREWALL: 4, LOAD_BALANCER: 3, CONSOLE_SERVER: 8,
  PDU: 2, UPS: 2, PATCH_PANEL: 9, CHASSIS: 8, STORAGE: 3, OTHER: 9,
};
const STATUSES: Record<string, string> = {
  ACTIVE: 'good', PLANNED: 'plan', STAGED: 'plan', FAILED: 'bad', OFFLINE: 'off', DECOMMISSIONING: 'warn', RETIRED: 'off',
};
const EFFECTS: Record<string, string> = { FAILS: '4', DOWN: 'bad', ISOLATED: 'warn', DEGRADED: 'plan' };
const HUES = 9;
const GREY = 'tone-9';

/** The key of what is not known yet. */
export const UNKNOWN = '…';

/** The value that colours a device: role, status, tenant, feeds or effect. Empty if there is none, `…` if unknown. */
export function keyOf(it: Coloured, by: By): string {
  if (by === 'role') return it.role;
  if (by === 'status') return it.status;
  if (by === 'tenant') return it.tenant ?? '';
  if (by === 'effect') return it.effect ?? '';
  return it.feeds === null ? UNKNOWN : [...it.feeds].sort().join(' + ');
}

/** The legend: what occurs, the most frequent first, with the class of its colour. Same key, same colour. */
export function legendOf(devices: readonly Coloured[], by: By): Entry[] {
  const counts = new Map<string, number>();
  for (const it of devices) counts.set(keyOf(it, by), (counts.get(keyOf(it, by)) ?? 0) + 1);
  const named = [...counts.keys()].filter((it) => it && it !== UNKNOWN).sort();
  const toneOf = (key: string): string => {
    if (!key || key === UNKNOWN) return GREY;
    if (by === 'role') return `tone-${ROLES[key] ?? 9}`;
    if (by === 'status') return `tone-${STATUSES[key] ?? 'off'}`;
    if (by === 'effect') return `tone-${EFFECTS[key] ?? 'off'}`;
    return `tone-${named.indexOf(key) % HUES}`;
  };
  return [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([key, count]) => ({ key, tone: toneOf(key), count }));
}
