// The sections of a report: what the machine has, and beside each section what could not be read of it.
import type { ComponentChildren } from 'preact';
import { bytes, diskBytes, EnumValue, number, rate } from '../shared.ts';
import { errorWords, known, memoryWords, processorWords } from './hardware-data.ts';
import type { Disk, Interface, Module, Processor, Report, System } from './hardware-data.ts';
import { code, isEmpty, Section, Serial, Table, text } from './hardware-table.tsx';
import type { Column } from './hardware-table.tsx';

function systemRows(it: System): Array<[string, ComponentChildren]> {
  const firmware = known(it.firmwareVendor, it.firmwareVersion, it.firmwareDate && `of ${it.firmwareDate}`);
  return [
    ['Maker', text(it.manufacturer)], ['Model', text(it.model)], ['Serial number', code(it.serial)],
    ['Mainboard', text(known(it.boardManufacturer, it.boardModel))], ['Serial number of the mainboard', code(it.boardSerial)],
    ['Serial number of the chassis', code(it.chassisSerial)], ['Asset tag', code(it.assetTag)], ['UUID', code(it.uuid)],
    ['Firmware', text(firmware)], ['Booted by', it.bootMode],
    ['Secure Boot', it.secureBoot === null ? null : <span class={`state ${it.secureBoot ? 'good' : 'off'}`}>{it.secureBoot ? 'On' : 'Off'}</span>],
    ['Authorities of Secure Boot', it.secureBootAuthorities && it.secureBootAuthorities.length > 0 && <Authorities names={it.secureBootAuthorities} />],
  ];
}

/** The signers of what the machine boots. */
const Authorities = ({ names }: { names: string[] }) => <ul>{names.map((it) => <li key={it}><bdi>{it}</bdi></li>)}</ul>;

export function SystemPart({ report }: { report: Report }) {
  const rows = report.system ? systemRows(report.system) : [];
  const unset = rows.filter(([, value]) => isEmpty(value));
  return (
    <Section report={report} name="system" title="System">
      <dl class="fields hardware-system">{rows.filter(([, value]) => !isEmpty(value)).map(([title, value]) => <div key={title}><dt>{title}</dt><dd><span>{value}</span></dd></div>)}</dl>
      {unset.length > 0 && <p class="unset">Not reported: {unset.map(([title]) => (/^UUID|^Secure/.test(title) ? title : title[0]?.toLowerCase() + title.slice(1))).join(', ')}.</p>}
    </Section>
  );
}

const PROCESSORS: Array<Column<Processor>> = [
  { title: 'Socket', of: (it) => number(it.socket) }, { title: 'Model', of: (it) => text(it.model) },
  { title: 'Cores', of: (it) => number(it.cores), numeric: true }, { title: 'Threads', of: (it) => number(it.threads), numeric: true },
  { title: 'Microcode', of: (it) => code(it.microcode) },
];

export function ProcessorsPart({ report }: { report: Report }) {
  const all = report.processors;
  return (
    <Section report={report} name="processors" title="Processors" sum={all && all.length > 0 ? processorWords(all) : undefined}>
      {all && <Table label="Table of processors" rows={all} columns={PROCESSORS} keyOf={(it) => it.socket} />}
    </Section>
  );
}

const MODULES: Array<Column<Module>> = [
  { title: 'Slot', of: (it) => text(it.slot) }, { title: 'Size', of: (it) => it.sizeBytes && bytes(it.sizeBytes), numeric: true },
  { title: 'Type', of: (it) => text(it.type) }, { title: 'Speed', of: (it) => it.speedMts && `${number(it.speedMts)} MT/s`, numeric: true },
  { title: 'Maker', of: (it) => text(it.manufacturer) }, { title: 'Part number', of: (it) => code(it.partNumber) },
  { title: 'Serial number', of: (it) => it.serial && <Serial kind="MEMORY" serial={it.serial} /> },
];

export function MemoryPart({ report }: { report: Report }) {
  const it = report.memory;
  const bad = it?.errors && it.errors.uncorrected > 0;
  return (
    <Section report={report} name="memory" title="Memory" sum={it && (it.modules.length > 0 || it.slots !== null) ? memoryWords(it) : undefined}>
      {it && (
        <p class="hardware-errors">
          Errors since the boot: {it.errors
            ? <span class={`state ${bad ? 'bad' : it.errors.corrected > 0 ? 'warn' : 'good'}`}>{errorWords(it.errors)}</span>
            : <span class="quiet">not counted by the kernel</span>}
        </p>
      )}
      {it && <Table label="Table of memory modules" rows={it.modules} columns={MODULES} keyOf={(one) => one.slot} />}
    </Section>
  );
}

const MEDIA: Record<string, string> = { NVME: 'NVMe', SSD: 'SSD', HDD: 'HDD' };
const DISKS: Array<Column<Disk>> = [
  { title: 'Name', of: (it) => <bdi>{it.name}</bdi> }, { title: 'Health', of: (it) => it.health && <EnumValue field="health" value={it.health} /> },
  { title: 'Model', of: (it) => text(known(it.manufacturer, it.model)) }, { title: 'Serial number', of: (it) => it.serial && <Serial kind="DISK" serial={it.serial} /> },
  { title: 'Size', of: (it) => it.sizeBytes && diskBytes(it.sizeBytes), numeric: true }, { title: 'Medium', of: (it) => it.medium && (MEDIA[it.medium] ?? it.medium) },
  { title: 'Firmware', of: (it) => code(it.firmwareVersion) }, { title: 'Place', of: (it) => code(it.place) },
];

export function DisksPart({ report }: { report: Report }) {
  const all = report.disks;
  return (
    <Section report={report} name="disks" title="Disks" sum={all && all.length > 0 ? number(all.length) : undefined}>
      {all && <Table label="Table of disks" rows={all} columns={DISKS} keyOf={(it) => it.name} isBad={(it) => it.health === 'FAILING'} />}
    </Section>
  );
}

function Link({ it }: { it: Interface }) {
  if (it.carrier === null) return <span class="quiet">off</span>;
  if (!it.carrier) return <span class="state off">No carrier</span>;
  return <span class="state good">{it.speedMbps === null ? 'Carrier' : rate(it.speedMbps * 1e6)}</span>;
}

/** The permanent address, and the one that a bond has given. */
function Mac({ it }: { it: Interface }) {
  return <>{code(it.permanentMac ?? it.mac)}{it.permanentMac && it.mac && <div class="quiet">now {code(it.mac)}</div>}</>;
}

const KINDS: Record<string, string> = { ETHERNET: 'Ethernet', INFINIBAND: 'InfiniBand' };
const INTERFACES: Array<Column<Interface>> = [
  { title: 'Name', of: (it) => <bdi>{it.name}</bdi> }, { title: 'Carrier', of: (it) => <Link it={it} /> },
  { title: 'Carrier changes', of: (it) => it.carrierChanges !== null && number(it.carrierChanges), numeric: true },
  { title: 'MAC', of: (it) => (it.permanentMac || it.mac ? <Mac it={it} /> : null) }, { title: 'Kind', of: (it) => it.kind && (KINDS[it.kind] ?? it.kind) },
  { title: 'Place', of: (it) => code(it.place) }, { title: 'Driver', of: (it) => text(it.driver) }, { title: 'Firmware', of: (it) => code(it.firmwareVersion) },
];

export function InterfacesPart({ report }: { report: Report }) {
  const all = report.interfaces;
  return (
    <Section report={report} name="interfaces" title="Interfaces" sum={all && all.length > 0 ? number(all.length) : undefined}>
      {all && <Table label="Table of interfaces" rows={all} columns={INTERFACES} keyOf={(it) => it.name} />}
    </Section>
  );
}
