// The place that everything is narrowed to, by keyboard alone.
import { after, before, describe } from 'node:test';
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { accessible, api, open, shot, stage, test } from './harness.ts';
import type { Stage } from './harness.ts';

const narrowed = (page: Page, name: string) => page.locator('.where.narrowed').getByRole('button', { name, exact: false }).first();
const devices = async (page: Page): Promise<number> => {
  const grid = page.getByRole('grid', { name: 'Devices' });
  await grid.locator('#row-0 a').first().waitFor();
  return Number(await grid.getAttribute('aria-rowcount')) - 1;
};

describe('the place', () => {
  let on: Stage;
  before(async () => { on = await stage(); });
  after(() => on.close());

  test('narrows lists, their numbers, and what is opened next', async () => {
    const page = await open(on, '/devices');
    const all = await devices(page);
    await page.keyboard.press('w');
    const dialog = page.getByRole('dialog', { name: 'Narrow everything to a place' });
    await dialog.getByRole('button', { name: 'Site ams1' }).press('Enter');
    await page.waitForURL(/[?&]in=/);
    await narrowed(page, 'ams1').waitFor();
    await page.waitForFunction((it) => Number(document.querySelector('[role=grid]')?.getAttribute('aria-rowcount')) - 1 < it, all);
    const inSite = await devices(page);
    await page.getByRole('navigation', { name: 'Kinds' }).getByRole('link', { name: `Devices ${inSite}` }).waitFor();
    await page.keyboard.press('w');
    await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'combobox');
    await page.keyboard.type('A14');
    await dialog.getByRole('option', { name: /A14.*Rack/, selected: true }).waitFor();
    await accessible(page);
    await shot(page, 'place');
    await page.keyboard.press('Enter');
    await page.waitForFunction((it) => Number(document.querySelector('[role=grid]')?.getAttribute('aria-rowcount')) - 1 < it, inSite);
    // It goes along into another tab, to other screens, and back again.
    const [tab] = await Promise.all([page.context().waitForEvent('page'), page.getByRole('link', { name: /^Racks/ }).click({ modifiers: ['Control'] })]);
    await tab.waitForURL(/\/racks\?in=/);
    await tab.close();
    await page.keyboard.press('g');
    await page.keyboard.press('e');
    await page.waitForURL(/\/elevations\?in=/);
    await page.getByRole('article', { name: 'A14' }).waitFor();
    assert.equal(await page.getByRole('article').count(), 1);
    await page.keyboard.press('g');
    await page.keyboard.press('x');
    await page.getByRole('grid', { name: 'Single points of failure' }).waitFor();
    await page.getByRole('button', { name: 'Show all places' }).press('Enter');
    await page.waitForURL((it) => !it.search.includes('in='));
    await page.keyboard.press('g');
    await page.keyboard.press('d');
    await page.waitForURL(/\/devices$/);
    assert.equal(await devices(page), all);
    await page.close();
  });

  test('is left to what is in no place, and to what an object contains', async () => {
    const page = await open(on, '/racks/ams1/A14');
    await page.keyboard.press('w');
    await page.getByRole('dialog').getByRole('button', { name: 'Site ams2' }).press('Enter');
    await page.waitForURL(/[?&]in=/);
    await page.getByRole('link', { name: /^Devices\d/ }).press('Enter');
    await page.getByRole('grid', { name: 'Devices of A14' }).getByRole('row').nth(3).waitFor();
    await page.getByRole('navigation', { name: 'Kinds' }).getByRole('link', { name: 'Providers 10' }).press('Enter');
    await page.waitForURL(/\/providers\?in=/);
    await page.locator('#row-9').waitFor();
    await page.close();
  });

  test('goes along from drawings, and by the menu of the browser', async () => {
    const page = await open(on, '/ports');
    const { cables, sites } = await api<{ cables: { nodes: Array<{ id: string }> }; sites: { nodes: Array<{ id: string }> } }>(page,
      '{ cables(first: 1) { nodes { id } } sites(first: 1) { nodes { id } } }');
    const path = `/cables/${cables.nodes[0]?.id}/trace?in=${sites.nodes[0]?.id}`;
    await page.goto(on.base + path);
    const device = page.locator('svg.line a[href^="/devices/"]').first();
    for (const click of [{ modifiers: ['Control' as const] }, { button: 'middle' as const }]) {
      const [tab] = await Promise.all([page.context().waitForEvent('page'), device.click(click)]);
      await tab.waitForURL(/\/devices\/.*\?in=/);
      await tab.close();
      assert.equal(new URL(page.url()).pathname + new URL(page.url()).search, path);
    }
    // The menu takes the address that the link has while it is opened.
    const during = await page.evaluate(() => new Promise((done) => {
      document.addEventListener('contextmenu', (event) => { event.preventDefault(); done((event.target as Element).closest('a')?.getAttribute('href')); }, { once: true });
      document.querySelector('svg.line a')?.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true }));
    }));
    assert.match(String(during), /\?in=/);
    // A plain click goes there without loading the page again.
    await page.evaluate(() => { (window as unknown as { same: boolean }).same = true; });
    await device.press('Enter');
    await page.waitForURL(/\/devices\/.*\?in=/);
    assert.equal(await page.evaluate(() => (window as unknown as { same?: boolean }).same), true);
    await page.close();
  });

  for (const theme of ['light', 'dark'] as const) {
    test(`breaks no rule of accessibility at home (${theme})`, async () => {
      const page = await open(on, '/', theme);
      await page.keyboard.press('w');
      await page.getByRole('dialog').getByRole('button', { name: 'Site ams1' }).press('Enter');
      await page.getByRole('region', { name: 'Space and power', exact: true }).getByRole('link', { name: 'row-a' }).waitFor();
      await accessible(page);
      await shot(page, `home-${theme}`);
      await page.close();
    });
  }
});
