// Changes of others are on the screen at once, and the page recovers after every kind of cut.
import { after, before, describe } from 'node:test';
import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { live, openCuttable } from './cuttable.ts';
import { accessible, api, eventually, newPage, open, shot, stage, test } from './harness.ts';
import type { Stage } from './harness.ts';

const STOPPABLE = { skip: process.env.UNDERLAY_URL !== undefined };
const UPDATE = 'mutation Set($input: ApplyInput!) { apply(input: $input) { revision results { error { message } } } }';
const device = (name: string, fields: object) => ({ input: { conflicts: 'FORCE', items: [{ device: { name, site: { site: 'ams1' }, ...fields } }] } });

const away = (page: Page) => page.getByText('The feed is away').waitFor({ state: 'attached' });

/** Servers accept a token for a minute after its end, as clocks differ. */
const SKEW_S = 60;

function tokenOf(secret: string, seconds: number): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: 'underlay', aud: 'underlay', sub: 'ana', iat: now - 600, exp: now - SKEW_S + seconds, roles: ['operator'] };
  const text = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}

describe('the live page', () => {
  let on: Stage;
  before(async () => { on = await stage(); });
  after(() => on.close());

  test('shows what somebody else writes', async (run) => {
    const page = await open(on, '/devices?q=ams1-a14-hv-04');
    const other = await open(on, '/');
    await page.locator('#row-0').getByText('Active').waitFor();
    await live(page);
    const took: number[] = [];
    for (const [status, words] of [['OFFLINE', 'Offline'], ['ACTIVE', 'Active'], ['FAILED', 'Failed'], ['PLANNED', 'Planned'], ['ACTIVE', 'Active']] as const) {
      // The observer of the page itself tells the time, without the steps of the browser's protocol.
      const seen = page.evaluate((text) => new Promise<number>((done) => {
        const row = document.querySelector('[role=grid]');
        const look = (): void => {
          if (!row?.querySelector('#row-0')?.textContent.includes(text)) return;
          observer.disconnect();
          done(Date.now());
        };
        const observer = new MutationObserver(look);
        if (row) observer.observe(row, { subtree: true, childList: true, characterData: true });
        // The change may have come before somebody looked.
        look();
      }), words);
      await api(other, UPDATE, device('ams1-a14-hv-04', { status }));
      const written = Date.now();
      took.push(await seen - written);
    }
    run.diagnostic(`on the screen after ${took.join(', ')} ms from the answer to the writer`);
    await Promise.all([page.close(), other.close()]);
  });

  test('goes on where it was after a cut socket', async () => {
    const { page, cut } = await openCuttable(on, '/devices?q=ams1-a14-hv-05');
    const other = await open(on, '/');
    await page.locator('#row-0').getByText('Active').waitFor();
    await cut();
    await api(other, UPDATE, device('ams1-a14-hv-05', { status: 'OFFLINE' }));
    await page.locator('#row-0').getByText('Offline').waitFor();
    await live(page);
    await Promise.all([page.context().close(), other.close()]);
  });

  test('says that it was away, and reads everything again, when the server no longer holds its position', async () => {
    const { page, cut, answer } = await openCuttable(on, '/devices?q=ams1-a14-hv-06');
    const other = await open(on, '/');
    await page.locator('#row-0').getByText('Active').waitFor();
    let answered = false;
    answer((asked) => {
      if (answered || asked.type !== 'subscribe') return undefined;
      answered = true;
      return { id: asked.id, type: 'error', payload: [{ message: 'revision 1 is no longer kept', extensions: { code: 'REVISION_COMPACTED' } }] };
    });
    await cut();
    await api(other, UPDATE, device('ams1-a14-hv-06', { status: 'OFFLINE' }));
    await page.getByText('The server no longer holds the changes since this page was last connected.').waitFor();
    await page.locator('#row-0').getByText('Offline').waitFor();
    await live(page);
    assert.ok(answered);
    await accessible(page);
    await api(other, UPDATE, device('ams1-a14-hv-06', { status: 'FAILED' }));
    await page.locator('#row-0').getByText('Failed').waitFor();
    await Promise.all([page.context().close(), other.close()]);
  });

  test('says that the server is away, and is right again after it was killed', STOPPABLE, async () => {
    const page = await open(on, '/devices?q=ams1-a14-hv-08');
    await page.locator('#row-0').getByText('Active').waitFor();
    await live(page);
    await Promise.all([away(page), on.stop('SIGKILL')]);
    await page.getByText('The connection to the server is cut.').waitFor();
    await page.locator('#row-0').getByText('Active').waitFor();
    await accessible(page);
    await shot(page, 'away');
    await on.start();
    const other = await open(on, '/');
    await api(other, UPDATE, device('ams1-a14-hv-08', { status: 'OFFLINE' }));
    await page.locator('#row-0').getByText('Offline').waitFor();
    await live(page);
    await page.getByText('The connection to the server is cut.').waitFor({ state: 'detached' });
    await Promise.all([page.close(), other.close()]);
  });
});

describe('a token that expires', STOPPABLE, () => {
  const secret = randomBytes(24).toString('hex');
  let folder: string;
  let on: Stage;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'underlay-secret-'));
    await writeFile(join(folder, 'secret'), secret, { mode: 0o600 });
    on = await stage('--auth-secret-file', join(folder, 'secret'), '--auth-audience', 'underlay');
  });
  after(async () => {
    await on.close();
    await rm(folder, { recursive: true });
  });

  interface WithToken {
    page: Page;
    /** How often the page has asked for the session. */
    asked(): number;
  }

  /** A page with a token that ends after some seconds; null if it ended before the page was live. */
  async function openFor(seconds: number, way: 'local' | 'token', later: string): Promise<WithToken | null> {
    const page = await newPage(on);
    let asked = 0;
    await page.route('**/console/session', (route) => {
      asked += 1;
      return route.fulfill({ json: { version: '1', way, ...(way === 'local' ? { token: asked === 1 ? tokenOf(secret, seconds) : later } : {}) } });
    });
    await page.goto(`${on.base}/devices?q=ams1-a14-hv-09`);
    if (way === 'token') {
      await page.getByLabel('Token').fill(tokenOf(secret, seconds));
      await page.keyboard.press('Enter');
    }
    const ended = page.getByText('The server no longer accepts the token of this tab.');
    await page.locator('#row-0').getByText(/Active|Offline/).or(ended).first().waitFor();
    await page.getByRole('status').getByText('The feed is live').or(ended).first().waitFor({ state: 'attached' });
    if (!(await ended.isVisible()) && (way === 'token' || asked === 1)) return { page, asked: () => asked };
    await page.close();
    return null;
  }

  /**
   * A live page with a token that ends soon; `later` is what the server gives when it is asked once more. The server's clock
   * ends a token, so this flow does wait for time: a page that takes longer to begin gets a token that lasts longer.
   */
  async function openWith(way: 'local' | 'token', later: string): Promise<WithToken> {
    for (const seconds of [6, 20, 60, 180]) {
      const opened = await openFor(seconds, way, later);
      if (opened) return opened;
    }
    return assert.fail('the page is never live while its token is accepted');
  }

  test('is renewed without a word on the machine of its user', async () => {
    const { page, asked } = await openWith('local', tokenOf(secret, 3_600));
    await eventually(page, async () => assert.ok(asked() > 1));
    await live(page);
    const token = tokenOf(secret, 3_600);
    const written = await fetch(`${on.base}/graphql`, {
      method: 'POST', headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ query: UPDATE, variables: device('ams1-a14-hv-09', { status: 'OFFLINE' }) }),
    });
    assert.equal(((await written.json()) as { errors?: unknown[] }).errors, undefined);
    await page.locator('#row-0').getByText('Offline').waitFor();
    await page.close();
  });

  test('is asked for anew where people brought it, and they go on where they were', async () => {
    const { page } = await openWith('token', '');
    await page.getByText('The server no longer accepts the token of this tab.').waitFor();
    await accessible(page);
    await shot(page, 'expired');
    await page.getByLabel('Token').fill(tokenOf(secret, 3_600));
    await page.keyboard.press('Enter');
    await page.locator('#row-0').getByText(/Offline|Active/).waitFor();
    await live(page);
    await page.close();
  });
});
