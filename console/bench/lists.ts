// The first screen, and the list of all ports: how it scrolls, and how it is filtered.
import type { Browser, Page } from 'playwright-core';
import { bare, cold, contextOf, listen, scroll, timed } from './browser.ts';
import type { Frames } from './browser.ts';
import type { Bench } from './main.ts';
import { sample } from './server.ts';
import { median, ms, perSecond, rowOf, thousands, timeRows } from './table.ts';
import type { Row } from './table.ts';

/** True when a row is there, and nothing lies over the link in it. */
function listUsable(): boolean {
  const link = document.querySelector('#row-0:not(.absent) a');
  if (!link) return false;
  const box = link.getBoundingClientRect();
  return link.contains(document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2));
}

/** True when the numbers of kinds are there, and what stands out can be clicked. */
function homeUsable(): boolean {
  const link = document.querySelector('.cards .card li a');
  if (!link || !document.querySelector('nav.kinds a[href="/ports"] .count')?.textContent?.match(/[1-9]/)) return false;
  const box = link.getBoundingClientRect();
  return link.contains(document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2));
}

/** The first screen in a new context of the browser. Its reference is the server's smallest page, opened in the same way. */
export async function firstScreens({ server, browser, fleet, rounds }: Bench): Promise<Row[]> {
  const times = { home: [] as number[], list: [] as number[], empty: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    times.empty.push(await cold(browser, `${server.base}/healthz`, () => document.body !== null && document.body.innerText !== '', null));
    times.home.push(await cold(browser, `${server.base}/`, homeUsable, null));
    times.list.push(await cold(browser, `${server.base}/ports`, listUsable, null));
  }
  const more = { beside: ['/healthz in the same way', ms(median(times.empty))] as const, atMost: ms(1000) };
  return [
    ...timeRows('first screen usable, cold: home', fleet, times.home, more),
    ...timeRows('first screen usable, cold: the list of all ports', fleet, times.list, more),
  ];
}

/** Opens a list, and waits for its rows. */
export async function openList(browser: Browser, url: string): Promise<Page> {
  const context = await contextOf(browser);
  const page = await context.newPage();
  await page.goto(url);
  await page.locator('#row-5:not(.absent)').waitFor();
  return page;
}

const PIXELS_PER_SECOND = 5_000;

/** The list of all ports under the wheel. Its reference is an empty page of the same height. */
export async function scrolling({ server, browser, fleet, rounds, seconds }: Bench): Promise<Row[]> {
  const list = await openList(browser, `${server.base}/ports`);
  const context = await contextOf(browser);
  const empty = await context.newPage();
  await empty.setContent('<div id="empty" style="height: 700px; overflow-y: scroll"><div style="height: 3000000px"></div></div>');
  const found: Record<'list' | 'empty', Frames[]> = { list: [], empty: [] };
  for (let round = 0; round < rounds; round += 1) {
    await empty.bringToFront();
    found.empty.push(await scroll(empty, '#empty', seconds, PIXELS_PER_SECOND));
    await list.bringToFront();
    found.list.push(await scroll(list, '.table', seconds, PIXELS_PER_SECOND, '.row.absent'));
  }
  const least = seconds * PIXELS_PER_SECOND * 0.9;
  if (found.list.some((it) => it.scrolled < least)) throw new Error(`the list scrolled ${found.list.map((it) => it.scrolled)} pixels, and not ${least}`);
  await list.context().close();
  await context.close();
  const what = `the list of all ports, ${thousands(PIXELS_PER_SECOND)} pixels a second for ${seconds} s`;
  const middle = (of: (it: Frames) => number, where: 'list' | 'empty'): number => median(found[where].map(of));
  return [
    rowOf(`${what}: frames a second, p50 of ${rounds}`, fleet, perSecond(middle((it) => it.perSecond, 'list')), {
      beside: ['an empty page', perSecond(middle((it) => it.perSecond, 'empty'))], atLeast: perSecond(50),
    }),
    rowOf(`${what}: the longest frame, p50 of ${rounds}`, fleet, ms(middle((it) => it.longest, 'list')), { beside: ['an empty page', ms(middle((it) => it.longest, 'empty'))] }),
    rowOf(`${what}: the longest frame of all`, fleet, ms(Math.max(...found.list.map((it) => it.longest)))),
    rowOf(`${what}: frames a second in which a row near the window was not there yet`, fleet, perSecond(middle((it) => it.flagged * it.perSecond, 'list'))),
  ];
}

interface Filter {
  text: string;
  total: number;
}

/** Names of ports of which each leads to another number of rows than the same name without its last letter. */
async function filtersOf({ server, times }: Bench): Promise<Filter[]> {
  const ports = await sample<{ name: string }>(server, 'ports', 'name', times * 4);
  const names = new Set(ports.map((it) => it.name).filter((it) => it.length > 2));
  const totalOf = async (contains: string): Promise<number> => (await server.ask<{ ports: { totalCount: number } }>(
    'query($text: String!) { ports(first: 0, filter: {name: {contains: $text, caseInsensitive: true}}) { totalCount } }', { text: contains })).ports.totalCount;
  const found: Filter[] = [];
  for (const text of names) {
    const total = await totalOf(text);
    if (total !== await totalOf(text.slice(0, -1))) found.push({ text, total });
    if (found.length === times) break;
  }
  if (found.length === 0) throw new Error('no name of a port tells from the same name without its last letter');
  return found;
}

/** The time that people need between two keys. */
export const KEY_MS = 60;

/** Typing into the box above the list of all ports, from the last key to the rows. */
export async function filtering(bench: Bench): Promise<Row[]> {
  const { server, browser, fleet } = bench;
  const filters = await filtersOf(bench);
  const page = await openList(browser, `${server.base}/ports`);
  const sent = listen(page);
  const box = page.getByRole('searchbox', { name: 'Ports whose name contains' });
  const times: number[] = [];
  const references: number[] = [];
  for (const filter of filters) {
    await box.focus();
    await page.keyboard.press('Control+A');
    const taken = await timed(page, 'keydown', ({ text, total }) => {
      const shown = document.querySelector('.list-bar .count')?.textContent?.replace(/\D/g, '');
      return new URLSearchParams(location.search).get('q') === text && shown === String(total) && document.querySelector('#row-0:not(.absent)') !== null;
    }, filter, () => page.keyboard.type(filter.text, { delay: KEY_MS }));
    times.push(taken.painted);
    references.push(await bare(page, sent('query List')));
  }
  await page.context().close();
  return timeRows('filter of the list of all ports, from the last key to the rows', fleet, times, {
    beside: ['the same request by fetch', ms(median(references))], atMost: ms(150),
  });
}
