// The API screen by keyboard alone.
import { after, before, describe } from 'node:test';
import { accessible, api, open, shot, stage, test } from './harness.ts';
import type { Stage } from './harness.ts';

describe('the API', () => {
  let on: Stage;
  before(async () => { on = await stage(); });
  after(() => on.close());

  test('an operation is written, run, and kept', async () => {
    const page = await open(on, '/api');
    const editor = page.getByRole('textbox', { name: 'Operation', exact: true });
    await editor.focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('query A($n: Int) { sites(first: $n) { totalCount } }');
    await page.getByRole('textbox', { name: 'Variables', exact: true }).focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('{"n": 0');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('status').getByText('The variables are no JSON').waitFor();
    await page.keyboard.type('}');
    await page.keyboard.press('Control+Enter');
    await page.getByLabel('Answer', { exact: true }).getByText('"totalCount"').waitFor();
    // Tab leaves the field: the keyboard is never caught.
    await page.keyboard.press('Tab');
    await page.waitForFunction(() => document.activeElement?.tagName !== 'TEXTAREA');
    await page.reload();
    await page.waitForFunction(() => (document.querySelector('textarea') as HTMLTextAreaElement | null)?.value.startsWith('query A'));
    await page.close();
  });

  test('a subscription is followed', async () => {
    const page = await open(on, '/api');
    await page.getByRole('button', { name: /^Follow changes/ }).press('Enter');
    await page.getByRole('button', { name: /^Follow Ctrl/ }).press('Enter');
    await page.getByRole('status').getByText('waits for the first event').waitFor();
    // The page cannot know when the server has begun to follow, so there are changes until one of them comes.
    const made: string[] = [];
    let hasCome = false;
    const comes = page.getByLabel('Answer', { exact: true }).getByText('"flow-').first().waitFor().finally(() => { hasCome = true; });
    while (!hasCome) {
      const name = `flow-${made.length}`;
      const { done } = await api<{ done: { region: { id: string } } }>(page, 'mutation($name: String!) { done: createRegion(input: {name: $name}) { region { id } } }', { name });
      made.push(done.region.id);
    }
    await comes;
    await page.getByRole('button', { name: /^Stop/ }).press('Enter');
    for (const id of made) await api(page, 'mutation($id: ID!) { deleteRegion(id: $id) { revision } }', { id });
    await page.close();
  });

  test('the schema is walked, and a field is put where the caret is', async () => {
    const page = await open(on, '/api?show=schema');
    await page.getByRole('searchbox', { name: 'Types whose name contains' }).focus();
    await page.keyboard.type('racksum');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('PowerFeed');
    await page.getByRole('button', { name: /^PowerFeed / }).first().press('Enter');
    await page.waitForURL(/type=PowerFeed/);
    await page.getByRole('button', { name: 'ampsRated', exact: true }).press('Enter');
    await page.waitForFunction(() => (document.querySelector('textarea') as HTMLTextAreaElement | null)?.value.includes('ampsRated'));
    await page.close();
  });

  for (const theme of ['light', 'dark'] as const) {
    test(`breaks no rule of accessibility (${theme})`, async () => {
      for (const path of ['/api', '/api?show=schema&type=Rack']) {
        const page = await open(on, path, theme);
        await page.locator('.schema li').first().waitFor();
        await page.keyboard.press('Control+Enter');
        await page.getByLabel('Answer', { exact: true }).getByText('"data"').waitFor();
        await accessible(page);
        await shot(page, `api${path.includes('schema') ? '-schema' : ''}-${theme}`);
        await page.close();
      }
    });
  }
});
