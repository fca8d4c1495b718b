// The ways in: a token that one brings, and an issuer of tokens.
import { after, before, describe } from 'node:test';
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { accessible, newPage, stage, test } from './harness.ts';
import type { Stage } from './harness.ts';

const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** An issuer that lets everybody in at once, and gives out this token. */
function issuerOf(token: string): Promise<Server> {
  let nonce = '';
  const server = createServer((asked, answer) => {
    const own = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const url = new URL(asked.url ?? '/', own);
    const json = (value: object): void => { answer.writeHead(200, { 'content-type': 'application/json', 'access-control-allow-origin': '*', 'cache-control': 'no-store' }).end(JSON.stringify(value)); };
    if (url.pathname === '/.well-known/openid-configuration') {
      return json({ issuer: own, authorization_endpoint: `${own}/authorize`, token_endpoint: `${own}/token`, response_types_supported: ['code'] });
    }
    if (url.pathname === '/authorize') {
      assert.equal(url.searchParams.get('code_challenge_method'), 'S256');
      nonce = url.searchParams.get('nonce') ?? '';
      const back = new URL(url.searchParams.get('redirect_uri') ?? '');
      back.search = new URLSearchParams({ code: 'c', state: url.searchParams.get('state') ?? '' }).toString();
      return void answer.writeHead(302, { location: back.href }).end();
    }
    const now = Math.floor(Date.now() / 1000);
    const claims = { iss: own, aud: 'console', sub: 'ana', iat: now, exp: now + 300, nonce };
    return json({ access_token: token, token_type: 'Bearer', expires_in: 300, id_token: `${base64({ alg: 'RS256' })}.${base64(claims)}.${Buffer.from('signature').toString('base64url')}` });
  });
  // It must not keep the process if a flow fails before it closes the issuer.
  server.unref();
  return new Promise((done) => server.listen(0, '127.0.0.1', () => done(server)));
}

describe('the way in', () => {
  let on: Stage;
  before(async () => { on = await stage(); });
  after(() => on.close());

  /** A page of a server that says this about the way in. */
  async function pageWith(session: object, options: object = {}): Promise<Page> {
    const page = await newPage(on, options);
    await page.route('**/console/session', (route) => route.fulfill({ json: session }));
    return page;
  }

  test('a token is brought, and stays in the tab', async () => {
    const page = await pageWith({ version: '1', way: 'token' });
    await page.goto(`${on.base}/racks`);
    await page.getByRole('heading', { name: 'Underlay' }).waitFor();
    await accessible(page);
    await page.getByLabel('Token').fill(on.token());
    await page.keyboard.press('Enter');
    await page.locator('#row-1 a').first().waitFor();
    await page.reload();
    await page.locator('#row-1 a').first().waitFor();
    await page.close();
  });

  test('who signs out leaves nothing of what was looked at or prepared', async () => {
    const page = await pageWith({ version: '1', way: 'token' });
    await page.goto(`${on.base}/racks`);
    await page.getByLabel('Token').fill(on.token());
    await page.keyboard.press('Enter');
    await page.locator('#row-1 a').first().click();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('i');
    await page.getByText('Added to the impact basket').waitFor();
    const kept = () => page.evaluate(() => [...Object.keys(sessionStorage), ...Object.keys(localStorage)]);
    assert.ok((await kept()).includes('underlay-basket'));
    await page.getByTitle('Who I am').click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Token').waitFor();
    assert.deepEqual((await kept()).filter((key) => key !== 'underlay-last-revision'), []);
    await page.close();
  });

  test('people sign in at an issuer, and come back to where they were', async () => {
    const issuer = await issuerOf(on.token());
    const address = `http://127.0.0.1:${(issuer.address() as AddressInfo).port}`;
    // The policy of a server that has no issuer would not let the page connect to this one.
    const page = await pageWith({ version: '1', way: 'oidc', oidc: { issuer: address, clientId: 'console', scopes: 'openid' } }, { bypassCSP: true });
    await page.goto(`${on.base}/racks?q=A1`);
    await accessible(page);
    await page.getByRole('button', { name: /^Sign in at/ }).press('Enter');
    await page.locator('#row-1 a').first().waitFor();
    assert.equal(new URL(page.url()).search, '?q=A1');
    assert.deepEqual(await page.evaluate(() => [sessionStorage.getItem('underlay-token'), sessionStorage.getItem('underlay-login')]), [null, null]);
    // The way to the issuer leaves the page: what was typed is there after it.
    await page.keyboard.press('n');
    const form = page.getByRole('dialog', { name: 'Create a rack' });
    await form.getByRole('textbox', { name: 'Name (needed)' }).fill('typed before');
    await page.route('**/graphql', (route) => route.fulfill({ status: 401, json: { errors: [{ message: 'expired', extensions: { code: 'UNAUTHENTICATED' } }] } }));
    await form.getByRole('combobox', { name: /^Site/ }).fill('ams');
    await page.getByText('The server no longer accepts the token').waitFor();
    await page.unroute('**/graphql');
    await page.getByRole('button', { name: /^Sign in at/ }).press('Enter');
    await form.getByText('What you typed before is here again.').waitFor();
    assert.equal(await form.getByRole('textbox', { name: 'Name (needed)' }).inputValue(), 'typed before');
    await page.close();
    issuer.close();
  });
});
