// Addresses: which screen an address is, and of which object.
import { test } from 'node:test';
import assert from 'node:assert/strict';

Object.assign(globalThis, { location: new URL('http://underlay.example/') });
const { match, pathOf, viewsOf } = await import('../../src/routes.ts');
const { kindOf } = await import('../../src/kinds/registry.ts');

const ID = '01a214e2-5bba-7ec2-b904-211ee35c98d3';

test('an address is a screen', () => {
  const table: Array<[string, string]> = [
    ['/', 'home  '], ['/racks', 'list Rack '], ['/racks/ams1/A14', 'detail Rack ams1,A14'], [`/racks/${ID}`, `detail Rack ${ID}`],
    ['/racks/ams1/A14/elevation', 'elevation Rack ams1,A14'], [`/racks/${ID}/elevation`, `elevation Rack ${ID}`],
    ['/racks/ams1/elevation', 'detail Rack ams1,elevation'], ['/racks/ams1/elevation/elevation', 'elevation Rack ams1,elevation'],
    ['/devices/ams1/x/elevation', 'detail Device ams1,x,elevation'], ['/devices/ams1/x/trace', 'trace Device ams1,x'], ['/devices/ams1/x/power', 'power Device ams1,x'],
    [`/ports/${ID}/trace`, `trace Port ${ID}`], ['/cables/c%2F1/trace', 'trace Cable c/1'], ['/elevations', 'elevations  '], ['/patch', 'patch  '],
    ['/hosts/gpu-1/hardware', 'hardware Host gpu-1'], ['/hardware-events', 'hardware-events  '], ['/hosts/hardware', 'detail Host hardware'], ['/sites/x/hardware', 'detail Site x,hardware'],
    ['/nothing/here', 'nowhere  nothing,here'],
  ];
  for (const [path, expected] of table) {
    const at = match(path);
    assert.equal(`${at.screen} ${at.kind?.name ?? ''} ${at.rest.join(',')}`, expected, path);
  }
});

test('an object is addressed by its key, or by its id if that is all that is known', () => {
  const site = { id: 's', name: 'ams1' };
  assert.equal(pathOf('Rack', { id: ID, name: 'A 14', site }), '/racks/ams1/A%2014');
  assert.equal(pathOf('Rack', { id: ID, name: 'A14' }), `/racks/${ID}`);
  assert.equal(pathOf('Cable', { id: ID }), `/cables/${ID}`);
  assert.equal(pathOf('Cable', { id: ID, name: 'c/1' }), '/cables/c%2F1');
});

test('objects lead to the screens that show them in another way', () => {
  const views = (kind: string, row: Record<string, unknown>): string => {
    const of = kindOf(kind);
    assert.ok(of);
    return viewsOf(of, { id: ID, name: 'x', ...row }).map((it) => it.path).join(' ');
  };
  const rack = { id: 'r', name: 'A14', site: { id: 's', name: 'ams1' } };
  assert.equal(views('Rack', { site: rack.site }), '/racks/ams1/x/elevation');
  assert.equal(views('Location', {}), `/elevations?within=${ID}`);
  assert.equal(views('Device', { site: rack.site, placement: { rack } }), `/racks/ams1/A14/elevation?device=${ID} /devices/ams1/x/trace /devices/ams1/x/power /patch?a=${ID}`);
  assert.equal(views('Host', {}), '/hosts/x/hardware');
  assert.equal(views('Provider', {}), '');
});
