// The runner of the flows: what a file tells, what is run again, and when the run fails.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { read, running, runOf } from '../runner/told.ts';
import type { End, FileRun, Flow, Told } from '../runner/told.ts';
import { failuresOf, MAX_FAILURES, notAgain, passedAgain, patternOf, slowest, verdictOf } from '../runner/verdict.ts';
import type { Judged } from '../runner/verdict.ts';

const ended = (name: string, how: 'passed' | 'skipped' | 'failed' | 'cancelled', more: object = {}): Told => ({ is: 'ended', name, isSuite: false, seconds: 1, how, ...more });
const suite = (how: 'passed' | 'failed', more: object = {}): Told => ended('a list', how, { isSuite: true, ...more });
const begun = (name: string): Told => ({ is: 'begun', name });
const well: End = { code: 0, hung: false, printed: '' };
const flow = (name: string, how: Flow['how'] = 'passed', seconds = 1): Flow => ({ file: 'list', name, how, seconds, output: how === 'failed' ? `why ${name}` : '' });
const fileRun = (flows: Flow[], problem: string | null = null): FileRun => ({ file: 'list', flows, problem });

test('a flow that fails has its reason and its notes, and one that passed has none of them', () => {
  const told = [begun('a list'), begun('one'), ended('one', 'passed'), begun('two'), ended('two', 'failed', { why: 'bad' }), { is: 'note', text: 'the page' } as const,
    suite('failed', { isOfParts: true }), { is: 'note', text: 'tests 2' } as const];
  const { flows, problem } = runOf('list', told, { ...well, code: 1 });
  assert.equal(problem, null);
  assert.deepEqual(flows, [{ file: 'list', name: 'one', how: 'passed', seconds: 1, output: '' }, { file: 'list', name: 'two', how: 'failed', seconds: 1, output: 'bad\nthe page\n' }]);
});

test('a file has a problem of its own when it fails outside of its flows', () => {
  const cases: Array<[told: Told[], end: Partial<End>, problem: RegExp]> = [
    [[begun('a list'), ended('one', 'cancelled', { why: 'parent' }), suite('failed', { why: 'no server' })], { code: 1 }, /“a list” failed outside of its flows: no server/],
    [[begun('a list'), begun('one')], { code: 'SIGKILL', hung: true }, /hung while “one” ran/],
    [[begun('a list'), begun('one'), ended('one', 'passed')], { code: 'SIGKILL', hung: true }, /hung while “a list” ran/],
    [[begun('a list'), begun('one')], { code: 3 }, /ended with 3 while “one” ran/],
    [[begun('a list'), begun('one')], {}, /ended with 0 while “one” ran/],
    [[begun('one'), ended('one', 'passed')], { code: 7, printed: 'out of memory' }, /ended with 7, though no flow failed\.\nIt printed:\nout of memory/],
    [[], {}, /has no flow/],
    [[], { code: 1, printed: 'SyntaxError' }, /ended with 1[^]*SyntaxError/],
  ];
  for (const [told, end, problem] of cases) assert.match(runOf('list', told, { ...well, ...end }).problem ?? '', problem);
  assert.equal(runOf('list', [begun('one'), ended('one', 'passed')], well).problem, null);
  assert.equal(runOf('list', [begun('one'), ended('one', 'failed')], { ...well, code: 1 }).problem, null);
});

test('the flow that runs is the last that has begun and not ended', () => {
  assert.equal(running([begun('a list'), begun('one'), ended('one', 'passed'), begun('two')]), 'two');
  assert.equal(running([begun('a list'), begun('a list'), ended('a list', 'passed')]), 'a list');
  assert.equal(running([begun('one'), ended('one', 'passed')]), null);
});

test('each flow that failed is run again, or the whole file if it failed outside of them', () => {
  assert.deepEqual(failuresOf(fileRun([flow('one'), flow('two', 'failed'), flow('three', 'skipped')])), [{ file: 'list', flow: 'two', output: 'why two' }]);
  const [whole, ...others] = failuresOf(fileRun([flow('two', 'failed')], 'no server'));
  assert.deepEqual([whole?.flow, others], [null, []]);
  assert.match(whole?.output ?? '', /no server\n“two” failed: why two/);
});

test('a run again shows something only if what failed ran in it and passed', () => {
  const two = { file: 'list', flow: 'two', output: '' };
  const whole = { file: 'list', flow: null, output: '' };
  const cases: Array<[again: FileRun, two: boolean, whole: boolean]> = [
    [fileRun([flow('one', 'skipped'), flow('two')]), true, true],
    [fileRun([flow('one', 'skipped'), flow('two', 'failed')]), false, false],
    [fileRun([flow('one'), flow('two', 'skipped')]), false, true],
    [fileRun([flow('one')]), false, true],
    [fileRun([flow('two'), flow('two', 'failed')]), false, false],
    [fileRun([flow('two')], 'it hung'), false, false],
    [fileRun([]), false, false],
    [fileRun([flow('one', 'skipped'), flow('two', 'skipped')]), false, false],
  ];
  for (const [again, ofTwo, ofWhole] of cases) assert.deepEqual([passedAgain(two, again), passedAgain(whole, again)], [ofTwo, ofWhole], JSON.stringify(again));
});

test('not run again is what must never fail, and what fails for one reason', () => {
  const failure = { file: 'rights', flow: 'one', output: '' };
  assert.equal(notAgain(failure, MAX_FAILURES, ['live']), null);
  assert.match(notAgain(failure, 1, ['live', 'rights']) ?? '', /never run again/);
  assert.match(notAgain(failure, MAX_FAILURES + 1, []) ?? '', /11 failed/);
});

test('the run fails with a failure, with more than three flaky flows, and without flows', () => {
  const judged = (how: Judged['how'], count: number): Judged[] => Array.from({ length: count }, (_, at) => ({ file: 'list', flow: `f${at}`, output: '', how }));
  const runs = [fileRun([flow('one'), flow('two', 'failed'), flow('three', 'skipped')])];
  assert.equal(verdictOf(runs, [], 1).passed, true);
  assert.equal(verdictOf(runs, judged('FLAKY', 3), 1).passed, true);
  assert.equal(verdictOf(runs, judged('FLAKY', 4), 1).passed, false);
  assert.equal(verdictOf(runs, judged('FAILED', 1), 1).passed, false);
  assert.equal(verdictOf([], [], 1).passed, false);
  assert.equal(verdictOf([fileRun([flow('one', 'skipped')])], [], 1).passed, false);
  assert.deepEqual(verdictOf(runs, [...judged('FLAKY', 1), ...judged('FAILED', 1)], 61.4).lines, [
    'FLAKY list: f0', 'FAILED list: f0', '1 files with 3 flows in 61 s: 1 passed at once, 1 flaky, 1 failed, 1 skipped.',
  ]);
});

test('the slowest flows come first', () => {
  assert.deepEqual(slowest([flow('a', 'passed', 2), flow('b', 'failed', 9), flow('c', 'passed', 5)], 2).map((it) => it.name), ['b', 'c']);
});

test('what is no line of the reporter is output', () => {
  assert.deepEqual(read('{"is":"begun","name":"one"}'), begun('one'));
  for (const line of ['', 'null', '12', '{"is":"other"}', '{"is":', '[]']) assert.equal(read(line), null, line);
});

const FILE = `
import { describe, test, before } from 'node:test';
describe('a suite', () => {
  test('is {good} (1/2)', () => {});
  test('is {good} (1/2) too', (it) => { it.diagnostic('a note'); throw new Error('it is bad'); });
  test('is left out', { skip: true }, () => {});
});
describe('another', () => {
  before(() => { throw new Error('no server'); });
  test('is never run', () => {});
});
`;

test("node's test runner tells what is needed, and finds one flow by its pattern", async () => {
  const folder = mkdtempSync(join(tmpdir(), 'underlay-runner-'));
  try {
    const reporter = join(folder, 'reporter.mjs');
    await build({ entryPoints: ['test/runner/reporter.ts'], outfile: reporter, bundle: true, format: 'esm', platform: 'node', packages: 'external' });
    const file = join(folder, 'file.mjs');
    writeFileSync(file, FILE);
    const run = (...more: string[]): FileRun => {
      // The file must not take itself for a part of this test.
      const { NODE_TEST_CONTEXT: _, ...env } = process.env;
      const { stdout, stderr, status } = spawnSync(process.execPath, [`--test-reporter=${reporter}`, ...more, file], { encoding: 'utf8', env });
      return runOf('file', stdout.split('\n').flatMap((it) => read(it) ?? []), { code: status ?? -1, hung: false, printed: stderr });
    };
    const all = run();
    assert.deepEqual(all.flows.map((it) => [it.name, it.how]), [['is {good} (1/2)', 'passed'], ['is {good} (1/2) too', 'failed'], ['is left out', 'skipped']]);
    assert.match(all.flows[1]?.output ?? '', /Error: it is bad[^]*a note\n$/);
    assert.match(all.problem ?? '', /^“another” failed outside of its flows: [^]*no server/);
    const passed = (name: string): string[] => run(`--test-name-pattern=${patternOf(name)}`).flows.filter((it) => it.how === 'passed').map((it) => it.name);
    assert.deepEqual(passed('is {good} (1/2)'), ['is {good} (1/2)']);
    assert.deepEqual(passed('is {good}'), []);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
