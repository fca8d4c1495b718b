// Lists by keyboard alone.
import { after, before, describe } from 'node:test';
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { columnsOf, kinds, segmentOf } from '../../src/kinds/registry.ts';
import { accessible, api, eventually, open, ready, settled, shot, stage, test } from './harness.ts';
import type { Stage } from './harness.ts';

describe('a list', () => {
  let on: Stage;
  before(async () => { on = await stage(); });
  after(() => on.close());

  test('is walked, marked, previewed and opened by keys', async () => {
    const page = await open(on, '/devices');
    const grid = page.getByRole('grid', { name: 'Devices' });
    await grid.getByRole('row').nth(5).waitFor();
    await eventually(page, async () => assert.equal(await grid.getAttribute('aria-rowcount'), '386'));
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await eventually(page, async () => assert.equal(await page.locator('#row-2').getAttribute('aria-selected'), 'true'));
    await page.keyboard.press('o');
    await page.getByRole('complementary', { name: /Preview/ }).getByText('Asset tag').waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/devices\/.+\/.+/);
    await page.close();
  });

  test('marks all that fit by a key as soon as its rows are seen', async () => {
    const page = await open(on, '/');
    let load = (): void => {};
    const isPressed = new Promise<void>((done) => { load = done; });
    // The part of the page that marks is loaded after the list.
    await page.route('**/console/marked.js', async (route) => { await isPressed; await route.continue(); });
    await page.goto(`${on.base}/racks`);
    await page.locator('#row-1 a').first().waitFor();
    await page.keyboard.press('Shift+X');
    load();
    const racks = Number(await page.getByRole('grid', { name: 'Racks' }).getAttribute('aria-rowcount')) - 1;
    await page.getByText(`${racks} marked`).waitFor();
    await page.close();
  });

  test('is saved with its own columns, however many objects a row of it reads', async () => {
    const page = await open(on, '/');
    for (const list of ['cables', 'ports', 'devices', 'racks', 'circuits', 'links', 'virtual-machines', 'power-feeds']) {
      await page.goto(`${on.base}/${list}`);
      await page.locator('#row-0').waitFor();
      const rows = Number(await page.getByRole('grid').getAttribute('aria-rowcount')) - 1;
      await page.getByRole('button', { name: 'Export' }).press('Enter');
      const saved = page.waitForEvent('download');
      await page.getByRole('button', { name: /^CSV/ }).press('Enter');
      const lines = readFileSync(await (await saved).path(), 'utf8').trimEnd().split('\r\n');
      assert.equal(lines.length - 1, rows, list);
    }
    await page.close();
  });

  test('is saved as a table that the command line applies, with every column of every kind', async () => {
    const page = await open(on, '/');
    const folder = mkdtempSync(join(tmpdir(), 'underlay-tables-'));
    // The demo has no objects of the kinds of which every server has its own.
    const counts = await api<Record<string, { totalCount: number }>>(page, `{ ${kinds().map((it) => `${it.list}(first: 0) { totalCount }`).join(' ')} }`);
    for (const kind of kinds().filter((it) => it.apply && (counts[it.list]?.totalCount ?? 0) > 0)) {
      await page.goto(`${on.base}/${segmentOf(kind)}?columns=${columnsOf(kind).map((it) => it.name).join(',')}`);
      await page.locator('#row-0').waitFor();
      const rows = Number(await page.getByRole('grid').getAttribute('aria-rowcount')) - 1;
      await page.getByRole('button', { name: 'Export' }).press('Enter');
      const saved = page.waitForEvent('download');
      await page.getByRole('button', { name: /^CSV/ }).press('Enter');
      const file = join(folder, `${kind.list}.csv`);
      await (await saved).saveAs(file);
      assert.equal(on.command('apply', '-f', file, '--dry-run'), `${rows} unchanged (dry run)\n`, kind.name);
    }
    rmSync(folder, { recursive: true });
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
    // It leads a page away from the last row, whose number would fit, too.
    await eventually(page, async () => {
      const at = (await grid.getAttribute('aria-activedescendant')) ?? '';
      assert.match(at, /^row-60\d\d$/);
      assert.notEqual(at, 'row-6048');
    });
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

  test('is grouped by fields, whose values narrow it', async () => {
    const page = await open(on, '/devices');
    await page.locator('#row-3').waitFor();
    await page.keyboard.press('b');
    const groups = page.getByRole('complementary', { name: 'Groups' });
    await groups.getByRole('button', { name: /^Failed/ }).press('Enter');
    await page.waitForURL(/status\.in=FAILED/);
    await groups.getByRole('button', { name: /^Planned/ }).press('Enter');
    await page.waitForURL(/status\.in=FAILED&status\.in=PLANNED/);
    await groups.getByRole('region', { name: 'Site' }).getByRole('button', { name: /^ams2/ }).press('Enter');
    await page.getByText('Site ams2').waitFor();
    const [failed, planned] = await Promise.all(['Failed', 'Planned'].map(async (it) => Number((await groups.getByRole('button', { name: new RegExp(`^${it}`) }).locator('.count').textContent()))));
    await page.waitForFunction((it) => Number(document.querySelector('[role=grid]')?.getAttribute('aria-rowcount')) - 1 === it, (failed ?? 0) + (planned ?? 0));
    await groups.getByRole('combobox', { name: 'Group by' }).selectOption({ label: 'Model' });
    await groups.getByRole('region', { name: 'Model' }).getByRole('button').first().waitFor();
    await accessible(page);
    await shot(page, 'groups');
    await page.close();
  });

  test('has columns of the width that one chooses, by the pointer and by keys', async () => {
    const page = await open(on, '/devices');
    await page.locator('#row-3').waitFor();
    const head = page.getByRole('columnheader', { name: 'Role' });
    const box = await head.boundingBox();
    assert.ok(box);
    await page.mouse.move(box.x + box.width - 4, box.y + 10);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width + 76, box.y + 10, { steps: 4 });
    await page.mouse.up();
    await page.waitForURL(/role%3A\d+/);
    await eventually(page, async () => assert.ok(Math.abs((await head.boundingBox())!.width - box.width - 80) < 3));
    await page.keyboard.press('c');
    const field = page.getByRole('spinbutton', { name: 'Width of Status in pixels' });
    await field.fill('200');
    await field.press('Tab');
    await page.waitForURL(/status%3A200/);
    await accessible(page);
    await page.keyboard.press('Escape');
    await page.keyboard.press('e');
    await page.getByRole('dialog', { name: /Edit/ }).waitFor();
    await page.close();
  });

  test('keeps every letter that is typed while rows are read', async () => {
    const page = await open(on, '/ports');
    await page.locator('#row-0 a').first().waitFor();
    const box = page.getByRole('searchbox', { name: 'Ports whose name contains' });
    await box.focus();
    // Rows are read for the letters before while the next ones are typed. Nothing has to happen within the pauses.
    await page.keyboard.type('et-0/0/12', { delay: 60 });
    await page.waitForURL((it) => it.searchParams.get('q') === 'et-0/0/12');
    assert.equal(await box.inputValue(), 'et-0/0/12');
    await page.close();
  });

  test('is written to a file of JSON lines, row by row, while one goes on', async () => {
    const page = await open(on, '/ports?columns=name,device,type,speedBps');
    await page.locator('#row-1 a').first().waitFor();
    await page.getByRole('button', { name: 'Export' }).press('Enter');
    const menu = page.getByRole('dialog', { name: 'Export or copy this list' });
    const written = page.waitForEvent('download');
    await ready(menu.getByRole('button', { name: /^JSON lines/ })).press('Enter');
    await menu.getByText(/^ports\.jsonl: .* rows read$/).waitFor();
    await accessible(page);
    // The menu closes, and the export goes on.
    await page.keyboard.press('Escape');
    const file = await written;
    assert.equal(file.suggestedFilename(), 'ports.jsonl');
    const lines = readFileSync(await file.path(), 'utf8').trimEnd().split('\n').map((it) => JSON.parse(it) as { id: string; name: string; device: { name: string } });
    assert.equal(lines.length, 6_049);
    assert.equal(new Set(lines.map((it) => it.id)).size, 6_049);
    assert.deepEqual(Object.keys(lines[0] ?? {}), ['id', 'name', 'device', 'type', 'speedBps']);
    await page.getByText('ports.jsonl has 6,049 rows.').waitFor();
    // One that is stopped writes nothing.
    await page.getByRole('button', { name: 'Export' }).press('Enter');
    const files: string[] = [];
    page.on('download', (it) => files.push(it.suggestedFilename()));
    let answer = (): void => {};
    const isStopped = new Promise<void>((done) => { answer = done; });
    await page.route('**/graphql', async (route) => { await isStopped; await route.continue(); });
    await ready(menu.getByRole('button', { name: /^CSV/ })).press('Enter');
    await menu.getByRole('button', { name: 'Stop' }).press('Enter');
    await menu.getByText(/rows read/).waitFor({ state: 'detached' });
    // The answer that it had asked for comes now, and is for nobody. A whole export after it writes the only file.
    answer();
    await page.unrouteAll({ behavior: 'wait' });
    await settled(page);
    const next = page.waitForEvent('download');
    await ready(menu.getByRole('button', { name: /^JSON lines/ })).press('Enter');
    await next;
    assert.deepEqual(files, ['ports.jsonl']);
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
