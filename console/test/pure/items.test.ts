import { test } from 'node:test';
import assert from 'node:assert/strict';
import { manifestOf, stepOf, stepOfManifest, withoutVersion, withVersion } from '../../src/kinds/items.ts';
import { readYaml } from '../../src/kinds/read-yaml.ts';
import { kindOf } from '../../src/kinds/registry.ts';
import { yaml } from '../../src/kinds/yaml.ts';

const RACK = '01a214cf-9210-7563-967a-740ebdfcb4ec';

test('a difference is a step, with references by id and removed keys named', () => {
  const step = stepOf({
    kind: 'Device', objectId: 'x', name: 'a', operation: 'UPDATED',
    before: { labels: { a: '1', b: '2' }, status: 'PLANNED', externalRefs: [{ source: 's', externalId: '1' }], version: 3 },
    after: { labels: { a: '1' }, status: 'ACTIVE', externalRefs: [], placement: { rack: RACK, face: 'FRONT' }, description: null, version: 2 },
  });
  assert.deepEqual(step?.item, { device: {
    id: 'x', labels: { a: '1', b: null }, status: 'ACTIVE', externalRefs: [{ source: 's', externalId: null }],
    placement: { rack: { id: RACK }, face: 'FRONT' }, description: null,
  } });
});

test('creations are undone by deletions, and the other way round', () => {
  const base = { kind: 'Cable', objectId: 'x', name: 'c' };
  assert.deepEqual(stepOf({ ...base, operation: 'DELETED', before: {}, after: null })?.item, { delete: { ref: { id: 'x' } } });
  const after = { name: 'c', aEnds: [{ port: RACK }], managers: { name: 'ana' } };
  assert.deepEqual(stepOf({ ...base, operation: 'CREATED', before: null, after })?.item, { cable: { id: 'x', name: 'c', aEnds: [{ port: { id: RACK } }] } });
});

test('versions come and go', () => {
  const step = { kind: 'Rack', id: 'x', name: 'r', item: { rack: { id: 'x' } } };
  const versioned = withVersion(step, 7);
  assert.deepEqual(versioned.item, { rack: { id: 'x', ifVersion: 7 } });
  assert.deepEqual(withoutVersion(versioned), step);
});

test('a manifest is written, read, and made an item again', () => {
  const device = kindOf('Device');
  assert.ok(device);
  const item = {
    name: 'a: "b" #c', labels: { env: 'yes', n: '12' }, site: { site: 'ams1' }, role: 'SERVER', description: '',
    placement: { rack: { site: 'ams1', rack: 'A14' }, startUnit: 2 }, addresses: [{ type: 'INTERNAL', address: '10.0.0.1' }, { type: 'MANAGEMENT', address: '::1' }],
  };
  const text = yaml(manifestOf(device, item));
  assert.match(text, /^ {2}site: ams1$/m);
  const [document] = readYaml(text);
  assert.deepEqual(stepOfManifest(document).item, { device: item });
});

test('what people write in manifests is read', () => {
  const text = `# racks
apiVersion: underlay/v1
kind: Rack
metadata:
  name: A15   # new
  labels: {env: prod, 'a b': "c, d"}
spec:
  site: ams1
  heightU: 47
  list:
  - one
  -
    two: 2
  - three: [1, {a: b}]
    four: null
  text: |
    first
      second # kept
  folded: >-
    one
    two
---
- x
`;
  assert.deepEqual(readYaml(text), [{
    apiVersion: 'underlay/v1', kind: 'Rack', metadata: { name: 'A15', labels: { env: 'prod', 'a b': 'c, d' } },
    spec: {
      site: 'ams1', heightU: 47, list: ['one', { two: 2 }, { three: [1, { a: 'b' }], four: null }], text: 'first\n  second # kept\n', folded: 'one two',
    },
  }, ['x']]);
});

test('what cannot be read is refused with its line', () => {
  for (const [text, line] of [['a: 1\n\tb: 2', 2], ['a: *b', 1], ['a: [1', 1], ['a:\n    b: 1\n  c: 2', 3], ['a: "x', 1], ['a: 1\na: 2', 2], ['a: {b}', 1]] as const) {
    assert.throws(() => readYaml(text), new RegExp(`^YamlError: line ${line}:|line ${line}:`), text);
  }
  assert.throws(() => stepOfManifest({ apiVersion: 'v1' }), /begins with/);
  assert.throws(() => stepOfManifest({ apiVersion: 'underlay/v1', kind: 'Rack', spec: { height: 1 } }), /no field height/);
});
