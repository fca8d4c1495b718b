// Analyses by keyboard alone: impact, single points of failure and paths.
import { after, before, describe } from 'node:test';
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { accessible, api, open, settled, shot, stage, test } from './harness.ts';
import type { Stage } from './harness.ts';

const IDS = '{ rack: rack(site: "ams1", name: "A14") { id } server: device(site: "ams1", name: "ams1-a14-hv-01") { id } site: site(name: "ams2") { id } }';
type Ids = Record<'rack' | 'server' | 'site', { id: string }>;

/** Types into a search field and takes what is found first, once that is what was typed: letters before find other things. */
async function pick(page: Page, label: string, text: string): Promise<void> {
  const field = page.getByRole('combobox', { name: label });
  await field.focus();
  await page.keyboard.type(text);
  await page.getByRole('option', { name: new RegExp(`^${text}`), selected: true }).waitFor();
  await page.keyboard.press('Enter');
}

describe('what if', () => {
  let on: Stage;
  before(async () => { on = await stage(); });
  after(() => on.close());

  test('the basket is filled from a list and by search, and its reasons are walked', async () => {
    const page = await open(on, '/racks');
    await page.locator('#row-1').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('i');
    await page.getByRole('status').getByText('It holds 1').waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('m');
    await page.waitForURL(/\/impact\?of=/);
    const tree = page.getByRole('tree');
    await tree.waitFor();
    await pick(page, 'Add an object', 'ams1-border-1');
    await page.waitForURL((it) => new URL(it).searchParams.getAll('of').length === 2);
    await tree.getByRole('treeitem', { name: /ams1-border-1/ }).first().waitFor();
    await tree.getByRole('treeitem').first().focus();
    await page.keyboard.press('ArrowDown');
    const before = await tree.getByRole('treeitem').count();
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowRight');
    await page.waitForFunction((it) => document.querySelectorAll('[role=treeitem]').length > it, before);
    await page.getByRole('button', { name: /Remove device ams1-border-1/ }).press('Enter');
    await page.waitForURL((it) => new URL(it).searchParams.getAll('of').length === 1);
    // A link shows the same to a colleague.
    const other = await open(on, new URL(page.url()).pathname + new URL(page.url()).search);
    await other.getByRole('tree').waitFor();
    await other.getByRole('button', { name: 'List', exact: true }).press('Enter');
    await other.getByRole('grid', { name: 'Affected objects' }).getByRole('row').nth(3).waitFor();
    await other.close();
    await page.close();
  });

  test('the impact follows the graph', async () => {
    const page = await open(on, '/');
    const { rack } = await api<Ids>(page, IDS);
    await page.goto(`${on.base}/impact?of=${rack.id}`);
    const down = page.locator('.summary b').first();
    await down.waitFor();
    const before = Number((await down.textContent())?.replace(/\D/g, ''));
    const made = await api<{ done: { device: { id: string } } }>(page, `mutation($rack: ID!) { done: createDevice(input: {name: "flow-impact", role: SERVER, site: {site: "ams1"}, placement: {rack: {id: $rack}}}) { device { id } } }`, { rack: rack.id });
    await page.waitForFunction((it) => Number(document.querySelector('.summary b')?.textContent?.replace(/\D/g, '')) > it, before);
    await api(page, 'mutation($id: ID!) { deleteDevice(id: $id) { revision } }', { id: made.done.device.id });
    await page.close();
  });

  test('the impact is lit up in racks, and the racks lead back to its reasons', async () => {
    const page = await open(on, '/');
    const { rack } = await api<Ids>(page, IDS);
    await page.goto(`${on.base}/impact?of=${rack.id}`);
    await page.getByRole('link', { name: 'Show in racks' }).press('Enter');
    await page.waitForURL(/\/elevations\?of=/);
    const down = page.locator('svg[data-face=FRONT]').getByRole('button', { name: /^ams1-a14-hv-01 Down/ });
    await down.waitFor();
    await page.getByRole('list', { name: 'Colours' }).getByText('Down').waitFor();
    // A failure in the drawing, too, adds to the same basket.
    await page.goto(`${on.base}/racks/ams1/A11/elevation?of=${rack.id}`);
    await page.getByText(/no device in these racks is affected/).waitFor();
    await page.locator('svg[data-face=FRONT] [data-device]').first().focus();
    await page.keyboard.press('Home');
    // The object that the keys work on is shown beside.
    await page.locator('.rack-pane h2 a').waitFor();
    await page.keyboard.press('i');
    await page.waitForURL((it) => new URL(it).searchParams.getAll('of').length === 2);
    await page.getByText(/1 in the basket/).waitFor();
    await page.getByRole('button', { name: 'Table' }).press('Enter');
    await page.getByRole('columnheader', { name: 'Impact' }).waitFor();
    await page.getByRole('link', { name: 'Show the reasons' }).press('Enter');
    await page.waitForURL(/\/impact\?of=.+&of=/);
    await page.close();
  });

  test('the basket says how many objects it has no room for', async () => {
    const page = await open(on, '/ports');
    await page.locator('#row-1 a').first().waitFor();
    await page.keyboard.press('Shift+X');
    await page.getByText('6,049 marked').waitFor();
    await page.keyboard.press('i');
    await page.getByText('It holds 1,000, and not more: 5,049 were left out.').waitFor();
    await page.getByRole('button', { name: 'Show the impact' }).press('Enter');
    await page.getByRole('tree').waitFor();
    await page.reload();
    await page.getByRole('tree').waitFor();
    await page.evaluate(() => sessionStorage.removeItem('underlay-basket'));
    await page.close();
  });

  test('two baskets are compared', async () => {
    const page = await open(on, '/');
    const { rack, server } = await api<Ids>(page, IDS);
    await page.goto(`${on.base}/impact?of=${server.id}`);
    await page.getByRole('button', { name: 'Keep to compare' }).press('Enter');
    await page.waitForURL(/vs=/);
    await settled(page);
    assert.equal(await page.locator('.difference').count(), 0);
    await page.goto(`${on.base}/impact?of=${rack.id}&vs=${server.id}&view=list`);
    await page.locator('.summary .difference.more').first().waitFor();
    await page.getByRole('columnheader', { name: 'Kept basket' }).waitFor();
    await page.getByText('Only here').first().waitFor();
    await page.getByRole('button', { name: 'Exchange' }).press('Enter');
    await page.locator('.summary .difference.less').first().waitFor();
    await page.getByRole('button', { name: 'Do not compare' }).press('Enter');
    await page.waitForURL((it) => !it.search.includes('vs='));
    await page.close();
  });

  test('single points are narrowed, and lead to their impact', async () => {
    const page = await open(on, '/single-points');
    const grid = page.getByRole('grid', { name: 'Single points of failure' });
    await grid.getByRole('row').nth(3).waitFor();
    const all = Number(await grid.getAttribute('aria-rowcount'));
    await page.getByLabel('Because of').selectOption({ label: 'Power' });
    await page.waitForURL(/rule=POWER/);
    await pick(page, 'Within', 'ams1');
    await page.waitForURL(/within=/);
    await page.waitForFunction((it) => { const rows = document.querySelector('[role=grid]')?.getAttribute('aria-rowcount'); return rows && Number(rows) < it; }, all);
    await page.getByRole('grid').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/impact\?of=/);
    await page.close();
  });

  test('paths are found, drawn, and go around a device', async () => {
    const page = await open(on, '/paths');
    await pick(page, 'From', 'ams1-a14-hv-01');
    await page.waitForURL(/from=/);
    await pick(page, 'To', 'ams2');
    await page.waitForURL(/to=/);
    const node = page.locator('.path-hit').first();
    await node.waitFor();
    const name = (await node.getAttribute('aria-label'))?.replace(/^Avoid ([^,]+).*/, '$1') ?? '';
    await node.focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/avoid=/);
    await page.getByRole('button', { name: `Do not avoid ${name}` }).waitFor();
    await page.waitForFunction((it) => ![...document.querySelectorAll('.path-name')].some((one) => one.textContent === it), name);
    await page.getByLabel('Look for').selectOption({ label: 'Two, and what they share' });
    await page.getByRole('region', { name: 'What both paths share' }).waitFor();
    await page.close();
  });

  for (const theme of ['light', 'dark'] as const) {
    test(`breaks no rule of accessibility (${theme})`, async () => {
      const page = await open(on, '/', theme);
      const { rack, server, site } = await api<Ids>(page, IDS);
      const places: Array<[string, string, string]> = [
        ['impact-empty', '/impact', '.finder'], ['impact', `/impact?of=${rack.id}&of=${server.id}`, '[role=tree]'], ['impact-list', `/impact?of=${rack.id}&view=list`, '#row-3'],
        ['impact-compared', `/impact?of=${rack.id}&of=${server.id}&vs=${server.id}&view=list`, '.difference'], ['impact-racks', `/elevations?of=${rack.id}&of=${server.id}`, '.lit-line'], ['single-points', '/single-points', '#row-3'], ['paths-empty', '/paths', '.finder'],
        ['paths', `/paths?from=${server.id}&to=${site.id}&limit=4`, '.path-node'], ['paths-diverse', `/paths?from=${server.id}&to=${site.id}&look=diverse`, '.risks li'],
      ];
      await page.evaluate(() => sessionStorage.removeItem('underlay-basket'));
      for (const [name, path, there] of places) {
        await page.goto(on.base + path);
        await page.locator(there).first().waitFor();
        await accessible(page);
        await shot(page, `${name}-${theme}`);
      }
      assert.ok(places.length > 0);
      await page.close();
    });
  }
});
