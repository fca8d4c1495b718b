// What flows use: the server with the demo, a browser, and pages. No flow waits for time: it waits for what it sees, and
// presses a key when what the key works on is there.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { chromium } from 'playwright-core';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { fail, use, useNoLonger } from './flow.ts';
import type { Used } from './flow.ts';
import { HANG_MS } from './limits.ts';
import { ENDLESS_MS, prepare } from './patience.ts';
import type { Work } from './patience.ts';
import { Server } from './server.ts';

export { test } from './flow.ts';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const AXE = readFileSync('node_modules/axe-core/axe.min.js', 'utf8');

export interface Stage extends Used {
  base: string;
  /** A token that the server accepts, such as one with `--role viewer`. */
  token(...more: string[]): string;
  /** What a command of the program prints. */
  command(...of: string[]): string;
  /** Stops the server. SIGKILL leaves it no time to end well. */
  stop(signal?: NodeJS.Signals): Promise<void>;
  /** Starts the server again on the same address and data. */
  start(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts everything. `more`: further arguments of the server. UNDERLAY_PAGE=dist shows the page of this folder instead of
 * the server's own. UNDERLAY_URL names a console that is served already, such as by dev.mjs; it cannot be stopped.
 */
export async function stage(...more: string[]): Promise<Stage> {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'], timeout: HANG_MS });
  const served = process.env.UNDERLAY_URL;
  const server = served ? null : await Server.start(more, process.env.UNDERLAY_PAGE === 'dist').catch(async (error: unknown) => {
    await browser.close();
    throw error;
  });
  const on: Stage = {
    base: served ?? server?.base ?? '', browser, server,
    token: (...of) => server?.token(of) ?? process.env.UNDERLAY_TOKEN ?? '',
    command: (...of) => {
      if (!server) throw new Error('there is no program beside a console that is served already');
      return server.command(...of);
    },
    stop: async (signal) => server?.stop(signal),
    start: async () => server?.again(),
    close: async () => {
      useNoLonger(on);
      await browser.close();
      await server?.close();
    },
  };
  use(on);
  return on;
}

export type Theme = 'light' | 'dark';

/** An empty page. What the policy of the page refuses, and what a script throws, fails the flow. */
export async function newPage(on: Stage, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await on.browser.newPage({ viewport: { width: 1400, height: 820 }, ...options });
  page.on('pageerror', (error) => fail(error));
  page.on('console', (message) => {
    if (message.type() === 'error' && /Content Security Policy|Trusted/.test(message.text())) fail(new Error(message.text()));
  });
  // Of the context, so that it is the same in the tabs that the page opens.
  page.context().setDefaultTimeout(HANG_MS);
  await page.context().addInitScript(prepare, ENDLESS_MS);
  return page;
}

/** A page at a path. */
export async function open(on: Stage, path: string, theme: Theme = 'light'): Promise<Page> {
  const page = await newPage(on, { colorScheme: theme });
  await page.goto(on.base + path);
  await page.getByRole('navigation', { name: 'Kinds' }).waitFor();
  return page;
}

/** Asks the API what a flow needs beforehand, in the name of the page. */
export async function api<T>(page: Page, query: string, variables: object = {}): Promise<T> {
  return page.evaluate(async ([document, values]) => {
    const session = (await (await fetch('/console/session')).json()) as { token?: string };
    const headers = { 'content-type': 'application/json', ...(session.token ? { authorization: `Bearer ${session.token}` } : {}) };
    const answer = (await (await fetch('/graphql', { method: 'POST', headers, body: JSON.stringify({ query: document, variables: values }) })).json()) as { data: unknown; errors?: Array<{ message: string }> };
    if (answer.errors?.[0]) throw new Error(answer.errors[0].message);
    return answer.data;
  }, [query, variables] as const) as Promise<T>;
}

/** A control, as soon as it can be used: a key on a control that is off is lost. */
export const ready = (control: Locator): Locator => control.and(control.page().locator(':enabled'));

const nextFrame = (page: Page): Promise<unknown> => page.evaluate(() => new Promise((done) => { requestAnimationFrame(done); }));

/** Checks with each frame of the page until the check passes. It fails as the check fails last. */
export async function eventually(page: Page, check: () => Promise<void>): Promise<void> {
  const end = performance.now() + HANG_MS;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > end) throw error;
    }
    await nextFrame(page);
  }
}

/** Waits until the page has everything that it asked for, and has drawn it. What must not be there can be looked for then. */
export async function settled(page: Page): Promise<void> {
  // Effects, which may ask for more, run after a frame at the latest.
  const FRAMES = 3;
  await page.waitForFunction((frames) => {
    const { work } = window as unknown as { work: Work };
    const waits = work.count > 0 || [...document.querySelectorAll('.waiting')].some((it) => it.textContent === 'Reading…');
    work.calm = waits ? 0 : work.calm + 1;
    return work.calm > frames;
  }, FRAMES);
}

/**
 * Proves that what came before, such as a key, opened nothing. The keys of the page are asked for after it, and come
 * alone: an open dialog would take the key, and one that comes late would be there, too.
 */
export async function opensNothing(page: Page): Promise<void> {
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keys of this page' });
  await help.waitFor();
  await settled(page);
  assert.equal(await page.getByRole('dialog').count(), 1);
  await page.keyboard.press('Escape');
  await help.waitFor({ state: 'detached' });
}

interface Violation { id: string; nodes: Array<{ target: string[]; failureSummary: string }> }

/** Fails with every rule of WCAG 2.2 AA that the page breaks, as far as axe sees it. */
export async function accessible(page: Page): Promise<void> {
  // Before the first frame there is nothing yet that could keep the rules. Behind a dialog both are there, but hidden.
  await page.locator('main').first().waitFor({ state: 'attached' });
  await page.locator('h1').first().waitFor({ state: 'attached' });
  // The policy of the page forbids scripts from elsewhere; the browser's own console may run them.
  await page.evaluate(AXE);
  const found = await page.evaluate(async () => {
    const axe = (window as unknown as { axe: { run(of: Document, options: object): Promise<{ violations: Violation[] }> } }).axe;
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
    return (await axe.run(document, { runOnly: tags })).violations;
  });
  const text = found.flatMap((it) => it.nodes.slice(0, 3).map((node) => `${it.id} at ${node.target.join(' ')}: ${node.failureSummary}`));
  assert.deepEqual(text, []);
}

/** Keeps a picture in `shots` if SHOTS is set. */
export async function shot(page: Page, name: string): Promise<void> {
  if (process.env.SHOTS) await page.screenshot({ path: `shots/${name}.png` });
}
