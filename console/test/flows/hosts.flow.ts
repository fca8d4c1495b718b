// Hosts: acquire, install and release by keyboard alone, and what a caller may not do.
import { after, before, describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { accessible, api, open, shot, stage } from './harness.ts';
import type { Stage } from './harness.ts';

const LIFE_MS = 90_000;

describe('hosts', () => {
  let on: Stage;
  before(async () => {
    on = await stage('--with', 'hosts');
    const page = await open(on, '/');
    const { appliances } = await api<{ appliances: { nodes: Array<{ id: string }> } }>(page, '{ appliances { nodes { id } } }');
    await api(page, 'mutation($id: ID!) { enlistAppliance(input: {appliance: $id, discover: true, provisioner: "simulated"}) { appliance { id } } }', { id: appliances.nodes[0]?.id });
    await page.goto(`${on.base}/hosts-board`);
    await page.waitForFunction(() => Number([...document.querySelectorAll('.states button')].find((it) => it.textContent?.includes('Available'))?.querySelector('b')?.textContent) > 1, undefined, { timeout: LIFE_MS });
    await page.close();
  });
  after(() => on.close());

  test('a host is acquired, installed and released', async () => {
    const page = await open(on, '/hosts-board?class=gpu-large');
    await page.locator('#row-0').waitFor();
    await page.getByRole('button', { name: 'Acquire…' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Acquire hosts' });
    await dialog.getByLabel('For').focus();
    await page.keyboard.type('a flow <b>with markup</b> עברית');
    await dialog.getByLabel('Spread over').selectOption({ label: 'every single failure' });
    await accessible(page);
    await page.keyboard.press('Tab');
    await dialog.getByRole('button', { name: 'Acquire 1 host' }).press('Enter');
    await page.getByRole('dialog', { name: 'Acquired' }).getByRole('button', { name: 'Good' }).press('Enter');
    // It is called so, without a reason, when it works.
    const install = page.getByRole('button', { name: 'Install…', exact: true });
    await install.waitFor();
    await install.press('Enter');
    const order = page.getByRole('dialog', { name: /^Install / });
    await order.getByText('What is on the disks is lost.').waitFor();
    await order.getByLabel('Profile').selectOption({ label: 'linux-image' });
    await accessible(page);
    await order.getByRole('button', { name: 'Install 1 host' }).press('Enter');
    await page.getByRole('grid').getByText('Installing', { exact: true }).first().waitFor();
    await page.getByRole('button', { name: /^Release… \(.*installing/ }).waitFor();
    const give = page.getByRole('button', { name: 'Release…', exact: true });
    await give.waitFor({ timeout: LIFE_MS });
    await give.press('Enter');
    const release = page.getByRole('dialog', { name: /^Release / });
    await release.getByLabel('Erase the disks').press('Space');
    await release.getByText(/cannot be undone/).waitFor();
    await release.getByRole('button', { name: 'Release and wipe 1 host' }).press('Enter');
    await page.getByRole('grid').getByText(/Releasing|Wiping/).first().waitFor();
    await page.close();
  });

  test('what the state does not take is off, and says why', async () => {
    const page = await open(on, '/hosts-board?state=AVAILABLE');
    await page.locator('#row-0').waitFor();
    const install = page.getByRole('button', { name: /^Install… \(.*available/ });
    await install.press('Enter');
    assert.equal(await page.getByRole('dialog', { name: /Install/ }).count(), 0);
    await page.close();
  });

  test('what the role does not allow is off after the server said so', async () => {
    const page = await open(on, '/hosts-board?state=AVAILABLE');
    const message = 'orders for hosts requires one of the roles operator, admin; this token has: viewer';
    await page.route('**/graphql', async (route) => {
      if (!route.request().postData()?.includes('setHostPower')) return route.continue();
      return route.fulfill({ json: { data: null, errors: [{ message, extensions: { code: 'FORBIDDEN' } }] } });
    });
    await page.locator('#row-0').waitFor();
    await page.getByRole('button', { name: 'Power…', exact: true }).press('Enter');
    const dialog = page.getByRole('dialog', { name: /^Power / });
    await dialog.getByRole('button', { name: /^Switch on/ }).press('Enter');
    await dialog.getByRole('alert').getByText(message).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: `Power… (${message})` }).waitFor();
    await page.close();
  });

  for (const theme of ['light', 'dark'] as const) {
    test(`breaks no rule of accessibility (${theme})`, async () => {
      const page = await open(on, '/hosts-board', theme);
      await page.locator('.host-pane .fields').waitFor();
      await accessible(page);
      await shot(page, `hosts-board-${theme}`);
      await page.close();
    });
  }
});
