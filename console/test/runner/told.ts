// What a file of flows tells while it runs, and what that means: which flows passed, and what went wrong. Pure.

/** A line of the reporter. */
export type Told =
  | { is: 'begun'; name: string }
  | { is: 'note'; text: string }
  | { is: 'ended'; name: string; isSuite: boolean; seconds: number; how: 'passed' | 'skipped' | 'failed' | 'cancelled'; why?: string; isOfParts?: boolean };

export interface Flow {
  file: string;
  name: string;
  how: 'passed' | 'skipped' | 'failed';
  seconds: number;
  /** Why it failed, and what it noted. */
  output: string;
}

/** How the process of a file ended. */
export interface End {
  /** The exit code, or the signal that ended it. */
  code: number | string;
  /** True if nothing happened in it for so long that it was ended. */
  hung: boolean;
  /** What it printed besides what it told. */
  printed: string;
}

/** A run of one file, or of one flow of it. */
export interface FileRun {
  file: string;
  flows: Flow[];
  /** What went wrong with the file as a whole, so that its flows tell nothing; null if nothing did. */
  problem: string | null;
}

/** Reads a line of a file's output; null if it is none of the reporter's. */
export function read(line: string): Told | null {
  try {
    const it = JSON.parse(line) as Told | null;
    return typeof it === 'object' && it !== null && ['begun', 'note', 'ended'].includes(it.is) ? it : null;
  } catch {
    return null;
  }
}

/** The flow that runs: the last that has begun and not ended. */
export function running(told: readonly Told[]): string | null {
  const open: string[] = [];
  for (const it of told) {
    if (it.is === 'begun') open.push(it.name);
    if (it.is === 'ended' && open.includes(it.name)) open.splice(open.lastIndexOf(it.name), 1);
  }
  return open.at(-1) ?? null;
}

export function runOf(file: string, told: readonly Told[], end: End): FileRun {
  const flows: Flow[] = [];
  const problems: string[] = [];
  let last: Flow | null = null;
  for (const it of told) {
    // The notes of a flow come after its end.
    if (it.is === 'note' && last) last.output += `${it.text}\n`;
    if (it.is !== 'ended') continue;
    last = null;
    if (it.isSuite && it.how === 'failed' && !it.isOfParts) problems.push(`“${it.name}” failed outside of its flows: ${it.why}`);
    if (it.isSuite || it.how === 'cancelled') continue;
    last = { file, name: it.name, how: it.how, seconds: it.seconds, output: it.why ? `${it.why}\n` : '' };
    flows.push(last);
  }
  const open = running(told);
  if (end.hung) problems.push(`It hung${open ? ` while “${open}” ran` : ''}, and was ended.`);
  else if (open) problems.push(`It ended with ${end.code} while “${open}” ran.`);
  else if (end.code !== 0 && problems.length === 0 && !flows.some((it) => it.how === 'failed')) problems.push(`It ended with ${end.code}, though no flow failed.`);
  if (flows.length === 0 && problems.length === 0) problems.push('It has no flow.');
  const printed = end.printed.trim();
  return { file, flows, problem: problems.length > 0 ? [...problems, ...(printed ? [`It printed:\n${printed}`] : [])].join('\n') : null };
}
