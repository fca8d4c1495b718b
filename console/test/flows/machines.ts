// Machines with agents, for flows about hardware: hosts of their own, and what their agents report.
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { api } from './harness.ts';
import type { Stage } from './harness.ts';

const APPLY = 'mutation($input: ApplyInput!) { apply(input: $input) { results { id kind error { message } } } }';
const ISSUE = 'mutation($host: ID!) { issueAgentToken(host: $host) { token } }';

export interface Machine { id: string; name: string; token: string }
interface Result { id: string; kind: string; error: { message: string } | null }

/** A section that was read as a whole. */
export const whole = (found: unknown): object => ({ complete: true, found });

/** Writes items, all of which must be accepted. */
export async function write(page: Page, items: object[]): Promise<Result[]> {
  const { apply } = await api<{ apply: { results: Result[] } }>(page, APPLY, { input: { items } });
  assert.deepEqual(apply.results.flatMap((it) => it.error?.message ?? []), []);
  return apply.results;
}

let made = 0;
/** A name that no other flow has. */
export function freshName(of: string): string {
  made += 1;
  return `${of}-${process.pid}-${made}`;
}

/** A host with a token for its agent. The page must be one of the console. */
export async function newMachine(page: Page, name: string, more: object = {}): Promise<Machine> {
  const [host] = await write(page, [{ host: { name, ...more } }]);
  const id = host?.id ?? '';
  const { issueAgentToken: { token } } = await api<{ issueAgentToken: { token: string } }>(page, ISSUE, { host: id });
  return { id, name, token };
}

/** Reports in the name of the agent. The server must store it. */
export async function report(on: Stage, { token }: Machine, sections: object): Promise<void> {
  const answer = await fetch(`${on.base}/facts`, {
    method: 'POST', headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ format: 1, agent: { version: '0.1.0' }, observedAt: new Date().toISOString(), ...sections }),
  });
  assert.equal(answer.status, 200, await answer.clone().text());
  assert.equal((await answer.json() as { outcome: string }).outcome, 'STORED');
}

/** A row of a table of the page, by its first cell. */
export const rowOf = (page: Page, table: string, name: string) =>
  page.getByRole('group', { name: table, exact: true }).getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) });
