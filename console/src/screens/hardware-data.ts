// What is reported of the hardware of a host: the query, and what is said about it. Pure.
import { bytes, isolated, number } from '../kinds/format.ts';
import { enumWords } from '../kinds/registry.ts';
import type { Acknowledged, Missing } from './hardware-missing.ts';

export const DOCUMENT = `query Hardware($id: ID!) { node(id: $id) { ... on Host { id name hardwareConditions
  agentToken { issuedAt issuedTo revokedAt } parts { kind serial } class { name }
  missingHardware { measure expected found demand } acknowledgedHardware { at by }
  facts { origin agentVersion observedAt receivedAt since stale sections { name complete unread { what reason } notes { about text } }
    system { uuid manufacturer model serial boardManufacturer boardModel boardSerial chassisSerial assetTag firmwareVendor firmwareVersion firmwareDate bootMode secureBoot secureBootAuthorities }
    processors { socket model cores threads microcode }
    memory { slots errors { corrected uncorrected } modules { slot sizeBytes type speedMts manufacturer partNumber serial } }
    disks { name manufacturer model serial place sizeBytes medium firmwareVersion health }
    interfaces { name permanentMac mac kind place driver firmwareVersion carrier carrierChanges speedMbps }
    gpus { place vendor device model serial uuid memoryBytes firmwareVersion driver driverVersion linkWidth maxLinkWidth numaNode offBus }
    devices { place vendor device subsystemVendor subsystemDevice class revision driver linkSpeedMts maxLinkSpeedMts linkWidth maxLinkWidth numaNode }
    neighbours { interface chassisId portId portDescription systemName systemDescription managementAddresses capabilities }
  }
} } }`;
export const RAW = 'query RawFacts($id: ID!) { node(id: $id) { ... on Host { facts { origin since raw } } } }';

export interface System {
  uuid: string | null; manufacturer: string | null; model: string | null; serial: string | null;
  boardManufacturer: string | null; boardModel: string | null; boardSerial: string | null; chassisSerial: string | null; assetTag: string | null;
  firmwareVendor: string | null; firmwareVersion: string | null; firmwareDate: string | null; bootMode: string | null; secureBoot: boolean | null;
  secureBootAuthorities: string[] | null;
}
export interface Processor { socket: number; model: string | null; cores: number; threads: number; microcode: string | null }
export interface Module {
  slot: string; sizeBytes: number | null; type: string | null; speedMts: number | null;
  manufacturer: string | null; partNumber: string | null; serial: string | null;
}
export interface Memory { slots: number | null; errors: { corrected: number; uncorrected: number } | null; modules: Module[] }
export interface Disk {
  name: string; manufacturer: string | null; model: string | null; serial: string | null; place: string | null;
  sizeBytes: number | null; medium: string | null; firmwareVersion: string | null; health: string | null;
}
export interface Interface {
  name: string; permanentMac: string | null; mac: string | null; kind: string | null; place: string | null; driver: string | null;
  firmwareVersion: string | null; carrier: boolean | null; carrierChanges: number | null; speedMbps: number | null;
}
export interface Gpu {
  place: string; vendor: string | null; device: string | null; model: string | null; serial: string | null; uuid: string | null; memoryBytes: number | null;
  firmwareVersion: string | null; driver: string | null; driverVersion: string | null; linkWidth: number | null; maxLinkWidth: number | null;
  numaNode: number | null; offBus: boolean;
}
export interface PciDevice {
  place: string; vendor: string | null; device: string | null; subsystemVendor: string | null; subsystemDevice: string | null; class: string | null;
  revision: string | null; driver: string | null; linkSpeedMts: number | null; maxLinkSpeedMts: number | null; linkWidth: number | null;
  maxLinkWidth: number | null; numaNode: number | null;
}
export interface Neighbour {
  interface: string; chassisId: string; portId: string; portDescription: string | null; systemName: string | null; systemDescription: string | null;
  managementAddresses: string[]; capabilities: string[];
}
export interface Section { name: string; complete: boolean; unread: Array<{ what: string; reason: string }>; notes: Array<{ about: string; text: string }> }
export interface Report {
  origin: string; agentVersion: string; observedAt: string; receivedAt: string; since: string; stale: boolean; sections: Section[];
  system: System | null; processors: Processor[] | null; memory: Memory | null; disks: Disk[] | null; interfaces: Interface[] | null;
  gpus: Gpu[] | null; devices: PciDevice[] | null; neighbours: Neighbour[] | null;
}
export interface AgentToken { issuedAt: string; issuedTo: string; revokedAt: string | null }
/** True if an agent can report with the token. */
export const isAccepted = (it: AgentToken | null): it is AgentToken => it !== null && it.revokedAt === null;
export interface Machine {
  id: string; name: string; hardwareConditions: string[]; agentToken: AgentToken | null; parts: HeldPart[] | null; class: { name: string } | null;
  missingHardware: Missing[]; acknowledgedHardware: Acknowledged | null; facts: Report[];
}
/** A part of the host that has a page of its own. */
export interface HeldPart { kind: string; serial: string }

/** Who reports, in a heading and in a sentence. */
const ORIGINS: Record<string, { title: string; who: string }> = {
  AGENT: { title: 'Agent', who: 'the agent' }, RECORDER: { title: 'OpenStack’s recorder', who: 'OpenStack’s recorder' }, BMC: { title: 'BMC', who: 'the BMC' },
  PROVISIONER: { title: 'Provisioner', who: 'the provisioner' },
};
/** A server that is newer may have other ones: they are shown by their own words. */
export const originTitle = (origin: string): string => ORIGINS[origin]?.title ?? enumWords(origin);
export const reportedBy = (origin: string): string => `Reported by ${ORIGINS[origin]?.who ?? `“${enumWords(origin)}”`}`;

/** The sections of reports in the order in which they are shown, as a sentence names them. */
const SECTIONS: Array<[string, string]> = [
  ['system', 'the system'], ['processors', 'processors'], ['memory', 'memory'], ['disks', 'disks'], ['gpus', 'GPUs'], ['interfaces', 'interfaces'],
  ['neighbours', 'neighbours'], ['devices', 'devices'],
];

/** What the report has no word of, as a sentence; null if it has every section. */
export function silenceOf(report: Report): string | null {
  const silent = SECTIONS.filter(([name]) => !isReported(report, name)).map(([, title]) => title);
  if (silent.length === 0) return null;
  const [list, who] = [new Intl.ListFormat('en').format(silent), ORIGINS[report.origin]?.who];
  return who ? `${who[0]?.toUpperCase()}${who.slice(1)} did not report: ${list}.` : `Not reported: ${list}.`;
}

/** Values that are known, as one text. */
export const known = (...values: Array<string | null>): string => values.filter(Boolean).join(' ');

const counted = (count: number, one: string, many = `${one}s`): string => `${number(count)} ${count === 1 ? one : many}`;

/** What needs somebody at once, in whole sentences. */
export function alarmsOf(report: Report): string[] {
  const failing = (report.disks ?? []).filter((it) => it.health === 'FAILING');
  const lost = report.memory?.errors?.uncorrected ?? 0;
  const numbered = (serial: string | null): string => (serial ? ` with the serial number ${isolated(serial)}` : '');
  return [
    ...failing.map((it) => `The disk ${isolated(it.name)}${numbered(it.serial)} expects to fail.`),
    ...(lost > 0 ? [`${counted(lost, 'error')} of the memory could not be corrected since the boot.`] : []),
    ...(report.gpus ?? []).filter((it) => it.offBus).map((it) => `The GPU at ${isolated(it.place)}${numbered(it.serial)} fell off the bus.`),
  ];
}

/** The size of the memory, and how many of its slots are filled. */
export function memoryWords({ modules, slots }: Memory): string {
  const sizes = modules.map((it) => it.sizeBytes);
  const sum = sizes.reduce<number>((all, it) => all + (it ?? 0), 0);
  const size = sum > 0 ? [`${sizes.includes(null) ? 'at least ' : ''}${bytes(sum)}`] : [];
  return [...size, slots === null ? counted(modules.length, 'module') : `${number(modules.length)} of ${counted(slots, 'slot')} filled`].join(', ');
}

export function errorWords({ corrected, uncorrected }: { corrected: number; uncorrected: number }): string {
  return corrected + uncorrected === 0 ? 'none' : `${number(corrected)} corrected, ${number(uncorrected)} not`;
}

export function processorWords(processors: readonly Processor[]): string {
  const sum = (of: 'cores' | 'threads'): number => processors.reduce((all, it) => all + it[of], 0);
  return `${counted(processors.length, 'socket')}, ${counted(sum('cores'), 'core')}, ${counted(sum('threads'), 'thread')}`;
}

/** A section of which something could not be read; null if it is whole, or not there at all. */
export function lackOf(report: Report, name: string): Section | null {
  const section = report.sections.find((it) => it.name === name);
  return section && !section.complete ? section : null;
}

export const isReported = (report: Report, name: string): boolean => report.sections.some((it) => it.name === name);

/** True if the agent may read more with the rights of root. */
export const needsRoot = (section: Section): boolean => section.unread.some((it) => /permission denied|not permitted/i.test(it.reason));

/** Remarks about parts of a section. Each is a sentence without its full stop. */
export const notesOf = (report: Report, name: string): Section['notes'] => report.sections.find((it) => it.name === name)?.notes ?? [];

interface Lanes { linkWidth: number | null; maxLinkWidth: number | null; linkSpeedMts?: number | null; maxLinkSpeedMts?: number | null }
export interface LinkWords { now: string; possible: string; isLess: boolean }

const laneWords = (width: number | null, mts: number | null | undefined): string =>
  [width === null ? '' : counted(width, 'lane'), mts ? `${number(mts / 1000)} GT/s` : ''].filter(Boolean).join(', ');

/** The link of a device at PCI: what it is, and what the device could use. Null if nothing is known of it. */
export function linkOf({ linkWidth, maxLinkWidth, linkSpeedMts, maxLinkSpeedMts }: Lanes): LinkWords | null {
  const now = laneWords(linkWidth, linkSpeedMts);
  if (!now) return null;
  const isLess = (linkWidth ?? 0) < (linkWidth === null ? 0 : maxLinkWidth ?? 0) || (linkSpeedMts ?? 0) < (linkSpeedMts ? maxLinkSpeedMts ?? 0 : 0);
  return { now, possible: laneWords(maxLinkWidth, maxLinkSpeedMts), isLess };
}

/** The base classes of PCI. */
const CLASSES: Record<string, string> = {
  '01': 'Storage', '02': 'Network', '03': 'Display', '04': 'Multimedia', '05': 'Memory', '06': 'Bridge', '07': 'Communication', '08': 'System', '09': 'Input',
  '0a': 'Docking station', '0b': 'Processor', '0c': 'Serial bus', '0d': 'Wireless', '0e': 'Intelligent controller', '0f': 'Satellite', '10': 'Encryption',
  '11': 'Signal processing', '12': 'Accelerator',
};
/** The class of a device in words; one that has none, by its number. */
export const classWords = (number: string): string => CLASSES[number.slice(0, 2)] ?? number;

/** The numbers of a vendor and a device, as lists of them are sorted. */
export const numbersOf = (vendor: string | null, device: string | null): string | null => (vendor || device ? `${vendor ?? '????'}:${device ?? '????'}` : null);
