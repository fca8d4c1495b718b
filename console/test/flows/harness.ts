// Starts the server with the demo, and a browser; each flow has a page of its own.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';
import type { Browser, Page } from 'playwright-core';

const BINARY = process.env.UNDERLAY_BIN ?? '../target/debug/underlay';
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const READY = /ready at (http:\/\/\S+?)\/?$/;
// The program refuses settings that it does not know, and those of the flows are named like its own.
const ENVIRONMENT = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('UNDERLAY_')));
const AXE = readFileSync('node_modules/axe-core/axe.min.js', 'utf8');

export interface Stage {
  base: string;
  browser: Browser;
  /** A token that the server accepts. */
  token(): string;
  /** Stops the server and starts it again on the same address and data. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

function begin(listen: string, data: string, more: string[]): Promise<{ process: ChildProcess; base: string }> {
  const server = spawn(BINARY, ['serve', '--demo', '--listen', listen, '--data-dir', data, ...more], { env: ENVIRONMENT, stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((done, failed) => {
    server.once('exit', (code) => failed(new Error(`${BINARY} ended with ${code}`)));
    server.once('error', failed);
    createInterface({ input: server.stdout }).on('line', (line) => {
      const base = READY.exec(line)?.[1];
      if (base) done({ process: server, base });
    });
  });
}

async function end(server: ChildProcess): Promise<void> {
  server.removeAllListeners('exit');
  const ended = new Promise((done) => server.once('exit', done));
  server.kill('SIGTERM');
  await ended;
}

/**
 * Starts everything. `more`: further arguments of the server. UNDERLAY_URL names a console that is served already, such
 * as by dev.mjs.
 */
export async function stage(...more: string[]): Promise<Stage> {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  const served = process.env.UNDERLAY_URL;
  if (served) return { base: served, browser, token: () => process.env.UNDERLAY_TOKEN ?? '', restart: async () => {}, close: () => browser.close() };
  const data = await mkdtemp(join(tmpdir(), 'underlay-console-'));
  let { process: server, base } = await begin('127.0.0.1:0', data, more).catch(async (error: unknown) => {
    await browser.close();
    throw error;
  });
  const restart = async (): Promise<void> => {
    await end(server);
    ({ process: server } = await begin(new URL(base).host, data, more));
  };
  const close = async (): Promise<void> => {
    await browser.close();
    await end(server);
    await rm(data, { recursive: true, force: true });
  };
  const token = (): string => spawnSync(BINARY, ['token', 'create', '--data-dir', data], { encoding: 'utf8', env: ENVIRONMENT }).stdout.trim();
  return { base, browser, token, restart, close };
}

export type Theme = 'light' | 'dark';

/** A page at a path. What the policy of the page refuses, and what a script throws, fails the flow. */
export async function open(on: Stage, path: string, theme: Theme = 'light'): Promise<Page> {
  const page = await on.browser.newPage({ viewport: { width: 1400, height: 820 }, colorScheme: theme });
  page.on('pageerror', (error) => { throw error; });
  page.on('console', (message) => {
    if (message.type() === 'error' && /Content Security Policy|Trusted/.test(message.text())) throw new Error(message.text());
  });
  page.setDefaultTimeout(60_000);
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

interface Violation { id: string; nodes: Array<{ target: string[]; failureSummary: string }> }

/** Fails with every rule of WCAG 2.2 AA that the page breaks, as far as axe sees it. */
export async function accessible(page: Page): Promise<void> {
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
