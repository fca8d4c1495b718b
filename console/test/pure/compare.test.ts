import { test } from 'node:test';
import assert from 'node:assert/strict';
import { compare, isConflict, same, settle } from '../../src/kinds/compare.ts';
import type { Present } from '../../src/kinds/compare.ts';
import type { ApplyResult } from '../../src/kinds/generated.ts';

const there = (item: object, managers: Present['managers'] = []): Present => ({ id: 'x', name: 'a', version: 9, item: { ...item }, managers });
const step = (fields: object, base?: object) => ({ kind: 'Device', id: 'x', name: 'a', item: { device: { id: 'x', ifVersion: 3, ...fields } }, ...(base ? { base: { ...base } } : {}) });

test('only what both changed is open', () => {
  const own = step({ status: 'PLANNED', serial: 'S2', assetTag: 'A' }, { status: 'ACTIVE', serial: 'S1', assetTag: null, description: 'd' });
  const it = compare(0, own, there({ status: 'OFFLINE', serial: 'S1', assetTag: 'A', description: 'e' }), 'STALE_VERSION');
  assert.deepEqual(it.lines.map((line) => [line.field, line.before, line.theirs, line.yours, line.open]), [
    ['status', 'ACTIVE', 'OFFLINE', 'PLANNED', true], ['serial', 'S1', 'S1', 'S2', false], ['assetTag', null, 'A', 'A', false],
  ]);
  assert.deepEqual(it.others, ['description']);
});

test('labels are compared by key', () => {
  const own = step({ labels: { env: 'prod', 'a.b': null, new: '1' } }, { labels: { env: 'dev', 'a.b': 'x' } });
  const it = compare(0, own, there({ labels: { env: 'test', 'a.b': 'x' } }), 'STALE_VERSION');
  assert.deepEqual(it.lines.map((line) => [line.field, line.open]), [['labels.env', true], ['labels.a.b', false], ['labels.new', false]]);
  const { steps } = settle([own], [it], () => 'theirs');
  assert.deepEqual(steps[0]?.item, { device: { id: 'x', ifVersion: 9, labels: { 'a.b': null, new: '1' } } });
});

test('a field of a source is left or taken over, and what is left of nothing goes', () => {
  const own = step({ serial: 'S2' });
  const holder = { field: 'serial', type: 'SOURCE', manager: 'bcm', since: 2 };
  const it = compare(0, own, there({ serial: 'S1' }, [holder, { field: 'status', type: 'USER', manager: 'ana', since: 2 }]), 'MANAGED_ELSEWHERE');
  assert.deepEqual(it.lines[0]?.holder, holder);
  assert.deepEqual(settle([own, step({ status: 'ACTIVE' })], [it], () => 'theirs'), { steps: [step({ status: 'ACTIVE' })], force: false });
  const taken = settle([own], [it], () => 'yours');
  assert.equal(taken.force, true);
  assert.deepEqual(taken.steps[0]?.item, { device: { id: 'x', ifVersion: 9, serial: 'S2' } });
});

test('without a base every difference is open, and creations are none', () => {
  assert.equal(compare(0, step({ serial: 'S2' }), there({ serial: 'S1' }), 'STALE_VERSION').lines[0]?.open, true);
  const result = { error: { code: 'STALE_VERSION', field: null, message: '' }, id: 'x' } as ApplyResult;
  assert.equal(isConflict(result, step({})), true);
  assert.equal(isConflict(result, step({ ifVersion: 0 })), false);
  assert.equal(isConflict(result, { kind: 'Device', id: 'x', name: 'a', item: { delete: { ref: { id: 'x' } } } }), false);
});

test('what is empty is the same as what is not set', () => {
  for (const [a, b] of [[{ a: 1, b: 2 }, { b: 2, a: 1 }], [null, undefined], ['', null], [{}, undefined], [[{ a: null }], [{}]]] as const) assert.ok(same(a, b));
  for (const [a, b] of [[0, null], [false, undefined], [[1, 2], [2, 1]], [{ a: 1 }, {}]] as const) assert.ok(!same(a, b));
});
