// Racks as tables of their units: what the drawings show, for readers of the screen, for the keyboard, and for paper.
import { Act, EnumValue, enumWords, number, pathOf, refusal } from '../shared.ts';
import { linesOf, unitWords } from '../draw/units.ts';
import type { Line } from '../draw/units.ts';
import { lightWords } from './effects.tsx';
import { isRetired } from './rack-data.ts';
import type { Device, Rack } from './rack-data.ts';
import type { Look } from './rack-look.ts';

export interface RackListProps {
  racks: readonly Rack[];
  look: Look;
  found: ReadonlySet<string> | null;
  onMove(device: Device): void;
}

export function RackList({ racks, look, found, onMove }: RackListProps) {
  return (
    <div class="rack-lists">
      {racks.map((rack) => (
        <table key={rack.id} class="units">
          <caption><a href={pathOf('Rack', { ...rack })}><bdi>{rack.name}</bdi></a> <span class="quiet">{rack.heightU} U at <bdi>{rack.site.name}</bdi></span></caption>
          <thead><tr><th scope="col">Units</th><th scope="col">Face</th><th scope="col">Device</th><th scope="col">Role</th><th scope="col">Status</th>{look.lit && <th scope="col">Impact</th>}<th scope="col">Tenant</th><th scope="col">Ports</th><th scope="col"><span class="hidden">Actions</span></th></tr></thead>
          <tbody>
            {linesOf(rack.heightU, rack.devices).filter((it) => !(look.hideRetired && it.device && isRetired(it.device))).map((it) => (
              <UnitRow lit={look.lit} key={it.device?.id ?? `${it.face} ${it.start}`} line={it} pale={found !== null && !found.has(it.device?.id ?? '')} onMove={onMove} />
            ))}
          </tbody>
        </table>
      ))}
    </div>
  );
}

function UnitRow({ line, pale, lit, onMove }: { line: Line<Device>; pale: boolean; lit: boolean; onMove(device: Device): void }) {
  const { device } = line;
  const face = `${line.face === 'FRONT' ? 'Front' : 'Rear'}${device?.fullDepth ? ', full depth' : ''}`;
  if (!device) {
    return <tr class="free"><td>{unitWords(line.start, line.height)}</td><td>{face}</td><td colSpan={lit ? 7 : 6}>{number(line.height)} U free</td></tr>;
  }
  const cabled = device.dots?.filter((it) => it.state === 'cabled').length ?? 0;
  return (
    <tr class={pale ? 'pale' : undefined}>
      <td>{unitWords(line.start, line.height)}</td>
      <td>{face}</td>
      <th scope="row"><a href={pathOf('Device', { id: device.id })}><bdi>{device.name}</bdi></a>{device.planned && <span class="quiet"> moved, not written yet</span>}</th>
      <td>{enumWords(device.role)}</td>
      <td><EnumValue field="status" value={device.status} /></td>
      {lit && <td>{device.effect && lightWords(device.effect)}</td>}
      <td><bdi>{device.tenant}</bdi></td>
      <td>{device.dots && `${number(cabled)} of ${number(device.dots.length)}`}</td>
      <td><Act refusal={refusal('apply')} label={`Move ${device.name} to…`} onClick={() => onMove(device)}>Move…</Act></td>
    </tr>
  );
}
