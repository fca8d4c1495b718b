import { test } from 'node:test';
import assert from 'node:assert/strict';
import { filterables } from '../../src/kinds/filterable.ts';
import { conditionsOf, filterOf, keyOfCondition, unfitOf } from '../../src/kinds/filter.ts';
import { kindOf, kinds, words } from '../../src/kinds/registry.ts';
import type { Kind } from '../../src/kinds/shape.ts';

const kind = (name: string): Kind => {
  const found = kindOf(name);
  assert.ok(found);
  return found;
};
const device = kind('Device');
const filter = (query: string): object | null => filterOf(device, new URLSearchParams(query));

test('a filter of the address is a filter of the API', () => {
  assert.equal(filter(''), null);
  assert.equal(filter('sort=NAME&columns=name&nothing.eq=1'), null);
  assert.deepEqual(filter('status.in=FAILED&status.in=PLANNED'), { status: { in: ['FAILED', 'PLANNED'] } });
  assert.deepEqual(filter('rack.site.name.eq=ams1'), { rack: { site: { name: { eq: 'ams1' } } } });
  assert.deepEqual(filter('name.contains=HV'), { name: { contains: 'HV', caseInsensitive: true } });
  assert.deepEqual(filter('labels=env%3Dprod&within=x'), { and: [{ labels: 'env=prod' }, { within: 'x' }] });
  assert.deepEqual(filter('!rack.isNull=true'), { not: { rack: { isNull: true } } });
  assert.deepEqual(filter('inletsRequired.gte=2'), { inletsRequired: { gte: 2 } });
  assert.deepEqual(filter('q=a14'), { name: { contains: 'a14', caseInsensitive: true } });
});

test('conditions keep their key', () => {
  for (const key of ['status.in', '!name.eq', 'labels', 'within', 'rack.isNull', 'site.labels']) {
    const [it] = conditionsOf(device, new URLSearchParams([[key, 'x']]));
    assert.equal(it && keyOfCondition(it), key);
  }
});

test('what can be filtered by can be read back', () => {
  for (const it of kinds()) {
    for (const field of filterables(it)) {
      for (const op of field.ops) {
        const key = keyOfCondition({ not: false, path: field.path, op });
        assert.equal(conditionsOf(it, new URLSearchParams([[key, 'true']])).length, 1, `${it.name} ${key}`);
      }
    }
  }
});

test('names of the schema are words', () => {
  assert.equal(words('assetTag'), 'Asset tag');
  assert.equal(words('lengthM'), 'Length (m)');
  assert.equal(words('VirtualMachine'), 'Virtual machine');
  assert.equal(words('mac'), 'MAC');
});

test('what does not fit the schema is named', () => {
  const unfit = (query: string): Array<[string, string]> => unfitOf(device, new URLSearchParams(query)).map((it) => [it.key, it.why]);
  assert.deepEqual(unfit('q=x&sort=NAME&columns=name&status.in=FAILED&labels=env%3Dprod&!rack.isNull=true&inletsRequired.gte=2&rack.site.name.eq=a'), []);
  assert.deepEqual(unfit('colour.eq=red&status.in=ACTIVE&status.in=BROKEN'), [
    ['colour.eq', 'There is no filter “colour” for devices.'],
    ['status.in', '“BROKEN” is not one of PLANNED, STAGED, ACTIVE, OFFLINE, FAILED, DECOMMISSIONING, RETIRED.'],
  ]);
  assert.deepEqual(unfit('rack.colour.eq=red&name.like=x'), [['rack.colour.eq', 'There is no filter “rack.colour” for devices.'], ['name.like', 'There is no filter “name.like” for devices.']]);
  assert.deepEqual(unfit('inletsRequired.gte=many&rack.isNull=maybe'), [['inletsRequired.gte', '“many” is not a number.'], ['rack.isNull', '“maybe” is neither true nor false.']]);
  assert.deepEqual(unfit('rack=x'), [['rack', '“rack” has several fields, of which one must be named.']]);
  assert.equal(unfitOf(device, new URLSearchParams('by=role'), ['by']).length, 0);
});
