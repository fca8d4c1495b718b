// Traces by keyboard alone, live, as a table, and on paper.
import { after, before, describe } from 'node:test';
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { accessible, open, shot, stage, test } from './harness.ts';
import type { Stage } from './harness.ts';

/** Opens the trace of a port of a device, by keys from the device's detail. */
async function traceOf(page: Page, port: string): Promise<void> {
  await page.getByRole('heading', { name: 'ams1-border-1' }).waitFor();
  await page.keyboard.press('t');
  await page.getByRole('link', { name: port, exact: true }).press('Enter');
  await page.waitForURL(/\/ports\/[\da-f-]+\/trace/);
  await page.locator('svg.line').waitFor();
}

describe('a trace', () => {
  let on: Stage;
  before(async () => { on = await stage(); });
  after(() => on.close());

  test('is reached from a device, and leads to its hops', async () => {
    const page = await open(on, '/devices/ams1/ams1-border-1');
    await traceOf(page, 'et-0/0/3');
    await page.getByText('8 cables, 18,616 m').first().waitFor();
    const drawing = page.getByRole('group', { name: 'Line of ams1-border-1 · et-0/0/3' });
    await drawing.getByRole('link', { name: /^df-ams1-ams2-north Circuit/ }).press('Enter');
    await page.waitForURL(/\/circuits\//);
    await page.close();
  });

  test('is reached from a list of ports, and from a cable', async () => {
    const page = await open(on, '/ports?device.name.eq=ams1-border-1&name.eq=et-0%2F0%2F3');
    await page.locator('#row-0 a').first().waitFor();
    await page.keyboard.press('t');
    await page.waitForURL(/\/ports\/[\da-f-]+\/trace/);
    await page.getByRole('link', { name: /^ams1-wan-c001 Fiber SMF/ }).press('Enter');
    await page.waitForURL(/\/cables\//);
    await page.getByRole('heading', { name: 'ams1-wan-c001' }).waitFor();
    await page.keyboard.press('t');
    await page.waitForURL(/\/cables\/.+\/trace/);
    await page.locator('svg.line').waitFor();
    await page.close();
  });

  test('is reached by a key as soon as its object is seen', async () => {
    const page = await open(on, '/cables?name.eq=ams1-wan-c001');
    const row = page.locator('#row-0 a').first();
    await row.waitFor();
    await page.evaluate(() => new MutationObserver((_, observer) => {
      if (document.querySelector('h1')?.textContent !== 'ams1-wan-c001') return;
      observer.disconnect();
      document.dispatchEvent(new KeyboardEvent('keydown', { key: 't' }));
    }).observe(document.body, { childList: true, subtree: true }));
    await row.press('Enter');
    await page.waitForURL(/\/cables\/.+\/trace/);
    await page.close();
  });

  test('follows what happens to the line', async () => {
    const page = await open(on, '/devices/ams1/ams1-border-1');
    await traceOf(page, 'et-0/0/3');
    await page.getByRole('status').getByText('Active', { exact: true }).waitFor();
    const set = (status: string) => page.evaluate(async (to) => {
      const session = await (await fetch('/console/session')).json() as { token?: string };
      const items = [{ cable: { name: 'ams1-wan-c001', status: to } }];
      const query = 'mutation($items: [ApplyItem!]!) { apply(input: {items: $items}) { revision } }';
      const headers = { 'content-type': 'application/json', ...(session.token ? { authorization: `Bearer ${session.token}` } : {}) };
      await fetch('/graphql', { method: 'POST', headers, body: JSON.stringify({ query, variables: { items } }) });
    }, status);
    await set('PLANNED');
    await page.getByRole('status').getByText('Not active throughout').waitFor();
    await page.locator('.cable.broken').first().waitFor({ state: 'attached' });
    await set('CONNECTED');
    await page.getByRole('status').getByText('Active', { exact: true }).waitFor();
    await page.close();
  });

  test('says where it breaks, and has a table as its twin', async () => {
    const page = await open(on, '/ports?device.name.eq=rtm1-r02-pp-1&name.eq=R1');
    await page.locator('#row-0 a').first().waitFor();
    await page.keyboard.press('t');
    await page.getByText('24 branches, 22 of them broken').waitFor();
    await page.getByRole('button', { name: 'Table' }).press('Enter');
    await page.waitForURL(/view=list/);
    await page.getByRole('table').nth(23).waitFor();
    assert.equal(await page.locator('svg.line').count(), 0);
    await page.close();
  });

  test('is printed as a table', async () => {
    const page = await open(on, '/devices/ams1/ams1-border-1');
    await traceOf(page, 'et-0/0/3');
    await page.emulateMedia({ media: 'print' });
    assert.ok(await page.getByRole('table').isVisible());
    assert.ok(!(await page.locator('svg.line').isVisible()));
    assert.match(await page.getByRole('row', { name: /ams1-m01-trunk-1/ }).innerText(), /ams1-a10-pp-wan R1\s+ams1 · A10 · U45.+60 m.+ams1-m01-pp-1 R1\s+ams1 · M01 · U46/s);
    await page.close();
  });

  test('shows the power of a device, inlet beside inlet', async () => {
    const page = await open(on, '/devices/ams1/ams1-border-1');
    await page.getByRole('link', { name: 'Power', exact: true }).press('Enter');
    await page.waitForURL('**/devices/ams1/ams1-border-1/power');
    await page.getByText('The inlets have nothing in common.').waitFor();
    for (const [inlet, utility] of [['PSU1', 'utility-a'], ['PSU2', 'utility-b']] as const) {
      await page.getByRole('article', { name: inlet }).getByRole('link', { name: new RegExp(`^${utility} Power feed`) }).waitFor();
    }
    await accessible(page);
    await shot(page, 'power-light');
    await page.getByRole('button', { name: 'Table' }).press('Enter');
    await page.getByRole('article', { name: 'PSU2' }).getByRole('table').waitFor();
    await page.close();
  });

  for (const theme of ['light', 'dark'] as const) {
    test(`breaks no rule of accessibility (${theme})`, async () => {
      const page = await open(on, '/devices/ams1/ams1-border-1', theme);
      await page.getByRole('heading', { name: 'ams1-border-1' }).waitFor();
      await page.keyboard.press('t');
      await page.getByRole('link', { name: 'et-0/0/3', exact: true }).waitFor();
      await accessible(page);
      await page.getByRole('link', { name: 'et-0/0/3', exact: true }).press('Enter');
      await page.locator('svg.line').waitFor();
      await accessible(page);
      await shot(page, `trace-${theme}`);
      await page.close();
    });
  }
});
