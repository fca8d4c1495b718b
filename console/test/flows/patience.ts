// What a page does in flows besides what it does for people. The script runs in each page before the console.
import { readFileSync } from 'node:fs';

/** The times that the console gives to people or to the server. On a slow machine, a flow takes longer for its next step. */
const GIVEN = [
  // From `g` to the second key.
  ['src/keys.ts', 'SEQUENCE_MS'],
  // How long a message is shown, with its button.
  ['src/parts/toast.tsx', 'SHOWN_MS'],
  // How long the server may take for an answer.
  ['src/server/ask.ts', 'TIMEOUT_MS'],
] as const;

/** In flows, these times do not end. */
export const ENDLESS_MS = GIVEN.map(([path, name]) => {
  const value = new RegExp(`^const ${name} = ([\\d_]+);$`, 'm').exec(readFileSync(path, 'utf8'))?.[1];
  if (!value) throw new Error(`${path} has no ${name}`);
  return Number(value.replaceAll('_', ''));
});

export interface Work {
  /** The requests without an answer, and the timers that are about to run. */
  count: number;
  /** The number of frames since there was any. */
  calm: number;
}

/** Gives people all the time of the world, and counts what the page still has to do. It is sent to the page as it is. */
export function prepare(endless: readonly number[]): void {
  const ALL_THE_TIME_MS = 2 ** 31 - 1;
  /** The console waits no longer than this before it asks for something. What takes longer is a matter of people. */
  const SOON_MS = 1_000;
  const work: Work = { count: 0, calm: 0 };
  (window as unknown as { work: Work }).work = work;
  const timers = new Set<unknown>();
  const [later, never, ask] = [window.setTimeout.bind(window), window.clearTimeout.bind(window), window.fetch.bind(window)];
  const ended = (timer: unknown): void => { if (timers.delete(timer)) work.count -= 1; };
  const inTime = (ms: number | undefined): number => (endless.includes(ms ?? 0) ? ALL_THE_TIME_MS : ms ?? 0);

  const delayed = (run: (...all: unknown[]) => void, ms?: number, ...more: unknown[]): number => {
    const timer: number = later(() => {
      // What it begins is counted before it counts as ended itself.
      try { run(...more); } finally { ended(timer); }
    }, inTime(ms));
    if (inTime(ms) <= SOON_MS) { timers.add(timer); work.count += 1; }
    return timer;
  };
  window.setTimeout = delayed as unknown as typeof window.setTimeout;
  window.clearTimeout = ((timer?: number) => { ended(timer); never(timer); }) as typeof window.clearTimeout;
  const limit = AbortSignal.timeout.bind(AbortSignal);
  AbortSignal.timeout = (ms) => limit(inTime(ms));

  /** Counts until those who wait for it have gone on. */
  const counted = <T>(answer: Promise<T>): Promise<T> => {
    const end = (): void => { later(() => { work.count -= 1; }); };
    work.count += 1;
    answer.then(end, end);
    return answer;
  };
  window.fetch = ((asked: string, how?: RequestInit) => counted(ask(asked, how))) as typeof window.fetch;
  for (const name of ['json', 'text'] as const) {
    const read = Response.prototype[name] as (this: Response) => Promise<unknown>;
    Response.prototype[name] = function counting(this: Response) { return counted(read.call(this)); } as never;
  }
}
