// Manifests and tables that are dropped on the window become a review, or a list of all that is wrong with them.
import { after, before, describe } from 'node:test';
import type { Page } from 'playwright-core';
import { accessible, open, ready, shot, stage, test } from './harness.ts';
import type { Stage } from './harness.ts';

/** Drops files on the window as a person does. */
async function drop(page: Page, files: Record<string, string>): Promise<void> {
  const data = await page.evaluateHandle((all) => {
    const transfer = new DataTransfer();
    for (const [name, text] of Object.entries(all)) transfer.items.add(new File([text], name));
    return transfer;
  }, files);
  await page.dispatchEvent('main', 'drop', { dataTransfer: data });
}

const DEVICES = `name,site,role,placement.rack,placement.startUnit,placement.unitHeight,labels.env
csv-1,ams1,server,ams1/A13,44,1,prod
csv-2,ams1,patch panel,,,,
`;

describe('files', () => {
  let on: Stage;
  before(async () => { on = await stage(); });
  after(() => on.close());

  test('of every form are written together', async () => {
    const page = await open(on, '/');
    await drop(page, {
      'devices.csv': DEVICES,
      'rack.yaml': 'apiVersion: underlay/v1\nkind: Rack\nmetadata: {name: from-yaml}\nspec: {site: ams1, heightU: 10}\n',
      'rack.json': JSON.stringify({ apiVersion: 'underlay/v1', kind: 'Rack', metadata: { name: 'from-json' }, spec: { site: 'ams1', heightU: 10 } }),
      'racks.jsonl': ['a', 'b'].map((it) => JSON.stringify({ apiVersion: 'underlay/v1', kind: 'Rack', metadata: { name: `from-lines-${it}` }, spec: { site: 'ams1', heightU: 10 } })).join('\n'),
    });
    await page.getByRole('heading', { name: 'Apply 4 files' }).waitFor();
    await page.getByText('device/ams1/csv-1').waitFor();
    await shot(page, 'files');
    await ready(page.getByRole('button', { name: 'Write 6 changes' })).press('Enter');
    await page.getByText(/^Written as revision \d+/).waitFor();
    await page.goto(`${on.base}/devices/ams1/csv-1`);
    await page.locator('.fields').getByText('A13').waitFor();
    // The same once more changes nothing.
    await drop(page, { 'devices.csv': DEVICES });
    await page.getByText('This would change nothing.').waitFor();
    await page.close();
  });

  test('tables without a name of a kind go to the list that is shown', async () => {
    const page = await open(on, '/regions');
    await page.getByRole('heading', { name: /^Regions/ }).waitFor();
    await drop(page, { 'export.csv': 'name,description\nnorth,"one, two"\n' });
    await page.getByRole('button', { name: 'Write 1 change' }).waitFor();
    await page.getByText('region/north').waitFor();
    await ready(page.getByRole('button', { name: 'Discard' })).press('Enter');
    await page.getByRole('heading', { name: /^Regions/ }).waitFor();
    await page.close();
  });

  for (const theme of ['light', 'dark'] as const) {
    test(`say all that is wrong with them (${theme})`, async () => {
      const page = await open(on, '/', theme);
      await drop(page, { 'racks.csv': 'name,site,heightU,status\nr1,ams1,tall,\nr2,ams1,10,broken\nr3,ams1\n', 'x.yaml': 'a: *b\n', 'table.csv': 'name\na\n' });
      for (const text of [
        'racks.csv, line 2, column 3 (heightU): must be a whole number', 'racks.csv, line 3, column 4 (status): must not be "broken"',
        'racks.csv, line 4: has 2 columns', 'x.yaml, the file cannot be read: line 1', 'table.csv, the name of the file does not say the kind',
      ]) await page.getByText(text).waitFor();
      await page.getByText('There are 5 problems.').waitFor();
      await accessible(page);
      await shot(page, `files-wrong-${theme}`);
      // A refusal of the server stands at its object.
      await drop(page, { 'racks.csv': 'name,site,heightU\nr1,nowhere,10\nr2,ams1,10\n' });
      await page.getByText('The server refuses 1 of 2 objects.').waitFor();
      await page.getByRole('button', { name: 'Leave out the one and go on with 1' }).press('Enter');
      await page.getByRole('button', { name: 'Write 1 change' }).waitFor();
      await page.close();
    });
  }
});
