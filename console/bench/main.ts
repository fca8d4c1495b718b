// Measures the speed of the console: starts the server with a fleet, drives Chromium, and prints a table. A target that
// is missed is no failure of the program: only what could not be measured is one.
import { parseArgs } from 'node:util';
import type { Browser } from 'playwright-core';
import { launch } from './browser.ts';
import { filtering, firstScreens, scrolling } from './lists.ts';
import { following, remembering } from './live.ts';
import { dragging, searching, tracing } from './objects.ts';
import { machine, print, publish } from './report.ts';
import type { Report } from './report.ts';
import { binary, start } from './server.ts';
import type { Server } from './server.ts';
import { bytes, quantityWords, rowOf, thousands } from './table.ts';
import type { Row } from './table.ts';

/** The setting that the measurements share. */
export interface Bench {
  server: Server;
  browser: Browser;
  /** The fleet in words. */
  fleet: string;
  /** The number of times that long measurements, and short ones, are repeated. */
  rounds: number;
  times: number;
  /** The time for which the list scrolls. */
  seconds: number;
  /** The time for which rows change while the memory is watched. */
  minutes: number;
}

const PARTS: Record<string, (bench: Bench) => Promise<Row[]>> = {
  first: firstScreens, scroll: scrolling, filter: filtering, drag: dragging, trace: tracing, palette: searching, live: following, memory: remembering,
};

const USAGE = `usage: npm run bench -- [--quick] [--minutes 10] [--racks 188] [--only ${Object.keys(PARTS).join(',')}] [--write]

--quick    a small fleet and seconds instead of minutes: it shows that everything can be measured
--minutes  how long rows change while the memory of the tab is watched
--racks    the compute racks of the fleet; 188 have about 100,000 ports
--only     parts, separated by commas
--write    writes the table into docs/performance.md: a whole run of a release build only

UNDERLAY_BIN is the program (../target/release/underlay, with --quick ../target/debug/underlay), and CHROMIUM the browser.`;

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false }, write: { type: 'boolean', default: false }, help: { type: 'boolean', default: false },
    minutes: { type: 'string' }, racks: { type: 'string' }, only: { type: 'string' },
  },
});
const quick = options.quick === true;

async function all(): Promise<Report> {
  const names = options.only?.split(',') ?? Object.keys(PARTS);
  const unknown = names.filter((it) => !(it in PARTS));
  if (unknown.length > 0) throw new Error(`there is no part ${unknown.join(', ')}\n${USAGE}`);
  const program = binary(quick ? 'debug' : 'release');
  const build = /\bdebug\b/.test(program) ? 'debug' : 'release';
  if (options.write && (quick || options.only || build === 'debug')) throw new Error(`--write needs a whole run of a release build\n${USAGE}`);
  const racks = Number(options.racks ?? (quick ? 1 : 188));
  const server = await start(program, racks);
  try {
    const browser = await launch();
    try {
      const { ports: { totalCount } } = await server.ask<{ ports: { totalCount: number } }>('{ ports(first: 0) { totalCount } }');
      const bench: Bench = {
        server, browser, fleet: `${thousands(totalCount)} ports`,
        ...(quick ? { rounds: 1, times: 3, seconds: 1, minutes: 0.03 } : { rounds: 5, times: 40, seconds: 5, minutes: 10 }),
        ...(options.minutes ? { minutes: Number(options.minutes) } : {}),
      };
      const report: Report = { machine: machine(build, `Chromium ${browser.version()}`), quick, finishedAt: '', rows: [], failed: [] };
      for (const name of names) await measure(name, bench, report);
      report.rows.push(rowOf('memory of the server at the end', bench.fleet, bytes(server.memory())));
      return { ...report, finishedAt: new Date().toISOString() };
    } finally {
      await browser.close();
    }
  } finally {
    await server.stop();
  }
}

async function measure(name: string, bench: Bench, report: Report): Promise<void> {
  const from = performance.now();
  try {
    const rows = await PARTS[name]?.(bench) ?? [];
    report.rows.push(...rows);
    for (const it of rows) console.error(`  ${it.what}: ${quantityWords(it.measured)}`);
  } catch (error) {
    const why = `${name}: ${error instanceof Error ? error.message : String(error)}`;
    console.error(`  failed: ${why}`);
    report.failed.push(why);
  }
  console.error(`${name} took ${((performance.now() - from) / 1000).toFixed(1)} s`);
}

if (options.help) {
  console.log(USAGE);
} else {
  const report = await all();
  print(report);
  if (report.failed.length > 0) process.exitCode = 1;
  else if (options.write) publish(report);
}
