// Lists that are longer than the server sorts. What a list of 100,000 rows looks like is made of answers for a short one.
import { after, before, describe } from 'node:test';
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { accessible, open, shot, stage, test } from './harness.ts';
import type { Stage } from './harness.ts';

const MANY = 100_001;

/** Answers for lists of ports as a server with more of them would. */
async function withMany(page: Page): Promise<void> {
  await page.route('**/graphql', async (route) => {
    const { query, variables } = (route.request().postDataJSON() ?? {}) as { query: string; variables?: { order?: { by: string } | null } };
    if (!query.includes('rows: ports')) return route.continue();
    const by = variables?.order?.by;
    if (by && by !== 'KEY' && by !== 'UPDATED_AT') {
      return route.fulfill({ json: { data: null, errors: [{ message: `the list would sort ${MANY} objects by ${by}`, extensions: { code: 'TOO_COMPLEX' } }] } });
    }
    const response = await route.fetch();
    const answer = (await response.json()) as { data: { rows: { totalCount?: number } } };
    if (answer.data.rows.totalCount !== undefined) answer.data.rows.totalCount = MANY;
    return route.fulfill({ response, json: answer });
  });
}

describe('a list that is too long to be sorted', () => {
  let on: Stage;
  before(async () => { on = await stage(); });
  after(() => on.close());

  for (const theme of ['light', 'dark'] as const) {
    test(`is ordered by what the server has an index for, and says so (${theme})`, async () => {
      const page = await open(on, '/');
      await page.emulateMedia({ colorScheme: theme });
      await withMany(page);
      await page.goto(`${on.base}/ports?columns=name,device,speedBps,updatedAt`);
      await page.locator('#row-1 a').first().waitFor();
      await page.getByText('The server orders more than 100,000 objects only by what it has an index for: by name within each device, and by the last change.').waitFor();
      const head = (name: string) => page.getByRole('columnheader', { name });
      assert.equal(await head('Speed').getByRole('button').count(), 0);
      assert.match((await head('Speed').getAttribute('title')) ?? '', /too long to be ordered by this column/);
      await accessible(page);
      await shot(page, `long-${theme}`);
      await head('Name').getByRole('button').press('Enter');
      await page.waitForURL(/sort=KEY$/);
      await page.getByRole('columnheader', { name: 'Name', exact: false }).and(page.locator('[aria-sort=ascending]')).waitFor();
      await head('Name').getByRole('button').press('Enter');
      await page.waitForURL(/sort=KEY\.DESC$/);
      await head('Updated at').getByRole('button').press('Enter');
      await page.waitForURL(/sort=UPDATED_AT$/);
      await page.locator('#row-1 a').first().waitFor();
      await page.close();
    });
  }

  test('offers the order by key instead of one that an address asks for', async () => {
    const page = await open(on, '/');
    await withMany(page);
    await page.goto(`${on.base}/ports?sort=SPEED_BPS.DESC`);
    await page.getByText('Too much for one query').waitFor();
    await accessible(page);
    await shot(page, 'long-refused');
    await page.getByRole('button', { name: 'Order it by name within each device' }).press('Enter');
    await page.waitForURL(/sort=KEY\.DESC$/);
    await page.locator('#row-1 a').first().waitFor();
    await page.close();
  });
});
