// The sections of a report that not every machine has: GPUs, neighbours, and other devices at PCI.
import { bytes, enumWords, number } from '../shared.ts';
import { classWords, known, linkOf, numbersOf } from './hardware-data.ts';
import type { Gpu, LinkWords, Neighbour, PciDevice, Report } from './hardware-data.ts';
import { code, Section, Serial, Table, text } from './hardware-table.tsx';
import type { Column } from './hardware-table.tsx';

/** A link at PCI. One that is slower or narrower than it could be says so, and what would be possible. */
function Link({ it }: { it: LinkWords }) {
  if (!it.isLess) return <>{it.now}</>;
  return <span class="hardware-link"><span class="state warn">{it.now}</span> <span class="quiet">possible: {it.possible}</span></span>;
}
const link = (it: Gpu | PciDevice) => {
  const found = linkOf(it);
  return found && <Link it={found} />;
};
const lessWords = (all: ReadonlyArray<Gpu | PciDevice>): string => {
  const less = all.filter((it) => linkOf(it)?.isLess).length;
  return less > 0 ? `${number(all.length)}, ${number(less)} with less of a link than possible` : number(all.length);
};

const GPUS: Array<Column<Gpu>> = [
  { title: 'Place', of: (it) => code(it.place) }, { title: 'State', of: (it) => <span class={`state ${it.offBus ? 'bad' : 'good'}`}>{it.offBus ? 'Fell off the bus' : 'On the bus'}</span> },
  { title: 'Model', of: (it) => (it.model ? text(it.model) : code(numbersOf(it.vendor, it.device))) },
  { title: 'Serial number', of: (it) => it.serial && <Serial kind="GPU" serial={it.serial} /> },
  { title: 'Memory', of: (it) => it.memoryBytes && bytes(it.memoryBytes), numeric: true }, { title: 'Link', of: link },
  { title: 'Firmware', of: (it) => code(it.firmwareVersion) }, { title: 'Driver', of: (it) => text(known(it.driver, it.driverVersion)) },
  { title: 'NUMA node', of: (it) => it.numaNode !== null && number(it.numaNode), numeric: true }, { title: 'UUID', of: (it) => code(it.uuid) },
];

export function GpusPart({ report }: { report: Report }) {
  const all = report.gpus;
  return (
    <Section report={report} name="gpus" title="GPUs" sum={all && all.length > 0 ? lessWords(all) : undefined}>
      {all && <Table label="Table of GPUs" rows={all} columns={GPUS} keyOf={(it) => it.place} isBad={(it) => it.offBus} />}
    </Section>
  );
}

const DEVICES: Array<Column<PciDevice>> = [
  { title: 'Place', of: (it) => code(it.place) }, { title: 'Class', of: (it) => it.class && <span title={it.class}>{classWords(it.class)}</span> },
  { title: 'Link', of: link }, { title: 'Vendor and device', of: (it) => code(numbersOf(it.vendor, it.device)) },
  { title: 'Card', of: (it) => code(numbersOf(it.subsystemVendor, it.subsystemDevice)) }, { title: 'Revision', of: (it) => code(it.revision) },
  { title: 'Driver', of: (it) => text(it.driver) }, { title: 'NUMA node', of: (it) => it.numaNode !== null && number(it.numaNode), numeric: true },
];

export function DevicesPart({ report }: { report: Report }) {
  const all = report.devices;
  return (
    <Section report={report} name="devices" title="Devices" sum={all && all.length > 0 ? lessWords(all) : undefined}>
      {all && <Table label="Table of devices" rows={all} columns={DEVICES} keyOf={(it) => it.place} />}
    </Section>
  );
}

const NEIGHBOURS: Array<Column<Neighbour>> = [
  { title: 'Interface', of: (it) => <bdi>{it.interface}</bdi> }, { title: 'Name', of: (it) => text(it.systemName) }, { title: 'Port', of: (it) => code(it.portId) },
  { title: 'Description of the port', of: (it) => text(it.portDescription) }, { title: 'Chassis', of: (it) => code(it.chassisId) },
  { title: 'Addresses', of: (it) => it.managementAddresses.length > 0 && code(it.managementAddresses.join(' ')) },
  { title: 'What it is', of: (it) => text(it.capabilities.map(enumWords).join(', ')) },
  { title: 'Software', of: (it) => it.systemDescription && <span class="hardware-long"><bdi>{it.systemDescription}</bdi></span> },
];

export function NeighboursPart({ report }: { report: Report }) {
  const all = report.neighbours;
  return (
    <Section report={report} name="neighbours" title="Neighbours, as they say themselves" sum={all && all.length > 0 ? number(all.length) : undefined}>
      {all && <Table label="Table of neighbours" rows={all} columns={NEIGHBOURS} keyOf={(it) => `${it.interface} ${it.chassisId} ${it.portId}`} />}
    </Section>
  );
}
