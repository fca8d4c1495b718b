// Columns and groups of a list in its address.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filterOf, filterType } from '../../src/kinds/filter.ts';
import { firstColumns, kindOf, kinds } from '../../src/kinds/registry.ts';
import { chosenColumns, chosenWidths, columnsParam } from '../../src/screens/chosen-columns.ts';
import { facetFields, firstFacets, valueKey, withoutField } from '../../src/screens/facet-fields.ts';

const device = kindOf('Device');
assert.ok(device);
const at = (query: string): URLSearchParams => new URLSearchParams(query);

test('columns and their widths are read from the address, and written to it', () => {
  assert.deepEqual(chosenColumns(device, at('')), firstColumns(device));
  assert.deepEqual(chosenColumns(device, at('columns=name:240,nothing,status,name')), ['name', 'status']);
  assert.deepEqual(chosenWidths(at('columns=name:240,status:3,role:x,site:99999')), { name: 240, status: 48, site: 2_000 });
  assert.equal(columnsParam(['name', 'status'], { name: 240.4, role: 100 }), 'name:240,status');
  assert.equal(columnsParam(['name'], { name: 0 }), 'name');
});

test('a list is grouped by fields that its filter knows', () => {
  assert.deepEqual(firstFacets(device), ['status', 'role', 'site']);
  const names = facetFields(device).map((it) => it.name);
  for (const name of ['plane', 'model', 'tenant', 'forwards']) assert.ok(names.includes(name), name);
  for (const name of ['name', 'serial', 'labels', 'rack', 'ports']) assert.ok(!names.includes(name), name);
});

test('each value of a group is a filter of the API', () => {
  for (const kind of kinds()) {
    for (const field of facetFields(kind)) {
      for (const value of ['1', null]) {
        const { key, text } = valueKey(field, value);
        // A field that always has a value has no group without one.
        if (value === null && !filterType(kind, key.split('.'))) continue;
        assert.ok(filterOf(kind, new URLSearchParams([[key, text]])), `${kind.name} cannot be filtered by ${key}`);
      }
    }
  }
});

test('the numbers of a group do not depend on what it narrows', () => {
  const [status] = facetFields(device).filter((it) => it.name === 'status');
  assert.ok(status);
  assert.equal(withoutField(at('status.in=FAILED&status.isNull=true&role.in=LEAF'), status).toString(), 'role.in=LEAF');
});
