// Sums of the space and power of racks by their place. Pure.

interface Named { id: string; name: string }

export interface RackSpace {
  site: Named;
  location: Named | null;
  unitsUsed: number;
  unitsFree: number;
  largestFree: number;
  powerDrawW: { maximum: number | null; unknown: number } | null;
  powerRatedW: number | null;
}

/** A sum in watts; `unknown` if some parts of it are not recorded. */
export interface Watts { watts: number; unknown: boolean }

export interface PlaceSum extends Named {
  racks: number;
  used: number;
  free: number;
  largest: number;
  rated: Watts | null;
  drawn: Watts | null;
}

/** Sums by site if there are several, otherwise by room and row; by name. */
export function sumsOf(racks: readonly RackSpace[]): PlaceSum[] {
  const several = new Set(racks.map((it) => it.site.id)).size > 1;
  const groups = new Map<string, { place: Named; racks: RackSpace[] }>();
  for (const it of racks) {
    const place = several ? it.site : it.location ?? it.site;
    const group = groups.get(place.id) ?? { place, racks: [] };
    group.racks.push(it);
    groups.set(place.id, group);
  }
  const compare = new Intl.Collator(undefined, { numeric: true }).compare;
  return [...groups.values()].map((it) => sum(it.place, it.racks)).sort((a, b) => compare(a.name, b.name));
}

function sum(place: Named, racks: RackSpace[]): PlaceSum {
  const all = (of: (it: RackSpace) => number): number => racks.reduce((total, it) => total + of(it), 0);
  return {
    ...place, racks: racks.length, used: all((it) => it.unitsUsed), free: all((it) => it.unitsFree), largest: Math.max(0, ...racks.map((it) => it.largestFree)),
    rated: watts(racks.map((it) => it.powerRatedW), false), drawn: watts(racks.map((it) => it.powerDrawW?.maximum ?? null), racks.some((it) => (it.powerDrawW?.unknown ?? 0) > 0)),
  };
}

function watts(parts: Array<number | null>, unknown: boolean): Watts | null {
  const known = parts.filter((it) => it !== null);
  return known.length === 0 ? null : { watts: known.reduce((total, it) => total + it, 0), unknown: unknown || known.length < parts.length };
}
