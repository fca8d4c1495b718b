// The console of a viewer and of a tenant: controls that they may not use are off and name the role, and nothing of
// others is shown.
import { after, before, describe } from 'node:test';
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { accessible, api, eventually, newPage, open, opensNothing, ready, settled, shot, stage, test } from './harness.ts';
import type { Stage, Theme } from './harness.ts';

const NEEDS = 'This needs the role operator, synchronizer, reconciler, or admin.';
const READS = 'Tokens of a tenant only read.';
const APPLY = 'mutation Apply($input: ApplyInput!) { apply(input: $input) { revision results { id error { message } } } }';

/** A page with another token than that of the user who runs the server. */
async function openAs(on: Stage, token: string, path: string, theme: Theme = 'light'): Promise<Page> {
  const page = await newPage(on, { colorScheme: theme });
  await page.route('**/console/session', (route) => route.fulfill({ json: { version: '1', way: 'local', token } }));
  await page.goto(on.base + path);
  await page.getByRole('navigation', { name: 'Kinds' }).waitFor();
  return page;
}

/** A control that is off, and says why. */
async function off(page: Page, name: RegExp, why: string): Promise<void> {
  const control = page.getByRole('button', { name }).first();
  await control.and(page.locator('[aria-disabled=true]')).waitFor();
  assert.equal(await control.getAttribute('title'), why);
}

describe('rights', { skip: process.env.UNDERLAY_URL !== undefined }, () => {
  let on: Stage;
  before(async () => { on = await stage(); });
  after(() => on.close());

  for (const theme of ['light', 'dark'] as const) {
    test(`a viewer may look, and is told which role writes (${theme})`, async () => {
      const page = await openAs(on, on.token('--role', 'viewer'), '/devices/ams1/ams1-a14-hv-01', theme);
      await page.getByRole('heading', { name: 'ams1-a14-hv-01' }).waitFor();
      for (const name of [/^Edit/, /^Delete/]) await off(page, name, NEEDS);
      await page.keyboard.press('e');
      await opensNothing(page);
      await accessible(page);
      assert.equal(await page.getByRole('dialog').count(), 0);
      await page.goto(`${on.base}/devices`);
      await page.locator('#row-2 a').first().waitFor();
      await off(page, /^Create/, NEEDS);
      await page.keyboard.press('n');
      await page.keyboard.press('x');
      for (const name of [/^Edit 1/, /^Delete 1/]) await off(page, name, NEEDS);
      await page.keyboard.press('e');
      await opensNothing(page);
      assert.equal(await page.getByRole('dialog').count(), 0);
      await accessible(page);
      await shot(page, `viewer-${theme}`);
      await page.goto(`${on.base}/changes/1`);
      await off(page, /^Undo…/, NEEDS);
      await page.goto(`${on.base}/racks/ams1/A14/elevation?device=${await idOf(page, 'ams1-a14-hv-01')}`);
      for (const name of [/^Pick up/, /^Move to…/, /^Take out/]) await off(page, name, NEEDS);
      await page.keyboard.press('m');
      await opensNothing(page);
      assert.equal(await page.getByRole('dialog').count(), 0);
      await page.goto(`${on.base}/racks/ams1/A14/elevation?view=list`);
      await off(page, /^Move ams1-a14-hv-01 to…/, NEEDS);
      await page.goto(`${on.base}/patch`);
      await page.getByText(NEEDS).waitFor();
      await page.goto(`${on.base}/hosts-board`);
      await off(page, /^Acquire…/, 'This needs the role operator or admin.');
      await page.context().close();
    });
  }

  async function idOf(page: Page, name: string): Promise<string> {
    const { devices } = await api<{ devices: { nodes: Array<{ id: string }> } }>(page, `{ devices(filter: {name: {eq: "${name}"}}) { nodes { id } } }`);
    return devices.nodes[0]?.id ?? '';
  }

  test('a review that a viewer reaches cannot be written', async () => {
    const page = await openAs(on, on.token('--role', 'viewer'), '/');
    const chosen = page.waitForEvent('filechooser');
    await page.keyboard.press('.');
    await page.getByRole('combobox', { name: /Search/ }).fill('>tables from files');
    await page.keyboard.press('Enter');
    await (await chosen).setFiles({ name: 'regions.csv', mimeType: 'text/csv', buffer: Buffer.from('name\nnorth\n') });
    await off(page, /^Write/, NEEDS);
    await page.getByText('Not allowed').waitFor();
    await accessible(page);
    await page.context().close();
  });

  test('a tenant sees what is its own and what is shared, and nothing else anywhere', async () => {
    const mine = await open(on, '/');
    // Something of another tenant, with a change of its own.
    const { apply } = await api<{ apply: { results: Array<{ id: string; error: { message: string } | null }> } }>(mine, APPLY, { input: { items: [
      { device: { name: 'secret-research-1', site: { site: 'ams1' }, role: 'SERVER', tenant: 'research', status: 'FAILED', placement: { rack: { site: 'ams1', rack: 'A13' }, startUnit: 43, unitHeight: 1 } } },
      { device: { name: 'secret-research-2', site: { site: 'ams1' }, role: 'SERVER', tenant: 'research', status: 'FAILED' } },
      { device: { name: 'own-payments', site: { site: 'ams1' }, role: 'SERVER', tenant: 'payments', status: 'FAILED' } },
    ] } });
    assert.deepEqual(apply.results.flatMap((it) => it.error?.message ?? []), []);
    await api(mine, APPLY, { input: { items: [{ delete: { ref: { id: apply.results[1]?.id } } }] } });
    const { all, failed } = await api<Record<'all' | 'failed', { totalCount: number }>>(mine, '{ all: devices(first: 0) { totalCount } failed: devices(first: 0, filter: {status: {eq: FAILED}}) { totalCount } }');

    const page = await openAs(on, on.token('--tenant', 'payments'), '/devices?q=secret');
    const without = async (where: string): Promise<void> => {
      assert.doesNotMatch(await page.locator('body').innerText(), /secret-research|research/, where);
    };
    await page.getByText('Nothing fits these filters.').waitFor();
    await page.goto(`${on.base}/devices?q=own-pay`);
    await page.locator('#row-0 a').first().waitFor();
    await off(page, /^Create/, READS);
    const count = page.getByRole('navigation', { name: 'Kinds' }).getByRole('link', { name: /^Devices/ }).locator('.count');
    await eventually(page, async () => {
      const shown = Number((await count.innerText()).replace(/\D/g, ''));
      assert.ok(shown > 0 && shown < all.totalCount, `${shown} of ${all.totalCount}`);
    });
    const before = await count.innerText();
    // The feed tells nothing of others either.
    await api(mine, APPLY, { input: { items: [{ device: { name: 'secret-research-3', site: { site: 'ams1' }, role: 'SERVER', tenant: 'research' } }] } });
    await api(mine, APPLY, { input: { items: [{ device: { name: 'own-payments', site: { site: 'ams1' }, status: 'OFFLINE' } }] } });
    await page.locator('#row-0').getByText('Offline').waitFor();
    // The device of the other tenant came before this change, and what the page reads because of it has been read.
    await settled(page);
    assert.equal(await count.innerText(), before);

    await page.goto(`${on.base}/devices`);
    await page.locator('#row-1 a').first().waitFor();
    await page.getByRole('button', { name: '+ Filter' }).press('Enter');
    const form = page.getByRole('dialog', { name: 'Add a filter' });
    await form.getByLabel('Field').selectOption({ label: 'Tenant' });
    await form.locator('#filter-values option').first().waitFor({ state: 'attached' });
    assert.deepEqual(await form.locator('#filter-values option').evaluateAll((all) => all.map((it) => (it as HTMLOptionElement).value)), ['payments']);
    await without('facets');
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    await page.getByRole('combobox', { name: /Search/ }).fill('secret');
    await page.getByRole('dialog', { name: 'Search and commands' }).getByRole('status').getByText('0 found').waitFor();
    await without('palette');
    await page.keyboard.press('Escape');
    for (const path of ['/', '/changes', `/changes?object=${apply.results[0]?.id}`, '/racks/ams1/A13/elevation', '/racks/ams1/A13/elevation?view=list', '/elevations?site.name.eq=ams1']) {
      await page.goto(on.base + path);
      await page.locator('main').getByText(/\S/).first().waitFor();
      if (path === '/') await ready(page.getByRole('button', { name: 'Look again' })).waitFor();
      await settled(page);
      await without(path);
    }
    await page.goto(`${on.base}/changes`);
    await page.getByText('a token of a tenant cannot use it').waitFor();
    await page.goto(`${on.base}/`);
    await settled(page);
    const home = page.getByRole('region', { name: 'Failed' }).getByRole('link', { name: /^Devices/ });
    if (await home.count() > 0) assert.ok(Number((await home.innerText()).replace(/\D/g, '')) < failed.totalCount);
    for (const id of [apply.results[0]?.id, apply.results[1]?.id]) {
      await page.goto(`${on.base}/devices/${id}`);
      await page.getByRole('heading', { name: 'Not found' }).waitFor();
      await page.getByText('or you may not see it').waitFor();
      await without('a link to something of others');
    }
    await accessible(page);
    await page.getByRole('button', { name: 'local' }).press('Enter');
    await page.getByText('tenant payments').waitFor();
    await Promise.all([mine.close(), page.context().close()]);
  });
});
