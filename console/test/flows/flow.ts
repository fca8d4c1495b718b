// A flow is a test of node's runner with a time limit. If it fails, it shows what its pages show and what the servers have
// logged since it began, and leaves the servers running and the browsers without pages for the flow after it.
import { test as declare } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { HANG_FLOW_MS, HANG_LONG_FLOW_MS } from './limits.ts';
import type { Server } from './server.ts';

/** How much of a log is shown, from its end, and of a page. */
const MAX_LINES = 150;
const MAX_LETTERS = 3_000;
/** A page that hangs shows no text. */
const TEXT_MS = 10_000;

/** The flow as the runner knows it. Notes are shown beneath its name. */
interface Run {
  diagnostic(note: string): void;
}

type Body = (run: Run) => Promise<void> | void;

/** What flows use, for as long as it is open. A page that is served already has no server. */
export interface Used {
  browser: Browser;
  server: Server | null;
}

const used = new Set<Used>();

export function use(it: Used): void {
  used.add(it);
}

export function useNoLonger(it: Used): void {
  used.delete(it);
}

/** Fails the flow that runs, from a callback. */
export let fail = (error: Error): void => { throw error; };

async function textOf(page: Page): Promise<string> {
  const text = await page.locator('body').innerText({ timeout: TEXT_MS }).catch((error: Error) => `(no text: ${error.message.split('\n')[0]})`);
  const short = text.trim().replace(/\s*\n\s*/g, ' | ');
  return `--- the page ${page.url()} shows:\n${short.length > MAX_LETTERS ? `${short.slice(0, MAX_LETTERS)}…` : short}`;
}

function logOf(server: Server, from: number): string {
  const lines = server.log.slice(from);
  const before = Math.max(0, lines.length - MAX_LINES);
  const head = before > 0 ? [`(${before} lines before)`] : [];
  return `--- the server ${server.isRunning ? 'runs' : 'has ended'}, and has logged since the flow began:\n${[...head, ...lines.slice(before)].join('\n') || '(nothing)'}`;
}

const pagesOf = (browser: Browser): Page[] => browser.contexts().flatMap((it) => it.pages());

async function clearUp({ browser, server }: Used): Promise<void> {
  await Promise.all(browser.contexts().map((it) => it.close()));
  if (server && !server.isRunning) await server.again();
}

async function within(name: string, HANG_MS: number, body: Body, run: Run): Promise<void> {
  const before = [...used].map((it) => [it, it.server?.log.length ?? 0] as const);
  const outside = fail;
  const broken = new Promise<never>((_, failed) => {
    fail = failed;
    AbortSignal.timeout(HANG_MS).addEventListener('abort', () => failed(new Error(`“${name}” hangs: it has run for ${HANG_MS / 1000} seconds`)));
  });
  try {
    await Promise.race([body(run), broken]);
  } catch (error) {
    for (const [{ browser, server }, from] of before) {
      for (const page of pagesOf(browser)) run.diagnostic(await textOf(page));
      if (server) run.diagnostic(logOf(server, from));
    }
    for (const [it] of before) await clearUp(it);
    throw error;
  } finally {
    fail = outside;
  }
}

interface Options {
  skip?: boolean;
  /** True for a flow that does very much, and gets more time before it counts as one that hangs. */
  isLong?: boolean;
}

/** Declares a flow. */
export function test(name: string, body: Body): void;
export function test(name: string, options: Options, body: Body): void;
export function test(name: string, first: Body | Options, second?: Body): void {
  const [{ skip = false, isLong = false }, body] = typeof first === 'function' ? [{}, first] : [first, second];
  if (body) void declare(name, { skip }, (run) => within(name, isLong ? HANG_LONG_FLOW_MS : HANG_FLOW_MS, body, run));
}
