// The server: started with an empty inventory, filled by `underlay demo`, and asked as any client asks it.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const READY = /ready at (http:\/\/\S+?)\/?$/;
// The program refuses settings that it does not know, and UNDERLAY_BIN is named like its own.
const ENVIRONMENT = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('UNDERLAY_')));

export interface Server {
  base: string;
  /** The memory of the process, in bytes. */
  memory(): number;
  /** Sends a document as a client that is not the browser. It throws the first error. */
  ask<T>(query: string, variables?: object): Promise<T>;
  stop(): Promise<void>;
}

/** Returns the program to measure: UNDERLAY_BIN, otherwise the one that cargo built. */
export function binary(profile: 'release' | 'debug'): string {
  const path = process.env.UNDERLAY_BIN ?? `../target/${profile}/underlay`;
  if (!existsSync(path)) throw new Error(`there is no program at ${path}: build it, or set UNDERLAY_BIN`);
  return path;
}

function begin(program: string, data: string): Promise<{ process: ChildProcess; base: string }> {
  const server = spawn(program, ['serve', '--listen', '127.0.0.1:0', '--data-dir', data], { env: ENVIRONMENT, stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((done, failed) => {
    server.once('exit', (code) => failed(new Error(`${program} ended with ${code} before it was ready`)));
    server.once('error', failed);
    createInterface({ input: server.stdout }).on('line', (line) => {
      const base = READY.exec(line)?.[1];
      if (base) done({ process: server, base });
    });
  });
}

/** Runs a command of the program to its end. Returns what it printed. */
async function run(program: string, ...command: string[]): Promise<string> {
  const child = spawn(program, command, { env: ENVIRONMENT, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<number | null>((done, failed) => {
    child.once('error', failed);
    child.once('close', done);
  });
  let text = '';
  child.stdout.on('data', (it: Buffer) => { text += it.toString(); });
  const code = await ended;
  if (code !== 0) throw new Error(`${program} ${command.join(' ')} ended with ${code}`);
  return text;
}

async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null) return;
  const ended = new Promise((done) => server.once('exit', done));
  server.kill('SIGTERM');
  await ended;
}

/** Starts the program, and fills it with the fleet of this number of compute racks. */
export async function start(program: string, racks: number): Promise<Server> {
  const data = await mkdtemp(join(tmpdir(), 'underlay-console-bench-'));
  const { process: child, base } = await begin(program, data);
  const stop = async (): Promise<void> => {
    await end(child);
    await rm(data, { recursive: true, force: true });
  };
  try {
    await run(program, 'demo', '--server', base, '--racks', String(racks));
    const token = (await run(program, 'token', 'create', '--data-dir', data)).trim();
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const ask = async <T>(query: string, variables: object = {}): Promise<T> => {
      const response = await fetch(`${base}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query, variables }) });
      const answer = (await response.json()) as { data: T; errors?: Array<{ message: string }> };
      if (answer.errors?.[0]) throw new Error(answer.errors[0].message);
      return answer.data;
    };
    return { base, ask, memory: () => memoryOf(child.pid ?? 0).resident, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Returns objects of a list from everywhere in it: at so many places, and so many in a row at each. */
export async function sample<T>(server: Server, list: string, selection: string, places: number, inRow = 1): Promise<T[]> {
  const { rows: { totalCount } } = await server.ask<{ rows: { totalCount: number } }>(`{ rows: ${list}(first: 0) { totalCount } }`);
  const found: T[] = [];
  for (let at = 0; at < places; at += 1) {
    const { rows } = await server.ask<{ rows: { nodes: T[] } }>(
      `query($skip: Int, $first: Int) { rows: ${list}(first: $first, skip: $skip, pin: true) { nodes { ${selection} } } }`,
      { skip: Math.floor((totalCount * at) / places), first: inRow });
    found.push(...rows.nodes);
  }
  return found;
}

export interface Memory {
  /** All pages of the process that are in memory, also those of the program that it shares with other processes. */
  resident: number;
  /** The pages that no other process has. */
  own: number;
}

/** Returns the memory of a process, as Linux counts it. */
export function memoryOf(pid: number): Memory {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const kilobytes = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0);
  return { resident: kilobytes('Rss') * 1024, own: (kilobytes('Private_Clean') + kilobytes('Private_Dirty')) * 1024 };
}

const TICKS_PER_SECOND = 100;

/** Returns the processor time that a process has used, in milliseconds. */
export function processorTimeOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /, '').split(' ');
  return ((Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND) * 1000;
}
