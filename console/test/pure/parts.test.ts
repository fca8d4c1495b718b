import { test } from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { buildSchema, parse, validate } from 'graphql';
import { CABLING } from '../../src/screens/hardware-cabling.ts';
import { DOCUMENT } from '../../src/screens/hardware-data.ts';
import type { HardwareEvent } from '../../src/screens/hardware-events.ts';
import { eventsDocument, eventsOf, hostsOf, LIFE, modelOf, partFilterOf, PARTS, whereIs } from '../../src/screens/part-data.ts';
import type { Stay, WholePart } from '../../src/screens/part-data.ts';
import { partPath } from '../../src/screens/part-path.ts';

const part = (more: Partial<WholePart> = {}): WholePart => ({
  kind: 'DISK', manufacturer: 'Contoso', model: 'CN-3840', serial: 'S1', place: 'pci-1', since: '2026-11-28T09:00:00Z', ambiguous: false, host: { id: 'h', name: 'gpu-7' }, stays: [], ...more,
});
const stay = (id: string | null): Stay => ({ host: id === null ? null : { id, name: id }, place: 'pci-1', from: '2026-11-28T09:00:00Z', until: null });
const event = (cursor: string, at: string, before: unknown, after: unknown): HardwareEvent =>
  ({ cursor, at, part: 'DISK', change: 'REPLACED', place: 'pci-1', before, after, host: null });

test('the documents about hardware and parts fit the schema', () => {
  const schema = buildSchema(readFileSync('../schema.graphql', 'utf8'));
  for (const it of [DOCUMENT, CABLING, PARTS, LIFE, eventsDocument(1), eventsDocument(3)]) assert.deepEqual(validate(schema, parse(it)).map((one) => one.message), [], it);
});

test('a part is in a host, in none, or in several', () => {
  assert.equal(whereIs(part()), 'IN');
  assert.equal(whereIs(part({ host: null, since: null, place: null })), 'OUT');
  assert.equal(whereIs(part({ host: null, since: null, ambiguous: true })), 'SEVERAL');
  assert.equal(modelOf(part({ manufacturer: null })), 'CN-3840');
  assert.equal(partPath('A/1 ü'), '/parts/A%2F1%20%C3%BC');
});

test('the address selects parts', () => {
  assert.deepEqual(partFilterOf(new URLSearchParams('kind=DISK&serial=S1&where=OUT')), { kind: 'DISK', serial: 'S1' });
  assert.deepEqual(partFilterOf(new URLSearchParams('')), {});
});

test('the events of a part are found in those of its hosts, each once', () => {
  assert.deepEqual(hostsOf(part({ stays: [stay('b'), stay(null), stay('a'), stay('b')] })), ['b', 'a']);
  const [mine, other, twin] = [{ serial: 'S1', model: 'CN-3840' }, { serial: 'S2', model: 'CN-3840' }, { serial: 'S1', model: 'Else' }];
  const moved = event('2', '2026-11-29T00:00:00Z', mine, mine);
  const lists = [[event('3', '2026-11-30T00:00:00Z', other, null), moved, event('1', '2026-11-28T00:00:00Z', null, mine)], [moved, event('4', '2026-11-30T00:00:00Z', twin, mine), event('5', '2026-11-30T01:00:00Z', twin, null)]];
  assert.deepEqual(eventsOf(part(), lists).map((it) => it.cursor), ['4', '2', '1']);
  assert.deepEqual(eventsOf(part({ kind: 'MEMORY', model: 'P1' }), [[event('1', '2026-11-28T00:00:00Z', null, { serial: 'S1', partNumber: 'P1' })]]).length, 1);
});
