// Pairs of ports and the cables that are made of them.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { namesFrom, pairsOf, ranged, stepsOf, toggled } from '../../src/screens/patch-pairs.ts';

test('names count up from the first', () => {
  const table: Array<[string, number, string]> = [
    ['c-008', 3, 'c-008 c-009 c-010'], ['c', 3, 'c c-2 c-3'], ['7', 2, '7 8'], ['c99', 2, 'c99 c100'], ['x9999999999999999999', 2, 'x9999999999999999999 x10000000000000000000'], ['c', 0, ''],
  ];
  for (const [first, count, expected] of table) assert.equal(namesFrom(first, count).join(' '), expected);
});

const port = (name: string, owner = 'a') => ({ id: `${owner}${name}`, name, owner });

test('ports are paired in order, and those without a partner wait', () => {
  const pairs = pairsOf([port('1'), port('2'), port('3')], [port('9', 'b'), port('8', 'b')], '');
  assert.deepEqual(pairs.map((it) => it.name), ['a 1 – b 9', 'a 2 – b 8']);
  assert.deepEqual(pairsOf([port('1')], [port('1', 'b')], ' c5 ').map((it) => it.name), ['c5']);
  assert.ok((pairsOf([port('x'.repeat(253))], [port('y'.repeat(253), 'b')], '')[0]?.name.length ?? 999) <= 253);
});

test('cables have what is set, and nothing else', () => {
  const pairs = pairsOf([port('1')], [port('2', 'b')], 'c1');
  const ends = { aEnds: [{ port: { id: 'a1' } }], bEnds: [{ port: { id: 'b2' } }] };
  const none = { first: '', media: '', color: ' ', length: '', status: '' };
  assert.deepEqual(stepsOf(pairs, none).map((it) => it.item), [{ cable: { name: 'c1', ...ends } }]);
  const all = { first: '', media: 'DAC', color: 'blue', length: '1.5', status: 'PLANNED' };
  assert.deepEqual(stepsOf(pairs, all).map((it) => it.item), [{ cable: { name: 'c1', media: 'DAC', color: 'blue', lengthM: 1.5, status: 'PLANNED', ...ends } }]);
});

test('a click chooses or gives back, and with Shift all free ports up to there', () => {
  const ports = ['1', '2', '3', '4'].map((it) => ({ id: it, name: it, free: it !== '3' }));
  assert.deepEqual(toggled(['1'], '2'), ['1', '2']);
  assert.deepEqual(toggled(['1', '2'], '1'), ['2']);
  assert.deepEqual(ranged(['1'], ports, '4'), ['1', '2', '4']);
  assert.deepEqual(ranged(['4'], ports, '1'), ['4', '2', '1']);
  assert.deepEqual(ranged([], ports, '2'), ['2']);
});
