// The development server builds for itself: what is committed is written by `npm run build` alone.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, statSync, utimesSync } from 'node:fs';
import { createInterface } from 'node:readline';

const written = (): string[] => readdirSync('dist').map((it) => `${it} ${statSync(`dist/${it}`).mtimeMs}`);

test('the development server leaves dist as it is when a source changes', async () => {
  const before = written();
  const server = spawn('node', ['dev.mjs', '0', 'http://127.0.0.1:1'], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
    const until = async (pattern: RegExp): Promise<string> => {
      for (;;) {
        const { value, done } = await lines.next();
        assert.ok(!done, `the server ended before it said ${pattern}`);
        if (pattern.test(value)) return value;
      }
    };
    const base = (await until(/^http:/)).split(' ')[0];
    utimesSync('src/main.tsx', new Date(), new Date());
    // A build prints the size of each file, and then it ends.
    await until(/^writes\.js/);
    assert.deepEqual(written(), before);
    assert.equal((await fetch(`${base}/console/main.js`)).status, 200);
  } finally {
    server.kill();
    await once(server, 'exit');
  }
});
