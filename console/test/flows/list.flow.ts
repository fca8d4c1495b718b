// Lists by keyboard alone.
import { after, before, describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { accessible, open, shot, stage } from './harness.ts';
import type { Stage } from './harness.ts';

describe('a list', () => {
  let on: Stage;
  before(async () => { on = await stage(); });
  after(() => on.close());

  test('is walked, marked, previewed and opened by keys', async () => {
    const page = await open(on, '/devices');
    const grid = page.getByRole('grid', { name: 'Devices' });
    await grid.getByRole('row').nth(5).waitFor();
    assert.equal(await grid.getAttribute('aria-rowcount'), '386');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    assert.equal(await page.locator('#row-2').getAttribute('aria-selected'), 'true');
    await page.keyboard.press('o');
    await page.getByRole('complementary', { name: /Preview/ }).getByText('Asset tag').waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/devices\/.+\/.+/);
    await page.close();
  });

  test('reaches its last row, and any row of many', async () => {
    const page = await open(on, '/ports');
    const grid = page.getByRole('grid', { name: 'Ports' });
    await page.locator('#row-0 a').first().waitFor();
    await grid.focus();
    await page.keyboard.press('End');
    await page.locator('#row-6048 a').first().waitFor();
    await page.keyboard.press('PageUp');
    assert.match((await grid.getAttribute('aria-activedescendant')) ?? '', /^row-60\d\d$/);
    await page.close();
  });

  test('filters by a chip, and keeps it in the address', async () => {
    const page = await open(on, '/devices');
    await page.getByRole('button', { name: '+ Filter' }).press('Enter');
    const form = page.getByRole('dialog', { name: 'Add a filter' });
    await form.getByLabel('Field').selectOption({ label: 'Status' });
    await form.getByLabel('Failed').press('Space');
    await form.getByRole('button', { name: 'Add the filter' }).press('Enter');
    await page.waitForURL(/status\.in=FAILED/);
    await page.getByRole('button', { name: 'Remove the filter Status Failed' }).press('Enter');
    await page.waitForURL((it) => !it.search.includes('FAILED'));
    await page.close();
  });

  for (const theme of ['light', 'dark'] as const) {
    test(`breaks no rule of accessibility (${theme})`, async () => {
      const page = await open(on, '/devices?status.in=ACTIVE', theme);
      await page.locator('#row-3').waitFor();
      await accessible(page);
      await shot(page, `list-${theme}`);
      await page.close();
    });
  }
});
