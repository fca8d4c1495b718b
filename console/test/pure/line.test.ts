// Traces as trees, and their places in a drawing.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { boxHeight, commonOf, layoutOf, linksOf, outcomeWords, pinsOf, shortOutcome, strokeOf, treeOf } from '../../src/draw/line.ts';
import type { Branch, Hop, Node } from '../../src/draw/line.ts';

const hop = (kind: string, name: string, owner?: string): Hop => ({
  id: `${owner ?? ''}/${name}`, kind, name, owner: owner ? { id: owner, kind: kind === 'Port' ? 'Device' : 'Circuit', name: owner, place: '' } : null,
  facts: [], fault: null, color: null, label: null, lengthM: null,
});
const port = (owner: string, name: string): Hop[] => [hop('Port', name, owner)];
const cable = (...names: string[]): Hop[] => names.map((it) => hop('Cable', it));
const branch = (steps: Hop[][], more: Partial<Branch> = {}): Branch => ({ steps, through: false, outcome: 'COMPLETE', active: true, ...more });

/** A tree as text: `a[1 2] =c1= b[1]!`. */
function text(nodes: readonly Node[]): string {
  return nodes.map((it) => {
    const inside = it.box.inside.map((step) => step.map((one) => one.name).join('+')).join(' ');
    const own = `${it.cables.length > 0 ? `=${it.cables.map((one) => one.name).join('+')}= ` : ''}${it.box.title}[${inside}]${it.here ? '*' : ''}${it.outcome ? `!${it.outcome}` : ''}`;
    return it.children.length > 0 ? `${own} (${text(it.children)})` : own;
  }).join(' | ');
}

test('ports of a device are one box, and the cable goes between boxes', () => {
  const tree = treeOf([branch([port('a', '1'), cable('c1'), port('p', '1'), port('p', 'R'), cable('c2'), port('b', '9')])], 'a/1');
  assert.equal(text(tree), 'a[1]* (=c1= p[1 R] (=c2= b[9]!COMPLETE))');
});

test('a circuit with its ends is one box', () => {
  const end = (name: string): Hop[] => [hop('CircuitTermination', name, 'x')];
  const own: Hop[] = [{ ...hop('Circuit', 'x'), id: 'x' }];
  const tree = treeOf([branch([port('a', '1'), cable('c1'), end('A'), own, end('Z'), cable('c2'), port('b', '1')])], 'a/1');
  assert.equal(text(tree), 'a[1]* (=c1= x[A x Z] (=c2= b[1]!COMPLETE))');
});

test('branches share their beginning, and fork', () => {
  const begin = [port('a', '1'), cable('c1'), port('p', 'R')];
  const tree = treeOf([branch([...begin, port('p', '1')], { outcome: 'OPEN' }), branch([...begin, port('p', '2'), cable('c2'), port('b', '1')])], 'a/1');
  assert.equal(text(tree), 'a[1]* (=c1= p[R] (p[1]!OPEN | p[2] (=c2= b[1]!COMPLETE)))');
});

test('strands that run together are one line of several cables', () => {
  const tree = treeOf([branch([port('a', '1'), cable('c1', 'c2'), [hop('Port', '1', 'b'), hop('Port', '2', 'b')]])], 'a/1');
  assert.equal(text(tree), 'a[1]* (=c1+c2= b[1+2]!COMPLETE)');
});

test('a line that is traced from its middle is drawn from end to end', () => {
  const middle = port('p', '1');
  const tree = treeOf([
    branch([middle, cable('c1'), port('a', '1')]),
    branch([middle, port('p', 'R'), cable('c2'), port('b', '1')], { through: true }),
  ], 'p/1');
  assert.equal(text(tree), 'b[1] (=c2= p[R 1]* (=c1= a[1]!COMPLETE))');
});

test('a cable that ends nowhere has an open end', () => {
  assert.equal(text(treeOf([branch([port('a', '1'), cable('c1')], { outcome: 'OPEN' })], 'a/1')), 'a[1]* (=c1= Open end[]!OPEN)');
  assert.equal(text(treeOf([branch([port('a', '1')], { outcome: 'OPEN' })], 'a/1')), 'a[1]*!OPEN');
});

test('boxes do not overlap, and all are inside', () => {
  const begin = [port('a', '1'), cable('c1'), port('p', 'R')];
  const branches = Array.from({ length: 24 }, (_, at) => branch([...begin, port('p', String(at)), cable(`d${at}`), port(`b${at}`, '1')]));
  const { positions, width, height } = layoutOf(treeOf(branches, 'a/1'));
  assert.equal(positions.length, 2 + 48);
  for (const a of positions) {
    assert.ok(a.x >= 0 && a.x < width && a.y + a.height <= height);
    assert.equal(a.height, boxHeight(a.node));
    for (const b of positions) assert.ok(a === b || a.x !== b.x || a.y + a.height <= b.y || b.y + b.height <= a.y);
  }
});

test('colours of the inventory are colours of the drawing, or none', () => {
  const table: Array<[string | null, string | null]> = [[null, null], ['Yellow', '#e3b505'], ['#AABBCC', '#aabbcc'], ['aabbcc', '#aabbcc'], ['url(x)', null], ['beige-ish', null]];
  for (const [color, stroke] of table) assert.equal(strokeOf(color), stroke);
  for (const it of ['COMPLETE', 'OPEN', 'LOOP', 'UNMAPPED']) {
    assert.match(outcomeWords(it), /\.$/);
    assert.notEqual(shortOutcome(it), it);
  }
});

test('a line is a list of its cables and circuits with both of their ends', () => {
  const end = (name: string): Hop[] => [hop('CircuitTermination', name, 'x')];
  const steps = [port('a', '1'), cable('c1'), end('A'), [hop('Circuit', 'x')], end('Z'), cable('c2')];
  const names = (hops: readonly Hop[]): string => hops.map((it) => it.name).join('+');
  assert.deepEqual(linksOf(steps).map((it) => `${names(it.from)} ${names(it.via)} ${names(it.to)}`), ['1 c1 A', 'A x Z', 'Z c2 ']);
});

test('a box names the ports that the line uses', () => {
  const [first] = treeOf([branch([port('p', '1'), port('p', 'R')])], 'p/1');
  assert.equal(first && pinsOf(first.box), '1 → R');
  const [feed] = treeOf([branch([[hop('PowerFeed', 'feed-a')]])], '');
  assert.equal(feed && pinsOf(feed.box), '');
});

test('the side of the origin with fewer ends is drawn beside it', () => {
  const many = [1, 2, 3].map((it) => branch([port('p', 'R'), port('p', String(it))], { through: true }));
  const [tree] = treeOf([...many, branch([port('p', 'R'), cable('c'), port('b', '1')])], 'p/R');
  assert.equal(tree && text(tree.children), '=c= b[1]!COMPLETE | p[1]!COMPLETE | p[2]!COMPLETE | p[3]!COMPLETE');
});

test('what all lines pass is what they have in common', () => {
  const way = (...owners: string[]): Branch => branch([port('d', '1'), ...owners.map((it) => port(it, 'x'))]);
  const names = (lines: Branch[][]): string => commonOf(lines, 'd').map((it) => it.name).join(' ');
  assert.equal(names([[way('pdu-a', 'ups', 'utility')], [way('pdu-b', 'ups', 'utility')]]), 'ups utility');
  assert.equal(names([[way('pdu-a', 'ups-a')], [way('pdu-b', 'ups-b')]]), '');
  assert.equal(names([[way('pdu', 'ups-a'), way('pdu', 'ups-b')], [way('pdu')]]), 'pdu');
  assert.equal(names([[way('pdu')], []]), '');
  assert.equal(names([]), '');
});
