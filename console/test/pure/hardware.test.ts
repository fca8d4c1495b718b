import { test } from 'node:test';
import assert from 'node:assert/strict';
import { bytes, diskBytes } from '../../src/kinds/format.ts';
import { alarmsOf, errorWords, lackOf, memoryWords, needsRoot, processorWords } from '../../src/screens/hardware-data.ts';
import type { Disk, Module, Report } from '../../src/screens/hardware-data.ts';

const disk = (name: string, more: Partial<Disk> = {}): Disk =>
  ({ name, manufacturer: null, model: null, serial: null, place: null, sizeBytes: null, medium: null, firmwareVersion: null, health: null, ...more });
const module = (slot: string, sizeBytes: number | null): Module => ({ slot, sizeBytes, type: null, speedMts: null, manufacturer: null, partNumber: null, serial: null });
const report = (more: Partial<Report>): Report =>
  ({ origin: 'AGENT', agentVersion: '1', observedAt: '', receivedAt: '', since: '', sections: [], system: null, processors: null, memory: null, disks: null, interfaces: null, ...more });

test('memory has binary units, and disks have decimal ones', () => {
  assert.equal(bytes(64 * 2 ** 30), '64 GiB');
  assert.equal(diskBytes(3_840_755_982_336), '3.84 TB');
  // A virtual disk of whole MiB is a disk, too.
  assert.equal(diskBytes(20 * 2 ** 30), '21.47 GB');
});

test('what fails is said in sentences, and nothing else is', () => {
  const errors = (uncorrected: number): Partial<Report> => ({ memory: { slots: null, modules: [], errors: { corrected: 5, uncorrected } } });
  const table: Array<[Partial<Report>, string[]]> = [
    [{}, []],
    [{ disks: [disk('sda', { health: 'PASSED' }), disk('sdb')], ...errors(0) }, []],
    [{ disks: [disk('sda', { health: 'FAILING', serial: 'S1' }), disk('sdb', { health: 'FAILING' })] }, ['The disk sda with the serial number S1 expects to fail.', 'The disk sdb expects to fail.']],
    [errors(1), ['1 error of the memory could not be corrected since the boot.']],
  ];
  for (const [of, expected] of table) assert.deepEqual(alarmsOf(report(of)), expected);
});

test('sums are in words', () => {
  const size = 16 * 2 ** 30;
  assert.equal(memoryWords({ slots: 24, errors: null, modules: [module('A', size), module('B', size)] }), '32 GiB, 2 of 24 slots filled');
  assert.equal(memoryWords({ slots: null, errors: null, modules: [module('A', size), module('B', null)] }), 'at least 16 GiB, 2 modules');
  assert.equal(memoryWords({ slots: 1, errors: null, modules: [] }), '0 of 1 slot filled');
  assert.equal(errorWords({ corrected: 0, uncorrected: 0 }), 'none');
  assert.equal(errorWords({ corrected: 2, uncorrected: 1 }), '2 corrected, 1 not');
  const processor = { socket: 0, model: null, cores: 48, threads: 96, microcode: null };
  assert.equal(processorWords([processor, { ...processor, socket: 1 }]), '2 sockets, 96 cores, 192 threads');
});

test('a section tells what it lacks', () => {
  const unread = [{ what: '/sys/firmware/dmi/tables/DMI', reason: 'permission denied' }];
  const of = report({ sections: [{ name: 'system', complete: true, unread: [] }, { name: 'memory', complete: false, unread }] });
  assert.equal(lackOf(of, 'system'), null);
  assert.deepEqual(lackOf(of, 'memory')?.unread, unread);
  assert.deepEqual(lackOf(of, 'disks'), { name: 'disks', complete: false, unread: [] });
  assert.equal(needsRoot({ name: 'memory', complete: false, unread }), true);
  assert.equal(needsRoot({ name: 'memory', complete: false, unread: [{ what: 'x', reason: 'is no number' }] }), false);
});
