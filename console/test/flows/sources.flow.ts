// Sources: a run that would remove too much is held, and somebody decides, by keyboard alone.
import { after, before, describe } from 'node:test';
import type { Page } from 'playwright-core';
import { accessible, api, open, ready, shot, stage, test } from './harness.ts';
import type { Stage } from './harness.ts';

const COUNT = 14;
const NAME = `flow-${Date.now()}`;
const START = 'mutation($source: String!) { startRun(input: {source: $source, mode: FULL}) { run { id } } }';
const END = 'mutation($run: ID!) { settleRun(input: {run: $run, complete: true}) { run { state } } finishRun(input: {run: $run}) { run { state } } }';
const racks = (count: number): object[] => Array.from({ length: count }, (_, it) => ({ rack: { externalId: `${NAME}-${it}`, name: `${NAME} <i>${it}</i>`, site: { site: 'rtm1' }, heightU: 42 } }));

async function run(page: Page, count: number): Promise<void> {
  const { startRun } = await api<{ startRun: { run: { id: string } } }>(page, START, { source: NAME });
  await api(page, 'mutation($run: ID!, $items: [ApplyItem!]!) { apply(input: {run: $run, items: $items}) { revision } }', { run: startRun.run.id, items: racks(count) });
  await api(page, END, { run: startRun.run.id });
}

describe('sources', () => {
  let on: Stage;
  before(async () => {
    on = await stage();
    const page = await open(on, '/');
    await api(page, 'mutation($name: String!) { createSource(input: {name: $name, type: "flow", prune: DELETE}) { revision } }', { name: NAME });
    await run(page, COUNT);
    await run(page, 1);
    await page.close();
  });
  after(() => on.close());

  test('what is held is looked at, rejected, held again, and approved', async () => {
    const page = await open(on, `/sources-board?source=${NAME}`);
    const held = page.getByRole('region', { name: 'Held' });
    await held.getByText(`Held: ${COUNT - 1} changes`).waitFor();
    await held.getByRole('button', { name: 'Reject…' }).press('Enter');
    await page.getByRole('dialog').getByText('Nothing is removed or emptied.').waitFor();
    await ready(page.getByRole('button', { name: 'Reject, remove nothing' })).press('Enter');
    await held.waitFor({ state: 'detached' });
    await run(page, 1);
    await held.getByRole('button', { name: 'Approve…' }).press('Enter');
    await page.getByRole('dialog').getByText(`${COUNT - 1} objects with everything that they contain are deleted.`).waitFor();
    await accessible(page);
    await ready(page.getByRole('button', { name: `Approve: remove ${COUNT - 1}` })).press('Enter');
    await held.waitFor({ state: 'detached' });
    await page.goto(`${on.base}/racks?q=${NAME}`);
    await page.locator('#row-0').waitFor();
    await page.waitForFunction(() => document.querySelector('[role=grid]')?.getAttribute('aria-rowcount') === '2');
    await page.close();
  });

  for (const theme of ['light', 'dark'] as const) {
    test(`breaks no rule of accessibility (${theme})`, async () => {
      const page = await open(on, `/sources-board?source=${NAME}`, theme);
      await page.getByRole('region', { name: 'Runs' }).getByRole('row').nth(1).waitFor();
      await accessible(page);
      await shot(page, `sources-board-${theme}`);
      await page.close();
    });
  }
});
