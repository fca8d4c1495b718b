// Beside the drawings: the device that is selected or the racks, the legend, and what has no place yet.
import { Act, EnumValue, enumWords, Failure, intoBasket, number, pathOf, refusal, useQuery } from '../shared.ts';
import type { Entry } from '../draw/tones.ts';
import { spaceOf, unitWords } from '../draw/units.ts';
import { deviceOf, keyWords, UNPLACED } from './rack-data.ts';
import type { Device, Rack, UnplacedAnswer } from './rack-data.ts';
import { beginDrag } from './rack-drag.ts';
import { gatheredPlaces } from './rack-gathered.ts';
import type { Look } from './rack-look.ts';
import { gatherStep, pickUp } from './rack-move.ts';
import { fromPlace } from './rack-place.ts';

export interface RackPaneProps {
  racks: readonly Rack[];
  single: boolean;
  look: Look;
  legend: readonly Entry[];
  device: Device | null;
  box: { current: HTMLElement | null };
  onMove(device: Device): void;
  onPick(id: string): void;
  onClose(): void;
}

export function RackPane(props: RackPaneProps) {
  const { racks, single, look, legend, device } = props;
  return (
    <aside class="rack-pane" aria-label={device ? device.name : 'Racks'} tabIndex={0}>
      {device ? <Facts {...props} device={device} /> : <Sums racks={racks} single={single} />}
      <h3>Colours</h3>
      <ul class="legend" aria-label="Colours">
        {legend.map((it) => <li key={it.key}><span class={`swatch ${it.tone}`} aria-hidden="true" /><bdi>{keyWords(look.by, it.key)}</bdi><span class="count">{number(it.count)}</span></li>)}
      </ul>
      {look.ports && (
        <p class="port-key"><span class="dot-cabled" aria-hidden="true" /> with a cable <span class="dot-open" aria-hidden="true" /> without <span class="dot-off" aria-hidden="true" /> disabled</p>
      )}
      <Tray {...props} />
    </aside>
  );
}

function Facts({ device, racks, look, onMove, onPick, onClose }: RackPaneProps & { device: Device }) {
  const rack = racks.find((it) => it.devices.some((one) => one.id === device.id));
  const cabled = device.dots?.filter((it) => it.state === 'cabled').length ?? 0;
  const lines: Array<[string, string | null]> = [
    ['Place', `${rack?.name ?? ''} · ${unitWords(device.start, device.height)} · ${device.face === 'FRONT' ? 'front' : 'rear'}${device.fullDepth ? ', full depth' : ''}`],
    ['Impact', look.lit ? keyWords('effect', device.effect ?? '') : null], ['Model', device.model], ['Serial', device.serial], ['Asset tag', device.assetTag], ['Tenant', device.tenant],
    ['Feeds', device.feeds?.join(', ') || null], ['Ports', device.dots && `${number(cabled)} of ${number(device.dots.length)} with a cable`],
  ];
  return (
    <>
      <button type="button" class="close" aria-label="Close" onClick={onClose}>✕</button>
      <h2><a href={pathOf('Device', { id: device.id })}><bdi>{device.name}</bdi></a></h2>
      <p class="parts"><span>{enumWords(device.role)}</span><EnumValue field="status" value={device.status} /></p>
      <dl class="facts">
        {lines.filter(([, text]) => text).map(([title, text]) => <div key={title}><dt>{title}</dt><dd><bdi>{text}</bdi></dd></div>)}
      </dl>
      <div class="pane-actions">
        <Act refusal={refusal('apply')} onClick={() => onPick(device.id)}>Pick up <kbd>Space</kbd></Act>
        <Act refusal={refusal('apply')} onClick={() => onMove(device)}>Move to… <kbd>m</kbd></Act>
        <button type="button" onClick={() => intoBasket([device.id])}>What if it fails <kbd>i</kbd></button>
        <a href={`${pathOf('Device', { id: device.id })}/trace`}>Trace its ports</a>
        <Act refusal={refusal('apply')} onClick={() => void gatherStep(device, null)}>Take out</Act>
      </div>
    </>
  );
}

function Sums({ racks, single }: { racks: readonly Rack[]; single: boolean }) {
  const spaces = racks.map((it) => spaceOf(it.heightU, it.devices));
  const sum = (of: (it: (typeof spaces)[number]) => number): number => spaces.reduce((all, it) => all + of(it), 0);
  const lines: Array<[string, string]> = [
    ['Taken', `${number(sum((it) => it.used))} U`], ['Free', `${number(sum((it) => it.free))} U`],
    ['Largest run', `${number(Math.max(0, ...spaces.map((it) => it.largest)))} U`], ['Devices', number(racks.reduce((all, it) => all + it.devices.length, 0))],
  ];
  return (
    <>
      <h2>{single ? 'This rack' : 'These racks'}</h2>
      <dl class="facts">{lines.map(([title, text]) => <div key={title}><dt>{title}</dt><dd>{text}</dd></div>)}</dl>
      <p class="quiet">Select a device to see more. Space picks it up, the arrow keys move it, and each step is tried by the server.</p>
    </>
  );
}

/** Devices without a unit in these racks, and those of the sites that stand in none. */
function Tray({ racks, box, onMove }: RackPaneProps) {
  const sites = [...new Set(racks.map((it) => it.site.id))];
  const query = useQuery<UnplacedAnswer>(UNPLACED, { sites }, ['Device']);
  const answer = query.data.value?.devices;
  const without = racks.flatMap((rack) => rack.devices.filter((it) => it.start === null).map((it) => ({ it, rack })));
  const moved = gatheredPlaces();
  const unplaced = (answer?.nodes ?? []).map(deviceOf).filter((it) => !moved.has(it.id));
  const first = racks[0];
  const chip = (it: Device, rack: Rack | undefined, where: string) => (
    <li key={it.id}>
      <button
        type="button" class="tray-device" title="Drag it into a rack, or press it to place it by keys" onPointerDown={(event) => beginDrag(event, it, racks, box.current)}
        onClick={() => { const position = rack && fromPlace(it, rack); if (position) pickUp(it, position); else onMove(it); }}
      >
        <bdi>{it.name}</bdi><span class="quiet">{enumWords(it.role)}{where && <> · <bdi>{where}</bdi></>}</span>
      </button>
      <button type="button" class="plain" aria-label={`Move ${it.name} to…`} title="Move to…" onClick={() => onMove(it)}>…</button>
    </li>
  );
  return (
    <>
      {query.error.value && <Failure error={query.error.value} />}
      {unplaced.length > 0 && <><h3>Without a rack ({number(answer?.totalCount ?? 0)})</h3><ul class="tray">{unplaced.map((it) => chip(it, first, ''))}</ul></>}
      {without.length > 0 && <><h3>Without a unit ({number(without.length)})</h3><ul class="tray">{without.map(({ it, rack }) => chip(it, rack, racks.length > 1 ? rack.name : ''))}</ul></>}
    </>
  );
}
