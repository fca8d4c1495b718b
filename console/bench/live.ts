// Changes that others write while the page is open: the delay until they are on the screen, and the memory after ten
// minutes of them.
import type { Browser, Page } from 'playwright-core';
import { contextOf, launch, shownAt } from './browser.ts';
import { openList } from './lists.ts';
import type { Bench } from './main.ts';
import { memoryOf, processorTimeOf } from './server.ts';
import type { Server } from './server.ts';
import { bytes, count, median, ms, perSecond, rowOf, timeRows } from './table.ts';
import type { Row } from './table.ts';

const now = (): number => performance.timeOrigin + performance.now();
const sleep = (wait: number): Promise<void> => new Promise((done) => { setTimeout(done, wait); });
const LIST = '/ports?columns=name,device,description';
const WRITE = 'mutation($items: [ApplyItem!]!) { apply(input: {items: $items}) { revision } }';

const write = (server: Server, id: string, description: string): Promise<{ apply: { revision: number } }> =>
  server.ask(WRITE, { items: [{ port: { id, description } }] });

const portsOf = async (server: Server, first: number): Promise<string[]> =>
  (await server.ask<{ ports: { nodes: Array<{ id: string }> } }>('query($first: Int) { ports(first: $first) { nodes { id } } }', { first })).ports.nodes.map((it) => it.id);

/** The time by which the page's clock is before that of this process, in milliseconds: the fastest answer counts. */
async function clockOf(page: Page): Promise<number> {
  let best = { way: Number.POSITIVE_INFINITY, ahead: 0 };
  for (let at = 0; at < 20; at += 1) {
    const from = now();
    const there = await page.evaluate(() => performance.timeOrigin + performance.now());
    const to = now();
    if (to - from < best.way) best = { way: to - from, ahead: there - (from + to) / 2 };
  }
  return best.ahead;
}

/** Another client writes a row that is shown, from the moment when the request is sent. */
export async function following({ server, browser, fleet, times }: Bench): Promise<Row[]> {
  const ports = await portsOf(server, 20);
  const page = await openList(browser, server.base + LIST);
  const ahead = await clockOf(page);
  const found = { shown: [] as number[], answered: [] as number[] };
  for (let at = 0; at < times; at += 1) {
    const row = at % ports.length;
    const text = `written by another client, ${at}`;
    const shown = shownAt(page, (it) => document.querySelector(`#row-${it.row}`)?.textContent?.includes(it.text) ?? false, { row, text });
    // The page does something every second; writes come at any time between.
    await sleep(300 + Math.random() * 700);
    const from = now();
    await write(server, ports[row] ?? '', text);
    found.answered.push(now() - from);
    found.shown.push((await shown) - ahead - from);
  }
  await page.context().close();
  return timeRows('from a mutation of another client to its row on the screen', fleet, found.shown, {
    beside: ['the answer to that client', ms(median(found.answered))], atMost: ms(200),
  });
}

interface Tab {
  heap: number;
  resident: number;
  own: number;
}

/** The process that draws the only page of a browser: of all renderers, the one with the most memory. */
async function rendererOf(browser: Browser): Promise<number> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const pids = processInfo.filter((it) => it.type === 'renderer').map((it) => it.id);
  const [pid] = pids.sort((a, b) => memoryOf(b).resident - memoryOf(a).resident);
  if (pid === undefined) throw new Error('the browser has no renderer');
  return pid;
}

/** The memory of a page after the garbage is collected. */
async function weigh(browser: Browser, page: Page): Promise<Tab> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  await session.send('Performance.enable');
  const { metrics } = await session.send('Performance.getMetrics');
  await session.detach();
  const heap = metrics.find((it) => it.name === 'JSHeapUsedSize')?.value ?? Number.NaN;
  return { heap, ...memoryOf(await rendererOf(browser)) };
}

/** The memory of a page without anything in it, in a browser of its own. */
async function emptyTab(): Promise<Tab> {
  const browser = await launch();
  try {
    const page = await (await contextOf(browser)).newPage();
    await page.setContent('<p>empty');
    await sleep(500);
    return await weigh(browser, page);
  } finally {
    await browser.close();
  }
}

const A_SECOND = 50;
const SHOWN = 200;

/** Writes to rows that the list holds, evenly, for a time. Answers with how many writes were answered. */
async function change(server: Server, ports: readonly string[], forMs: number): Promise<number> {
  const from = now();
  const running = new Set<Promise<void>>();
  let written = 0;
  let failed: unknown;
  for (let at = 0; now() - from < forMs && failed === undefined; at += 1) {
    const one = write(server, ports[(at * 7) % ports.length] ?? '', `change ${at}`)
      .then(() => { written += 1; }, (error: unknown) => { failed = error; })
      .finally(() => running.delete(one));
    running.add(one);
    await sleep(Math.max(0, from + ((at + 1) * 1000) / A_SECOND - now()));
  }
  await Promise.all(running);
  if (failed !== undefined) throw failed;
  return written;
}

/** The memory of a tab on a list whose rows change all the time, in a browser of its own with no other tab. */
export async function remembering({ server, fleet, minutes }: Bench): Promise<Row[]> {
  const empty = await emptyTab();
  const ports = await portsOf(server, SHOWN);
  const browser = await launch();
  try {
    const page = await openList(browser, server.base + LIST);
    await sleep(1_000);
    const idle = await weigh(browser, page);
    const pid = await rendererOf(browser);
    const [from, used] = [now(), processorTimeOf(pid)];
    const early = await change(server, ports, minutes * 6_000);
    const first = await weigh(browser, page);
    const late = await change(server, ports, minutes * 54_000);
    const seconds = (now() - from) / 1000;
    const busy = processorTimeOf(pid) - used;
    const wrong = await wrongRows(page, server, ports);
    const tab = await weigh(browser, page);
    const time = `${minutes < 1 ? `${Math.round(minutes * 60)} s` : `${minutes} min`} of ${A_SECOND} changes a second`;
    return [
      rowOf(`memory of the tab after ${time}`, fleet, bytes(tab.resident), { beside: ['before them', bytes(idle.resident)], atMost: bytes(200e6) }),
      rowOf(`memory of the tab after ${time}, of it no other process has`, fleet, bytes(tab.own), { beside: ['an empty tab', bytes(empty.own)] }),
      rowOf(`heap of the tab after ${time}`, fleet, bytes(tab.heap), { beside: ['after the first tenth', bytes(first.heap)] }),
      rowOf('heap of the tab before the changes', fleet, bytes(idle.heap), { beside: ['an empty tab', bytes(empty.heap)] }),
      rowOf(`processor time a second of the tab during ${time}`, fleet, ms(busy / seconds)),
      rowOf(`changes written during ${time}`, fleet, perSecond((early + late) / seconds)),
      rowOf(`rows on the screen that are not as they were written at last, after ${time}`, fleet, count(wrong), { atMost: count(0) }),
    ];
  } finally {
    await browser.close();
  }
}

/** The number of rows on the screen that differ from the server, after the page had time to read again. */
async function wrongRows(page: Page, server: Server, ports: readonly string[]): Promise<number> {
  await sleep(1_500);
  const { nodes } = await server.ask<{ nodes: Array<{ description: string | null } | null> }>(
    'query($ids: [ID!]!) { nodes(ids: $ids) { ... on Port { description } } }', { ids: ports });
  const rows = await page.evaluate(() => [...document.querySelectorAll('.table-body .row')].map((it) => [Number(it.id.slice('row-'.length)), it.textContent ?? ''] as const));
  if (rows.length === 0) throw new Error('the list has no rows');
  return rows.filter(([at, text]) => !text.includes(nodes[at]?.description ?? '')).length;
}
