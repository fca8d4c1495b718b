// Runs the flows: tests that drive the console in a browser. Four files run at a time.
//
// What it guarantees: a flow that fails is run again, alone, at most twice. If it passes then, it is FLAKY: it is listed at
// the end with the output of its first failure, and it is a fault of the flow or of the console that must be mended. More
// than three of them fail the run, and what fails again fails it. A file that fails outside of its flows, such as at the
// start of its server, is run again as a whole. A run again counts only if the flow ran in it. The flows of a file share a
// server but do not need each other, so each can run alone.
//
// Each flow has a time limit that only a hang reaches. Should even the limit not end it, then this program ends the file
// with all that it started, and says which flow ran.
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { HANG_LONG_FLOW_MS } from '../flows/limits.ts';
import { read, runOf } from './told.ts';
import type { FileRun, Told } from './told.ts';
import { failuresOf, MAX_RUNS_AGAIN, nameOf, notAgain, passedAgain, patternOf, slowest, verdictOf } from './verdict.ts';
import type { Failure, Judged } from './verdict.ts';

const FILES_AT_A_TIME = 4;
const SLOWEST = 10;
/** These take longest, so they begin first: otherwise one of them would run alone at the end. */
const FIRST = ['look', 'rack', 'many', 'odd', 'hosts', 'what-if', 'live'];
/**
 * Flows of what a caller may see and do, of the order of events, and of machines. They are not run again: one failure in a
 * thousand runs is a fault.
 */
const FAIL_AT_ONCE = ['hardware-events', 'hosts', 'live', 'rights', 'sign-in'];
/** A file in which nothing happens for longer hangs: a flow that reaches its limit still says what its page shows. */
const HANG_FILE_MS = HANG_LONG_FLOW_MS + 120_000;
const LOOK_MS = 5_000;
/** What is printed of the output of a file: what comes last says most. */
const MAX_PRINTED = 20_000;

/** The processes of files that run. Each leads a group, which has the servers. A browser ends with the process that drives it. */
const groups = new Set<number>();

function end(group: number): void {
  try {
    process.kill(-group, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

/** Runs a file, or one flow of it. */
function run(file: string, flow: string | null): Promise<FileRun> {
  const pattern = flow === null ? [] : [`--test-name-pattern=${patternOf(flow)}`];
  const child = spawn(process.execPath, ['--test-reporter=./.tests/runner/reporter.js', ...pattern, `.tests/flows/${file}.flow.js`], {
    stdio: ['ignore', 'pipe', 'pipe'], detached: true,
  });
  const group = child.pid;
  if (group !== undefined) groups.add(group);
  const told: Told[] = [];
  let [printed, hung, last] = ['', false, performance.now()];
  let passed = false;
  const keep = (line: string): void => { printed = `${printed}${line}\n`.slice(-MAX_PRINTED); };
  const watch = setInterval(() => {
    if (performance.now() - last < HANG_FILE_MS || group === undefined) return;
    hung = true;
    end(group);
  }, LOOK_MS);
  createInterface({ input: child.stderr }).on('line', keep);
  createInterface({ input: child.stdout }).on('line', (line) => {
    const it = read(line);
    if (!it) {
      keep(line);
      return;
    }
    last = performance.now();
    told.push(it);
    if (it.is === 'ended' && !it.isSuite && it.how !== 'skipped') {
      console.log(`${it.how === 'passed' ? '    ok' : '  FAIL'} ${it.seconds.toFixed(1).padStart(6)} s  ${nameOf({ file, flow: it.name })}`);
    }
    // What a flow notes comes after its end. If it failed, it is shown with its failure.
    if (it.is === 'ended') passed = !it.isSuite && it.how === 'passed';
    if (it.is === 'note' && passed) console.log(`                 ${it.text}`);
  });
  return new Promise((done) => {
    const finish = (code: number | string): void => {
      clearInterval(watch);
      if (group !== undefined) groups.delete(group);
      done(runOf(file, told, { code, hung, printed }));
    };
    child.once('error', (error) => { keep(error.message); finish('an error'); });
    child.once('close', (code, signal) => finish(code ?? signal ?? 'nothing'));
  });
}

async function runAll(files: readonly string[]): Promise<FileRun[]> {
  const [waiting, runs]: [string[], FileRun[]] = [[...files], []];
  const worker = async (): Promise<void> => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) runs.push(await run(file, null));
  };
  await Promise.all(Array.from({ length: FILES_AT_A_TIME }, worker));
  return runs;
}

/** Runs again what failed, one after the other. */
async function judge(failures: readonly Failure[]): Promise<Judged[]> {
  const judged: Judged[] = [];
  for (const failure of failures) {
    let how: Judged['how'] = 'FAILED';
    const why = notAgain(failure, failures.length, FAIL_AT_ONCE);
    if (why) console.log(`\n=== ${nameOf(failure)} failed, and is not run again: ${why}.`);
    for (let at = 1; !why && how === 'FAILED' && at <= MAX_RUNS_AGAIN; at += 1) {
      console.log(`\n=== ${nameOf(failure)} failed; it runs again, alone, ${at} of ${MAX_RUNS_AGAIN}.`);
      if (passedAgain(failure, await run(failure.file, failure.flow))) how = 'FLAKY';
    }
    judged.push({ ...failure, how });
  }
  return judged;
}

const rank = (file: string): number => (FIRST.includes(file) ? FIRST.indexOf(file) : FIRST.length);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    groups.forEach(end);
    process.exit(1);
  });
}
const words = process.argv.slice(2);
const files = readdirSync('.tests/flows').flatMap((it) => /^(.+)\.flow\.js$/.exec(it)?.[1] ?? [])
  .filter((it) => words.length === 0 || words.some((word) => it.includes(word))).sort((a, b) => rank(a) - rank(b));
const began = performance.now();
const runs = await runAll(files);
const judged = await judge(runs.flatMap(failuresOf));
for (const it of judged) console.log(`\n=== ${it.how} ${nameOf(it)}. Its first failure:\n${it.output.trim()}`);
console.log('\n=== the slowest flows, in seconds');
for (const it of slowest(runs.flatMap((one) => one.flows), SLOWEST)) console.log(`${it.seconds.toFixed(1).padStart(8)}  ${nameOf({ file: it.file, flow: it.name })}`);
const verdict = verdictOf(runs, judged, (performance.now() - began) / 1000);
console.log(`\n${verdict.lines.join('\n')}`);
process.exitCode = verdict.passed ? 0 : 1;
