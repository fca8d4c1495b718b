// Patching by keyboard alone: two panels, several cables, one review.
import { after, before, describe } from 'node:test';
import { accessible, open, ready, shot, stage, test } from './harness.ts';
import type { Stage } from './harness.ts';

describe('patching', () => {
  let on: Stage;
  before(async () => { on = await stage(); });
  after(() => on.close());

  test('connects ports of two panels in order', async () => {
    const page = await open(on, '/devices/ams1/ams1-m01-pp-1');
    await page.getByRole('link', { name: 'Patch', exact: true }).press('Enter');
    await page.waitForURL('**/patch?a=*');
    await page.getByLabel('Side B', { exact: true }).first().focus();
    await page.getByRole('combobox', { name: 'Side B' }).pressSequentially('ams1-m01-pp-2');
    // What was found for the letters before can begin with another device.
    await page.getByRole('option', { name: /ams1-m01-pp-2/, selected: true }).waitFor();
    await page.keyboard.press('Enter');
    for (const letter of ['A', 'B']) {
      const front = page.getByRole('region', { name: `Side ${letter}` }).getByRole('group', { name: /Patch front/ });
      await front.locator('button[tabindex="0"]').focus();
      await page.keyboard.press('Space');
      await page.keyboard.press('End');
      await page.keyboard.press('Shift+Space');
    }
    await page.getByLabel('Name of the first').fill('flow-001');
    await page.getByLabel('Media').selectOption({ label: 'Fiber SMF' });
    const go = page.getByRole('button', { name: /^Review \d+ cables$/ });
    const count = /\d+/.exec(await go.innerText())?.[0];
    await page.getByRole('row', { name: /flow-002/ }).waitFor();
    await shot(page, 'patch-light');
    await ready(go).press('Enter');
    await page.waitForURL('**/review');
    await page.getByRole('button', { name: `Write ${count} changes` }).waitFor();
    await page.close();
  });

  for (const theme of ['light', 'dark'] as const) {
    test(`breaks no rule of accessibility (${theme})`, async () => {
      const page = await open(on, '/devices/ams1/ams1-m01-pp-1', theme);
      await page.getByRole('link', { name: 'Patch', exact: true }).press('Enter');
      await page.getByRole('group', { name: /Patch front/ }).waitFor();
      await page.getByRole('group', { name: /Patch front/ }).locator('button[tabindex="0"]').press('Space');
      await accessible(page);
      await shot(page, `patch-${theme}`);
      await page.close();
    });
  }
});
