// The arithmetic of racks and the legend of a drawing.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { fit, fitWords, spoken } from '../../src/draw/text.ts';
import { legendOf } from '../../src/draw/tones.ts';
import type { Coloured } from '../../src/draw/tones.ts';
import { firstFit, freeRuns, fromTop, linesOf, spaceOf, unitAt, unitWords, within } from '../../src/draw/units.ts';
import type { Face, Span } from '../../src/draw/units.ts';

const at = (start: number | null, height: number, face: Face = 'FRONT', fullDepth = false): Span => ({ start, height, face, fullDepth });

test('free runs are seen on each face, from the top down', () => {
  const table: Array<[Span[], Face, string]> = [
    [[], 'FRONT', '1+10'],
    [[at(1, 2)], 'FRONT', '3+8'],
    [[at(1, 2)], 'REAR', '1+10'],
    [[at(1, 2, 'FRONT', true)], 'REAR', '3+8'],
    [[at(10, 1), at(4, 2)], 'FRONT', '6+4 1+3'],
    [[at(1, 0.5), at(2.5, 0.5)], 'FRONT', '3+8 1.5+1'],
    [[at(null, 1)], 'FRONT', '1+10'],
    [[at(1, 10, 'REAR', true)], 'FRONT', ''],
    [[at(9, 4)], 'FRONT', '1+8'],
  ];
  for (const [spans, face, expected] of table) {
    assert.equal(freeRuns(10, spans, face).map((it) => `${it.start}+${it.height}`).join(' '), expected);
  }
});

test('a unit is free if both of its faces are', () => {
  assert.deepEqual(spaceOf(10, [at(1, 2), at(2, 2, 'REAR')]), { used: 3, free: 7, largest: 7 });
  assert.deepEqual(spaceOf(2, [at(1, 2)]), { used: 2, free: 0, largest: 0 });
});

test('a height goes to the highest run that holds it', () => {
  const spans = [at(10, 1), at(4, 2), at(8, 1, 'REAR')];
  const table: Array<[Face, number, boolean, number | null]> = [
    ['FRONT', 1, false, 9], ['FRONT', 4, false, 6], ['FRONT', 3, true, 1], ['REAR', 2, false, 9], ['FRONT', 5, false, null], ['FRONT', 0.5, false, 9.5],
  ];
  for (const [face, height, fullDepth, expected] of table) assert.equal(firstFit(10, spans, face, height, fullDepth), expected);
});

test('places stay inside the rack, in half units', () => {
  for (const [start, height, expected] of [[0, 2, 1], [10, 2, 9], [3.3, 1, 3.5], [99, 1, 10], [-4, 1, 1]] as const) {
    assert.equal(within(10, start, height), expected);
  }
  for (const [start, height, expected] of [[1, 1, 9], [10, 1, 0], [1.5, 0.5, 9], [3, 2, 6]] as const) assert.equal(fromTop(10, start, height), expected);
  for (const [y, expected] of [[0, 10], [0.9, 10], [9.5, 1]] as const) assert.equal(unitAt(10, y), expected);
});

test('a place has words', () => {
  for (const [start, height, expected] of [[12, 1, 'U12'], [12, 2, 'U12–13'], [1.5, 0.5, 'U1.5'], [1.5, 2, 'U1.5–2.5'], [null, 1, 'no unit']] as const) {
    assert.equal(unitWords(start, height), expected);
  }
});

test('a rack is read from the top down, and ends with what takes no unit', () => {
  const lines = linesOf(4, [at(1, 2), at(null, 1), at(4, 1, 'REAR')]);
  assert.deepEqual(lines.map((it) => `${it.face} ${unitWords(it.start, it.height)} ${it.device ? 'device' : 'free'}`), [
    'FRONT U3–4 free', 'REAR U4 device', 'REAR U1–3 free', 'FRONT U1–2 device', 'FRONT no unit device',
  ]);
});

test('a legend counts, and gives the same colour to the same thing', () => {
  const device = (more: Partial<Coloured>): Coloured => ({ role: 'SERVER', status: 'ACTIVE', tenant: null, feeds: null, effect: null, ...more });
  const devices = [device({ tenant: 'b' }), device({ tenant: 'a', status: 'FAILED' }), device({ role: 'LEAF', feeds: ['feed-b', 'feed-a'], tenant: 'a' }), device({})];
  assert.deepEqual(legendOf(devices, 'role').map((it) => `${it.key} ${it.tone} ${it.count}`), ['SERVER tone-1 3', 'LEAF tone-7 1']);
  assert.deepEqual(legendOf(devices, 'status').map((it) => `${it.key} ${it.tone}`), ['ACTIVE tone-good', 'FAILED tone-bad']);
  assert.deepEqual(legendOf(devices, 'tenant').map((it) => `${it.key} ${it.tone}`), ['a tone-0', ' tone-9', 'b tone-1']);
  assert.deepEqual(legendOf([device({ effect: 'DOWN' }), device({}), device({ effect: 'DOWN' })], 'effect').map((it) => `${it.key} ${it.tone} ${it.count}`), ['DOWN tone-bad 2', ' tone-9 1']);
  assert.deepEqual(legendOf(devices, 'feed').map((it) => it.key), ['…', 'feed-a + feed-b']);
});

test('a text fits, or ends in an ellipsis', () => {
  assert.equal(fit('short', 100, 11), 'short');
  assert.equal(fit('a'.repeat(253), 100, 10), `${'a'.repeat(14)}…`);
  assert.ok(fit('機'.repeat(20), 100, 10).length < 10);
  assert.equal(fit('anything', 4, 10), '');
  assert.equal(fitWords('Border router', 50, 10), 'Border');
  assert.equal(fitWords('Border router', 100, 10), 'Border router');
  assert.equal(fitWords('Border router', 5, 10), '');
});

test('what is seen is said first', () => {
  assert.equal(spoken(['a', 'b'], ['a', 'b']), 'a b');
  assert.equal(spoken(['lo…', 'b'], ['long', 'b']), 'lo… b · long b');
  assert.equal(spoken(['', ''], ['long', '']), 'long');
});
