// What is said about events of hardware, and how a list of them goes on.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { changeWords, comeSince, daysOf, filterOf, isAway, linesOf, partWords, subjectOf, toneOf, withCome, withEarlier } from '../../src/screens/hardware-events.ts';
import type { HardwareEvent } from '../../src/screens/hardware-events.ts';

const event = (cursor: string, more: Partial<HardwareEvent> = {}): HardwareEvent =>
  ({ cursor, at: '2026-11-01T10:00:00Z', part: 'DISK', change: 'REPLACED', place: 'pci-1', before: null, after: null, host: { id: 'a', name: 'gpu-1' }, ...more });
const cursors = (events: readonly HardwareEvent[]): string => events.map((it) => it.cursor).join(' ');
/** Lines as text, `title: before > after`. */
const text = (more: Partial<HardwareEvent>): string[] => linesOf(event('1', more)).map((it) => `${it.title}: ${it.before} > ${it.after}`);

test('changes and parts have words that people say', () => {
  const table: Array<[string, string | undefined, string]> = [
    ['ADDED', 'DISK', 'Added'], ['REMOVED', 'DISK', 'Removed'], ['REPLACED', 'MEMORY', 'Replaced'], ['CHANGED', 'SYSTEM', 'Changed'],
    ['FAILING', 'DISK', 'Expects to fail'], ['FAILING', 'MEMORY', 'Errors'], ['FAILING', 'GPU', 'Failing'], ['FAILING', undefined, 'Expects to fail'],
    ['LINK_DOWN', 'INTERFACE', 'Link lost'], ['LINK_UP', 'INTERFACE', 'Link back'], ['NOISY', 'SYSTEM', 'Too many changes'], ['MOVED', 'DISK', 'Moved here'],
    // A server that is newer may say anything.
    ['WENT_AWAY', 'DISK', 'Went away'],
  ];
  for (const [change, part, expected] of table) assert.equal(changeWords(change, part), expected);
  for (const [part, expected] of [['DISK', 'Disk'], ['DEVICE', 'PCI device'], ['GPU', 'GPU'], ['NEIGHBOUR', 'Neighbour'], ['FAN_TRAY', 'Fan tray']] as const) assert.equal(partWords(part), expected);
  assert.equal(toneOf('WENT_AWAY'), 'off');
  assert.deepEqual(subjectOf(event('1', { part: 'SYSTEM', place: 'system' })), { part: 'System', place: '' });
  assert.deepEqual(subjectOf(event('1')), { part: 'Disk', place: 'pci-1' });
});

test('what was before and after is said in few words', () => {
  const disk = (serial: string): object => ({ name: 'sda', manufacturer: 'Samsung', model: 'PM9A3', serial, sizeBytes: 4e12, wwn: 'w' });
  const table: Array<[Partial<HardwareEvent>, string[]]> = [
    [{ before: disk('S1'), after: disk('S2') }, [': Samsung PM9A3 · S1 > Samsung PM9A3 · S2']],
    [{ change: 'ADDED', after: disk('S1') }, [':  > Samsung PM9A3 · S1']],
    [{ change: 'REMOVED', before: disk('S1') }, [': Samsung PM9A3 · S1 > ']],
    [{ change: 'MOVED', before: disk('S1'), after: disk('S1') }, [':  > Samsung PM9A3 · S1']],
    [{ change: 'FAILING', before: { health: 'PASSED' }, after: { health: 'FAILING' } }, []],
    [{ change: 'FAILING', part: 'MEMORY', before: { corrected: 0, uncorrected: 0 }, after: { corrected: 3, uncorrected: 1 } }, [':  > 3 corrected, 1 not']],
    [{ change: 'FAILING', part: 'GPU', before: { offBus: false }, after: { offBus: true } }, ['Off bus: no > yes']],
    [{ change: 'LINK_DOWN', part: 'INTERFACE', before: { carrier: true }, after: { carrier: false } }, []],
    [{ change: 'NOISY', part: 'SYSTEM' }, []],
    [{ change: 'CHANGED', part: 'FIRMWARE', before: { version: '1.0' }, after: { version: '1.1' } }, [': 1.0 > 1.1']],
    [{ change: 'CHANGED', part: 'MEMORY', before: { sizeBytes: 2 ** 34, speedMts: 4800 }, after: { sizeBytes: 2 ** 35, speedMts: 5600 } }, ['Size: 16 GiB > 32 GiB', 'Speed: 4,800 MT/s > 5,600 MT/s']],
    [{ change: 'CHANGED', before: { health: 'FAILING', sizeBytes: 4e12 }, after: { health: 'PASSED', sizeBytes: 8e12 } }, ['Health: Failing > Passed', 'Size: 4 TB > 8 TB']],
    // A part in another place is there as a whole.
    [{ change: 'CHANGED', before: { ...disk('S1'), place: 'pci-1' }, after: { ...disk('S1'), place: 'pci-2' } }, ['Place: pci-1 > pci-2']],
    [{ change: 'CHANGED', part: 'SYSTEM', before: { secureBoot: true }, after: { secureBoot: false } }, ['Secure boot: yes > no']],
    [{ change: 'ADDED', part: 'NEIGHBOUR', after: { interface: 'e1', systemName: 'leaf-1', portId: 'Eth1/1', permanentMac: '02:00' } }, [':  > leaf-1 · Eth1/1']],
    [{ change: 'ADDED', part: 'DEVICE', after: { vendor: '10de', device: '2330' } }, [':  > 10de 2330']],
    [{ change: 'ADDED', after: { name: 'sda' } }, [':  > sda']],
    [{ change: 'WENT_AWAY', before: disk('S1') }, [': Samsung PM9A3 · S1 > ']],
    // Anything may be there.
    [{ before: 'x', after: 7 }, []], [{ change: 'CHANGED', before: null, after: ['x'] }, []], [{ change: 'FAILING' }, []],
  ];
  for (const [more, expected] of table) assert.deepEqual(text(more), expected, JSON.stringify(more));
});

test('a part that moved went away from one host, and came to another', () => {
  const moved = event('1', { change: 'MOVED', host: { id: 'b', name: 'gpu-2' } });
  assert.deepEqual([isAway(moved, 'a'), isAway(moved, 'b'), isAway(moved, undefined), isAway(event('1'), 'b')], [true, false, false, false]);
});

test('events are grouped by the day of the reader', () => {
  const at = (day: number, hour: number): string => new Date(2026, 10, day, hour).toISOString();
  const days = daysOf([event('4', { at: at(3, 1) }), event('3', { at: at(3, 0) }), event('2', { at: at(2, 23) }), event('1', { at: at(1, 12) })], new Date(2026, 10, 3, 12));
  assert.deepEqual(days.map((it) => [it.title.replace(/,.*/, ''), cursors(it.events)]), [['Today', '4 3'], ['Yesterday', '2'], ['November 1', '1']]);
  assert.equal(daysOf([event('1', { at: at(1, 0) })], new Date(2026, 11, 1, 12))[0]?.title.includes('Today'), false);
});

test('a list goes on at its top and at its end, with each event once', () => {
  const list = [event('3'), event('2')];
  assert.equal(withCome(list, event('3'), 10), list);
  assert.equal(cursors(withCome(list, event('4'), 10)), '4 3 2');
  assert.equal(cursors(withCome(list, event('4'), 2)), '4 3');
  assert.equal(cursors(withEarlier(list, [event('2'), event('1')])), '3 2 1');
  assert.equal(cursors(withEarlier([], [event('1')])), '1');
});

test('what has come since a pause is counted', () => {
  const list = [event('3'), event('2'), event('1')];
  assert.deepEqual([comeSince(list, '3'), comeSince(list, '1'), comeSince(list, null), comeSince(list, '9')], [0, 2, 3, 0]);
});

test('an address is a filter', () => {
  const of = (query: string): object => filterOf(new URLSearchParams(query));
  assert.deepEqual(of(''), {});
  assert.deepEqual(of('part=DISK&change=FAILING&change=LINK_DOWN&host=h&in=x'), { host: 'h', parts: ['DISK'], changes: ['FAILING', 'LINK_DOWN'] });
  assert.deepEqual(of('host='), {});
});
