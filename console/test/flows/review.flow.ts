// Obstacles between a review and its write: others who change the same, sources that hold fields, a server that is
// away.
import { after, before, describe } from 'node:test';
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { accessible, api, eventually, open, ready, shot, stage, test } from './harness.ts';
import type { Stage } from './harness.ts';

const APPLY = 'mutation Apply($input: ApplyInput!) { apply(input: $input) { revision results { id error { message } } } }';

/** Writes as somebody else, and fails if the server refuses. */
async function apply(page: Page, input: object): Promise<string[]> {
  const { apply: it } = await api<{ apply: { results: Array<{ id: string; error: { message: string } | null }> } }>(page, APPLY, { input });
  assert.deepEqual(it.results.flatMap((one) => one.error?.message ?? []), []);
  return it.results.map((one) => one.id);
}

const named = (name: string, fields: object) => ({ device: { name, site: { site: 'ams1' }, ...fields } });

/** The revision that the server is at. */
const revisionOf = async (page: Page): Promise<number> => (await api<{ revision: number }>(page, '{ revision }')).revision;

async function beginEdit(page: Page, name: string, fields: (form: ReturnType<Page['getByRole']>) => Promise<void>): Promise<void> {
  await page.getByRole('heading', { name }).waitFor();
  await page.keyboard.press('e');
  const form = page.getByRole('dialog', { name: `Edit ${name}` });
  await form.getByLabel('Status', { exact: true }).waitFor();
  await fields(form);
}

describe('a review', () => {
  let on: Stage;
  before(async () => { on = await stage(); });
  after(() => on.close());

  for (const theme of ['light', 'dark'] as const) {
    test(`shows before, theirs and yours when somebody else was faster (${theme})`, async () => {
      const name = theme === 'light' ? 'ams1-a14-hv-01' : 'ams1-a14-hv-02';
      const page = await open(on, `/devices/ams1/${name}`, theme);
      await beginEdit(page, name, async (form) => {
        await form.getByLabel('Status', { exact: true }).selectOption('PLANNED');
        await form.getByLabel('Asset tag', { exact: true }).fill(`mine-${theme}`);
        await form.getByLabel('Serial', { exact: true }).fill(`my-serial-${theme}`);
      });
      await apply(page, { items: [named(name, { status: 'OFFLINE', assetTag: `theirs-${theme}`, description: 'moved by others' })] });
      await ready(page.getByRole('button', { name: 'Review the changes' })).press('Enter');
      const conflicts = page.getByRole('form', { name: 'Conflicts' });
      const row = conflicts.getByRole('row', { name: /^Status/ });
      await row.getByText('Active', { exact: true }).waitFor();
      assert.ok(await row.getByRole('radio', { name: /^Yours for Status of .*Planned/ }).isChecked());
      assert.equal(await conflicts.getByRole('row', { name: /^Serial/ }).getByRole('radio').count(), 0);
      await conflicts.getByText('left as it is: description').waitFor();
      assert.ok(await page.getByRole('button', { name: /^Write/ }).isDisabled());
      await conflicts.getByRole('radio', { name: /^Theirs for Asset tag/ }).press('Space');
      await accessible(page);
      await shot(page, `conflict-${theme}`);
      await conflicts.getByRole('button', { name: 'Go on with these choices' }).press('Enter');
      await ready(page.getByRole('button', { name: 'Write 1 change' })).press('Enter');
      await page.getByText(/^Written as revision \d+/).waitFor();
      const { devices } = await api<{ devices: { nodes: object[] } }>(page, `{ devices(filter: {name: {eq: "${name}"}}) { nodes { status assetTag serial description } } }`);
      assert.deepEqual(devices.nodes, [{ status: 'PLANNED', assetTag: `theirs-${theme}`, serial: `my-serial-${theme}`, description: 'moved by others' }]);
      await page.close();
    });
  }

  test('says which source holds a field, and leaves it or takes it over', async () => {
    const page = await open(on, '/');
    await apply(page, { source: 'bcm', items: [named('held-1', { role: 'SERVER', serial: 'S-1', externalId: '1' })] });
    await page.goto(`${on.base}/devices/ams1/held-1`);
    const edit = (form: ReturnType<Page['getByRole']>) => form.getByLabel('Serial', { exact: true }).fill('S-2')
      .then(() => form.getByLabel('Asset tag', { exact: true }).fill('A-2'));
    await beginEdit(page, 'held-1', edit);
    await ready(page.getByRole('button', { name: 'Review the changes' })).press('Enter');
    const conflicts = page.getByRole('form', { name: 'Conflicts' });
    await conflicts.getByText(/held by source bcm since revision \d+/).waitFor();
    await accessible(page);
    await shot(page, 'held');
    // The source keeps what it holds, unless one says otherwise.
    await conflicts.getByRole('button', { name: 'Go on with these choices' }).press('Enter');
    await ready(page.getByRole('button', { name: 'Write 1 change' })).press('Enter');
    await page.getByText(/^Written as revision \d+/).waitFor();
    await page.getByText('S-1').waitFor();
    await beginEdit(page, 'held-1', edit);
    await ready(page.getByRole('button', { name: 'Review the changes' })).press('Enter');
    await conflicts.getByRole('radio', { name: /^Yours for Serial/ }).press('Space');
    await conflicts.getByRole('button', { name: 'Go on with these choices' }).press('Enter');
    await page.getByText('Fields that sources hold are taken over.').waitFor();
    await ready(page.getByRole('button', { name: 'Write 1 change' })).press('Enter');
    await page.locator('.fields').getByText('S-2').waitFor();
    await page.close();
  });

  test('shows every one of many conflicts, with their exact number', async () => {
    const MANY = 150;
    const page = await open(on, '/');
    const names = Array.from({ length: MANY }, (_, at) => `clash-${String(at).padStart(3, '0')}`);
    const all = (fields: object) => apply(page, { items: names.map((it) => named(it, fields)) });
    await all({ role: 'SERVER', labels: { clash: 'yes' } });
    await page.goto(`${on.base}/devices?labels=clash%3Dyes`);
    await page.locator('#row-2 a').first().waitFor();
    await page.keyboard.press('Shift+X');
    await page.getByText(`${MANY} marked`).waitFor();
    await page.keyboard.press('e');
    const form = page.getByRole('dialog', { name: `Change ${MANY} devices` });
    await form.getByLabel('Model', { exact: true }).fill('mine');
    await all({ model: 'theirs' });
    await ready(form.getByRole('button', { name: 'Review the changes' })).press('Enter');
    await page.getByRole('heading', { name: `Somebody else changed or holds ${MANY} objects` }).waitFor();
    const conflicts = page.getByRole('form', { name: 'Conflicts' });
    await conflicts.getByRole('table').first().waitFor();
    assert.equal(await conflicts.getByRole('table').count(), 100);
    await conflicts.getByRole('button', { name: `Show 50 more of ${MANY}` }).press('Enter');
    await eventually(page, async () => assert.equal(await conflicts.getByRole('table').count(), MANY));
    await accessible(page);
    await shot(page, 'many-conflicts');
    await conflicts.getByRole('radio', { name: `Theirs for Model of ${names.at(-1)}: theirs` }).press('Space');
    await conflicts.getByRole('button', { name: 'Go on with these choices' }).press('Enter');
    await ready(page.getByRole('button', { name: `Write ${MANY - 1} changes` })).press('Enter');
    await page.getByText(/^Written as revision \d+/).waitFor();
    const { mine, theirs } = await api<Record<'mine' | 'theirs', { totalCount: number; nodes: Array<{ name: string }> }>>(page, `{
      mine: devices(filter: {model: {eq: "mine"}}, first: 1) { totalCount nodes { name } } theirs: devices(filter: {model: {eq: "theirs"}}, first: 1) { totalCount nodes { name } }
    }`);
    assert.deepEqual([mine.totalCount, theirs.totalCount, theirs.nodes[0]?.name], [MANY - 1, 1, names.at(-1)]);
    await page.close();
  });

  /** Leads a page to a review of one change of a device. */
  async function reviewOf(page: Page, name: string, tag: string): Promise<void> {
    await beginEdit(page, name, (form) => form.getByLabel('Asset tag', { exact: true }).fill(tag));
    await ready(page.getByRole('button', { name: 'Review the changes' })).press('Enter');
    await page.getByText('This is what would be written').waitFor();
  }

  test('keeps a write whose request does not arrive, over a reload, and writes it later', async () => {
    const page = await open(on, '/devices/ams1/ams1-a14-hv-03');
    page.on('dialog', (it) => void it.accept());
    await reviewOf(page, 'ams1-a14-hv-03', 'kept-1');
    const before = await revisionOf(page);
    await page.route('**/graphql', (route) => route.abort());
    await ready(page.getByRole('button', { name: 'Write 1 change' })).press('Enter');
    await page.getByText('The write has no answer').waitFor();
    await accessible(page);
    await shot(page, 'no-answer');
    await page.getByRole('button', { name: 'Send it again' }).press('Enter');
    await page.getByText('The write has no answer').waitFor();
    await page.unroute('**/graphql');
    await page.reload();
    await page.getByText('The page was left before the answer came.').waitFor();
    await page.getByText('asset tag').waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('h');
    await page.getByRole('link', { name: 'A write has no answer' }).press('Enter');
    await page.getByRole('button', { name: 'Send it again' }).press('Enter');
    await page.getByText(`Written as revision ${before + 1}`).waitFor();
    await page.getByText('kept-1').waitFor();
    assert.equal(await page.getByRole('link', { name: 'A write has no answer' }).count(), 0);
    await page.close();
  });

  test('writes once, when only the answer is lost', async () => {
    const page = await open(on, '/devices/ams1/ams1-a14-hv-05');
    await reviewOf(page, 'ams1-a14-hv-05', 'once-1');
    const before = await revisionOf(page);
    let lost = 0;
    await page.route('**/graphql', async (route) => {
      const writes = route.request().postData()?.includes('requestId') ?? false;
      if (!writes || lost > 0) return route.continue();
      lost += 1;
      await route.fetch();
      return route.abort();
    });
    await ready(page.getByRole('button', { name: 'Write 1 change' })).press('Enter');
    await page.getByText('The write has no answer').waitFor();
    assert.equal(lost, 1);
    // Another write waits until this one is settled.
    await page.goto(`${on.base}/devices/ams1/ams1-a14-hv-06`);
    await beginEdit(page, 'ams1-a14-hv-06', (form) => form.getByLabel('Asset tag', { exact: true }).fill('other'));
    await ready(page.getByRole('button', { name: 'Review the changes' })).press('Enter');
    await page.getByText(/has no answer yet\. Send it again or discard it/).waitFor();
    await page.getByRole('button', { name: 'Send it again' }).press('Enter');
    await page.getByText(`Written as revision ${before + 1}`).waitFor();
    assert.equal(await revisionOf(page), before + 1);
    await page.close();
  });

  test('writes when the server is back after it was killed', { skip: process.env.UNDERLAY_URL !== undefined }, async () => {
    const page = await open(on, '/devices/ams1/ams1-a14-hv-08');
    await reviewOf(page, 'ams1-a14-hv-08', 'back-1');
    await on.stop('SIGKILL');
    await ready(page.getByRole('button', { name: 'Write 1 change' })).press('Enter');
    await page.getByText('The write has no answer').waitFor();
    await page.getByText('The server cannot be reached now.').waitFor();
    await on.start();
    await page.getByText('The server can be reached.').waitFor();
    await page.getByRole('button', { name: 'Send it again' }).press('Enter');
    await page.getByText(/^Written as revision \d+/).waitFor();
    await page.getByText('back-1').waitFor();
    await page.close();
  });
});
