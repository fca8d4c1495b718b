// The effects of an impact on the racks that are drawn, in one line, and the way to its reasons.
import { Failure, impactPath, number, setParams } from '../shared.ts';
import { EFFECTS } from './reasons.ts';
import { lightWords } from './effects.tsx';
import type { Device } from './rack-data.ts';
import { askedOf, FAILS, keptOf } from './rack-impact.ts';
import type { Lit } from './rack-impact.ts';

const list = new Intl.ListFormat('en', { type: 'conjunction' });

/** `part`: true if the address asks for other racks than those that the impact reaches. */
export function LitLine({ lit, devices, part }: { lit: Lit | null; devices: readonly Device[]; part: boolean }) {
  const of = askedOf();
  const count = (effect: string): number => devices.filter((it) => it.effect === effect).length;
  const here = [FAILS, ...EFFECTS].filter((it) => count(it) > 0).map((it) => `${number(count(it))} ${it === FAILS ? 'in the basket' : lightWords(it).toLowerCase()}`);
  const elsewhere = (lit?.effects.size ?? 0) - devices.filter((it) => it.effect !== null).length;
  return (
    <p class="lit-line">
      <span role="status">
        If {number(of.length)} {of.length === 1 ? 'object fails' : 'objects fail'}, {!lit ? 'these devices are affected: reading…' : here.length === 0 ? 'no device in these racks is affected.' : <>the devices in these racks are affected: {list.format(here)}.</>}
        {elsewhere > 0 && <span class="quiet"> {number(elsewhere)} more devices are affected elsewhere.</span>}
        {lit && !lit.whole && <span class="quiet"> More are being read.</span>}
      </span>
      {lit?.error && <Failure error={lit.error} />}
      <a href={impactPath(of)}>Show the reasons</a>
      {part && <a href={`/elevations${keptOf()}`}>All racks that it reaches</a>}
      <button type="button" onClick={() => setParams({ of: null, by: null })}>Do not show it</button>
    </p>
  );
}
