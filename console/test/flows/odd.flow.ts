// Odd addresses and odd names: the page says what is wrong with an address, and shows names as they are everywhere.
import { after, before, describe } from 'node:test';
import assert from 'node:assert/strict';
import { accessible, api, eventually, open, ready, settled, shot, stage, test } from './harness.ts';
import type { Stage } from './harness.ts';

const APPLY = 'mutation Apply($input: ApplyInput!) { apply(input: $input) { revision results { id error { message } } } }';

describe('an odd address', () => {
  let on: Stage;
  before(async () => { on = await stage(); });
  after(() => on.close());

  for (const theme of ['light', 'dark'] as const) {
    test(`with filters that do not fit lists nothing, and offers to drop them (${theme})`, async () => {
      const page = await open(on, '/devices?colour.eq=red&status.in=ACTIVE&status.in=BROKEN', theme);
      await page.getByText('There is no filter “colour” for devices.').waitFor();
      await page.getByText(/“BROKEN” is not one of PLANNED/).waitFor();
      assert.equal(await page.getByRole('grid').count(), 0);
      await accessible(page);
      await shot(page, `unfit-${theme}`);
      await page.getByRole('button', { name: 'Remove this filter' }).first().press('Enter');
      await page.getByText('There is no filter “colour” for devices.').waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Remove this filter' }).press('Enter');
      await page.locator('#row-1 a').first().waitFor();
      assert.equal(new URL(page.url()).search, '?status.in=ACTIVE');
      await page.close();
    });
  }

  test('what the server does not take stands above the list, whose filters can be removed', async () => {
    const page = await open(on, '/devices?within=no-id&labels=%3D%3D');
    await page.getByRole('alert').waitFor();
    for (const name of [/Remove the filter Within/, /Remove the filter Labels/]) await page.getByRole('button', { name }).press('Enter');
    await page.locator('#row-1 a').first().waitFor();
    await page.goto(`${on.base}/elevations?colour.eq=red&by=status`);
    await page.getByText('There is no filter “colour” for racks.').waitFor();
    await page.close();
  });

  test('of a place or a device that is gone says so, and an unknown kind hides no single point', async () => {
    for (const id of ['01a21719-0000-7000-8000-000000000000', 'no-id']) {
      const page = await open(on, `/devices?in=${id}`);
      await page.getByText('The place of this address does not exist any more').waitFor();
      await accessible(page);
      await page.getByRole('alert').getByRole('button', { name: 'Show all places' }).press('Enter');
      await page.locator('#row-1 a').first().waitFor();
      await eventually(page, async () => assert.equal(await page.title(), 'Devices · Underlay'));
      await page.close();
    }
    const page = await open(on, '/patch?a=01a21719-0000-7000-8000-000000000000');
    await page.getByRole('region', { name: 'Side A' }).getByText('The device of this address does not exist any more').waitFor();
    await page.goto(`${on.base}/single-points?kind=Gadget`);
    await page.getByRole('grid', { name: 'Single points of failure' }).locator('#row-1').waitFor();
    await page.close();
  });

  test('of what is deleted says who deleted it, and leads to the change', async () => {
    const page = await open(on, '/');
    const { apply } = await api<{ apply: { revision: number; results: Array<{ id: string }> } }>(page, APPLY, { input: { items: [{ rack: { name: 'short-lived', site: { site: 'ams1' }, heightU: 10 } }] } });
    const id = apply.results[0]?.id ?? '';
    await page.goto(`${on.base}/racks/ams1/short-lived`);
    await page.getByRole('heading', { name: 'short-lived' }).waitFor();
    // It goes while it is shown.
    await api(page, APPLY, { input: { items: [{ delete: { ref: { id } } }] } });
    const sentence = page.getByText(/The rack short-lived was deleted by local/);
    await sentence.waitFor();
    for (const path of [`/racks/${id}`, '/racks/ams1/short-lived', `/racks/${id}/elevation`, '/racks/ams1/short-lived/elevation']) {
      await page.goto(on.base + path);
      await sentence.waitFor();
    }
    await accessible(page);
    await shot(page, 'gone');
    await page.locator('main').getByRole('link', { name: `revision ${apply.revision + 1}` }).press('Enter');
    await page.getByRole('button', { name: 'Undo…', exact: true }).press('Enter');
    await ready(page.getByRole('button', { name: 'Write 1 change' })).press('Enter');
    await page.getByText(/^Written as revision \d+/).waitFor();
    await page.goto(`${on.base}/racks/${id}`);
    await page.getByRole('heading', { name: 'short-lived' }).waitFor();
    await page.close();
  });

  test('of what is called otherwise now leads to it, and of what never was says so', async () => {
    const page = await open(on, '/');
    const { apply } = await api<{ apply: { results: Array<{ id: string }> } }>(page, APPLY, { input: { items: [{ rack: { name: 'old-name', site: { site: 'ams1' }, heightU: 10 } }] } });
    await api(page, APPLY, { input: { items: [{ rack: { id: apply.results[0]?.id, name: 'new-name' } }] } });
    await page.goto(`${on.base}/racks/ams1/old-name`);
    await page.getByText(/has been called new-name since revision/).waitFor();
    await page.getByRole('link', { name: 'new-name' }).press('Enter');
    await page.getByRole('heading', { name: 'new-name' }).waitFor();
    for (const path of ['/racks/ams1/%3Cb%3Enever', '/racks/01a2165b-0000-7000-8000-000000000000', '/ports/ams1/nowhere/eth0/trace']) {
      await page.goto(on.base + path);
      await page.getByRole('heading', { name: 'Not found' }).waitFor();
      await page.getByText(/do not name it/).waitFor();
    }
    for (const [path, words] of [['/nowhere', 'Nothing here'], ['/racks/%25', 'Not found'], ['/changes/x', 'Nothing here'], ['/changes/999999', /revision|changes/]] as const) {
      await page.goto(on.base + path);
      await page.locator('main').getByText(words).first().waitFor();
    }
    await page.close();
  });

  test('names of any form are shown as they are, on every screen', async () => {
    const page = await open(on, '/');
    const names = ['<img src=x onerror=alert(1)>', 'שרת-א14', 'n'.repeat(253), 'a/b?c#d%20&amp;'];
    const items = names.map((name, at) => ({ device: { name, site: { site: 'ams1' }, role: 'SERVER', labels: { odd: 'yes' }, description: name, placement: { rack: { site: 'ams1', rack: 'A13' }, startUnit: 43 + at, unitHeight: 1 } } }));
    const { apply } = await api<{ apply: { results: Array<{ id: string; error: { message: string } | null }> } }>(page, APPLY, { input: { items } });
    assert.deepEqual(apply.results.flatMap((it) => it.error?.message ?? []), []);
    const whole = async (): Promise<void> => {
      assert.equal(await page.locator('main img').count(), 0);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), page.url());
    };
    for (const path of ['/devices?labels=odd%3Dyes', '/changes', '/racks/ams1/A13/elevation', '/racks/ams1/A13/elevation?view=list']) {
      await page.goto(on.base + path);
      await page.locator('main').getByText('שרת-א14').first().waitFor({ state: 'attached' });
      await whole();
    }
    for (const name of names) {
      await page.goto(`${on.base}/devices/ams1/${encodeURIComponent(name)}`);
      await page.getByRole('heading', { name, exact: true }).waitFor();
      await whole();
      await page.keyboard.press('e');
      const form = page.getByRole('dialog', { name: `Edit ${name}` });
      await form.getByLabel('Asset tag', { exact: true }).fill('‮evil‬ <script>');
      await ready(form.getByRole('button', { name: 'Review the changes' })).press('Enter');
      await page.getByRole('heading', { name: `Edit ${name}` }).waitFor();
      await page.getByText('This is what would be written').or(page.getByRole('region', { name: 'Refused' })).first().waitFor();
      await whole();
      await ready(page.getByRole('button', { name: 'Discard' })).press('Enter');
    }
    await accessible(page);
    await shot(page, 'odd-name');
    await page.close();
  });

  test('names of any form fit where they are drawn, and where analyses and dialogs name them', async () => {
    const page = await open(on, '/');
    const long = (letter: string): string => letter.repeat(253);
    const evil = 'evil\u202etxt.exe';
    const site = { site: long('S') };
    const device = (name: string, startUnit: number) => ({ device: { name, site, role: 'SERVER', description: `${'Lorem ipsum '.repeat(300)}${long('x')}`, placement: { rack: { ...site, rack: long('R') }, startUnit, unitHeight: 1 } } });
    const port = (of: string, name: string) => ({ port: { name, type: 'ETHERNET', device: { ...site, device: of } } });
    const end = (of: string, name: string) => ({ port: { ...site, device: of, port: name } });
    const names = [long('W'), evil, '<img src=x onerror=alert(1)>', 'שרת (א14)'];
    const items = [
      { site: { name: long('S'), type: 'DATACENTER', status: 'ACTIVE' } }, { rack: { name: long('R'), site, heightU: 12 } },
      ...names.flatMap((name, at) => [device(name, at * 2 + 1), port(name, long('p'))]),
      { cluster: { name: long('K') } }, { virtualMachine: { name: long('V'), cluster: { cluster: long('K') }, host: { ...site, device: names[0] } } },
      { cable: { name: long('C'), aEnds: [end(names[0] ?? '', long('p'))], bEnds: [end(names[1] ?? '', long('p'))] } },
    ];
    const { apply } = await api<{ apply: { results: Array<{ kind: string; id: string; error: { message: string } | null }> } }>(page,
      'mutation Apply($input: ApplyInput!) { apply(input: $input) { results { kind id error { message } } } }', { input: { items } });
    assert.deepEqual(apply.results.flatMap((it) => it.error?.message ?? []), []);
    const ids = (kind: string): string[] => apply.results.filter((it) => it.kind === kind).map((it) => it.id);
    const [[inSite], [rack], [first, second], [cable]] = [ids('Site'), ids('Rack'), ids('Device'), ids('Cable')];
    /** Nothing is wider than its place, neither the page nor a text in a drawing. */
    const fits = async (): Promise<void> => {
      if (new URL(page.url()).pathname === '/') await ready(page.getByRole('button', { name: 'Look again' })).waitFor();
      await settled(page);
      const wide = await page.evaluate(() => {
        const found = [document.documentElement, document.getElementById('main')].filter((it) => it && it.scrollWidth > it.clientWidth + 1).map((it) => it?.tagName ?? '');
        const right = (it: Element): number => it.getBoundingClientRect().right;
        for (const box of document.querySelectorAll('.line .box, .path-node')) {
          const edge = box.querySelector('rect') ?? box;
          for (const text of box.querySelectorAll('text')) if (right(text) > right(edge) + 1) found.push(text.textContent ?? '');
        }
        return [...found, ...[...document.querySelectorAll('main img')].map(() => 'img')];
      });
      assert.deepEqual(wide, [], page.url());
    };
    const paths = [
      '/', `/?in=${inSite}`, `/racks/${rack}/elevation?device=${first}`, `/racks/${rack}/elevation?view=list`, `/elevations?in=${inSite}`, `/cables/${cable}/trace`,
      `/cables/${cable}/trace?view=list`, `/devices/${first}/power`, `/impact?of=${first}&of=${rack}`, `/single-points?within=${inSite}`, `/paths?from=${first}&to=${second}`,
      `/patch?a=${first}&b=${second}`, `/devices/${second}?tab=ports`, `/devices?site.id.eq=${inSite}&preview=${first}&facets=usual`,
    ];
    for (const path of paths) {
      await page.goto(on.base + path);
      await page.locator('main').getByText(/[WSRp]{9}|evil/).first().waitFor({ state: 'attached' });
      await fits();
    }
    // The name of a single point stands before what contains it.
    await page.goto(`${on.base}/single-points?within=${inSite}`);
    const points = page.getByRole('grid', { name: 'Single points of failure' });
    await points.locator('#row-0 a').first().waitFor();
    assert.ok(((await points.locator('#row-0 a').first().boundingBox())?.width ?? 0) > 60);
    await page.keyboard.press('/');
    await page.getByRole('combobox', { name: /Search/ }).fill('evil');
    await page.getByRole('option', { name: /evil/ }).first().waitFor();
    await fits();
    await page.keyboard.press('Escape');
    await page.goto(`${on.base}/racks/${rack}/elevation?device=${first}`);
    await page.getByRole('button', { name: /^Move to/ }).press('Enter');
    await page.getByRole('dialog', { name: /^Move/ }).waitFor();
    await fits();
    await page.keyboard.press('Escape');
    // A sentence of the server is not turned around by a name in it.
    await page.goto(`${on.base}/devices/${second}`);
    await page.getByRole('button', { name: 'Delete…' }).press('Enter');
    await page.getByText(/evil\\u\{202e\}txt\.exe.* is still in use by/).waitFor();
    await fits();
    await accessible(page);
    await shot(page, 'odd-refused');
    await page.close();
  });
});
