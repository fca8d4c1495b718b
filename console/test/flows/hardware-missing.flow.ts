// Missing hardware: what the class of a host demands, what it had when somebody acknowledged it, and the acknowledgement.
import { after, before, describe } from 'node:test';
import { accessible, open, ready, settled, shot, stage, test } from './harness.ts';
import type { Stage, Theme } from './harness.ts';
import { freshName, newMachine, report, whole, write } from './machines.ts';
import type { Machine } from './machines.ts';

const SIZE = 16 * 2 ** 30;

describe('the hardware that is missing', () => {
  let on: Stage;
  before(async () => { on = await stage(); });
  after(() => on.close());

  /** The agent reports so many modules and disks, twice: what one report lacks is missing once the next one lacks it too. */
  async function reports(host: Machine, modules: number, disks: number): Promise<void> {
    for (const note of [1, 2]) {
      await report(on, host, {
        memory: whole({ modules: Array.from({ length: modules }, (_, it) => ({ slot: `A${it}`, serial: `${host.name}-M${it}`, sizeBytes: SIZE })) }),
        disks: whole(Array.from({ length: disks }, (_, it) => ({ name: `sd${it}`, place: `p${it}`, serial: `${host.name}-D${it}`, sizeBytes: 960_197_124_096 }))),
        note: `${modules} ${disks} ${note}`,
      });
    }
  }

  for (const theme of ['light', 'dark'] as Theme[]) {
    test(`what is missing is said, and what there is can be acknowledged (${theme})`, async () => {
      const page = await open(on, '/', theme);
      const name = freshName('missing');
      await write(page, [{ hostClass: { name, match: { disks: [{ count: 3 }] } } }]);
      const host = await newMachine(page, name, { class: { hostClass: name } });
      await page.goto(`${on.base}/hosts/${host.name}/hardware`);
      await page.getByText('A token was issued').waitFor();
      await reports(host, 2, 2);
      await page.reload();
      const expected = page.getByRole('region', { name: 'Expected hardware' });
      await expected.getByRole('heading', { name: 'Hardware is missing' }).waitFor();
      await expected.getByText(`Disks: 2 of 3, demanded by the class ${name}.`).waitFor();
      await expected.getByText('Nobody has acknowledged what the host should have, beyond what its class demands.').waitFor();

      await expected.getByRole('button', { name: 'Acknowledge the hardware…' }).press('Enter');
      const dialog = page.getByRole('dialog', { name: `Acknowledge the hardware of ${host.name}` });
      await dialog.getByText('You accept that the host has less than is expected:').waitFor();
      await dialog.getByText('What the class demands stays missing').waitFor();
      await accessible(page);
      await shot(page, `hardware-acknowledge-${theme}`);
      await ready(dialog.getByRole('button', { name: 'Acknowledge the hardware', exact: true })).press('Enter');
      await expected.getByText('What the host should have was acknowledged').waitFor();
      await expected.getByText(`Disks: 2 of 3, demanded by the class ${name}.`).waitFor();

      // The class is content with a third disk, and now a module is missing that was there.
      await reports(host, 1, 3);
      await page.reload();
      await expected.getByText('Memory modules: 1 of 2, as acknowledged.').waitFor();
      await expected.getByText('Memory: 16 GiB of 32 GiB, as acknowledged.').waitFor();
      await settled(page);
      await accessible(page);
      await shot(page, `hardware-missing-${theme}`);
      await page.goto(`${on.base}/hosts?columns=name,hardwareConditions&hardwareCondition.in=HARDWARE_MISSING`);
      await page.getByRole('row').filter({ hasText: name }).getByText('Hardware missing').waitFor();

      await page.goto(`${on.base}/hosts/${host.name}/hardware`);
      await expected.getByRole('button', { name: 'Acknowledge the hardware…' }).press('Enter');
      await dialog.getByText('Memory: 16 GiB of 32 GiB, as acknowledged.').waitFor();
      await ready(dialog.getByRole('button', { name: 'Acknowledge the hardware', exact: true })).press('Enter');
      await expected.getByText('No hardware is missing.').waitFor();
      await page.close();
    });
  }
});
