// The sections of a report: what the machine has, and beside each section what could not be read of it.
import type { ComponentChildren } from 'preact';
import { bytes, diskBytes, EnumValue, number, rate } from '../shared.ts';
import { errorWords, isReported, known, lackOf, memoryWords, needsRoot, processorWords } from './hardware-data.ts';
import type { Disk, Interface, Module, Processor, Report, System } from './hardware-data.ts';

interface Column<T> {
  title: string;
  /** The value; null, or an empty text, if it was not reported. */
  of(it: T): ComponentChildren;
  numeric?: boolean;
}

interface SectionProps {
  report: Report;
  name: string;
  title: string;
  /** The section in a few words, such as its sum. */
  sum?: string | undefined;
  children: ComponentChildren;
}

function Section({ report, name, title, sum, children }: SectionProps) {
  const lack = lackOf(report, name);
  return (
    <section aria-label={title}>
      <h2 class="sub">{title}{sum && <span class="hardware-sum">{sum}</span>}</h2>
      {!isReported(report, name) && <p class="quiet">The agent did not report this.</p>}
      {lack && isReported(report, name) && (
        <div class="host-note hardware-lack">
          <b>Not everything could be read.</b> What is absent here may still be there.
          <ul>{lack.unread.map((it) => <li key={`${it.what} ${it.reason}`}><code><bdi>{it.what}</bdi></code>: <bdi>{it.reason}</bdi></li>)}</ul>
          {needsRoot(lack) && <p>Run the agent as root.</p>}
        </div>
      )}
      {children}
    </section>
  );
}

interface TableProps<T> {
  label: string;
  rows: readonly T[];
  columns: ReadonlyArray<Column<T>>;
  keyOf(it: T): string | number;
  isBad?(it: T): boolean;
}

const isEmpty = (value: ComponentChildren): boolean => value === null || value === undefined || value === false || value === '';

/** A table of parts. A column that no part has a value for is named below instead. */
function Table<T>({ label, rows, columns, keyOf, isBad }: TableProps<T>) {
  if (rows.length === 0) return <p class="quiet">None found.</p>;
  const shown = columns.filter((it, at) => at === 0 || rows.some((row) => !isEmpty(it.of(row))));
  const unset = columns.filter((it) => !shown.includes(it));
  return (
    <>
      <div class="scroll" tabIndex={0} role="group" aria-label={label}>
        <table class="units hardware-table">
          <thead><tr>{shown.map((it) => <th scope="col" key={it.title} class={it.numeric ? 'numeric' : undefined}>{it.title}</th>)}</tr></thead>
          <tbody>
            {rows.map((row) => (
              <tr key={keyOf(row)} class={isBad?.(row) ? 'bad' : undefined}>
                {shown.map((it, at) => (at === 0
                  ? <th scope="row" key={it.title}>{it.of(row)}</th>
                  : <td key={it.title} class={it.numeric ? 'numeric' : undefined}>{it.of(row)}</td>))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {unset.length > 0 && <p class="unset">Not reported: {unset.map((it) => it.title.toLowerCase()).join(', ')}.</p>}
    </>
  );
}

const text = (value: string | null): ComponentChildren => (value === null || value === '' ? null : <bdi>{value}</bdi>);
/** Serial numbers and addresses are read letter by letter. */
const code = (value: string | null): ComponentChildren => (value === null ? null : <code><bdi>{value}</bdi></code>);

function systemRows(it: System): Array<[string, ComponentChildren]> {
  const firmware = known(it.firmwareVendor, it.firmwareVersion, it.firmwareDate && `of ${it.firmwareDate}`);
  return [
    ['Maker', text(it.manufacturer)], ['Model', text(it.model)], ['Serial number', code(it.serial)],
    ['Mainboard', text(known(it.boardManufacturer, it.boardModel))], ['Serial number of the mainboard', code(it.boardSerial)],
    ['Serial number of the chassis', code(it.chassisSerial)], ['Asset tag', code(it.assetTag)], ['UUID', code(it.uuid)],
    ['Firmware', text(firmware)], ['Booted by', it.bootMode],
    ['Secure Boot', it.secureBoot === null ? null : <span class={`state ${it.secureBoot ? 'good' : 'off'}`}>{it.secureBoot ? 'On' : 'Off'}</span>],
  ];
}

export function SystemPart({ report }: { report: Report }) {
  const rows = report.system ? systemRows(report.system) : [];
  const unset = rows.filter(([, value]) => isEmpty(value));
  return (
    <Section report={report} name="system" title="System">
      <dl class="fields hardware-system">{rows.filter(([, value]) => !isEmpty(value)).map(([title, value]) => <div key={title}><dt>{title}</dt><dd><span>{value}</span></dd></div>)}</dl>
      {unset.length > 0 && <p class="unset">Not reported: {unset.map(([title]) => (title === 'UUID' ? title : title.toLowerCase())).join(', ')}.</p>}
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
  { title: 'Serial number', of: (it) => code(it.serial) },
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
  { title: 'Model', of: (it) => text(known(it.manufacturer, it.model)) }, { title: 'Serial number', of: (it) => code(it.serial) },
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
