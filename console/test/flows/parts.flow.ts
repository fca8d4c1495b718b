// Parts with a serial number: the list of them, and the life of one that moves.
import { after, before, describe } from 'node:test';
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { accessible, eventually, newPage, open, settled, shot, stage, test } from './harness.ts';
import type { Stage, Theme } from './harness.ts';
import { freshName, newMachine, report, rowOf, whole } from './machines.ts';
import type { Machine } from './machines.ts';

const disks = (model: string, serials: string[]): object => ({
  disks: whole(serials.map((serial, at) => ({ name: `nvme${at}n1`, place: `pci-${at}`, manufacturer: 'Contoso', model, serial, sizeBytes: 3_840_755_982_336 }))),
});

describe('parts', () => {
  let on: Stage;
  before(async () => { on = await stage(); });
  after(() => on.close());

  /** Nothing is read by time in such a page: it learns what it shows by events alone. */
  const withoutPace = (page: Page): Promise<void> => page.addInitScript(() => {
    const every = window.setInterval.bind(window);
    window.setInterval = ((run: () => void, ms?: number) => (ms === 15_000 ? 0 : every(run, ms))) as typeof window.setInterval;
  }).then(() => {});

  const stays = (page: Page) => page.getByRole('group', { name: 'Table of stays' }).getByRole('row');
  const listed = (page: Page) => page.getByRole('group', { name: 'Table of parts' }).getByRole('rowheader');

  /** Two hosts with a first report each; the first has the disks A and B of a model of its own. */
  async function two(page: Page): Promise<{ one: Machine; other: Machine; model: string; a: string; b: string }> {
    const [one, other] = [await newMachine(page, freshName('parts')), await newMachine(page, freshName('parts'))];
    const model = `M-${one.name}`;
    const [a, b] = [`A-${one.name}`, `B-${one.name}`];
    await report(on, one, disks(model, [a, b]));
    await report(on, other, disks(model, []));
    return { one, other, model, a, b };
  }

  test('a disk leads from its host to its life, which tells that it moves', async () => {
    const page = await newPage(on);
    await withoutPace(page);
    await page.goto(on.base);
    const { one, other, model, a, b } = await two(page);
    await page.goto(`${on.base}/hosts/${one.name}/hardware`);
    await page.getByRole('group', { name: 'Table of disks' }).getByRole('link', { name: b }).press('Enter');
    await page.waitForURL(`**/parts/${b}`);
    await page.getByRole('heading', { name: `Part ${b}` }).waitFor();
    await stays(page).filter({ hasText: one.name }).getByText('Is there').waitFor();
    await page.getByText('None is kept.').waitFor();
    await page.evaluate(() => { (window as unknown as { kept: boolean }).kept = true; });
    // The disk goes to the other host: two reports of the first one lack it.
    await report(on, other, disks(model, [b]));
    await report(on, one, { ...disks(model, [a]), processors: whole([]) });
    await report(on, one, { ...disks(model, [a]), processors: whole([{ socket: 0, cores: 4, threads: 8 }]) });
    await page.getByText('Moved here').waitFor();
    await eventually(page, async () => assert.deepEqual((await stays(page).allInnerTexts()).slice(1).map((it) => it.split('\t')[0]?.trim()), [other.name, one.name]));
    await page.getByRole('region', { name: 'Events', exact: true }).getByText(`from ${one.name}`).waitFor();
    assert.ok(await page.evaluate(() => (window as unknown as { kept?: boolean }).kept), 'the page was not loaded again');
    await accessible(page);
    await shot(page, 'part-light');
    await page.emulateMedia({ colorScheme: 'dark' });
    await accessible(page);
    await shot(page, 'part-dark');
    await page.context().close();
  });

  test('the list is reached by keys, filtered by the address, and follows what is reported', async () => {
    const page = await newPage(on);
    await withoutPace(page);
    await page.goto(on.base);
    const { one, other, model, a, b } = await two(page);
    await page.getByRole('navigation', { name: 'Kinds' }).getByRole('link', { name: 'Parts', exact: true }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('y');
    await page.waitForURL('**/parts');
    await page.getByRole('group', { name: 'Table of parts' }).getByRole('link', { name: a }).waitFor();
    await page.getByRole('searchbox', { name: 'Model, exactly' }).fill(model);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/parts?model=${model}`);
    await eventually(page, async () => assert.deepEqual(await listed(page).allInnerTexts(), [a, b]));
    await rowOf(page, 'Table of parts', a).getByRole('link', { name: one.name, exact: true }).waitFor();
    await page.getByRole('group', { name: 'Kinds of parts' }).getByRole('button', { name: 'GPU' }).press('Enter');
    await page.getByText('No part fits.').waitFor();
    await page.getByRole('group', { name: 'Kinds of parts' }).getByRole('button', { name: 'Disk' }).press('Enter');
    await page.waitForURL(/kind=DISK/);
    await eventually(page, async () => assert.equal(await listed(page).count(), 2));
    // A new part comes while somebody looks.
    await report(on, other, disks(model, [`C-${one.name}`]));
    await eventually(page, async () => assert.deepEqual(await listed(page).allInnerTexts(), [a, b, `C-${one.name}`]));
    // What is pulled is in no host, and stays in the list.
    await report(on, one, { ...disks(model, [a]), processors: whole([]) });
    await report(on, one, { ...disks(model, [a]), processors: whole([{ socket: 0, cores: 4, threads: 8 }]) });
    await rowOf(page, 'Table of parts', b).getByText('In no host').waitFor();
    await page.getByRole('group', { name: 'Where they are' }).getByRole('button', { name: 'In no host' }).press('Enter');
    await page.waitForURL(/where=OUT/);
    await eventually(page, async () => assert.deepEqual(await listed(page).allInnerTexts(), [b]));
    await page.getByRole('status').getByText('1 of the 3 that were read').waitFor();
    await accessible(page);
    await page.getByRole('button', { name: 'Show all', exact: true }).press('Enter');
    await page.waitForURL('**/parts');
    await page.getByRole('searchbox', { name: 'Serial number, exactly' }).fill(a);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/parts?serial=${a}`);
    await eventually(page, async () => assert.deepEqual(await listed(page).allInnerTexts(), [a]));
    await page.context().close();
  });

  test('more parts than a page come when they are asked for', async () => {
    const page = await open(on, '/');
    const host = await newMachine(page, freshName('many'));
    const model = `M-${host.name}`;
    await report(on, host, disks(model, Array.from({ length: 230 }, (_, it) => `${host.name}-${it}`)));
    await page.goto(`${on.base}/parts?host=${host.id}`);
    await page.getByRole('status').getByText('200 parts so far').waitFor();
    await page.getByRole('button', { name: 'Show more' }).press('Enter');
    await eventually(page, async () => assert.equal(await listed(page).count(), 230));
    await page.getByRole('button', { name: 'Show more' }).waitFor({ state: 'detached' });
    await page.close();
  });

  test('the palette finds a part by its serial number', async () => {
    const page = await open(on, '/');
    const { one, a } = await two(page);
    await page.keyboard.press('/');
    await page.getByRole('combobox', { name: /^Search/ }).fill(a);
    await page.getByRole('option', { name: `${a} Part · Disk Contoso M-${one.name} · in ${one.name}` }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/parts/${a}`);
    await page.getByRole('heading', { name: `Part ${a}` }).waitFor();
    await page.goto(`${on.base}/parts/${a.toLowerCase()}`);
    await page.getByText('No part with this serial number is known.').waitFor();
    await page.close();
  });

  test('a tenant sees no parts, and still searches', { skip: process.env.UNDERLAY_URL !== undefined }, async () => {
    const page = await newPage(on);
    await page.route('**/console/session', (route) => route.fulfill({ json: { version: '1', way: 'local', token: on.token('--role', 'viewer', '--tenant', 'payments') } }));
    for (const path of ['/parts', '/parts/S1']) {
      await page.goto(on.base + path);
      await page.getByText('Tokens of a tenant do not see parts').waitFor();
      await settled(page);
      assert.equal(await page.getByRole('alert').count(), 0);
      await accessible(page);
    }
    await page.keyboard.press('/');
    await page.getByRole('combobox', { name: /^Search/ }).fill('ams1');
    await page.getByRole('option', { name: /Site/ }).first().waitFor();
    await page.context().close();
  });

  for (const theme of ['light', 'dark'] as Theme[]) {
    test(`breaks no rule of accessibility (${theme})`, async () => {
      const page = await open(on, '/', theme);
      const { a, model } = await two(page);
      await page.goto(`${on.base}/parts?model=${model}`);
      await page.getByRole('link', { name: a }).waitFor();
      for (const width of [1400, 480]) {
        await page.setViewportSize({ width, height: 820 });
        await shot(page, `parts-${theme}-${width}`);
        await eventually(page, async () => assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)));
        await accessible(page);
      }
      await page.close();
    });
  }
});
