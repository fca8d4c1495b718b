// The hardware that a host has less of than is expected, in words. Pure.
import { bytes, diskBytes, isolated, number } from '../kinds/format.ts';
import { enumWords } from '../kinds/registry.ts';

export interface Missing { measure: string; expected: number; found: number; demand: string }
export interface Acknowledged { at: string; by: string }

const MEASURES: Record<string, { title: string; of?: (amount: number) => string }> = {
  PROCESSORS: { title: 'Processors' }, CORES: { title: 'Cores' }, THREADS: { title: 'Threads' }, MEMORY_MODULES: { title: 'Memory modules' },
  MEMORY_BYTES: { title: 'Memory', of: bytes }, DISKS: { title: 'Disks' }, DISK_BYTES: { title: 'Size of all disks', of: diskBytes }, GPUS: { title: 'GPUs' },
  INTERFACES: { title: 'Interfaces' }, DEVICES: { title: 'Devices' },
};

/** A server that is newer may have other measures: they are shown by their own words. */
export const measureTitle = (measure: string): string => MEASURES[measure]?.title ?? enumWords(measure);

/** `240 GiB of 256 GiB`. */
export function amountWords({ measure, found, expected }: Missing): string {
  const of = MEASURES[measure]?.of ?? number;
  return `${of(found)} of ${of(expected)}`;
}

/** Who expects it. */
export function demandWords({ demand, measure }: Missing, hostClass: string | null): string {
  if (demand === 'ACKNOWLEDGED') return 'as acknowledged';
  if (demand !== 'CLASS') return enumWords(demand);
  // What a class demands is compared so, because some provisioners count threads as cores.
  const compared = measure === 'CORES' ? ', compared with threads' : '';
  return `demanded by ${hostClass === null ? 'its class' : `the class ${isolated(hostClass)}`}${compared}`;
}

/** True if something stays missing when the hardware is acknowledged as it is. */
export const staysMissing = (all: readonly Missing[]): boolean => all.some((it) => it.demand !== 'ACKNOWLEDGED');
