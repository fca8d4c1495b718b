import { test } from 'node:test';
import assert from 'node:assert/strict';
import { blockedBy, inputOfOrder, ORDERS, sentencesOf, variablesOf, verbOf } from '../../src/screens/host-orders.ts';
import type { OrderId, Target } from '../../src/screens/host-orders.ts';
import { approvalOf, approveVerb, countsOf, fateOf, every, lasted } from '../../src/screens/source-words.ts';
import type { Held } from '../../src/screens/source-words.ts';

const host = (state: string, more: Partial<Target> = {}): Target =>
  ({ id: state, name: `h-${state}`, state, power: 'OFF', generation: 1, generationDone: 1, maintenance: {}, failure: null, ...more });
const blocked = (id: OrderId, ...targets: Target[]): string | null => {
  const order = ORDERS.find((it) => it.id === id);
  assert.ok(order);
  return blockedBy(order, targets);
};

test('orders are off where the state does not take them, and say why', () => {
  const table: Array<[OrderId, Target[], RegExp | null]> = [
    ['install', [], /Mark hosts first/],
    ['install', [host('ACQUIRED')], null],
    ['install', [host('AVAILABLE')], /h-AVAILABLE is available/],
    ['install', [host('ACQUIRED'), host('AVAILABLE')], /1 of 2 are not/],
    ['install', [host('ACQUIRED', { generation: 2 })], /order at work/],
    ['retry', [host('FAILED')], null],
    ['retry', [host('FAILED', { generation: 2 })], /order at work/],
    ['cancel', [host('ACQUIRED', { generation: 2 })], null],
    ['cancel', [host('ACQUIRED', { generation: 2 }), host('ACQUIRED')], /have an order at work/],
    ['retry', [host('INSTALLED')], /failed/],
    ['power', [host('INSTALLED')], null],
    ['release', [host('AVAILABLE')], /acquired, installed or failed/],
    ['adopt', [host('REGISTERED')], null],
  ];
  for (const [id, targets, expected] of table) {
    const why = blocked(id, ...targets);
    if (expected === null) assert.equal(why, null);
    else assert.match(why ?? '', expected);
  }
});

test('each order says what it does to how many machines', () => {
  const two = [host('ACQUIRED', { power: 'ON' }), host('ACQUIRED')];
  assert.match(sentencesOf('install', two, { profile: 'linux' }).join(' '), /2 machines .*“linux”.* lost.*One machine was last seen running/);
  assert.match(sentencesOf('release', two, { wipe: true }).join(' '), /erased/);
  assert.doesNotMatch(sentencesOf('release', two, {}).join(' '), /erased/);
  assert.match(sentencesOf('power', [host('INSTALLED')], { power: 'CYCLE' }).join(' '), /started again/);
  assert.equal(verbOf('release', 2, { wipe: true }), 'Release and wipe 2 hosts');
  assert.equal(verbOf('power', 1, { power: 'OFF' }), 'Shut down 1 host');
});

test('what is said is what is sent', () => {
  assert.deepEqual(inputOfOrder('release', ['a'], { wipe: true }), { ids: ['a'], wipe: true, force: false });
  assert.deepEqual(inputOfOrder('power', ['a'], { power: 'CYCLE', force: true }), { ids: ['a'], power: 'CYCLE', force: true });
  assert.deepEqual(inputOfOrder('install', ['a'], { profile: 'p', variables: { k: 'v' } }), { ids: ['a'], profile: { profile: 'p' }, variables: { k: 'v' }, validFor: null, force: false });
  assert.deepEqual(inputOfOrder('discover', ['a'], { adopt: true }), { ids: ['a'], adopt: true, force: false });
  assert.deepEqual(inputOfOrder('cancel', ['a'], {}), { ids: ['a'] });
});

test('variables are lines', () => {
  assert.deepEqual(variablesOf(' a = b=c \n\nd='), { values: { a: 'b=c', d: '' } });
  assert.deepEqual(variablesOf('a=b\nnone'), { wrong: 'none' });
  assert.deepEqual(variablesOf('=x'), { wrong: '=x' });
});

const held = (kind: string, field: string | null = null): Held => ({ kind, id: kind, name: kind, externalId: '', reason: field ? 'EMPTIED' : 'GONE', field, value: null });

test('approving says what is removed', () => {
  const list = [held('Rack'), held('Rack'), held('Device', 'rack')];
  assert.deepEqual(countsOf(list), [{ kind: 'Rack', gone: 2, emptied: 0, replaced: 0 }, { kind: 'Device', gone: 0, emptied: 1, replaced: 0 }]);
  assert.deepEqual(approvalOf(list, 3, 'DELETE', false).slice(0, 2), ['2 objects with everything that they contain are deleted.', '1 field is emptied.']);
  assert.match(approvalOf(list, 3, 'DELETE', true)[0] ?? '', /keep everything/);
  assert.equal(approveVerb(list, 3, false), 'Approve: remove 2, empty 1');
  const replaced: Held = { ...held('Device', 'serial'), reason: 'REPLACED', value: 'none' };
  assert.deepEqual(approvalOf([replaced], 1, 'DELETE', false)[0], '1 field is replaced.');
  assert.equal(approveVerb([replaced], 1, false), 'Approve: replace 1');
  assert.equal(fateOf(replaced), 'would become "none", as for others');
  // The list names the first of them alone.
  assert.match(approvalOf([held('Rack')], 5_000, 'RETIRE', false)[0] ?? '', /^5000 objects are retired/);
});

test('times are said in words', () => {
  assert.equal(every(300), 'every 5 minutes');
  assert.equal(every(3600), 'every hour');
  assert.equal(every(90), 'every 90 seconds');
  assert.equal(lasted('2026-01-01T00:00:00Z', '2026-01-01T00:02:04Z'), '2 min 4 s');
  assert.equal(lasted('2026-01-01T00:00:00Z', null), '');
});
