// Odd addresses and odd names: the page says what is wrong with an address, and shows names as they are everywhere.
import { after, before, describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { accessible, api, open, shot, stage } from './harness.ts';
import type { Stage } from './harness.ts';

const APPLY = 'mutation Apply($input: ApplyInput!) { apply(input: $input) { revision results { id error { message } } } }';

describe('an odd address', () => {
  let on: Stage;
  before(async () => { on = await stage(); });
  after(() => on.close());

  for (const theme of ['light', 'dark'] as const) {
    test(`with filters that do not fit lists nothing, and offers to drop them (${theme})`, async () => {
      const page = await open(on, '/devices?colour.eq=red&status.in=ACTIVE&status.in=BROKEN', theme);
      await page.getByText('There is no filter “colour” for devices.').waitFor();
      await page.getByText(/“BROKEN” is not one of PLANNED/).waitFor();
      assert.equal(await page.getByRole('grid').count(), 0);
      await accessible(page);
      await shot(page, `unfit-${theme}`);
      await page.getByRole('button', { name: 'Remove this filter' }).first().press('Enter');
      await page.getByText('There is no filter “colour” for devices.').waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Remove this filter' }).press('Enter');
      await page.locator('#row-1 a').first().waitFor();
      assert.equal(new URL(page.url()).search, '?status.in=ACTIVE');
      await page.close();
    });
  }

  test('what the server does not take stands above the list, whose filters can be removed', async () => {
    const page = await open(on, '/devices?within=no-id&labels=%3D%3D');
    await page.getByRole('alert').waitFor();
    for (const name of [/Remove the filter Within/, /Remove the filter Labels/]) await page.getByRole('button', { name }).press('Enter');
    await page.locator('#row-1 a').first().waitFor();
    await page.goto(`${on.base}/elevations?colour.eq=red&by=status`);
    await page.getByText('There is no filter “colour” for racks.').waitFor();
    await page.close();
  });

  test('of what is deleted says who deleted it, and leads to the change', async () => {
    const page = await open(on, '/');
    const { apply } = await api<{ apply: { revision: number; results: Array<{ id: string }> } }>(page, APPLY, { input: { items: [{ rack: { name: 'short-lived', site: { site: 'ams1' }, heightU: 10 } }] } });
    const id = apply.results[0]?.id ?? '';
    await page.goto(`${on.base}/racks/ams1/short-lived`);
    await page.getByRole('heading', { name: 'short-lived' }).waitFor();
    // It goes while it is shown.
    await api(page, APPLY, { input: { items: [{ delete: { ref: { id } } }] } });
    const sentence = page.getByText(/The rack short-lived was deleted by local/);
    await sentence.waitFor();
    for (const path of [`/racks/${id}`, '/racks/ams1/short-lived', `/racks/${id}/elevation`, '/racks/ams1/short-lived/elevation']) {
      await page.goto(on.base + path);
      await sentence.waitFor();
    }
    await accessible(page);
    await shot(page, 'gone');
    await page.locator('main').getByRole('link', { name: `revision ${apply.revision + 1}` }).press('Enter');
    await page.getByRole('button', { name: 'Undo…', exact: true }).press('Enter');
    await page.getByRole('button', { name: 'Write 1 change' }).press('Enter');
    await page.getByText(/^Written as revision \d+/).waitFor();
    await page.goto(`${on.base}/racks/${id}`);
    await page.getByRole('heading', { name: 'short-lived' }).waitFor();
    await page.close();
  });

  test('of what is called otherwise now leads to it, and of what never was says so', async () => {
    const page = await open(on, '/');
    const { apply } = await api<{ apply: { results: Array<{ id: string }> } }>(page, APPLY, { input: { items: [{ rack: { name: 'old-name', site: { site: 'ams1' }, heightU: 10 } }] } });
    await api(page, APPLY, { input: { items: [{ rack: { id: apply.results[0]?.id, name: 'new-name' } }] } });
    await page.goto(`${on.base}/racks/ams1/old-name`);
    await page.getByText(/has been called new-name since revision/).waitFor();
    await page.getByRole('link', { name: 'new-name' }).press('Enter');
    await page.getByRole('heading', { name: 'new-name' }).waitFor();
    for (const path of ['/racks/ams1/%3Cb%3Enever', '/racks/01a2165b-0000-7000-8000-000000000000', '/ports/ams1/nowhere/eth0/trace']) {
      await page.goto(on.base + path);
      await page.getByRole('heading', { name: 'Not found' }).waitFor();
      await page.getByText(/do not name it/).waitFor();
    }
    for (const [path, words] of [['/nowhere', 'Nothing here'], ['/racks/%25', 'Not found'], ['/changes/x', 'Nothing here'], ['/changes/999999', /revision|changes/]] as const) {
      await page.goto(on.base + path);
      await page.locator('main').getByText(words).first().waitFor();
    }
    await page.close();
  });

  test('names of any form are shown as they are, on every screen', async () => {
    const page = await open(on, '/');
    const names = ['<img src=x onerror=alert(1)>', 'שרת-א14', 'n'.repeat(253), 'a/b?c#d%20&amp;'];
    const items = names.map((name, at) => ({ device: { name, site: { site: 'ams1' }, role: 'SERVER', labels: { odd: 'yes' }, description: name, placement: { rack: { site: 'ams1', rack: 'A13' }, startUnit: 43 + at, unitHeight: 1 } } }));
    const { apply } = await api<{ apply: { results: Array<{ id: string; error: { message: string } | null }> } }>(page, APPLY, { input: { items } });
    assert.deepEqual(apply.results.flatMap((it) => it.error?.message ?? []), []);
    const whole = async (): Promise<void> => {
      assert.equal(await page.locator('main img').count(), 0);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), page.url());
    };
    for (const path of ['/devices?labels=odd%3Dyes', '/changes', '/racks/ams1/A13/elevation', '/racks/ams1/A13/elevation?view=list']) {
      await page.goto(on.base + path);
      await page.locator('main').getByText('שרת-א14').first().waitFor({ state: 'attached' });
      await whole();
    }
    for (const name of names) {
      await page.goto(`${on.base}/devices/ams1/${encodeURIComponent(name)}`);
      await page.getByRole('heading', { name, exact: true }).waitFor();
      await whole();
      await page.keyboard.press('e');
      const form = page.getByRole('dialog', { name: `Edit ${name}` });
      await form.getByLabel('Asset tag', { exact: true }).fill('‮evil‬ <script>');
      await form.getByRole('button', { name: 'Review the changes' }).press('Enter');
      await page.getByRole('heading', { name: `Edit ${name}` }).waitFor();
      await page.getByText('This is what would be written').or(page.getByRole('region', { name: 'Refused' })).first().waitFor();
      await whole();
      await page.getByRole('button', { name: 'Discard' }).press('Enter');
    }
    await accessible(page);
    await shot(page, 'odd-name');
    await page.close();
  });
});
