// Text that is typed into a form is not lost: not when the token expires, and not when the form is closed by mistake.
import { after, before, describe } from 'node:test';
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { accessible, api, newPage, open, opensNothing, ready, shot, stage, test } from './harness.ts';
import type { Stage } from './harness.ts';

const APPLY = 'mutation Apply($input: ApplyInput!) { apply(input: $input) { results { error { message } } } }';

/** A page whose token somebody brought. */
async function withToken(on: Stage, path: string, theme: 'light' | 'dark' = 'light'): Promise<Page> {
  const page = await newPage(on, { colorScheme: theme });
  await page.route('**/console/session', (route) => route.fulfill({ json: { version: '1', way: 'token' } }));
  await page.goto(on.base + path);
  await page.getByLabel('Token').fill(on.token());
  await page.keyboard.press('Enter');
  await page.getByRole('navigation', { name: 'Kinds' }).waitFor();
  return page;
}

/** The server no longer takes the token of the page, and says so at the next request. */
async function expire(page: Page): Promise<void> {
  await page.route('**/graphql', (route) => route.fulfill({ status: 401, json: { errors: [{ message: 'the token has expired', extensions: { code: 'UNAUTHENTICATED' } }] } }));
}

async function signInAgain(on: Stage, page: Page): Promise<void> {
  await page.getByText('The server no longer accepts the token').waitFor();
  await page.unroute('**/graphql');
  await page.getByLabel('Token').fill(on.token());
  await page.keyboard.press('Enter');
}

describe('a form that is half filled', () => {
  let on: Stage;
  before(async () => { on = await stage(); });
  after(() => on.close());

  for (const theme of ['light', 'dark'] as const) {
    test(`is there again after signing in (${theme})`, async () => {
      const name = theme === 'light' ? 'ams1-a14-hv-01' : 'ams1-a14-hv-02';
      const page = await withToken(on, `/devices/ams1/${name}`, theme);
      await page.getByRole('heading', { name }).waitFor();
      await page.keyboard.press('e');
      const form = page.getByRole('dialog', { name: `Edit ${name}` });
      await form.getByLabel('Asset tag', { exact: true }).fill('typed before');
      await form.getByLabel('Status', { exact: true }).selectOption('PLANNED');
      const labels = form.getByLabel('Labels', { exact: true });
      const lines = (await labels.inputValue()).split('\n');
      await labels.fill([...lines.slice(1), 'shift=night'].join('\n'));
      const cluster = form.getByLabel('Cluster', { exact: true });
      await cluster.fill('k8s');
      await form.locator('[role=listbox]:not([hidden]) [role=option]').first().waitFor();
      await page.keyboard.press('Enter');
      const picked = await cluster.inputValue();
      assert.ok(picked);
      // Somebody else writes while the page is away.
      const other = await open(on, '/');
      await expire(page);
      await cluster.fill('another');
      await api(other, APPLY, { input: { items: [{ device: { name, site: { site: 'ams1' }, assetTag: `theirs-${theme}` } }] } });
      await other.close();
      await signInAgain(on, page);
      await form.getByText('What you typed before is here again.').waitFor();
      assert.equal(await form.getByLabel('Asset tag', { exact: true }).inputValue(), 'typed before');
      assert.equal(await form.getByLabel('Status', { exact: true }).inputValue(), 'PLANNED');
      assert.deepEqual((await labels.inputValue()).split('\n').sort(), [...lines.slice(1), 'shift=night'].sort());
      await page.waitForFunction((it) => [...document.querySelectorAll('input')].some((one) => one.value === it), picked);
      await form.getByText('Changed: asset tag, status, labels, cluster.').waitFor();
      await accessible(page);
      await shot(page, `draft-${theme}`);
      await ready(form.getByRole('button', { name: 'Review the changes' })).press('Enter');
      // Changes that others wrote meanwhile are compared with the object at the beginning of the edit.
      const conflicts = page.getByRole('form', { name: 'Conflicts' });
      await conflicts.getByRole('row', { name: /^Asset tag/ }).getByRole('radio', { name: /Theirs/ }).waitFor();
      assert.equal(await conflicts.getByRole('row', { name: /^Status/ }).getByRole('radio').count(), 0);
      await page.reload();
      await page.getByRole('form', { name: 'Conflicts' }).waitFor();
      await opensNothing(page);
      assert.equal(await form.count(), 0);
      await page.close();
    });
  }

  test('for a new object is there again after a reload, and gone after it was cancelled', async () => {
    const page = await open(on, '/racks');
    await page.locator('#row-1 a').first().waitFor();
    await page.keyboard.press('n');
    const form = page.getByRole('dialog', { name: 'Create a rack' });
    await form.getByRole('textbox', { name: 'Name (needed)' }).fill('half');
    await page.reload();
    await form.getByText('What you typed before is here again.').waitFor();
    assert.equal(await form.getByRole('textbox', { name: 'Name (needed)' }).inputValue(), 'half');
    await form.getByRole('button', { name: 'Cancel' }).press('Enter');
    await page.reload();
    await page.locator('#row-1 a').first().waitFor();
    await opensNothing(page);
    assert.equal(await form.count(), 0);
    await page.close();
  });

  test('is offered again when it is closed by Escape, and stays when text is selected out of it', async () => {
    const page = await open(on, '/devices/ams1/ams1-a14-hv-03');
    await page.getByRole('heading', { name: 'ams1-a14-hv-03' }).waitFor();
    await page.keyboard.press('e');
    const form = page.getByRole('dialog', { name: 'Edit ams1-a14-hv-03' });
    const tag = form.getByLabel('Asset tag', { exact: true });
    await tag.fill('do not lose me');
    const box = await tag.boundingBox();
    assert.ok(box);
    await page.mouse.move(box.x + 60, box.y + 8);
    await page.mouse.down();
    await page.mouse.move(8, box.y + 8, { steps: 4 });
    await page.mouse.up();
    assert.equal(await tag.inputValue(), 'do not lose me');
    await page.keyboard.press('Escape');
    await form.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Back to it' }).press('Enter');
    assert.equal(await tag.inputValue(), 'do not lose me');
    // Nothing was typed: nothing is said.
    await form.getByRole('button', { name: 'Undo the change of Asset tag' }).press('Enter');
    await page.keyboard.press('Escape');
    await form.waitFor({ state: 'detached' });
    assert.equal(await page.getByRole('button', { name: 'Back to it' }).count(), 1);
    await page.close();
  });

  test('takes numbers and labels as they are typed', async () => {
    const page = await open(on, '/racks/ams1/A14');
    await page.getByRole('heading', { name: 'A14' }).waitFor();
    await page.keyboard.press('e');
    const form = page.getByRole('dialog', { name: 'Edit A14' });
    const height = form.getByLabel('Height (U)', { exact: true });
    await height.press('End');
    for (const key of ['Backspace', 'Backspace', '5', '2']) await height.press(key);
    assert.equal(await height.inputValue(), '52');
    const labels = form.getByLabel('Labels', { exact: true });
    const there = await labels.inputValue();
    await labels.fill('gone=wrong');
    await form.getByRole('button', { name: 'Undo the change of Labels' }).press('Enter');
    assert.equal(await labels.inputValue(), there);
    await page.close();
  });
});
