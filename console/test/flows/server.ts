// A server with the demo, as a process of its own, with its log. The log is shown when a flow fails.
import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { HANG_MS } from './limits.ts';

const BINARY = process.env.UNDERLAY_BIN ?? '../target/debug/underlay';
const READY = /ready at (http:\/\/\S+?)\/?$/;
/** A log is kept to its last lines. */
const MAX_LINES = 10_000;
// The program refuses settings that it does not know, and those of the flows are named like its own.
const ENVIRONMENT = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('UNDERLAY_')));

/** A program that says at which address it answers. */
class Program {
  base = '';
  readonly lines: string[] = [];
  private child: ChildProcess | undefined;

  get isRunning(): boolean {
    return this.child !== undefined && this.child.exitCode === null && this.child.signalCode === null;
  }

  async begin(command: string, args: string[], ready: RegExp): Promise<void> {
    const child = spawn(command, args, { env: ENVIRONMENT, stdio: ['ignore', 'pipe', 'pipe'] });
    this.child = child;
    this.base = await new Promise<string>((done, failed) => {
      const fail = (why: string): void => failed(new Error(`${command} ${why}; it printed:\n${this.lines.join('\n')}`));
      child.once('error', (error) => fail(`cannot be started: ${error.message}`));
      // With `close`, everything that it printed has been read.
      child.once('close', (code, signal) => fail(`ended with ${code ?? signal}`));
      AbortSignal.timeout(HANG_MS).addEventListener('abort', () => fail('hangs: it does not say that it is ready'));
      const take = (line: string): void => {
        this.lines.push(line);
        if (this.lines.length > MAX_LINES) this.lines.shift();
        const base = ready.exec(line)?.[1];
        if (base) done(base);
      };
      for (const output of [child.stdout, child.stderr]) createInterface({ input: output }).on('line', take);
    });
  }

  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    if (!this.child || !this.isRunning) return;
    const ended = new Promise((done) => this.child?.once('exit', done));
    this.child.kill(signal);
    await ended;
  }
}

export class Server {
  private readonly data: string;
  private readonly more: string[];
  private readonly program = new Program();
  private readonly front = new Program();

  private constructor(data: string, more: string[]) {
    this.data = data;
    this.more = more;
  }

  /** Starts a server with these arguments besides the usual ones. With `page`, it has the console of this folder's `dist`. */
  static async start(more: string[], page: boolean): Promise<Server> {
    const server = new Server(await mkdtemp(join(tmpdir(), 'underlay-console-')), more);
    try {
      // Every server has an address of its own. While one is stopped, nothing else can get its port: the connections of
      // the browsers come from 127.0.0.1.
      await server.begin(`127.${randomInt(1, 255)}.${randomInt(1, 255)}.${randomInt(1, 255)}:0`);
      // The console that a server has is the one that it was built with.
      if (page) await server.front.begin('node', ['dev.mjs', '0', server.program.base, '--still'], /(http:\/\/[^/ ]+)/);
    } catch (error) {
      await server.close();
      throw error;
    }
    return server;
  }

  /** The address of the console. */
  get base(): string {
    return this.front.base || this.program.base;
  }

  get isRunning(): boolean {
    return this.program.isRunning;
  }

  /** What the server has logged. */
  get log(): readonly string[] {
    return this.program.lines;
  }

  private begin(listen: string): Promise<void> {
    return this.program.begin(BINARY, ['serve', '--demo', '--listen', listen, '--data-dir', this.data, ...this.more], READY);
  }

  /** Starts the server again, on the same address and data. */
  again(): Promise<void> {
    return this.begin(new URL(this.program.base).host);
  }

  stop(signal?: NodeJS.Signals): Promise<void> {
    return this.program.end(signal);
  }

  token(of: string[]): string {
    const { stdout, stderr } = spawnSync(BINARY, ['token', 'create', '--data-dir', this.data, ...of], { encoding: 'utf8', env: ENVIRONMENT });
    if (!stdout.includes('.')) throw new Error(`there is no token: ${stderr}`);
    return stdout.trim();
  }

  /** What a command of the program prints, in the name of an operator of this server. It throws if the command fails. */
  command(...of: string[]): string {
    const env = { ...ENVIRONMENT, UNDERLAY_SERVER: this.program.base, UNDERLAY_TOKEN: this.token([]) };
    const { status, stdout, stderr } = spawnSync(BINARY, of, { encoding: 'utf8', env });
    if (status !== 0) throw new Error(`${of.join(' ')} ended with ${status}: ${stderr}`);
    return stdout;
  }

  async close(): Promise<void> {
    await Promise.all([this.program.end(), this.front.end()]);
    await rm(this.data, { recursive: true, force: true });
  }
}
