// Names that turn the direction of text keep it to themselves.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { isolated, joined, upright } from '../../src/kinds/format.ts';

test('plain names are written as they are', () => {
  assert.equal(isolated('ams1-a14-hv-01'), 'ams1-a14-hv-01');
  assert.equal(joined(['ams1', undefined, 'é, 机柜', '']), 'ams1 · é, 机柜');
  assert.equal(joined(['שרת']), 'שרת');
});

test('names that are written from right to left are set apart from others', () => {
  assert.equal(joined(['שרת', 'eth0']), '\u2068שרת\u2069 · eth0');
  // A name cannot leave its own part.
  assert.equal(isolated('a\u2066b\u202ec\u2069'), '\u2068ab\u202ec\u2069');
});

test('a sentence of the server is not turned around by a name in it', () => {
  assert.equal(upright('evil\u202etxt.exe is still in use by 3 ports'), 'evil\\u{202e}txt.exe is still in use by 3 ports');
  assert.equal(upright('שרת is still in use'), 'שרת is still in use');
});
