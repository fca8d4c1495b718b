import { test } from 'node:test';
import assert from 'node:assert/strict';
import { layoutOf } from '../../src/draw/paths-layout.ts';
import { BOLD, fit, fitMiddle, widthOfText } from '../../src/draw/text.ts';
import { labelOf, passedOf } from '../../src/screens/path-answer.ts';
import type { Hop, Segment } from '../../src/screens/path-answer.ts';

const path = (...ids: string[]) => ({
  nodes: ids.map((id) => ({ id, name: id, detail: '' })),
  segments: ids.slice(1).map(() => ({ label: '', over: [], logical: false })),
});
const places = (...paths: string[][]): string => layoutOf(paths.map((it) => path(...it))).nodes
  .map((it) => `${it.id}${it.column},${it.row}`).sort().join(' ');

test('nodes stand after all before them, and never over each other', () => {
  const table: Array<[string[][], string]> = [
    [[], ''],
    [[['a']], 'a0,0'],
    [[['a', 'b', 'c']], 'a0,0 b1,0 c2,0'],
    [[['a', 'b', 'd'], ['a', 'c', 'd']], 'a0,0.5 b1,0 c1,1 d2,0.5'],
    [[['a', 'd'], ['a', 'b', 'c', 'd']], 'a0,0 b1,0 c2,0 d3,0'],
    [[['a', 'b', 'd'], ['a', 'c', 'b', 'd']], 'a0,0 b2,0 c1,0 d3,0'],
  ];
  for (const [paths, expected] of table) assert.equal(places(...paths), expected);
});

test('paths against each other end, and overlap nowhere', () => {
  const { nodes } = layoutOf([path('a', 'b', 'c', 'd'), path('a', 'c', 'b', 'd')]);
  assert.equal(new Set(nodes.map((it) => `${it.column} ${it.row}`)).size, nodes.length);
});

test('long names are shortened in their middle, and by whole letters', () => {
  assert.equal(fitMiddle('short', 100, 12), 'short');
  assert.match(fitMiddle('ams1-a14-hv-000001', 80, 12), /^ams.*….*0001$/);
  for (const name of ['n'.repeat(253), 'W'.repeat(253), '😀'.repeat(253), 'שרת'.repeat(80)]) {
    for (const shown of [fitMiddle(name, 118 / BOLD, 12), fit(name, 118 / BOLD, 12)]) {
      assert.ok(widthOfText(shown, 12) * BOLD <= 118 + 12, shown);
      assert.ok([...shown].every((it) => it === '…' || name.includes(it)), shown);
    }
  }
});

const hop = (type: string, name: string, device?: string): Hop =>
  ({ __typename: type, id: name, name, ...(device ? { device: { id: device, name: device } } : {}) });
const segment = (...hops: Hop[]): Segment =>
  ({ type: 'LINE', lengthM: null, logical: false, active: true, link: null, steps: hops.map((it) => [it]) });

test('a line passes a panel once, with its ports', () => {
  const line = segment(hop('Port', 'e1', 'a'), hop('Cable', 'c1'), hop('Port', '1', 'panel'), hop('Port', 'R1', 'panel'), hop('Cable', 'c2'), hop('Port', 'e2', 'b'));
  assert.deepEqual(passedOf(line, ['a', 'b']).map((it) => `${it.kind} ${it.name} ${it.detail}`.trim()), ['Port e1', 'Cable c1', 'Device panel 1 → R1', 'Cable c2', 'Port e2']);
  assert.equal(labelOf(line), '2 cables');
  assert.equal(labelOf(segment(hop('Cable', 'c'), hop('CircuitTermination', 'A'), hop('Circuit', 'x-1'))), 'x-1');
  assert.equal(labelOf({ ...segment(), type: 'PARENT' }), 'one chassis');
});
