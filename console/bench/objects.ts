// One object at a time: the verdict of a drag step in a rack, the drawing of a trace, and the palette.
import type { Page } from 'playwright-core';
import { faceHeight } from '../src/draw/rack.tsx';
import { bare, contextOf, listen, timed } from './browser.ts';
import type { Begin, Taken } from './browser.ts';
import { KEY_MS } from './lists.ts';
import type { Bench } from './main.ts';
import { sample } from './server.ts';
import { median, ms, rowOf, timeRows } from './table.ts';
import type { Row } from './table.ts';

/** The rack with the most devices among the first ones. */
async function fullestRack({ server }: Bench): Promise<{ id: string; heightU: number }> {
  const { racks } = await server.ask<{ racks: { nodes: Array<{ id: string; heightU: number; devices: { totalCount: number } }> } }>(
    '{ racks(first: 200) { nodes { id heightU devices(first: 0) { totalCount } } } }');
  const [rack] = racks.nodes.sort((a, b) => b.devices.totalCount - a.devices.totalCount);
  if (!rack) throw new Error('the fleet has no rack');
  return rack;
}

/** True when the server's verdict on another place than before is on the screen. */
function verdictShown(before: string): boolean {
  const bar = document.querySelector('.move-bar:not(.asking)');
  const text = bar?.querySelector('.move-what')?.textContent ?? '';
  return bar !== null && document.querySelector('.ghost:not(.asking)') !== null && text.includes(' to ') && text !== before;
}

const heldAt = (page: Page): Promise<string> => page.evaluate(() => document.querySelector('.move-what')?.textContent ?? '');

/** A device is held over one unit after the other, by keys and by the pointer. */
export async function dragging(bench: Bench): Promise<Row[]> {
  const { server, browser, fleet, times } = bench;
  const rack = await fullestRack(bench);
  const page = await (await contextOf(browser)).newPage();
  const sent = listen(page);
  await page.goto(`${server.base}/racks/${rack.id}/elevation`);
  const face = page.locator('svg[data-face=FRONT]');
  await face.locator('[data-device]').first().waitFor();
  await page.locator('.port').first().waitFor({ state: 'attached' });
  const steps: Record<'keys' | 'pointer', Taken[]> = { keys: [], pointer: [] };
  const references: number[] = [];

  await face.locator('[data-device]').first().focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('Space');
  await page.locator('.move-bar:not(.asking)').waitFor();
  for (let at = 0; at < times; at += 1) {
    // From the top to the bottom and up again: each step leads to another unit.
    const key = Math.floor(at / (rack.heightU >> 1)) % 2 === 0 ? 'ArrowDown' : 'ArrowUp';
    steps.keys.push(await timed(page, 'keydown', verdictShown, await heldAt(page), () => page.keyboard.press(key)));
    references.push(await bare(page, sent('mutation Try')));
  }
  await page.keyboard.press('Escape');
  await page.locator('.move-bar').waitFor({ state: 'detached' });

  const box = await face.boundingBox();
  const view = await face.evaluate((it) => (it as SVGSVGElement).viewBox.baseVal.height);
  const at = await middleDevice(page);
  if (!box) throw new Error('the rack is not on the screen');
  const unit = ((view - faceHeight(0, 0)) / rack.heightU) * (box.height / view);
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  await page.mouse.move(at.x, at.y + unit, { steps: 4 });
  await page.locator('.move-bar:not(.asking)').waitFor();
  for (let step = 0; step < times; step += 1) {
    const y = at.y + unit * (step % 2 === 0 ? 2 : 1);
    steps.pointer.push(await timed(page, 'pointermove', verdictShown, await heldAt(page), () => page.mouse.move(at.x, y)));
  }
  await page.keyboard.press('Escape');
  await page.mouse.up();
  await page.context().close();
  const beside = ['the same dry run by fetch', ms(median(references))] as const;
  const rowsOf = async (name: string, all: Taken[], event: Begin): Promise<Row[]> => {
    const empty = await echo(bench, event);
    return [
      ...timeRows(`verdict of a drag step by ${name}`, fleet, all.map((it) => it.painted), { beside, atMost: ms(30) }),
      rowOf(`verdict of a drag step by ${name}, until the document has it, p50`, fleet, ms(median(all.map((it) => it.there)))),
      rowOf(`one text of an empty page changed by ${name}, p50`, '', ms(median(empty.map((it) => it.painted)))),
    ];
  };
  return [...await rowsOf('keys', steps.keys, 'keydown'), ...await rowsOf('the pointer', steps.pointer, 'pointermove')];
}

/** The cost of a frame: an empty page changes a text at each key, or each movement, and sends no request. */
async function echo({ browser, times }: Bench, event: Begin): Promise<Taken[]> {
  const page = await (await contextOf(browser)).newPage();
  await page.setContent('<p id="text">0</p>');
  await page.evaluate((on) => addEventListener(on, () => {
    const text = document.querySelector('#text');
    if (text) text.textContent = String(Number(text.textContent) + 1);
  }), event);
  const found: Taken[] = [];
  for (let at = 0; at < times; at += 1) {
    const act = (): Promise<void> => (event === 'keydown' ? page.keyboard.press('a') : page.mouse.move(100, 100 + (at % 2) * 20));
    const before = await page.evaluate(() => document.querySelector('#text')?.textContent ?? '');
    found.push(await timed(page, event, (it) => document.querySelector('#text')?.textContent !== it, before, act));
  }
  await page.context().close();
  return found;
}

/** A point on the device of the front that is nearest to the middle of the drawing that is on the screen. */
function middleDevice(page: Page): Promise<{ x: number; y: number }> {
  return page.evaluate(() => {
    const room = document.querySelector('.rack-drawings')?.getBoundingClientRect() ?? document.body.getBoundingClientRect();
    const middle = (room.top + Math.min(room.bottom, innerHeight)) / 2;
    const all = [...document.querySelectorAll('svg[data-face=FRONT] [data-device]')].map((it) => it.getBoundingClientRect());
    const far = (it: DOMRect): number => Math.abs(it.top + it.height / 2 - middle);
    const [it] = all.sort((a, b) => far(a) - far(b));
    if (!it) throw new Error('no device is drawn');
    return { x: it.left + it.width / 3, y: it.top + it.height / 2 };
  });
}

interface Traced {
  traces: Array<{ branches: Array<{ cableCount: number }> } | null>;
}

/** The devices whose ports have the longest lines, among ports from everywhere. */
async function tracedDevices({ server }: Bench, most: number): Promise<string[]> {
  const ports = await sample<{ id: string; device: { id: string } | null; cable: object | null }>(server, 'ports', 'id device { id } cable { id }', 100, 10);
  const cabled = ports.filter((it) => it.cable && it.device).slice(0, 1000);
  const { traces } = await server.ask<Traced>('query($from: [ID!]!) { traces(from: $from) { branches { cableCount } } }', { from: cabled.map((it) => it.id) });
  const ranked = cabled.map((it, index) => ({ device: it.device?.id, cables: Math.max(0, ...traces[index]?.branches.map((one) => one.cableCount) ?? []) }))
    .sort((a, b) => b.cables - a.cables);
  return [...new Set(ranked.flatMap((it) => it.device ?? []))].slice(0, most);
}

/** The ports of a device are traced, from Enter on the port to its line. */
export async function tracing(bench: Bench): Promise<Row[]> {
  const { server, browser, fleet } = bench;
  const page = await (await contextOf(browser)).newPage();
  const sent = listen(page);
  const found = { times: [] as number[], bare: [] as number[] };
  for (const device of await tracedDevices(bench, 4)) {
    await page.goto(`${server.base}/devices/${device}/trace`);
    const links = page.locator('.trace tbody th a');
    await links.first().waitFor();
    const hrefs = (await links.evaluateAll((all) => all.map((it) => it.getAttribute('href') ?? ''))).slice(0, Math.ceil(bench.times / 4));
    for (const href of hrefs) {
      await page.locator(`.trace tbody th a[href="${href}"]`).first().focus();
      const taken = await timed(page, 'keydown', (path) => location.pathname === path && document.querySelector('svg.line') !== null, href, () => page.keyboard.press('Enter'));
      found.times.push(taken.painted);
      found.bare.push(await bare(page, sent('query Trace(')));
      await page.goBack();
      await links.first().waitFor();
    }
  }
  await page.context().close();
  return timeRows('trace drawn, from Enter on a port', fleet, found.times, { beside: ['the same request by fetch', ms(median(found.bare))], atMost: ms(100) });
}

interface Wanted {
  text: string;
  first: string;
}

/** Names of devices that are found first, and that are not when their last letter is missing. */
async function searchesOf({ server, times }: Bench): Promise<Wanted[]> {
  const first = async (text: string): Promise<string | undefined> => (await server.ask<{ search: Array<{ node: { id: string } }> }>(
    'query($text: String!) { search(text: $text, first: 30) { node { id } } }', { text })).search[0]?.node.id;
  const found: Wanted[] = [];
  for (const it of await sample<{ id: string; name: string }>(server, 'devices', 'id name', times * 6)) {
    if (found.length === times) break;
    if (await first(it.name) === it.id && await first(it.name.slice(0, -1)) !== it.id) found.push({ text: it.name, first: it.name });
  }
  if (found.length === 0) throw new Error('no name of a device is found by its last letter');
  return found;
}

/** Names are typed into the palette, from the last key to what was found. */
export async function searching(bench: Bench): Promise<Row[]> {
  const { server, browser, fleet } = bench;
  const wanted = await searchesOf(bench);
  const page = await (await contextOf(browser)).newPage();
  const sent = listen(page);
  await page.goto(`${server.base}/ports`);
  await page.locator('#row-5:not(.absent)').waitFor();
  await page.keyboard.press('Control+k');
  const box = page.getByRole('combobox', { name: /^Search/ });
  await box.waitFor();
  const found = { times: [] as number[], bare: [] as number[] };
  for (const it of wanted) {
    await box.fill('');
    const taken = await timed(page, 'keydown', ({ text, first }) => {
      const input = document.querySelector<HTMLInputElement>('.palette input');
      return input?.value === text && document.querySelector('#palette-0 bdi')?.textContent === first;
    }, it, () => page.keyboard.type(it.text, { delay: KEY_MS }));
    found.times.push(taken.painted);
    found.bare.push(await bare(page, sent('query Search')));
  }
  await page.context().close();
  return timeRows('palette, from the last key to what was found', fleet, found.times, { beside: ['the same request by fetch', ms(median(found.bare))], atMost: ms(100) });
}
