// The browser, and the clock inside its pages.
//
// Every time is taken by `performance.now()` in the page itself, so what playwright needs to send a key, or to ask for a
// result, is in no number. A time begins at the `timeStamp` of the event, which is when the browser received the key or
// the movement, before any code of the page ran. It ends after the frame in which the page drew the result: in a task
// behind the first animation frame that follows the change of the document.
import { chromium } from 'playwright-core';
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const TIMEOUT_MS = 30_000;

export interface Timed {
  /** When the event happened that is waited for, in milliseconds since the navigation. */
  from: number;
  /** When the document had the result. */
  there: number;
  /** When the frame with the result was drawn. */
  painted: number;
}

interface Clock {
  /** Answers when the condition holds and the frame that shows it is drawn. */
  when(shown: () => boolean): Promise<Omit<Timed, 'from'>>;
  /** Begins to wait for the condition. The time begins at the last event of this type before it holds. */
  time(event: string, shown: () => boolean): void;
  running?: Promise<Timed>;
  /** Keeps the time of each animation frame until it is stopped. */
  watchFrames(flag: string): void;
  frames: { stop: boolean; at: number[]; flagged: number };
  first?: Promise<Omit<Timed, 'from'>>;
}

declare global {
  interface Window { bench: Clock }
}

/** Runs in each page before its own code. It must not use anything of this module. */
function install(timeout: number): void {
  const frame = (): Promise<number> => new Promise((done) => {
    requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => done(performance.now());
      channel.port2.postMessage(null);
    });
  });
  const when = async (shown: () => boolean): Promise<{ there: number; painted: number }> => {
    const there = await new Promise<number>((done, failed) => {
      const late = setTimeout(() => failed(new Error(`this did not come true within ${timeout} ms: ${shown}`)), timeout);
      const look = (): void => {
        if (!shown()) return;
        observer.disconnect();
        clearTimeout(late);
        done(performance.now());
      };
      const observer = new MutationObserver(look);
      observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
      look();
    });
    return { there, painted: await frame() };
  };
  const frames = { stop: false, at: [] as number[], flagged: 0 };
  window.bench = {
    when,
    frames,
    time(event, shown) {
      if (shown()) throw new Error(`this is true before anything happens: ${shown}`);
      let from = Number.NaN;
      const note = (it: Event): void => { from = it.timeStamp; };
      addEventListener(event, note, { capture: true });
      const running = when(shown).then(({ there, painted }) => ({ from, there, painted }));
      window.bench.running = running.finally(() => removeEventListener(event, note, { capture: true }));
      window.bench.running.catch(() => {});
    },
    watchFrames(flag) {
      Object.assign(frames, { stop: false, at: [], flagged: 0 });
      const next = (at: number): void => {
        frames.at.push(at);
        if (flag && document.querySelector(flag)) frames.flagged += 1;
        if (!frames.stop) requestAnimationFrame(next);
      };
      requestAnimationFrame(next);
    },
  };
}

export async function launch(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
}

/** Opens a context of its own: without cache, storage and compiled code of the others. */
export async function contextOf(browser: Browser): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1400, height: 820 } });
  context.setDefaultTimeout(TIMEOUT_MS);
  await context.addInitScript(install, TIMEOUT_MS);
  return context;
}

type Condition<A> = (of: A) => boolean;
const source = <A>(shown: Condition<A>, of: A): string => `() => (${shown})(${JSON.stringify(of)})`;

/** Opens a page in a new context. Answers with the time from the navigation until the condition is drawn. */
export async function cold<A>(browser: Browser, url: string, shown: Condition<A>, of: A): Promise<number> {
  const context = await contextOf(browser);
  try {
    await context.addInitScript({ content: `window.bench.first = window.bench.when(${source(shown, of)}); window.bench.first.catch(() => {});` });
    const page = await context.newPage();
    await page.goto(url, { waitUntil: 'commit' });
    return (await page.evaluate(() => window.bench.first))?.painted ?? Number.NaN;
  } finally {
    await context.close();
  }
}

/** The event that begins a time: the key, or the movement of the pointer. */
export type Begin = 'keydown' | 'pointermove';

export interface Taken {
  /** Until the document has the result, in milliseconds. */
  there: number;
  /** Until the frame with the result is drawn. */
  painted: number;
}

const FRAME_MS = 17;

/** Times what an act does, from the last event of this type. */
export async function timed<A>(page: Page, event: Begin, shown: Condition<A>, of: A, act: () => Promise<void>): Promise<Taken> {
  await page.evaluate(`window.bench.time(${JSON.stringify(event)}, ${source(shown, of)})`);
  // The browser answers at the end of a frame; the act may come at any time between two of them, as with people.
  await new Promise((done) => { setTimeout(done, Math.random() * FRAME_MS); });
  await act();
  const it = await page.evaluate(() => window.bench.running);
  if (!it || !(it.painted > it.from)) throw new Error(`no ${event} came before ${shown}`);
  return { there: it.there - it.from, painted: it.painted - it.from };
}

/** Answers with the time of the frame that shows the condition, in milliseconds since 1970 by the page's clock. */
export async function shownAt<A>(page: Page, shown: Condition<A>, of: A): Promise<number> {
  return page.evaluate(`window.bench.when(${source(shown, of)}).then((it) => performance.timeOrigin + it.painted)`);
}

/** The last request to the API that the page sent, of those whose document contains a text. */
export interface Sent {
  body: string;
  token: string;
}

/** Keeps the requests that the page sends. Answers with what finds the last one. */
export function listen(page: Page): (contains: string) => Sent {
  const all: Sent[] = [];
  page.on('request', (it) => {
    if (it.method() === 'POST' && new URL(it.url()).pathname === '/graphql') all.push({ body: it.postData() ?? '', token: it.headers().authorization ?? '' });
    if (all.length > 100) all.shift();
  });
  return (contains) => {
    const found = all.findLast((it) => it.body.includes(contains));
    if (!found) throw new Error(`the page sent no request with ${contains}`);
    return found;
  };
}

/** Sends a request of the page again from the same page, by nothing but fetch. Answers with the time until it is parsed. */
export async function bare(page: Page, { body, token }: Sent): Promise<number> {
  return page.evaluate(async ([text, authorization]) => {
    const from = performance.now();
    const answer = await fetch('/graphql', { method: 'POST', headers: { 'content-type': 'application/json', authorization }, body: text });
    await answer.json();
    return performance.now() - from;
  }, [body, token] as const);
}

export interface Frames {
  perSecond: number;
  /** The longest time between two frames, in milliseconds. */
  longest: number;
  /** The part of the frames in which something fitted the selector. */
  flagged: number;
  /** The distance that it scrolled, in pixels. */
  scrolled: number;
}

/** Scrolls an element by the wheel at a constant speed, which the browser itself keeps up, and counts frames. */
export async function scroll(page: Page, selector: string, seconds: number, pixelsPerSecond: number, flag = ''): Promise<Frames> {
  const box = await page.locator(selector).boundingBox();
  if (!box) throw new Error(`${selector} is not on the screen`);
  const top = (): Promise<number> => page.evaluate((it) => document.querySelector(it)?.scrollTop ?? 0, selector);
  const session: CDPSession = await page.context().newCDPSession(page);
  const before = await top();
  await page.evaluate((it) => window.bench.watchFrames(it), flag);
  await session.send('Input.synthesizeScrollGesture', {
    x: box.x + box.width / 2, y: box.y + box.height / 2, yDistance: -seconds * pixelsPerSecond, speed: pixelsPerSecond, gestureSourceType: 'mouse', preventFling: true,
  });
  const { at, flagged } = await page.evaluate(() => {
    window.bench.frames.stop = true;
    return window.bench.frames;
  });
  await session.detach();
  const between = at.slice(1).map((it, index) => it - (at[index] ?? it));
  const whole = (at.at(-1) ?? 0) - (at[0] ?? 0);
  return { perSecond: (between.length / whole) * 1000, longest: Math.max(...between), flagged: flagged / at.length, scrolled: (await top()) - before };
}
