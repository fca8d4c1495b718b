// The hardware of a host: a token for its agent, what the agent reports with it, and the end of the token.
import { after, before, describe } from 'node:test';
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { accessible, api, eventually, newPage, open, ready, settled, shot, stage, test } from './harness.ts';
import type { Stage, Theme } from './harness.ts';

const APPLY = 'mutation($input: ApplyInput!) { apply(input: $input) { results { id error { message } } } }';
const ISSUE = 'mutation($host: ID!) { issueAgentToken(host: $host) { token } }';
const NEEDS = 'This needs the role operator or admin.';

const gib = (count: number): number => count * 2 ** 30;
const modules = (count: number): object[] => Array.from({ length: count }, (_, it) => (
  { slot: `P0_Node0_Channel${it}_Dimm0 DIMM_${'ABCDEFGH'[it]}1`, sizeBytes: gib(32), type: 'DDR5', speedMts: 4800, manufacturer: 'Samsung', partNumber: 'M321R4GA3BB6-CQKET', serial: `80CE01213${it}` }
));
const SECTIONS = {
  system: { complete: true, found: {
    uuid: '4c4c4544-0034-4a10-8056-b4c04f4d5a33', manufacturer: 'Supermicro', model: 'AS -1115HS-TNR', serial: 'A424801X1234567', boardManufacturer: 'Supermicro', boardModel: 'H13SSH',
    boardSerial: 'OM23AS601234', chassisSerial: 'C1150LJ01NA0034', firmwareVendor: 'American Megatrends', firmwareVersion: '1.6a', firmwareDate: '02/14/2024', bootMode: 'UEFI', secureBoot: false,
  } },
  processors: { complete: true, found: [{ socket: 0, model: 'AMD EPYC 9654 96-Core Processor', cores: 96, threads: 192, microcode: '0xa101148' }] },
  memory: { complete: false, unread: [{ what: '/sys/devices/system/edac/mc', reason: 'permission denied' }], found: { modules: modules(6), slots: 12 } },
  disks: { complete: true, found: [
    { name: 'nvme0n1', manufacturer: 'Samsung', serial: 'S1', model: 'MZQL23T8HCLS-00A07', sizeBytes: 3_840_755_982_336, medium: 'NVME', health: 'FAILING', firmwareVersion: 'GDC5902Q', place: 'pci-0000:01:00.0-nvme-1', wwn: 'eui.36344630528029720025384500000001' },
    { name: 'nvme1n1', manufacturer: 'Samsung', serial: 'S2', model: 'MZQL23T8HCLS-00A07', sizeBytes: 3_840_755_982_336, medium: 'NVME', health: 'PASSED', firmwareVersion: 'GDC5902Q', place: 'pci-0000:02:00.0-nvme-1', wwn: 'eui.36344630528029720025384500000002' },
  ] },
  interfaces: { complete: true, found: [
    { name: 'eno1np0', permanentMac: '7c:c2:55:9a:10:01', mac: '7c:c2:55:9a:10:02', kind: 'ETHERNET', place: '0000:41:00.0', driver: 'bnxt_en', firmwareVersion: '226.0.145.0/pkg 226.1.107.0', carrier: true, carrierChanges: 1204, speedMbps: 25_000 },
    { name: 'eno2np1', permanentMac: '7c:c2:55:9a:10:03', kind: 'ETHERNET', place: '0000:41:00.1', driver: 'bnxt_en', firmwareVersion: '226.0.145.0/pkg 226.1.107.0', carrier: false, carrierChanges: 0 },
    { name: 'ibp65s0', permanentMac: '00:00:10:29:fe:80:00:00:00:00:00:00:b8:3f:d2:03:00:9a:10:04', kind: 'INFINIBAND', place: '0000:61:00.0', driver: 'mlx5_core', firmwareVersion: '28.39.1002', carrierChanges: 2 },
  ] },
};

describe('the hardware of a host', () => {
  let on: Stage;
  let hosts = 0;
  before(async () => { on = await stage(); });
  after(() => on.close());

  /** A host of its own for each flow. */
  async function newHost(page: Page): Promise<{ id: string; name: string }> {
    hosts += 1;
    const name = `hardware-${process.pid}-${hosts}`;
    const { apply } = await api<{ apply: { results: Array<{ id: string; error: { message: string } | null }> } }>(page, APPLY, { input: { items: [{ host: { name } }] } });
    assert.deepEqual(apply.results.map((it) => it.error?.message), [undefined]);
    return { id: apply.results[0]?.id ?? '', name };
  }

  /** Reports in the name of an agent. */
  const report = (token: string, sections: object = SECTIONS): Promise<Response> => fetch(`${on.base}/facts`, {
    method: 'POST', headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ format: 1, agent: { version: '0.1.0' }, observedAt: new Date().toISOString(), ...sections }),
  });

  async function accepted(token: string, sections?: object): Promise<void> {
    const answer = await report(token, sections);
    assert.equal(answer.status, 200, await answer.clone().text());
    assert.equal((await answer.json() as { outcome: string }).outcome, 'STORED');
  }

  async function reported(page: Page): Promise<{ id: string; name: string; token: string }> {
    const host = await newHost(page);
    const { issueAgentToken: { token } } = await api<{ issueAgentToken: { token: string } }>(page, ISSUE, { host: host.id });
    await accepted(token);
    return { ...host, token };
  }

  /** The cells of a row of a table. */
  const row = (page: Page, table: string, name: string) => page.getByRole('group', { name: `Table of ${table}` }).getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) });

  test('a token is issued, an agent reports with it, and the token is revoked', async () => {
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
    const askAgain = (): Promise<void> => page.evaluate(() => (window as unknown as { askAgain(): void }).askAgain());
    await page.goto(on.base);
    const host = await newHost(page);
    await page.goto(`${on.base}/hosts/${host.name}`);
    await page.getByRole('link', { name: 'Hardware', exact: true }).press('Enter');
    await page.waitForURL(`**/hosts/${host.name}/hardware`);
    await page.getByText('Nothing was reported of this hardware yet.').waitFor();
    await page.getByText(`underlay agent token ${host.name}`).waitFor();
    await accessible(page);

    await page.getByRole('button', { name: 'Issue a token…' }).press('Enter');
    const asked = page.getByRole('dialog', { name: `Issue a token for ${host.name}` });
    await asked.getByText('The token is shown once.').waitFor();
    assert.equal(await asked.getByText('stops working').count(), 0);
    await ready(asked.getByRole('button', { name: 'Issue the token' })).press('Enter');
    const shown = page.getByRole('dialog', { name: `The token for ${host.name}` });
    const token = await shown.getByRole('group', { name: 'The token', exact: true }).innerText();
    assert.match(token, /^underlay-agent-[\da-f]{32}-[\da-f]{64}$/);
    await shown.getByText(`underlay-agent run --server ${on.base} --token-file /etc/underlay/token`).waitFor();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await shown.getByRole('button', { name: 'Copy the token' }).press('Enter');
    await shown.getByRole('button', { name: 'Copied' }).waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), token);
    await accessible(page);
    await shot(page, 'hardware-token');
    await shown.getByRole('button', { name: 'I have it' }).press('Enter');
    await page.getByText('A token was issued, and no agent has reported with it.').waitFor();

    await accepted(token);
    await askAgain();
    await page.getByText('Agent 0.1.0').waitFor();
    await page.getByText('The disk nvme0n1 with the serial number S1 expects to fail.').waitFor();
    await row(page, 'disks', 'nvme0n1').getByText('Failing').waitFor();
    await row(page, 'disks', 'nvme1n1').getByText('3.84 TB').waitFor();
    await page.getByRole('region', { name: 'Memory' }).getByText('192 GiB, 6 of 12 slots filled').waitFor();
    await row(page, 'interfaces', 'eno1np0').getByText('25 Gbit/s').waitFor();
    await row(page, 'interfaces', 'eno2np1').getByText('No carrier').waitFor();
    assert.equal(await page.getByText('Stale', { exact: true }).count(), 0);

    await page.getByRole('button', { name: 'Issue a new token…' }).press('Enter');
    await asked.getByText('The token that the host has stops working.').waitFor();
    await accessible(page);
    await page.keyboard.press('Escape');
    await asked.waitFor({ state: 'detached' });
    assert.equal((await report(token)).status, 200);

    await page.getByRole('button', { name: 'Revoke the token…' }).press('Enter');
    const revoking = page.getByRole('dialog', { name: `Revoke the token of ${host.name}` });
    await accessible(page);
    await ready(revoking.getByRole('button', { name: 'Revoke the token' })).press('Enter');
    await page.getByText('no agent can report with it').waitFor();
    // Another process may take a token for a second more; this is the one that revoked it.
    assert.equal((await report(token)).status, 401);
    await page.getByRole('button', { name: 'Issue a token…' }).waitFor();
    await page.getByText('The disk nvme0n1 with').waitFor();
    await page.context().close();
  });

  test('a section that was not read as a whole says why', async () => {
    const page = await open(on, '/');
    const host = await reported(page);
    await page.goto(`${on.base}/hosts/${host.name}/hardware`);
    const memory = page.getByRole('region', { name: 'Memory' });
    await memory.getByText('Not everything could be read.').waitFor();
    await memory.getByText('/sys/devices/system/edac/mc: permission denied').waitFor();
    await memory.getByText('Run the agent as root.').waitFor();
    await memory.getByText('not counted by the kernel').waitFor();
    assert.equal(await page.getByRole('region', { name: 'Disks' }).getByText('Not everything could be read.').count(), 0);
    // An agent that does not know a section leaves it out, and so do machines with values.
    await accepted(host.token, { disks: { complete: true, found: [{ name: 'sda' }] }, interfaces: { complete: true, found: [] } });
    await page.reload();
    await page.getByText('The agent did not report: the system, processors, memory, GPUs, neighbours, and devices.').waitFor();
    assert.equal(await memory.count(), 0);
    const disks = page.getByRole('region', { name: 'Disks' });
    await disks.getByText('Not reported: health, model, serial number, size, medium, firmware, place.').waitFor();
    await page.getByRole('region', { name: 'Interfaces' }).getByText('None found.').waitFor();
    await page.close();
  });

  test('the report as it was sent is there for who looks closely', async () => {
    const page = await open(on, '/');
    const host = await reported(page);
    await page.goto(`${on.base}/hosts/${host.name}/hardware`);
    await page.getByText('The report as it was sent').press('Enter');
    const text = page.getByLabel('The report as JSON');
    await text.waitFor();
    assert.match(await text.innerText(), /"serial": "A424801X1234567"/);
    await accessible(page);
    await page.close();
  });

  test('stale facts are marked on the page and in the list, and found by a filter', async () => {
    const page = await open(on, '/');
    const host = await reported(page);
    await page.goto(`${on.base}/hosts?columns=name,hardwareConditions`);
    await page.getByRole('link', { name: host.name }).waitFor();
    await page.getByRole('button', { name: '+ Filter' }).press('Enter');
    const form = page.getByRole('dialog', { name: 'Add a filter' });
    await form.getByLabel('Field').selectOption({ label: 'Hardware condition' });
    await form.getByLabel('Facts stale').press('Space');
    await accessible(page);
    await form.getByRole('button', { name: 'Add the filter' }).press('Enter');
    await page.waitForURL(/hardwareCondition\.in=FACTS_STALE/);
    await page.getByText('Nothing fits these filters.').waitFor();
    await page.goto(`${on.base}/hosts?columns=name,hardwareConditions&hardwareCondition.in=DISK_FAILING`);
    await page.getByRole('link', { name: host.name }).waitFor();
    // A host becomes stale after three periods, for which no flow waits: the answer of the server is changed.
    await page.route('**/graphql', async (route) => {
      const answer = await route.fetch();
      const text = (await answer.text()).replaceAll('"hardwareConditions":["DISK_FAILING"]', '"hardwareConditions":["FACTS_STALE"]');
      await route.fulfill({ response: answer, body: text });
    });
    await page.reload();
    await page.locator('#row-0 .state.warn').getByText('Facts stale').waitFor();
    await page.goto(`${on.base}/hosts/${host.name}/hardware`);
    await page.getByText('Stale', { exact: true }).waitFor();
    await page.getByText('what is below may be old').waitFor();
    await accessible(page);
    await page.goto(`${on.base}/hosts-board?q=${host.name}`);
    await page.getByRole('complementary', { name: `The host ${host.name}` }).getByText('Facts stale').waitFor();
    await page.getByRole('link', { name: /^reported / }).press('Enter');
    await page.waitForURL(`**/hosts/${host.name}/hardware`);
    // An answer that is still being changed when its page is closed would fail after the flow.
    await page.unrouteAll({ behavior: 'wait' });
    await page.close();
  });

  test('a viewer sees the hardware, and is told who issues tokens', { skip: process.env.UNDERLAY_URL !== undefined }, async () => {
    const mine = await open(on, '/');
    const host = await reported(mine);
    const page = await newPage(on);
    await page.route('**/console/session', (route) => route.fulfill({ json: { version: '1', way: 'local', token: on.token('--role', 'viewer') } }));
    // What the server answers here is tested with the server; this is about what the page does with it.
    await page.route('**/graphql', async (route) => {
      if (!route.request().postData()?.includes('{ viewer {')) return route.continue();
      const answer = await route.fetch();
      const said = await answer.json() as { data: { viewer: { may: object[] } } };
      said.data.viewer.may.unshift(...['issueAgentToken', 'revokeAgentToken', 'acknowledgeHardware'].map((it) => ({ field: `Mutation.${it}`, allowed: false, needs: ['operator', 'admin'] })));
      return route.fulfill({ response: answer, json: said });
    });
    await page.goto(`${on.base}/hosts/${host.name}/hardware`);
    await row(page, 'disks', 'nvme0n1').waitFor();
    for (const name of [/^Issue a new token/, /^Revoke the token/]) {
      const control = page.getByRole('button', { name }).and(page.locator('[aria-disabled=true]'));
      await control.waitFor();
      assert.equal(await control.getAttribute('title'), NEEDS);
      await control.press('Enter');
    }
    await settled(page);
    assert.equal(await page.getByRole('dialog').count(), 0);
    assert.equal(await page.getByRole('button', { name: /^Acknowledge/ }).count(), 0);
    await accessible(page);
    // An answer that is still being changed when its page is closed would fail after the flow.
    await page.unrouteAll({ behavior: 'wait' });
    await Promise.all([mine.close(), page.context().close()]);
  });

  for (const theme of ['light', 'dark'] as Theme[]) {
    test(`breaks no rule of accessibility (${theme})`, async () => {
      const page = await open(on, '/', theme);
      const host = await reported(page);
      await page.goto(`${on.base}/hosts/${host.name}/hardware`);
      await row(page, 'interfaces', 'ibp65s0').waitFor();
      await accessible(page);
      await shot(page, `hardware-${theme}`);
      for (const width of [1400, 480]) {
        await page.setViewportSize({ width, height: 2000 });
        await shot(page, `hardware-${theme}-${width}`);
        // Only the tables are wider than the page.
        await eventually(page, async () => assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)));
      }
      await accessible(page);
      await page.close();
    });
  }
});
