// Narrowing to a place, and what racks of a place sum up to.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { narrow, placeFilter } from '../../src/kinds/narrow.ts';
import { filterType } from '../../src/kinds/filter.ts';
import { kindOf, kinds } from '../../src/kinds/registry.ts';
import { sumsOf } from '../../src/screens/space-sums.ts';
import type { RackSpace } from '../../src/screens/space-sums.ts';

const rack = kindOf('Rack');
assert.ok(rack);

test('a filter is narrowed to a place, and a place contains itself', () => {
  assert.equal(narrow(rack, null, null), null);
  assert.deepEqual(narrow(rack, { name: { eq: 'A' } }, null), { name: { eq: 'A' } });
  for (const kind of ['Device', 'VirtualMachine', 'Cluster', 'Circuit', 'Host']) assert.deepEqual(placeFilter(kind, 'x'), { within: 'x' });
  assert.deepEqual(narrow(rack, { name: { eq: 'A' } }, 'x'), { and: [{ or: [{ within: 'x' }, { id: { eq: 'x' } }] }, { name: { eq: 'A' } }] });
  assert.equal(placeFilter('Provider', 'x'), null);
});

test('every kind takes the filter of a place', () => {
  const leaves = (it: object, path: string[] = []): string[][] => Object.entries(it)
    .flatMap(([key, value]) => (key === 'or' ? (value as object[]).flatMap((one) => leaves(one, path)) : typeof value === 'object' ? leaves(value as object, [...path, key]) : [[...path, key]]));
  for (const kind of kinds()) {
    for (const path of leaves(placeFilter(kind.name, 'x') ?? {})) assert.ok(filterType(kind, path), `${kind.name} has no filter ${path.join('.')}`);
  }
});

const space = (site: string, location: string | null, more: Partial<RackSpace>): RackSpace => ({
  site: { id: site, name: site }, location: location ? { id: location, name: location } : null, unitsUsed: 10, unitsFree: 30, largestFree: 20, powerDrawW: null, powerRatedW: null, ...more,
});

test('racks are summed up by site, or within one site by room', () => {
  const one = [space('ams1', 'row-b', {}), space('ams1', 'row-a', { powerRatedW: 1_000, largestFree: 25 }), space('ams1', 'row-a', {})];
  assert.deepEqual(sumsOf(one).map((it) => [it.name, it.racks, it.free, it.largest, it.rated]), [['row-a', 2, 60, 25, { watts: 1_000, unknown: true }], ['row-b', 1, 30, 20, null]]);
  assert.deepEqual(sumsOf([...one, space('ams2', null, { powerDrawW: { maximum: 500, unknown: 0 } })]).map((it) => [it.name, it.racks, it.drawn]), [['ams1', 3, null], ['ams2', 1, { watts: 500, unknown: false }]]);
});
