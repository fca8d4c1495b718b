// The output: the machine, the table on the terminal, and with --write the table and its numbers in docs.
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { join } from 'node:path';
import { markdown, terminal } from './table.ts';
import type { Row } from './table.ts';

const DOCS = '../docs';
const PAGE = 'performance.md';
const DATA = 'console.json';
const MARKS = ['<!-- console -->', '<!-- end of console -->'] as const;

export interface Machine {
  processor: string;
  /** The cores, which the server, the browser and this program share. */
  cores: number;
  /** In bytes. */
  memory: number;
  kernel: string;
  build: 'release' | 'debug';
  browser: string;
}

const lineOf = (file: string, name: string): string | undefined => {
  const line = readFileSync(file, 'utf8').split('\n').find((it) => it.startsWith(name));
  return line?.split(':')[1]?.trim();
};

export function machine(build: Machine['build'], browser: string): Machine {
  return {
    processor: lineOf('/proc/cpuinfo', 'model name') ?? 'unknown',
    cores: availableParallelism(),
    memory: totalmem(),
    kernel: readFileSync('/proc/sys/kernel/osrelease', 'utf8').trim(),
    build, browser,
  };
}

const words = (it: Machine): string =>
  `${it.cores} cores of ${it.processor}, ${Math.round(it.memory / 2 ** 30)} GiB, Linux ${it.kernel}, ${it.build} build, ${it.browser}`;

export interface Report {
  machine: Machine;
  quick: boolean;
  finishedAt: string;
  rows: Row[];
  failed: string[];
}

export function print(report: Report): void {
  console.log(`\n${words(report.machine)}\n\n${terminal(report.rows)}`);
  for (const it of report.failed) console.log(`failed: ${it}`);
}

function betweenMarks(text: string, table: string): string {
  const [begin, end] = MARKS;
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${PAGE} has no place for the table, between ${begin} and ${end}`);
  return `${text.slice(0, from + begin.length)}\n\n${table.trim()}\n\n${text.slice(to)}`;
}

/** Writes the table into its section of the page, and all numbers beside it. */
export function publish(report: Report): void {
  const page = join(DOCS, PAGE);
  const text = `${words(report.machine)} (${report.finishedAt.slice(0, 10)}).\n\n${markdown(report.rows)}`;
  writeFileSync(page, betweenMarks(readFileSync(page, 'utf8'), text));
  writeFileSync(join(DOCS, DATA), `${JSON.stringify(report, null, 2)}\n`);
  console.log(`wrote ${page} and ${join(DOCS, DATA)}`);
}
