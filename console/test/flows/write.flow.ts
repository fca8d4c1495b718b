// Writes by keyboard: every one goes through the review, and can be undone.
import { after, before, describe } from 'node:test';
import assert from 'node:assert/strict';
import { accessible, open, ready, shot, stage, test } from './harness.ts';
import type { Stage } from './harness.ts';

describe('writing', () => {
  let on: Stage;
  before(async () => { on = await stage(); });
  after(() => on.close());

  test('an edit is reviewed, written, seen in the list, and undone', async () => {
    const page = await open(on, '/devices/ams1/ams1-a14-hv-03');
    await page.getByRole('heading', { name: 'ams1-a14-hv-03' }).waitFor();
    await page.keyboard.press('e');
    const form = page.getByRole('dialog', { name: 'Edit ams1-a14-hv-03' });
    await form.getByLabel('Status', { exact: true }).selectOption('PLANNED');
    await accessible(page);
    await ready(form.getByRole('button', { name: 'Review the changes' })).press('Enter');
    await page.getByText('Active', { exact: true }).waitFor();
    await page.getByText('This is what would be written').waitFor();
    await shot(page, 'review');
    await accessible(page);
    await ready(page.getByRole('button', { name: 'Write 1 change' })).press('Enter');
    await page.getByText(/^Written as revision \d+/).waitFor();
    await page.locator('.detail-head').getByText('Planned').waitFor();
    await page.getByRole('button', { name: 'Undo' }).press('Enter');
    await page.getByRole('heading', { name: /Undo revision/ }).waitFor();
    await ready(page.getByRole('button', { name: 'Write 1 change' })).press('Enter');
    await page.locator('.detail-head').getByText('Active').waitFor();
    await page.close();
  });

  test('several objects are changed alike', async () => {
    const page = await open(on, '/racks');
    await page.locator('#row-2 a').first().waitFor();
    for (const key of ['x', 'j', 'x', 'j', 'x', 'e']) await page.keyboard.press(key);
    const form = page.getByRole('dialog', { name: 'Change 3 racks' });
    await form.getByLabel('Labels', { exact: true }).fill('audit=2026');
    await ready(form.getByRole('button', { name: 'Review the changes' })).press('Enter');
    await ready(page.getByRole('button', { name: 'Write 3 changes' })).press('Enter');
    await page.getByText(/^Written as revision \d+/).waitFor();
    await page.locator('#row-2').getByText('audit').waitFor();
    await page.close();
  });

  test('what the server refuses stands at its object, with a way on', async () => {
    const page = await open(on, '/sites/ams1');
    await page.getByRole('heading', { name: 'ams1' }).waitFor();
    await page.getByRole('button', { name: 'Delete…' }).press('Enter');
    await page.getByText(/is still in use by/).waitFor();
    assert.ok(await page.getByRole('button', { name: /^Write/ }).isDisabled());
    await accessible(page);
    await page.getByRole('button', { name: 'Delete what belongs to it, too' }).waitFor();
    await ready(page.getByRole('button', { name: 'Discard' })).press('Enter');
    await page.getByRole('heading', { name: 'ams1' }).waitFor();
    await page.close();
  });

  test('an object is created, with a reference that is searched for', async () => {
    const name = `Z${Date.now() % 1e9} <b>"x"</b> שלום`;
    const page = await open(on, '/racks');
    await page.locator('#row-2 a').first().waitFor();
    await page.keyboard.press('n');
    const form = page.getByRole('dialog', { name: 'Create a rack' });
    await form.getByLabel(/^Name/).fill(name);
    await form.getByLabel(/^Height/).fill('42');
    await form.getByRole('combobox', { name: /^Site/ }).fill('ams1');
    await form.getByRole('option', { name: 'ams1', exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await ready(form.getByRole('button', { name: 'Review the changes' })).press('Enter');
    await ready(page.getByRole('button', { name: 'Write 1 change' })).press('Enter');
    await page.getByText(/^Written as revision \d+/).waitFor();
    await page.getByRole('searchbox', { name: /whose name contains/ }).fill(name.slice(0, 12));
    await page.getByRole('link', { name }).waitFor();
    await page.close();
  });

  test('changes of others are seen at once', async () => {
    const one = await open(on, '/devices?q=ams1-a14-hv-04');
    const other = await open(on, '/devices/ams1/ams1-a14-hv-04');
    await one.locator('#row-0').getByText('Active').waitFor();
    await other.getByRole('heading', { name: 'ams1-a14-hv-04' }).waitFor();
    await other.keyboard.press('e');
    await other.getByLabel('Status', { exact: true }).selectOption('OFFLINE');
    await ready(other.getByRole('button', { name: 'Review the changes' })).press('Enter');
    await ready(other.getByRole('button', { name: 'Write 1 change' })).press('Enter');
    await one.locator('#row-0').getByText('Offline').waitFor();
    await Promise.all([one.close(), other.close()]);
  });

  test('names of any form are shown as they are, and objects are deleted together', async () => {
    const page = await open(on, '/racks');
    const names = ['<img src=x onerror=alert(1)>', 'n'.repeat(253), 'שרת-א14', '"quoted" & more'];
    const manifests = names.map((name) => ({ apiVersion: 'underlay/v1', kind: 'Rack', metadata: { name, labels: { odd: 'yes' } }, spec: { site: 'ams1', heightU: 10 } }));
    const chosen = page.waitForEvent('filechooser');
    await page.keyboard.press('.');
    await page.getByRole('combobox', { name: /Search/ }).fill('>manifests');
    await page.keyboard.press('Enter');
    await (await chosen).setFiles({ name: 'racks.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(manifests)) });
    await ready(page.getByRole('button', { name: 'Write 4 changes' })).press('Enter');
    await page.getByText(/^Written as revision \d+/).waitFor();
    await page.goto(`${on.base}/racks?labels=odd%3Dyes`);
    for (const name of names) await page.getByRole('link', { name, exact: true }).waitFor();
    assert.equal(await page.locator('main img').count(), 0);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    await page.keyboard.press('Shift+X');
    await page.getByText('4 marked').waitFor();
    await page.getByRole('button', { name: 'Delete 4…' }).press('Enter');
    await ready(page.getByRole('button', { name: 'Write 4 changes' })).press('Enter');
    await page.getByText('Nothing fits these filters.').waitFor();
    await page.close();
  });

  test('an object that is renamed is still on the page after the write', async () => {
    const page = await open(on, '/racks/ams1/A11/elevation');
    await page.getByRole('heading', { name: /^A11/ }).first().waitFor();
    await page.goto(`${on.base}/devices/ams1/ams1-a14-hv-09?tab=ports`);
    await page.getByRole('heading', { name: 'ams1-a14-hv-09' }).first().waitFor();
    await page.keyboard.press('e');
    const form = page.getByRole('dialog', { name: 'Edit ams1-a14-hv-09' });
    await form.getByRole('textbox', { name: 'Name', exact: true }).fill('has another name');
    await ready(form.getByRole('button', { name: 'Review the changes' })).press('Enter');
    await ready(page.getByRole('button', { name: 'Write 1 change' })).press('Enter');
    await page.getByRole('heading', { name: 'has another name' }).first().waitFor();
    assert.equal(new URL(page.url()).search, '?tab=ports');
    // Objects that refer to it stay in the way, also when its parts would go.
    await page.getByRole('button', { name: 'Delete…' }).press('Enter');
    await page.getByRole('button', { name: 'Delete what belongs to it, too' }).press('Enter');
    await page.getByText('What is named here only refers to it').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Delete what belongs to it, too' }).count(), 0);
    await accessible(page);
    await ready(page.getByRole('button', { name: 'Discard' })).press('Enter');
    await page.getByRole('heading', { name: 'has another name' }).first().waitFor();
    await page.close();
  });
});
