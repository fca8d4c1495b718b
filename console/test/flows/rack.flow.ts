// Racks by keyboard alone: walking, moving with the server's verdict, the form, the table, and export.
import { after, before, describe } from 'node:test';
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { accessible, api, eventually, open, ready, shot, stage, test } from './harness.ts';
import type { Stage } from './harness.ts';

const RACK = '/racks/ams1/A14/elevation';
const device = (page: Page, name: string) => page.locator('svg[data-face=FRONT]').getByRole('button', { name: new RegExp(`^${name} `) });

/** Reaches a device of the front by the Tab key and the arrow keys alone. */
async function walkTo(page: Page, name: string): Promise<void> {
  await device(page, name).waitFor();
  for (let at = 0; at < 80; at += 1) {
    await page.keyboard.press('Tab');
    if (await page.evaluate(() => document.activeElement?.closest('svg')?.dataset.face === 'FRONT')) break;
  }
  await page.keyboard.press('Home');
  for (let at = 0; at < 60; at += 1) {
    if (await page.evaluate((it) => document.activeElement?.getAttribute('aria-label')?.startsWith(`${it} `), name)) return;
    await page.keyboard.press('ArrowDown');
  }
  assert.fail(`${name} is not reached`);
}

describe('a rack', () => {
  let on: Stage;
  before(async () => { on = await stage(); });
  after(() => on.close());

  test('is opened from the list and from the detail by keys', async () => {
    const page = await open(on, '/racks/ams1/A14');
    await page.getByRole('heading', { name: 'A14' }).waitFor();
    await page.keyboard.press('v');
    await page.waitForURL(`**${RACK}`);
    await page.getByRole('article', { name: 'A14' }).waitFor();
    await page.keyboard.press('[');
    await page.getByRole('article', { name: 'A13' }).waitFor();
    await page.keyboard.press(']');
    await page.getByRole('article', { name: 'A14' }).waitFor();
    await page.keyboard.press('u');
    await page.waitForURL('**/racks/ams1/A14');
    await page.goto(`${on.base}/racks?site.name.eq=ams1`);
    await page.getByRole('region', { name: 'Racks' }).getByRole('link', { name: 'Elevations' }).press('Enter');
    await page.waitForURL('**/elevations?site.name.eq=ams1');
    await page.getByRole('article', { name: 'A14' }).waitFor();
    await eventually(page, async () => assert.equal(await page.getByRole('article').count(), 12));
    await page.close();
  });

  test('refuses a place that is taken in the words of the server, and puts back', async () => {
    const page = await open(on, RACK);
    await walkTo(page, 'ams1-a14-hv-01');
    await page.getByRole('heading', { name: 'ams1-a14-hv-01' }).waitFor();
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowUp');
    await page.getByText('U3–4, front of A14: Overlaps: U3-U4 (FRONT) overlaps ams1-a14-hv-02 at U4-U5 in rack A14.').waitFor({ state: 'attached' });
    await page.keyboard.press('Escape');
    await page.getByText('ams1-a14-hv-01 is put back.').waitFor({ state: 'attached' });
    await eventually(page, async () => assert.equal(await page.locator('.ghost').count(), 0));
    assert.equal(new URL(page.url()).pathname, RACK);
    await page.close();
  });

  test('moves a device by keys to the review, writes it and takes it back', async () => {
    const page = await open(on, RACK);
    await walkTo(page, 'ams1-a14-node-02');
    await page.keyboard.press('Space');
    for (let at = 0; at < 3; at += 1) await page.keyboard.press('ArrowUp');
    await page.getByText('U30, front of A14: fits.').waitFor({ state: 'attached' });
    await page.keyboard.press('Enter');
    await page.getByText('1 move in the drawing, not written yet').waitFor();
    await page.keyboard.press('r');
    await page.waitForURL('**/review');
    await ready(page.getByRole('button', { name: 'Write 1 change' })).press('Enter');
    await page.waitForURL(`**${RACK}**`);
    await page.locator('svg[data-face=FRONT]').getByRole('button', { name: /^ams1-a14-node-02 .*U30/ }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).press('Enter');
    await page.waitForURL('**/review');
    await ready(page.getByRole('button', { name: 'Write 1 change' })).press('Enter');
    await page.waitForURL(`**${RACK}**`);
    await page.locator('svg[data-face=FRONT]').getByRole('button', { name: /^ams1-a14-node-02 .*U27/ }).waitFor();
    await page.close();
  });

  test('gathers moves of which one makes room for the other, and writes them together', async () => {
    const page = await open(on, RACK);
    // hv-01 takes U2–3 and hv-02 U4–5: neither can go to the place of the other first.
    await walkTo(page, 'ams1-a14-hv-02');
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Take out' }).press('Enter');
    await page.getByText('1 move in the drawing').waitFor();
    await device(page, 'ams1-a14-hv-02').waitFor({ state: 'detached' });
    await walkTo(page, 'ams1-a14-hv-01');
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    await page.getByText('U4–5, front of A14: fits.').waitFor({ state: 'attached' });
    await page.keyboard.press('Enter');
    await page.getByText('2 moves in the drawing').waitFor();
    await page.locator('svg[data-face=FRONT] .planned').waitFor();
    // The keys go on from the device that was put down.
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label')?.startsWith('ams1-a14-hv-01 '));
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowDown');
    await page.getByText('U3–4, front of A14: fits.').waitFor({ state: 'attached' });
    await page.keyboard.press('Enter');
    await page.getByText('2 moves in the drawing').waitFor();
    await accessible(page);
    await shot(page, 'gathered');
    // They survive another screen and a reload.
    await page.goto(`${on.base}/racks`);
    await page.getByRole('link', { name: 'Review 2 changes' }).press('Enter');
    await page.getByRole('heading', { name: 'Move 2 devices' }).waitFor();
    await page.getByRole('link', { name: 'Add to it' }).press('Enter');
    await page.getByRole('button', { name: 'Take the last back' }).press('Enter');
    await page.getByText('1 move in the drawing').waitFor();
    await device(page, 'ams1-a14-hv-01').waitFor();
    await walkTo(page, 'ams1-a14-hv-01');
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowUp');
    await page.getByText('U3–4, front of A14: fits.').waitFor({ state: 'attached' });
    await page.keyboard.press('Enter');
    await page.getByText('2 moves in the drawing').waitFor();
    await page.keyboard.press('r');
    await ready(page.getByRole('button', { name: 'Write 2 changes' })).press('Enter');
    const written = Number(/\d+/.exec(await page.getByText(/^Written as revision \d+/).innerText())?.[0]);
    await page.locator('svg[data-face=FRONT]').getByRole('button', { name: /^ams1-a14-hv-01 .*U3–4/ }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).press('Enter');
    await ready(page.getByRole('button', { name: 'Write 2 changes' })).press('Enter');
    await page.getByText(`Written as revision ${written + 1}.`).waitFor();
    await page.close();
  });

  test('shows both places when two people move one device', async () => {
    const page = await open(on, RACK);
    await walkTo(page, 'ams1-a14-node-01');
    await page.keyboard.press('Space');
    for (let at = 0; at < 4; at += 1) await page.keyboard.press('ArrowUp');
    await page.getByText('U30, front of A14: fits.').waitFor({ state: 'attached' });
    await page.keyboard.press('Enter');
    await page.getByText('1 move in the drawing').waitFor();
    const { apply } = await api<{ apply: { results: Array<{ error: { message: string } | null }> } }>(page, `mutation { apply(input: {items: [
      {device: {name: "ams1-a14-node-01", site: {site: "ams1"}, placement: {rack: {site: "ams1", rack: "A14"}, startUnit: 32, unitHeight: 1, fullDepth: true}}}
    ]}) { results { error { message } } } }`);
    assert.deepEqual(apply.results, [{ error: null }]);
    await page.keyboard.press('r');
    const row = page.getByRole('form', { name: 'Conflicts' }).getByRole('row', { name: /^Placement/ });
    await row.getByRole('radio', { name: /^Theirs .*32/ }).waitFor();
    await row.getByText(/Start unit 26/).waitFor();
    assert.ok(await row.getByRole('radio', { name: /^Yours .*30/ }).isChecked());
    await accessible(page);
    await shot(page, 'two-movers');
    await page.getByRole('button', { name: 'Go on with these choices' }).press('Enter');
    await ready(page.getByRole('button', { name: 'Write 1 change' })).press('Enter');
    await page.locator('svg[data-face=FRONT]').getByRole('button', { name: /^ams1-a14-node-01 .*U30/ }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).press('Enter');
    await ready(page.getByRole('button', { name: 'Write 1 change' })).press('Enter');
    await page.getByText(/^Written as revision \d+/).waitFor();
    await page.close();
  });

  test('moves a device by the form', async () => {
    const page = await open(on, RACK);
    await walkTo(page, 'ams1-a14-node-01');
    await page.keyboard.press('m');
    const form = page.getByRole('dialog', { name: 'Move ams1-a14-node-01' });
    await form.getByLabel('Lowest unit').fill('2');
    await form.getByText(/Overlaps: U2/).waitFor();
    assert.ok(await form.getByRole('button', { name: 'Review the move' }).isDisabled());
    await form.getByLabel('Rack').selectOption({ label: 'A13' });
    await form.getByLabel('Lowest unit').fill('44');
    await form.getByText(/U44, front of A13: fits/).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/review');
    await page.close();
  });

  test('places a device of the tray, and moves one by the pointer', async () => {
    const page = await open(on, RACK);
    await page.getByRole('button', { name: /^ams1-ups-1a/ }).press('Enter');
    await page.getByText(/front of A14: fits\./).waitFor({ state: 'attached' });
    await page.keyboard.press('Escape');
    // The bar that says where the device is goes, and the drawing is laid out anew.
    await page.locator('.move-bar').waitFor({ state: 'detached' });
    const box = await device(page, 'ams1-a14-node-02').boundingBox();
    assert.ok(box);
    const [x, y] = [box.x + 60, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x, y - 48, { steps: 5 });
    await page.getByText('U29, front of A14: fits.').waitFor({ state: 'attached' });
    await page.mouse.up();
    await page.getByRole('button', { name: /^Review it/ }).press('Enter');
    await page.waitForURL('**/review');
    await page.getByText('Move ams1-a14-node-02 to U29, front of A14').first().waitFor();
    await page.close();
  });

  test('greys out what a search does not find, and counts', async () => {
    const page = await open(on, RACK);
    await device(page, 'ams1-a14-hv-01').waitFor();
    await page.keyboard.press('f');
    await page.keyboard.type('leaf');
    await page.getByText('2 found').waitFor();
    await eventually(page, async () => {
      assert.equal(await page.locator('svg[data-face=REAR] .found').count(), 2);
      assert.ok(await page.locator('svg[data-face=FRONT] .pale').count() > 10);
      assert.equal(new URL(page.url()).searchParams.get('q'), 'leaf');
    });
    await page.close();
  });

  test('has a table as its twin', async () => {
    const page = await open(on, `${RACK}?view=list`);
    const row = page.getByRole('row', { name: /ams1-a14-hv-01/ });
    assert.match(await row.innerText(), /U2–3\s+Front, full depth/);
    await row.getByRole('button', { name: 'Move ams1-a14-hv-01 to…' }).press('Enter');
    await page.getByRole('dialog', { name: 'Move ams1-a14-hv-01' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.close();
  });

  test('is saved as SVG without classes, and as PNG', async () => {
    const page = await open(on, RACK);
    await device(page, 'ams1-a14-hv-01').waitFor();
    for (const kind of ['SVG', 'PNG']) {
      await page.getByRole('button', { name: 'Export' }).press('Enter');
      const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: `Save as ${kind}` }).press('Enter')]);
      const bytes = await readFile(await file.path());
      if (kind === 'PNG') assert.equal(bytes.subarray(1, 4).toString(), 'PNG');
      else {
        const text = bytes.toString();
        assert.match(text, /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg"/);
        assert.match(text, />ams1-a14-hv-01</);
        assert.doesNotMatch(text, /\s(class|style)=|var\(|light-dark/);
      }
    }
    await page.close();
  });

  for (const theme of ['light', 'dark'] as const) {
    test(`breaks no rule of accessibility (${theme})`, async () => {
      const page = await open(on, `${RACK}?q=hv`, theme);
      await page.locator('.port').first().waitFor();
      await walkTo(page, 'ams1-a14-hv-01');
      await page.keyboard.press('Space');
      await page.keyboard.press('ArrowUp');
      await page.locator('.move-bar.bad').waitFor();
      await accessible(page);
      await shot(page, `rack-${theme}`);
      await page.keyboard.press('Escape');
      await page.keyboard.press('m');
      await page.getByRole('dialog').getByText(/it stands there now/).waitFor();
      await accessible(page);
      await page.goto(`${on.base}/elevations?site.name.eq=ams1&face=both`);
      await page.getByRole('article', { name: 'A14' }).waitFor();
      await accessible(page);
      await shot(page, `row-${theme}`);
      await page.goto(`${on.base}${RACK}?view=list`);
      await page.getByRole('row', { name: /ams1-a14-hv-01/ }).waitFor();
      await accessible(page);
      await page.close();
    });
  }
});
