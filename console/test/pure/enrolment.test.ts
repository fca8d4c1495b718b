import { test } from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { buildSchema, parse, validate } from 'graphql';
import { endsAt, ISSUE, LIVES, REVOKE, stateOf, TOKENS } from '../../src/screens/enrolment-data.ts';
import type { EnrolmentToken } from '../../src/screens/enrolment-data.ts';

const NOW = Date.parse('2026-11-30T12:00:00Z');
const token = (more: Partial<EnrolmentToken> = {}): EnrolmentToken => ({
  id: 't', site: null, class: null, registers: false, count: 2, used: 1, endsAt: '2026-11-30T13:00:00Z', issuedAt: '2026-11-30T11:00:00Z', issuedTo: 'ann', revokedAt: null, ...more,
});

test('the documents about enrolments fit the schema', () => {
  const schema = buildSchema(readFileSync('../schema.graphql', 'utf8'));
  for (const it of [TOKENS, ISSUE, REVOKE]) assert.deepEqual(validate(schema, parse(it)).map((one) => one.message), [], it);
});

test('a token is accepted until it is revoked, has ended, or was used by as many as it is for', () => {
  const table: Array<[Partial<EnrolmentToken>, string]> = [
    [{}, 'Accepted'], [{ used: 2 }, 'Used up'], [{ endsAt: '2026-11-30T12:00:00Z' }, 'Ended'], [{ revokedAt: '2026-11-30T11:30:00Z', used: 2 }, 'Revoked'],
  ];
  for (const [of, title] of table) assert.equal(stateOf(token(of), NOW).title, title);
  assert.deepEqual(table.map(([of]) => stateOf(token(of), NOW).isAccepted), [true, false, false, false]);
});

test('no token is accepted for longer than the server allows', () => {
  assert.equal(endsAt(8, NOW), '2026-11-30T20:00:00.000Z');
  assert.ok(LIVES.every(([, hours]) => hours < 366 * 24));
});
