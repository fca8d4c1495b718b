import { test } from 'node:test';
import assert from 'node:assert/strict';
import { linesOf, parentLine, treeOf } from '../../src/screens/reasons.ts';
import type { Affected } from '../../src/screens/reasons.ts';
import { whereOf } from '../../src/screens/things.ts';

const thing = (id: string, kind = 'Rack') => ({ id, name: id, kind, path: `${kind}/${id}` });
const affected = (id: string, because: string[], more: Partial<Affected> = {}): Affected =>
  ({ ...thing(id, 'Device'), effect: 'DOWN', rule: 'CONTAINMENT', lost: null, of: null, because, ...more });

test('each object stands once, beneath the nearest reason', () => {
  const { roots, rest } = treeOf([thing('r')], [affected('a', ['r']), affected('b', ['a', 'r']), affected('c', ['a', 'b'])]);
  assert.equal(rest.length, 0);
  assert.equal(roots[0]?.count, 3);
  const direct = roots[0]?.groups[0]?.branches.map((it) => `${it.item.id} ${it.count} ${it.others}`);
  assert.deepEqual(direct, ['a 1 0', 'b 0 1']);
});

test('reasons in a circle, and reasons that are not there', () => {
  const { roots, rest } = treeOf([thing('r')], [affected('a', ['b']), affected('b', ['a']), affected('r', ['r'])]);
  assert.equal(roots[0]?.count, 0);
  assert.deepEqual(rest.flatMap((it) => it.branches.map((one) => one.item.id)), ['a', 'b']);
});

test('few of a kind are shown at once, many are folded', () => {
  const some = (count: number) => treeOf([thing('r')], Array.from({ length: count }, (_, it) => affected(`d${it}`, ['r'])));
  const lines = (count: number, open: string[] = []) => { const it = some(count); return linesOf(it.roots, it.rest, new Set(open)); };
  assert.equal(lines(4).length, 5);
  assert.equal(lines(5).length, 2);
  const group = lines(5)[1];
  assert.equal(group?.open, false);
  assert.deepEqual(lines(5, [group?.key ?? '']).map((it) => it.level), [1, 2, 3, 3, 3, 3, 3]);
  assert.equal(lines(500, [group?.key ?? '']).at(-1)?.hidden, 300);
  assert.deepEqual(lines(4, ['r']).map((it) => it.open), [false]);
});

test('the arrow to the left leads to what contains a line', () => {
  const { roots, rest } = treeOf([thing('r'), thing('s')], [affected('a', ['r']), affected('b', ['s'])]);
  const lines = linesOf(roots, rest, new Set());
  assert.deepEqual(lines.map((_, it) => parentLine(lines, it)), [0, 0, 2, 2]);
});

test('the place of an object is what stands before its name', () => {
  assert.equal(whereOf('port/ams1/border-1/et-0/0/3', 'et-0/0/3'), 'ams1/border-1');
  assert.equal(whereOf('region/europe', 'europe'), '');
  assert.equal(whereOf('cable/x', 'other'), '');
});
