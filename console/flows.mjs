// Runs the flows, once `npm run flows` has bundled them: node flows.mjs [WORD...] runs the files whose names contain one of
// the words, or all. The program is test/runner/main.ts.
import { build } from 'esbuild';

await build({
  entryPoints: ['test/runner/main.ts', 'test/runner/reporter.ts'], outdir: '.tests/runner', bundle: true, format: 'esm', target: 'es2023', platform: 'node',
  packages: 'external', logLevel: 'warning',
});
await import('./.tests/runner/main.js');
