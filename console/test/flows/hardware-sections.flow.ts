// The sections of a host's hardware that not every machine has, the neighbours beside the recorded cables, and several
// reports about one host.
import { after, before, describe } from 'node:test';
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { accessible, eventually, newPage, open, settled, shot, stage, test } from './harness.ts';
import type { Stage, Theme } from './harness.ts';
import { freshName, newMachine, report, rowOf, whole, write } from './machines.ts';
import type { Machine } from './machines.ts';

const SITE = { site: 'ams1' };
const mac = (at: number): string => `02:00:5e:10:00:${at.toString(16).padStart(2, '0')}`;

/** An interface that is heard at a port of a switch. */
const heard = (at: number, systemName: string, portId: string) => ({
  interface: `eno${at}`, permanentMac: mac(at), chassisId: '02:00:5e:20:00:01', chassisIdSubtype: 'MAC_ADDRESS', portId, portIdSubtype: 'INTERFACE_NAME',
  systemName, systemDescription: 'Contoso NOS 4.2 (test image)', managementAddresses: ['192.0.2.7', '2001:db8::7'], capabilities: ['BRIDGE', 'ROUTER'],
});

const SECTIONS = {
  system: whole({ manufacturer: 'Contoso', model: 'GX-8', bootMode: 'UEFI', secureBoot: true, secureBootAuthorities: ['Contoso Root CA 2023', 'Microsoft UEFI CA 2011'] }),
  gpus: whole([
    { place: '0000:17:00.0', vendor: '10de', device: '2330', model: 'NVIDIA H100 80GB HBM3', serial: '1653023006811', uuid: 'GPU-8a3c5e1f-0000-4000-8000-000000000001', memoryBytes: 80 * 2 ** 30, firmwareVersion: '96.00.61.00.01', driver: 'nvidia', driverVersion: '550.54.15', linkWidth: 16, maxLinkWidth: 16, numaNode: 0, offBus: false },
    { place: '0000:65:00.0', vendor: '10de', device: '2330', model: 'NVIDIA H100 80GB HBM3', serial: '1653023006812', memoryBytes: 80 * 2 ** 30, driver: 'nvidia', driverVersion: '550.54.15', linkWidth: 8, maxLinkWidth: 16, numaNode: 1, offBus: false },
    { place: '0000:97:00.0', vendor: '10de', device: '2330', serial: '1653023006813', offBus: true },
  ]),
  devices: whole([
    { place: '0000:01:00.0', vendor: '144d', device: 'a80a', class: '010802', driver: 'nvme', linkSpeedMts: 16_000, maxLinkSpeedMts: 16_000, linkWidth: 4, maxLinkWidth: 4 },
    { place: '0000:41:00.0', vendor: '15b3', device: '101d', subsystemVendor: '15b3', subsystemDevice: '0040', class: '020000', revision: '00', driver: 'mlx5_core', linkSpeedMts: 8_000, maxLinkSpeedMts: 16_000, linkWidth: 8, maxLinkWidth: 16, numaNode: 0 },
  ]),
};

describe('sections of hardware', () => {
  let on: Stage;
  before(async () => { on = await stage(); });
  after(() => on.close());

  /** A machine with a device whose ports have cables to a switch: eno1 to swp1, eno2 to swp2, eno3 to nothing. */
  async function cabled(page: Page): Promise<{ host: Machine; leaf: string; port(at: number): object }> {
    const [name, leaf] = [freshName('cabled'), freshName('leaf')];
    const port = (at: number) => ({ port: { ...SITE, device: name, port: `eno${at}` } });
    const end = (at: number) => ({ port: { ...SITE, device: leaf, port: `swp${at}` } });
    await write(page, [
      ...[[name, 'SERVER'], [leaf, 'LEAF']].map(([it, role]) => ({ device: { name: it, site: SITE, role } })),
      ...[1, 2, 3, 4].map((at) => ({ port: { name: `eno${at}`, type: 'ETHERNET', device: { ...SITE, device: name }, mac: mac(at) } })),
      ...[1, 2, 3].map((at) => ({ port: { name: `swp${at}`, type: 'ETHERNET', device: { ...SITE, device: leaf } } })),
      ...[1, 2].map((at) => ({ cable: { name: `${name}-c${at}`, aEnds: [port(at)], bEnds: [end(at)] } })),
    ]);
    return { host: await newMachine(page, name, { machine: { device: { ...SITE, device: name } } }), leaf, port };
  }

  const interfaces = (count: number): object => whole(Array.from({ length: count }, (_, at) => ({
    name: `eno${at + 1}`, permanentMac: mac(at + 1), kind: 'ETHERNET', place: `0000:4${at}:00.0`, driver: 'i40e', carrier: true, speedMbps: 25_000,
  })));

  test('GPUs and devices say what their links could be, and Secure Boot whom it trusts', async () => {
    const page = await open(on, '/');
    const host = await newMachine(page, freshName('gpus'));
    await report(on, host, SECTIONS);
    await page.goto(`${on.base}/hosts/${host.name}/hardware`);
    await page.getByText('The GPU at 0000:97:00.0 with the serial number 1653023006813 fell off the bus.').waitFor();
    await rowOf(page, 'Table of GPUs', '0000:97:00.0').getByText('Fell off the bus').waitFor();
    await rowOf(page, 'Table of GPUs', '0000:65:00.0').getByText('possible: 16 lanes').waitFor();
    await page.getByRole('region', { name: 'GPUs', exact: true }).getByText('3, 1 with less of a link than possible').waitFor();
    const card = rowOf(page, 'Table of devices', '0000:41:00.0');
    for (const text of ['8 lanes, 8 GT/s', 'possible: 16 lanes, 16 GT/s', 'Network', '15b3:101d']) await card.getByText(text, { exact: true }).waitFor();
    assert.equal(await rowOf(page, 'Table of devices', '0000:01:00.0').getByText('possible').count(), 0);
    await page.getByRole('region', { name: 'System', exact: true }).getByText('Microsoft UEFI CA 2011').waitFor();
    await page.getByText('The agent did not report: processors, memory, disks, interfaces, and neighbours.').waitFor();
    // A host that is no device has no recorded cables.
    await page.getByText('The host has no device in the inventory').waitFor();
    await accessible(page);
    await page.close();
  });

  test('neighbours stand beside the recorded cables, those first that differ', async () => {
    const page = await open(on, '/');
    const { host, leaf } = await cabled(page);
    await report(on, host, {
      interfaces: { complete: true, found: (interfaces(6) as { found: object[] }).found, notes: [] },
      neighbours: { complete: true, notes: [{ about: 'eno6', text: 'its driver keeps LLDP to itself' }], found: [heard(1, leaf, 'swp1'), heard(2, leaf, 'swp3'), heard(3, leaf, 'swp2'), heard(4, 'stranger', 'Ethernet9'), heard(6, leaf, 'swp9')] },
    });
    await page.goto(`${on.base}/hosts/${host.name}/hardware`);
    await page.getByText('Another neighbour is heard than is recorded at the interface eno2.').waitFor();
    const table = page.getByRole('group', { name: 'Table of cabling' });
    await eventually(page, async () => assert.deepEqual(
      (await table.getByRole('row').allInnerTexts()).slice(1).map((it) => it.split('\t').slice(0, 2).map((one) => one.trim()).join(' ')),
      ['eno2 Differs', 'eno3 Not recorded', 'eno4 Unknown neighbour', 'eno5 No port', 'eno6 No port', 'eno1 Agrees'],
    ));
    const differs = rowOf(page, 'Table of cabling', 'eno2');
    await differs.getByRole('link', { name: `${leaf} · swp2` }).waitFor();
    await differs.getByText('leads to').getByRole('link', { name: `${leaf} · swp3` }).waitFor();
    await rowOf(page, 'Table of cabling', 'eno4').getByText('not in the inventory').waitFor();
    await page.getByText('The neighbour that is heard is not the far end that is recorded').waitFor();
    await page.getByText('underlay cabling check -o manifest').waitFor();
    const neighbours = page.getByRole('region', { name: 'Neighbours, as they say themselves' });
    await neighbours.getByText('eno6: its driver keeps LLDP to itself.').waitFor();
    await neighbours.getByText('Contoso NOS 4.2 (test image)').first().waitFor();
    await accessible(page);
    // The port that is recorded is one step away.
    await differs.getByRole('link', { name: 'eno2', exact: true }).press('Enter');
    await page.getByRole('heading', { name: 'eno2' }).waitFor();
    await page.close();
  });

  test('a cable that is recorded meanwhile changes the verdict on the page', async () => {
    const page = await newPage(on);
    // The page asks again every 15 seconds. Here it learns of the cable by the feed alone.
    await page.addInitScript(() => {
      const every = window.setInterval.bind(window);
      window.setInterval = ((run: () => void, ms?: number) => (ms === 15_000 ? 0 : every(run, ms))) as typeof window.setInterval;
    });
    await page.goto(on.base);
    const { host, leaf, port } = await cabled(page);
    await report(on, host, { interfaces: interfaces(3), neighbours: whole([heard(3, leaf, 'swp3')]) });
    await page.goto(`${on.base}/hosts/${host.name}/hardware`);
    await rowOf(page, 'Table of cabling', 'eno3').getByText('Not recorded').waitFor();
    await rowOf(page, 'Table of cabling', 'eno1').getByText('Not heard').waitFor();
    await write(page, [{ cable: { name: `${host.name}-c3`, aEnds: [port(3)], bEnds: [{ port: { ...SITE, device: leaf, port: 'swp3' } }] } }]);
    await rowOf(page, 'Table of cabling', 'eno3').getByText('Agrees').waitFor();
    await page.close();
  });

  test('several reports about a host stand by themselves, also of an origin that is not known', async () => {
    const page = await open(on, '/');
    const host = await newMachine(page, freshName('origins'));
    await report(on, host, SECTIONS);
    // Other origins come with servers that are newer: here the answer gets them.
    await page.route('**/graphql', async (route) => {
      const answer = await route.fetch();
      const said = await answer.json() as { data?: { node?: { facts?: Array<{ origin: string; sections?: Array<{ name: string }> }> } } };
      const facts = said.data?.node?.facts;
      const [first] = facts ?? [];
      if (facts && first) {
        for (const origin of ['BMC', 'FAN_CONTROLLER']) {
          facts.push({ ...structuredClone(first), origin, ...(first.sections ? { sections: first.sections.filter((it) => it.name === 'gpus') } : {}) });
        }
      }
      await route.fulfill({ response: answer, json: said });
    });
    await page.goto(`${on.base}/hosts/${host.name}/hardware`);
    await page.getByRole('region', { name: 'Reported by the agent', exact: true }).getByRole('region', { name: 'System, reported by the agent' }).waitFor();
    const bmc = page.getByRole('region', { name: 'Reported by the BMC', exact: true });
    await bmc.getByRole('region', { name: 'GPUs, reported by the BMC' }).waitFor();
    await bmc.getByText('The BMC did not report: the system').waitFor();
    const other = page.getByRole('region', { name: 'Reported by “Fan controller”', exact: true });
    await other.getByText('Fan controller 0.1.0').waitFor();
    await other.getByText('Not reported: the system').waitFor();
    await page.getByText('Reported by the BMC, as it was sent').press('Enter');
    await page.getByLabel('The report as JSON').waitFor();
    await accessible(page);
    await shot(page, 'hardware-origins');
    await page.unrouteAll({ behavior: 'wait' });
    await page.close();
  });

  for (const theme of ['light', 'dark'] as Theme[]) {
    test(`breaks no rule of accessibility (${theme})`, async () => {
      const page = await open(on, '/', theme);
      const { host, leaf } = await cabled(page);
      await report(on, host, { ...SECTIONS, interfaces: interfaces(5), neighbours: whole([heard(1, leaf, 'swp1'), heard(2, leaf, 'swp3'), heard(3, leaf, 'swp2'), heard(4, 'stranger', 'Ethernet9')]) });
      await page.goto(`${on.base}/hosts/${host.name}/hardware`);
      await rowOf(page, 'Table of cabling', 'eno2').waitFor();
      await settled(page);
      for (const width of [1400, 480]) {
        await page.setViewportSize({ width, height: 2600 });
        await shot(page, `hardware-sections-${theme}-${width}`);
        // Only the tables are wider than the page.
        await eventually(page, async () => assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)));
        await accessible(page);
      }
      await page.close();
    });
  }
});
