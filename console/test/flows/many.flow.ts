// Ten thousand rows at once: the number is exact, refusals stand at their object, and the rest can be written.
import { after, before, describe } from 'node:test';
import assert from 'node:assert/strict';
import { accessible, api, open, ready, shot, stage, test } from './harness.ts';
import type { Stage } from './harness.ts';

const APPLY = 'mutation Apply($input: ApplyInput!) { apply(input: $input) { results { error { message } } } }';
const MANY = 10_000;

describe('ten thousand rows', () => {
  let on: Stage;
  before(async () => { on = await stage(); });
  after(() => on.close());

  test('are edited at once, but for three that the server refuses', { isLong: true }, async (run) => {
    const page = await open(on, '/');
    const rack = (at: number) => `many-${String(at).padStart(5, '0')}`;
    const racks = Array.from({ length: MANY }, (_, at) => ({ rack: { name: rack(at), site: { site: 'ams1' }, heightU: 42, labels: { many: 'yes' } } }));
    await api(page, APPLY, { input: { items: racks } });
    const full = [7, 4_711, 9_999];
    await api(page, APPLY, { input: { items: full.map((at) => ({
      device: { name: `high-${at}`, site: { site: 'ams1' }, role: 'SERVER', placement: { rack: { site: 'ams1', rack: rack(at) }, startUnit: 40, unitHeight: 1 } },
    })) } });
    await page.goto(`${on.base}/racks?labels=many%3Dyes`);
    await page.locator('#row-2 a').first().waitFor();
    // The times are notes for whoever reads the output: nothing is asserted about them.
    let last = Date.now();
    const lap = (what: string): void => { run.diagnostic(`${what}: ${Date.now() - last} ms`); last = Date.now(); };

    await page.keyboard.press('Shift+X');
    await page.getByText('10,000 marked').waitFor();
    lap('marked');
    await page.keyboard.press('e');
    const form = page.getByRole('dialog', { name: 'Change 10,000 racks' });
    await form.getByLabel('Height (U)', { exact: true }).fill('30');
    lap('form');
    await ready(form.getByRole('button', { name: 'Review the changes' })).press('Enter');
    await page.getByText('The server refuses 3 of 10,000 objects.').waitFor();
    lap('tried');
    const refused = page.getByRole('region', { name: 'Refused' }).getByRole('listitem');
    assert.equal(await refused.count(), 3);
    for (const at of full) await refused.filter({ hasText: `heightU must be at least 40: high-${at} stands up to U40` }).getByRole('link', { name: rack(at) }).waitFor();
    await accessible(page);
    await shot(page, 'many-refused');
    last = Date.now();
    await page.getByRole('button', { name: 'Leave out the 3 and go on with 9,997' }).press('Enter');
    await page.getByRole('button', { name: 'Write 9,997 changes' }).waitFor();
    await page.getByRole('heading', { name: 'Change 10,000 racks, without 3' }).waitFor();
    lap('tried again');
    await page.locator('summary').filter({ hasText: '9,997 × Rack' }).press('Enter');
    await page.getByRole('button', { name: 'Show 100 more of 9,997' }).waitFor();
    lap('unfolded');
    await shot(page, 'many');
    last = Date.now();
    await ready(page.getByRole('button', { name: 'Write 9,997 changes' })).press('Enter');
    await page.getByText(/^Written as revision \d+/).waitFor();
    lap('written');
    const { thirty, high } = await api<{ thirty: { totalCount: number }; high: { totalCount: number } }>(page, `{
      thirty: racks(filter: {heightU: {eq: 30}, labels: "many=yes"}) { totalCount } high: racks(filter: {heightU: {eq: 42}, labels: "many=yes"}) { totalCount }
    }`);
    assert.deepEqual([thirty.totalCount, high.totalCount], [9_997, 3]);
    last = Date.now();
    await page.getByRole('button', { name: 'Undo' }).press('Enter');
    await page.getByRole('button', { name: 'Write 9,997 changes' }).waitFor();
    lap('undo tried');
    // Of more than a review holds, no part is undone in silence.
    await page.goto(`${on.base}/changes/2`);
    await page.getByRole('button', { name: /^Undo this and all after it/ }).press('Enter');
    await page.getByText('more than 10,000 objects differ, and a review holds no more').waitFor();
    await page.close();
  });
});
