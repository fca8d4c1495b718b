// The look of racks: it is in the address, but for the size, which the browser remembers.
import { signal } from '../shared.ts';
import { BYS } from '../draw/tones.ts';
import type { By } from '../draw/tones.ts';
import { FACES } from '../draw/units.ts';
import type { Face } from '../draw/units.ts';

export interface Look {
  by: By;
  /** True if an impact is looked at. */
  lit: boolean;
  q: string;
  ports: boolean;
  hideRetired: boolean;
  list: boolean;
  /** The faces that a row shows; one rack shows both. */
  face: 'front' | 'rear' | 'both';
  /** Racks on a page of paper. */
  print: 1 | 2 | 4;
  whole: boolean;
}

const KEPT = 'underlay-rack-size';
/** True if a rack is made small enough to be seen whole. */
export const whole = signal(localStorage.getItem(KEPT) === 'whole');
/** Racks on a page of paper. */
export const onPage = signal<1 | 2 | 4>(1);

export function switchWhole(on: boolean): void {
  whole.value = on;
  localStorage.setItem(KEPT, on ? 'whole' : 'large');
}

export function lookOf(params: URLSearchParams, single: boolean): Look {
  const by = params.get('by') as By | null;
  const lit = params.has('of');
  const face = params.get('face');
  return {
    by: by && BYS.includes(by) ? by : lit ? 'effect' : 'role', lit, q: params.get('q') ?? '', ports: (params.get('ports') ?? (single ? 'on' : 'off')) === 'on',
    hideRetired: params.get('retired') === 'off', list: params.get('view') === 'list', face: face === 'rear' || face === 'both' ? face : 'front',
    print: onPage.value, whole: whole.value,
  };
}

export function facesOf(look: Look, single: boolean): readonly Face[] {
  if (single || look.face === 'both') return FACES;
  return look.face === 'front' ? ['FRONT'] : ['REAR'];
}
