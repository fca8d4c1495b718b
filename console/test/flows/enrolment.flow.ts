// Tokens of enrolments: issued with their terms, shown once, used by a machine, and revoked.
import { after, before, describe } from 'node:test';
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { accessible, api, eventually, newPage, open, ready, settled, shot, stage, test } from './harness.ts';
import type { Stage, Theme } from './harness.ts';
import { whole } from './machines.ts';

const ISSUE = 'mutation($input: IssueEnrolmentTokenInput!) { issueEnrolmentToken(input: $input) { token } }';
const TOMORROW_MS = 86_400_000;

describe('enrolment', () => {
  let on: Stage;
  before(async () => { on = await stage(); });
  after(() => on.close());

  /** Enrols a machine that nobody knows. The answer is the status. */
  async function enrol(token: string): Promise<number> {
    const hex = (bytes: number): string => randomBytes(bytes).toString('hex');
    const sections = { system: whole({ uuid: randomUUID(), manufacturer: 'Contoso', model: 'GX-8', serial: `S-${hex(6)}` }) };
    const answer = await fetch(`${on.base}/facts/enrol`, {
      method: 'POST', headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ token: `underlay-agent-${hex(16)}-${hex(32)}`, report: { format: 1, agent: { version: '0.1.0' }, observedAt: new Date().toISOString(), ...sections } }),
    });
    return answer.status;
  }

  const rows = (page: Page) => page.getByRole('group', { name: 'Table of tokens' }).getByRole('row').filter({ has: page.getByRole('rowheader') });

  test('a token is issued, a machine enrols with it, and the token is revoked', async () => {
    const page = await newPage(on);
    // The page asks again every 15 seconds. Here it asks when it is told to.
    await page.addInitScript(() => {
      const asks: Array<() => void> = [];
      const every = window.setInterval.bind(window);
      window.setInterval = ((run: () => void, ms?: number) => {
        if (ms === 15_000) asks.push(run);
        return every(run, ms);
      }) as typeof window.setInterval;
      (window as unknown as { askAgain(): void }).askAgain = () => asks.forEach((run) => run());
    });
    await page.goto(on.base);
    await page.getByRole('navigation', { name: 'Kinds' }).getByRole('link', { name: 'Enrolment', exact: true }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('j');
    await page.waitForURL('**/enrolment');
    await page.getByRole('button', { name: 'Issue a token…' }).press('Enter');
    const asked = page.getByRole('dialog', { name: 'Issue a token of an enrolment' });
    await asked.getByRole('spinbutton', { name: 'How many machines' }).fill('2');
    await asked.getByLabel('Accepted for').selectOption({ label: 'a day' });
    await asked.getByRole('checkbox', { name: /^Register machines/ }).press('Space');
    await accessible(page);
    await ready(asked.getByRole('button', { name: 'Issue the token' })).press('Enter');
    const shown = page.getByRole('dialog', { name: 'The token of the enrolment' });
    const token = await shown.getByRole('group', { name: 'The token', exact: true }).innerText();
    assert.match(token, /^underlay-enrol-[\da-f]{32}-[\da-f]{64}$/);
    await shown.getByText(`underlay-agent enrol --server ${on.base} --enrolment-token-file /etc/underlay/enrolment.token --token-file /etc/underlay/token`).waitFor();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await shown.getByRole('button', { name: 'Copy the token' }).press('Enter');
    await shown.getByRole('button', { name: 'Copied' }).waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), token);
    await accessible(page);
    await shot(page, 'enrolment-token');
    await shown.getByRole('button', { name: 'I have it' }).press('Enter');
    const row = rows(page).first();
    for (const text of ['0 of 2', 'Accepted', 'any host', 'are registered']) await row.getByText(text, { exact: true }).waitFor();

    assert.equal(await enrol(token), 200);
    await page.evaluate(() => (window as unknown as { askAgain(): void }).askAgain());
    await row.getByText('1 of 2').waitFor();

    await row.getByRole('button', { name: /^Revoke the token/ }).press('Enter');
    const revoking = page.getByRole('dialog', { name: 'Revoke the token of an enrolment' });
    await revoking.getByText('1 of 2 machines have used it').waitFor();
    await accessible(page);
    await ready(revoking.getByRole('button', { name: 'Revoke the token' })).press('Enter');
    await row.getByText('Revoked', { exact: true }).waitFor();
    assert.equal(await row.getByRole('button').count(), 0);
    assert.equal(await enrol(token), 401);
    await page.context().close();
  });

  test('a token of a site and a class registers nothing, and says whom it is for', async () => {
    const page = await open(on, '/enrolment');
    await page.getByRole('button', { name: 'Issue a token…' }).press('Enter');
    const asked = page.getByRole('dialog', { name: 'Issue a token of an enrolment' });
    await asked.getByRole('checkbox', { name: /^Register machines/ }).press('Space');
    await asked.getByRole('combobox', { name: 'Site' }).fill('ams1');
    await asked.getByRole('option', { name: /^ams1/ }).first().waitFor();
    await page.keyboard.press('Enter');
    await asked.getByText('A token of a site registers none').waitFor();
    assert.equal(await asked.getByRole('checkbox', { name: /^Register machines/ }).isChecked(), false);
    const classes = asked.getByLabel('Class');
    await eventually(page, async () => assert.ok(await classes.getByRole('option').count() > 1));
    const chosen = await classes.getByRole('option').nth(1).innerText();
    await classes.selectOption({ label: chosen });
    await accessible(page);
    // A number that the server would refuse is not sent.
    await asked.getByRole('spinbutton', { name: 'How many machines' }).fill('0');
    await ready(asked.getByRole('button', { name: 'Issue the token' })).press('Enter');
    assert.equal(await asked.getByRole('spinbutton', { name: 'How many machines' }).evaluate((it) => (it as HTMLInputElement).validity.rangeUnderflow), true);
    await asked.getByRole('spinbutton', { name: 'How many machines' }).fill('40');
    await ready(asked.getByRole('button', { name: 'Issue the token' })).press('Enter');
    await page.getByRole('dialog', { name: 'The token of the enrolment' }).getByRole('button', { name: 'I have it' }).press('Enter');
    const row = rows(page).filter({ hasText: '0 of 40' });
    await row.getByText(`hosts of the site ams1 and of the class ${chosen}`).waitFor();
    await row.getByText('are refused').waitFor();
    await page.close();
  });

  test('an empty list says so', async () => {
    const page = await newPage(on);
    // Other flows issue tokens at this server.
    await page.route('**/graphql', (route) => (route.request().postData()?.includes('EnrolmentTokens') ? route.fulfill({ json: { data: { enrolmentTokens: [] } } }) : route.continue()));
    await page.goto(`${on.base}/enrolment`);
    await page.getByText('No token of an enrolment is there.').waitFor();
    await accessible(page);
    await page.context().close();
  });

  test('who may not see the tokens is told why', { skip: process.env.UNDERLAY_URL !== undefined }, async () => {
    const page = await newPage(on);
    let more = ['--role', 'viewer'];
    await page.route('**/console/session', (route) => route.fulfill({ json: { version: '1', way: 'local', token: on.token(...more) } }));
    for (const [of, text] of [[['--role', 'viewer'], 'This needs the role operator or admin.'], [['--role', 'viewer', '--tenant', 'payments'], 'Tokens of a tenant']] as const) {
      more = [...of];
      await page.goto(`${on.base}/enrolment`);
      await page.getByRole('main').getByText(text).first().waitFor();
      await settled(page);
      assert.equal(await page.getByRole('main').getByRole('button').count(), 0);
      assert.equal(await page.getByRole('alert').count(), 0);
      await accessible(page);
    }
    await page.context().close();
  });

  for (const theme of ['light', 'dark'] as Theme[]) {
    test(`breaks no rule of accessibility (${theme})`, async () => {
      const page = await open(on, '/', theme);
      await api(page, ISSUE, { input: { count: 7, endsAt: new Date(Date.now() + TOMORROW_MS).toISOString(), site: 'site/ams1' } });
      await page.goto(`${on.base}/enrolment`);
      await rows(page).filter({ hasText: '0 of 7' }).first().waitFor();
      for (const width of [1400, 480]) {
        await page.setViewportSize({ width, height: 820 });
        await shot(page, `enrolment-${theme}-${width}`);
        await eventually(page, async () => assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)));
        await accessible(page);
      }
      await page.getByRole('button', { name: 'Issue a token…' }).press('Enter');
      await page.getByRole('dialog', { name: 'Issue a token of an enrolment' }).waitFor();
      await accessible(page);
      await page.setViewportSize({ width: 1400, height: 820 });
      await shot(page, `enrolment-issue-${theme}`);
      await page.close();
    });
  }
});
