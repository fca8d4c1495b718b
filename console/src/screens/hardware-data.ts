// What is reported of the hardware of a host: the query, and what is said about it. Pure.
import { bytes, isolated, number } from '../kinds/format.ts';

export const DOCUMENT = `query Hardware($id: ID!) { node(id: $id) { ... on Host { id name hardwareConditions
  agentToken { issuedAt issuedTo revokedAt }
  facts { origin agentVersion observedAt receivedAt since sections { name complete unread { what reason } }
    system { uuid manufacturer model serial boardManufacturer boardModel boardSerial chassisSerial assetTag firmwareVendor firmwareVersion firmwareDate bootMode secureBoot }
    processors { socket model cores threads microcode }
    memory { slots errors { corrected uncorrected } modules { slot sizeBytes type speedMts manufacturer partNumber serial } }
    disks { name manufacturer model serial place sizeBytes medium firmwareVersion health }
    interfaces { name permanentMac mac kind place driver firmwareVersion carrier carrierChanges speedMbps }
  }
} } }`;
export const RAW = 'query RawFacts($id: ID!) { node(id: $id) { ... on Host { facts { origin since raw } } } }';

export interface System {
  uuid: string | null; manufacturer: string | null; model: string | null; serial: string | null;
  boardManufacturer: string | null; boardModel: string | null; boardSerial: string | null; chassisSerial: string | null; assetTag: string | null;
  firmwareVendor: string | null; firmwareVersion: string | null; firmwareDate: string | null; bootMode: string | null; secureBoot: boolean | null;
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
export interface Section { name: string; complete: boolean; unread: Array<{ what: string; reason: string }> }
export interface Report {
  origin: string; agentVersion: string; observedAt: string; receivedAt: string; since: string; sections: Section[];
  system: System | null; processors: Processor[] | null; memory: Memory | null; disks: Disk[] | null; interfaces: Interface[] | null;
}
export interface AgentToken { issuedAt: string; issuedTo: string; revokedAt: string | null }
export interface Machine { id: string; name: string; hardwareConditions: string[]; agentToken: AgentToken | null; facts: Report[] }

/** Values that are known, as one text. */
export const known = (...values: Array<string | null>): string => values.filter(Boolean).join(' ');

const counted = (count: number, one: string, many = `${one}s`): string => `${number(count)} ${count === 1 ? one : many}`;

/** What needs somebody at once, in whole sentences. */
export function alarmsOf(report: Report): string[] {
  const failing = (report.disks ?? []).filter((it) => it.health === 'FAILING');
  const lost = report.memory?.errors?.uncorrected ?? 0;
  return [
    ...failing.map((it) => `The disk ${isolated(it.name)}${it.serial ? ` with the serial number ${isolated(it.serial)}` : ''} expects to fail.`),
    ...(lost > 0 ? [`${counted(lost, 'error')} of the memory could not be corrected since the boot.`] : []),
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

/** A section that the report does not have, or of which something could not be read; null if it is whole. */
export function lackOf(report: Report, name: string): Section | null {
  const section = report.sections.find((it) => it.name === name);
  if (!section) return { name, complete: false, unread: [] };
  return section.complete ? null : section;
}

export const isReported = (report: Report, name: string): boolean => report.sections.some((it) => it.name === name);

/** True if the agent may read more with the rights of root. */
export const needsRoot = (section: Section): boolean => section.unread.some((it) => /permission denied|not permitted/i.test(it.reason));
