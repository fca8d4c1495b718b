// Hosts: acquire, install and release by keyboard alone, and what a caller may not do.
import { after, before, describe } from 'node:test';
import type { Page } from 'playwright-core';
import assert from 'node:assert/strict';
import { accessible, api, eventually, open, opensNothing, ready, shot, stage, test } from './harness.ts';
import type { Stage } from './harness.ts';

/**
 * Waits until a host is in one of these states, and keeps it there until the returned function is called: a simulated
 * machine needs five seconds for its work, and the page may need longer to show it.
 */
async function keepIn(on: Stage, admin: string, page: Page, states: string[]): Promise<() => Promise<void>> {
  const count = async (): Promise<number> =>
    (await api<{ hosts: { totalCount: number } }>(page, 'query($states: [HostState!]!) { hosts(filter: {state: {in: $states}}, first: 0) { totalCount } }', { states })).hosts.totalCount;
  await eventually(page, async () => assert.ok(await count() > 0));
  // Nobody is an administrator of a console that is served already.
  const order = async (query: string): Promise<void> => { if (on.server) await asAdmin(on, admin, query); };
  await order('mutation { observeHosts(input: {reason: "A flow looks at a host."}) { observeOnly { reason } } }');
  return () => order('mutation { resumeHosts { observeOnly { reason } } }');
}

async function asAdmin(on: Stage, admin: string, query: string): Promise<void> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${admin}` };
  const answer = await (await fetch(`${on.base}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) })).json() as { errors?: Array<{ message: string }> };
  assert.deepEqual(answer.errors?.map((it) => it.message) ?? [], []);
}

describe('hosts', () => {
  let on: Stage;
  let admin: string;
  before(async () => {
    on = await stage('--with', 'hosts');
    admin = on.token('--role', 'admin');
    const page = await open(on, '/');
    const { appliances } = await api<{ appliances: { nodes: Array<{ id: string }> } }>(page, '{ appliances { nodes { id } } }');
    await api(page, 'mutation($id: ID!) { enlistAppliance(input: {appliance: $id, discover: true, adopt: true, provisioner: "simulated"}) { appliance { id } } }', { id: appliances.nodes[0]?.id });
    await page.goto(`${on.base}/hosts-board`);
    await page.waitForFunction(() => Number([...document.querySelectorAll('.states button')].find((it) => it.textContent?.includes('Available'))?.querySelector('b')?.textContent) > 1);
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
    await ready(dialog.getByRole('button', { name: 'Acquire 1 host' })).press('Enter');
    await page.getByRole('dialog', { name: 'Acquired' }).getByRole('button', { name: 'Good' }).press('Enter');
    // It is called so, without a reason, when it works.
    const install = page.getByRole('button', { name: 'Install…', exact: true });
    await install.waitFor();
    await install.press('Enter');
    const order = page.getByRole('dialog', { name: /^Install / });
    await order.getByText('What is on the disks is lost.').waitFor();
    await order.getByLabel('Profile').selectOption({ label: 'linux-image' });
    await accessible(page);
    await ready(order.getByRole('button', { name: 'Install 1 host' })).press('Enter');
    const goOn = await keepIn(on, admin, page, ['INSTALLING']);
    await page.getByRole('grid').getByText('Installing', { exact: true }).first().waitFor();
    await page.getByRole('button', { name: /^Release… \(.*installing/ }).waitFor();
    await goOn();
    const give = page.getByRole('button', { name: 'Release…', exact: true });
    await give.waitFor();
    await give.press('Enter');
    const release = page.getByRole('dialog', { name: /^Release / });
    await release.getByLabel('Erase the disks').press('Space');
    await release.getByText(/cannot be undone/).waitFor();
    await ready(release.getByRole('button', { name: 'Release and wipe 1 host' })).press('Enter');
    const end = await keepIn(on, admin, page, ['RELEASING', 'WIPING']);
    await page.getByRole('grid').getByText(/Releasing|Wiping/).first().waitFor();
    await end();
    await page.close();
  });

  test('what the state does not take is off, and says why', async () => {
    const page = await open(on, '/hosts-board?state=AVAILABLE');
    await page.locator('#row-0').waitFor();
    const install = page.getByRole('button', { name: /^Install… \(.*available/ });
    await install.press('Enter');
    await opensNothing(page);
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
    await ready(dialog.getByRole('button', { name: /^Switch on/ })).press('Enter');
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
