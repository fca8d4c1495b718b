// What changed in the hardware of hosts: the timeline of one host, and that of all, as agents report.
import { after, before, describe } from 'node:test';
import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { live, openCuttable } from './cuttable.ts';
import { accessible, api, eventually, newPage, open, settled, shot, stage, test } from './harness.ts';
import type { Stage, Theme } from './harness.ts';

const STOPPABLE = { skip: process.env.UNDERLAY_URL !== undefined };
const APPLY = 'mutation($input: ApplyInput!) { apply(input: $input) { results { id error { message } } } }';
const ISSUE = 'mutation($host: ID!) { issueAgentToken(host: $host) { token } }';
const EVENTS = 'query($host: ID!) { hardwareEvents(filter: {host: $host}, first: 1000) { nodes { cursor change } } }';

interface Host { id: string; name: string; token: string }

/** What a machine reports, in short. */
interface Machine { disks?: string[]; health?: string; carrier?: boolean; memoryBytes?: number; firmware?: string }

const gib = (count: number): number => count * 2 ** 30;

/** The parts of each host are its own: one that another host has too would move. */
function sections(of: string, { disks = ['S1'], health = 'PASSED', carrier = true, memoryBytes = gib(16), firmware = '1.0' }: Machine): object {
  return {
    system: { complete: true, found: { model: 'AS -1115HS-TNR', serial: 'A1', bootId: 'b1', firmwareVersion: firmware } },
    memory: { complete: true, found: { slots: 2, modules: [{ slot: 'A1', partNumber: of, serial: 'M1', sizeBytes: memoryBytes }] } },
    disks: { complete: true, found: disks.map((serial, at) => ({ name: `nvme${at}n1`, place: `pci-${at}`, manufacturer: 'Samsung', model: `PM9A3-${of}`, serial, sizeBytes: 3_840_755_982_336, health })) },
    interfaces: { complete: true, found: [{ name: 'e1', permanentMac: '02:00:5e:00:00:01', place: '0000:41:00.0', carrier }] },
  };
}

/** The events of a page, from the top down. */
const shown = (page: Page): Locator => page.locator('.hardware-events li > time + .hardware-event');
const eventOf = (page: Page, ...texts: string[]): Locator => texts.reduce((of, text) => of.filter({ hasText: text }), shown(page));

describe('events of hardware', () => {
  let on: Stage;
  let hosts = 0;
  before(async () => { on = await stage(); });
  after(() => on.close());

  async function report({ name, token }: Host, machine: Machine): Promise<void> {
    const answer = await fetch(`${on.base}/facts`, {
      method: 'POST', headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ format: 1, agent: { version: '0.1.0' }, observedAt: new Date().toISOString(), ...sections(name, machine) }),
    });
    assert.equal(answer.status, 200, await answer.clone().text());
    assert.equal((await answer.json() as { outcome: string }).outcome, 'STORED');
  }

  /** A host of its own for each flow, with a first report. The page must be one of the console. */
  async function newHost(page: Page, more: object = {}, machine: Machine = {}): Promise<Host> {
    hosts += 1;
    const name = `events-${process.pid}-${hosts}`;
    const { apply } = await api<{ apply: { results: Array<{ id: string; error: { message: string } | null }> } }>(page, APPLY, { input: { items: [{ host: { name, ...more } }] } });
    assert.deepEqual(apply.results.map((it) => it.error?.message), [undefined]);
    const id = apply.results[0]?.id ?? '';
    const { issueAgentToken: { token } } = await api<{ issueAgentToken: { token: string } }>(page, ISSUE, { host: id });
    await report({ id, name, token }, machine);
    return { id, name, token };
  }

  async function stored(page: Page, host: Host): Promise<number> {
    return (await api<{ hardwareEvents: { nodes: object[] } }>(page, EVENTS, { host: host.id })).hardwareEvents.nodes.length;
  }

  /** The page shows as many events as the server has of the host. */
  async function eachOnce(page: Page, host: Host): Promise<void> {
    const all = await stored(page, host);
    await eventually(page, async () => assert.equal(await shown(page).count(), all));
  }

  /** The facts are not read by time in such a page: it learns what it shows by events alone. */
  const withoutPace = (page: Page): Promise<void> => page.addInitScript(() => {
    const every = window.setInterval.bind(window);
    window.setInterval = ((run: () => void, ms?: number) => (ms === 15_000 ? 0 : every(run, ms))) as typeof window.setInterval;
  }).then(() => {});

  const serialOf = (page: Page, text: string): Promise<void> => page.getByRole('group', { name: 'Table of disks' }).getByText(text, { exact: true }).waitFor();

  test('the page of a host says what happened, the newest first', async () => {
    const page = await open(on, '/');
    const host = await newHost(page);
    await page.goto(`${on.base}/hosts/${host.name}/hardware`);
    await page.getByText('Nothing has changed since the first report.').waitFor();
    await report(host, { disks: ['S2'] });
    await report(host, { disks: ['S2'], health: 'FAILING' });
    await report(host, { disks: ['S2'], health: 'FAILING', carrier: false });
    await report(host, { disks: ['S2', 'S3'], health: 'FAILING', carrier: true, memoryBytes: gib(32), firmware: '1.1' });
    await page.reload();
    const events = page.getByRole('region', { name: 'Events', exact: true });
    await events.getByRole('heading', { name: /^Today, / }).waitFor();
    await events.getByRole('button', { name: 'Show earlier events' }).press('Enter');
    await eventually(page, async () => assert.deepEqual((await shown(page).allInnerTexts()).map((it) => it.replace(/\s+/g, ' ').replace(/ Details$/, '').trim()), [
      'Link back Interface 0000:41:00.0', 'Expects to fail Disk pci-1', `Added Disk pci-1 Samsung PM9A3-${host.name} · S3`,
      'Changed Memory A1 Size 16 GiB → 32 GiB', 'Changed Firmware system 1.0 → 1.1', 'Link lost Interface 0000:41:00.0', 'Expects to fail Disk pci-0',
      `Replaced Disk pci-0 Samsung PM9A3-${host.name} · S1 → Samsung PM9A3-${host.name} · S2`,
    ]));
    await eventually(page, async () => assert.equal(await events.getByRole('button', { name: 'Show earlier events' }).count(), 0));
    // The whole part, for who looks closely.
    const replaced = eventOf(page, 'Replaced');
    await replaced.getByText('Details').press('Enter');
    await replaced.getByLabel('Before, as JSON').getByText('"serial": "S1"').waitFor();
    await replaced.getByLabel('After, as JSON').getByText('"serial": "S2"').waitFor();
    await accessible(page);
    await page.close();
  });

  test('an event appears as it comes, and the facts with it', async () => {
    const { page, asked, opened } = await openCuttable(on, '/', withoutPace);
    const host = await newHost(page);
    await page.goto(`${on.base}/hosts/${host.name}/hardware`);
    await page.getByText('Nothing has changed since the first report.').waitFor();
    await serialOf(page, 'S1');
    await live(page);
    await page.evaluate(() => { (window as unknown as { kept: boolean }).kept = true; });
    const before = opened();
    await report(host, { disks: ['S2'] });
    await eventOf(page, 'Replaced', 'S2').waitFor();
    await serialOf(page, 'S2');
    await page.getByRole('status').getByText('Disk pci-0: Replaced').waitFor({ state: 'attached' });
    assert.ok(await page.evaluate(() => (window as unknown as { kept?: boolean }).kept), 'the page was not loaded again');
    // The feed and the events share a socket, and the subscription ends when its page is left.
    assert.equal(opened(), before);
    const subscribed = asked.findLast((it) => it.type === 'subscribe' && it.payload?.query?.includes('hardwareEvents('));
    assert.ok(subscribed);
    assert.equal(asked.some((it) => it.type === 'complete'), false);
    await page.getByRole('link', { name: 'Details', exact: true }).press('Enter');
    await eventually(page, async () => assert.ok(asked.some((it) => it.type === 'complete' && it.id === subscribed.id)));
    assert.equal(opened(), before);
    await live(page);
    await page.context().close();
  });

  test('each event is there once after the server was started again', STOPPABLE, async () => {
    const page = await open(on, '/');
    const host = await newHost(page);
    await report(host, { disks: ['S2'] });
    await page.goto(`${on.base}/hosts/${host.name}/hardware`);
    await eventOf(page, 'Replaced', 'S2').waitFor();
    await live(page);
    await report(host, { disks: ['S3'] });
    await eventOf(page, 'S2', 'S3').waitFor();
    await Promise.all([page.getByText('The feed is away').waitFor({ state: 'attached' }), on.stop('SIGKILL')]);
    await on.start();
    await report(host, { disks: ['S4'] });
    await eventOf(page, 'S3', 'S4').waitFor();
    await live(page);
    await report(host, { disks: ['S5'] });
    await eventOf(page, 'S4', 'S5').waitFor();
    await eachOnce(page, host);
    assert.equal(await shown(page).count(), 4);
    await page.close();
  });

  test('what comes while the connection is cut is there once, when it is mended', async () => {
    const { page, cut, mend } = await openCuttable(on, '/');
    const host = await newHost(page);
    await page.goto(`${on.base}/hosts/${host.name}/hardware`);
    await page.getByText('Nothing has changed since the first report.').waitFor();
    await live(page);
    await report(host, { disks: ['S2'] });
    await eventOf(page, 'S1', 'S2').waitFor();
    await cut(true);
    await report(host, { disks: ['S3'] });
    await report(host, { disks: ['S4'] });
    await page.getByText('The connection to the server is cut.').waitFor();
    assert.equal(await shown(page).count(), 1);
    mend();
    await eventOf(page, 'S3', 'S4').waitFor();
    await eachOnce(page, host);
    await page.context().close();
  });

  test('the list is read again when the server does not hold the position any more', async () => {
    const { page, cut, mend, answer } = await openCuttable(on, '/');
    const host = await newHost(page);
    await page.goto(`${on.base}/hosts/${host.name}/hardware`);
    await page.getByText('Nothing has changed since the first report.').waitFor();
    await live(page);
    await report(host, { disks: ['S2'] });
    await eventOf(page, 'S1', 'S2').waitFor();
    let refused = 0;
    answer((it) => {
      if (refused > 0 || it.type !== 'subscribe' || !it.payload?.query?.includes('hardwareEvents(')) return undefined;
      refused += 1;
      return { id: it.id, type: 'error', payload: [{ message: 'the events of hardware after 1 are not held', extensions: { code: 'REVISION_COMPACTED' } }] };
    });
    await cut(true);
    await report(host, { disks: ['S3'] });
    mend();
    await eventOf(page, 'S2', 'S3').waitFor();
    assert.equal(refused, 1);
    await report(host, { disks: ['S4'] });
    await eventOf(page, 'S3', 'S4').waitFor();
    await eachOnce(page, host);
    assert.equal(await page.getByRole('alert').count(), 0);
    await page.context().close();
  });

  test('the events of all hosts are reached by keys, and filtered by the address', async () => {
    const page = await open(on, '/');
    const [one, other] = [await newHost(page), await newHost(page)];
    await report(one, { disks: ['S2'] });
    await report(other, { carrier: false });
    await page.keyboard.press('g');
    await page.keyboard.press('t');
    await page.waitForURL('**/hardware-events');
    await page.getByRole('heading', { name: 'Hardware events' }).waitFor();
    await eventOf(page, 'Replaced', one.name).waitFor();
    await eventOf(page, 'Link lost', other.name).waitFor();
    await shot(page, 'hardware-events');

    await page.getByRole('group', { name: 'Changes' }).getByRole('button', { name: 'Link lost' }).press('Enter');
    await page.waitForURL('**/hardware-events?change=LINK_DOWN');
    await eventually(page, async () => assert.deepEqual([await eventOf(page, one.name).count(), await eventOf(page, other.name).count()], [0, 1]));
    await page.getByRole('group', { name: 'Parts' }).getByRole('button', { name: 'Disk' }).press('Enter');
    await page.waitForURL('**/hardware-events?change=LINK_DOWN&part=DISK');
    await page.getByText('No event fits.').waitFor();
    await accessible(page);
    await page.getByRole('group', { name: 'Changes' }).getByRole('button', { name: 'Replaced' }).press('Enter');
    await eventOf(page, one.name, 'S2').waitFor();
    await page.goBack();
    await page.getByText('No event fits.').waitFor();
    await page.getByRole('button', { name: 'Show all', exact: true }).press('Enter');
    await page.waitForURL('**/hardware-events');
    await eventOf(page, other.name).waitFor();

    // A host is found by its name.
    await page.getByRole('combobox', { name: 'Host' }).fill(one.name);
    await page.getByRole('option', { name: one.name, exact: false }).first().waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/hardware-events?host=${one.id}`);
    await eventually(page, async () => assert.equal(await shown(page).count(), 1));
    await page.reload();
    await page.getByRole('group', { name: 'Host' }).getByRole('link', { name: one.name }).waitFor();
    await eventually(page, async () => assert.equal(await shown(page).count(), 1));
    // What comes is filtered, too.
    await report(other, { carrier: true });
    await report(one, { disks: ['S3'] });
    await eventOf(page, 'S2', 'S3').waitFor();
    assert.equal(await shown(page).count(), 2);
    await accessible(page);
    await shown(page).first().getByRole('link', { name: one.name }).press('Enter');
    await page.waitForURL(`**/hosts/${one.name}/hardware`);
    await page.getByRole('link', { name: 'Filter these' }).press('Enter');
    await page.waitForURL(`**/hardware-events?host=${one.id}`);
    await page.goto(`${on.base}/hosts`);
    await page.getByRole('main').getByRole('link', { name: 'Hardware events' }).press('Enter');
    await page.waitForURL('**/hardware-events');
    await page.close();
  });

  test('the timeline stands still while it is paused', async () => {
    const page = await open(on, '/');
    const host = await newHost(page);
    await report(host, { disks: ['S2'] });
    await page.goto(`${on.base}/hardware-events?host=${host.id}`);
    await eventOf(page, 'S1', 'S2').waitFor();
    await page.getByRole('button', { name: 'Pause' }).press('Enter');
    await report(host, { disks: ['S3'] });
    await page.getByRole('status').getByText('1 new event', { exact: true }).waitFor();
    await report(host, { disks: ['S4'] });
    await page.getByRole('status').getByText('2 new events').waitFor();
    assert.equal(await shown(page).count(), 1);
    await accessible(page);
    await page.getByRole('button', { name: 'Go on' }).press('Enter');
    await eventOf(page, 'S3', 'S4').waitFor();
    await eachOnce(page, host);
    await report(host, { disks: ['S5'] });
    await eventOf(page, 'S4', 'S5').waitFor();
    await page.close();
  });

  test('earlier events come page by page, each once', async () => {
    const page = await open(on, '/');
    const disks = (turn: number): string[] => Array.from({ length: 40 }, (_, at) => `T${turn}-${at}`);
    const host = await newHost(page, {}, { disks: disks(0) });
    await report(host, { disks: disks(1) });
    await report(host, { disks: disks(2) });
    await page.goto(`${on.base}/hardware-events?host=${host.id}`);
    await eventually(page, async () => assert.equal(await shown(page).count(), 50));
    // One that comes in between moves no page.
    await report(host, { disks: disks(2), carrier: false });
    await eventOf(page, 'Link lost').waitFor();
    const earlier = page.getByRole('button', { name: 'Show earlier events' });
    await earlier.press('Enter');
    await eventually(page, async () => assert.equal(await shown(page).count(), 81));
    await earlier.waitFor({ state: 'detached' });
    await eventOf(page, 'T0-0 ', 'T1-0').waitFor();
    await eachOnce(page, host);

    await page.goto(`${on.base}/hosts/${host.name}/hardware`);
    await eventually(page, async () => assert.equal(await shown(page).count(), 5));
    await earlier.press('Enter');
    await eventually(page, async () => assert.equal(await shown(page).count(), 55));
    await earlier.press('Enter');
    await eachOnce(page, host);
    await page.close();
  });

  test('what this console does not know is shown by its own words', async () => {
    const page = await open(on, '/');
    const host = await newHost(page);
    await report(host, { disks: ['S2'] });
    await report(host, { disks: ['S2'], carrier: false });
    // A server that is newer has other parts and changes.
    await page.route('**/graphql', async (route) => {
      const answer = await route.fetch();
      const text = (await answer.text()).replaceAll('"REPLACED"', '"WENT_AWAY"').replaceAll('"INTERFACE"', '"FAN_TRAY"').replaceAll('"LINK_DOWN"', '"MOVED"')
        .replaceAll('"fromHost":null', '"fromHost":{"id":"00000000-0000-4000-8000-000000000000","name":"old-host"}');
      await route.fulfill({ response: answer, body: text });
    });
    await page.goto(`${on.base}/hardware-events?host=${host.id}`);
    await eventOf(page, 'Went away', 'S1').waitFor();
    await eventOf(page, 'Moved here', 'Fan tray', 'from old-host').waitFor();
    await accessible(page);
    await page.unrouteAll({ behavior: 'wait' });
    // The server says which values it does not know.
    await page.goto(`${on.base}/hardware-events?part=FAN_TRAY`);
    await page.getByRole('group', { name: 'Parts' }).getByRole('button', { name: 'Fan tray' }).waitFor();
    await page.getByRole('alert').getByText('HardwarePart').waitFor();
    await page.close();
  });

  test('a tenant sees no events', STOPPABLE, async () => {
    const mine = await open(on, '/');
    const cluster = `events-${process.pid}`;
    const { apply } = await api<{ apply: { results: Array<{ error: { message: string } | null }> } }>(mine, APPLY, { input: { items: [{ cluster: { name: cluster, type: 'KUBERNETES', tenant: 'payments' } }] } });
    assert.deepEqual(apply.results.map((it) => it.error?.message), [undefined]);
    const host = await newHost(mine, { cluster: { cluster } });
    await report(host, { disks: ['S2'] });
    await mine.goto(`${on.base}/hosts/${host.name}/hardware`);
    await eventOf(mine, 'Replaced').waitFor();

    const page = await newPage(on);
    await page.route('**/console/session', (route) => route.fulfill({ json: { version: '1', way: 'local', token: on.token('--role', 'viewer', '--tenant', 'payments') } }));
    await page.goto(`${on.base}/hosts/${host.name}/hardware`);
    await page.getByRole('region', { name: 'Disks' }).waitFor();
    await settled(page);
    assert.equal(await page.getByRole('region', { name: 'Events', exact: true }).count(), 0);
    assert.equal(await page.getByRole('alert').count(), 0);
    await accessible(page);
    await page.goto(`${on.base}/hardware-events`);
    await page.getByText('Tokens of a tenant do not see them').waitFor();
    await settled(page);
    assert.equal(await page.getByRole('alert').count(), 0);
    await accessible(page);
    await Promise.all([mine.close(), page.context().close()]);
  });

  test('an empty list says how events come', async () => {
    const page = await open(on, '/');
    await page.route('**/graphql', async (route) => {
      const answer = await route.fetch();
      const said = await answer.json() as { data: { hardwareEvents?: { nodes: object[]; pageInfo?: { hasNextPage: boolean } } } };
      // The other flows have made events. The newest stays, so that none of them comes by the subscription.
      if (said.data.hardwareEvents?.pageInfo) said.data.hardwareEvents = { nodes: [], pageInfo: { hasNextPage: false } };
      await route.fulfill({ response: answer, json: said });
    });
    await page.goto(`${on.base}/hardware-events`);
    await page.getByText('No change of hardware was reported yet.').waitFor();
    await page.getByText('underlay agent token HOST').waitFor();
    await accessible(page);
    // An answer that is still being changed when its page is closed would fail after the flow.
    await page.unrouteAll({ behavior: 'wait' });
    await page.close();
  });

  for (const theme of ['light', 'dark'] as Theme[]) {
    test(`breaks no rule of accessibility (${theme})`, async () => {
      const page = await open(on, '/', theme);
      const host = await newHost(page);
      await report(host, { disks: ['S2'], health: 'FAILING' });
      await report(host, { disks: ['S2', 'S3'], memoryBytes: gib(64), carrier: false });
      for (const path of [`/hosts/${host.name}/hardware`, '/hardware-events']) {
        await page.goto(on.base + path);
        await eventOf(page, 'Link lost').first().waitFor();
        await shown(page).last().getByText('Details').press('Enter');
        await settled(page);
        await accessible(page);
        for (const width of [1400, 480, 360]) {
          await page.setViewportSize({ width, height: 900 });
          await shot(page, `${path.split('/').at(-1)}-events-${theme}-${width}`);
          await eventually(page, async () => assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)));
        }
        await accessible(page);
        await page.setViewportSize({ width: 1400, height: 820 });
      }
      await page.close();
    });
  }
});
