// Looking around by keyboard: palette, help, detail, changes; and what happens when the server goes away.
import { after, before, describe } from 'node:test';
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { accessible, open, ready, settled, shot, stage, test } from './harness.ts';
import type { Stage } from './harness.ts';

/** Waits until the whole screen is there. The parts of the home screen that come last are loaded after the others. */
async function whole(page: Page): Promise<void> {
  if (new URL(page.url()).pathname === '/') await ready(page.getByRole('button', { name: 'Look again' })).waitFor();
  await settled(page);
}

describe('looking around', () => {
  let on: Stage;
  before(async () => { on = await stage(); });
  after(() => on.close());

  test('the palette finds an object and opens it', async () => {
    const page = await open(on, '/');
    await page.keyboard.press('/');
    const box = page.getByRole('combobox', { name: /Search/ });
    await box.fill('ams1-a14-hv-01');
    await page.getByRole('option', { name: /Device · ams1\/ams1-a14-hv-01/, selected: true }).waitFor();
    await accessible(page);
    await shot(page, 'palette');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/devices\/ams1\/ams1-a14-hv-01$/);
    await page.getByRole('heading', { name: 'ams1-a14-hv-01' }).waitFor();
    await page.keyboard.press('u');
    await page.waitForURL(/\/racks\/ams1\/A14$/);
    await page.close();
  });

  test('keys go to lists, and are explained', async () => {
    const page = await open(on, '/');
    await page.keyboard.press('g');
    await page.keyboard.press('r');
    await page.waitForURL(/\/racks$/);
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys of this page' }).getByText('Next row').waitFor();
    await accessible(page);
    await page.keyboard.press('Escape');
    await page.close();
  });

  const PATHS = ['/', '/racks/ams1/A14', '/racks/ams1/A14?tab=devices', '/racks/ams1/A14?tab=manifest', '/racks/ams1/A14?tab=changes', '/changes', '/changes/1', '/review', '/nothing'];
  for (const theme of ['light', 'dark'] as const) {
    test(`no screen breaks a rule of accessibility (${theme})`, async () => {
      for (const path of PATHS) {
        const page = await open(on, path, theme);
        await whole(page);
        await accessible(page);
        await shot(page, `${path.replace(/\W+/g, '-')}-${theme}`);
        await page.close();
      }
    });
  }

  test('a narrow window has everything, too', async () => {
    const page = await open(on, '/racks/ams1/A14');
    await page.setViewportSize({ width: 360, height: 740 });
    await page.getByRole('heading', { name: 'A14' }).waitFor();
    for (const path of ['/racks/ams1/A14', '/', '/devices?facets=usual', '/racks/ams1/A14/elevation', '/changes', '/impact', '/paths', '/patch', '/hosts-board', '/devices/ams1/ams1-a14-leaf-1/trace']) {
      await page.goto(on.base + path);
      await page.locator('main h1').first().waitFor();
      await whole(page);
      assert.deepEqual(await page.evaluate(() => [document.documentElement, document.getElementById('main')].map((it) => (it?.scrollWidth ?? 0) - (it?.clientWidth ?? 0) > 1)), [false, false], path);
    }
    await page.goto(`${on.base}/racks/ams1/A14`);
    await page.getByRole('heading', { name: 'A14' }).waitFor();
    await accessible(page);
    await shot(page, 'narrow');
    await page.close();
  });

  test('the keyboard goes on in the screen that a link leads to, and not back to a review that is done', async () => {
    const page = await open(on, '/devices');
    await page.locator('#row-1 a').first().press('Enter');
    await page.waitForURL(/\/devices\/.+/);
    await page.getByRole('button', { name: 'Edit', exact: true }).waitFor();
    await page.waitForFunction(() => document.activeElement?.id === 'main');
    await page.keyboard.press('Tab');
    assert.ok(await page.evaluate(() => document.getElementById('main')?.contains(document.activeElement)));
    const at = page.url();
    await page.getByRole('button', { name: 'Delete…' }).press('Enter');
    await page.waitForURL(/\/review$/);
    await ready(page.getByRole('button', { name: 'Discard' })).press('Enter');
    await page.waitForURL(at);
    await page.goBack();
    assert.doesNotMatch(page.url(), /review/);
    await page.close();
  });

  test('the page mends itself when the server is restarted', { skip: process.env.UNDERLAY_URL !== undefined }, async () => {
    const page = await open(on, '/racks');
    await page.getByRole('status').getByText('The feed is live').waitFor({ state: 'attached' });
    const lost = page.getByText('The feed is away').waitFor({ state: 'attached' });
    await Promise.all([lost, on.stop()]);
    await on.start();
    await page.getByRole('status').getByText('The feed is live').waitFor({ state: 'attached' });
    await page.locator('#row-1 a').first().waitFor();
    await page.close();
  });
});
