import { test } from 'node:test';
import assert from 'node:assert/strict';
import { bytes, diskBytes } from '../../src/kinds/format.ts';
import { byVerdict, cablingAlarm, heardWords, isMismatch, sumOf, verdictOf } from '../../src/screens/hardware-cabling.ts';
import type { CabledInterface } from '../../src/screens/hardware-cabling.ts';
import { alarmsOf, classWords, errorWords, lackOf, linkOf, memoryWords, needsRoot, numbersOf, originTitle, processorWords, reportedBy, silenceOf } from '../../src/screens/hardware-data.ts';
import type { Disk, Gpu, Module, Report } from '../../src/screens/hardware-data.ts';
import { amountWords, demandWords, measureTitle, staysMissing } from '../../src/screens/hardware-missing.ts';
import { isolated } from '../../src/kinds/format.ts';

const disk = (name: string, more: Partial<Disk> = {}): Disk =>
  ({ name, manufacturer: null, model: null, serial: null, place: null, sizeBytes: null, medium: null, firmwareVersion: null, health: null, ...more });
const module = (slot: string, sizeBytes: number | null): Module => ({ slot, sizeBytes, type: null, speedMts: null, manufacturer: null, partNumber: null, serial: null });
const report = (more: Partial<Report>): Report =>
  ({ origin: 'AGENT', agentVersion: '1', observedAt: '', receivedAt: '', since: '', stale: false, sections: [], system: null, processors: null, memory: null, disks: null, interfaces: null, gpus: null, devices: null, neighbours: null, ...more });
const gpu = (place: string, more: Partial<Gpu> = {}): Gpu => ({
  place, vendor: null, device: null, model: null, serial: null, uuid: null, memoryBytes: null, firmwareVersion: null, driver: null, driverVersion: null, linkWidth: null,
  maxLinkWidth: null, numaNode: null, offBus: false, ...more,
});

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
    [{ gpus: [gpu('0000:17:00.0'), gpu('0000:65:00.0', { offBus: true, serial: 'G2' })] }, ['The GPU at 0000:65:00.0 with the serial number G2 fell off the bus.']],
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
  const section = (name: string, complete: boolean, not = unread) => ({ name, complete, unread: not, notes: [] });
  const of = report({ sections: [section('system', true, []), section('memory', false)] });
  assert.equal(lackOf(of, 'system'), null);
  assert.deepEqual(lackOf(of, 'memory')?.unread, unread);
  assert.equal(lackOf(of, 'disks'), null);
  assert.equal(needsRoot(section('memory', false)), true);
  assert.equal(needsRoot(section('memory', false, [{ what: 'x', reason: 'is no number' }])), false);
  assert.equal(silenceOf(of), 'The agent did not report: processors, disks, GPUs, interfaces, neighbours, and devices.');
  assert.equal(silenceOf({ ...of, origin: 'FAN_CONTROLLER' }), 'Not reported: processors, disks, GPUs, interfaces, neighbours, and devices.');
  assert.equal(silenceOf(report({ sections: ['system', 'processors', 'memory', 'disks', 'gpus', 'interfaces', 'neighbours', 'devices'].map((it) => section(it, true)) })), null);
});

test('whoever reports is named, also one that is not known here', () => {
  assert.deepEqual(['AGENT', 'BMC', 'FAN_CONTROLLER'].map(originTitle), ['Agent', 'BMC', 'Fan controller']);
  assert.deepEqual(['BMC', 'FAN_CONTROLLER'].map(reportedBy), ['Reported by the BMC', 'Reported by “Fan controller”']);
});

test('a link says what it is, and what it could be', () => {
  const link = (linkWidth: number | null, maxLinkWidth: number | null, linkSpeedMts: number | null, maxLinkSpeedMts: number | null) => linkOf({ linkWidth, maxLinkWidth, linkSpeedMts, maxLinkSpeedMts });
  assert.deepEqual(link(16, 16, 16_000, 16_000), { now: '16 lanes, 16 GT/s', possible: '16 lanes, 16 GT/s', isLess: false });
  assert.equal(link(8, 16, 16_000, 16_000)?.isLess, true);
  assert.equal(link(16, 16, 2_500, 16_000)?.isLess, true);
  // What is possible may be unknown, and so may what is.
  assert.deepEqual(link(1, null, null, 16_000), { now: '1 lane', possible: '16 GT/s', isLess: false });
  assert.equal(link(null, 16, null, 16_000), null);
  // Links of GPUs have no speed.
  assert.deepEqual(linkOf({ linkWidth: 8, maxLinkWidth: 16 }), { now: '8 lanes', possible: '16 lanes', isLess: true });
  assert.deepEqual([classWords('010802'), classWords('ff0000')], ['Storage', 'ff0000']);
  assert.deepEqual([numbersOf('15b3', '101d'), numbersOf('15b3', null), numbersOf(null, null)], ['15b3:101d', '15b3:????', null]);
});

test('what is cabled otherwise than recorded comes first', () => {
  const at = (name: string, verdict: string): CabledInterface => ({ interface: name, verdict, port: null, recorded: [], heard: [] });
  const all = [at('e0', 'NOT_HEARD'), at('e1', 'AGREES'), at('e2', 'SHIELDED'), at('e3', 'DIFFERS'), at('e4', 'UNKNOWN_NEIGHBOUR'), at('e5', 'AGREES')];
  assert.deepEqual(byVerdict(all).map((it) => it.interface), ['e3', 'e4', 'e1', 'e5', 'e0', 'e2']);
  assert.deepEqual(all.filter(isMismatch).map((it) => it.interface), ['e3', 'e4']);
  assert.equal(sumOf(all), 'differs: 1, unknown neighbour: 1, agrees: 2, not heard: 1, shielded: 1');
  assert.deepEqual(verdictOf('SHIELDED'), { title: 'Shielded', tone: 'off', about: '' });
  assert.deepEqual(cablingAlarm(all), ['Another neighbour is heard than is recorded at the interface e3.']);
  const many = Array.from({ length: 6 }, (_, it) => at(`e${it}`, 'DIFFERS'));
  assert.deepEqual(cablingAlarm(many), ['Another neighbour is heard than is recorded at the interfaces e0, e1, e2, e3, and 2 more.']);
  assert.deepEqual(cablingAlarm([]), []);
  assert.deepEqual(heardWords({ chassisId: '02:00', portId: 'Eth1', portDescription: null, systemName: null }), ['02:00', 'Eth1']);
});

test('missing hardware says how much of what there is, and who expects it', () => {
  const missing = (measure: string, found: number, expected: number, demand = 'CLASS') => ({ measure, found, expected, demand });
  const table: Array<[ReturnType<typeof missing>, string | null, string]> = [
    [missing('MEMORY_BYTES', 240 * 2 ** 30, 256 * 2 ** 30), 'gpu-large', `Memory: 240 GiB of 256 GiB, demanded by the class ${isolated('gpu-large')}`],
    [missing('CORES', 32, 64), null, 'Cores: 32 of 64, demanded by its class, compared with threads'],
    [missing('DISK_BYTES', 3_840_755_982_336, 7_681_511_964_672, 'ACKNOWLEDGED'), 'gpu-large', 'Size of all disks: 3.84 TB of 7.68 TB, as acknowledged'],
    [missing('CORES', 32, 64, 'ACKNOWLEDGED'), null, 'Cores: 32 of 64, as acknowledged'],
    [missing('FAN_BLADES', 1000, 2000, 'LAW'), null, 'Fan blades: 1,000 of 2,000, Law'],
  ];
  for (const [it, hostClass, words] of table) assert.equal(`${measureTitle(it.measure)}: ${amountWords(it)}, ${demandWords(it, hostClass)}`, words);
  assert.equal(staysMissing([missing('GPUS', 7, 8, 'ACKNOWLEDGED')]), false);
  assert.equal(staysMissing([missing('GPUS', 7, 8, 'ACKNOWLEDGED'), missing('DISKS', 7, 8)]), true);
});
