// What is run again, what that shows, and whether the whole run passed. Pure.
import type { FileRun, Flow } from './told.ts';

export const MAX_RUNS_AGAIN = 2;
/** A flow that fails only sometimes is a fault, of the flow or of the console. With more of them, nobody would look. */
export const MAX_FLAKY = 3;
/** When so many fail, they fail for one reason, and running all of them again takes hours. */
export const MAX_FAILURES = 10;

/** What failed and is run again: a flow, or a whole file that failed outside of its flows. */
export interface Failure {
  file: string;
  flow: string | null;
  output: string;
}

export type Judged = Failure & { how: 'FLAKY' | 'FAILED' };

export const nameOf = ({ file, flow }: { file: string; flow: string | null }): string => (flow === null ? file : `${file}: ${flow}`);

export function failuresOf({ file, flows, problem }: FileRun): Failure[] {
  const failed = flows.filter((it) => it.how === 'failed');
  if (problem === null) return failed.map((it) => ({ file, flow: it.name, output: it.output }));
  return [{ file, flow: null, output: [problem, ...failed.map((it) => `“${it.name}” failed: ${it.output}`)].join('\n') }];
}

/** The pattern that node's test runner finds this flow by, and no other. */
export function patternOf(flow: string): string {
  return `^${flow.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}$`;
}

/** True if a run again shows that a failure was one of a moment. What did not run at all shows nothing. */
export function passedAgain(failure: Failure, again: FileRun): boolean {
  if (again.problem !== null) return false;
  const ran = again.flows.filter((it) => (failure.flow === null ? it.how !== 'skipped' : it.name === failure.flow));
  return ran.length > 0 && ran.every((it) => it.how === 'passed');
}

/** The reason why a failure is not run again; null if it is. */
export function notAgain(failure: Failure, failures: number, atOnce: readonly string[]): string | null {
  if (atOnce.includes(failure.file)) return 'it is one of those that are never run again';
  if (failures > MAX_FAILURES) return `${failures} failed, and more than ${MAX_FAILURES} are not run again`;
  return null;
}

export function slowest(flows: readonly Flow[], count: number): Flow[] {
  return [...flows].sort((a, b) => b.seconds - a.seconds).slice(0, count);
}

export interface Verdict {
  passed: boolean;
  /** What is printed last. */
  lines: string[];
}

export function verdictOf(runs: readonly FileRun[], judged: readonly Judged[], seconds: number): Verdict {
  const flows = runs.flatMap((it) => it.flows);
  const count = (how: Flow['how']): number => flows.filter((it) => it.how === how).length;
  const [flaky, failed] = (['FLAKY', 'FAILED'] as const).map((how) => judged.filter((it) => it.how === how).length);
  const tooMany = (flaky ?? 0) > MAX_FLAKY;
  const ran = count('passed') + count('failed');
  return {
    passed: failed === 0 && !tooMany && ran > 0,
    lines: [
      ...judged.map((it) => `${it.how} ${nameOf(it)}`),
      ...(tooMany ? [`${flaky} are FLAKY: more than ${MAX_FLAKY} fail the run.`] : []),
      `${runs.length} files with ${flows.length} flows in ${Math.round(seconds)} s: ${count('passed')} passed at once, ${flaky} flaky, ${failed} failed, ${count('skipped')} skipped.`,
    ],
  };
}
