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
  /** A token that the server accepts, such as one with `--role viewer`. */
  token(...more: string[]): string;
  /** Stops the server. SIGKILL leaves it no time to end well. */
  stop(signal?: NodeJS.Signals): Promise<void>;
  /** Starts the server again on the same address and data. */
  start(): Promise<void>;
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

async function end(server: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  server.removeAllListeners('exit');
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = new Promise((done) => server.once('exit', done));
  server.kill(signal);
  await ended;
}

/** Serves `dist` of this folder in front of a server, which has the console that it was built with. */
function inFront(server: string): Promise<{ process: ChildProcess; base: string }> {
  const page = spawn('node', ['dev.mjs', '0', server, '--still'], { env: ENVIRONMENT, stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((done, failed) => {
    page.once('exit', (code) => failed(new Error(`dev.mjs ended with ${code}`)));
    createInterface({ input: page.stdout }).on('line', (line) => {
      const base = /(http:\/\/[^/ ]+)/.exec(line)?.[1];
      if (base) done({ process: page, base });
    });
  });
}

/**
 * Starts everything. `more`: further arguments of the server. UNDERLAY_PAGE=dist shows the page of this folder instead of
 * the server's own. UNDERLAY_URL names a console that is served already, such as by dev.mjs; it cannot be stopped.
 */
export async function stage(...more: string[]): Promise<Stage> {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  const served = process.env.UNDERLAY_URL;
  const nothing = async (): Promise<void> => {};
  if (served) return { base: served, browser, token: () => process.env.UNDERLAY_TOKEN ?? '', stop: nothing, start: nothing, close: () => browser.close() };
  const data = await mkdtemp(join(tmpdir(), 'underlay-console-'));
  let { process: server, base: own } = await begin('127.0.0.1:0', data, more).catch(async (error: unknown) => {
    await browser.close();
    throw error;
  });
  const page = process.env.UNDERLAY_PAGE === 'dist' ? await inFront(own) : undefined;
  const start = async (): Promise<void> => {
    ({ process: server } = await begin(new URL(own).host, data, more));
  };
  const close = async (): Promise<void> => {
    await browser.close();
    await Promise.all([end(server), page && end(page.process)]);
    await rm(data, { recursive: true, force: true });
  };
  const token = (...of: string[]): string => {
    const { stdout, stderr } = spawnSync(BINARY, ['token', 'create', '--data-dir', data, ...of], { encoding: 'utf8', env: ENVIRONMENT });
    assert.match(stdout, /\./, stderr);
    return stdout.trim();
  };
  return { base: page?.base ?? own, browser, token, stop: (signal) => end(server, signal), start, close };
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
