// Bundles the console into dist: readable, with fixed names. Lazily loaded screens are entries that take all shared code
// from main.js. With --tests it bundles the tests into .tests instead, with --bench the bench, and with --dev the console
// into .dev.
import { build } from 'esbuild';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { gzipSync } from 'node:zlib';

const base = { bundle: true, format: 'esm', target: 'es2023', jsx: 'automatic', jsxImportSource: 'preact', loader: { '.graphql': 'text' }, logLevel: 'warning' };
const LAZY = ['src/screens', 'src/store', 'src/kinds', 'src/server', 'src/draw'].flatMap((folder) => readdirSync(folder).map((name) => `${folder}/${name}`))
  .filter((it) => /\.lazy\.tsx?$/.test(it));
/** `screens/changes.lazy.tsx` is dist/changes.js. */
const nameOf = (path) => path.match(/([\w-]+)\.lazy\.tsx?$/)[1];

/** Lazy entries are imported by their fixed names. */
const lazily = {
  name: 'lazily',
  setup: (it) => it.onResolve({ filter: /\.lazy\.tsx?$/ }, (asked) =>
    (asked.kind === 'entry-point' ? undefined : { path: `./${nameOf(asked.path)}.js`, external: true })),
};
/** The exports of src/shared.ts are in main.js: lazy entries take them from there and bundle none of them. */
const SHARED = [...readFileSync('src/shared.ts', 'utf8').matchAll(/from '(\.[^']+)'/g)].map((it) => resolve('src', it[1]));
const fromMain = {
  name: 'from-main',
  setup(it) {
    const main = { path: './main.js', external: true };
    it.onResolve({ filter: /^preact|^@preact\// }, () => main);
    it.onResolve({ filter: /^\./ }, (asked) => {
      const path = resolve(asked.resolveDir, asked.path);
      return path === resolve('src/shared.ts') || SHARED.includes(path) ? main : undefined;
    });
  },
};

if (process.argv.includes('--tests')) {
  rmSync('.tests', { recursive: true, force: true });
  const folders = ['pure', 'flows'].flatMap((it) => readdirSync(`test/${it}`).map((name) => `test/${it}/${name}`));
  const entryPoints = folders.filter((it) => /\.(test|flow)\.tsx?$/.test(it));
  await build({ ...base, entryPoints, outdir: '.tests', outbase: 'test', platform: 'node', packages: 'external' });
} else if (process.argv.includes('--bench')) {
  await build({ ...base, entryPoints: ['bench/main.ts'], outdir: '.tests/bench', platform: 'node', packages: 'external' });
} else {
  const to = process.argv.includes('--dev') ? '.dev' : 'dist';
  mkdirSync(to, { recursive: true });
  const out = { ...base, outdir: to, legalComments: 'eof', define: { 'process.env.NODE_ENV': '"production"' } };
  await build({ ...out, plugins: [lazily], entryPoints: { main: 'src/main.tsx', style: 'src/style/style.css' } });
  for (const path of LAZY) await build({ ...out, plugins: [lazily, fromMain], entryPoints: { [nameOf(path)]: path } });
  for (const name of ['index.html', 'icon.svg']) copyFileSync(`src/${name}`, `${to}/${name}`);
  const made = ['main.js', 'style.css', 'index.html', 'icon.svg', ...LAZY.map((it) => `${nameOf(it)}.js`)];
  for (const name of readdirSync(to).filter((it) => !made.includes(it))) rmSync(`${to}/${name}`);
  // A name that main.js lacks would fail in the browser alone.
  const exported = new Set(readFileSync(`${to}/main.js`, 'utf8').match(/^export \{[^}]*\}/gm)?.at(-1)?.match(/[\w$]+(?=,?$)/gm));
  for (const path of LAZY) {
    const text = readFileSync(`${to}/${nameOf(path)}.js`, 'utf8');
    const names = [...text.matchAll(/^import \{([^}]*)\} from "\.\/main\.js"/gm)].flatMap((it) => it[1].split(',').map((one) => one.trim().split(' ')[0]));
    for (const name of names.filter((it) => it && !exported.has(it))) {
      console.error(`${path} takes ${name} from main.js, but src/shared.ts does not export it.`);
      process.exitCode = 1;
    }
  }
  // The maximum sizes of the first screen and of each lazy one, in kB, compressed. The texts about fields are read when
  // somebody asks what a field means, and grow with the fields.
  const MOST = { 'main.js': 60, 'about.js': 30 };
  for (const name of readdirSync(to).filter((it) => it.endsWith('.js'))) {
    const [size, most] = [gzipSync(readFileSync(`${to}/${name}`)).length / 1000, MOST[name] ?? 20];
    console.log(`${name}: ${size.toFixed(1)} of ${most} kB`);
    if (size > most) process.exitCode = 1;
  }
}
